// Products of bytes against plain sums, with every instruction set of this machine and both forms of the weights.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "kernels/int8.h"
#include "unit/kernels/kernel_targets.h"

namespace wick::kernels {
namespace {

std::mt19937& rng() {
  static std::mt19937 generator(7);
  return generator;
}
int32_t between(int32_t low, int32_t high) { return std::uniform_int_distribution<int32_t>(low, high)(rng()); }

template <class T>
std::vector<T> numbers(int64_t n, int32_t low, int32_t high) {
  std::vector<T> v(static_cast<size_t>(n));
  for (T& x : v) x = static_cast<T>(between(low, high));
  // The extremes, whose products overflow 16 bits.
  for (size_t i = 0; i < v.size() / 4; ++i) v[i] = static_cast<T>(between(0, 1) ? low : high);
  return v;
}

template <class F>
void with_each_form(F&& test) {
  with_each_target([&] {
    for (const Int8Form form : {Int8Form::kPairs, Int8Form::kQuads, Int8Form::kMixedQuads}) {
      if (has_int8_form(form)) test(form);
    }
  });
}

struct Columns {
  std::vector<int32_t> start;
  std::vector<float> scale;
};
Columns columns_of(int64_t n) {
  Columns c;
  for (int64_t i = 0; i < n; ++i) {
    c.start.push_back(between(-100000, 100000));
    c.scale.push_back(std::ldexp(static_cast<float>(between(1, 1 << 20)), -31));
  }
  if (n > 2) c.scale[1] = 1000;  // beyond 16 bits and back
  return c;
}

uint8_t requantized(uint32_t sum, float scale, const Int8Result& r) {
  const float v = std::nearbyint(static_cast<float>(static_cast<int32_t>(sum)) * scale);
  const auto q = static_cast<int32_t>(std::clamp(v, -32768.0f, 32767.0f));
  return static_cast<uint8_t>(std::clamp(q + r.zero, r.low, r.high)) ^ r.flip;
}

uint32_t product(int32_t a, int32_t b) { return static_cast<uint32_t>(a * b); }

struct Case {
  int64_t pixels, n, depth;
};
constexpr Case kCases[] = {{1, 1, 4},  {3, 7, 12},   {6, 64, 32},  {7, 65, 20},  {11, 33, 36},  {49, 16, 64},
                           {9, 24, 8}, {2, 100, 16}, {23, 48, 28}, {5, 200, 44}, {40, 130, 100}};

// Rows of bytes and weights of a case, packed.
struct Operands {
  Operands(const Case& shape, Int8Form weight_form, Int8Order weight_order, int32_t low, int32_t high)
      : c(shape),
        form(weight_form),
        order(weight_order),
        words(c.depth / 4),
        w(numbers<int16_t>(c.n * c.depth, low, high)),
        a(numbers<uint8_t>(c.pixels * c.depth, 0, 255)),
        weights(int8_weights_size(c.n, words, form)) {
    pack_int8_weights(w.data(), c.n, words, form, order, weights.data());
  }

  uint32_t sum(int64_t pixel, int64_t column) const {
    uint32_t out = 0;
    for (int64_t k = 0; k < c.depth; ++k) {
      out += product(a[static_cast<size_t>(pixel * c.depth + k)], w[static_cast<size_t>(column * c.depth + k)]);
    }
    return out;
  }
  // What the sums start with, corrected for how the form reads bytes.
  std::vector<int32_t> packed_start(std::vector<int32_t> start) const {
    for (int64_t j = 0; j < c.n; ++j) {
      for (int64_t k = 0; k < c.depth; ++k) {
        start[static_cast<size_t>(j)] += int8_input_offset(form) * w[static_cast<size_t>(j * c.depth + k)];
      }
    }
    return packed(start);
  }
  template <class T>
  std::vector<T> packed(const std::vector<T>& columns) const {
    std::vector<T> out(static_cast<size_t>(int8_columns(c.n)));
    pack_int8_columns(columns.data(), c.n, order, out.data());
    return out;
  }
  // Images of `width` pixels in a row; the caller says how a row of words is read and what becomes of the sums.
  Int8Product call(int64_t width) const {
    Int8Product p;
    p.form = form;
    p.order = order;
    p.pixels = c.pixels;
    p.width = width;
    p.a = {a.data(), width * c.depth, c.depth};
    p.weights = weights.data();
    p.n = c.n;
    p.words = words;
    return p;
  }

