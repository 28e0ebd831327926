// Operators and classes that an application registers at run time.
#include "wick/registry.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>

#include "core/check.h"
#include "core/custom_classes.h"
#include "core/operator.h"
#include "runtime/arguments.h"

namespace wick {
namespace {

constexpr std::string_view kClassPrefix = "__torch__.torch.classes.";

class RegisteredCall : public CustomCall {
 public:
  RegisteredCall(std::string name, std::vector<TypePtr> types, Registry::Function function)
      : name_(std::move(name)), types_(std::move(types)), function_(std::move(function)) {}

  void call(IValue* args, size_t nargs, IValue* rets) const override {
    std::vector<IValue> results;
    try {
      results = function_(std::vector<IValue>(args, args + nargs));
    } catch (const Error&) {
      throw;
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& e) {
      throw Error(ErrorCode::kModelException, cat(name_, ": ", e.what()));
    }
    // A single result that is a tuple of C++ comes as its items.
    if (types_.size() == 1 && results.size() > 1) results = {IValue::tuple(std::move(results))};
    WICK_CHECK(results.size() == types_.size(), kTypeMismatch, "operator ", name_, " gave ", results.size(),
               " results, and its schema says ", types_.size());
    for (size_t i = 0; i < results.size(); ++i) {
      WICK_CHECK(!types_[i] || runtime::convert_attribute(results[i], *types_[i]), kTypeMismatch, "operator ", name_,
                 " gave a value of type ", *results[i].type(), " as result ", i, ", and its schema says ", *types_[i]);
    }
    std::move(results.begin(), results.end(), rets);
  }

 private:
  std::string name_;
  std::vector<TypePtr> types_;  // of the results; null where the schema does not tell
  Registry::Function function_;
};

// Guarded by its mutex. Never destroyed: models may outlive static destruction.
struct State {
  std::mutex mutex;
  std::vector<std::unique_ptr<const Operator>> made;              // removed ones, too: programs refer to them
  std::map<std::string, const Operator*, std::less<>> operators;  // by full name
  std::map<std::string, Registry::Factory, std::less<>> classes;  // what restores objects, by full name
};

State& state() {
  static State* const instance = new State;
  return *instance;
}

const Operator* find_custom(std::string_view full_name) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  const auto it = s.operators.find(full_name);
  return it == s.operators.end() ? nullptr : it->second;
}

void find_overloads(std::string_view name, std::vector<const Operator*>& out) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  for (const auto& [full_name, op] : s.operators) {
    if (op->schema.name == name) out.push_back(op);
  }
}

Ref<CustomObject> make_registered(std::string_view class_name, const IValue& stored) {
  Registry::Factory restore;
  {
    State& s = state();
    const std::lock_guard lock(s.mutex);
    const auto it = s.classes.find(class_name);
    if (it == s.classes.end()) return nullptr;
    restore = it->second;
  }
  Ref<CustomObject> made = restore({stored});
  WICK_CHECK(made, kInvalidArgument, "the factory of class ", class_name, " made no object");
  return made;
}

constexpr CustomOperators kHook{&find_custom, &find_overloads};

// Whether the type is "t" of a schema, or holds one: it is known by the arguments of a call alone.
bool has_variables(const Type& type) {
  return type.is(TypeKind::kVar) ||
         std::ranges::any_of(type.elements(), [](const TypePtr& element) { return has_variables(*element); });
}

// Whether a C++ type may be given where the schema says another: what IValue::to<T>() reads.
bool fits(const Type& schema, const Type& cpp) {
  if (cpp.is(TypeKind::kAny) || schema.is(TypeKind::kVar) || schema.is(TypeKind::kAny)) return true;
  if (schema.is(TypeKind::kOptional) != cpp.is(TypeKind::kOptional)) return false;
  if (schema.kind() != cpp.kind()) return schema.is(TypeKind::kInt) && cpp.is(TypeKind::kFloat);
  if (schema.elements().size() != cpp.elements().size()) return false;
  for (size_t i = 0; i < schema.elements().size(); ++i) {
    if (!fits(*schema.element(i), *cpp.element(i))) return false;
  }
  return true;
}

