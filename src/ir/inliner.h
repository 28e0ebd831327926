// Inlining: a function together with what it calls as one graph. One inliner serves planner, passes and writers.
#pragma once

#include <vector>

#include "ir/clone.h"
#include "ir/program.h"

namespace wick::ir {

// Nodes that inlining may add, in proportion to the program: functions that call the next one twice would double with
// every level. Functions that are inlined for one purpose share a budget.
class InlineBudget {
 public:
  explicit InlineBudget(const Program& program);
  void spend(size_t nodes) { spent_ += nodes; }
  bool is_spent() const { return spent_ >= most_; }
  size_t most() const { return most_; }

 private:
  size_t most_;
  size_t spent_ = 0;
};

// Copies a function and puts the bodies of what it calls in the place of the calls, which it lists in
// Function::call_sites. Who derives from it says what is called, which graph is its body, and what stands in the place
// of other nodes.
class Inliner : protected Cloner {
 protected:
  Inliner(Function& out, InlineBudget& budget) : Cloner(out.graph), out_(out), budget_(budget) {}
  ~Inliner() = default;

  // What a value of the source is in the copy: a value, or something known already (both, once it was needed).
  struct Binding {
    Value* value = nullptr;
    bool known = false;
    IValue constant;
  };
  // Why a call stays.
  enum class Refusal : uint8_t { kNone, kCallsItself, kNestsDeep, kGrowsLarge, kWrongSignature };

  // The function into the empty `out`. `self`: what its first parameter is, when that is known.
  void run(const Function& function, const IValue* self = nullptr);
  Binding& binding(const Value* from) { return scope_->bindings[from->id]; }
  // A copy of the node that knows the call it came by.
  Node* copy(const Node& node, Block* to);
  const Function& current() const { return scope_->function; }

  // The body of the function: when it is run itself, and when it is called.
  virtual const Block& body_of(const Function& function, bool is_called) = 0;
  // Null: the node calls nothing that is known.
  virtual const Function* callee_of(const Node& node) = 0;
  // True: something else stands in the node's place.
  virtual bool replace(const Node& node, Block* to) = 0;
  // A call is about to be inlined; it is the last of the call sites.
  virtual void on_inlined(const Node& /*node*/, const Function& /*callee*/) {}
  // A call cannot be inlined: unless this throws, it stays.
  virtual void on_refused(const Function& /*callee*/, Refusal /*why*/) {}

 private:
  // One body that is being copied, inside of the one it was called in.
  struct Scope {
    const Function& function;
    const Scope* outer;
    int32_t call_site;
    std::vector<Binding> bindings;  // by value id
  };

  Value* get(const Value* from) final;
  void set(const Value* from, Value* to) final { binding(from).value = to; }
  void visit(const Node& node, Block* to) final;
  Refusal refusal(const Node& node, const Function& callee, const Block& body) const;
  void inline_call(const Node& node, const Function& callee, const Block& body, Block* to);

  Function& out_;
  InlineBudget& budget_;
  Scope* scope_ = nullptr;
  size_t calls_ = 0;  // that the body at hand is nested in
};

}  // namespace wick::ir
