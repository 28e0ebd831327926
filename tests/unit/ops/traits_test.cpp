// The traits of every operator, held against what the operator is seen to do.
//
// WICK_TRAITS_ROUNDS  calls of each operator in each test
#include <gtest/gtest.h>

#include <cstring>

#include "core/shapes_only.h"
#include "core/tensor_impl.h"
#include "ops/op_entry.h"
#include "unit/ops/hostile_guard.h"
#include "unit/ops/wild_values.h"
#include "wick/module.h"

namespace wick {
namespace {

unsigned rounds() {
  const char* given = std::getenv("WICK_TRAITS_ROUNDS");
  return given ? static_cast<unsigned>(std::atoi(given)) : 16;
}

void each_tensor(const IValue& value, std::vector<Tensor>& out) {
  if (value.is_tensor() && value.to_tensor().defined()) out.push_back(value.to_tensor());
  if (value.is_list()) {
    for (const IValue& item : value.to_list().items) each_tensor(item, out);
  } else if (value.is_tuple()) {
    for (const IValue& item : value.to_tuple().items) each_tensor(item, out);
  }
}
std::vector<Tensor> tensors_of(const IValue& value) {
  std::vector<Tensor> out;
  each_tensor(value, out);
  return out;
}
std::vector<Tensor> tensors_of(const std::vector<IValue>& values) {
  std::vector<Tensor> out;
  for (const IValue& value : values) each_tensor(value, out);
  return out;
}

bool same_shape(const Tensor& a, const Tensor& b) {
  return a.dtype() == b.dtype() && a.sizes() == b.sizes() && a.strides() == b.strides();
}
bool same_elements(const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype() || !(a.sizes() == b.sizes())) return false;
  if (a.numel() == 0) return true;
  const Tensor x = clone(a, MemoryFormat::kContiguous), y = clone(b, MemoryFormat::kContiguous);
  return std::memcmp(x.raw_data(), y.raw_data(), x.nbytes()) == 0;
}
bool same_tensors(const std::vector<Tensor>& a, const std::vector<Tensor>& b,
                  bool (*same)(const Tensor&, const Tensor&)) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}
bool same_number(const IValue& a, const IValue& b) {
  if (a.is_double() && b.is_double()) {
    const double x = a.to_double(), y = b.to_double();
    return std::memcmp(&x, &y, sizeof x) == 0;
  }
  if (a.is_int() && b.is_int()) return a.to_int() == b.to_int();
  if (a.is_bool() && b.is_bool()) return a.to_bool() == b.to_bool();
  return a.is_complex() == b.is_complex();
}

// One call with arguments that the seed decides.
struct Call {
  Call(const Operator& op, unsigned seed, const std::vector<IValue>& packed, bool only_shapes = false)
      : args(hostile::Wild(seed, packed).arguments(op.schema)), rets(std::max<size_t>(1, op.schema.returns.size())) {
    std::vector<IValue> given = args;
    const ShapesOnly skips(only_shapes);
    try {
      op.call(given.data(), given.size(), rets.data());
      ok = true;
    } catch (const Error&) {
    } catch (const std::bad_alloc&) {
      lacks_memory = true;
    } catch (const std::length_error&) {
      lacks_memory = true;
    }
  }
  const IValue* argument(size_t i) const { return i < args.size() ? &args[i] : nullptr; }

  std::vector<IValue> args, rets;
  bool ok = false, lacks_memory = false;
};

KnownArgument arguments_of(const Call& call) {
  return [&call](size_t i) { return call.argument(i); };
}

bool share(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  for (const Tensor& x : a) {
    for (const Tensor& y : b) {
      if (x.impl() == y.impl() || (x.storage() == y.storage() && x.storage()->nbytes() > 0)) return true;
    }
  }
  return false;
}

// A pinned list of what nothing is known about: each does something besides giving results.
TEST(Traits, FewOperatorsHaveNone) {
  std::vector<std::string> unknown;
  for (const OpEntry* entry : all_operator_entries()) {
    if (entry->traits.empty()) unknown.emplace_back(schema_full_name(entry->schema));
  }
  std::sort(unknown.begin(), unknown.end());
  EXPECT_EQ(unknown, (std::vector<std::string>{"aten::Generator",
                                               "aten::batch_norm_update_stats",
                                               "aten::batch_norm_update_stats.out",
                                               "aten::initial_seed",
                                               "aten::manual_seed",
                                               "aten::manual_seed.generator",
                                               "aten::requires_grad_",
                                               "aten::retain_grad",
                                               "aten::rrelu_with_noise",
                                               "aten::rrelu_with_noise.out",
                                               "aten::rrelu_with_noise_",
                                               "aten::seed",
                                               "aten::set_grad_enabled",
                                               "aten::wait",
                                               "aten::warn",
                                               "prim::Print",
                                               "prim::RaiseException",
                                               "profiler::_record_function_enter",
                                               "profiler::_record_function_enter_new",
                                               "profiler::_record_function_exit",
                                               "profiler::_record_function_exit._RecordFunction",
                                               "quantized::relu6"}));
}

