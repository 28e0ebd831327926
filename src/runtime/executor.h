// The interpreter: runs any function of a program, operator by operator. It defines what is right.
#pragma once

#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "core/once.h"
#include "ir/program.h"
#include "ir/sharing.h"
#include "runtime/code_cache.h"
#include "runtime/value_lock.h"

namespace wick::runtime {

// Whether, and where, threads that run one program may meet; found out when it is first asked for. Thread-safe.
class Hazards {
 public:
  // Null when the program has none.
  const ir::Sharing* sharing(const ir::Program& program);
  ValueLock* lock() { return &lock_; }

 private:
  Once once_;
  std::optional<ir::Sharing> sharing_;
  ValueLock lock_;
};
// In a build whose operators change nothing.
struct NoHazards {
  static const ir::Sharing* sharing(const ir::Program&) { return nullptr; }
  static ValueLock* lock() { return nullptr; }
};

// Owned by who runs the program (the state of a Module); the program must outlive it, which tasks of fork see to that
// are still running. It keeps the code that functions were compiled to. Thread-safe.
//
//   const auto executor = std::make_shared<Executor>(*program);
//   IValue result = executor->run(*program->find_method("forward"), {program->root, x});
class Executor : public std::enable_shared_from_this<Executor> {
 public:
  // `alone`: nothing else runs the program while it does, and no task outlives its calls (its budget allows no forks).
  explicit Executor(const ir::Program& program, bool alone = false) : program_(program), alone_(alone) {}
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  // Runs a function of the program, or one made from its functions, on the arguments (self first for a method); no
  // check against the schema. Throws Error with a line of context that says where in the model it happened.
  IValue run(const ir::Function& function, std::vector<IValue> args);
  // The same inside of a call, as all of its results. Nested in `depth` calls; bounded depth.
  std::vector<IValue> call(const ir::Function& function, std::vector<IValue>&& args, size_t depth);

  const ir::Program& program() const { return program_; }
  // How threads may meet in the program, for compile(); null when it has no hazards. Found out at the first call, from
  // the functions there are then.
  const ir::Sharing* sharing() { return alone_ ? nullptr : hazards_.sharing(program_); }
  // What to hold while values that other threads may hold are used; null when the program has no hazards.
  ValueLock* value_lock() { return sharing() ? hazards_.lock() : nullptr; }

 private:
  const ir::Program& program_;
  const bool alone_;
  CodeCache codes_;
  std::conditional_t<kHasValueLock, Hazards, NoHazards> hazards_;
};

// The results of a function as its caller gets them: None, a value, or a tuple of several.
IValue as_one_value(std::vector<IValue>&& results);

}  // namespace wick::runtime
