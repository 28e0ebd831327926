// Side effects of operators, and aliasing of values.
#pragma once

#include <unordered_set>
#include <vector>

#include "core/callback.h"
#include "ir/graph.h"

namespace wick::ir {

// Whether a call gives the same results for the same inputs and does nothing else: it may be left out when nothing
// wants its results, done ahead when its inputs are known, and done once instead of twice.
bool is_pure(const Node& node);
// Whether leaving the node out is noticed although nothing uses its results and no value it changes is used.
bool has_effect(const Node& node);
// Whether a value of the type may hold or be memory that others see: not so for numbers, strings, devices and None.
bool holds_others(const Type& type);
// Whether the input is changed by the operator.
bool changes_input(const Node& node, size_t i);

// What a call of a function may do to the values it is given and gives: sets of them that may share memory or hold one
// another afterwards.
struct CallEffects {
  struct Set {
    bool is_changed = false;  // something in the set is changed in place
    bool is_foreign = false;  // something in the set is known to others than the caller
  };
  bool may_be_any = false;                // nothing is known: the members below are not used
  std::vector<uint32_t> params, results;  // in `sets`
  std::vector<Set> sets;
};

// What is known of the calls in a graph.
class Calls {
 public:
  virtual ~Calls() = default;
  // Visits the effects of every function of the program that the node (a call, fork, Enter or Exit) may run; false when
  // it may call something else, which changes nothing.
  virtual bool visit(const Node& node, const Callback<void(const CallEffects&)>& visitor) const = 0;
};

// Sets of values that may share memory or hold one another. Values made after it was computed are in no set.
class Aliases {
 public:
  // Without `calls`, a call may do anything. With them parameters are not foreign: whose they are is for the caller to
  // say, who holds the program's graphs_mutex where graphs may be released.
  explicit Aliases(const Graph& graph, const Calls* calls = nullptr);

  // Representative of the value's set.
  uint32_t set_of(const Value* value) const { return find(value->id); }
  void join(const Value* a, const Value* b) { join(a->id, b->id); }
  void mark_changed(const Value* value) { changed_[find(value->id)] = true; }
  // Whether something in the set is changed in place anywhere in the graph.
  bool is_changed(const Value* value) const { return covers(value) && changed_[find(value->id)]; }
  // Whether the memory of a tensor in the set may be written to; not so when only a list takes in or gives out tensors.
  bool is_written(const Value* value) const { return covers(value) && written_[find(value->id)]; }
  // Whether something in the set leaves the graph: as a result, into an attribute, or to a call.
  bool escapes(const Value* value) const { return covers(value) && escapes_[find(value->id)]; }
  // Whether something in the set comes from outside: a parameter, an attribute, a constant, a call.
  bool is_foreign(const Value* value) const { return covers(value) && foreign_[find(value->id)]; }

 private:
  bool covers(const Value* value) const { return value->id < parent_.size(); }
  uint32_t find(uint32_t id) const;
  void join(uint32_t a, uint32_t b);
  void visit(const Block& block);
  void visit(const Node& node);
  void visit_op(const Node& node);
  void visit_call(const Node& node);
  void apply(const Node& node, const CallEffects& effects);
  void mark_all(const Node& node, bool changed);
  void join_all(const Node& node);
  bool only_read(const Node& list) const;

  const Calls* calls_;
  mutable std::vector<uint32_t> parent_;
  std::vector<bool> changed_, written_, escapes_, foreign_;
  std::unordered_set<const Value*> results_;  // of all blocks
};

}  // namespace wick::ir
