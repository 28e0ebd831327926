// Objects of a model file: module and class instances, enum members, instances of C++ classes.
#pragma once

#include <string>
#include <vector>

#include "frontend/bytecode/decode.h"
#include "frontend/restore.h"
#include "ir/program.h"

namespace wick::lite {

class ObjectFactory {
 public:
  // Classes implemented in C++ are named so.
  static constexpr std::string_view kCustomPrefix = "__torch__.torch.classes.";

  // Classes are added to the program; its functions named "<class>.__setstate__" restore objects, run by `run`.
  // With `allow_missing`, an object whose __setstate__ needs a missing operator stays empty.
  ObjectFactory(ir::Program& program, const RunSetState& run, bool allow_missing)
      : program_(program), run_(run), allow_missing_(allow_missing) {}

  // From what a pickle stores for the object: its attributes by name, or what __setstate__ takes.
  IValue object(const std::string& class_name, const IValue& state);
  // What is known of a class; the same for the same name and attributes, which `fresh` has. Else that, completed.
  const std::shared_ptr<ClassInfo>& class_info(const std::shared_ptr<ClassInfo>& fresh);
  // Gives an object of a class made by class_info one of its attributes.
  static void set_attribute(ObjectImpl& object, size_t slot, const IValue& value);
  // Through a __setstate__ function of the model.
  IValue restored(const std::shared_ptr<ClassInfo>& cls, ir::Function& setstate, const IValue& state);
  // Of a class implemented in C++. With `allow_missing`, one this build lacks is held without being understood.
  IValue custom(const std::string& class_name, const IValue& state);
  IValue enumeration(const std::string& type_name, std::string name, const IValue& value);

 private:
  ir::Program& program_;
  const RunSetState run_;
  bool allow_missing_;
};

}  // namespace wick::lite
