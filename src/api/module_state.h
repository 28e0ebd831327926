// What a Module shares with its copies.
#pragma once

#include <memory>

#include "ir/program.h"

namespace wick {

class ModuleState {
 public:
  explicit ModuleState(std::shared_ptr<ir::Program> loaded) : program(std::move(loaded)) {}

  const std::shared_ptr<ir::Program> program;  // never null
};

}  // namespace wick
