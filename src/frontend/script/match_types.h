// Type variables of a schema ("t", "t1") and what they stand for in a call.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "frontend/script/lower_emitter.h"

namespace wick::script {

bool has_variables(const Type& type);

class TypeBindings {
 public:
  explicit TypeBindings(Emitter& emitter) : emitter_(emitter) {}
  // Binds the variables of `formal` so that it fits `actual`; the formal with them replaced, or null.
  TypePtr bind(const TypePtr& formal, const TypePtr& actual);
  TypePtr replace(const TypePtr& type) const;

 private:
  Emitter& emitter_;
  std::vector<std::pair<std::string, TypePtr>> bound_;
};

}  // namespace wick::script
