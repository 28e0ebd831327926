// Convolution, pooling and product operators with arguments no sane model has: each call gives a result or an Error.
#include <gtest/gtest.h>

#include <cctype>
#include <random>

#include "core/copy.h"
#include "ops/operator.h"
#include "wick/error.h"

namespace wick {
namespace {

class Hostile {
 public:
  explicit Hostile(unsigned seed) : rng_(seed) {}

  int64_t pick(std::initializer_list<int64_t> from) { return from.begin()[rng_() % from.size()]; }
  bool flip() { return rng_() % 2 == 0; }

  // Mostly plausible, sometimes absurd.
  int64_t number() {
    if (rng_() % 8 == 0)
      return pick({-1, 0, -7, 33, int64_t{INT32_MAX} + 1, int64_t{1} << 45, INT64_MAX, INT64_MIN});
    return pick({0, 1, 1, 1, 2, 2, 3});
  }
  IValue numbers() {
    IntVec list;
    for (int64_t n = pick({0, 1, 1, 2, 2, 3, 4}); n > 0; --n) list.push_back(number());
    return IValue::int_list(list);
  }
  IValue tensor() {
    IntVec sizes;
    for (int64_t n = pick({0, 1, 2, 2, 3, 3, 4, 4, 4, 5, 5}); n > 0; --n) sizes.push_back(pick({0, 1, 1, 2, 2, 3, 4, 5}));
    const DType dtypes[] = {DType::kFloat, DType::kFloat, DType::kFloat, DType::kFloat, DType::kDouble, DType::kLong,
                            DType::kHalf, DType::kBool, DType::kComplexFloat};
    const DType dtype = dtypes[rng_() % 9];
    Tensor t = Tensor::empty(sizes, dtype);
    fill(t, Scalar(static_cast<int64_t>(rng_() % 50) - 10));
    if (rng_() % 4 == 0 && t.dim() >= 2) {
      // The last two dimensions exchanged.
      IntVec s = t.sizes(), st = t.strides();
      std::swap(s[s.size() - 1], s[s.size() - 2]);
      std::swap(st[st.size() - 1], st[st.size() - 2]);
      t = t.as_strided(s, st, 0);
    }
    if (rng_() % 6 == 0 && t.dim() == 4) t = contiguous(t, MemoryFormat::kChannelsLast);
    if (rng_() % 16 == 0) {
      // One element seen as very many.
      IntVec s(static_cast<size_t>(t.dim()), pick({1, 2}));
      if (!s.empty()) s[rng_() % s.size()] = int64_t{1} << 45;
      t = Tensor::scalar(1, dtype).as_strided(s, IntVec(s.size(), 0), 0);
    }
    return t;
  }
  IValue value_for(const Type& type) {
    switch (type.kind()) {
      case TypeKind::kTensor: return tensor();
      case TypeKind::kInt: return number();
      case TypeKind::kFloat: return 0.5;
      case TypeKind::kBool: return flip();
      case TypeKind::kNumber: return flip() ? IValue(number()) : IValue(1.5);
      case TypeKind::kString: return pick({0, 1}) ? "same" : "ij,jk->ik";
      case TypeKind::kOptional: return rng_() % 3 == 0 ? IValue() : value_for(*type.element(0));
      case TypeKind::kList: {
        if (type.element(0)->kind() == TypeKind::kInt) return numbers();
        std::vector<Tensor> tensors;
        for (int64_t n = pick({0, 1, 2, 3}); n > 0; --n) tensors.push_back(tensor().to_tensor());
        return IValue::tensor_list(std::move(tensors));
      }
      default: return {};
    }
  }

  // Another value for an argument: a list or tensor with one number changed, or anything of the type.
  IValue instead_of(const IValue& value, const Type& type) {
    if (value.is_list() && !value.to_list().items.empty() && value.to_list().items[0].is_int() && flip()) {
      IntVec list = value.to_int_vec();
      list[rng_() % list.size()] = number();
      return IValue::int_list(list);
    }
    if (value.is_tensor() && value.to_tensor().dim() > 0 && flip()) {
      IntVec sizes = value.to_tensor().sizes();
      sizes[rng_() % sizes.size()] = pick({0, 1, 2, 3, 4, 5, 9});
      const Tensor t = Tensor::empty(sizes, value.to_tensor().dtype());
      fill(t, Scalar(static_cast<int64_t>(rng_() % 60) - 10));
      return t;
    }
    return value_for(type);
  }

