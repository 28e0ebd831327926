// Sizes that broadcast, and tensors expanded to them.
#pragma once

#include <stdexcept>

#include <ATen/WrapDimUtils.h>
#include <ATen/core/TensorBody.h>

namespace at {

// The sizes of a result of both; throws c10::Error when they do not broadcast.
inline std::vector<int64_t> infer_size(IntArrayRef a, IntArrayRef b) {
  std::vector<int64_t> out(std::max(a.size(), b.size()));
  for (size_t i = 0; i < out.size(); ++i) {  // from the last dimension on
    const int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1, y = i < b.size() ? b[b.size() - 1 - i] : 1;
    TORCH_CHECK(x == y || x == 1 || y == 1, "The size of tensor a (", x, ") must match the size of tensor b (", y,
                ") at non-singleton dimension ", out.size() - 1 - i);
    out[out.size() - 1 - i] = x == 1 ? y : x;
  }
  return out;
}
// Sizes of which one may be -1, which the number of elements gives.
inline std::vector<int64_t> infer_size(IntArrayRef shape, int64_t numel) {
  std::vector<int64_t> out = shape.vec();
  int64_t known = 1;
  c10::optional<size_t> open;
  for (size_t i = 0; i < out.size(); ++i) {
    TORCH_CHECK(out[i] >= -1, "invalid shape dimension ", out[i]);
    if (out[i] == -1) {
      if (open) throw std::runtime_error("only one dimension can be inferred");
      open = i;
    } else {
      known *= out[i];
    }
  }
  if (open)
    TORCH_CHECK(known != 0, "cannot reshape tensor of 0 elements into shape ", shape,
                " because the unspecified dimension size -1 can be any value and is ambiguous");
  if (open ? numel % known != 0 : numel != known) {
    throw std::runtime_error(c10::str("shape '", shape, "' is invalid for input of size ", numel));
  }
  if (open) out[*open] = numel / known;
  return out;
}

using ExpandedTensors = std::tuple<MaybeOwned<Tensor>, MaybeOwned<Tensor>>;
inline MaybeOwned<Tensor> expand_size(const Tensor& t, IntArrayRef sizes) {
  return t.sizes().equals(sizes) ? MaybeOwned<Tensor>::borrowed(t) : MaybeOwned<Tensor>::owned(t.expand(sizes));
}
inline ExpandedTensors expand_outplace(const Tensor& a, const Tensor& b) {
  const std::vector<int64_t> sizes = infer_size(a.sizes(), b.sizes());
  return ExpandedTensors(expand_size(a, sizes), expand_size(b, sizes));
}
inline MaybeOwned<Tensor> expand_inplace(const Tensor& to, const Tensor& t) { return expand_size(t, to.sizes()); }
inline std::vector<Tensor> expand_outplace(TensorList tensors) {
  std::vector<int64_t> sizes;
  for (const Tensor& t : tensors) {
    if (t.defined()) sizes = infer_size(sizes, t.sizes());
  }
  std::vector<Tensor> out;
  for (const Tensor& t : tensors) out.push_back(t.defined() ? t.expand(sizes) : t);
  return out;
}
inline bool are_expandable(IntArrayRef a, IntArrayRef b) {
  for (size_t i = 1; i <= std::min(a.size(), b.size()); ++i) {
    const int64_t x = a[a.size() - i], y = b[b.size() - i];
    if (x != y && x != 1 && y != 1) return false;
  }
  return true;
}
inline bool is_expandable_to(IntArrayRef shape, IntArrayRef desired) {
  if (shape.size() > desired.size()) return false;
  for (size_t i = 1; i <= shape.size(); ++i) {
    const int64_t size = shape[shape.size() - i];
    if (size != desired[desired.size() - i] && size != 1) return false;
  }
  return true;
}
// Adds up what was broadcast to give the tensor this shape.
inline Tensor sum_to(Tensor tensor, IntArrayRef shape) {
  if (shape.empty()) return tensor.sum();
  std::vector<int64_t> dims;
  const int64_t leading = tensor.dim() - static_cast<int64_t>(shape.size());
  for (int64_t d = 0; d < tensor.dim(); ++d) {
    if (d < leading || (shape[static_cast<size_t>(d - leading)] == 1 && tensor.size(d) != 1)) dims.push_back(d);
  }
  if (!dims.empty()) tensor = tensor.sum(dims, /*keepdim=*/true);
  return leading > 0 ? tensor.view(shape) : tensor;
}

}  // namespace at
