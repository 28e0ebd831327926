// Deep copies of programs for passes to change.
#include "passes/program_copy.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "core/check.h"
#include "core/limits.h"
#include "core/stack.h"
#include "core/tensor_impl.h"
#include "core/value_walk.h"
#include "ir/effects.h"
#include "ir/inline_calls.h"
#include "passes/rewriter.h"

namespace wick::passes {

namespace {

// Names of attributes whose tensors the functions may change in place.
class ChangedTensors {
 public:
  void add(const ir::Graph& graph) {
    const ir::Aliases aliases(graph);
    for (const ir::Node* node : all_nodes(graph.body())) {
      if (node->kind != ir::NodeKind::kGetAttr || !aliases.is_changed(node->outputs[0])) continue;
      if (node->name.empty()) {
        slots_.insert(node->index);
      } else {
        names_.insert(node->name);
      }
    }
  }
  bool contains(const std::string& name, size_t slot) const {
    return names_.contains(name) || slots_.contains(static_cast<int64_t>(slot));
  }

 private:
  std::set<std::string> names_;
  std::set<int64_t> slots_;
};

class ValueCopier {
 public:
  ValueCopier(ir::ClassTable& classes, const ChangedTensors& changed, bool clone_all = false)
      : classes_(classes), changed_(changed), cloning_(clone_all) {}

  IValue copy(const IValue& value, size_t depth = 0) {
    WICK_CHECK(depth <= limits::kMaxPickleDepth, kLimitExceeded, "values nested deeper than ", limits::kMaxPickleDepth);
    check_stack("values");
    RefCounted* ref = value.ref_or_null();
    if (!ref || value.is_string() || value.is_complex() || value.is_custom() || value.is_enum()) return value;
    if (const auto it = copies_.find(ref); it != copies_.end()) return it->second;
    if (value.is_object()) return copy_object(value.to_object(), depth);
    IValue made = value;
    if (value.is_list()) {
      made = IValue::list(value.to_list().element_type, {});
      copies_[ref] = made;
      for (const IValue& item : value.to_list().items) made.to_list().items.push_back(copy(item, depth + 1));
    } else if (value.is_tuple()) {
      std::vector<IValue> items;
      for (const IValue& item : value.to_tuple().items) items.push_back(copy(item, depth + 1));
      made = IValue::tuple(std::move(items));
      made.to_tuple().named_type = value.to_tuple().named_type;
    } else if (value.is_dict()) {
      Ref<DictImpl> dict = make_ref<DictImpl>();
      dict->key_type = value.to_dict().key_type;
      dict->value_type = value.to_dict().value_type;
      made = IValue(dict);
      copies_[ref] = made;
      for (const auto& [key, item] : value.to_dict().entries()) dict->set(key, copy(item, depth + 1));
    } else if (value.is_tensor() && cloning_) {
      made = copy_tensor(value.to_tensor());
    }
    if (!value.is_tensor() || cloning_) copies_[ref] = made;
    return made;
  }

 private:
  IValue copy_object(const ObjectImpl& object, size_t depth) {
    const std::string& name = object.cls->name;
    if (!classes_.find(name)) classes_.put(std::make_shared<ClassInfo>(*object.cls));
    Ref<ObjectImpl> made = make_ref<ObjectImpl>();
    made->cls = *classes_.find(name);
    copies_[&object] = IValue(made);
    for (size_t i = 0; i < object.slot_count(); ++i) {
      const std::string name = i < object.cls->attributes.size() ? object.cls->attributes[i] : std::string();
      const bool outer = std::exchange(cloning_, cloning_ || changed_.contains(name, i));
      made->set(i, copy(object.get(i), depth + 1));
      cloning_ = outer;
    }
    return IValue(made);
  }

  // The whole storage, so that tensors that share it still do.
  IValue copy_tensor(const Tensor& tensor) {
    Ref<TensorImpl> impl = make_ref<TensorImpl>();
    impl->sizes = tensor.impl()->sizes;
    impl->strides = tensor.impl()->strides;
    impl->offset = tensor.impl()->offset;
    impl->numel = tensor.impl()->numel;
    impl->dtype = tensor.impl()->dtype;
    impl->requires_grad = tensor.impl()->requires_grad;
    impl->quantizer = tensor.impl()->quantizer;
    impl->row_lengths = tensor.impl()->row_lengths;
    Storage& storage = storages_[tensor.storage().get()];
    if (!storage) {
      storage = make_ref<StorageImpl>(tensor.storage()->nbytes());
      if (tensor.storage()->nbytes() > 0) {
        std::memcpy(storage->data(), tensor.storage()->data(), tensor.storage()->nbytes());
      }
    }
    impl->storage = storage;
    return IValue(Tensor(impl));
  }

