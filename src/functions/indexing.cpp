// tensor[...]: numbers, slices, masks and tensors of indices, as Python applies them.
#include "core/check.h"
#include "wick/functions.h"
#include "wick/index.h"

namespace wick {
namespace {

// A view of the tensor after numbers, slices and new dims, and the indices that are left, by dim of it.
struct Applied {
  Tensor view;
  std::vector<std::optional<Tensor>> left;
};

bool is_mask(const Tensor& t) { return t.dtype() == DType::kBool || t.dtype() == DType::kByte; }

// Dims of the tensor that the indices use up.
int64_t count_dims(Span<Index> indices) {
  int64_t count = 0;
  for (const Index& index : indices) {
    if (index.kind() == Index::Kind::kInt || index.kind() == Index::Kind::kSlice) ++count;
    if (index.kind() == Index::Kind::kTensor) count += is_mask(index.tensor()) ? index.tensor().dim() : 1;
  }
  return count;
}

Tensor select_one(const Tensor& t, int64_t dim, int64_t index, int64_t shown_dim) {
  WICK_CHECK(dim != 0 || t.dim() != 0, kIndexOutOfRange,
             "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a "
             "0-dim tensor to a number");
  const int64_t size = t.size(dim);
  WICK_CHECK(index >= -size && index < size, kIndexOutOfRange, "index ", index, " is out of bounds for dimension ",
             shown_dim, " with size ", size);
  return functions::select(t, dim, index);
}

class Applier {
 public:
  Applier(const Tensor& self, Span<Index> indices) : self_(self), used_(count_dims(indices)) {
    WICK_CHECK(used_ <= self.dim(), kIndexOutOfRange, "too many indices for tensor of dimension ", self.dim());
    out_.view = self;
    for (size_t i = 0; i < indices.size(); ++i) apply(indices[i], static_cast<int64_t>(i));
  }
  Applied done() { return std::move(out_); }

 private:
  void apply(const Index& index, int64_t position) {
    switch (index.kind()) {
      case Index::Kind::kInt:
        out_.view = select_one(out_.view, dim_, index.number(), position);
        return;
      case Index::Kind::kSlice: {
        const Slice& s = index.slice();
        WICK_CHECK(s.step > 0, kInvalidArgument, "step must be greater than zero");
        if (s.start || s.stop || s.step != 1) out_.view = functions::slice(out_.view, dim_, s.start, s.stop, s.step);
        ++dim_;
        return;
      }
      case Index::Kind::kEllipsis:
        dim_ += self_.dim() - used_;
        return;
      case Index::Kind::kNewDim:
        out_.view = functions::unsqueeze(out_.view, dim_++);
        return;
      case Index::Kind::kBool:
        apply_bool(index.number() != 0);
        return;
      case Index::Kind::kTensor:
        apply_tensor(index.tensor(), position);
        return;
    }
  }

  // All of the tensor, or nothing, under a new dim.
  void apply_bool(bool on) {
    out_.view = functions::unsqueeze(out_.view, dim_);
    record(on ? Tensor::zeros({1}, DType::kLong) : Tensor::empty({0}, DType::kLong));
  }

  void apply_tensor(const Tensor& index, int64_t position) {
    if (index.dim() == 0 && is_integral(index.dtype(), true)) {
      if (is_mask(index)) {
        apply_bool(index.item().to_bool());
      } else {
        out_.view = select_one(out_.view, dim_, index.item().to_int(), position);
      }
      return;
    }
    record(index);
  }

  void record(Tensor index) {
    out_.left.resize(static_cast<size_t>(dim_) + 1);
    out_.left[static_cast<size_t>(dim_++)] = std::move(index);
  }

  const Tensor& self_;
  int64_t used_;
  int64_t dim_ = 0;
  Applied out_;
};

// Values may have more dims than what they are written to, if these are of size one.
Tensor without_leading_ones(const Tensor& values) {
  int64_t first = 0;
  while (first < values.dim() && values.size(first) == 1) ++first;
  return first == 0 ? values : functions::reshape(values, values.sizes().subspan(static_cast<size_t>(first)));
}

void assign(const Tensor& self, Span<Index> indices, const Tensor& values) {
  Applied applied = Applier(self, indices).done();
  const Tensor sliced = without_leading_ones(values);
  if (applied.left.empty()) {
    functions::copy_(applied.view, sliced);
  } else {
    functions::index_put_(applied.view, applied.left, sliced);
  }
}

}  // namespace

Tensor Tensor::index(Span<Index> indices) const {
  Applied applied = Applier(*this, indices).done();
  if (applied.left.empty()) return applied.view.is_same(*this) ? alias() : applied.view;
  return functions::index(applied.view, applied.left);
}
Tensor Tensor::index(std::initializer_list<Index> indices) const { return index(Span<Index>(indices)); }

Tensor Tensor::operator[](int64_t at) const { return select_one(*this, 0, at, 0); }
Tensor Tensor::operator[](const Tensor& at) const { return index({at}); }

Tensor Tensor::index_put_(std::initializer_list<Index> indices, const Tensor& values) const {
  assign(*this, indices, values);
  return *this;
}
Tensor Tensor::index_put_(std::initializer_list<Index> indices, const Scalar& value) const {
  // A float for a tensor of integers is cut off, as copy_ does it.
  assign(*this, indices, Tensor::scalar(value, is_quantized() ? DType::kFloat : dtype()));
  return *this;
}

}  // namespace wick
