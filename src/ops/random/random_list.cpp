// The operator list of random numbers.
#include "ops/families.h"
#include "ops/random/random.h"

namespace wick {

namespace {

using namespace ops;
using namespace traits;

constexpr OpEntry kEntries[] = {
    OP("aten::manual_seed(int seed) -> ()", manual_seed_op),
    OP("aten::manual_seed.generator(Generator(a!) self, int seed) -> Generator(a!)", seed_generator),
    OP("aten::Generator(*, Device? device=None, int? seed=None) -> Generator", make_generator),
    OP("aten::seed(Generator(a!) self) -> int", reseed_generator),
    OP("aten::initial_seed(Generator self) -> int", seed_of_generator),
    OP("aten::rand_like.generator(Tensor self, *, Generator? generator, ScalarType? dtype=None, Layout? "
       "layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
       rand_like_generator, nondeterministic_seeded),
    OP("aten::rand_like.generator_out(Tensor self, *, Generator? generator, MemoryFormat? memory_format=None, "
       "Tensor(a!) out) -> Tensor(a!)",
       rand_like_generator_out, nondeterministic_seeded),
    OP("aten::randn_like.generator(Tensor self, *, Generator? generator, ScalarType? dtype=None, Layout? "
       "layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
       randn_like_generator, nondeterministic_seeded),
    OP("aten::randn_like.generator_out(Tensor self, *, Generator? generator, MemoryFormat? memory_format=None, "
       "Tensor(a!) out) -> Tensor(a!)",
       randn_like_generator_out, nondeterministic_seeded),
    OP("aten::randint_like.generator(Tensor self, SymInt high, *, Generator? generator, ScalarType? dtype=None, "
       "Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> "
       "Tensor",
       randint_like_generator, nondeterministic_seeded),
    OP("aten::randint_like.generator_out(Tensor self, SymInt high, *, Generator? generator, MemoryFormat? "
       "memory_format=None, Tensor(a!) out) -> Tensor(a!)",
       randint_like_generator_out, nondeterministic_seeded),
    OP("aten::randint_like.low_generator_dtype(Tensor self, SymInt low, SymInt high, *, Generator? generator, "
       "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? "
       "memory_format=None) -> Tensor",
       randint_like_low_generator, nondeterministic_seeded),
    OP("aten::randint_like.low_generator_dtype_out(Tensor self, SymInt low, SymInt high, *, Generator? "
       "generator, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)",
       randint_like_low_generator_out, nondeterministic_seeded),
    OP("aten::randint_like.Tensor(Tensor self, Tensor high, *, ScalarType? dtype=None, Layout? layout=None, "
       "Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
       randint_like_tensor, nondeterministic_seeded),
    OP("aten::randint_like.Tensor_out(Tensor self, Tensor high, *, MemoryFormat? memory_format=None, Tensor(a!) "
       "out) -> Tensor(a!)",
       randint_like_tensor_out, nondeterministic_seeded),
    OP("aten::randint_like.Tensor_generator(Tensor self, Tensor high, *, Generator? generator, ScalarType? "
       "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? "
       "memory_format=None) -> Tensor",
       randint_like_tensor_generator, nondeterministic_seeded),
    OP("aten::randint_like.Tensor_generator_out(Tensor self, Tensor high, *, Generator? generator, "
       "MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)",
       randint_like_tensor_generator_out, nondeterministic_seeded),
    OP("aten::uniform_(Tensor(a!) self, float from=0., float to=1., *, Generator? generator=None) -> Tensor(a!)",
       uniform_inplace, nondeterministic_seeded),
    OP("aten::uniform(Tensor self, float from=0., float to=1., *, Generator? generator=None) -> Tensor",
       uniform_functional, nondeterministic_seeded),
    OP_OUT("aten::uniform.out(Tensor self, float from=0., float to=1., *, Generator? generator=None, Tensor(a!) "
           "out) -> Tensor(a!)",
           uniform_functional, nondeterministic_seeded),
    OP("aten::normal_(Tensor(a!) self, float mean=0., float std=1., *, Generator? generator=None) -> Tensor(a!)",
       normal_inplace, nondeterministic_seeded),
    OP("aten::normal_functional(Tensor self, float mean=0., float std=1., *, Generator? generator=None) -> Tensor",
       normal_functional, nondeterministic_seeded),
    OP_OUT("aten::normal.out(Tensor self, float mean=0., float std=1., *, Generator? generator=None, Tensor(a!) "
           "out) -> Tensor(a!)",
           normal_functional, nondeterministic_seeded),
    OP("aten::exponential_(Tensor(a!) self, float lambd=1., *, Generator? generator=None) -> Tensor(a!)",
       exponential_inplace, nondeterministic_seeded),
    OP("aten::exponential(Tensor self, float lambd=1., *, Generator? generator=None) -> Tensor", exponential_functional,
       nondeterministic_seeded),
    OP_OUT("aten::exponential.out(Tensor self, float lambd=1., *, Generator? generator=None, Tensor(a!) out) -> "
           "Tensor(a!)",
           exponential_functional, nondeterministic_seeded),
    OP("aten::geometric_(Tensor(a!) self, float p, *, Generator? generator=None) -> Tensor(a!)", geometric_inplace,
       nondeterministic_seeded),
    OP("aten::geometric(Tensor self, float p, *, Generator? generator=None) -> Tensor", geometric_functional,
       nondeterministic_seeded),
    OP_OUT("aten::geometric.out(Tensor self, float p, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)",
           geometric_functional, nondeterministic_seeded),
    OP("aten::log_normal_(Tensor(a!) self, float mean=1., float std=2., *, Generator? generator=None) -> Tensor(a!)",
       log_normal_inplace, nondeterministic_seeded),
    OP("aten::log_normal(Tensor self, float mean=1., float std=2., *, Generator? generator=None) -> Tensor",
       log_normal_functional, nondeterministic_seeded),
    OP_OUT("aten::log_normal.out(Tensor self, float mean=1., float std=2., *, Generator? generator=None, Tensor(a!) "
           "out) -> Tensor(a!)",
           log_normal_functional, nondeterministic_seeded),
    OP("aten::cauchy_(Tensor(a!) self, float median=0., float sigma=1., *, Generator? generator=None) -> Tensor(a!)",
       cauchy_inplace, nondeterministic_seeded),
    OP("aten::cauchy(Tensor self, float median=0., float sigma=1., *, Generator? generator=None) -> Tensor",
       cauchy_functional, nondeterministic_seeded),
    OP_OUT("aten::cauchy.out(Tensor self, float median=0., float sigma=1., *, Generator? generator=None, Tensor(a!) "
           "out) -> Tensor(a!)",
           cauchy_functional, nondeterministic_seeded),
    OP("aten::random_(Tensor(a!) self, *, Generator? generator=None) -> Tensor(a!)", random_inplace,
       nondeterministic_seeded),
    OP("aten::random_.to(Tensor(a!) self, int to, *, Generator? generator=None) -> Tensor(a!)", random_to_inplace,
       nondeterministic_seeded),
    OP("aten::random_.from(Tensor(a!) self, int from, int? to, *, Generator? generator=None) -> Tensor(a!)",
       random_from_inplace, nondeterministic_seeded),
    OP("aten::random(Tensor self, *, Generator? generator=None) -> Tensor", random_functional, nondeterministic_seeded),
    OP_OUT("aten::random.out(Tensor self, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)",
           random_functional, nondeterministic_seeded),
    OP("aten::random.to(Tensor self, int to, *, Generator? generator=None) -> Tensor", random_to_functional,
       nondeterministic_seeded),
    OP_OUT("aten::random.to_out(Tensor self, int to, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)",
           random_to_functional, nondeterministic_seeded),
    OP("aten::random.from(Tensor self, int from, int? to, *, Generator? generator=None) -> Tensor",
       random_from_functional, nondeterministic_seeded),
    OP_OUT("aten::random.from_out(Tensor self, int from, int? to, *, Generator? generator=None, Tensor(a!) out) -> "
           "Tensor(a!)",
           random_from_functional, nondeterministic_seeded),
    OP("aten::bernoulli(Tensor self, *, Generator? generator=None) -> Tensor", bernoulli, nondeterministic_seeded),
    OP_OUT("aten::bernoulli.out(Tensor self, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)", bernoulli,
           nondeterministic_seeded),
    OP("aten::bernoulli_.float(Tensor(a!) self, float p=0.5, *, Generator? generator=None) -> Tensor(a!)",
       bernoulli_inplace, nondeterministic_seeded),
    OP("aten::bernoulli_.Tensor(Tensor(a!) self, Tensor p, *, Generator? generator=None) -> Tensor(a!)",
       bernoulli_tensor_inplace, nondeterministic_seeded),
    OP("aten::bernoulli.p(Tensor self, float p, *, Generator? generator=None) -> Tensor", bernoulli_p,
       nondeterministic_seeded),
    OP_OUT("aten::bernoulli.float_out(Tensor self, float p=0.5, *, Generator? generator=None, Tensor(a!) out) -> "
           "Tensor(a!)",
           bernoulli_p, nondeterministic_seeded),
    OP("aten::bernoulli.Tensor(Tensor self, Tensor p, *, Generator? generator=None) -> Tensor", bernoulli_tensor,
       nondeterministic_seeded),
    OP_OUT("aten::bernoulli.Tensor_out(Tensor self, Tensor p, *, Generator? generator=None, Tensor(a!) out) -> "
           "Tensor(a!)",
           bernoulli_tensor, nondeterministic_seeded),
    OP("aten::rand(int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
       "pin_memory=None) -> Tensor",
       rand, nondeterministic_seeded),
    OP("aten::rand.generator(int[] size, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, "
       "Device? device=None, bool? pin_memory=None) -> Tensor",
       rand_generator, nondeterministic_seeded),
    OP("aten::rand.out(int[] size, *, Tensor(a!) out) -> Tensor(a!)", rand_out, nondeterministic_seeded),
    OP("aten::rand.generator_out(int[] size, *, Generator? generator, Tensor(a!) out) -> Tensor(a!)",
       rand_generator_out, nondeterministic_seeded),
    OP("aten::_no_grad_uniform_(Tensor(a!) tensor, float a, float b, Generator? generator=None) -> Tensor(a!)",
       uniform_inplace, nondeterministic_seeded),
    OP("aten::_no_grad_normal_(Tensor(a!) tensor, float mean, float std, Generator? generator=None) -> "
       "Tensor(a!)",
       normal_inplace, nondeterministic_seeded),
    OP("aten::rand_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
       "pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
       rand_like, nondeterministic_seeded),
    OP("aten::rand_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)",
       rand_like_out, nondeterministic_seeded),
    OP("aten::randn(int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
       "pin_memory=None) -> Tensor",
       randn, nondeterministic_seeded),
    OP("aten::randn.generator(int[] size, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, "
       "Device? device=None, bool? pin_memory=None) -> Tensor",
       randn_generator, nondeterministic_seeded),
    OP("aten::randn.out(int[] size, *, Tensor(a!) out) -> Tensor(a!)", randn_out, nondeterministic_seeded),
    OP("aten::randn.generator_out(int[] size, *, Generator? generator, Tensor(a!) out) -> Tensor(a!)",
       randn_generator_out, nondeterministic_seeded),
    OP("aten::randn_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
       "pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
       randn_like, nondeterministic_seeded),
    OP("aten::randn_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)",
       randn_like_out, nondeterministic_seeded),
    OP("aten::randint(int high, int[] size, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? "
       "pin_memory=None) -> Tensor",
       randint, nondeterministic_seeded),
    OP("aten::randint.generator(int high, int[] size, *, Generator? generator, ScalarType? dtype=4, Layout? "
       "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
       randint_generator, nondeterministic_seeded),
    OP("aten::randint.low(int low, int high, int[] size, *, ScalarType? dtype=4, Layout? layout=None, Device? "
       "device=None, bool? pin_memory=None) -> Tensor",
       randint_low, nondeterministic_seeded),
    OP("aten::randint.low_generator(int low, int high, int[] size, *, Generator? generator, ScalarType? dtype=4, "
       "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
       randint_low_generator, nondeterministic_seeded),
    OP("aten::randint.out(int high, int[] size, *, Tensor(a!) out) -> Tensor(a!)", randint_out,
       nondeterministic_seeded),
    OP("aten::randint.generator_out(int high, int[] size, *, Generator? generator, Tensor(a!) out) -> Tensor(a!)",
       randint_generator_out, nondeterministic_seeded),
    OP("aten::randint.low_out(int low, int high, int[] size, *, Tensor(a!) out) -> Tensor(a!)", randint_low_out,
       nondeterministic_seeded),
    OP("aten::randint.low_generator_out(int low, int high, int[] size, *, Generator? generator, Tensor(a!) out) -> "
       "Tensor(a!)",
       randint_low_generator_out, nondeterministic_seeded),
    OP("aten::randint_like(Tensor self, int high, *, ScalarType? dtype=None, Layout? layout=None, Device? "
       "device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
       randint_like, nondeterministic_seeded),
    OP("aten::randint_like.low_dtype(Tensor self, int low, int high, *, ScalarType? dtype=None, Layout? "
       "layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
       randint_like_low, nondeterministic_seeded),
    OP("aten::randint_like.out(Tensor self, int high, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> "
       "Tensor(a!)",
       randint_like_out, nondeterministic_seeded),
    OP("aten::randint_like.low_dtype_out(Tensor self, int low, int high, *, MemoryFormat? memory_format=None, "
       "Tensor(a!) out) -> Tensor(a!)",
       randint_like_low_out, nondeterministic_seeded),
    OP("aten::randperm(int n, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? "
       "pin_memory=None) -> Tensor",
       randperm, nondeterministic_seeded),
    OP("aten::randperm.generator(int n, *, Generator? generator, ScalarType? dtype=4, Layout? layout=None, Device? "
       "device=None, bool? pin_memory=None) -> Tensor",
       randperm_generator, nondeterministic_seeded),
    OP("aten::randperm.out(int n, *, Tensor(a!) out) -> Tensor(a!)", randperm_out, nondeterministic_seeded),
    OP("aten::randperm.generator_out(int n, *, Generator? generator, Tensor(a!) out) -> Tensor(a!)",
       randperm_generator_out, nondeterministic_seeded),
    OP("aten::normal.Tensor_float(Tensor mean, float std=1., *, Generator? generator=None) -> Tensor",
       normal_tensor_float, nondeterministic_seeded),
    OP_OUT("aten::normal.Tensor_float_out(Tensor mean, float std=1., *, Generator? generator=None, Tensor(a!) out) "
           "-> Tensor(a!)",
           normal_tensor_float, nondeterministic_seeded),
    OP("aten::normal.float_Tensor(float mean, Tensor std, *, Generator? generator=None) -> Tensor", normal_float_tensor,
       nondeterministic_seeded),
    OP_OUT("aten::normal.float_Tensor_out(float mean, Tensor std, *, Generator? generator=None, Tensor(a!) out) -> "
           "Tensor(a!)",
           normal_float_tensor, nondeterministic_seeded),
    OP("aten::normal.Tensor_Tensor(Tensor mean, Tensor std, *, Generator? generator=None) -> Tensor",
       normal_tensor_tensor, nondeterministic_seeded),
    OP_OUT("aten::normal.Tensor_Tensor_out(Tensor mean, Tensor std, *, Generator? generator=None, Tensor(a!) out) "
           "-> Tensor(a!)",
           normal_tensor_tensor, nondeterministic_seeded),
    OP("aten::normal.float_float(float mean, float std, int[] size, *, Generator? generator=None, ScalarType? "
       "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
       normal_sized, nondeterministic_seeded),
    OP("aten::normal.float_float_out(float mean, float std, int[] size, *, Generator? generator=None, Tensor(a!) "
       "out) -> Tensor(a!)",
       normal_sized_out, nondeterministic_seeded),
    OP("aten::poisson(Tensor self, Generator? generator=None) -> Tensor", poisson, nondeterministic_seeded),
    OP_OUT("aten::poisson.out(Tensor self, Generator? generator=None, *, Tensor(a!) out) -> Tensor(a!)", poisson,
           nondeterministic_seeded),
    OP("aten::binomial(Tensor count, Tensor prob, Generator? generator=None) -> Tensor", binomial,
       nondeterministic_seeded),
    OP_OUT("aten::binomial.out(Tensor count, Tensor prob, Generator? generator=None, *, Tensor(a!) out) -> Tensor(a!)",
           binomial, nondeterministic_seeded),
    OP("aten::_standard_gamma(Tensor self, Generator? generator=None) -> Tensor", standard_gamma,
       nondeterministic_seeded),
    OP_OUT("aten::_standard_gamma.out(Tensor self, Generator? generator=None, *, Tensor(a!) out) -> Tensor(a!)",
           standard_gamma, nondeterministic_seeded),
    OP("aten::_sample_dirichlet(Tensor self, Generator? generator=None) -> Tensor", sample_dirichlet,
       nondeterministic_seeded),
    OP_OUT("aten::_sample_dirichlet.out(Tensor self, Generator? generator=None, *, Tensor(a!) out) -> Tensor(a!)",
           sample_dirichlet, nondeterministic_seeded),
    OP("aten::multinomial(Tensor self, int num_samples, bool replacement=False, *, Generator? generator=None) -> "
       "Tensor",
       multinomial, nondeterministic_seeded),
    OP_OUT("aten::multinomial.out(Tensor self, int num_samples, bool replacement=False, *, Generator? "
           "generator=None, Tensor(a!) out) -> Tensor(a!)",
           multinomial, nondeterministic_seeded),
    OP("aten::dropout(Tensor input, float p, bool train) -> Tensor", dropout, nondeterministic_seeded, may_alias,
       shapes_only, rounds_never, keeps_qparams, keeps_rank),
    OP("aten::dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)", dropout_inplace, nondeterministic_seeded),
    OP("aten::feature_dropout(Tensor input, float p, bool train) -> Tensor", feature_dropout, nondeterministic_seeded,
       may_alias, shapes_only),
    OP("aten::feature_dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)", feature_dropout_inplace,
       nondeterministic_seeded),
    OP("aten::alpha_dropout(Tensor input, float p, bool train) -> Tensor", alpha_dropout, nondeterministic_seeded,
       may_alias),
    OP("aten::alpha_dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)", alpha_dropout_inplace,
       nondeterministic_seeded),
    OP("aten::feature_alpha_dropout(Tensor input, float p, bool train) -> Tensor", feature_alpha_dropout,
       nondeterministic_seeded, may_alias),
    OP("aten::feature_alpha_dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)",
       feature_alpha_dropout_inplace, nondeterministic_seeded),
    OP("aten::native_dropout(Tensor input, float p, bool? train) -> (Tensor, Tensor)", native_dropout,
       nondeterministic_seeded, may_alias),
    OP_OUT("aten::native_dropout.out(Tensor input, float p, bool? train, *, Tensor(a!) out0, Tensor(b!) out1) -> "
           "(Tensor(a!), Tensor(b!))",
           native_dropout, nondeterministic_seeded),
};

}  // namespace

WICK_OP_FAMILY(kRandomOps, kEntries)

}  // namespace wick
