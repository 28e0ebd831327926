// Objects of a model file: module and class instances, enum members, instances of C++ classes.
#pragma once

#include <string>
#include <vector>

#include "frontend/bytecode/decode.h"
#include "ir/program.h"

namespace wick::lite {

class ObjectFactory {
 public:
  // Classes are added to the program; its functions named "<class>.__setstate__" restore objects.
  // With `allow_missing`, an object whose __setstate__ needs a missing operator stays empty.
  ObjectFactory(ir::Program& program, bool allow_missing) : program_(program), allow_missing_(allow_missing) {}

  // From what a pickle stores for the object: its attributes by name, or what __setstate__ takes.
  IValue object(const std::string& class_name, IValue state);
  // With attributes in slot order.
  IValue with_attributes(const std::string& class_name, std::vector<std::string> names, std::vector<IValue> values);
  // Through a __setstate__ function of the model.
  IValue restored(const std::string& class_name, ir::Function& setstate, IValue state, std::vector<std::string> names);
  IValue enumeration(const std::string& type_name, IValue value);

 private:
  std::shared_ptr<ClassInfo> class_info(const std::string& name, std::vector<std::string> attributes);

  ir::Program& program_;
  bool allow_missing_;
};

}  // namespace wick::lite
