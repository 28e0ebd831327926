// c10::Dispatcher and torch::jit::Operator over Wick's operator table and registry.
#include <torch/csrc/jit/runtime/operator.h>

#include <set>

#include "bridge.h"
#include "core/operator.h"
#include "module_state.h"
#include "wick/registry.h"

namespace c10 {
using namespace wick_compat;

struct OperatorHandle::State {
  OperatorName name;
  FunctionSchema schema;
  size_t arguments;
};

namespace {

std::string full_name(const OperatorName& name) { return str(name); }

Argument argument_of(const wick::Argument& from) {
  Argument out;
  out.name_ = from.name;
  out.type_ = parse_annotation(from.type->str());
  if (from.has_default) out.default_value_ = a(wick::IValue(from.default_value));
  return out;
}

std::shared_ptr<const OperatorHandle::State> state_of(const wick::Operator& op) {
  const wick::FunctionSchema& from = op.schema;
  FunctionSchema schema;
  schema.name_ = from.name;
  schema.overload_name_ = from.overload;
  for (const wick::Argument& argument : from.arguments) schema.arguments_.push_back(argument_of(argument));
  for (const wick::Argument& result : from.returns) schema.returns_.push_back(argument_of(result));
  return std::make_shared<const OperatorHandle::State>(
      OperatorHandle::State{OperatorName(from.name, from.overload), std::move(schema), from.arguments.size()});
}

}  // namespace

const OperatorName& OperatorHandle::operator_name() const { return state_->name; }
const FunctionSchema& OperatorHandle::schema() const { return state_->schema; }
void OperatorHandle::callBoxed(torch::jit::Stack& stack) const {
  TORCH_CHECK(stack.size() >= state_->arguments, "operator ", state_->name, " takes ", state_->arguments,
              " arguments, and the stack has ", stack.size());
  std::vector<wick::IValue> args;
  for (IValue& v : torch::jit::pop(stack, state_->arguments)) args.push_back(std::move(w(v)));
  try {
    for (wick::IValue& v : wick::call_operator(full_name(state_->name), std::move(args))) {
      stack.push_back(a(std::move(v)));
    }
  } catch (...) {
    rethrow();
  }
}

Dispatcher& Dispatcher::singleton() {
  static Dispatcher all;
  return all;
}
optional<OperatorHandle> Dispatcher::findSchema(const OperatorName& name) const {
  const wick::Operator* op = wick::find_operator(name.name, name.overload_name);
  if (!op) return nullopt;
  return OperatorHandle(state_of(*op));
}
OperatorHandle Dispatcher::findSchemaOrThrow(const char* name, const char* overload_name) const {
  const auto found = findSchema(OperatorName(name, overload_name));
  TORCH_CHECK(found, "Could not find schema for ", name, ".", overload_name);
  return *found;
}
std::vector<OperatorName> Dispatcher::getAllOpNames() const {
  std::vector<OperatorName> out;
  const auto add = [&](std::string_view schema) {
    const std::string full(schema.substr(0, schema.find('(')));
    const size_t dot = full.find('.');
    out.emplace_back(full.substr(0, dot), dot == full.npos ? "" : full.substr(dot + 1));
  };
  for (std::string_view schema : wick::all_operator_schemas()) add(schema);
  for (const std::string& schema : wick::Registry::operators()) add(schema);
  return out;
}

}  // namespace c10

namespace wick_compat {

BoxedFunction kernel_on_stack(void (*function)(const c10::OperatorHandle&, torch::jit::Stack*), std::string full_name) {
  return [function, full_name = std::move(full_name)](std::vector<c10::IValue>& args) {
    const size_t dot = full_name.find('.');
    const c10::OperatorName name(full_name.substr(0, dot), dot == full_name.npos ? "" : full_name.substr(dot + 1));
    const auto handle = c10::Dispatcher::singleton().findSchema(name);
    TORCH_CHECK(handle, "the operator ", full_name, " is not registered any more");
    torch::jit::Stack stack = std::move(args);
    function(*handle, &stack);
    return stack;
  };
}

}  // namespace wick_compat

namespace torch {
namespace jit {

std::vector<std::string> register_on_stack(const std::vector<Operator>& operators) {
  std::vector<std::string> names;
  names.reserve(operators.size());
  try {
    for (const Operator& op : operators) {
      names.push_back(wick_compat::define_operator("", op.text()));
      Operation operation = op.getOperation();
      wick_compat::implement_operator(names.back(), c10::DispatchKey::CatchAll,
                                      [operation](std::vector<c10::IValue>& args) mutable {
                                        Stack stack = std::move(args);
                                        operation(stack);
                                        return stack;
                                      });
    }
  } catch (...) {  // all of them or none
    for (const std::string& name : names) wick_compat::remove_operator(name);
    throw;
  }
  return names;
}

std::vector<std::shared_ptr<Operator>> getAllOperatorsFor(Symbol name) {
  std::vector<std::shared_ptr<Operator>> out;
  for (const c10::OperatorName& each : c10::Dispatcher::singleton().getAllOpNames()) {
    if (each.name != name.toQualString()) continue;
    if (auto found = findOperatorFor(each)) out.push_back(std::move(found));
  }
  return out;
}
std::shared_ptr<Operator> findOperatorFor(const c10::OperatorName& name) {
  const auto found = c10::Dispatcher::singleton().findSchema(name);
  return found ? std::make_shared<Operator>(*found) : nullptr;
}

}  // namespace jit
}  // namespace torch
