// Operators that take long in one call look at the limits of the run meanwhile: kernels on one thread, decompositions
// of one large matrix, sums over tensors that repeat their elements.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/budget.h"
#include "core/copy.h"
#include "core/operator.h"
#include "core/shape.h"
#include "kernels/bounds.h"
#include "wick/error.h"
#include "wick/module.h"

namespace wick {
namespace {

Tensor random(IntVec sizes, DType dtype = DType::kFloat) {
  const Tensor t = Tensor::empty(sizes, DType::kFloat);
  std::mt19937 rng(1);
  std::uniform_real_distribution<float> values(-1, 1);
  for (int64_t i = 0, count = t.numel(); i < count; ++i) t.data_ptr<float>()[i] = values(rng);
  return to_dtype(t, dtype);
}

IValue ints(std::initializer_list<int64_t> values) { return IValue::int_list(IntVec(values)); }
IValue tensors(std::initializer_list<Tensor> values) { return IValue::tensor_list(std::vector<Tensor>(values)); }

struct Case {
  std::string name;  // of the operator
  std::vector<IValue> args;
};

void call(const Case& c) {
  const Operator* op = find_operator(c.name);
  ASSERT_NE(op, nullptr) << c.name;
  std::vector<IValue> args = c.args, rets(op->schema.returns.size());
  for (size_t i = args.size(); i < op->schema.arguments.size(); ++i)
    args.push_back(op->schema.arguments[i].default_value);
  op->call(args.data(), args.size(), rets.data());
}

// What kernels call between pieces of work: counts, and stops the work once.
thread_local int64_t t_looks = 0, t_last_look = 0;
void count_look() {
  if (++t_looks == t_last_look) throw Error(ErrorCode::kCancelled, "the last look");
}

// On one thread, where no other look lies between the pieces of a parallel loop: a call looks several times, and what
// is thrown half way comes out of it.
void expect_looks(const std::vector<Case>& cases) {
  set_num_threads(1);
  const BoundedWork bounded("the call", {.timeout = std::chrono::hours(1)});
  const kernels::Look before = std::exchange(kernels::t_look_at_bounds, &count_look);
  for (const Case& c : cases) {
    const int64_t dims = c.args[0].to_tensor().dim();
    t_looks = t_last_look = 0;
    call(c);
    EXPECT_GE(t_looks, 4) << c.name << " of " << dims << " dims";
    t_last_look = std::max<int64_t>(1, t_looks / 2);
    t_looks = 0;
    EXPECT_THROW(call(c), Error) << c.name << " of " << dims << " dims";
    EXPECT_EQ(t_looks, t_last_look) << c.name << " of " << dims << " dims";
  }
  kernels::t_look_at_bounds = before;
  set_num_threads(0);
}

TEST(LongOperators, DecompositionsOfOneMatrix) {
  if (!find_operator("aten::linalg_svd")) GTEST_SKIP() << "built without linear algebra";
  const auto square = [](int64_t n) { return random({n, n}, DType::kDouble); };
  const auto complex = [](int64_t n) { return random({n, n}, DType::kComplexDouble); };
  const Tensor positive = square(400);
  {
    // Diagonally dominant, and so positive definite.
    for (int64_t i = 0; i < 400; ++i) positive.data_ptr<double>()[i * 401] = 1000;
  }
  Tensor pivots = Tensor::empty({300}, DType::kLong);
  for (int64_t i = 0; i < 300; ++i) pivots.data_ptr<int64_t>()[i] = i + 1;
  expect_looks({
      {"aten::linalg_svd", {square(200), false}},
      {"aten::linalg_svdvals", {square(250)}},
      {"aten::linalg_svd", {complex(60), false}},
      {"aten::linalg_eig", {square(150)}},
      {"aten::linalg_eigvals", {complex(120)}},
      {"aten::linalg_eigh", {square(250), "L"}},
      {"aten::linalg_eigvalsh", {square(400), "L"}},
      {"aten::linalg_qr", {square(400), "reduced"}},
      {"aten::geqrf", {square(500)}},
      {"aten::linalg_householder_product", {square(300), random({300}, DType::kDouble)}},
      {"aten::ormqr", {square(250), random({250}, DType::kDouble), square(250)}},
      {"aten::linalg_cholesky", {positive}},
      {"aten::linalg_inv", {square(400)}},
      {"aten::linalg_lu_factor", {square(500), true}},
      {"aten::linalg_solve", {square(500), square(500), true}},
      {"aten::linalg_det", {square(500)}},
      {"aten::linalg_lstsq", {square(200), square(200)}},
      {"aten::linalg_lstsq", {square(150), square(150), IValue(), "gelsd"}},
      {"aten::pinverse", {square(150), 1e-15}},
      {"aten::linalg_matrix_exp", {square(200)}},
      {"aten::linalg_ldl_solve", {square(300), pivots, square(300), false}},
  });
}

TEST(LongOperators, KernelsOnOneThread) {
  const Tensor image = random({1, 16, 96, 96}), wide = to_dtype(image, DType::kDouble);
  const Tensor last = contiguous(image, MemoryFormat::kChannelsLast);
  const auto conv = [](const Tensor& x, IntVec kernel, int64_t groups) -> std::vector<IValue> {
    const DType dtype = x.dtype();
    return {x, random(std::move(kernel), dtype), IValue(), ints({1, 1}), ints({0, 0}), ints({1, 1}), groups};
  };
  const std::vector<IValue> pool{
      random({1, 1, 300, 300}), ints({100, 100}), ints({1, 1}), ints({0, 0}), ints({1, 1}), false};
  std::vector<IValue> indexed = pool;
  const Tensor gates = random({512, 128}), state = Tensor::zeros({1, 1, 128});
  expect_looks({
      {"aten::mm", {random({900, 900}), random({900, 900})}},
      {"aten::mm", {random({40000, 128}), random({128, 16})}},
      {"aten::mm", {random({600, 600}, DType::kDouble), random({600, 600}, DType::kDouble)}},
      {"aten::conv2d", conv(image, {16, 16, 9, 9}, 1)},
      {"aten::conv2d", conv(last, {16, 16, 9, 9}, 1)},
      {"aten::conv2d", conv(last, {128, 16, 3, 3}, 1)},
      {"aten::conv2d", conv(wide, {16, 16, 9, 9}, 1)},
      {"aten::conv2d", conv(image, {16, 1, 40, 40}, 16)},
      {"aten::conv2d", conv(last, {16, 1, 40, 40}, 16)},
      {"aten::conv_transpose2d.input", {image, random({16, 8, 9, 9})}},
      {"aten::max_pool2d", pool},
      {"aten::max_pool2d_with_indices", indexed},
      {"aten::avg_pool2d",
       {contiguous(random({1, 8, 120, 120}), MemoryFormat::kChannelsLast), ints({50, 50}), ints({1, 1}), ints({0, 0}),
        false, true, IValue()}},
      {"aten::lstm.input",
       {random({3000, 1, 128}), tensors({state, state}), tensors({gates, gates}), false, int64_t{1}, 0.0, false, false,
        false}},
      {"aten::fft_fft", {random({300007}), IValue(), int64_t{-1}, IValue()}},
  });
}

// A sum over a tensor that repeats its elements is longer than all memory.
TEST(LongOperators, SumsLongerThanMemory) {
  const Tensor row = expand(Tensor::scalar(1, DType::kFloat), {int64_t{1} << 40});
  const BoundedWork bounded("the call", {.timeout = std::chrono::milliseconds(20)});
  for (const char* name : {"aten::dot", "aten::vdot", "aten::matmul"}) {
    try {
      call({name, {row, row}});
      ADD_FAILURE() << name << " ran to its end";
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::kDeadlineExceeded) << name << ": " << e.what();
    }
  }
}

TEST(LongOperators, LongSumsAreAddedUpInPieces) {
  constexpr int64_t kLength = (int64_t{1} << 24) + 5;
  const Tensor half = expand(Tensor::scalar(0.5, DType::kFloat), {kLength});
  std::vector<IValue> rets(1), args{to_dtype(half, DType::kDouble), to_dtype(half, DType::kDouble)};
  find_operator("aten::dot")->call(args.data(), 2, rets.data());
  EXPECT_EQ(rets[0].to_tensor().item().to_double(), 0.25 * static_cast<double>(kLength));
}

}  // namespace
}  // namespace wick
