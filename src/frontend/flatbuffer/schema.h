// The tables of a flatbuffer mobile module: field numbers and union tags.
#pragma once

#include <cstdint>

namespace wick::flatbuffer {

enum class Tag : uint8_t {
  kNone = 0,
  kInt = 1,
  kBool = 2,
  kDouble = 3,
  kComplexDouble = 4,
  kTensor = 5,
  kString = 6,
  kList = 7,
  kTuple = 8,
  kDict = 9,
  kObject = 10,
  kIntList = 11,
  kDoubleList = 12,
  kBoolList = 13,
  kDevice = 14,
  kEnum = 15,
  kFunction = 16,
};

enum class ObjectKind : uint8_t { kUnset = 0, kAttributes = 1, kCustom = 2, kSetState = 3, kNotAnObject = 4 };

// One struct a table; each constant is a field's slot.
struct ModuleFields {
  enum {
    kBytecodeVersion,
    kExtraFiles,
    kMethods,
    kStateObject,
    kIValues,
    kStorageCount,
    kStorages,
    kObjectTypes,
    kJitSources,
    kJitConstants,
    kOperatorVersion,
    kMobileIValueCount
  };
};
struct ExtraFileFields {
  enum { kName, kContent };
};
struct IValueFields {
  enum { kTag, kValue };
};
struct TensorFields {
  enum { kStorage, kDType, kOffset, kSizes, kStrides, kRequiresGrad, kQuantizer };
};
struct QuantizerFields {
  enum { kScheme, kScale, kZeroPoint, kScales, kZeroPoints, kAxis };
};
struct ListFields {
  enum { kItems, kType };
};
struct DictFields {
  enum { kKeys, kValues, kType };
};
struct ObjectFields {
  enum { kType, kState, kAttributes, kSetState };
};
struct ObjectTypeFields {
  enum { kName, kKind, kAttributeNames };
};
struct EnumFields {
  enum { kTypeName, kValue };
};
struct FunctionFields {
  enum { kName, kInstructions, kOperators, kConstants, kTypes, kRegisterSize, kSchema, kDebugInfo, kClassType };
};
struct OperatorFields {
  enum { kName, kOverload, kArgumentCount };
};
struct SchemaFields {
  enum { kArguments, kReturns };
};
struct ArgumentFields {
  enum { kName, kType, kDefault };
};
// The instruction struct: op at 0, n at 2, x at 4.
inline constexpr size_t kInstructionSize = 8;

// An old file that PyTorch loaded and saved again calls functions that are not in it: those by which PyTorch keeps the
// old meaning of operators, by their place in its list. Each stands for one operator as it was up to a version.
inline constexpr uint8_t kCallUpgrader = 14;
struct Upgrader {
  const char* name;
  const char* overload;
  int64_t last_version;
};
inline constexpr Upgrader kUpgraders[] = {
    {"aten::div", "Scalar", 3},   {"aten::div", "Tensor", 3}, {"aten::div_", "Scalar", 3},  {"aten::div_", "Tensor", 3},
    {"aten::div", "out", 3},      {"aten::gelu", "", 9},      {"aten::gelu", "out", 9},     {"aten::linspace", "", 7},
    {"aten::linspace", "out", 7}, {"aten::logspace", "", 8},  {"aten::logspace", "out", 8},
};

}  // namespace wick::flatbuffer
