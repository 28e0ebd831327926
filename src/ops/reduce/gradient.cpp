// aten::gradient: central differences inside, one-sided ones at the edges.
#include "core/shape.h"
#include "ops/pointwise/pointwise.h"
#include "ops/reduce/reduce.h"
#include "ops/shape/join.h"
#include "ops/shape/view.h"

namespace wick::ops {

namespace {

void check_gradient(const Tensor& self, std::optional<int64_t> spacings, const OptDims& dims, int64_t edge_order) {
  WICK_CHECK(self.dtype() != DType::kByte, kUnsupported, "torch.gradient does not support uint8 input.");
  WICK_CHECK(!spacings || dims || *spacings == 1 || *spacings == self.dim(), kInvalidArgument,
             "torch.gradient expected spacing to be unspecified, a scalar or a list of length ", self.dim(),
             " but got a list of length ", spacings.value_or(0));
  WICK_CHECK(!spacings || !dims || *spacings == static_cast<int64_t>(dims->size()), kInvalidArgument,
             "torch.gradient expected spacing to be unspecified, a scalar or it's spacing and dim arguments to have "
             "the same length, but got a spacing argument of length ",
             spacings.value_or(0), " and a dim argument of length ", dims ? dims->size() : 0, ".");
  WICK_CHECK(edge_order == 1 || edge_order == 2, kInvalidArgument,
             "torch.gradient only supports edge_order=1 and edge_order=2.");
  IntVec checked;
  if (dims) {
    checked = wrap_dims(*dims, self.dim());
  } else {
    for (int64_t d = 0; d < self.dim(); ++d) checked.push_back(d);
  }
  for (int64_t d : checked) {
    WICK_CHECK(self.size(d) >= edge_order + 1, kShapeMismatch,
               "torch.gradient expected each dimension size to be at least edge_order+1");
  }
}

// The dims asked for: one, or all of them.
IntVec chosen_dims(const Tensor& self, std::optional<int64_t> dim) {
  if (dim) return {*dim};
  IntVec all;
  for (int64_t d = 0; d < self.dim(); ++d) all.push_back(d);
  return all;
}
OptDims given_dims(std::optional<int64_t> dim) { return dim ? OptDims(IntVec{*dim}) : std::nullopt; }

// The elements of one dim, of which the last may be counted from the end.
Tensor part(const Tensor& t, int64_t dim, std::optional<int64_t> start, std::optional<int64_t> end) {
  return slice(t, dim, start, end, 1);
}
Tensor weighted(const Tensor& a, const Tensor& x, const Tensor& b, const Tensor& y, const Tensor& c, const Tensor& z) {
  return add(add(mul(a, x), mul(b, y)), mul(c, z));
}

Tensor along(const Tensor& self, const Tensor& coordinates, int64_t dim, int64_t edge_order) {
  WICK_CHECK(coordinates.dim() == 1, kShapeMismatch,
             "torch.gradient expected each element of spacing to have one dimension, but got an element with ",
             coordinates.dim(), " dimensions!");
  IntVec shape;
  for (int64_t d = 0; d < self.dim(); ++d) shape.push_back(1);
  shape[static_cast<size_t>(dim)] = -1;
  const Tensor step = diff(coordinates, 1, 0);
  const auto at = [&](int64_t i) { return select(step, 0, i); };
  const Tensor before = part(step, 0, 0, -1), after = part(step, 0, 1, {});
  const Tensor both = add(before, after);
  const Tensor center = weighted(reshape(div(neg(after), mul(before, both)), shape), part(self, dim, 0, -2),
                                 reshape(div(sub(after, before), mul(before, after)), shape), part(self, dim, 1, -1),
                                 reshape(div(before, mul(after, both)), shape), part(self, dim, 2, {}));
  if (edge_order == 1) {
    return concat({div(sub(part(self, dim, 1, 2), part(self, dim, 0, 1)), at(0)), center,
                   div(sub(part(self, dim, -1, {}), part(self, dim, -2, -1)), at(-1))},
                  dim);
  }
  const auto edge = [&](const Tensor& near, const Tensor& far, const Tensor& x0, const Tensor& x1, const Tensor& x2) {
    const Tensor sum = add(near, far);
    return weighted(neg(div(add(mul_scalar(near, 2.0), far), mul(near, sum))), x0, div(sum, mul(near, far)), x1,
                    neg(div(near, mul(far, sum))), x2);
  };
  return concat({edge(at(0), at(1), part(self, dim, 0, 1), part(self, dim, 1, 2), part(self, dim, 2, 3)), center,
                 neg(edge(at(-1), at(-2), part(self, dim, -1, {}), part(self, dim, -2, -1), part(self, dim, -3, -2)))},
                dim);
}

Tensor along_even(const Tensor& self, const Scalar& step, int64_t dim, int64_t edge_order) {
  const Tensor center = div_scalar(div_scalar(sub(part(self, dim, 2, {}), part(self, dim, 0, -2)), step), 2);
  if (edge_order == 1) {
    return concat({div_scalar(sub(part(self, dim, 1, 2), part(self, dim, 0, 1)), step), center,
                   div_scalar(sub(part(self, dim, -1, {}), part(self, dim, -2, -1)), step)},
                  dim);
  }
  const auto edge = [&](double a, const Tensor& x, double b, const Tensor& y, double c, const Tensor& z) {
    return div_scalar(add(add(mul_scalar(x, a), mul_scalar(y, b)), mul_scalar(z, c)), step);
  };
  return concat({edge(-1.5, part(self, dim, 0, 1), 2, part(self, dim, 1, 2), -0.5, part(self, dim, 2, 3)), center,
                 edge(0.5, part(self, dim, -3, -2), -2, part(self, dim, -2, -1), 1.5, part(self, dim, -1, {}))},
                dim);
}

TensorList evenly(const Tensor& self, const std::vector<Scalar>& spacing, const IntVec& dims, int64_t edge_order) {
  TensorList out;
  for (size_t i = 0; i < dims.size(); ++i) {
    const Scalar& step = spacing[spacing.size() == 1 ? 0 : i];
    out.push_back(along_even(self, step, wrap_dim(dims[i], self.dim()), edge_order));
  }
  return out;
}
TensorList unevenly(const Tensor& self, const TensorList& spacing, const IntVec& dims, int64_t edge_order) {
  WICK_CHECK(spacing.size() == dims.size(), kInvalidArgument,
             "torch.gradient expected a tensor of coordinates for each of ", dims.size(), " dimensions, but got ",
             spacing.size());
  TensorList out;
  for (size_t i = 0; i < dims.size(); ++i) {
    out.push_back(along(self, spacing[i], wrap_dim(dims[i], self.dim()), edge_order));
  }
  return out;
}

std::vector<Scalar> numbers(const ListImpl& list) {
  std::vector<Scalar> out;
  for (const IValue& v : list.items) out.push_back(v.to_scalar());
  return out;
}

}  // namespace

TensorList gradient(const Tensor& self, const OptScalar& spacing, std::optional<int64_t> dim, int64_t edge_order) {
  const IntVec dims = chosen_dims(self, dim);
  check_gradient(self, spacing ? std::optional<int64_t>(dim ? 1 : self.dim()) : std::nullopt, given_dims(dim),
                 edge_order);
  return evenly(self, {spacing.value_or(1.0)}, dims, edge_order);
}
TensorList gradient_dims(const Tensor& self, IntSpan dims, int64_t edge_order) {
  return gradient_spacing_dims(self, 1.0, dims, edge_order);
}
TensorList gradient_spacing_dims(const Tensor& self, const Scalar& spacing, IntSpan dims, int64_t edge_order) {
  check_gradient(self, static_cast<int64_t>(dims.size()), OptDims(IntVec(dims)), edge_order);
  return evenly(self, {spacing}, IntVec(dims), edge_order);
}
TensorList gradient_spacings(const Tensor& self, ListImpl& spacing, std::optional<int64_t> dim, int64_t edge_order) {
  check_gradient(self, static_cast<int64_t>(spacing.items.size()), given_dims(dim), edge_order);
  return evenly(self, numbers(spacing), chosen_dims(self, dim), edge_order);
}
TensorList gradient_spacings_dims(const Tensor& self, ListImpl& spacing, IntSpan dims, int64_t edge_order) {
  check_gradient(self, static_cast<int64_t>(spacing.items.size()), OptDims(IntVec(dims)), edge_order);
  return evenly(self, numbers(spacing), IntVec(dims), edge_order);
}
TensorList gradient_coordinates(const Tensor& self, const TensorList& spacing, std::optional<int64_t> dim,
                                int64_t edge_order) {
  check_gradient(self, static_cast<int64_t>(spacing.size()), given_dims(dim), edge_order);
  return unevenly(self, spacing, chosen_dims(self, dim), edge_order);
}
TensorList gradient_coordinates_dims(const Tensor& self, const TensorList& spacing, IntSpan dims, int64_t edge_order) {
  check_gradient(self, static_cast<int64_t>(spacing.size()), OptDims(IntVec(dims)), edge_order);
  return unevenly(self, spacing, IntVec(dims), edge_order);
}

}  // namespace wick::ops
