// What an expression of the source stands for: a value, or something that only means something where it is used
// (a namespace, a function, a class, a method of a value, a form the compiler knows).
#pragma once

#include <string>
#include <vector>

#include "frontend/script/importer.h"

namespace wick::script {

enum class SugarKind : uint8_t {
  kValue,      // value
  kValues,     // values: the results of an operator; schema names them
  kTorch,      // the namespace torch
  kOps,        // the namespace ops; with a name: one below it
  kOperator,   // an operator by name; value: receiver of a method-style call, may be null
  kQualified,  // a name below __torch__ that is not yet one of the following
  kClass,      // cls
  kNewObject,  // cls: its __new__
  kFunction,   // function
  kMethod,     // value, name
  kForm,       // name: a form or function the compiler knows (annotate, isinstance, len, range, ...)
  kConstants,  // CONSTANTS
  kClosure,    // def: a function inside the function
  kToList,     // value: x.tolist, waiting for the type of its result
  kCast,       // value, integer: x.float and the like; the dtype
  kRange,      // values: lo, hi, step, or hi alone
  kZip,        // parts
  kEnumerate,  // parts[0]; value: where to start, may be null
};

struct Sugar {
  SugarKind kind = SugarKind::kValue;
  ir::Value* value = nullptr;
  std::vector<ir::Value*> values;
  std::string name;
  int64_t integer = 0;
  const FunctionSchema* schema = nullptr;
  const ScriptClass* cls = nullptr;
  ir::Function* function = nullptr;
  const ast::Def* def = nullptr;
  std::vector<Sugar> parts;

  bool is(SugarKind k) const { return kind == k; }

  static Sugar of(ir::Value* value) {
    Sugar out;
    out.value = value;
    return out;
  }
  static Sugar named(SugarKind kind, std::string name) {
    Sugar out;
    out.kind = kind;
    out.name = std::move(name);
    return out;
  }
};

}  // namespace wick::script
