// Removes unused attributes and methods.
#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "core/check.h"
#include "core/value_walk.h"
#include "passes/freeze.h"
#include "passes/rewriter.h"

namespace wick::passes {

namespace {

using ir::Node;
using ir::NodeKind;
using ir::Value;

class Pruner {
 public:
  Pruner(ir::Program& program, const FreezeOptions& options) : program_(program), options_(options) {}

  void run() {
    keep_stated();
    for (const auto& function : program_.functions) find_uses(*function);
    if (everything_) return;
    keep_attributes();
    // Classes that are kept whole keep whatever their objects hold.
    std::set<std::string> seen;
    do {
      seen = whole_;
      spread();
    } while (seen != whole_);
    program_.root = rebuilt(program_.root);
    while (!to_fill_.empty()) {
      const Rebuilding next = std::move(to_fill_.back());
      to_fill_.pop_back();
      fill(next);
    }
    for (const auto& function : program_.functions) renumber(*function);
    remove_functions();
  }

 private:
  // Objects that restore themselves are stored by their own code.
  void keep_stated() {
    for (const auto& cls : program_.classes) {
      const std::string& name = cls->name;
      if (program_.find(name + ".__setstate__") || program_.find(name + ".__getstate__")) stated_.insert(name);
    }
  }

  void find_uses(ir::Function& function) {
    const std::string owner = function.name.substr(0, function.name.rfind('.'));
    if (stated_.contains(owner) && owner != root_class()) return;
    for (const Value* param : function.graph.body()->params) check_given_away(function, *param);
    for (Node* node : all_nodes(function.graph.body())) {
      if (node->kind == NodeKind::kConstant) {
        everything_ = everything_ || node->constant.is_object();
      } else if (node->kind == NodeKind::kCreateObject) {
        whole_.insert(node->types.at(0)->name());
      } else if (node->kind == NodeKind::kGetAttr || node->kind == NodeKind::kSetAttr) {
        const Type& type = *node->inputs[0]->type;
        const auto* cls = type.is(TypeKind::kClass) ? program_.classes.find(type.name()) : nullptr;
        if (!cls) {
          everything_ = true;
        } else {
          if (node->index < 0) node->index = (*cls)->slot_of(node->name);
          everything_ = everything_ || node->index < 0;
          used_[type.name()].insert(node->index);
          const bool hides_class = node->kind == NodeKind::kGetAttr && !node->outputs[0]->type->is(TypeKind::kClass);
          if (hides_class) hidden_[type.name()].insert(node->index);
        }
      }
      for (const Value* output : node->outputs) check_given_away(function, *output);
    }
  }

  void check_given_away(const ir::Function& function, const Value& value) {
    if (value.type->is(TypeKind::kAnyClass) || value.type->is(TypeKind::kInterface)) everything_ = true;
    if (!value.type->is(TypeKind::kClass) || !program_.classes.find(value.type->name())) return;
    auto is_result = [&](const ir::Block& block) {
      return std::find(block.results.begin(), block.results.end(), &value) != block.results.end();
    };
    bool given = is_result(*function.graph.body());
    for (const Node* user : value.users) {
      const bool object =
          user->kind == NodeKind::kGetAttr || (user->kind == NodeKind::kSetAttr && user->inputs[1] != &value);
      given = given || !object;
    }
    if (!given) {
      for (const Node* node : all_nodes(function.graph.body())) {
        for (const ir::Block* block : node->blocks) given = given || is_result(*block);
      }
    }
    if (given) whole_.insert(value.type->name());
  }

  const std::string& root_class() const { return program_.root.to_object().cls->name; }

  void keep_attributes() {
    const ClassInfo& cls = *program_.root.to_object().cls;
    for (const std::string& name : options_.kept_attributes) {
      const int64_t slot = cls.slot_of(name);
      if (slot >= 0) used_[cls.name].insert(slot);
    }
  }

  bool is_whole(const std::string& cls) const { return whole_.contains(cls) || stated_.contains(cls); }
  bool is_used(const ObjectImpl& object, size_t slot) const {
    if (is_whole(object.cls->name)) return true;
    const std::vector<std::string>&kept = options_.kept_everywhere, &names = object.cls->attributes;
    if (slot < names.size() && std::find(kept.begin(), kept.end(), names[slot]) != kept.end()) return true;
    const auto used = used_.find(object.cls->name);
    return used != used_.end() && used->second.contains(static_cast<int64_t>(slot));
  }

  bool is_hidden(const ObjectImpl& object, size_t slot) const {
    const auto hidden = hidden_.find(object.cls->name);
    return hidden != hidden_.end() && hidden->second.contains(static_cast<int64_t>(slot));
  }

  // Finds the classes of objects that are read as values of other types (Any, Optional), that are held by containers or
  // by objects of classes that are kept whole.
  void spread() {
    std::vector<std::pair<IValue, bool>> next{{program_.root, false}};  // values; whether theirs is such a class
    std::unordered_set<const void*> visited;
    while (!next.empty()) {
      const auto [value, is_whole_too] = std::move(next.back());
      next.pop_back();
      if (is_whole_too && value.is_object()) whole_.insert(value.to_object().cls->name);
      if (!holds_others(value) || !visited.insert(value.ref_or_null()).second) continue;
      if (!value.is_object()) {
        // Objects in containers are reached by code that does not name them.
        each_item(value, [&](const IValue& item) { next.emplace_back(item, true); });
        continue;
      }
      const ObjectImpl& object = value.to_object();
      for (size_t i = 0; i < object.slot_count(); ++i) {
        if (is_used(object, i)) next.emplace_back(object.get(i), is_whole(object.cls->name) || is_hidden(object, i));
      }
    }
  }

