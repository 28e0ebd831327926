// Finds what functions change, and whether another thread may see it.
#include "ir/sharing.h"

#include <algorithm>
#include <deque>
#include <unordered_map>

#include "config/build.h"
#include "core/check.h"
#include "core/word_map.h"
#include "ir/walk.h"

namespace wick::ir {
namespace {

// Only programs from source call functions and fork; of others every change counts, which costs them a shared lock.
constexpr bool kFollowsCalls = build::kTorchScript;
// More functions than this behind one name of an interface: the call may do anything.
constexpr size_t kMaxCandidates = 16;

bool may_change(const Node& node) {
  return node.kind == NodeKind::kOp && node.op &&
         (node.op->mutates || node.op->has_statistics || node.op->is_unknown());
}

bool any_change(const Program& program) {
  for (const auto& f : program.functions) {
    const std::vector<const Node*> nodes = all_nodes(f->graph.peek());
    if (std::any_of(nodes.begin(), nodes.end(), [](const Node* node) { return may_change(*node); })) return true;
  }
  return false;
}

bool is_call(const Node& node) {
  switch (node.kind) {
    case NodeKind::kCallFunction:
    case NodeKind::kCallMethod:
    case NodeKind::kFork:
    case NodeKind::kEnter:
    case NodeKind::kExit:
      return true;
    default:
      return false;
  }
}

// The effects of a program's functions.
class Effects final : public Calls {
 public:
  explicit Effects(const Program& program) : program_(program) {
    for (const auto& f : program.functions) by_own_name_[f->own_name()].push_back(f.get());
    visit_in_order();
  }
  bool have_hazards() const { return have_hazards_; }
  bool visit(const Node& node, const Callback<void(const CallEffects&)>& visitor) const override;

 private:
  // Calls found(function) for functions that the node may run, of those behind one name for at most
  // kMaxCandidates + 1; false when it may run something else.
  template <class Found>
  bool each_callee(const Node& node, const Found& found) const;
  void visit_in_order();
  void note(const Function& function);
  bool is_entry(const Function& function) const;

