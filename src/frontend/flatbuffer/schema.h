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

}  // namespace wick::flatbuffer
