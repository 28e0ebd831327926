// In-place random operators: uniform_, normal_, random_, bernoulli_ and the other distributions.
#include <cmath>
#include <limits>
#include <numbers>

#include "core/copy.h"
#include "core/shape.h"
#include "kernels/math.h"
#include "ops/dtype_switch.h"
#include "ops/random/distributions.h"
#include "ops/random/fill.h"
#include "ops/random/random.h"
#include "ops/shape/item_copy.h"
#include "ops/shape/view.h"

namespace wick::ops {

namespace {

// One number at a time from `draw`.
template <class Draw>
void fill_each(const Tensor& self, GeneratorImpl& g, const char* op, const Draw& draw) {
  check_dtype(is_floating(self.dtype()), op, self.dtype());
  fill_drawn(self, g, [&](double* out, int64_t n) {
    for (int64_t i = 0; i < n; ++i) out[i] = draw();
  });
}

}  // namespace

Tensor uniform_inplace(const Tensor& self, double from, double to, GeneratorArg generator) {
  if (is_complex(self.dtype())) {
    uniform_inplace(view_as_real(self), from, to, generator);
    return self;
  }
  for_float_dtype(self.dtype(), "check_uniform_bounds", [&]<class T>(T) {
    WICK_CHECK(from <= to, kInvalidArgument, "uniform_ expects to return a [from, to) range, but found from=", from,
               " > to=", to);
    const double most = std::is_same_v<T, double> ? std::numeric_limits<double>::max()
                        : std::is_same_v<T, Half> ? 65504.0
                                                  : static_cast<double>(std::numeric_limits<float>::max());
    WICK_CHECK(to - from <= most, kInvalidArgument, "uniform_ expects to-from <= std::numeric_limits<",
               name_of(self.dtype()), ">::max(), but found to=", to, " and from=", from,
               " which result in to-from to exceed the limit");
    GeneratorImpl& g = chosen(generator);
    const Wide<T> low = static_cast<Wide<T>>(T(static_cast<Wide<T>>(from)));
    const Wide<T> high = static_cast<Wide<T>>(T(static_cast<Wide<T>>(to)));
    const auto draw = [&](Wide<T>* out, int64_t n) {
      for (int64_t i = 0; i < n; ++i) out[i] = draw_uniform<T>(g, low, high);
    };
    if constexpr (std::is_same_v<T, double>) {
      fill_drawn(self, g, draw);
    } else {
      fill_drawn_floats(self, g, draw);
    }
  });
  return self;
}

namespace {

// Sixteen uniform numbers become sixteen normal ones: the first eight give the radius, the others the angle.
template <class T>
void make_normal_16(T* data, double mean, double std) {
  using W = Wide<T>;
  const W m = static_cast<W>(mean), s = static_cast<W>(std);
  for (int j = 0; j < 8; ++j) {
    const W u1 = static_cast<W>(T(1 - static_cast<W>(data[j]))), u2 = static_cast<W>(data[j + 8]);
    const W radius = static_cast<W>(T(std::sqrt(-2 * std::log(u1))));
    const W theta = static_cast<W>(T(static_cast<W>(2.0 * std::numbers::pi * u2)));
    data[j] = T(radius * std::cos(theta) * s + m);
    data[j + 8] = T(radius * std::sin(theta) * s + m);
  }
}

// The same for floats, many blocks at a time.
void make_normal_blocks(float* data, int64_t blocks, double mean, double std) {
  constexpr int64_t kBlocks = 32;
  const float m = static_cast<float>(mean), s = static_cast<float>(std);
  constexpr auto kTurn = 2.0 * std::numbers::pi;
  float radius[8 * kBlocks], theta[8 * kBlocks], cosine[8 * kBlocks], sine[8 * kBlocks];
  for (int64_t first = 0; first < blocks; first += kBlocks, data += 16 * kBlocks) {
    const int64_t count = std::min(kBlocks, blocks - first);
    for (int64_t i = 0; i < count; ++i) {
      for (int64_t j = 0; j < 8; ++j) {
        radius[8 * i + j] = 1.0f - data[16 * i + j];
        theta[8 * i + j] = static_cast<float>(kTurn * static_cast<double>(data[16 * i + j + 8]));
      }
    }
    const auto apply = [&](auto kernel, float* out, float* in) {
      void* const p[] = {out, in};
      kernel(p, 8 * count, nullptr);
    };
    apply(kernels::log_f32, radius, radius);
    for (int64_t i = 0; i < 8 * count; ++i) radius[i] *= -2.0f;
    apply(kernels::sqrt_f32, radius, radius);
    apply(kernels::cos_f32, cosine, theta);
    apply(kernels::sin_f32, sine, theta);
    for (int64_t i = 0; i < count; ++i) {
      for (int64_t j = 0; j < 8; ++j) {
        data[16 * i + j] = radius[8 * i + j] * cosine[8 * i + j] * s + m;
        data[16 * i + j + 8] = radius[8 * i + j] * sine[8 * i + j] * s + m;
      }
    }
  }
}

template <class T>
void fill_normal_blocks(T* data, int64_t n, double mean, double std, GeneratorImpl& g) {
  for (int64_t i = 0; i < n; ++i) data[i] = T(draw_uniform<T>(g));
  if constexpr (std::is_same_v<T, float>) {
    make_normal_blocks(data, n / 16, mean, std);
  } else {
    for (int64_t i = 0; i + 16 <= n; i += 16) make_normal_16(data + i, mean, std);
  }
  if (n % 16 != 0) {
    // The rest is the end of a block of sixteen fresh numbers.
    data += n - 16;
    for (int i = 0; i < 16; ++i) data[i] = T(draw_uniform<T>(g));
    make_normal_16(data, mean, std);
  }
}

}  // namespace

Tensor normal_inplace(const Tensor& self, double mean, double std, GeneratorArg generator) {
  WICK_CHECK(std >= 0, kInvalidArgument, "normal expects std >= 0.0, but found std ", std);
  if (is_complex(self.dtype())) {
    // Half of the variance each for the real and the imaginary parts.
    normal_inplace(view_as_real(self), mean, std / std::numbers::sqrt2, generator);
    return self;
  }
  GeneratorImpl& g = chosen(generator);
  for_float_dtype(self.dtype(), "normal_kernel_cpu", [&]<class T>(T) {
    if (self.numel() >= 16 && self.is_contiguous()) {
      std::lock_guard lock(g.mutex);
      fill_normal_blocks(static_cast<T*>(self.raw_data()), self.numel(), mean, std, g);
      return;
    }
    fill_each(self, g, "normal_kernel_cpu", [&] { return draw_normal(g, mean, std); });
  });
  return self;
}

namespace {

// Integers a dtype counts through without gaps: up to 2^digits for floats.
struct IntRange {
  const char* name;  // C++'s name of the type
  int64_t low, high;
  int64_t most;  // largest of random_() without bounds
};

IntRange int_range(DType dtype) {
  constexpr int64_t most64 = std::numeric_limits<int64_t>::max();
  switch (dtype) {
    case DType::kByte:
      return {"unsigned char", 0, 255, 255};
    case DType::kChar:
      return {"signed char", -128, 127, 127};
    case DType::kShort:
      return {"short", -32768, 32767, 32767};
    case DType::kInt:
      return {"int", INT32_MIN, INT32_MAX, INT32_MAX};
    case DType::kLong:
      return {"long", INT64_MIN, most64, most64};
    case DType::kBool:
      return {"bool", 0, 1, 1};
    case DType::kHalf:
      return {"c10::Half", -65504, 65504, int64_t{1} << 11};
    case DType::kBFloat16:
      return {"c10::BFloat16", INT64_MIN, most64, int64_t{1} << 8};
    case DType::kFloat:
      return {"float", INT64_MIN, most64, int64_t{1} << 24};
    case DType::kDouble:
      return {"double", INT64_MIN, most64, int64_t{1} << 53};
    default:
      fail_with<ErrorCode::kTypeMismatch>(
          "check_random_bounds handles only integral, floating-point and boolean types");
  }
}

// from + a number below `range`; a range of 0 stands for 2^64.
void fill_from(const Tensor& self, GeneratorImpl& g, uint64_t range, int64_t from) {
  fill_drawn_ints(self, g, [&](int64_t* out, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
      const uint64_t v = range == 0 ? g.random64() : (range >> 32 ? g.random64() : g.random()) % range;
      out[i] = static_cast<int64_t>(v + static_cast<uint64_t>(from));
    }
  });
}

}  // namespace

