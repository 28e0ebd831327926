// Objects of data.pkl and constants.pkl, made as their classes in the code declare them.
#pragma once

#include <string>

#include "archive/pickle_values.h"
#include "frontend/bytecode/objects.h"
#include "frontend/script/importer.h"

namespace wick::script {

class Objects {
 public:
  // With `allow_missing`, an object whose __setstate__ needs a missing operator keeps empty attributes.
  Objects(ir::Program& program, Importer& importer, const RunSetState& run, bool allow_missing)
      : program_(program),
        importer_(importer),
        run_(run),
        native_(program, run, allow_missing),
        allow_missing_(allow_missing) {}

  // An instance with what the pickle stores for it: attributes by name, or what __setstate__ takes. `context` is of the
  // pickle.
  IValue object(const std::string& class_name, IValue state, PickleContext& context);
  // The member of an enum that has the value.
  IValue enumeration(const std::string& class_name, const IValue& value) const;

 private:
  IValue with_attributes(const ScriptClass& cls, const IValue& state, PickleContext& context);
  IValue restored(const ScriptClass& cls, ir::Function& setstate, IValue state, PickleContext& context);
  void check_class(const IValue& value, const Type& type) const;

  ir::Program& program_;
  Importer& importer_;
  const RunSetState run_;
  lite::ObjectFactory native_;
  bool allow_missing_;
};

}  // namespace wick::script
