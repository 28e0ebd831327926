// The globals a pickle may name, and what they mean here.
#pragma once

#include <cstdint>
#include <string_view>

#include "wick/dtype.h"

namespace wick {

enum class GlobalKind : uint8_t {
  kUnknown,
  kClass,           // a class of the model: "__torch__..."
  kStorage,         // torch.FloatStorage ...: dtype
  kUntypedStorage,  // sizes are in bytes
  kNumber,          // torch.float32, torch.per_tensor_affine ...: number
  kTensorType,      // torch.Tensor, torch.nn.parameter.Parameter
  // Functions.
  kRebuildTensor,
  kRebuildTensorV2,
  kRebuildTensorV3,
  kRebuildQTensor,
  kRebuildParameter,
  kRebuildFromType,
  kRebuildSparse,  // also layouts Wick does not have, nested and meta tensors
  kBuildIntList,
  kBuildDoubleList,
  kBuildBoolList,
  kBuildTensorList,
  kRestoreTypeTag,
  kOrderedDict,
  kSize,
  kDevice,
  kComplex,
  kGetLayout,
};

struct Global {
  GlobalKind kind = GlobalKind::kUnknown;
  DType dtype = DType::kByte;
  int64_t number = 0;
};

Global find_global(std::string_view module, std::string_view name);

}  // namespace wick
