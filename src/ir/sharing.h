// Sharing: which nodes of a program use values that another thread may be changing.
//
// Threads meet at values that outlive a call: attributes, constants, arguments from the host, and what is given to a
// task of fork or comes from one. A program that changes none of them in place needs no lock, however many threads run
// it: that is decided here, once per program, by following what each function changes through its calls.
#pragma once

#include <memory>
#include <vector>

#include "ir/effects.h"
#include "ir/program.h"

namespace wick::ir {

// What a node does with values that other threads may hold.
enum class Access : uint8_t {
  kNone,
  kReads,
  kMayUpdate,  // writes running statistics if its arguments say so when it runs, and reads otherwise
  kChanges,
};

class Sharing {
 public:
  // The caller holds the program's graphs_mutex. The program and its functions must outlive it.
  explicit Sharing(const Program& program);

  // Whether threads may meet at a value that one of them changes.
  bool has_hazards() const { return has_hazards_; }
  // Null in a build that does not follow calls, where every change counts.
  const Calls* calls() const { return calls_.get(); }

 private:
  bool has_hazards_ = false;
  std::unique_ptr<const Calls> calls_;
};

// Whether the declared type of the object that a node calls a method of allows this object: ir::Sharing has looked at
// the method of the declared class.
bool may_be_called_on(const Program& program, const Node& node, std::string_view method, const ObjectImpl& object);

// The accesses of one function's nodes, in a program with hazards.
class Accesses {
 public:
  // The function is one of the program's, or made from them.
  Accesses(const Sharing& sharing, const Function& function);
  Access of(const Node& node) const;

 private:
  bool may_be_shared(const Value* value) const;

  std::unique_ptr<const Aliases> aliases_;
  std::vector<bool> of_caller_;  // by set: a parameter is among it
};

}  // namespace wick::ir
