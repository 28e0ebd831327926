// What a selective build keeps beside its table of operators; in an ordinary build, everything.
//
// The header behind WICK_SELECTION is made by cmake/select.cmake. Code under `if constexpr (selects_op(...))` refers
// to nothing when the answer is no, so the linker drops what it called. The questions are answered when compiling,
// whatever the level of optimization.
#pragma once

#include <string>
#include <string_view>

#include "wick/dtype.h"

namespace wick {

namespace selection {
#ifdef WICK_SELECTION
#include "selected_dtypes.h"
#include "selected_ops.h"
inline constexpr bool kIsSelective = true;
#else
inline constexpr bool kIsSelective = false, kHasIntegers = true, kPrintsTensors = true;
inline constexpr bool kAllOps = true, kAllClasses = true, kAllFeatures = true, kAllDTypes = true, kHasTensors = true;
inline constexpr DType kDTypes[] = {DType::kFloat};
inline constexpr std::string_view kOps[] = {""}, kClasses[] = {""}, kFeatures[] = {""};
#endif

template <size_t kCount>
constexpr bool contains(const std::string_view (&names)[kCount], std::string_view name) {
  for (std::string_view n : names) {
    if (n == name) return true;
  }
  return false;
}
}  // namespace selection

// Whether any overload of the operator ("aten::conv2d") is in the build.
consteval bool selects_op(std::string_view name) {
  if (selection::kAllOps) return true;
  for (std::string_view n : selection::kOps) {
    if (n.substr(0, n.find('.')) == name) return true;
  }
  return false;
}
// Whether any operator of the namespace ("quantized::") is.
consteval bool selects_namespace(std::string_view prefix) {
  if (selection::kAllOps) return true;
  for (std::string_view n : selection::kOps) {
    if (n.starts_with(prefix)) return true;
  }
  return false;
}
template <class... Names>
consteval bool selects_any_op(Names... names) {
  return (selects_op(names) || ...);
}

// A class by the last part of its name ("Conv2dOpContext").
consteval bool selects_class(std::string_view name) {
  return selection::kAllClasses || selection::contains(selection::kClasses, name.substr(name.rfind('.') + 1));
}

// Whether the models hold objects of classes implemented in C++ at all.
consteval bool selects_classes() { return selection::kAllClasses || !selection::kClasses[0].empty(); }

// A frontend or a kernel: "wick.frontend.flatbuffer", "wick.kernel.winograd".
consteval bool selects_feature(std::string_view name) {
  return selection::kAllFeatures || selection::contains(selection::kFeatures, name);
}

// Whether speed is left to the planner: in a selective build that has one, an operator it plans has no fast way of its
// own beside the planner's kernels.
consteval bool relies_on_plans() {
  return selection::kIsSelective && !selection::kAllOps && selects_feature("wick.planner");
}

// Whether values are printed: by the library's interface, or by an operator of the models.
consteval bool selects_text() {
  return selection::kHasTensors &&
         (selects_feature("wick.text") ||
          selects_any_op("aten::str", "aten::format", "aten::percentFormat", "aten::warn", "prim::Print", "prim::str"));
}

// Whether tensors are printed.
consteval bool selects_tensor_text() {
  return selects_text() && (selects_feature("wick.text") || selection::kPrintsTensors);
}

// A kind of node of the models' code, by TorchScript's name for it: "If", "ListConstruct".
consteval bool selects_node(std::string_view kind) {
  constexpr std::string_view kPrefix = "wick.node.";
  if (selection::kAllFeatures) return true;
  for (std::string_view n : selection::kFeatures) {
    if (n.starts_with(kPrefix) && n.substr(kPrefix.size()) == kind) return true;
  }
  return false;
}

// A kind of the planner's steps ("row_tiles"); without it, the planner calls operators. A list that says nothing of
// steps has them all.
consteval bool selects_step(std::string_view kind) {
  if (selection::kAllFeatures || !selection::contains(selection::kFeatures, "wick.steps")) return true;
  constexpr std::string_view kPrefix = "wick.step.";
  for (std::string_view n : selection::kFeatures) {
    if (n.starts_with(kPrefix) && n.substr(kPrefix.size()) == kind) return true;
  }
  return false;
}

// Whether the operator ("aten::cat") computes elements by itself in the models' runs: a plan calls it, or it runs
// outside of plans. Others are computed by kinds of steps of the planner, and called only for the shapes of their
// results; where they are called for elements after all, they may be slow. A list that says nothing of calls may call
// all.
consteval bool tells_calls() {
  return relies_on_plans() && !selection::kAllFeatures && selection::contains(selection::kFeatures, "wick.calls");
}
inline constexpr std::string_view kCallPrefix = "wick.call.";
consteval bool calls_op(std::string_view name) {
  if (!tells_calls()) return true;
  for (std::string_view n : selection::kFeatures) {
    if (n.starts_with(kCallPrefix) && n.substr(kCallPrefix.size()) == name) return true;
  }
  return false;
}
// Whether any is whose name has the word ("conv"; all have "").
consteval bool calls_op_with(std::string_view word) {
  if (!tells_calls()) return true;
  for (std::string_view n : selection::kFeatures) {
    if (n.starts_with(kCallPrefix) && n.find(word, kCallPrefix.size()) != n.npos) return true;
  }
  return false;
}

// A form of files of tensors that is read: "zip", or "legacy" (torch.save's of before 1.6). A list that names none has
// both.
consteval bool selects_saved(std::string_view form) {
  if (selection::kAllFeatures) return true;
  constexpr std::string_view kPrefix = "wick.saved.";
  bool any = false;
  for (std::string_view n : selection::kFeatures) {
    if (!n.starts_with(kPrefix)) continue;
    any = true;
    if (n.substr(kPrefix.size()) == form) return true;
  }
  return !any;
}

// What the models' files hold, or their code has types of: "list", "dict", "complex", "device", "enum", "named_tuple",
// "union"; "setstate" (functions that restore objects), "deflated" (records), "extra" (files beside the model). A list
// that says nothing of contents has them all.
consteval bool selects_content(std::string_view kind) {
  if (selection::kAllFeatures || !selection::contains(selection::kFeatures, "wick.contents")) return true;
  constexpr std::string_view kPrefix = "wick.content.";
  for (std::string_view n : selection::kFeatures) {
    if (n.starts_with(kPrefix) && n.substr(kPrefix.size()) == kind) return true;
  }
  return false;
}

// Whether any operator may write to a tensor it is given: relu_, add.out.
consteval bool selects_in_place() {
  if (selection::kAllOps) return true;
  for (std::string_view n : selection::kOps) {
    const std::string_view name = n.substr(0, n.find('.'));
    if (name.ends_with('_') || n.ends_with(".*") || n.find("out", name.size()) != n.npos) return true;
  }
  return false;
}

// A dtype the models compute in. Others still work where there is a general way, and slower.
consteval bool selects_dtype(DType dtype) {
  if (selection::kAllDTypes) return true;
  for (DType d : selection::kDTypes) {
    if (d == dtype) return true;
  }
  return false;
}

// Whether tensors of integers or bools were traced. Long and Bool are among the dtypes of every build, as what numbers
// of a program become; this says that operators compute with them.
consteval bool selects_integers() { return selection::kHasIntegers; }

// Whether an operator may convolve backwards: those named so, and those that take a flag.
consteval bool selects_transposed_conv() {
  if (selects_any_op("aten::_convolution", "aten::_convolution_mode", "aten::convolution",
                     "aten::convolution_overrideable")) {
    return true;
  }
  for (std::string_view n : selection::kOps) {
    if (n.find("transpose") != n.npos && n.find("conv") != n.npos) return true;
  }
  return selects_namespace("vulkan_prepack::") || selects_namespace("metal_prepack::");
}

// Whether the models compute with tensors at all.
consteval bool selects_tensors() { return selection::kHasTensors; }
consteval bool selects_quantized() {
  return selects_namespace("quantized::") || selects_dtype(DType::kQInt8) || selects_dtype(DType::kQUInt8) ||
         selects_dtype(DType::kQInt32) || selects_dtype(DType::kQUInt4x2) || selects_dtype(DType::kQUInt2x4);
}

consteval bool selects_complex() { return selects_dtype(DType::kComplexFloat) || selects_dtype(DType::kComplexDouble); }

// For errors about a missing operator: in a selective build, a sentence that names its list and says how to add to it.
std::string advice_on_missing();

// Throws kUnsupported: the operator has no loops for the dtype in this selective build.
[[noreturn]] void refuse_dtype(const char* op, DType dtype);

}  // namespace wick