  ir::ClassTable& classes_;
  const ChangedTensors& changed_;
  bool cloning_;
  std::unordered_map<const RefCounted*, IValue> copies_;
  std::unordered_map<const StorageImpl*, Storage> storages_;
};

class Copier {
 public:
  explicit Copier(const ir::Program& program)
      : from_(program), out_(std::make_shared<ir::Program>()), budget_(program) {}

  std::shared_ptr<ir::Program> run(const std::vector<std::string>& methods) {
    WICK_CHECK(from_.root.is_object(), kInvalidArgument, "the program has no module");
    out_->kind = from_.kind;
    out_->bytecode_version = from_.bytecode_version;
    out_->operator_version = from_.operator_version;
    out_->producer = from_.producer;
    out_->extra_files = from_.extra_files;
    for (const std::string& name : methods) {
      const ir::Function* method = from_.find_method(name);
      WICK_CHECK(method, kNotFound, "the model has no method '", name, "'");
      add(*method);
    }
    for (const auto& function : from_.functions) {
      const std::string_view name = function->own_name();
      if (name == "__setstate__" || name == "__getstate__") add(*function);
    }
    add_looked_up();
    std::vector<const ir::Function*> code;
    for (const auto& function : out_->functions) code.push_back(function.get());
    copy_state(from_, code, *out_);
    return out_;
  }

 private:
  void add(const ir::Function& function) {
    if (out_->find(function.name)) return;
    out_->add(ir::inline_calls(from_, function, budget_).function);
  }

  // Methods that are looked up by name when they are run.
  void add_looked_up() {
    for (size_t i = 0; i < out_->functions.size(); ++i) {
      for (const ir::Node* node : all_nodes(std::as_const(out_->functions[i]->graph).body())) {
        if (node->kind == ir::NodeKind::kCallMethod) add_all_named(node->name);
        if (node->kind == ir::NodeKind::kEnter) add_all_named("__enter__");
        if (node->kind == ir::NodeKind::kExit) add_all_named("__exit__");
      }
    }
  }

  void add_all_named(const std::string& name) {
    if (!names_.insert(name).second) return;
    for (const auto& function : from_.functions) {
      if (function->own_name() == name) add(*function);
    }
  }

  const ir::Program& from_;
  std::shared_ptr<ir::Program> out_;
  ir::InlineBudget budget_;
  std::unordered_set<std::string> names_;
};

void leave_training(ObjectImpl& object) {
  for (size_t i = 0; i < object.slot_count() && i < object.cls->attributes.size(); ++i) {
    if (object.cls->attributes[i] == "training" && object.get(i).is_bool()) object.set(i, IValue(false));
  }
}

}  // namespace

std::shared_ptr<ir::Program> copy_program(const ir::Program& program, const std::vector<std::string>& methods) {
  return Copier(program).run(methods);
}

void copy_state(const ir::Program& from, const std::vector<const ir::Function*>& code, ir::Program& to) {
  ChangedTensors changed;
  for (const ir::Function* function : code) changed.add(function->graph);
  to.root = ValueCopier(to.classes, changed).copy(from.root);
  for (const auto& cls : from.classes) {
    if (!to.classes.find(cls->name)) to.classes.put(std::make_shared<ClassInfo>(*cls));
  }
}

IValue copy_value(const IValue& value) {
  ir::ClassTable scratch;
  ChangedTensors none;
  return ValueCopier(scratch, none, /*clone_all=*/true).copy(value);
}

std::vector<std::string> method_names(const ir::Program& program) {
  std::vector<std::string> out;
  if (!program.root.is_object()) return out;
  const std::string prefix = program.root.to_object().cls->name + ".";
  for (const auto& function : program.functions) {
    if (!function->name.starts_with(prefix) || function->name.find('.', prefix.size()) != std::string::npos) continue;
    if (!program.is_hook(*function)) out.push_back(function->name.substr(prefix.size()));
  }
  return out;
}

void inline_all(ir::Program& program, ir::InlineBudget& budget) {
  std::vector<std::unique_ptr<ir::Function>> inlined;
  for (const auto& function : program.functions) {
    inlined.push_back(ir::inline_calls(program, *function, budget).function);
  }
  for (std::unique_ptr<ir::Function>& function : inlined) program.replace(std::move(function));
}

bool set_eval(ir::Program& program) {
  const ObjectImpl& root = program.root.to_object();
  const int64_t slot = root.cls->slot_of("training");
  const bool known = slot >= 0 && static_cast<size_t>(slot) < root.slot_count();
  const IValue before = known ? root.get(static_cast<size_t>(slot)) : IValue();
  walk_objects(program.root, [](ObjectImpl& object) { leave_training(object); });
  return before.is_bool() && before.to_bool();
}

}  // namespace wick::passes
