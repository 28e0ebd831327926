// Names: files, classes, functions, and the queue of functions to lower.
#include "frontend/script/importer.h"

#include <algorithm>

#include "core/check.h"
#include "core/limits.h"
#include "frontend/script/import_class.h"
#include "frontend/script/lower.h"
#include "frontend/script/parser.h"

namespace wick::script {

namespace {

constexpr std::string_view kCustomPrefix = "__torch__.torch.classes.";

template <class List>
auto by_name(const List& list, std::string_view name) {
  return std::find_if(list.begin(), list.end(), [&](const auto& item) { return item.name == name; });
}

}  // namespace

struct Importer::LoadedFile {
  const SourceFile* source = nullptr;
  std::unordered_map<std::string_view, const ast::ClassDef*> classes;
  std::unordered_map<std::string_view, const ast::Def*> functions;
};

// A definition at the top of a file; at most one of the pointers is set.
struct Importer::Found {
  const SourceFile* source = nullptr;
  const ast::ClassDef* cls = nullptr;
  const ast::Def* function = nullptr;
};

int64_t ScriptClass::attribute(std::string_view attribute_name) const {
  const auto it = by_name(attributes, attribute_name);
  return it == attributes.end() ? -1 : it - attributes.begin();
}

const ScriptClass::Constant* ScriptClass::constant(std::string_view constant_name) const {
  const auto it = by_name(constants, constant_name);
  return it == constants.end() ? nullptr : &*it;
}

const FunctionSchema* ScriptClass::interface_method(std::string_view method_name) const {
  const auto it = by_name(interface, method_name);
  return it == interface.end() ? nullptr : &*it;
}

ir::Function* ScriptClass::method(std::string_view method_name) const {
  for (ir::Function* f : methods) {
    if (f->name.size() == name.size() + 1 + method_name.size() && f->name.ends_with(method_name)) return f;
  }
  return nullptr;
}

Importer::Importer(ir::Program& program, std::shared_ptr<Sources> sources,
                   std::function<std::vector<IValue>()> constants)
    : program_(program),
      sources_(std::move(sources)),
      constants_reader_(std::move(constants)),
      nodes_left_(limits::kMaxSyntaxNodes) {}

Importer::~Importer() = default;

Importer::LoadedFile* Importer::file_of(std::string_view qualifier) {
  const auto [it, fresh] = files_.try_emplace(std::string(qualifier));
  if (!fresh) return it->second.get();
  const SourceFile* source = sources_->read(qualifier);
  if (!source) return nullptr;
  auto file = std::make_unique<LoadedFile>();
  file->source = source;
  const ast::File tree = parse_file(*source, arena_, nodes_left_);
  for (const ast::ClassDef* c : tree.classes) file->classes[c->name] = c;
  for (const ast::Def* f : tree.functions) file->functions[f->name] = f;
  return (files_[std::string(qualifier)] = std::move(file)).get();
}

Importer::Found Importer::find(std::string_view qualified) {
  const size_t dot = qualified.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || qualified.size() > limits::kMaxNameLength) return {};
  LoadedFile* file = file_of(qualified.substr(0, dot));
  if (!file) return {};
  Found out;
  out.source = file->source;
  const std::string_view name = qualified.substr(dot + 1);
  if (const auto cls = file->classes.find(name); cls != file->classes.end()) {
    out.cls = cls->second;
  } else if (const auto function = file->functions.find(name); function != file->functions.end()) {
    out.function = function->second;
  }
  return out;
}

const ScriptClass* Importer::class_named(std::string_view qualified) {
  const std::string name(qualified);
  if (const auto it = classes_.find(name); it != classes_.end()) {
    // A named tuple or an enum is made in one go; only a circle meets one that is not complete.
    WICK_CHECK(it->second, kCorruptFile, "class ", name, " is defined by means of itself");
    return it->second.get();
  }
  if (qualified.starts_with(kCustomPrefix)) return nullptr;
  const Found found = find(qualified);
  if (!found.cls) return nullptr;
  WICK_CHECK(class_depth_ < limits::kMaxTypeDepth, kLimitExceeded, "class ", name,
             ": named tuples are nested deeper than ", limits::kMaxTypeDepth);
  classes_[name] = nullptr;
  ++class_depth_;
  auto made = ClassImport(*this, *found.cls, *found.source, name).run();
  --class_depth_;
  ScriptClass* const out = (classes_[name] = std::move(made)).get();
  if (out->is_open) {
    lower_now(*out->method("__init__"));
    out->is_open = false;
  }
  return out;
}

int64_t Importer::add_attribute(const ScriptClass& cls, std::string_view name, const TypePtr& type) {
  ScriptClass& open = *classes_.at(cls.name);
  WICK_CHECK(name.size() <= limits::kMaxNameLength, kLimitExceeded, "the name of an attribute has ", name.size(),
             " characters");
  open.attributes.push_back({std::string(name), type});
  open.info->attributes.emplace_back(name);
  open.info->attribute_types.push_back(type);
  return static_cast<int64_t>(open.attributes.size()) - 1;
}

ir::Function* Importer::function_named(std::string_view qualified) {
  if (ir::Function* known = program_.find(qualified)) return known;
  const Found found = find(qualified);
  if (found.function) return declare(std::string(qualified), *found.function, *found.source, nullptr);
  const size_t dot = qualified.rfind('.');
  if (found.cls || dot == std::string_view::npos) return nullptr;
  const ScriptClass* cls = class_named(qualified.substr(0, dot));
  return cls ? cls->method(qualified.substr(dot + 1)) : nullptr;
}

