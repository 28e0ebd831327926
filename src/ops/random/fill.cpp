// Fills tensors with drawn numbers in PyTorch's order.
#include "ops/random/fill.h"

#include "core/copy.h"
#include "ops/shape/item_copy.h"
#include "ops/shape/layout.h"
#include "ops/shape/view.h"

namespace wick::ops {

namespace {

constexpr int64_t kBuffer = 512;

// The dims of t from the outermost to the innermost in memory.
IntVec memory_order(const Tensor& t) {
  const std::vector<size_t> order = elementwise_order(t.sizes(), {IntVec(t.strides())});
  IntVec dims;
  for (size_t i = order.size(); i-- > 0;) dims.push_back(static_cast<int64_t>(order[i]));
  return dims;
}

template <class T>
void fill_converted(const Tensor& self, GeneratorImpl& generator, const std::function<void(T*, int64_t)>& draw) {
  const Tensor t = permute(self, memory_order(self));
  const DType dtype = self.dtype();
  std::lock_guard lock(generator.mutex);
  StridedLoop(t.sizes()).add(t).run([&](char* const* p, const int64_t* s, int64_t n) {
    if (dtype == DTypeOf<T>::value && s[0] == static_cast<int64_t>(sizeof(T))) {
      return draw(reinterpret_cast<T*>(p[0]), n);
    }
    T buffer[kBuffer];
    for (int64_t i = 0; i < n; i += kBuffer) {
      const int64_t count = std::min(kBuffer, n - i);
      draw(buffer, count);
      convert_elements(p[0] + i * s[0], s[0], dtype, buffer, sizeof(T), DTypeOf<T>::value, count);
    }
  });
}

}  // namespace

void fill_drawn(const Tensor& self, GeneratorImpl& generator, const std::function<void(double*, int64_t)>& draw) {
  fill_converted<double>(self, generator, draw);
}

void fill_drawn_floats(const Tensor& self, GeneratorImpl& generator, const std::function<void(float*, int64_t)>& draw) {
  fill_converted<float>(self, generator, draw);
}

void fill_drawn_ints(const Tensor& self, GeneratorImpl& generator, const std::function<void(int64_t*, int64_t)>& draw) {
  fill_converted<int64_t>(self, generator, draw);
}

Tensor map_drawn(const Tensor& self, GeneratorImpl& generator, const std::function<double(double)>& draw) {
  const Tensor out = wick::empty_like(self);
  const IntVec order = memory_order(out);
  const Tensor dst = permute(out, order), src = permute(self, order);
  const DType dtype = self.dtype();
  std::lock_guard lock(generator.mutex);
  StridedLoop(dst.sizes()).add(dst).add(src).run([&](char* const* p, const int64_t* s, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
      double v;
      convert_elements(&v, 8, DType::kDouble, p[1] + i * s[1], s[1], dtype, 1);
      v = draw(v);
      convert_elements(p[0] + i * s[0], s[0], dtype, &v, 8, DType::kDouble, 1);
    }
  });
  return out;
}

}  // namespace wick::ops
