// Advanced indexing: aten::index, aten::index_put.
#include "core/budget.h"
#include "core/copy.h"
#include "core/shape.h"
#include "core/shapes_only.h"
#include "core/tensor_impl.h"
#include "ops/index/combine.h"
#include "ops/index/index.h"
#include "ops/pointwise/pointwise.h"
#include "ops/quantize/layers.h"
#include "ops/quantize/quantize.h"
#include "ops/shape/channels.h"
#include "ops/shape/copy_ops.h"
#include "ops/shape/item_copy.h"
#include "ops/shape/layout.h"
#include "ops/shape/view.h"
#include "ops/stoppable.h"
#include "wick/memory_charge.h"

namespace wick::ops {

namespace {

// One index tensor per dimension it indexes; masks become the indices of their true elements.
OptTensorList expand_masks(const Tensor& self, const OptTensorList& indices) {
  OptTensorList out;
  for (const OptTensor& entry : indices) {
    if (!entry) {
      out.emplace_back();
      continue;
    }
    const DType dtype = entry->dtype();
    if (dtype == DType::kLong) {
      out.push_back(*entry);
    } else if (dtype == DType::kInt) {
      out.push_back(to_dtype(*entry, DType::kLong));
    } else if (dtype == DType::kBool || dtype == DType::kByte) {
      for (int64_t d = 0; d < entry->dim(); ++d) {
        const int64_t at = static_cast<int64_t>(out.size()) + d;
        WICK_CHECK(at < self.dim() && entry->sizes()[d] == self.sizes()[at], kIndexOutOfRange, "The shape of the mask ",
                   entry->sizes(), " at index ", d, " does not match the shape of the indexed tensor ", self.sizes(),
                   " at index ", at);
      }
      const Tensor where = nonzero(*entry);
      for (int64_t d = 0; d < entry->dim(); ++d) out.push_back(select(where, 1, d));
    } else {
      fail_with<ErrorCode::kIndexOutOfRange>("tensors used as indices must be long, byte or bool tensors");
    }
  }
  return out;
}

// How an indexing reads its source: dims before the indexed ones, the shape of the indices, dims after.
struct Plan {
  Tensor source;                 // self with the indexed dims together
  IntVec before, block, after;   // sizes
  int64_t indexed = 0;           // number of indexed dims of source, which start at before.size()
  TensorList indices;            // broadcast to `block`
  std::vector<int64_t> offsets;  // bytes into source, one for each element of `block`