TypePtr Importer::type_named(std::string_view qualified) {
  const std::string name(qualified);
  if (const auto it = types_.find(name); it != types_.end()) return it->second;
  TypePtr type;
  if (qualified.starts_with(kCustomPrefix)) {
    type = types::class_type(name);
  } else if (const Found found = find(qualified); found.cls) {
    type = ClassImport::shallow_type(*found.cls, name);
    if (!type) type = class_named(qualified)->type;
  } else {
    return nullptr;
  }
  return types_[name] = type;
}

const ScriptClass* Importer::class_of(const Type& type) {
  return type.name().empty() || type.is(TypeKind::kVar) || type.is(TypeKind::kFunction) ? nullptr
                                                                                        : class_named(type.name());
}

void Importer::read_constants() {
  if (constants_) return;
  WICK_CHECK(!reading_constants_, kCorruptFile, "constants.pkl holds an object whose code needs the constants");
  reading_constants_ = true;
  constants_ = constants_reader_();
  reading_constants_ = false;
}

const IValue& Importer::constant(int64_t index) {
  read_constants();
  WICK_CHECK(index >= 0 && static_cast<size_t>(index) < constants_->size(), kCorruptFile,
             "the code refers to constant ", index, ", constants.pkl has ", constants_->size());
  return (*constants_)[static_cast<size_t>(index)];
}

FunctionSchema Importer::schema_of(const std::string& name, const ast::Def& def, const SourceFile& file,
                                   const TypePtr& self) {
  FunctionSchema out;
  out.name = name;
  if (self && def.params.empty()) file.fail_at(def.at, ErrorCode::kCorruptFile, "a method needs 'self'");
  for (size_t i = 0; i < def.params.size(); ++i) {
    const ast::Param& p = def.params[i];
    Argument a;
    a.name = p.name;
    a.kwarg_only = p.keyword_only;
    // What is not annotated is a Tensor.
    a.type = self && i == 0 ? self : p.type ? type_from(*p.type, file) : types::tensor();
    for (const Argument& before : out.arguments) {
      if (before.name == a.name)
        file.fail_at(p.at, ErrorCode::kCorruptFile, cat("'", a.name, "' is a parameter twice"));
    }
    if (p.default_value) {
      a.has_default = true;
      a.default_value = literal(*p.default_value, file, a.type);
    }
    out.arguments.push_back(std::move(a));
  }
  if (def.return_type) {
    Argument result;
    result.type = type_from(*def.return_type, file);
    out.returns.push_back(std::move(result));
  }
  return out;
}

ir::Function* Importer::declare(std::string name, const ast::Def& def, const SourceFile& file, TypePtr self) {
  auto function = std::make_unique<ir::Function>();
  function->name = name;
  function->schema = schema_of(name, def, file, self);
  ir::Function* out = program_.add(std::move(function));
  pending_[out] = {&def, &file, std::move(self)};
  queue_.push_back(out);
  return out;
}

ir::Function& Importer::library_function(const std::string& qualified, const std::string& text) {
  if (ir::Function* known = program_.find(qualified)) return *known;
  const SourceFile* file = sources_->add(qualified, text);
  return *declare(qualified, *parse_file(*file, arena_, nodes_left_).functions.at(0), *file, nullptr);
}

ir::Function& Importer::new_function(const std::string& name) {
  std::string unique = name;
  for (size_t i = 0; program_.find(unique); ++i) unique = cat(name, "_", i);
  auto function = std::make_unique<ir::Function>();
  function->name = unique;
  return *program_.add(std::move(function));
}

void Importer::lower_now(ir::Function& function) {
  const auto it = pending_.find(&function);
  if (it == pending_.end()) return;
  if (it->second.lowering) {
    it->second.file->fail_at(it->second.def->at, ErrorCode::kUnsupported,
                             "a function that calls itself must state what it returns");
  }
  it->second.lowering = true;
  const Pending work = it->second;
  ++lowering_;
  lower_function(*this, *work.def, *work.file, work.self, function);
  --lowering_;
  pending_.erase(&function);
}

void Importer::lower_all() {
  while (!queue_.empty()) {
    ir::Function* next = queue_.front();
    queue_.pop_front();
    const auto it = pending_.find(next);
    if (it != pending_.end() && !it->second.lowering) lower_now(*next);
  }
}

bool Importer::implements(const Type& a, const Type& b) {
  const ScriptClass* cls = class_of(a);
  const ScriptClass* wanted = class_of(b);
  if (!cls || !wanted || !wanted->is_interface() || cls->kind == ClassKind::kEnum ||
      cls->kind == ClassKind::kNamedTuple) {
    return false;
  }
  if (wanted->is_module() && !cls->is_module()) return false;
  for (const FunctionSchema& w : wanted->interface) {
    const ir::Function* method = cls->method(w.name);
    const FunctionSchema* own = cls->is_interface() ? cls->interface_method(w.name)
                                : method            ? &method->schema
                                                    : nullptr;
    if (!own || own->arguments.size() < w.arguments.size()) return false;
    for (size_t i = 1; i < own->arguments.size(); ++i) {
      if (i >= w.arguments.size() ? !own->arguments[i].has_default
                                  : !is_subtype(*w.arguments[i].type, *own->arguments[i].type)) {
        return false;
      }
    }
    if (!w.returns.empty() && !own->returns.empty() && !is_subtype(*own->returns[0].type, *w.returns[0].type)) {
      return false;
    }
  }
  return true;
}

}  // namespace wick::script
