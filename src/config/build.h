// What of the library is built, as constants; in an ordinary build, everything.
//
// In a selective build (WICK_SELECTION) they come from build_config.h, which scripts/select_build.py makes of the
// operator lists. Code under `if constexpr (build::kPlanner)` refers to nothing when the answer is no, so the linker
// drops what it called. Ask at seams only: operator table, planner patterns, frontends, choice of a kernel. A question
// that saves less than 1 KB is not worth asking.
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

#ifdef WICK_SELECTION
#include "build_config.h"
#else

namespace wick::build {

inline constexpr bool kIsSelective = false;
inline constexpr std::string_view kListName = "";  // "a.yaml, b.yaml"

// Operators by name, sorted; "aten::add.*" stands for every overload. See selects_op in core/selection.h.
inline constexpr bool kAllOps = true;
inline constexpr std::string_view kOps[] = {""};
// Bytecode has instructions in place of some operators, which only lists of 'wick trace' name.
inline constexpr bool kInstructionOps = true;
// Classes implemented in C++, by the last part of their names.
inline constexpr bool kAllClasses = true;
inline constexpr std::string_view kClasses[] = {""};
// Codes of the dtypes that operators compute in.
inline constexpr bool kAllDTypes = true;
inline constexpr int kDTypes[] = {6};

// Parts.
inline constexpr bool kTensors = true;  // models compute with tensors at all
inline constexpr bool kPlanner = true;
inline constexpr bool kProfiles = true;  // names of steps
inline constexpr bool kTorchScript = true;
inline constexpr bool kFlatbuffer = true;
inline constexpr bool kLegacySaves = true;  // files of tensors as torch.save wrote them before 1.6
inline constexpr bool kObjects = true;      // code has attributes, calls functions and methods, or asks for types
inline constexpr bool kContainers = true;   // code makes or takes apart lists and dicts, or takes apart tuples
inline constexpr bool kRestores = true;     // files have code that restores their objects (__setstate__)
inline constexpr bool kLimits = true;       // loads and runs can be bounded and cancelled; where files have code
                                            // that restores their objects, they always can
inline constexpr bool kSourceLines = true;  // errors name the lines of the model's Python code
inline constexpr bool kEnums = true;        // names of enum members, which are in a model's code
inline constexpr bool kText = true;         // values are printed, by the library's interface or an operator
inline constexpr bool kTensorText = true;   // so are tensors

// What operators of the build do.
inline constexpr bool kIntegers = true;  // compute with integers or bools; both are dtypes of every build
inline constexpr bool kQuantized = true;
inline constexpr bool kComplex = true;
inline constexpr bool kInPlace = true;  // write to a tensor they are given: relu_, add.out
inline constexpr bool kMutates = true;  // change a tensor, list or dict they are given
inline constexpr bool kTransposedConv = true;

// The planner's steps, by kind; a step that comes with an operator has none.
inline constexpr bool kAllSteps = true;
inline constexpr std::string_view kSteps[] = {""};
// Operators that took quantized tensors alone, without their namespace: the planner has no steps with floats for them.
inline constexpr std::string_view kQuantizedOnly[] = {""};

// Operators outside of plans have kernels of their own, and give the whole library's bits; without them, convolutions
// and prepacked layers of floats use the planner's.
inline constexpr bool kInterpreterKernels = true;

// Depthwise convolutions; without them they are products, group by group. Loops of their own by width of the kernel.
inline constexpr bool kDepthwise = true;
inline constexpr bool kDepthwise3 = true;
inline constexpr bool kDepthwise5 = true;
inline constexpr bool kInt8Depthwise3 = true;
inline constexpr bool kInt8Depthwise5 = true;
inline constexpr bool kGroupedConv = true;
inline constexpr bool kWinograd2 = true;  // by the side of its tiles
inline constexpr bool kWinograd4 = true;
inline constexpr bool kPlanes = true;      // a network's first layer of an NCHW image with three columns of taps
inline constexpr bool kMeans = true;       // depthwise convolutions that give the means of their channels as well
inline constexpr bool kInt8Floats = true;  // int8 products whose results are floats: dynamic quantization

}  // namespace wick::build

#endif

namespace wick::build {

template <size_t kCount>
constexpr bool contains(const std::string_view (&names)[kCount], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// Where overloads of the operator ("aten::add") begin in kOps: "aten::add", "aten::add.*", "aten::add.Scalar".
constexpr const std::string_view* first_overload(std::string_view name) {
  return std::lower_bound(std::begin(kOps), std::end(kOps), name);
}
constexpr bool is_overload(const std::string_view* op, std::string_view name) {
  return op != std::end(kOps) && op->substr(0, op->find('.')) == name;
}

// Whether any overload of the operator is in the build.
constexpr bool has_op(std::string_view name) { return kAllOps || is_overload(first_overload(name), name); }

}  // namespace wick::build