  const Case& c;
  const Int8Form form;
  const Int8Order order;
  const int64_t words;
  const std::vector<int16_t> w;
  const std::vector<uint8_t> a;
  const Scratch<uint8_t> weights;
};

TEST(KernelInt8, ProductsGiveBytes) {
  with_each_form([&](Int8Form form) {
    for (const Case& c : kCases) {
      const int32_t most = form == Int8Form::kPairs ? 255 : 127;
      const Operands operands(c, form, Int8Order::kNarrowing, -most - (most == 127), most);
      const Columns columns = columns_of(c.n);
      const std::vector<int32_t> start = operands.packed_start(columns.start);
      const std::vector<float> scale = operands.packed(columns.scale);
      Int8Product p = operands.call(3);
      const Int8Segment segments[] = {{0, 1}, {4, operands.words - 1}};
      p.segments = segments;
      p.segment_count = 2;
      p.result.start = start.data();
      p.result.scale = scale.data();
      p.result.zero = between(0, 255);
      p.result.low = between(0, 1) ? p.result.zero : 0;
      p.result.high = 250;
      p.result.flip = between(0, 1) ? 0x80 : 0;
      if (p.result.low > p.result.high) p.result.low = 0;
      const int64_t row = c.n + 5;
      std::vector<uint8_t> y(static_cast<size_t>(c.pixels * row), 77);
      p.bytes = {y.data(), 3 * row, row};
      Workers workers;
      workers.count = between(1, 3);
      int8_product(p, workers);
      for (int64_t i = 0; i < c.pixels; ++i) {
        for (int64_t j = 0; j < row; ++j) {
          uint8_t expected = 77;
          if (j < c.n) {
            const uint32_t sum = static_cast<uint32_t>(columns.start[static_cast<size_t>(j)]) + operands.sum(i, j);
            expected = requantized(sum, columns.scale[static_cast<size_t>(j)], p.result);
          }
          ASSERT_EQ(int{y[static_cast<size_t>(i * row + j)]}, int{expected})
              << c.pixels << "x" << c.n << "x" << c.depth << " at " << i << ", " << j;
        }
      }
    }
  });
}

TEST(KernelInt8, ProductsGiveFloats) {
  with_each_form([&](Int8Form form) {
    for (const Case& c : kCases) {
      const Operands operands(c, form, Int8Order::kPlain, -128, 127);
      const std::vector<int32_t> start = operands.packed_start(std::vector<int32_t>(static_cast<size_t>(c.n)));
      const std::vector<float> scale(start.size(), 0.37f), bias(start.size(), -3.0f);
      Int8Product p = operands.call(c.pixels);
      const Int8Segment segment{0, operands.words};
      p.segments = &segment;
      p.segment_count = 1;
      p.result.start = start.data();
      p.result.scale = scale.data();
      p.result.bias = bias.data();
      p.result.relu = c.n % 2 == 0;
      std::vector<float> y(static_cast<size_t>(c.pixels * c.n));
      p.floats = {y.data(), 0, c.n};
      int8_product(p, Workers());
      for (int64_t i = 0; i < c.pixels; ++i) {
        for (int64_t j = 0; j < c.n; ++j) {
          const auto sum = static_cast<int32_t>(operands.sum(i, j));
          const float scaled = static_cast<float>(sum) * 0.37f, expected = scaled - 3.0f;
          ASSERT_EQ(y[static_cast<size_t>(i * c.n + j)], p.result.relu && expected < 0 ? 0.0f : expected);
        }
      }
    }
  });
}

struct ConvCase {
  int64_t in, out, groups, size, kernel, stride, pad, dilation;
};

void check_conv(const ConvCase& k, Int8Form form) {
  ConvShape s;
  s.batch = 2;
  s.in_channels = k.in;
  s.out_channels = k.out;
  s.groups = k.groups;
  for (size_t d : {1u, 2u}) {
    s.in[d] = k.size + (d == 2 ? 1 : 0);
    s.kernel[d] = k.kernel;
    s.stride[d] = k.stride;
    s.pad[d] = k.pad;
    s.dilation[d] = k.dilation;
    s.out[d] = (s.in[d] + 2 * k.pad - k.dilation * (k.kernel - 1) - 1) / k.stride + 1;
  }
  const int64_t taps = s.taps(), depth = s.group_in();
  const auto w = numbers<int16_t>(k.out * depth * taps, -128, 127);  // [out][channel][tap]
  const auto x = numbers<uint8_t>(s.batch * s.in_pixels() * k.in, 0, 255);
  const int32_t zero = between(0, 255);
  const Columns columns = columns_of(k.out);
  std::vector<int32_t> corrected = columns.start;
  for (int64_t o = 0; o < k.out; ++o) {
    int32_t total = 0;
    for (int64_t i = 0; i < depth * taps; ++i) total += w[static_cast<size_t>(o * depth * taps + i)];
    corrected[static_cast<size_t>(o)] -= (zero - int8_input_offset(form)) * total;
  }
  Int8Conv c;
  c.shape = s;
  c.form = form;
  c.x = x.data();
  c.x_zero = static_cast<uint8_t>(zero);
  c.result.zero = 100;
  std::vector<uint8_t> y(static_cast<size_t>(s.batch * s.out_pixels() * k.out));
  c.y = y.data();
  std::vector<int32_t> start;
  std::vector<float> scale;
  Scratch<uint8_t> weights;
  Workers workers;
  workers.count = 2;
  if (is_int8_depthwise(s)) {
    start.resize(static_cast<size_t>(int8_depthwise_columns(k.in)));
    scale.resize(start.size());
    weights.reserve(int8_depthwise_size(s, form));
    pack_int8_depthwise(w.data(), s, form, weights.data());
    pack_int8_depthwise_columns(corrected.data(), k.in, start.data());
    pack_int8_depthwise_columns(columns.scale.data(), k.in, scale.data());
  } else {
    const int64_t words = int8_conv_words(s), n = s.group_out();
    const size_t bytes = int8_weights_size(n, words, form);
    const auto by_group = static_cast<size_t>(int8_columns(n));
    weights.reserve(bytes * static_cast<size_t>(k.groups));
    start.resize(by_group * static_cast<size_t>(k.groups));
    scale.resize(start.size());
    for (int64_t g = 0; g < k.groups; ++g) {
      std::vector<int16_t> rows(static_cast<size_t>(n * words * 4));
      for (int64_t o = 0; o < n; ++o) {
        for (int64_t ch = 0; ch < depth; ++ch) {
          for (int64_t t = 0; t < taps; ++t) {
            rows[static_cast<size_t>(o * words * 4 + int8_conv_place(s, t, ch))] =
                w[static_cast<size_t>(((g * n + o) * depth + ch) * taps + t)];
          }
        }
      }
      const auto at = static_cast<size_t>(g);
      pack_int8_weights(rows.data(), n, words, form, Int8Order::kNarrowing, weights.data() + at * bytes);
      pack_int8_columns(corrected.data() + g * n, n, Int8Order::kNarrowing, start.data() + at * by_group);
      pack_int8_columns(columns.scale.data() + g * n, n, Int8Order::kNarrowing, scale.data() + at * by_group);
    }
  }
  c.weights = weights.data();
  c.result.start = start.data();
  c.result.scale = scale.data();
  const Scratch<uint8_t> scratch(std::max(int8_conv_scratch(s), static_cast<size_t>(k.in)));
  if (is_int8_depthwise(s)) {
    int8_depthwise(c, scratch.data(), workers);
  } else {
    int8_conv(c, scratch.data(), workers);
  }
  for (int64_t b = 0; b < s.batch; ++b) {
    for (int64_t p = 0; p < s.out_pixels(); ++p) {
      for (int64_t o = 0; o < k.out; ++o) {
        auto sum = static_cast<uint32_t>(columns.start[static_cast<size_t>(o)]);
        for (int64_t t = 0; t < taps; ++t) {
          const int64_t ih = p / s.out[2] * k.stride - k.pad + t / k.kernel * k.dilation;
          const int64_t iw = p % s.out[2] * k.stride - k.pad + t % k.kernel * k.dilation;
          if (ih < 0 || iw < 0 || ih >= s.in[1] || iw >= s.in[2]) continue;
          for (int64_t ch = 0; ch < depth; ++ch) {
            const int64_t from = ((b * s.in[1] + ih) * s.in[2] + iw) * k.in + o / s.group_out() * depth + ch;
            sum += product(x[static_cast<size_t>(from)] - zero, w[static_cast<size_t>((o * depth + ch) * taps + t)]);
          }
        }
        ASSERT_EQ(int{y[static_cast<size_t>((b * s.out_pixels() + p) * k.out + o)]},
                  int{requantized(sum, columns.scale[static_cast<size_t>(o)], c.result)})
            << k.in << " to " << k.out << ", kernel " << k.kernel << ", pixel " << p << ", channel " << o;
      }
    }
  }
}

TEST(KernelInt8, Convolutions) {
  with_each_form([](Int8Form form) {
    check_conv({3, 32, 1, 9, 3, 2, 1, 1}, form);
    check_conv({16, 24, 1, 7, 1, 1, 0, 1}, form);
    check_conv({8, 70, 1, 6, 3, 1, 1, 1}, form);
    check_conv({8, 5, 1, 8, 3, 1, 2, 2}, form);
    check_conv({6, 10, 2, 5, 3, 1, 1, 1}, form);
    check_conv({8, 16, 2, 6, 3, 2, 0, 1}, form);
    check_conv({58, 20, 1, 4, 1, 1, 0, 1}, form);
    check_conv({4, 130, 1, 5, 1, 2, 0, 1}, form);
    check_conv({3, 8, 1, 12, 7, 2, 3, 1}, form);
    check_conv({5, 5, 5, 6, 3, 1, 1, 1}, form);
  });
}

TEST(KernelInt8, DepthwiseConvolutions) {
  with_each_form([](Int8Form form) {
    for (const int64_t channels : {16, 17, 32, 50, 96, 144}) {
      check_conv({channels, channels, channels, 9, 3, 1, 1, 1}, form);
      check_conv({channels, channels, channels, 8, 3, 2, 1, 1}, form);
    }
    check_conv({24, 24, 24, 7, 5, 1, 2, 1}, form);
    check_conv({80, 80, 80, 11, 5, 2, 2, 1}, form);
    check_conv({20, 20, 20, 9, 3, 1, 2, 2}, form);
    check_conv({16, 16, 16, 10, 7, 1, 3, 1}, form);
    check_conv({64, 64, 64, 2, 3, 1, 1, 1}, form);
    check_conv({64, 64, 64, 5, 1, 1, 0, 1}, form);
  });
}

}  // namespace
}  // namespace wick::kernels
