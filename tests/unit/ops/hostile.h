// Calls an operator with arguments no sane model has: each call must give a result or an Error.
#pragma once

#include <gtest/gtest.h>

#include <random>

#include "core/copy.h"
#include "core/operator.h"
#include "wick/error.h"

namespace wick::hostile {

class Hostile {
 public:
  explicit Hostile(unsigned seed) : rng_(seed) {}

  int64_t pick(std::initializer_list<int64_t> from) { return from.begin()[rng_() % from.size()]; }
  bool flip() { return rng_() % 2 == 0; }

  // Mostly plausible, sometimes absurd.
  int64_t number() {
    if (rng_() % 8 == 0) return pick({-1, 0, -7, 33, int64_t{INT32_MAX} + 1, int64_t{1} << 45, INT64_MAX, INT64_MIN});
    return pick({0, 1, 1, 1, 2, 2, 3});
  }
  IValue numbers() {
    IntVec list;
    for (int64_t n = pick({0, 1, 1, 2, 2, 3, 4}); n > 0; --n) list.push_back(number());
    return IValue::int_list(list);
  }
  IValue tensor() {
    IntVec sizes;
    for (int64_t n = pick({0, 1, 2, 2, 3, 3, 4, 4, 4, 5, 5}); n > 0; --n)
      sizes.push_back(pick({0, 1, 1, 2, 2, 3, 4, 5}));
    const DType dtypes[] = {DType::kFloat, DType::kFloat, DType::kFloat, DType::kFloat,       DType::kDouble,
                            DType::kLong,  DType::kHalf,  DType::kBool,  DType::kComplexFloat};
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
      case TypeKind::kTensor:
        return tensor();
      case TypeKind::kInt:
        return number();
      case TypeKind::kFloat:
        return 0.5;
      case TypeKind::kBool:
        return flip();
      case TypeKind::kNumber:
        return flip() ? IValue(number()) : IValue(1.5);
      case TypeKind::kString:
        return pick({0, 1}) ? "same" : "ij,jk->ik";
      case TypeKind::kOptional:
        return rng_() % 3 == 0 ? IValue() : value_for(*type.element(0));
      case TypeKind::kList: {
        if (type.element(0)->kind() == TypeKind::kInt) return numbers();
        std::vector<Tensor> tensors;
        for (int64_t n = pick({0, 1, 2, 3}); n > 0; --n) tensors.push_back(tensor().to_tensor());
        return IValue::tensor_list(std::move(tensors));
      }
      default:
        return {};
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

inline Tensor filled(IntVec sizes, DType dtype = DType::kFloat) {
  const Tensor t = Tensor::empty(sizes, dtype);
  fill(t, Scalar(1));
  return t;
}
inline IValue ints(IntVec values) { return IValue::int_list(values); }

// An operator with arguments it accepts.
struct Call {
  const char* op;
  Values args;
};

inline void run(const Operator& op, Values args) {
  Values rets(op.schema.returns.size());
  op.call(args.data(), args.size(), rets.data());
}

// Varies the arguments of a call that works, some at a time.
inline void vary(const Call& call) {
  constexpr unsigned kRounds = 400;
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

}  // namespace wick::hostile
