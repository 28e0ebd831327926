// Runs a pooling kernel on a tensor: layouts, dtypes, output sizes.
#include "ops/conv/pool_run.h"

#include "core/check.h"
#include "core/copy.h"
#include "core/limits.h"
#include "core/selection.h"
#include "core/shape.h"
#include "core/shapes_only.h"
#include "ops/workers.h"

namespace wick::ops {
namespace {

// The pool of a tensor in a given layout. self: [batch?, channels, spatial...].
kernels::Pool pool_of(const Tensor& self, const Windows& windows, bool channels_last) {
  kernels::Pool pool;
  const size_t dims = windows.dims.size();
  const bool batched = static_cast<size_t>(self.dim()) == dims + 2;
  pool.batch = batched ? self.size(0) : 1;
  pool.channels = self.size(batched ? 1 : 0);
  pool.channels_last = channels_last;
  for (kernels::PoolDim& dim : pool.dim) dim = kernels::kWholeDim;
  for (size_t i = 0; i < dims; ++i) {
    kernels::PoolDim& dim = pool.dim[3 - dims + i];
    dim.windows = windows.dims[i].data();
    dim.out = static_cast<int64_t>(windows.dims[i].size());
    dim.in = self.sizes()[self.sizes().size() - dims + i];
    dim.step = windows.step[i];
  }
  return pool;
}

IntVec out_sizes(const Tensor& self, const Windows& windows) {
  IntVec sizes = self.sizes().subspan(0, self.sizes().size() - windows.dims.size());
  for (const int64_t s : windows.out_sizes()) sizes.push_back(s);
  return sizes;
}

bool is_last(const Tensor& self, bool keep) {
  return keep && self.dim() == 4 && self.suggest_memory_format() == MemoryFormat::kChannelsLast;
}

double operations(const kernels::Pool& pool) {
  double n = static_cast<double>(pool.batch * pool.channels);
  for (const kernels::PoolDim& dim : pool.dim) n *= static_cast<double>(std::max(dim.in, dim.out));
  return n;
}

// The dtype computed in, or a refusal.
DType compute_dtype(DType t, const char* op, bool takes_long) {
  if (t == DType::kHalf || t == DType::kBFloat16) return DType::kFloat;
  check_dtype(t == DType::kFloat || t == DType::kDouble || (takes_long && t == DType::kLong), op, t);
  return t;
}

template <class T>
void max_of(const kernels::Pool& pool, const Tensor& x, const Tensor& y, int64_t* indices) {
  kernels::max_pool<T>(pool, x.data_ptr<T>(), y.data_ptr<T>(), indices, workers_for(operations(pool)));
}
template <class T>
void avg_of(const kernels::Pool& pool, const Tensor& x, const Tensor& y, int64_t divisor) {
  kernels::avg_pool<T>(pool, x.data_ptr<T>(), y.data_ptr<T>(), divisor, workers_for(operations(pool)));
}

// Calls run(x, y, pool) with x laid out as the result is, both of the computing dtype.
template <class F>
Tensor pooled(const Tensor& self, const Windows& windows, bool keep, DType compute, F&& run) {
  const MemoryFormat format = is_last(self, keep) ? MemoryFormat::kChannelsLast : MemoryFormat::kContiguous;
  const Tensor y = Tensor::empty(out_sizes(self, windows), compute, format);
  if (y.numel() > 0 && !only_shapes()) {
    const Tensor x = contiguous(to_dtype(self, compute), format);
    run(x, y, pool_of(self, windows, format == MemoryFormat::kChannelsLast));
  }
  return to_dtype(y, self.dtype());
}

}  // namespace

Tensor run_max_pool(const Tensor& self, const Windows& windows, bool keep_channels_last, const char* op,
                    bool takes_integers) {
  if (takes_integers && is_integral(self.dtype(), false)) {
    return std::get<0>(run_max_pool_indices(self, windows, keep_channels_last, op, true));
  }
  const DType compute = compute_dtype(self.dtype(), op, false);
  return pooled(self, windows, keep_channels_last, compute,
                [&](const Tensor& x, const Tensor& y, const kernels::Pool& pool) {
                  if (compute == DType::kFloat) return max_of<float>(pool, x, y, nullptr);
                  max_of<double>(pool, x, y, nullptr);
                });
}

TensorPair run_max_pool_indices(const Tensor& self, const Windows& windows, bool keep_channels_last, const char* op,
                                bool takes_integers) {
  const bool is_integer = takes_integers && is_integral(self.dtype(), false);
  const DType compute = is_integer ? DType::kLong : compute_dtype(self.dtype(), op, false);
  const MemoryFormat format =
      is_last(self, keep_channels_last) ? MemoryFormat::kChannelsLast : MemoryFormat::kContiguous;
  const Tensor indices = Tensor::empty(out_sizes(self, windows), DType::kLong, format);
  const Tensor values = pooled(self, windows, keep_channels_last, compute,
                               [&](const Tensor& x, const Tensor& y, const kernels::Pool& pool) {
                                 int64_t* at = indices.data_ptr<int64_t>();
                                 if (compute == DType::kLong) return max_of<int64_t>(pool, x, y, at);
                                 if (compute == DType::kFloat) return max_of<float>(pool, x, y, at);
                                 max_of<double>(pool, x, y, at);
                               });
  return {values, indices};
}

Tensor run_avg_pool(const Tensor& self, const Windows& windows, int64_t divisor, bool keep_channels_last,
                    const char* op, bool takes_long) {
  const DType compute = compute_dtype(self.dtype(), op, takes_long);
  return pooled(self, windows, keep_channels_last, compute,
                [&](const Tensor& x, const Tensor& y, const kernels::Pool& pool) {
                  if (compute == DType::kFloat) return avg_of<float>(pool, x, y, divisor);
                  if (selects_dtype(DType::kDouble) && compute == DType::kDouble) {
                    return avg_of<double>(pool, x, y, divisor);
                  }
                  if (build::kIntegers && compute == DType::kLong) return avg_of<int64_t>(pool, x, y, divisor);
                  refuse_dtype(op, compute);
                });
}

Tensor with_dim(const Tensor& t, int64_t at) {
  IntVec sizes = t.sizes(), strides = t.strides();
  sizes.insert(static_cast<size_t>(at), 1);
  strides.insert(static_cast<size_t>(at), at < t.dim() ? t.size(at) * t.stride(at) : 1);
  return t.as_strided(sizes, strides, t.storage_offset());
}

Tensor without_dim(const Tensor& t, int64_t at) {
  IntVec sizes = t.sizes(), strides = t.strides();
  sizes.erase(static_cast<size_t>(at));
  strides.erase(static_cast<size_t>(at));
  return t.as_strided(sizes, strides, t.storage_offset());
}

void check_pool_extents(const Tensor& self) {
  for (const int64_t s : self.sizes())
    WICK_CHECK(s <= limits::kMaxImageExtent, kLimitExceeded, "pooling: input of size ", self.sizes(), " is too large");
}

}  // namespace wick::ops
