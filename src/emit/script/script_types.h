// The types variables have when TorchScript compiles the printed source.
#pragma once

#include "emit/script/script_context.h"

namespace wick::emit {

// Gives every value of the graph the type PyTorch's compiler will see, and tells the context what is stored in
// attributes.
class ScriptTypes {
 public:
  ScriptTypes(ScriptContext& context, ir::Function& function) : context_(context), function_(function) {}
  void run();

 private:
  void block(ir::Block& block);
  void node(ir::Node& node);
  void loop(ir::Node& node);
  void branch(ir::Node& node);
  void set(ir::Value& value, TypePtr type) { value.type = std::move(type); }

  ScriptContext& context_;
  ir::Function& function_;
};

// The type of a value that is never read, as a branch that raises leaves it: it fits everywhere.
const TypePtr& never();

// True when a value of type `actual` is accepted where `formal` is declared, without a cast.
bool fits(const Type& actual, const Type& formal);
bool has_type_variables(const Type& type);
// Variables of a schema, bound by the arguments so far.
using TypeVariables = std::map<std::string, TypePtr>;
void bind_variables(const Type& formal, const TypePtr& actual, TypeVariables& variables);
// What the variables are bound to in their place, or Any.
TypePtr without_variables(const TypePtr& type, const TypeVariables& variables = {});

}  // namespace wick::emit