  // An object and what becomes of it: itself when its class is kept whole.
  struct Rebuilding {
    IValue from;
    IValue to;
  };

  // What stands for the value; objects are filled later.
  IValue rebuilt(const IValue& value) {
    if (!value.is_object()) {
      walk_value(value, [this](const IValue& v) {
        if (!v.is_object()) return Walk::kEnter;
        rebuilt(v);
        return Walk::kSkip;
      });
      return value;
    }
    const ObjectImpl& object = value.to_object();
    IValue& made = rebuilt_[&object];
    if (made.is_object()) return made;
    reached_.insert(object.cls->name);
    made = value;
    if (!is_whole(object.cls->name)) {
      const auto smaller = make_ref<ObjectImpl>();
      smaller->cls = smaller_class(object);
      made = IValue(smaller);
    }
    to_fill_.push_back({value, made});
    return made;
  }

  void fill(const Rebuilding& r) {
    const ObjectImpl& from = r.from.to_object();
    ObjectImpl& to = r.to.to_object();
    size_t next = 0;
    for (size_t i = 0; i < from.slot_count(); ++i) {
      if (&from != &to && !is_used(from, i)) continue;
      const IValue item = from.get(i);
      IValue made = rebuilt(item);
      if (&from != &to || item.is_object()) to.set(next, std::move(made));
      ++next;
    }
  }

  std::shared_ptr<ClassInfo> smaller_class(const ObjectImpl& object) {
    std::shared_ptr<ClassInfo>& cls = smaller_[object.cls->name];
    if (cls) return cls;
    cls = std::make_shared<ClassInfo>();
    cls->name = object.cls->name;
    cls->is_module = object.cls->is_module;
    std::map<int64_t, int64_t>& numbers = numbers_[cls->name];
    const size_t slots = std::max(object.slot_count(), object.cls->attributes.size());
    for (size_t i = 0; i < slots; ++i) {
      if (!is_used(object, i)) continue;
      numbers[static_cast<int64_t>(i)] = static_cast<int64_t>(cls->attributes.size());
      const bool named = i < object.cls->attributes.size();
      cls->attributes.push_back(named ? object.cls->attributes[i] : cat("_slot", i));
      cls->attribute_types.push_back(i < object.cls->attribute_types.size() ? object.cls->attribute_types[i]
                                                                            : types::any());
    }
    program_.classes.put(cls);
    return cls;
  }

  void renumber(ir::Function& function) {
    for (Node* node : all_nodes(function.graph.body())) {
      if (node->kind != NodeKind::kGetAttr && node->kind != NodeKind::kSetAttr) continue;
      const auto cls = numbers_.find(node->inputs[0]->type->name());
      if (cls == numbers_.end()) continue;
      if (const auto slot = cls->second.find(node->index); slot != cls->second.end()) node->index = slot->second;
    }
  }

  void remove_functions() {
    std::vector<const ir::Function*> unused;
    for (const auto& function : program_.functions) {
      const std::string owner = function->name.substr(0, function->name.rfind('.'));
      const bool instantiated = whole_.contains(owner);
      if (owner != root_class() && !reached_.contains(owner) && !instantiated) unused.push_back(function.get());
    }
    for (const ir::Function* function : unused) program_.remove(*function);
  }

  ir::Program& program_;
  const FreezeOptions& options_;
  bool everything_ = false;  // something reads attributes of objects whose class is not known
  std::map<std::string, std::set<int64_t>> used_;
  std::map<std::string, std::set<int64_t>> hidden_;  // those read as values of no class: what uses them is not known
  std::set<std::string> whole_, stated_, reached_;
  std::unordered_map<const ObjectImpl*, IValue> rebuilt_;
  std::vector<Rebuilding> to_fill_;
  std::map<std::string, std::shared_ptr<ClassInfo>> smaller_;
  std::map<std::string, std::map<int64_t, int64_t>> numbers_;  // slots: old -> new
};

}  // namespace

void prune(ir::Program& program, const FreezeOptions& options) { Pruner(program, options).run(); }

void set_root_attribute(ir::Program& program, const std::string& name, IValue value) {
  ObjectImpl& root = program.root.to_object();
  int64_t slot = root.cls->slot_of(name);
  if (slot < 0) {
    ClassInfo& cls = *root.cls;
    slot = static_cast<int64_t>(std::max(cls.attributes.size(), root.slot_count()));
    while (cls.attributes.size() < static_cast<size_t>(slot))
      cls.attributes.push_back(cat("_slot", cls.attributes.size()));
    cls.attribute_types.resize(static_cast<size_t>(slot), types::any());
    cls.attributes.push_back(name);
    cls.attribute_types.push_back(value.type());
  }
  root.set(static_cast<size_t>(slot), std::move(value));
}

}  // namespace wick::passes