TEST(Traits, VariantsOfAnOperatorAgree) {
  for (std::string_view schema : all_operator_schemas()) {
    const Operator& op = *find_operator(schema_full_name(schema));
    const Operator* variant = functional_variant_of(op);
    if (!variant) continue;
    SCOPED_TRACE(schema);
    for (OpTraits trait : {traits::pointwise, traits::nondeterministic_seeded, traits::returns_bools}) {
      EXPECT_EQ(op.has(trait), variant->has(trait));
    }
  }
}

// Pinned: their functional operators have another overload, or other arguments.
TEST(Traits, InPlaceOperatorsHaveFunctionalVariants) {
  std::vector<std::string> alone;
  for (std::string_view schema : all_operator_schemas()) {
    const Operator& op = *find_operator(schema_full_name(schema));
    const std::string& name = op.schema.name;
    const bool in_place = op.mutates && name.ends_with('_') && !name.ends_with("__") && op.schema.returns.size() == 1;
    if (!in_place || !op.has(traits::pointwise) || functional_variant_of(op)) continue;
    alone.push_back(op.schema.full_name());
  }
  std::sort(alone.begin(), alone.end());
  EXPECT_EQ(alone, (std::vector<std::string>{"aten::float_power_.Scalar", "aten::float_power_.Tensor",
                                             "aten::floor_divide_.Tensor", "aten::ldexp_", "aten::polygamma_",
                                             "aten::pow_.Scalar", "aten::pow_.Tensor"}));
}

class ObservedTraits : public testing::Test {
 protected:
  static int failure_count() {
    return testing::UnitTest::GetInstance()->current_test_info()->result()->total_part_count();
  }

  // Calls check(op, seed, packed) for every operator of which something is known.
  template <class Check>
  void for_each_call(const Check& check) {
    const std::vector<IValue> packed = hostile::packed_weights();
    const unsigned count = rounds();
    const hostile::Guard guard;
    for (std::string_view schema : all_operator_schemas()) {
      const Operator& op = *find_operator(schema_full_name(schema));
      // A polynomial's degree is an element, and its loop as long as that.
      const bool is_endless = op.schema.name.find("_polynomial_") != std::string::npos;
      if (op.is_unknown() || is_endless || hostile::is_skipped(op.schema.name)) continue;
      for (unsigned seed = 1; seed <= count; ++seed) {
        hostile::watch(op.schema.full_name());
        SCOPED_TRACE(cat(op.schema.full_name(), " seed ", seed));
        const int failures = failure_count();
        check(op, seed, packed);
        if (failure_count() > failures) break;
      }
    }
  }
};

TEST_F(ObservedTraits, DeterministicOperatorsRepeatTheirResults) {
  for_each_call([](const Operator& op, unsigned seed, const std::vector<IValue>& packed) {
    manual_seed(seed);
    const Call first(op, seed, packed);
    if (!first.ok || op.has(traits::by_context) || op.has(traits::uninitialized)) return;
    if (may_draw(op, arguments_of(first))) return;
    manual_seed(seed + 1000);
    const Call second(op, seed, packed);
    ASSERT_TRUE(second.ok || second.lacks_memory);
    if (!second.ok) return;
    for (size_t i = 0; i < first.rets.size(); ++i) EXPECT_TRUE(same_number(first.rets[i], second.rets[i]));
    EXPECT_TRUE(same_tensors(tensors_of(first.rets), tensors_of(second.rets), same_elements));
    EXPECT_TRUE(same_tensors(tensors_of(first.args), tensors_of(second.args), same_elements));
  });
}

TEST_F(ObservedTraits, OnlyMarkedArgumentsChange) {
  for_each_call([](const Operator& op, unsigned seed, const std::vector<IValue>& packed) {
    if (op.schema.is_vararg) return;
    const Call call(op, seed, packed);
    if (!call.ok || may_update_statistics(op, arguments_of(call))) return;
    const std::vector<IValue> fresh = hostile::Wild(seed, packed).arguments(op.schema);
    std::vector<Tensor> written;
    for (size_t i = 0; i < call.args.size(); ++i) {
      if (op.schema.arguments[i].is_mutated) each_tensor(call.args[i], written);
    }
    for (size_t i = 0; i < call.args.size(); ++i) {
      const std::vector<Tensor> tensors = tensors_of(call.args[i]);
      if (op.schema.arguments[i].is_mutated || share(tensors, written)) continue;
      EXPECT_TRUE(same_tensors(tensors, tensors_of(fresh[i]), same_shape)) << "argument " << i;
      EXPECT_TRUE(same_tensors(tensors, tensors_of(fresh[i]), same_elements)) << "argument " << i;
    }
  });
}

