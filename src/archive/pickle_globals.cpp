// Names in pickles and what they stand for.
#include "archive/pickle_globals.h"

#include <optional>
#include <span>

#include "config/build.h"

namespace wick {
namespace {

struct Known {
  const char* module;
  const char* name;
  GlobalKind kind;
  uint8_t number = 0;
};

constexpr Known kKnown[] = {
    {"torch._utils", "_rebuild_tensor", GlobalKind::kRebuildTensor},
    {"torch._utils", "_rebuild_tensor_v2", GlobalKind::kRebuildTensorV2},
    {"torch._utils", "_rebuild_tensor_v3", GlobalKind::kRebuildTensorV3},
    {"torch._utils", "_rebuild_qtensor", GlobalKind::kRebuildQTensor},
    {"torch._utils", "_rebuild_parameter", GlobalKind::kRebuildParameter},
    {"torch._utils", "_rebuild_parameter_with_state", GlobalKind::kRebuildParameter},
    {"torch.jit._pickle", "build_intlist", GlobalKind::kBuildIntList},
    {"torch.jit._pickle", "build_doublelist", GlobalKind::kBuildDoubleList},
    {"torch.jit._pickle", "build_boollist", GlobalKind::kBuildBoolList},
    {"torch.jit._pickle", "build_tensorlist", GlobalKind::kBuildTensorList},
    {"torch.jit._pickle", "restore_type_tag", GlobalKind::kRestoreTypeTag},
    {"__main__", "IntList", GlobalKind::kBuildIntList},
    {"torch", "device", GlobalKind::kDevice},
    {"builtins", "complex", GlobalKind::kComplex},
    {"__builtin__", "complex", GlobalKind::kComplex},
};

// Beside tensors, or in files of them.
constexpr Known kKnownOfTensors[] = {
    {"torch._utils", "_rebuild_sparse_tensor", GlobalKind::kRebuildSparse},
    {"torch._utils", "_rebuild_sparse_csr_tensor", GlobalKind::kRebuildSparse},
    {"torch._utils", "_rebuild_nested_tensor", GlobalKind::kRebuildSparse},
    {"torch._utils", "_rebuild_meta_tensor_no_storage", GlobalKind::kRebuildSparse},
    {"torch._utils", "_rebuild_mkldnn_tensor", GlobalKind::kRebuildSparse},
    {"torch._tensor", "_rebuild_from_type_v2", GlobalKind::kRebuildFromType},
    {"torch.nn.parameter", "Parameter", GlobalKind::kTensorType},
    {"torch", "Tensor", GlobalKind::kTensorType},
    {"collections", "OrderedDict", GlobalKind::kOrderedDict},
    {"torch", "Size", GlobalKind::kSize},
    {"torch.serialization", "_get_layout", GlobalKind::kGetLayout},
    {"torch", "UntypedStorage", GlobalKind::kUntypedStorage},
    {"torch", "_UntypedStorage", GlobalKind::kUntypedStorage},
    {"torch.storage", "UntypedStorage", GlobalKind::kUntypedStorage},
    {"torch.storage", "_UntypedStorage", GlobalKind::kUntypedStorage},
    {"torch", "per_tensor_affine", GlobalKind::kNumber, 0},
    {"torch", "per_channel_affine", GlobalKind::kNumber, 1},
    {"torch", "per_tensor_symmetric", GlobalKind::kNumber, 2},
    {"torch", "per_channel_symmetric", GlobalKind::kNumber, 3},
    {"torch", "per_channel_affine_float_qparams", GlobalKind::kNumber, 4},
    {"torch", "contiguous_format", GlobalKind::kNumber, 0},
    {"torch", "preserve_format", GlobalKind::kNumber, 1},
    {"torch", "channels_last", GlobalKind::kNumber, 2},
    {"torch", "channels_last_3d", GlobalKind::kNumber, 3},
};

std::optional<DType> dtype_of_storage_class(std::string_view name) {
  constexpr std::string_view kSuffix = "Storage";
  if (!name.ends_with(kSuffix)) return std::nullopt;
  name.remove_suffix(kSuffix.size());
  for (int64_t code = 0; code <= static_cast<int64_t>(DType::kUInt64); ++code) {
    if (is_valid_dtype(code) && name == name_of(static_cast<DType>(code))) return static_cast<DType>(code);
  }
  return std::nullopt;
}

// A few names stand in two or more modules.
std::optional<Global> find_in(std::span<const Known> table, std::string_view module, std::string_view name) {
  for (const Known& known : table) {
    if (name == known.name && module == known.module) return Global{known.kind, DType::kByte, known.number};
  }
  return std::nullopt;
}

std::optional<Global> find_of_tensors(std::string_view module, std::string_view name) {
  if (const auto found = find_in(kKnownOfTensors, module, name)) return found;
  if (module == "torch" || module == "torch.cuda") {
    if (const auto dtype = dtype_of_storage_class(name)) return Global{GlobalKind::kStorage, *dtype};
  }
  if (module == "torch") {
    if (const auto dtype = dtype_from_torch_name(name)) {
      return Global{GlobalKind::kNumber, *dtype, static_cast<int64_t>(*dtype)};
    }
  }
  return std::nullopt;
}

}  // namespace

Global find_global(std::string_view module, std::string_view name) {
  if (module == "__torch__" || module.starts_with("__torch__.")) return {GlobalKind::kClass};
  if (const auto found = find_in(kKnown, module, name)) return *found;
  if constexpr (build::kTensors) {
    if (const auto found = find_of_tensors(module, name)) return *found;
  }
  // Functions of torch.jit._pickle that are not known make no objects; one refers to a table outside the file.
  if (module == "torch.jit._pickle") return {};
  if (module == "torch.jit" || module.starts_with("torch.jit.")) return {GlobalKind::kClass};
  return {};
}

}  // namespace wick
