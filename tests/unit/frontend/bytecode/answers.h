// The fixture files of tests/data/lite, and whether a model gives the answers PyTorch gave.
#pragma once

#include "api/module_access.h"
#include "archive/pickle.h"
#include "core/check.h"
#include "core/operator.h"
#include "ir/program.h"
#include "unit/frontend/bytecode/fixtures.h"

namespace wick::test {

struct Fixture {
  const char* file;
  const char* cases;
};

inline constexpr Fixture kFixtures[] = {
    {"arithmetic.ptl", "arithmetic"},
    {"arithmetic_v4.ptl", "arithmetic"},
    {"arithmetic_v5.ptl", "arithmetic"},
    {"arithmetic_v6.ptl", "arithmetic"},
    {"arithmetic_v7.ptl", "arithmetic"},
    {"arithmetic.ff", "arithmetic"},
    {"control_flow.ptl", "control_flow"},
    {"control_flow_v5.ptl", "control_flow"},
    {"control_flow.ff", "control_flow"},
    {"containers.ptl", "containers"},
    {"containers_v4.ptl", "containers"},
    {"containers.ff", "containers"},
    {"named_tuples.ptl", "named_tuples"},
    {"counter.ptl", "counter"},
    {"counter.ff", "counter"},
    {"classes.ptl", "classes"},
    {"classes.ff", "classes"},
    {"enums.ptl", "enums"},
    {"stateful.ptl", "stateful"},
    {"stateful.ff", "stateful"},
    {"failing.ptl", "failing"},
    {"failing.ff", "failing"},
    {"bundled.ptl", "bundled"},
    {"bundled.ff", "bundled"},
    {"defaults.ptl", "defaults"},
    {"defaults.ff", "defaults"},
    {"aliases.ptl", "aliases"},
    {"aliases.ff", "aliases"},
    {"prepacked.ptl", "prepacked"},
    {"old_ops.ptl", "old_ops"},
    {"upgraded.ff", "upgraded"},
    {"control_flow_v3.ptl", "control_flow"},
    {"language.ptl", "language"},
    {"language.ff", "language"},
    {"language_v7.ptl", "language"},
    {"language_v6.ptl", "language"},
    {"language_v5.ptl", "language"},
    {"language_v4.ptl", "language"},
    {"two/attention.ptl", "two/attention"},
    {"two/attention.ff", "two/attention"},
    {"two/transformer.ptl", "two/transformer"},
    {"two/overloads.ptl", "two/overloads"},
    {"two/overloads.ff", "two/overloads"},
    {"two/dtypes.ptl", "two/dtypes"},
};

// Equal up to rounding; tensors must agree in dtype, shape and strides.
inline void expect_close(const IValue& actual, const IValue& expected, const std::string& where) {
  if (expected.is_tensor()) {
    ASSERT_TRUE(actual.is_tensor()) << where << ": got " << actual.tag_name();
    const Tensor& a = actual.to_tensor();
    const Tensor& b = expected.to_tensor();
    ASSERT_EQ(a.dtype(), b.dtype()) << where;
    ASSERT_EQ(a.sizes(), b.sizes()) << where;
    for (int64_t d = 0; d < a.dim(); ++d) {
      if (a.size(d) > 1) {
        EXPECT_EQ(a.stride(d), b.stride(d)) << where << ": stride of dim " << d;
      }
    }
    const IValue same = call_operator("aten::allclose", {actual, expected, 1e-5, 1e-6})[0];
    EXPECT_TRUE(same.to_bool()) << where << ": " << repr(actual) << " instead of " << repr(expected);
  } else if (expected.is_tuple()) {
    ASSERT_TRUE(actual.is_tuple()) << where << ": got " << actual.tag_name();
    const auto& a = actual.to_tuple().items;
    const auto& b = expected.to_tuple().items;
    ASSERT_EQ(a.size(), b.size()) << where;
    for (size_t i = 0; i < a.size(); ++i) expect_close(a[i], b[i], cat(where, "[", i, "]"));
  } else if (expected.is_dict()) {
    ASSERT_TRUE(actual.is_dict()) << where << ": got " << actual.tag_name();
    ASSERT_EQ(actual.to_dict().size(), expected.to_dict().size()) << where;
    for (const auto& [key, value] : expected.to_dict().entries()) {
      const IValue* found = actual.to_dict().find(key);
      ASSERT_TRUE(found) << where << ": no key " << repr(key);
      expect_close(*found, value, cat(where, "[", repr(key), "]"));
    }
  } else {
    EXPECT_TRUE(equal(actual, expected)) << where << ": " << repr(actual) << " instead of " << repr(expected);
  }
}

// Lists of a torch.save file have no element type; a model's arguments need one.
inline IValue typed(const IValue& value, const Type& type) {
  if (value.is_list() && type.is(TypeKind::kList)) {
    std::vector<IValue> items;
    for (const IValue& item : value.to_list().items) items.push_back(typed(item, *type.element(0)));
    return IValue::list(type.element(0), std::move(items));
  }
  return value;
}

// Runs the cases of a fixture ("arithmetic") on a model.
inline void expect_answers(const Module& module, const std::string& cases_name) {
  const IValue cases = load_saved(lite_path(cases_name + ".cases.pt"));
  for (const IValue& entry : cases.to_list().items) {
    const auto& parts = entry.to_tuple().items;
    const std::string& method = parts[0].to_string();
    std::vector<IValue> args = parts[1].to_tuple().items;
    const ir::Function* function = program_of(module)->find_method(method);
    ASSERT_TRUE(function) << method;
    for (size_t i = 0; i < args.size() && function->has_schema; ++i) {
      args[i] = typed(args[i], *function->schema.arguments[i + 1].type);
    }
    expect_close(module.run_method(method, args), parts[2], method);
  }
}

inline std::string fixture_name(const ::testing::TestParamInfo<Fixture>& info) {
  std::string name = info.param.file;
  for (char& c : name) c = c == '.' || c == '/' ? '_' : c;
  return name;
}

}  // namespace wick::test
