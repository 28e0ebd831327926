// The interpreter: runs any function of a program, operator by operator. It defines what is right.
#pragma once

#include <memory>
#include <vector>

#include "ir/program.h"
#include "runtime/code_cache.h"

namespace wick::runtime {

// Owned by who runs the program (the state of a Module); the program must outlive it, which tasks of fork see to that
// are still running. It keeps the code that functions were compiled to. Thread-safe.
//
//   const auto executor = std::make_shared<Executor>(*program);
//   IValue result = executor->run(*program->find_method("forward"), {program->root, x});
class Executor : public std::enable_shared_from_this<Executor> {
 public:
  explicit Executor(const ir::Program& program) : program_(program) {}
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  // Runs a function of the program, or one made from its functions, on the arguments (self first for a method); no
  // check against the schema. Throws Error with a line of context that says where in the model it happened.
  IValue run(const ir::Function& function, std::vector<IValue> args);
  // The same inside of a call, as all of its results. Nested in `depth` calls; bounded depth.
  std::vector<IValue> call(const ir::Function& function, std::vector<IValue>&& args, size_t depth);

  const ir::Program& program() const { return program_; }

 private:
  const ir::Program& program_;
  CodeCache codes_;
};

// The results of a function as its caller gets them: None, a value, or a tuple of several.
IValue as_one_value(std::vector<IValue>&& results);

}  // namespace wick::runtime