 private:
  std::mt19937 rng_;
};

using Values = std::vector<IValue>;

Tensor filled(IntVec sizes, DType dtype = DType::kFloat) {
  const Tensor t = Tensor::empty(sizes, dtype);
  fill(t, Scalar(1));
  return t;
}
IValue ints(IntVec values) { return IValue::int_list(values); }

// An operator with arguments it accepts.
struct Call {
  const char* op;
  Values args;
};

std::vector<Call> calls() {
  const IValue image = filled({2, 4, 7, 8}), kernel = filled({6, 2, 3, 3}), volume = filled({2, 4, 5, 6, 7});
  const IValue line = filled({2, 4, 9}), one = ints({1}), none = ints({0}), two = ints({2});
  const IValue matrix = filled({3, 5}), batch = filled({2, 3, 5}), vector = filled({5});
  return {
      {"aten::conv1d", {line, filled({6, 2, 3}), IValue(), one, one, one, 2}},
      {"aten::conv2d", {image, kernel, filled({6}), one, one, two, 2}},
      {"aten::conv2d", {image, filled({4, 1, 3, 3}), IValue(), two, one, one, 4}},
      {"aten::conv2d", {contiguous(image.to_tensor(), MemoryFormat::kChannelsLast), kernel, IValue(), two, one, one, 2}},
      {"aten::conv2d",
       {contiguous(image.to_tensor(), MemoryFormat::kChannelsLast), filled({4, 1, 3, 3}), IValue(), two, one, one, 4}},
      {"aten::conv2d", {filled({1, 2, 5, 5}, DType::kLong), filled({3, 2, 3, 3}, DType::kLong), IValue(), one, one, one, 1}},
      {"aten::conv3d", {volume, filled({6, 4, 3, 2, 3}), IValue(), two, one, one, 1}},
      {"aten::conv2d.padding", {image, kernel, IValue(), one, "same", one, 2}},
      {"aten::_convolution", {image, kernel, IValue(), one, one, one, false, none, 2, false, false, true, true}},
      {"aten::conv_transpose1d", {line, filled({4, 3, 3}), IValue(), two, one, one, 2, one}},
      {"aten::conv_transpose2d.input", {image, filled({4, 3, 3, 2}), IValue(), two, one, one, 2, one}},
      {"aten::conv_transpose3d.input", {volume, filled({4, 3, 3, 2, 1}), IValue(), two, none, one, 1, one}},
      {"aten::conv_tbc", {filled({7, 2, 4}), filled({3, 4, 5}), filled({5}), 1}},
      {"aten::thnn_conv2d", {image, filled({6, 4, 3, 3}), ints({3, 3}), IValue(), one, one}},
      {"aten::slow_conv_dilated2d", {image, filled({6, 4, 3, 3}), ints({3, 3}), IValue(), one, one, two}},
      {"aten::max_pool1d", {line, two, two, one, one, true}},
      {"aten::max_pool2d", {image, ints({3, 2}), two, one, two, true}},
      {"aten::max_pool2d_with_indices", {image, ints({3, 2}), two, one, two, true}},
      {"aten::max_pool3d_with_indices", {volume, two, one, one, one, false}},
      {"aten::avg_pool1d", {line, two, two, one, true, false}},
      {"aten::avg_pool2d", {image, ints({3, 2}), two, one, true, true, IValue()}},
      {"aten::avg_pool3d", {volume, two, two, one, true, false, 3}},
      {"aten::adaptive_avg_pool2d", {image, ints({3, 5})}},
      {"aten::adaptive_max_pool3d", {volume, ints({3, 2, 4})}},
      {"aten::fractional_max_pool2d", {image, ints({2, 2}), ints({3, 4}), filled({2, 4, 2})}},
      {"aten::fractional_max_pool3d", {volume, ints({2, 2, 2}), ints({3, 4, 2}), filled({2, 4, 3})}},
      {"aten::max_unpool2d", {filled({2, 4, 3, 4}), filled({2, 4, 3, 4}, DType::kLong), ints({6, 8})}},
      {"aten::max_unpool3d",
       {filled({2, 4, 3, 4, 2}), filled({2, 4, 3, 4, 2}, DType::kLong), ints({6, 8, 4}), ints({2, 2, 2}), ints({0, 0, 0})}},
      {"aten::mm", {matrix, filled({5, 4})}},
      {"aten::bmm", {batch, filled({2, 5, 4})}},
      {"aten::matmul", {batch, filled({5, 4})}},
      {"aten::matmul", {filled({3, 1, 2, 5}), filled({2, 5, 4})}},
      {"aten::addmm", {filled({4}), matrix, filled({5, 4}), 1, 2}},
      {"aten::addmv", {filled({3}), matrix, vector, 1, 2}},
      {"aten::baddbmm", {filled({4}), batch, filled({2, 5, 4}), 1, 2}},
      {"aten::addbmm", {filled({3, 4}), batch, filled({2, 5, 4}), 1, 2}},
      {"aten::addr", {filled({3, 5}), filled({3}), vector, 1, 2}},
      {"aten::linear", {matrix, filled({4, 5}), filled({4})}},
      {"aten::bilinear", {filled({2, 3}), filled({2, 4}), filled({5, 3, 4}), filled({5})}},
      {"aten::einsum", {"bij,bjk->bik", IValue::tensor_list({filled({2, 3, 4}), filled({2, 4, 5})}), IValue()}},
      {"aten::tensordot", {filled({2, 3, 4}), filled({4, 3, 5}), ints({1, 2}), ints({1, 0})}},
      {"aten::kron", {matrix, filled({2, 3})}},
      {"aten::linalg_multi_dot", {IValue::tensor_list({matrix.to_tensor(), filled({5, 4}), filled({4, 2})})}},
      {"aten::matrix_power", {filled({2, 3, 3}), 5}},
  };
}

void run(const Operator& op, Values args) {
  Values rets(op.schema.returns.size());
  op.call(args.data(), args.size(), rets.data());
}

class HostileArguments : public testing::TestWithParam<size_t> {};

TEST_P(HostileArguments, GiveAResultOrAnError) {
  constexpr unsigned kRounds = 400;
  const Call call = calls()[GetParam()];
  const Operator* op = find_operator(call.op);
  ASSERT_NE(op, nullptr) << call.op;
  ASSERT_EQ(op->schema.arguments.size(), call.args.size()) << call.op;
  ASSERT_NO_THROW(run(*op, call.args)) << call.op;
  for (unsigned round = 0; round < kRounds; ++round) {
    Hostile hostile(round);
    Values args = call.args;
    for (size_t i = 0; i < args.size(); ++i)
      if (hostile.pick({0, 0, 1}) != 0) args[i] = hostile.instead_of(args[i], *op->schema.arguments[i].type);
    try {
      run(*op, std::move(args));
    } catch (const Error&) {
    } catch (const std::bad_alloc&) {
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, HostileArguments, testing::Range(size_t{0}, calls().size()));

}  // namespace
}  // namespace wick
