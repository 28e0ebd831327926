// New random tensors: rand, randn, randint, randperm, normal, and functional forms of the in-place operators.
#include <mutex>
#include <random>

#include "core/copy.h"
#include "core/shape.h"
#include "ops/pointwise/pointwise.h"
#include "ops/random/fill.h"
#include "ops/random/random.h"
#include "ops/shape/out.h"

namespace wick::ops {

namespace {

Tensor sized(IntSpan size, const TensorOptions& options, DType fallback) {
  return Tensor::empty(size, options.dtype_or(fallback));
}
Tensor like(const Tensor& self, const TensorOptions& options, OptFormat format) {
  return wick::empty_like(self, options.dtype, format.value_or(MemoryFormat::kPreserve));
}

// Numbers are drawn in the order of self's elements in memory, not of the destination's.
Tensor drawn_into(const Tensor& out, const Tensor& numbers) {
  assign_out(out, numbers);
  return out;
}
// An upper bound given as a tensor of one element.
int64_t bound_in(const Tensor& high) {
  WICK_CHECK(high.numel() == 1, kInvalidArgument, "high must be a scalar tensor and on CPU");
  return high.item().to_int();
}

}  // namespace

void manual_seed_op(int64_t seed) {
  GeneratorImpl& g = default_generator();
  std::lock_guard lock(g.mutex);
  g.set_seed(static_cast<uint64_t>(seed));
}

IValue make_generator(std::optional<Device>, std::optional<int64_t> seed) {
  return IValue(make_ref<GeneratorImpl>(seed ? static_cast<uint64_t>(*seed) : GeneratorImpl::kDefaultSeed));
}
IValue seed_generator(const IValue& generator, int64_t seed) {
  GeneratorImpl& g = generator.to_generator();
  std::lock_guard lock(g.mutex);
  g.set_seed(static_cast<uint64_t>(seed));
  return generator;
}
int64_t reseed_generator(const IValue& generator) {
  // As many bits as a double holds, so that the seed survives Python.
  const uint64_t seed = (uint64_t{std::random_device()()} << 32 | std::random_device()()) & 0x1FFFFFFFFFFFFF;
  seed_generator(generator, static_cast<int64_t>(seed));
  return static_cast<int64_t>(seed);
}
int64_t seed_of_generator(const IValue& generator) { return static_cast<int64_t>(generator.to_generator().seed()); }

Tensor rand_generator(IntSpan size, GeneratorArg generator, TensorOptions options) {
  return uniform_inplace(sized(size, options, kDefaultDType), 0, 1, generator);
}
Tensor rand(IntSpan size, TensorOptions options) { return rand_generator(size, {}, options); }
Tensor rand_generator_out(IntSpan size, GeneratorArg generator, const Tensor& out) {
  return uniform_inplace(sized_out(out, size), 0, 1, generator);
}
Tensor rand_out(IntSpan size, const Tensor& out) { return rand_generator_out(size, {}, out); }
Tensor rand_like_generator(const Tensor& self, GeneratorArg generator, TensorOptions options, OptFormat format) {
  return uniform_inplace(like(self, options, format), 0, 1, generator);
}
Tensor rand_like_generator_out(const Tensor& self, GeneratorArg generator, OptFormat format, const Tensor& out) {
  return drawn_into(out, rand_like_generator(self, generator, {out.dtype(), {}}, format));
}
Tensor rand_like(const Tensor& self, TensorOptions options, OptFormat format) {
  return rand_like_generator(self, {}, options, format);
}
Tensor rand_like_out(const Tensor& self, OptFormat format, const Tensor& out) {
  return drawn_into(out, rand_like(self, {out.dtype(), {}}, format));
}

Tensor randn_generator(IntSpan size, GeneratorArg generator, TensorOptions options) {
  return normal_inplace(sized(size, options, kDefaultDType), 0, 1, generator);
}
Tensor randn(IntSpan size, TensorOptions options) { return randn_generator(size, {}, options); }
Tensor randn_generator_out(IntSpan size, GeneratorArg generator, const Tensor& out) {
  return normal_inplace(sized_out(out, size), 0, 1, generator);
}
Tensor randn_out(IntSpan size, const Tensor& out) { return randn_generator_out(size, {}, out); }
Tensor randn_like_generator(const Tensor& self, GeneratorArg generator, TensorOptions options, OptFormat format) {
  return normal_inplace(like(self, options, format), 0, 1, generator);
}
Tensor randn_like_generator_out(const Tensor& self, GeneratorArg generator, OptFormat format, const Tensor& out) {
  return drawn_into(out, randn_like_generator(self, generator, {out.dtype(), {}}, format));
}
Tensor randn_like(const Tensor& self, TensorOptions options, OptFormat format) {
  return randn_like_generator(self, {}, options, format);
}
Tensor randn_like_out(const Tensor& self, OptFormat format, const Tensor& out) {
  return drawn_into(out, randn_like(self, {out.dtype(), {}}, format));
}

Tensor randint_low_generator(int64_t low, int64_t high, IntSpan size, GeneratorArg generator, TensorOptions options) {
  return random_from_inplace(sized(size, options, DType::kLong), low, high, generator);
}
Tensor randint_low(int64_t low, int64_t high, IntSpan size, TensorOptions options) {
  return randint_low_generator(low, high, size, {}, options);
}
Tensor randint(int64_t high, IntSpan size, TensorOptions options) { return randint_low(0, high, size, options); }
Tensor randint_generator(int64_t high, IntSpan size, GeneratorArg generator, TensorOptions options) {
  return randint_low_generator(0, high, size, generator, options);
}
Tensor randint_low_generator_out(int64_t low, int64_t high, IntSpan size, GeneratorArg generator, const Tensor& out) {
  return random_from_inplace(sized_out(out, size), low, high, generator);
}
Tensor randint_low_out(int64_t low, int64_t high, IntSpan size, const Tensor& out) {
  return randint_low_generator_out(low, high, size, {}, out);
}
Tensor randint_out(int64_t high, IntSpan size, const Tensor& out) { return randint_low_out(0, high, size, out); }
Tensor randint_generator_out(int64_t high, IntSpan size, GeneratorArg generator, const Tensor& out) {
  return randint_low_generator_out(0, high, size, generator, out);
}
Tensor randint_like_low_generator(const Tensor& self, int64_t low, int64_t high, GeneratorArg generator,
                                  TensorOptions options, OptFormat format) {
  return random_from_inplace(like(self, options, format), low, high, generator);
}
Tensor randint_like_low(const Tensor& self, int64_t low, int64_t high, TensorOptions options, OptFormat format) {
  return randint_like_low_generator(self, low, high, {}, options, format);
}
Tensor randint_like_generator(const Tensor& self, int64_t high, GeneratorArg generator, TensorOptions options,
                              OptFormat format) {
  return randint_like_low_generator(self, 0, high, generator, options, format);
}
Tensor randint_like_tensor(const Tensor& self, const Tensor& high, TensorOptions options, OptFormat format) {
  return randint_like(self, bound_in(high), options, format);
}
Tensor randint_like_tensor_generator(const Tensor& self, const Tensor& high, GeneratorArg generator,
                                     TensorOptions options, OptFormat format) {
  return randint_like_generator(self, bound_in(high), generator, options, format);
}
Tensor randint_like_low_generator_out(const Tensor& self, int64_t low, int64_t high, GeneratorArg generator,
                                      OptFormat format, const Tensor& out) {
  return drawn_into(out, randint_like_low_generator(self, low, high, generator, {out.dtype(), {}}, format));
}
Tensor randint_like_generator_out(const Tensor& self, int64_t high, GeneratorArg generator, OptFormat format,
                                  const Tensor& out) {
  return randint_like_low_generator_out(self, 0, high, generator, format, out);
}
Tensor randint_like_tensor_out(const Tensor& self, const Tensor& high, OptFormat format, const Tensor& out) {
  return randint_like_out(self, bound_in(high), format, out);
}
Tensor randint_like_tensor_generator_out(const Tensor& self, const Tensor& high, GeneratorArg generator,
                                         OptFormat format, const Tensor& out) {
  return randint_like_generator_out(self, bound_in(high), generator, format, out);
}
Tensor randint_like(const Tensor& self, int64_t high, TensorOptions options, OptFormat format) {
  return randint_like_low(self, 0, high, options, format);
}
Tensor randint_like_low_out(const Tensor& self, int64_t low, int64_t high, OptFormat format, const Tensor& out) {
  return drawn_into(out, randint_like_low(self, low, high, {out.dtype(), {}}, format));
}
Tensor randint_like_out(const Tensor& self, int64_t high, OptFormat format, const Tensor& out) {
  return randint_like_low_out(self, 0, high, format, out);
}

namespace {

Tensor make_randperm(int64_t n, GeneratorImpl& g, DType dtype) {
  WICK_CHECK(n >= 0, kInvalidArgument, "Trying to create tensor with negative dimension ", n, ": [", n, "]");
  const auto limit = [&](int64_t most) {
    WICK_CHECK(n <= most, kInvalidArgument, "n cannot be greater than ", most, " for ", name_of(dtype), " type.");
  };
  switch (dtype) {
    case DType::kHalf:
      limit((int64_t{1} << 11) + 1);
      break;
    case DType::kFloat:
      limit((int64_t{1} << 24) + 1);
      break;
    case DType::kDouble:
      limit((int64_t{1} << 53) + 1);
      break;
    case DType::kByte:
      limit(256);
      break;
    case DType::kChar:
      limit(128);
      break;
    case DType::kShort:
      limit(32768);
      break;
    case DType::kInt:
      limit(int64_t{1} << 31);
      break;
    case DType::kLong:
      break;
    default:
      check_dtype(false, "randperm", dtype);
  }
  const Tensor out = Tensor::empty({n}, DType::kLong);
  int64_t* p = out.data_ptr<int64_t>();
  std::lock_guard lock(g.mutex);
  for (int64_t i = 0; i < n; ++i) p[i] = i;
  for (int64_t i = 0; i < n - 1; ++i) {
    const int64_t other = i + static_cast<int64_t>(g.random() % static_cast<uint64_t>(n - i));
    std::swap(p[i], p[other]);
  }
  return to_dtype(out, dtype);
}

}  // namespace

Tensor randperm_generator(int64_t n, GeneratorArg generator, TensorOptions options) {
  return make_randperm(n, chosen(generator), options.dtype_or(DType::kLong));
}
Tensor randperm(int64_t n, TensorOptions options) { return randperm_generator(n, {}, options); }
Tensor randperm_generator_out(int64_t n, GeneratorArg generator, const Tensor& out) {
  return put_out(out, make_randperm(n, chosen(generator), out.dtype()));
}
Tensor randperm_out(int64_t n, const Tensor& out) { return randperm_generator_out(n, {}, out); }

namespace {

// Standard normal numbers of the shape, scaled and moved.
Tensor scaled_normal(IntSpan shape, DType dtype, GeneratorArg generator, const Tensor* mean, const Tensor* std,
                     double plain_mean, double plain_std) {
  Tensor out = normal_inplace(Tensor::empty(shape, dtype), 0, 1, generator);
  out = to_dtype(std ? mul(out, *std) : mul_scalar(out, plain_std), dtype);
  return to_dtype(mean ? add(out, *mean) : add_scalar(out, plain_mean), dtype);
}

void check_std(const Tensor& std) {
  WICK_CHECK(!is_complex(std.dtype()), kTypeMismatch, "normal expects standard deviation to be non-complex");
  const Tensor values = wick::contiguous(to_dtype(std, DType::kDouble));
  for (int64_t i = 0, count = values.numel(); i < count; ++i) {
    WICK_CHECK(values.data_ptr<double>()[i] >= 0, kInvalidArgument, "normal expects all elements of std >= 0.0");
  }
}

}  // namespace

Tensor normal_tensor_float(const Tensor& mean, double std, GeneratorArg generator) {
  WICK_CHECK(std >= 0, kInvalidArgument, "normal expects std >= 0.0, but found std ", std);
  return scaled_normal(mean.sizes(), mean.dtype(), generator, &mean, nullptr, 0, std);
}
Tensor normal_float_tensor(double mean, const Tensor& std, GeneratorArg generator) {
  check_std(std);
  return scaled_normal(std.sizes(), std.dtype(), generator, nullptr, &std, mean, 0);
}
Tensor normal_tensor_tensor(const Tensor& mean, const Tensor& std, GeneratorArg generator) {
  check_std(std);
  return scaled_normal(broadcast_shapes(mean.sizes(), std.sizes()), mean.dtype(), generator, &mean, &std, 0, 0);
}
Tensor normal_sized(double mean, double std, IntSpan size, GeneratorArg generator, TensorOptions options) {
  return normal_inplace(sized(size, options, kDefaultDType), mean, std, generator);
}
Tensor normal_sized_out(double mean, double std, IntSpan size, GeneratorArg generator, const Tensor& out) {
  return normal_inplace(sized_out(out, size), mean, std, generator);
}

Tensor normal_functional(const Tensor& self, double mean, double std, GeneratorArg generator) {
  return normal_inplace(wick::empty_like(self), mean, std, generator);
}
Tensor uniform_functional(const Tensor& self, double from, double to, GeneratorArg generator) {
  return uniform_inplace(wick::empty_like(self), from, to, generator);
}
Tensor random_functional(const Tensor& self, GeneratorArg generator) {
  return random_inplace(wick::empty_like(self), generator);
}
Tensor random_to_functional(const Tensor& self, int64_t to, GeneratorArg generator) {
  return random_to_inplace(wick::empty_like(self), to, generator);
}
Tensor random_from_functional(const Tensor& self, int64_t from, std::optional<int64_t> to, GeneratorArg generator) {
  return random_from_inplace(wick::empty_like(self), from, to, generator);
}
Tensor exponential_functional(const Tensor& self, double lambda, GeneratorArg generator) {
  return exponential_inplace(wick::empty_like(self), lambda, generator);
}
Tensor geometric_functional(const Tensor& self, double p, GeneratorArg generator) {
  return geometric_inplace(wick::empty_like(self), p, generator);
}
Tensor log_normal_functional(const Tensor& self, double mean, double std, GeneratorArg generator) {
  return log_normal_inplace(wick::empty_like(self), mean, std, generator);
}
Tensor cauchy_functional(const Tensor& self, double median, double sigma, GeneratorArg generator) {
  return cauchy_inplace(wick::empty_like(self), median, sigma, generator);
}
Tensor bernoulli(const Tensor& self, GeneratorArg generator) {
  return bernoulli_tensor_inplace(Tensor::empty(self.sizes(), self.dtype()), self, generator);
}
Tensor bernoulli_p(const Tensor& self, double p, GeneratorArg generator) {
  return bernoulli_inplace(wick::empty_like(self), p, generator);
}
Tensor bernoulli_tensor(const Tensor& self, const Tensor& p, GeneratorArg generator) {
  return bernoulli_tensor_inplace(wick::empty_like(self), p, generator);
}

}  // namespace wick::ops
