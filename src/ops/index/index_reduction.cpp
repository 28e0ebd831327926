// Reductions that scatter_reduce and index_reduce share.
#include "ops/index/index_reduction.h"

#include <cmath>
#include <limits>

#include "core/copy.h"
#include "ops/dtype_switch.h"
#include "ops/shape/item_copy.h"

namespace wick::ops {

std::optional<IndexReduction> index_reduction(std::string_view name) {
  if (name == "sum") return IndexReduction::kSum;
  if (name == "prod") return IndexReduction::kProd;
  if (name == "mean") return IndexReduction::kMean;
  if (name == "amax") return IndexReduction::kMax;
  if (name == "amin") return IndexReduction::kMin;
  return std::nullopt;
}

namespace {

// What a reduction starts from where self is not included.
Tensor start_value(IndexReduction kind, DType dtype, const char* op_name) {
  if (kind == IndexReduction::kSum || kind == IndexReduction::kMean) return Tensor::scalar(0, dtype);
  if (kind == IndexReduction::kProd) return Tensor::scalar(1, dtype);
  const bool lowest = kind == IndexReduction::kMax;
  if (is_floating(dtype)) {
    return Tensor::scalar(lowest ? -INFINITY : INFINITY, dtype);
  }
  Tensor out = Tensor::empty({}, dtype);
  for_real_dtype(dtype, op_name, [&]<class T>(T) {
    using L = std::numeric_limits<T>;
    store_item<T>(static_cast<char*>(out.raw_data()), lowest ? L::lowest() : L::max());
  });
  return out;
}

template <class T>
void divide_run(char* dst, int64_t ds, const char* counts, int64_t cs, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    const int64_t count = load_item<int64_t>(counts + i * cs);
    if (count <= 1) continue;
    const T v = load_item<T>(dst + i * ds);
    if constexpr (std::is_integral_v<T>) {
      const int64_t wide = static_cast<int64_t>(v);
      store_item(dst + i * ds, static_cast<T>(wide / count - (wide % count < 0)));
    } else {
      using C = typename ComputeType<T>::type;
      if constexpr (std::is_floating_point_v<C>) {
        store_item(dst + i * ds, static_cast<T>(static_cast<C>(v) / static_cast<C>(count)));
      } else {
        store_item(dst + i * ds, v / T(static_cast<typename T::value_type>(count)));
      }
    }
  }
}

}  // namespace

void reduce_at(IndexReduction kind, const Tensor& target, bool include_self, const char* op_name,
               const std::function<void(const Tensor& into, const Tensor* values, Combine op)>& visit) {
  if (!include_self) {
    const Tensor start = start_value(kind, target.dtype(), op_name);
    visit(target, &start, Combine::kAssign);
  }
  switch (kind) {
    case IndexReduction::kSum:
    case IndexReduction::kMean:
      visit(target, nullptr, Combine::kAdd);
      break;
    case IndexReduction::kProd:
      visit(target, nullptr, Combine::kMul);
      break;
    case IndexReduction::kMax:
      visit(target, nullptr, Combine::kMax);
      break;
    case IndexReduction::kMin:
      visit(target, nullptr, Combine::kMin);
      break;
  }
  if (kind != IndexReduction::kMean) return;
  const Tensor counts = Tensor::empty(target.sizes(), DType::kLong);
  fill(counts, include_self ? 1 : 0);
  const Tensor one = Tensor::scalar(1, DType::kLong);
  visit(counts, &one, Combine::kAdd);
  for_dtype(target.dtype(), op_name, [&]<class T>(T) {
    StridedLoop(target.sizes()).add(target).add(counts).run([](char* const* p, const int64_t* s, int64_t n) {
      divide_run<T>(p[0], s[0], p[1], s[1], n);
    });
  });
}

}  // namespace wick::ops
