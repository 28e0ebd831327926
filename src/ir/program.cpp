// Programs: their functions and classes by name, and what they call and use.
#include "ir/program.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "core/check.h"

namespace wick::ir {

const char* to_string(FileKind kind) {
  switch (kind) {
    case FileKind::kLite:
      return "lite";
    case FileKind::kFlatbuffer:
      return "flatbuffer";
    case FileKind::kTorchScript:
      return "torchscript";
  }
  return "?";
}

ClassTable& ClassTable::operator=(const ClassTable& other) {
  if (this == &other) return *this;
  classes_.clear();
  places_ = {};
  for (const std::shared_ptr<ClassInfo>& cls : other) put(cls);
  return *this;
}

const std::shared_ptr<ClassInfo>* ClassTable::find(std::string_view name) const noexcept {
  return reinterpret_cast<const std::shared_ptr<ClassInfo>*>(places_.get(name));
}

void ClassTable::put(const std::shared_ptr<ClassInfo>& cls) {
  if (const std::shared_ptr<ClassInfo>* known = find(cls->name)) {
    *const_cast<std::shared_ptr<ClassInfo>*>(known) = cls;
    places_ = {};  // the name was the old one's
    for (const std::shared_ptr<ClassInfo>& c : classes_) places_[c->name] = reinterpret_cast<uintptr_t>(&c);
  } else {
    classes_.push_back(cls);
    places_[cls->name] = reinterpret_cast<uintptr_t>(&classes_.back());
  }
}

Function* Program::find(std::string_view qualified_name) const {
  return reinterpret_cast<Function*>(by_name_.get(qualified_name));
}

Function* Program::add(std::unique_ptr<Function> function) {
  Function* f = function.get();
  WICK_CHECK(!find(f->name), kCorruptFile, "the model defines function '", f->name, "' twice");
  f->number = next_number_++;
  functions.push_back(std::move(function));
  by_name_[f->name] = reinterpret_cast<uintptr_t>(f);
  return f;
}

void Program::index_functions() {
  by_name_ = {};
  for (const std::unique_ptr<Function>& f : functions) by_name_[f->name] = reinterpret_cast<uintptr_t>(f.get());
}

Function* Program::replace(std::unique_ptr<Function> function) {
  Function* fresh = function.get();
  for (std::unique_ptr<Function>& f : functions) {
    if (f->name != fresh->name) continue;
    fresh->number = next_number_++;
    f = std::move(function);
    index_functions();
    return fresh;
  }
  return add(std::move(function));
}

void Program::remove(const Function& function) {
  std::erase_if(functions, [&](const std::unique_ptr<Function>& f) { return f.get() == &function; });
  index_functions();
}

void Program::remove_and_add(const std::vector<const Function*>& removed,
                             std::vector<std::unique_ptr<Function>> added) {
  const auto is_removed = [&](const std::unique_ptr<Function>& f) {
    return std::find(removed.begin(), removed.end(), f.get()) != removed.end();
  };
  NameMap by_name;
  const auto index = [&](const std::unique_ptr<Function>& f) {
    uint64_t& word = by_name[f->name];
    WICK_CHECK(word == 0, kInvalidArgument, "the model would have two functions '", f->name, "'");
    word = reinterpret_cast<uintptr_t>(f.get());
  };
  for (const std::unique_ptr<Function>& f : functions) {
    if (!is_removed(f)) index(f);
  }
  for (const std::unique_ptr<Function>& f : added) index(f);
  functions.reserve(functions.size() + added.size());
  // Nothing throws from here on.
  std::erase_if(functions, is_removed);
  for (std::unique_ptr<Function>& f : added) {
    f->number = next_number_++;
    functions.push_back(std::move(f));
  }
  by_name_ = std::move(by_name);
}

bool Program::is_hook(const Function& function) const {
  const auto among = [&](const std::vector<Function*>& all) {
    return std::find(all.begin(), all.end(), &function) != all.end();
  };
  return among(hooks) || among(pre_hooks);
}

Function* Program::find_method(std::string_view name) const {
  return root.is_object() ? find_method(root.to_object(), name) : nullptr;
}

Function* Program::find_method(const ObjectImpl& object, std::string_view name) const {
  return find(cat(object.cls->name, ".", name));
}

namespace {

void collect(const Program& program, const Function& function, const Block& block,
             std::map<std::string, OperatorUse>& out) {
  for (const Node* node : block.nodes) {
    if (node->kind == NodeKind::kOp) {
      const auto [it, fresh] = out.try_emplace(node->op_name, OperatorUse{node->op, 0, {}});
      ++it->second.count;
      if (fresh) {
        it->second.where = function.own_name();
        if (node->source >= 0 && !node->op && program.describe_source) {
          const std::string at = program.describe_source(node->source);
          if (!at.empty()) it->second.where += ": " + at;
        }
      }
    }
    for (const Block* inner : node->blocks) collect(program, function, *inner, out);
  }
}

// What the nodes of a function may call; methods of any class are looked up once a name.
struct Calls {
  const Program& program;
  std::vector<const Function*> out;
  std::set<std::string> of_any_class;

  void collect(const Block& block) {
    for (const Node* node : block.nodes) {
      if (node->callee) out.push_back(node->callee);
      if (node->kind == NodeKind::kCallMethod) {
        const TypePtr& type = node->inputs[0]->type;
        if (const Function* method = program.find(cat(type->name(), ".", node->name))) {
          out.push_back(method);
        } else if (of_any_class.insert(node->name).second) {
          for (const auto& cls : program.classes) {
            if (const Function* candidate = program.find(cat(cls->name, ".", node->name))) out.push_back(candidate);
          }
        }
      }
      for (const Block* inner : node->blocks) collect(*inner);
    }
  }
};

}  // namespace

std::vector<const Function*> functions_called(const Program& program, const Function& function) {
  Calls calls{program, {}, {}};
  calls.collect(*function.graph.body());
  return std::move(calls.out);
}

std::map<std::string, OperatorUse> operators_used(const Program& program) {
  std::map<std::string, OperatorUse> out;
  for (const auto& function : program.functions) collect(program, *function, *function->graph.body(), out);
  return out;
}

}  // namespace wick::ir
