// Reading the arguments of a traced step.
#pragma once

#include <optional>

#include "plan/builder.h"

namespace wick::plan {

inline bool is_none(const TracedValue& v) { return v.kind == TracedValue::Kind::kStatic && v.value.is_none(); }
// Argument k is there and not None.
inline bool is_given(const TracedStep& step, size_t k) { return k < step.args.size() && !is_none(step.args[k]); }

// The tensor that argument k is; kNoTensor when it is something else.
inline TensorId tensor_arg(const TracedStep& step, size_t k) {
  return k < step.args.size() && step.args[k].kind == TracedValue::Kind::kTensor ? step.args[k].ids[0] : kNoTensor;
}

// A constant float tensor, or the one of half precision that it is a conversion of; undefined for None; false when it
// is none of them.
inline bool read_constant(const Builder& b, const TracedValue& v, Tensor& out) {
  if (is_none(v)) return true;
  if (v.kind == TracedValue::Kind::kTensor) out = b.widened(v.ids[0]);
  if (out.defined()) return true;
  if (v.kind != TracedValue::Kind::kTensor || !b.is_constant(v.ids[0]) || !b.is_float(v.ids[0])) return false;
  out = b.constant(v.ids[0]);
  return true;
}

// What read_constant gives as floats in row-major order; itself when it is.
Tensor as_floats(const Tensor& t);

inline std::optional<double> number_arg(const TracedStep& step, size_t k) {
  if (k >= step.args.size() || step.args[k].kind != TracedValue::Kind::kStatic || !step.args[k].value.is_number() ||
      step.args[k].value.is_complex()) {
    return std::nullopt;
  }
  return step.args[k].value.to_scalar().to_double();
}
inline std::optional<int64_t> int_arg(const TracedStep& step, size_t k) {
  if (k >= step.args.size() || !step.args[k].value.is_int()) return std::nullopt;
  return step.args[k].value.to_int();
}
// Absent counts as false.
inline bool bool_arg(const TracedStep& step, size_t k) {
  return k < step.args.size() && step.args[k].value.is_bool() && step.args[k].value.to_bool();
}

// A tensor as rows of `length` consecutive values: row r at r / width * line + r % width * step.
struct RowGrid {
  int64_t rows = 0, length = 0;
  int64_t width = 1, line = 0, step = 0;
  bool is_single() const { return width == rows; }  // one distance between all rows
};
std::optional<RowGrid> rows_of(const TracedTensor& t);

}  // namespace wick::plan
