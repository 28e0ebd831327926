// Instrumented copies of a method whose values can be observed.
#include "quantize/trial.h"

#include <algorithm>

#include "core/check.h"
#include "core/copy.h"
#include "core/value_walk.h"
#include "quantize/edit.h"

namespace wick::quantize {

namespace {

using ir::Block;
using ir::Function;
using ir::Graph;
using ir::Node;
using ir::NodeKind;
using ir::Value;

thread_local const Watcher* current_watcher = nullptr;

void tell_watcher(IValue* args, size_t, IValue*) {
  if (current_watcher) (*current_watcher)(static_cast<size_t>(args[1].to_int()), args[0]);
}

const Operator& tap_operator() {
  static const Operator op(parse_schema("wick::tap(Tensor self, int index) -> ()"), &tell_watcher);
  return op;
}

class StateCopy {
 public:
  IValue run(const IValue& value) {
    if (value.is_tensor()) return IValue(clone(value.to_tensor()));
    if (!value.is_object()) return value;
    IValue& known = copies_[value.ref_or_null()];
    if (known.is_object()) return known;
    const Descent::Level level(descent_, 0);
    auto made = make_ref<ObjectImpl>();
    const ObjectImpl& from = value.to_object();
    made->cls = from.cls;
    known = IValue(made);
    const IValue out = known;
    for (size_t i = 0; i < from.slot_count(); ++i) made->set(i, run(from.get(i)));
    return out;
  }

 private:
  std::unordered_map<const void*, IValue> copies_;
  Descent descent_{"copied"};
};

}  // namespace

Node* after_definition(Value* value) {
  std::list<Node*>& nodes = value->block->nodes;
  if (!value->def) return nodes.empty() ? nullptr : nodes.front();
  auto next = std::next(std::find(nodes.begin(), nodes.end(), value->def));
  return next == nodes.end() ? nullptr : *next;
}

void add_taps(Graph& graph, const std::vector<Value*>& values) {
  for (size_t i = 0; i < values.size(); ++i) {
    Node* before = after_definition(values[i]);
    Block* block = values[i]->block;
    Value* index = add_constant(graph, block, before, IValue(static_cast<int64_t>(i)));
    Node* tap = before ? graph.insert_before(before, NodeKind::kOp, {values[i], index})
                       : graph.append(block, NodeKind::kOp, {values[i], index});
    tap->op = &tap_operator();
    tap->op_name = "wick::tap";
  }
}

WatchedRuns::WatchedRuns(const ir::Program& program, const Function& function)
    : program_(program), function_(function), runner_(program, function) {}

IValue WatchedRuns::run(const std::vector<IValue>& args, const Watcher& watcher) const {
  std::vector<IValue> bound = args;
  if (function_.has_schema) api::bind_arguments(function_.schema, "forward", bound, {});
  for (IValue& value : bound) value = StateCopy().run(value);
  bound.insert(bound.begin(), StateCopy().run(program_.root));
  struct Restore {
    const Watcher* before = current_watcher;
    ~Restore() { current_watcher = before; }
  } restore;
  current_watcher = &watcher;
  return runner_.run(std::move(bound));
}

}  // namespace wick::quantize