void check_parameters(const FunctionSchema& schema, const std::vector<TypePtr>& parameters) {
  WICK_CHECK(!schema.is_vararg && schema.arguments.size() == parameters.size(), kInvalidArgument, schema.str(),
             ": the schema has ", schema.arguments.size(), " arguments, the function ", parameters.size());
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Argument& argument = schema.arguments[i];
    WICK_CHECK(fits(*argument.type, *parameters[i]), kInvalidArgument, schema.str(), ": argument '", argument.name,
               "' is of type ", *argument.type, " in the schema and ", *parameters[i], " in the function");
  }
}

std::unique_ptr<const Operator> make_operator(FunctionSchema schema, Registry::Function function) {
  const std::string name = schema.full_name();
  std::vector<TypePtr> types(schema.is_varret ? 1 : 0);
  for (const Argument& result : schema.returns) {
    if (!schema.is_varret) types.push_back(has_variables(*result.type) ? nullptr : result.type);
  }
  auto op = std::make_unique<Operator>(std::move(schema), nullptr);
  op->custom = std::make_shared<RegisteredCall>(name, std::move(types), std::move(function));
  return op;
}

void insert(std::unique_ptr<const Operator> op) {
  State& s = state();
  const std::string name = op->schema.full_name();
  WICK_CHECK(!find_operator(name), kInvalidArgument, "there is an operator ", name, " already");
  {
    const std::lock_guard lock(s.mutex);
    s.made.reserve(s.made.size() + 1);
    WICK_CHECK(s.operators.emplace(name, op.get()).second, kInvalidArgument, "there is an operator ", name, " already");
    s.made.push_back(std::move(op));
  }
  custom_operators.store(&kHook, std::memory_order_release);
}

}  // namespace

void Registry::add_boxed(std::string_view text, Function function, const std::vector<TypePtr>* parameters) {
  WICK_CHECK(function, kInvalidArgument, "an operator without a function: ", text);
  FunctionSchema schema = parse_schema(text);
  WICK_CHECK(schema.name.find("::") != std::string::npos, kInvalidArgument,
             "the name of an operator is namespace::name, not '", schema.name, "'");
  if (parameters) check_parameters(schema, *parameters);
  insert(make_operator(std::move(schema), std::move(function)));
}

bool Registry::remove_operator(std::string_view full_name) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  const auto it = s.operators.find(full_name);
  if (it == s.operators.end()) return false;
  s.operators.erase(it);
  return true;
}

std::vector<std::string> Registry::operators() {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  std::vector<std::string> out;
  for (const auto& [name, op] : s.operators) {
    if (!name.starts_with(kClassPrefix)) out.push_back(op->schema.str());
  }
  return out;
}

void Registry::add_class(std::string_view name, Factory restore, Factory construct) {
  const std::string full_name = cat(kClassPrefix, name);
  WICK_CHECK(name.find('.') != name.npos, kInvalidArgument, "the name of a class is namespace.Name, not '", name, "'");
  WICK_CHECK(restore, kInvalidArgument, "class ", name, " without a function that restores its objects");
  std::unique_ptr<const Operator> op;
  if (construct) {
    FunctionSchema schema;
    schema.name = full_name;
    schema.is_vararg = true;
    schema.returns.push_back({});
    schema.returns[0].type = types::class_type(full_name);
    op = make_operator(std::move(schema), [construct = std::move(construct), full_name](std::vector<IValue> args) {
      Ref<CustomObject> made = construct(std::move(args));
      WICK_CHECK(made, kInvalidArgument, "the constructor of class ", full_name, " made no object");
      return std::vector<IValue>{IValue(std::move(made))};
    });
  }
  {
    State& s = state();
    const std::lock_guard lock(s.mutex);
    WICK_CHECK(s.classes.emplace(full_name, std::move(restore)).second, kInvalidArgument, "there is a class ", name,
               " already");
  }
  if (op) insert(std::move(op));
  custom_class_finder.store(&make_registered, std::memory_order_release);
}

bool Registry::remove_class(std::string_view name) {
  const std::string full_name = cat(kClassPrefix, name);
  State& s = state();
  const std::lock_guard lock(s.mutex);
  s.operators.erase(full_name);
  return s.classes.erase(full_name) > 0;
}

std::vector<std::string> Registry::classes() {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  std::vector<std::string> out;
  for (const auto& [name, entry] : s.classes) out.push_back(name.substr(kClassPrefix.size()));
  return out;
}

}  // namespace wick
