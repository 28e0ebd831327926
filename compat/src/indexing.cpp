// Tensor::index and index_put_ with slices, None, "...", integers, booleans and tensors, as Python's x[...] and
// x[...] = v.
#include <cstring>

#include "bridge.h"
#include "wick/functions.h"

namespace at {
using namespace wick_compat;
namespace indexing {

const EllipsisIndexType Ellipsis{};

Slice::Slice(c10::optional<int64_t> start, c10::optional<int64_t> stop, c10::optional<int64_t> step)
    : step_(step.value_or(1)) {
  TORCH_CHECK_VALUE(step_ != 0, "slice step cannot be zero");
  start_ = start.value_or(step_ < 0 ? INDEX_MAX : 0);
  stop_ = stop.value_or(step_ < 0 ? INDEX_MIN : INDEX_MAX);
}

TensorIndex::TensorIndex(const char* text) : type_(TensorIndexType::Ellipsis) {
  TORCH_CHECK_VALUE(std::strcmp(text, "...") == 0, "Expected \"...\" to represent an ellipsis index, but got \"", text,
                    "\"");
}

std::ostream& operator<<(std::ostream& out, const Slice& s) {
  return out << s.start() << ":" << s.stop() << ":" << s.step();
}
std::ostream& operator<<(std::ostream& out, const TensorIndex& i) {
  if (i.is_none()) return out << "None";
  if (i.is_ellipsis()) return out << "...";
  if (i.is_integer()) return out << i.integer();
  if (i.is_boolean()) return out << std::boolalpha << i.boolean();
  if (i.is_slice()) return out << i.slice();
  return out << i.tensor();
}
std::ostream& operator<<(std::ostream& out, const std::vector<TensorIndex>& indices) {
  out << "(";
  for (size_t i = 0; i < indices.size(); ++i) out << (i ? ", " : "") << indices[i];
  return out << ")";
}

namespace {

// Dimensions that the indices take up.
int64_t specified_dims(ArrayRef<TensorIndex> indices) {
  int64_t count = 0;
  for (const TensorIndex& i : indices) {
    if (i.is_tensor()) {
      const bool is_mask = i.tensor().scalar_type() == kByte || i.tensor().scalar_type() == kBool;
      count += is_mask ? i.tensor().dim() : 1;
    } else if (!i.is_none() && !i.is_ellipsis() && !i.is_boolean()) {
      ++count;
    }
  }
  return count;
}

Tensor select_at(const Tensor& self, int64_t dim, int64_t real_dim, int64_t index) {
  TORCH_CHECK_INDEX(self.dim() > 0, "invalid index of a 0-dim tensor. ",
                    "Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim tensor to a number");
  const int64_t size = self.size(dim);
  TORCH_CHECK_INDEX(index >= -size && index < size, "index ", index, " is out of bounds for dimension ", real_dim,
                    " with size ", size);
  return self.select(dim, index);
}

// What an index list makes of a tensor: a view, and the tensors that index it.
struct Applied {
  Tensor view;
  std::vector<c10::optional<Tensor>> tensors;  // by dimension of the view
};

void put_tensor(Applied& applied, int64_t dim, Tensor index) {
  if (static_cast<int64_t>(applied.tensors.size()) <= dim) applied.tensors.resize(static_cast<size_t>(dim + 1));
  applied.tensors[static_cast<size_t>(dim)] = std::move(index);
}

void add_boolean(Applied& applied, int64_t dim, bool value) {
  applied.view = applied.view.unsqueeze(dim);
  put_tensor(applied, dim, value ? at::zeros({1}, TensorOptions(kLong)) : at::empty({0}, TensorOptions(kLong)));
}

Applied apply(const Tensor& self, ArrayRef<TensorIndex> indices) {
  const int64_t taken = specified_dims(indices);
  const bool is_select = indices.size() == 1 && indices[0].is_integer();  // has its own text for tensors without dims
  TORCH_CHECK_INDEX(is_select || taken <= self.dim(), "too many indices for tensor of dimension ", self.dim());
  Applied applied{self, {}};
  int64_t dim = 0;
  int64_t real_dim = 0;
  for (const TensorIndex& i : indices) {
    if (i.is_integer()) {
      applied.view = select_at(applied.view, dim, real_dim++, i.integer());
    } else if (i.is_slice()) {
      const Slice& s = i.slice();
      TORCH_CHECK_VALUE(s.step() > 0, "step must be greater than zero");
      const int64_t size = applied.view.size(dim);
      if (!(s.start() == 0 && s.stop() >= size && s.step() == 1)) {
        applied.view = applied.view.slice(dim, s.start(), s.stop(), s.step());
      }
      ++dim, ++real_dim;
    } else if (i.is_ellipsis()) {
      dim += self.dim() - taken;
      real_dim += self.dim() - taken;
    } else if (i.is_none()) {
      applied.view = applied.view.unsqueeze(dim++);
    } else if (i.is_boolean()) {
      add_boolean(applied, dim++, i.boolean());
    } else {
      const Tensor& t = i.tensor();
      const bool is_mask = t.scalar_type() == kByte || t.scalar_type() == kBool;
      if (t.dim() == 0 && isIntegralType(t.scalar_type(), true)) {
        if (is_mask) {
          add_boolean(applied, dim++, t.item().toBool());
        } else {
          applied.view = select_at(applied.view, dim, real_dim++, t.item().toLong());
        }
      } else {
        put_tensor(applied, dim, t);
        dim += is_mask ? t.dim() : 1;  // a mask is as many index tensors as it has dimensions
        if (is_mask) {
          applied.tensors.resize(std::max(applied.tensors.size(), static_cast<size_t>(dim - t.dim() + 1)));
        }
        real_dim += is_mask ? t.dim() : 1;
      }
    }
  }
  return applied;
}

}  // namespace
}  // namespace indexing

namespace {

// The optional tensors of a list, as Wick takes them: a mask of n dimensions stands for n of them.
std::vector<std::optional<wick::Tensor>> index_tensors(const std::vector<c10::optional<Tensor>>& list) {
  std::vector<std::optional<wick::Tensor>> out;
  size_t skip = 0;
  for (const c10::optional<Tensor>& t : list) {
    if (!t && skip > 0) {
      --skip;
      continue;
    }
    skip = 0;
    if (t && t->defined()) {
      if (t->scalar_type() == kByte) {
        TORCH_WARN("indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.");
      }
      out.push_back(w(*t));
      const bool is_mask = t->scalar_type() == kByte || t->scalar_type() == kBool;
      skip = is_mask && t->dim() > 0 ? static_cast<size_t>(t->dim() - 1) : 0;
    } else {
      out.push_back(std::nullopt);
    }
  }
  return out;
}

Tensor without_leading_ones(const Tensor& t, int64_t dims) {
  int64_t first = 0;
  while (t.dim() - first > dims && first < t.dim() && t.size(first) == 1) ++first;
  return first ? t.view(t.sizes().slice(static_cast<size_t>(first))) : t;
}

}  // namespace

Tensor Tensor::index(ArrayRef<indexing::TensorIndex> indices) const {
  TORCH_CHECK_INDEX(!indices.empty(), "Passing an empty index list to Tensor::index() is not valid syntax");
  indexing::Applied applied = indexing::apply(*this, indices);
  if (applied.tensors.empty()) return applied.view.is_same(*this) ? variable_data() : applied.view;
  try {
    return a(wick::functions::index(w(applied.view), index_tensors(applied.tensors)));
  } catch (...) {
    rethrow();
  }
}
Tensor Tensor::index(std::initializer_list<indexing::TensorIndex> indices) const {
  return index(ArrayRef<indexing::TensorIndex>(indices));
}

Tensor& Tensor::index_put_(ArrayRef<indexing::TensorIndex> indices, const Tensor& values) {
  TORCH_CHECK_INDEX(!indices.empty(), "Passing an empty index list to Tensor::index_put_() is not valid syntax");
  indexing::Applied applied = indexing::apply(*this, indices);
  const Tensor source = without_leading_ones(values, applied.view.dim());
  if (applied.tensors.empty()) {
    applied.view.copy_(source);
    return *this;
  }
  try {
    wick::functions::index_put_(w(applied.view), index_tensors(applied.tensors), w(source));
    return *this;
  } catch (...) {
    rethrow();
  }
}
Tensor& Tensor::index_put_(std::initializer_list<indexing::TensorIndex> indices, const Tensor& values) {
  return index_put_(ArrayRef<indexing::TensorIndex>(indices), values);
}
Tensor& Tensor::index_put_(ArrayRef<indexing::TensorIndex> indices, const Scalar& value) {
  return index_put_(indices, at::full({}, value, TensorOptions(scalar_type())));
}
Tensor& Tensor::index_put_(std::initializer_list<indexing::TensorIndex> indices, const Scalar& value) {
  return index_put_(ArrayRef<indexing::TensorIndex>(indices), value);
}
Tensor Tensor::index(const List<optional<Tensor>>& indices) const { return at::index(*this, indices); }
Tensor& Tensor::index_put_(const List<optional<Tensor>>& indices, const Tensor& values, bool accumulate) const {
  return at::index_put_(const_cast<Tensor&>(*this), indices, values, accumulate);
}
Tensor Tensor::index_put(const List<optional<Tensor>>& indices, const Tensor& values, bool accumulate) const {
  return at::index_put(*this, indices, values, accumulate);
}
Tensor& index_put_(Tensor& self, const c10::List<c10::optional<Tensor>>& indices, const Tensor& values,
                   bool accumulate) {
  try {
    wick::functions::index_put_(w(self), w(indices), w(values), accumulate);
    return self;
  } catch (...) {
    rethrow();
  }
}

}  // namespace at