Tensor random_inplace(const Tensor& self, GeneratorArg generator) {
  const IntRange range = int_range(self.dtype());
  GeneratorImpl& g = chosen(generator);
  const bool wide = self.dtype() == DType::kLong || self.dtype() == DType::kDouble;
  fill_drawn_ints(self, g, [&](int64_t* out, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
      const uint64_t bits = wide ? g.random64() : g.random();
      out[i] = static_cast<int64_t>(bits % (static_cast<uint64_t>(range.most) + 1));
    }
  });
  return self;
}

Tensor random_from_inplace(const Tensor& self, int64_t from, std::optional<int64_t> to, GeneratorArg generator) {
  const IntRange range = int_range(self.dtype());
  GeneratorImpl& g = chosen(generator);
  if (to) {
    WICK_CHECK(from < *to, kInvalidArgument, "random_ expects 'from' to be less than 'to', but got from=", from,
               " >= to=", *to);
    WICK_CHECK(from >= range.low && from <= range.high, kInvalidArgument, "from is out of bounds for ", range.name);
    WICK_CHECK(*to - 1 >= range.low && *to - 1 <= range.high, kInvalidArgument, "to - 1 is out of bounds for ",
               range.name);
    fill_from(self, g, static_cast<uint64_t>(*to) - static_cast<uint64_t>(from), from);
  } else if (from != std::numeric_limits<int64_t>::lowest()) {
    const int64_t last = is_floating(self.dtype()) ? range.most : range.high;
    WICK_CHECK(from >= range.low && from <= range.high, kInvalidArgument, "from is out of bounds for ", range.name);
    WICK_CHECK(from <= last, kInvalidArgument,
               "random_ expects 'from' to be less than or equal to 'to_inc', but got from=", from, " > to_inc=", last);
    fill_from(self, g, static_cast<uint64_t>(last) - static_cast<uint64_t>(from) + 1, from);
  } else {
    WICK_CHECK(self.dtype() == DType::kLong || is_floating(self.dtype()), kInvalidArgument,
               "random_from_to_64_bits_distribution: from is out of bounds for ", range.name);
    fill_from(self, g, 0, 0);
  }
  return self;
}