  IntVec result_sizes() const {
    IntVec sizes(before);
    for (int64_t s : block) sizes.push_back(s);
    for (int64_t s : after) sizes.push_back(s);
    return sizes;
  }
  // Strides in bytes of source seen with the result's sizes; the indexed block stands still.
  IntVec source_strides() const {
    IntVec strides;
    const int64_t item = static_cast<int64_t>(source.itemsize());
    for (size_t d = 0; d < before.size(); ++d) strides.push_back(source.strides()[d] * item);
    for (size_t d = 0; d < block.size(); ++d) strides.push_back(0);
    for (size_t d = before.size() + indexed; d < source.sizes().size(); ++d) {
      strides.push_back(source.strides()[d] * item);
    }
    return strides;
  }
};

void compute_offsets(Plan& plan) {
  const int64_t n = checked_numel(plan.block);
  // Of these and of those into the other tensor, which walk() makes: indices may repeat one element.
  const MemoryCharge room(static_cast<uint64_t>(n) * 2 * sizeof(int64_t));
  plan.offsets.assign(static_cast<size_t>(n), 0);
  const int64_t item = static_cast<int64_t>(plan.source.itemsize());
  for (int64_t k = 0; k < plan.indexed; ++k) {
    const int64_t dim = static_cast<int64_t>(plan.before.size()) + k;
    const int64_t size = plan.source.sizes()[dim], stride = wrapping_mul(plan.source.strides()[dim], item);
    const Tensor dense = wick::contiguous(plan.indices[k]);
    const int64_t* index = dense.data_ptr<int64_t>();
    for (int64_t i = 0; i < n; ++i) {
      check_budget_at(i);
      const int64_t at = index[i];
      WICK_CHECK(at >= -size && at < size, kIndexOutOfRange, "index ", at, " is out of bounds for dimension ", k,
                 " with size ", size);
      plan.offsets[i] = wrapping_add(plan.offsets[i], wrapping_mul(at < 0 ? at + size : at, stride));
    }
  }
}

Plan make_plan(const Tensor& self, const OptTensorList& given) {
  WICK_CHECK(static_cast<int64_t>(given.size()) <= self.dim(), kIndexOutOfRange,
             "too many indices for tensor of dimension ", self.dim(), " (got ", given.size(), ")");
  OptTensorList indices = expand_masks(self, given);
  WICK_CHECK(static_cast<int64_t>(indices.size()) <= self.dim(), kIndexOutOfRange,
             "too many indices for tensor of dimension ", self.dim(), " (got ", indices.size(), ")");
  indices.resize(self.dim());
  Plan plan;
  IntVec indexed, others;
  for (int64_t d = 0; d < self.dim(); ++d) (indices[d] ? indexed : others).push_back(d);
  bool broadcasts = true;
  for (int64_t d : indexed) {
    const IntSpan sizes = indices[d]->sizes();
    const size_t rank = std::max(sizes.size(), plan.block.size());
    IntVec merged(rank);
    for (size_t i = 0; i < rank; ++i) {
      const int64_t a = i < plan.block.size() ? plan.block[plan.block.size() - 1 - i] : 1;
      const int64_t b = i < sizes.size() ? sizes[sizes.size() - 1 - i] : 1;
      broadcasts = broadcasts && (a == b || a == 1 || b == 1);
      merged[rank - 1 - i] = a == 1 ? b : a;
    }
    plan.block = merged;
  }
  if (!broadcasts) {
    std::string shapes;
    for (int64_t d : indexed) shapes += cat(shapes.empty() ? "" : ", ", indices[d]->sizes());
    fail_with<ErrorCode::kIndexOutOfRange>(
        "shape mismatch: indexing tensors could not be broadcast together with shapes ", shapes);
  }
  const bool adjacent = indexed.empty() || indexed.back() - indexed.front() + 1 == static_cast<int64_t>(indexed.size());
  IntVec order;
  const size_t lead = adjacent && !indexed.empty() ? static_cast<size_t>(indexed.front()) : 0;
  for (size_t i = 0; i < lead; ++i) order.push_back(others[i]);
  for (int64_t d : indexed) order.push_back(d);
  for (size_t i = lead; i < others.size(); ++i) order.push_back(others[i]);
  plan.source = permute(self, order);
  plan.indexed = static_cast<int64_t>(indexed.size());
  plan.before = IntVec(plan.source.sizes().subspan(0, lead));
  plan.after = IntVec(plan.source.sizes().subspan(lead + indexed.size()));
  for (int64_t d : indexed) plan.indices.push_back(wick::expand(*indices[d], plan.block));
  const bool no_elements = checked_numel(plan.block) == 0;
  if (!no_elements) {
    for (int64_t d : indexed) {
      WICK_CHECK(self.sizes()[d] != 0, kIndexOutOfRange, "index is out of bounds for dimension with size 0");
    }
  }
  if (!only_shapes()) compute_offsets(plan);
  return plan;
}

// Calls body(source pointer, other pointer, source stride, other stride, n) for each run along the dims that are not
// indexed, `other` being a tensor of the result's shape.
void walk(const Plan& plan, const Tensor& other,
          const std::function<void(char*, char*, int64_t, int64_t, int64_t)>& body) {
  const int64_t item = static_cast<int64_t>(other.itemsize());
  const size_t first = plan.before.size(), last = first + plan.block.size();
  const IntVec source_strides = plan.source_strides();
  IntVec other_block, other_rest, source_rest, rest;
  for (size_t d = 0; d < other.sizes().size(); ++d) {
    if (d >= first && d < last) {
      other_block.push_back(other.strides()[d] * item);
    } else {
      rest.push_back(other.sizes()[d]);
      other_rest.push_back(other.strides()[d] * item);
      source_rest.push_back(source_strides[d]);
    }
  }
  const int64_t n = static_cast<int64_t>(plan.offsets.size());
  // Bytes into `other` of each element of the block.
  std::vector<int64_t> other_offsets(plan.offsets.size());
  if (n > 0) {
    IntVec at(plan.block.size());
    int64_t offset = 0;
    for (int64_t i = 0; i < n; ++i) {
      check_budget_at(i);
      other_offsets[i] = offset;
      for (size_t d = at.size(); d-- > 0;) {
        offset += other_block[d];
        if (++at[d] < plan.block[d]) break;
        offset -= other_block[d] * plan.block[d];
        at[d] = 0;
      }
    }
  }
  char* source = static_cast<char*>(plan.source.raw_data());
  char* target = static_cast<char*>(other.raw_data());
  const int64_t rest_numel = checked_numel(rest);
  if (n == 0 || rest_numel == 0) return;
  // Usually the rest is one run, and the block the outer loop; else the block is walked for each run of the rest.
  StepCounter steps;
  StridedLoop(rest)
      .add(source, source_rest)
      .add(target, other_rest)
      .run([&](char* const* p, const int64_t* s, int64_t count) {
        for (int64_t i = 0; i < n; ++i) {
          steps.count(count);
          body(p[0] + plan.offsets[i], p[1] + other_offsets[i], s[0], s[1], count);
        }
      });
}

// Without dims left over the whole indexing is one gather of elements.
void gather_items(const Plan& plan, char* out) {
  const char* source = static_cast<const char*>(plan.source.raw_data());
  with_item_type(plan.source.itemsize(), [&]<class T>(T) {
    for (size_t i = 0; i < plan.offsets.size(); ++i)
      std::memcpy(out + i * sizeof(T), source + plan.offsets[i], sizeof(T));
  });
}

void put_into(const Tensor& self, const OptTensorList& indices, const Tensor& values, bool accumulate) {
  WICK_CHECK(self.dtype() == values.dtype(), kTypeMismatch,
             "Index put requires the source and destination dtypes match, got ", name_of(self.dtype()),
             " for the destination and ", name_of(values.dtype()), " for the source.");
  const Plan plan = make_plan(self, indices);
  const IntVec sizes = plan.result_sizes();
  Tensor source = values;
  bool fits = source.dim() <= static_cast<int64_t>(sizes.size());
  for (int64_t d = 0; fits && d < source.dim(); ++d) {
    const int64_t own = source.sizes()[source.dim() - 1 - d], want = sizes[sizes.size() - 1 - d];
    fits = own == want || own == 1;
  }
  WICK_CHECK(fits, kShapeMismatch, "shape mismatch: value tensor of shape ", values.sizes(),
             " cannot be broadcast to indexing result of shape ", sizes);
  if (only_shapes()) return;
  source = wick::expand(unaliased(source, self), sizes);
  const CombineFn combine = combine_fn(accumulate ? Combine::kAdd : Combine::kAssign, self.dtype(), "index_put");
  if (plan.before.empty() && plan.after.empty() && source.is_contiguous()) {
    combine.at(static_cast<char*>(plan.source.raw_data()), plan.offsets.data(),
               static_cast<const char*>(source.raw_data()), static_cast<int64_t>(source.itemsize()),
               static_cast<int64_t>(plan.offsets.size()));
    return;
  }
  walk(plan, source,
       [combine](char* dst, char* src, int64_t ds, int64_t ss, int64_t n) { combine(dst, ds, src, ss, n); });
}

// The mask that is the only index, in the place and with the dims that masked_fill wants; empty where there is another
// kind of index, or a mask that does not fit.
OptTensor only_mask(const Tensor& self, const OptTensorList& indices) {
  if (static_cast<int64_t>(indices.size()) > self.dim()) return std::nullopt;  // an error
  OptTensor mask;
  int64_t covered = 0;
  for (const OptTensor& entry : indices) {
    if (!entry) {
      ++covered;
      continue;
    }
    if (mask || (entry->dtype() != DType::kBool && entry->dtype() != DType::kByte)) return std::nullopt;
    for (int64_t d = 0; d < entry->dim(); ++d, ++covered) {
      if (covered >= self.dim() || entry->size(d) != self.size(covered)) return std::nullopt;
    }
    mask = *entry;
  }
  if (!mask || covered > self.dim()) return std::nullopt;
  for (; covered < self.dim(); ++covered) mask = unsqueeze(*mask, -1);
  return mask;
}

OptTensorList as_optional(const TensorList& tensors) { return {tensors.begin(), tensors.end()}; }

}  // namespace

Tensor index(const Tensor& self, const OptTensorList& indices) {
  check_no_channels(self, "index");
  const Plan plan = make_plan(self, indices);
  const IntVec sizes = plan.result_sizes();
  // The result takes the order of dims of what is read, as any elementwise result does.
  std::vector<IntVec> operands{plan.source_strides()};
  for (const Tensor& t : plan.indices) {
    IntVec strides(sizes.size(), 0);
    for (size_t d = 0; d < plan.block.size(); ++d) strides[plan.before.size() + d] = t.strides()[d] * 8;
    operands.push_back(std::move(strides));
  }
  Tensor out = Tensor::empty_strided(sizes, elementwise_strides(sizes, operands), self.dtype());
  out.impl()->quantizer = self.impl()->quantizer;
  if (only_shapes()) return out;
  if (plan.before.empty() && plan.after.empty() && out.is_contiguous()) {
    gather_items(plan, static_cast<char*>(out.raw_data()));
    return out;
  }
  const CombineFn move = combine_fn(Combine::kAssign, self.dtype(), "index");
  walk(plan, out, [move](char* src, char* dst, int64_t ss, int64_t ds, int64_t n) { move(dst, ds, src, ss, n); });
  return out;
}

Tensor index_list(const Tensor& self, const TensorList& indices) { return index(self, as_optional(indices)); }

namespace {

// Floats that a quantized tensor is to hold, as its integers.
Tensor integers_for(const Tensor& self, const Tensor& values, bool accumulate) {
  WICK_CHECK(!accumulate, kUnsupported,
             "index_put for quantized tensors is currently only supported for accumulate=False");
  WICK_CHECK(!values.is_quantized(), kTypeMismatch, "Value argument for quantized input_put should not be quantized");
  return ints_of(quantize_per_tensor(contiguous(values), q_scale(self), q_zero_point(self), self.dtype()));
}

}  // namespace

Tensor index_put_inplace(const Tensor& self, const OptTensorList& indices, const Tensor& values, bool accumulate) {
  if (build::kQuantized && self.is_quantized()) {
    put_into(ints_of(self), indices, integers_for(self, values, accumulate), false);
    return self;
  }
  // One value where a mask says so may be of any dtype, unlike the values of other indices.
  if (!accumulate && values.numel() == 1) {
    if (const OptTensor mask = only_mask(self, indices)) return masked_fill_inplace(self, *mask, values.item());
  }
  put_into(self, indices, values, accumulate);
  return self;
}
Tensor index_put(const Tensor& self, const OptTensorList& indices, const Tensor& values, bool accumulate) {
  return index_put_inplace(wick::clone(self), indices, values, accumulate);
}
Tensor index_put_list(const Tensor& self, const TensorList& indices, const Tensor& values, bool accumulate) {
  return index_put(self, as_optional(indices), values, accumulate);
}
Tensor index_put_list_inplace(const Tensor& self, const TensorList& indices, const Tensor& values, bool accumulate) {
  return index_put_inplace(self, as_optional(indices), values, accumulate);
}
Tensor index_put_impl(const Tensor& self, const OptTensorList& indices, const Tensor& values, bool accumulate,
                      bool unsafe) {
  return index_put(self, indices, values, accumulate);
}
Tensor index_put_impl_inplace(const Tensor& self, const OptTensorList& indices, const Tensor& values, bool accumulate,
                              bool unsafe) {
  return index_put_inplace(self, indices, values, accumulate);
}
Tensor index_put_impl_list_inplace(const Tensor& self, const TensorList& indices, const Tensor& values, bool accumulate,
                                   bool unsafe) {
  return index_put_inplace(self, as_optional(indices), values, accumulate);
}

namespace {

OptTensorList masked_indices(const OptTensorList& indices, const Tensor& unused) {
  OptTensorList out;
  for (const OptTensor& i : indices) out.push_back(i && i->defined() ? OptTensor(masked_fill(*i, unused, 0)) : i);
  return out;
}

}  // namespace

Tensor masked_index(const Tensor& self, const Tensor& mask, const OptTensorList& indices, const Scalar& fill) {
  const Tensor unused = logical_not(mask);
  return masked_fill(index(self, masked_indices(indices, unused)), unused, fill);
}
Tensor masked_index_put_accumulate(const Tensor& self, const Tensor& mask, const OptTensorList& indices,
                                   const Tensor& values) {
  const Tensor unused = logical_not(mask);
  return index_put(self, masked_indices(indices, unused), masked_fill(values, unused, 0), true);
}

}  // namespace wick::ops
