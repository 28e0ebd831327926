// Random operators. Seeded alike, they give the numbers PyTorch's CPU operators give.
#pragma once

#include "ops/boxing.h"
#include "ops/shape/copy_ops.h"
#include "wick/tensor.h"

namespace wick::ops {

void manual_seed_op(int64_t seed);
// torch.Generator and its methods.
IValue make_generator(std::optional<Device> device, std::optional<int64_t> seed);
IValue seed_generator(const IValue& generator, int64_t seed);
int64_t reseed_generator(const IValue& generator);
int64_t seed_of_generator(const IValue& generator);

// Fill self, and return it.
Tensor uniform_inplace(const Tensor& self, double from, double to, GeneratorArg generator);
Tensor normal_inplace(const Tensor& self, double mean, double std, GeneratorArg generator);
Tensor random_inplace(const Tensor& self, GeneratorArg generator);
Tensor random_to_inplace(const Tensor& self, int64_t to, GeneratorArg generator);
Tensor random_from_inplace(const Tensor& self, int64_t from, std::optional<int64_t> to, GeneratorArg generator);
Tensor bernoulli_inplace(const Tensor& self, double p, GeneratorArg generator);
Tensor bernoulli_tensor_inplace(const Tensor& self, const Tensor& p, GeneratorArg generator);
Tensor exponential_inplace(const Tensor& self, double lambda, GeneratorArg generator);
Tensor geometric_inplace(const Tensor& self, double p, GeneratorArg generator);
Tensor log_normal_inplace(const Tensor& self, double mean, double std, GeneratorArg generator);
Tensor cauchy_inplace(const Tensor& self, double median, double sigma, GeneratorArg generator);

Tensor rand(IntSpan size, TensorOptions options);
Tensor rand_generator(IntSpan size, GeneratorArg generator, TensorOptions options);
Tensor rand_out(IntSpan size, const Tensor& out);
Tensor rand_generator_out(IntSpan size, GeneratorArg generator, const Tensor& out);
Tensor rand_like(const Tensor& self, TensorOptions options, OptFormat format);
Tensor rand_like_out(const Tensor& self, OptFormat format, const Tensor& out);
Tensor randn(IntSpan size, TensorOptions options);
Tensor randn_generator(IntSpan size, GeneratorArg generator, TensorOptions options);
Tensor randn_out(IntSpan size, const Tensor& out);
Tensor randn_generator_out(IntSpan size, GeneratorArg generator, const Tensor& out);
Tensor randn_like(const Tensor& self, TensorOptions options, OptFormat format);
Tensor randn_like_out(const Tensor& self, OptFormat format, const Tensor& out);
Tensor randint(int64_t high, IntSpan size, TensorOptions options);
Tensor randint_generator(int64_t high, IntSpan size, GeneratorArg generator, TensorOptions options);
Tensor randint_low(int64_t low, int64_t high, IntSpan size, TensorOptions options);
Tensor randint_low_generator(int64_t low, int64_t high, IntSpan size, GeneratorArg generator, TensorOptions options);
Tensor randint_out(int64_t high, IntSpan size, const Tensor& out);
Tensor randint_generator_out(int64_t high, IntSpan size, GeneratorArg generator, const Tensor& out);
Tensor randint_low_out(int64_t low, int64_t high, IntSpan size, const Tensor& out);
Tensor randint_low_generator_out(int64_t low, int64_t high, IntSpan size, GeneratorArg generator, const Tensor& out);
Tensor randint_like(const Tensor& self, int64_t high, TensorOptions options, OptFormat format);
Tensor randint_like_low(const Tensor& self, int64_t low, int64_t high, TensorOptions options, OptFormat format);
Tensor randint_like_out(const Tensor& self, int64_t high, OptFormat format, const Tensor& out);
Tensor randint_like_low_out(const Tensor& self, int64_t low, int64_t high, OptFormat format, const Tensor& out);
Tensor randperm(int64_t n, TensorOptions options);
Tensor randperm_generator(int64_t n, GeneratorArg generator, TensorOptions options);
Tensor randperm_out(int64_t n, const Tensor& out);
Tensor randperm_generator_out(int64_t n, GeneratorArg generator, const Tensor& out);

Tensor normal_tensor_float(const Tensor& mean, double std, GeneratorArg generator);
Tensor normal_float_tensor(double mean, const Tensor& std, GeneratorArg generator);
Tensor normal_tensor_tensor(const Tensor& mean, const Tensor& std, GeneratorArg generator);
Tensor normal_sized(double mean, double std, IntSpan size, GeneratorArg generator, TensorOptions options);
Tensor normal_sized_out(double mean, double std, IntSpan size, GeneratorArg generator, const Tensor& out);
Tensor rand_like_generator(const Tensor& self, GeneratorArg generator, TensorOptions options, OptFormat format);
Tensor rand_like_generator_out(const Tensor& self, GeneratorArg generator, OptFormat format, const Tensor& out);
Tensor randn_like_generator(const Tensor& self, GeneratorArg generator, TensorOptions options, OptFormat format);
Tensor randn_like_generator_out(const Tensor& self, GeneratorArg generator, OptFormat format, const Tensor& out);
Tensor randint_like_generator(const Tensor& self, int64_t high, GeneratorArg generator, TensorOptions options,
                              OptFormat format);
Tensor randint_like_generator_out(const Tensor& self, int64_t high, GeneratorArg generator, OptFormat format,
                                  const Tensor& out);
Tensor randint_like_low_generator(const Tensor& self, int64_t low, int64_t high, GeneratorArg generator,
                                  TensorOptions options, OptFormat format);
Tensor randint_like_low_generator_out(const Tensor& self, int64_t low, int64_t high, GeneratorArg generator,
                                      OptFormat format, const Tensor& out);
Tensor randint_like_tensor(const Tensor& self, const Tensor& high, TensorOptions options, OptFormat format);
Tensor randint_like_tensor_out(const Tensor& self, const Tensor& high, OptFormat format, const Tensor& out);
Tensor randint_like_tensor_generator(const Tensor& self, const Tensor& high, GeneratorArg generator,
                                     TensorOptions options, OptFormat format);
Tensor randint_like_tensor_generator_out(const Tensor& self, const Tensor& high, GeneratorArg generator,
                                         OptFormat format, const Tensor& out);

// New tensors like self.
Tensor normal_functional(const Tensor& self, double mean, double std, GeneratorArg generator);
Tensor uniform_functional(const Tensor& self, double from, double to, GeneratorArg generator);
Tensor random_functional(const Tensor& self, GeneratorArg generator);
Tensor random_to_functional(const Tensor& self, int64_t to, GeneratorArg generator);
Tensor random_from_functional(const Tensor& self, int64_t from, std::optional<int64_t> to, GeneratorArg generator);
Tensor exponential_functional(const Tensor& self, double lambda, GeneratorArg generator);
Tensor geometric_functional(const Tensor& self, double p, GeneratorArg generator);
Tensor log_normal_functional(const Tensor& self, double mean, double std, GeneratorArg generator);
Tensor cauchy_functional(const Tensor& self, double median, double sigma, GeneratorArg generator);
Tensor bernoulli(const Tensor& self, GeneratorArg generator);
Tensor bernoulli_p(const Tensor& self, double p, GeneratorArg generator);
Tensor bernoulli_tensor(const Tensor& self, const Tensor& p, GeneratorArg generator);
Tensor poisson(const Tensor& self, GeneratorArg generator);
Tensor binomial(const Tensor& count, const Tensor& prob, GeneratorArg generator);
Tensor standard_gamma(const Tensor& self, GeneratorArg generator);
Tensor sample_dirichlet(const Tensor& self, GeneratorArg generator);
Tensor multinomial(const Tensor& self, int64_t num_samples, bool replacement, GeneratorArg generator);

Tensor dropout(const Tensor& input, double p, bool train);
Tensor dropout_inplace(const Tensor& input, double p, bool train);
Tensor feature_dropout(const Tensor& input, double p, bool train);
Tensor feature_dropout_inplace(const Tensor& input, double p, bool train);
Tensor alpha_dropout(const Tensor& input, double p, bool train);
Tensor alpha_dropout_inplace(const Tensor& input, double p, bool train);
Tensor feature_alpha_dropout(const Tensor& input, double p, bool train);
Tensor feature_alpha_dropout_inplace(const Tensor& input, double p, bool train);
std::tuple<Tensor, Tensor> native_dropout(const Tensor& input, double p, std::optional<bool> train);

}  // namespace wick::ops
