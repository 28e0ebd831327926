// Probes: nodes put into a program that write down which operators run, on which dtypes, and which blocks are reached.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "ir/program.h"

namespace wick::select {

class Probes {
 public:
  // Changes the program's functions; none may have been run before. The probes write down here until this ends, and
  // the program must not run afterwards. One at a time in a process.
  explicit Probes(ir::Program& program);
  ~Probes();
  Probes(const Probes&) = delete;
  Probes& operator=(const Probes&) = delete;

  // Operators called since the last forget_calls().
  const std::set<std::string>& called() const { return called_; }
  void forget_calls() { called_.clear(); }
  // Dtypes of the tensors that operators took and gave, since the beginning.
  const std::map<std::string, std::set<DType>>& dtypes() const { return dtypes_; }

  // A branch of an If, or the body of a Loop, that was never run although its function was.
  struct Unreached {
    std::string function;
    std::string what;
    std::string where;
    std::vector<std::string> operators;
  };
  std::vector<Unreached> unreached() const;

 private:
  struct Block {
    const ir::Function* function;
    const ir::Block* block;
    bool is_empty;  // without probes
    bool reached = false;
  };
  void watch(ir::Function& function, ir::Block& block);
  static void note_call(IValue* args, size_t count, IValue* rets);
  static void note_block(IValue* args, size_t count, IValue* rets);

  const ir::Program& program_;
  std::mutex mutex_;                // forked parts of a model run on other threads
  std::vector<std::string> names_;  // by number of the probe
  std::vector<Block> blocks_;
  std::set<std::string> called_;
  std::map<std::string, std::set<DType>> dtypes_;
};

}  // namespace wick::select