  const Program& program_;
  bool have_hazards_ = false;
  std::unordered_map<std::string_view, std::vector<const Function*>> by_own_name_;
  std::deque<CallEffects> effects_;
  WordMap effects_of_;  // by function: one more than the place in effects_
};

template <class Found>
bool Effects::each_callee(const Node& node, const Found& found) const {
  if (node.callee) {
    found(*node.callee);
    return true;
  }
  const std::string_view name = node.kind == NodeKind::kEnter  ? "__enter__"
                                : node.kind == NodeKind::kExit ? "__exit__"
                                                               : std::string_view(node.name);
  if (node.inputs.empty()) return false;
  // The frame refuses an object of another class than the declared one.
  const Type& type = *node.inputs[0]->type;
  if (const Function* method = type.is(TypeKind::kClass) ? program_.find(cat(type.name(), ".", name)) : nullptr) {
    found(*method);
    return true;
  }
  const auto it = by_own_name_.find(name);
  if (it != by_own_name_.end()) {
    const size_t count = std::min(it->second.size(), kMaxCandidates + 1);
    for (size_t i = 0; i < count; ++i) found(*it->second[i]);
  }
  return false;
}

bool Effects::visit(const Node& node, const Callback<void(const CallEffects&)>& visitor) const {
  CallEffects any;
  any.may_be_any = true;
  size_t count = 0;
  const bool is_known = each_callee(node, [&](const Function& callee) {
    // A function that is not known yet calls itself, by way of others.
    const uint64_t place = ++count > kMaxCandidates ? 0 : effects_of_.get(reinterpret_cast<uintptr_t>(&callee));
    visitor(place == 0 ? any : effects_[place - 1]);
  });
  return is_known;
}

// Callees first; by a stack of its own, since calls may be chained to any depth.
void Effects::visit_in_order() {
  struct Visit {
    const Function* function;
    std::vector<const Function*> callees;
    size_t next = 0;
  };
  WordMap seen;
  std::vector<Visit> stack;
  const auto enter = [&](const Function& function) {
    uint64_t& word = seen[&function];
    if (word != 0) return;
    word = 1;
    Visit visit{&function, {}};
    for (const Node* node : all_nodes(function.graph.peek())) {
      if (is_call(*node)) each_callee(*node, [&](const Function& callee) { visit.callees.push_back(&callee); });
    }
    stack.push_back(std::move(visit));
  };
  for (const auto& f : program_.functions) {
    enter(*f);
    while (!stack.empty()) {
      Visit& top = stack.back();
      if (top.next < top.callees.size()) {
        enter(*top.callees[top.next++]);
      } else {
        note(*top.function);
        stack.pop_back();
      }
    }
  }
}

// The host may run methods of the root, and where there is no root any function.
bool Effects::is_entry(const Function& function) const {
  if (!program_.root.is_object()) return true;
  const std::string& cls = program_.root.to_object().cls->name;
  return function.name.size() > cls.size() && function.name.starts_with(cls) && function.name[cls.size()] == '.';
}

void Effects::note(const Function& function) {
  const Block& body = *function.graph.peek();
  const Aliases aliases(function.graph, this);
  CallEffects effects;
  std::unordered_map<uint32_t, uint32_t> places;
  const auto place_of = [&](const Value* value) {
    const auto [it, is_new] = places.try_emplace(aliases.set_of(value), static_cast<uint32_t>(effects.sets.size()));
    if (is_new) effects.sets.push_back({aliases.is_changed(value), aliases.is_foreign(value)});
    return it->second;
  };
  const bool entry = is_entry(function);
  for (const Value* param : body.params) {
    effects.params.push_back(place_of(param));
    have_hazards_ = have_hazards_ || (entry && holds_others(*param->type) && aliases.is_changed(param));
  }
  // What the function has made itself it has changed before anyone else could see it.
  const size_t of_caller = effects.sets.size();
  for (const Value* result : body.results) effects.results.push_back(place_of(result));
  for (size_t i = of_caller; i < effects.sets.size(); ++i) effects.sets[i].is_changed = false;
  for (const Node* node : all_nodes(&body)) {
    for (const Value* value : node->inputs) {
      have_hazards_ =
          have_hazards_ || (aliases.is_changed(value) && aliases.is_foreign(value) && holds_others(*value->type));
    }
  }
  effects_.push_back(std::move(effects));
  effects_of_[&function] = effects_.size();
}

}  // namespace

Sharing::Sharing(const Program& program) : has_hazards_(any_change(program)) {
  if constexpr (kFollowsCalls) {
    if (!has_hazards_) return;
    auto effects = std::make_unique<Effects>(program);
    has_hazards_ = effects->have_hazards();
    calls_ = std::move(effects);
  }
}

bool may_be_called_on(const Program& program, const Node& node, std::string_view method, const ObjectImpl& object) {
  const Type& declared = *node.inputs[0]->type;
  return !declared.is(TypeKind::kClass) || declared.name() == object.cls->name ||
         !program.find(cat(declared.name(), ".", method));
}

Accesses::Accesses(const Sharing& sharing, const Function& function) {
  if constexpr (kFollowsCalls) {
    const Block& body = *function.graph.body();
    aliases_ = std::make_unique<Aliases>(function.graph, sharing.calls());
    of_caller_.resize(function.graph.value_count());
    for (const Value* param : body.params) of_caller_[aliases_->set_of(param)] = true;
  }
}

bool Accesses::may_be_shared(const Value* value) const {
  if constexpr (!kFollowsCalls) return true;
  return holds_others(*value->type) && (aliases_->is_foreign(value) || of_caller_[aliases_->set_of(value)]);
}

Access Accesses::of(const Node& node) const {
  const bool is_op = node.kind == NodeKind::kOp && node.op;
  if (!is_op && node.kind != NodeKind::kListUnpack && node.kind != NodeKind::kIsInstance) return Access::kNone;
  // A future has a lock of its own, and the task that is waited for may need this one.
  if (kFollowsCalls && is_op && node.op->schema.name == "aten::wait") return Access::kNone;
  const std::vector<Argument> none;
  const std::vector<Argument>& arguments = is_op ? node.op->schema.arguments : none;
  Access access = Access::kNone;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    // An operator refuses a value that is not what its schema says.
    if (i < arguments.size() && !holds_others(*arguments[i].type)) continue;
    if (!may_be_shared(node.inputs[i])) continue;
    const bool is_marked = (i < arguments.size() && arguments[i].is_mutated) || (is_op && node.op->is_unknown());
    access = std::max(access, is_marked                ? Access::kChanges
                              : changes_input(node, i) ? Access::kMayUpdate
                                                       : Access::kReads);
  }
  return access;
}

}  // namespace wick::ir
