// What the source text of a program is made of besides its functions: classes, constants, named tuples.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/value_walk.h"
#include "ir/program.h"

namespace wick::emit {

struct ScriptAttribute {
  std::string name;
  TypePtr type;
  bool is_parameter = false;
  bool is_buffer = false;
};

struct ScriptClassText {
  std::string name;  // qualified
  bool is_module = true;
  std::vector<ScriptAttribute> attributes;  // slot order
  std::string methods;                      // text, indented
};

class ScriptContext {
 public:
  // Collects the classes of the program's objects with the types their attributes have now.
  explicit ScriptContext(const ir::Program& program);

  std::map<std::string, ScriptClassText>& classes() { return classes_; }
  // Attribute in a slot of objects of the type; throws kUnsupported when the class or the slot is not known.
  const ScriptAttribute& attribute(const Type& type, int64_t slot) const;
  // A value of this type is stored there: the declaration must allow it.
  void stored(const Type& type, int64_t slot, const TypePtr& value);

  // The value as an expression: a literal where there is one, else CONSTANTS.c<n>.
  std::string literal(const IValue& value);
  // As an annotation; named tuples met are remembered.
  std::string annotation(const TypePtr& type);

  const std::vector<IValue>& constants() const { return constants_; }
  // Text of each code record by its name.
  std::map<std::string, std::string> files() const;

 private:
  void collect(const IValue& value, size_t depth);
  void collect_object(const ObjectImpl& object, size_t depth);
  void collect_made(const ir::Block& block);
  std::string constant(const IValue& value);
  std::string literal(const IValue& value, Descent& descent);
  std::string literal_items(const std::vector<IValue>& items, Descent& descent);
  void note(const Type& type);

  const ir::Program& program_;
  std::map<std::string, ScriptClassText> classes_;
  bool modules_say_so_ = true;  // by an attribute `training`, as the root does
  std::map<std::string, TypePtr> named_tuples_;
  std::map<std::string, std::map<std::string, std::string>> enums_;  // members: name -> literal
  std::vector<IValue> constants_;
  std::map<const void*, size_t> constant_numbers_;
  std::set<const void*> seen_;
};

// What a variable is that is one type here and the other there; Any when nothing better holds both.
TypePtr unified(const TypePtr& a, const TypePtr& b);
// A name that can stand after a dot.
bool is_identifier(const std::string& name);

}  // namespace wick::emit
