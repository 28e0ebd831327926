#include "archive/pickle_globals.h"

#include <array>
#include <optional>

#include "core/packed_texts.h"
#include "core/selection.h"

namespace wick {
namespace {

enum Module : uint8_t {
  kUtils,
  kTensor,
  kParameter,
  kTorch,
  kJitPickle,
  kMain,
  kCollections,
  kBuiltins,
  kBuiltin,
  kSerialization,
  kStorage
};
struct ModuleName {
  const char* name;
};
constexpr ModuleName kModules[] = {
    {"torch._utils"}, {"torch._tensor"}, {"torch.nn.parameter"}, {"torch"},       {"torch.jit._pickle"},
    {"__main__"},     {"collections"},   {"builtins"},           {"__builtin__"}, {"torch.serialization"},
    {"torch.storage"}};
constexpr auto kModuleNames = pack_texts<kModules, &ModuleName::name>();

struct Known {
  Module module;
  const char* name;
  GlobalKind kind;
  uint8_t number = 0;
};

constexpr Known kKnown[] = {
    {kUtils, "_rebuild_tensor", GlobalKind::kRebuildTensor},
    {kUtils, "_rebuild_tensor_v2", GlobalKind::kRebuildTensorV2},
    {kUtils, "_rebuild_tensor_v3", GlobalKind::kRebuildTensorV3},
    {kUtils, "_rebuild_qtensor", GlobalKind::kRebuildQTensor},
    {kUtils, "_rebuild_parameter", GlobalKind::kRebuildParameter},
    {kUtils, "_rebuild_parameter_with_state", GlobalKind::kRebuildParameter},
    {kUtils, "_rebuild_sparse_tensor", GlobalKind::kRebuildSparse},
    {kUtils, "_rebuild_sparse_csr_tensor", GlobalKind::kRebuildSparse},
    {kUtils, "_rebuild_nested_tensor", GlobalKind::kRebuildSparse},
    {kUtils, "_rebuild_meta_tensor_no_storage", GlobalKind::kRebuildSparse},
    {kUtils, "_rebuild_mkldnn_tensor", GlobalKind::kRebuildSparse},
    {kTensor, "_rebuild_from_type_v2", GlobalKind::kRebuildFromType},
    {kParameter, "Parameter", GlobalKind::kTensorType},
    {kTorch, "Tensor", GlobalKind::kTensorType},
    {kJitPickle, "build_intlist", GlobalKind::kBuildIntList},
    {kJitPickle, "build_doublelist", GlobalKind::kBuildDoubleList},
    {kJitPickle, "build_boollist", GlobalKind::kBuildBoolList},
    {kJitPickle, "build_tensorlist", GlobalKind::kBuildTensorList},
    {kJitPickle, "restore_type_tag", GlobalKind::kRestoreTypeTag},
    {kMain, "IntList", GlobalKind::kBuildIntList},
    {kCollections, "OrderedDict", GlobalKind::kOrderedDict},
    {kTorch, "Size", GlobalKind::kSize},
    {kTorch, "device", GlobalKind::kDevice},
    {kBuiltins, "complex", GlobalKind::kComplex},
    {kBuiltin, "complex", GlobalKind::kComplex},
    {kSerialization, "_get_layout", GlobalKind::kGetLayout},
    {kTorch, "UntypedStorage", GlobalKind::kUntypedStorage},
    {kTorch, "_UntypedStorage", GlobalKind::kUntypedStorage},
    {kStorage, "UntypedStorage", GlobalKind::kUntypedStorage},
    {kStorage, "_UntypedStorage", GlobalKind::kUntypedStorage},
    {kTorch, "per_tensor_affine", GlobalKind::kNumber, 0},
    {kTorch, "per_channel_affine", GlobalKind::kNumber, 1},
    {kTorch, "per_tensor_symmetric", GlobalKind::kNumber, 2},
    {kTorch, "per_channel_symmetric", GlobalKind::kNumber, 3},
    {kTorch, "per_channel_affine_float_qparams", GlobalKind::kNumber, 4},
    {kTorch, "contiguous_format", GlobalKind::kNumber, 0},
    {kTorch, "preserve_format", GlobalKind::kNumber, 1},
    {kTorch, "channels_last", GlobalKind::kNumber, 2},
    {kTorch, "channels_last_3d", GlobalKind::kNumber, 3},
};

// What a selective build does not read is as unknown to it as any other name.
constexpr bool is_read(GlobalKind kind) {
  switch (kind) {
    case GlobalKind::kBuildIntList:
    case GlobalKind::kBuildDoubleList:
    case GlobalKind::kBuildBoolList:
      return selects_content("list");
    case GlobalKind::kBuildTensorList:
      return selects_content("list") && selects_tensors();
    case GlobalKind::kRestoreTypeTag:
      return selects_content("list") || selects_content("dict");
    case GlobalKind::kOrderedDict:
      return selects_content("dict");
    case GlobalKind::kDevice:
      return selects_content("device");
    case GlobalKind::kComplex:
      return selects_content("complex");
    default:
      return selects_tensors();
  }
}
constexpr size_t kReadCount = [] {
  size_t n = 0;
  for (const Known& known : kKnown) n += is_read(known.kind);
  return n;
}();
// Closed by an empty one.
constexpr auto kRead = [] {
  std::array<Known, kReadCount + 1> out{};
  size_t n = 0;
  for (const Known& known : kKnown) {
    if (is_read(known.kind)) out[n++] = known;
  }
  out[n].name = "";
  return out;
}();

struct Meaning {
  Module module;
  GlobalKind kind;
  uint8_t number;
};
constexpr auto kKnownNames = pack_texts<kRead, &Known::name>();
constexpr auto kMeanings = [] {
  std::array<Meaning, std::size(kRead)> out;
  for (size_t i = 0; i < out.size(); ++i) out[i] = {kRead[i].module, kRead[i].kind, kRead[i].number};
  return out;
}();

std::optional<DType> dtype_of_storage_class(std::string_view name) {
  constexpr std::string_view kSuffix = "Storage";
  if (!name.ends_with(kSuffix)) return std::nullopt;
  name.remove_suffix(kSuffix.size());
  for (int64_t code = 0; code <= static_cast<int64_t>(DType::kUInt64); ++code) {
    if (is_valid_dtype(code) && name == name_of(static_cast<DType>(code))) return static_cast<DType>(code);
  }
  return std::nullopt;
}

}  // namespace

Global find_global(std::string_view module, std::string_view name) {
  if (module == "__torch__" || module.starts_with("__torch__.")) return {GlobalKind::kClass};
  // A few names stand in two or more modules.
  for (size_t i = 0; i < kReadCount; ++i) {
    const Meaning& known = kMeanings[i];
    if (name == kKnownNames[i] && module == kModuleNames[known.module]) return {known.kind, DType::kByte, known.number};
  }
  if (selects_tensors() && (module == "torch" || module == "torch.cuda")) {
    if (const auto dtype = dtype_of_storage_class(name)) return {GlobalKind::kStorage, *dtype};
  }
  if (selects_tensors() && module == "torch") {
    if (const auto dtype = dtype_from_torch_name(name)) {
      return {GlobalKind::kNumber, *dtype, static_cast<int64_t>(*dtype)};
    }
  }
  // Functions of torch.jit._pickle that are not known make no objects; one refers to a table outside the file.
  if (module == "torch.jit._pickle") return {};
  if (module == "torch.jit" || module.starts_with("torch.jit.")) return {GlobalKind::kClass};
  return {};
}

}  // namespace wick