TEST_F(ObservedTraits, OnlyMarkedResultsAreArguments) {
  for_each_call([](const Operator& op, unsigned seed, const std::vector<IValue>& packed) {
    if (op.schema.is_vararg || op.schema.is_varret || op.has(traits::may_alias)) return;
    const Call call(op, seed, packed);
    if (!call.ok) return;
    for (size_t i = 0; i < op.schema.returns.size(); ++i) {
      const Argument& result = op.schema.returns[i];
      const bool is_plain = result.type->is(TypeKind::kTensor) ||
                            (result.type->is(TypeKind::kList) && result.type->element(0)->is(TypeKind::kTensor));
      if (!is_plain || result.is_alias) continue;
      EXPECT_FALSE(share(tensors_of(call.rets[i]), tensors_of(call.args))) << "result " << i;
    }
  });
}

TEST_F(ObservedTraits, ShapesNeedNoElements) {
  for_each_call([](const Operator& op, unsigned seed, const std::vector<IValue>& packed) {
    if (!op.has(traits::shapes_only)) return;
    const Call call(op, seed, packed);
    if (!call.ok || may_draw(op, arguments_of(call))) return;
    const Call shapes(op, seed, packed, true);
    ASSERT_TRUE(shapes.ok || shapes.lacks_memory);
    if (shapes.ok) {
      EXPECT_TRUE(same_tensors(tensors_of(call.rets), tensors_of(shapes.rets), same_shape));
    }
  });
}

TEST_F(ObservedTraits, FunctionalVariantsGiveWhatInPlaceOperatorsWrite) {
  for_each_call([](const Operator& op, unsigned seed, const std::vector<IValue>& packed) {
    const Operator* variant = functional_variant_of(op);
    if (!variant || op.has(traits::uninitialized)) return;
    manual_seed(seed);
    const Call in_place(op, seed, packed);
    // An argument that shares memory with the one written to may be read before or after it is.
    if (!in_place.ok || !in_place.args[0].is_tensor()) return;
    if (share(tensors_of(in_place.args[0]),
              tensors_of(std::vector<IValue>(in_place.args.begin() + 1, in_place.args.end())))) {
      return;
    }
    manual_seed(seed);
    const Call functional(*variant, seed, packed);
    if (!functional.ok) return;
    const Tensor &a = in_place.args[0].to_tensor(), &b = functional.rets[0].to_tensor();
    // Random numbers are drawn in the order of memory.
    const bool in_order = !op.has(traits::nondeterministic_seeded) || a.strides() == b.strides();
    if (a.dtype() == b.dtype() && a.sizes() == b.sizes() && in_order) {
      EXPECT_TRUE(same_elements(a, b));
    }
  });
}

// What the planner relies on when it replaces an in-place operator on images in NHWC by its functional variant.
TEST(Traits, PointwiseOperatorsKeepStrides) {
  for (std::string_view schema : all_operator_schemas()) {
    const Operator& op = *find_operator(schema_full_name(schema));
    const Operator* variant = functional_variant_of(op);
    if (!variant || !op.has(traits::pointwise)) continue;
    SCOPED_TRACE(schema);
    bool any = false;
    for (DType dtype : {DType::kFloat, DType::kLong, DType::kBool, DType::kDouble}) {
      std::vector<IValue> args;
      for (const Argument& argument : variant->schema.arguments) {
        const Type& type = argument.type->is(TypeKind::kOptional) ? *argument.type->element(0) : *argument.type;
        if (type.is(TypeKind::kTensor)) {
          const Tensor image = Tensor::empty({2, 3, 4, 5}, dtype, MemoryFormat::kChannelsLast);
          fill(image, Scalar(1));
          args.emplace_back(image);
        } else {
          const bool is_given =
              !argument.has_default || (argument.default_value.is_none() && type.is(TypeKind::kNumber));
          args.push_back(is_given && !type.is(TypeKind::kString) ? IValue(1) : argument.default_value);
        }
      }
      std::vector<IValue> rets(1);
      try {
        variant->call(args.data(), args.size(), rets.data());
      } catch (const Error&) {
        continue;
      }
      any = true;
      EXPECT_EQ(rets[0].to_tensor().strides(), (IntVec{60, 1, 15, 3})) << name_of(dtype);
      if (op.has(traits::returns_bools)) {
        EXPECT_EQ(rets[0].to_tensor().dtype(), DType::kBool);
      }
    }
    EXPECT_TRUE(any);
  }
}

}  // namespace
}  // namespace wick
