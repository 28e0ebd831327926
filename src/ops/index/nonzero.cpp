// nonzero and its variants.
#include <algorithm>
#include <cstring>
#include <vector>

#include "core/copy.h"
#include "ops/dtype_switch.h"
#include "ops/index/index.h"
#include "ops/shape/item_copy.h"
#include "ops/shape/view.h"

namespace wick::ops {

namespace {

template <class T>
bool is_nonzero(const char* p) {
  const T v = load_item<T>(p);
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    return (v.bits & 0x7fff) != 0;
  } else {
    return v != T(0);
  }
}

// Calls visit(position) for each true element, positions counted in row-major order.
template <class Visit>
void for_each_nonzero(const Tensor& self, Visit&& visit) {
  for_dtype(self.dtype(), "nonzero", [&]<class T>(T) {
    int64_t first = 0;
    StridedLoop(self.sizes()).add(self).run([&](char* const* p, const int64_t* s, int64_t n) {
      int64_t i = 0;
      // Masks are mostly false: eight elements at a time.
      for (; sizeof(T) == 1 && s[0] == 1 && i + 8 <= n; i += 8) {
        uint64_t eight = 0;
        std::memcpy(&eight, p[0] + i, sizeof eight);
        if (eight == 0) continue;
        for (int64_t k = i; k < i + 8; ++k) {
          if (is_nonzero<T>(p[0] + k)) visit(first + k);
        }
      }
      for (; i < n; ++i) {
        if (is_nonzero<T>(p[0] + i * s[0])) visit(first + i);
      }
      first += n;
    });
  });
}

}  // namespace

Tensor nonzero(const Tensor& self) {
  // An expanded tensor may have more of them than there is memory for.
  MemoryCharge charge;
  std::vector<int64_t> found;
  for_each_nonzero(self, [&](int64_t at) {
    if (found.size() == found.capacity()) {
      const size_t capacity = std::max<size_t>(2 * found.size(), 64);
      charge.set((found.size() + capacity) * sizeof(int64_t));
      found.reserve(capacity);
    }
    found.push_back(at);
  });
  const int64_t n = static_cast<int64_t>(found.size()), rank = self.dim();
  // One column after the other, as PyTorch lays out its result.
  Tensor out = Tensor::empty_strided({n, rank}, {1, std::max<int64_t>(n, 1)}, DType::kLong);
  int64_t* column = out.data_ptr<int64_t>();
  // Positions ascend: a coordinate carries over to the one before it only where a line ends.
  IntVec at(static_cast<size_t>(rank), 0);
  const IntSpan sizes = self.sizes();
  for (int64_t i = 0, last = 0; i < n && rank > 0; last = found[i++]) {
    at[rank - 1] += found[i] - last;
    for (int64_t d = rank - 1; d > 0 && at[d] >= sizes[d]; --d) {
      at[d - 1] += at[d] / sizes[d];
      at[d] %= sizes[d];
    }
    for (int64_t d = 0; d < rank; ++d) column[d * n + i] = at[d];
  }
  return out;
}

Tensor nonzero_static(const Tensor& self, int64_t size, int64_t fill_value) {
  WICK_CHECK(size >= 0, kInvalidArgument, "nonzero_static: 'size' must be an non-negative integer");
  const Tensor out = Tensor::empty({size, self.dim()}, DType::kLong);
  fill(out, fill_value);
  const Tensor all = nonzero(self);
  const int64_t n = std::min(size, all.size(0));
  copy_into(narrow(out, 0, 0, n), narrow(all, 0, 0, n));
  return out;
}

TensorList nonzero_numpy(const Tensor& self) { return unbind(nonzero(self.dim() == 0 ? unsqueeze(self, 0) : self), 1); }

}  // namespace wick::ops