Tensor random_to_inplace(const Tensor& self, int64_t to, GeneratorArg generator) {
  return random_from_inplace(self, 0, to, generator);
}

Tensor bernoulli_inplace(const Tensor& self, double p, GeneratorArg generator) {
  WICK_CHECK(p >= 0 && p <= 1, kInvalidArgument, "bernoulli_ expects p to be in [0, 1], but got p=", p);
  check_dtype(!is_complex(self.dtype()) && !is_quantized(self.dtype()), "bernoulli_scalar_cpu_", self.dtype());
  GeneratorImpl& g = chosen(generator);
  fill_drawn(self, g, [&](double* out, int64_t n) {
    for (int64_t i = 0; i < n; ++i) out[i] = draw_uniform<double>(g) < p;
  });
  return self;
}

Tensor bernoulli_tensor_inplace(const Tensor& self, const Tensor& p, GeneratorArg generator) {
  check_dtype(!is_complex(self.dtype()) && !is_quantized(self.dtype()), "bernoulli_tensor_cpu_self_", self.dtype());
  check_dtype(is_floating(p.dtype()), "bernoulli_tensor_cpu_p_", p.dtype());
  const Tensor chances = wick::contiguous(to_dtype(wick::expand(p, self.sizes()), DType::kDouble));
  GeneratorImpl& g = chosen(generator);
  const bool wide = p.dtype() == DType::kDouble;
  const DType dtype = self.dtype();
  const double* chance = chances.numel() ? chances.data_ptr<double>() : nullptr;
  for (int64_t i = 0, count = chances.numel(); i < count; ++i) {
    WICK_CHECK(chance[i] >= 0 && chance[i] <= 1, kInvalidArgument,
               "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message be improved?  If "
               "so, please report an enhancement request to PyTorch.)");
  }
  std::lock_guard lock(g.mutex);
  StridedLoop(self.sizes()).add(self).add(chances).run([&](char* const* out, const int64_t* s, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
      const double c = *reinterpret_cast<const double*>(out[1] + i * s[1]);
      const double hit = wide ? draw_uniform<double>(g) < c : draw_uniform<float>(g) < static_cast<float>(c);
      convert_elements(out[0] + i * s[0], s[0], dtype, &hit, 8, DType::kDouble, 1);
    }
  });
  return self;
}

Tensor exponential_inplace(const Tensor& self, double lambda, GeneratorArg generator) {
  WICK_CHECK(lambda >= 0, kInvalidArgument, "exponential_ expects lambda >= 0.0, but found lambda=", lambda);
  GeneratorImpl& g = chosen(generator);
  fill_each(self, g, "exponential_cpu", [&] { return draw_exponential(g, lambda); });
  return self;
}

Tensor geometric_inplace(const Tensor& self, double p, GeneratorArg generator) {
  WICK_CHECK(p > 0 && p < 1, kInvalidArgument, "geometric_ expects p to be in (0, 1), but got p=", p);
  check_dtype(!is_complex(self.dtype()) && self.dtype() != DType::kBool && !is_quantized(self.dtype()), "geometric_cpu",
              self.dtype());
  GeneratorImpl& g = chosen(generator);
  fill_drawn(self, g, [&](double* out, int64_t n) {
    for (int64_t i = 0; i < n; ++i) out[i] = draw_geometric(g, p);
  });
  return self;
}

Tensor log_normal_inplace(const Tensor& self, double mean, double std, GeneratorArg generator) {
  WICK_CHECK(std > 0, kInvalidArgument, "log_normal_ expects std > 0.0, but found std=", std);
  GeneratorImpl& g = chosen(generator);
  fill_each(self, g, "log_normal_cpu", [&] { return std::exp(draw_normal(g, mean, std)); });
  return self;
}

Tensor cauchy_inplace(const Tensor& self, double median, double sigma, GeneratorArg generator) {
  GeneratorImpl& g = chosen(generator);
  fill_each(self, g, "cauchy_cpu", [&] { return draw_cauchy(g, median, sigma); });
  return self;
}

}  // namespace wick::ops
