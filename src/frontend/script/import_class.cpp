// Imports a class statement: attributes, constants, methods, hooks.
#include "frontend/script/import_class.h"

#include <unordered_set>

#include "core/check.h"
#include "core/limits.h"

namespace wick::script {

using ast::Expr;
using ast::ExprKind;
using ast::Stmt;
using ast::StmtKind;

namespace {

ClassKind kind_of(const ast::ClassDef& def) {
  if (!def.base) return ClassKind::kClass;
  if (def.base->is_name("Module")) return ClassKind::kModule;
  if (def.base->is_name("NamedTuple")) return ClassKind::kNamedTuple;
  if (def.base->is_name("Enum")) return ClassKind::kEnum;
  if (def.base->is_name("Interface")) return ClassKind::kInterface;
  if (def.base->is_name("ModuleInterface")) return ClassKind::kModuleInterface;
  return def.base->is_name("Exception") ? ClassKind::kException : ClassKind::kClass;
}

// "a.___torch_mangle_3.B" is another "a.B".
std::string without_mangling(const std::string& name) {
  constexpr std::string_view kMangle = ".___torch_mangle_";
  std::string out = name;
  for (size_t at = out.find(kMangle); at != std::string::npos; at = out.find(kMangle, at)) {
    size_t end = at + kMangle.size();
    while (end < out.size() && out[end] >= '0' && out[end] <= '9') ++end;
    out.erase(at, end - at);
  }
  return out;
}

// Old quantized modules say Tensor of what has been a C++ class since.
std::string_view packed_params_class(const std::string& name) {
  constexpr std::string_view kPrefixes[] = {"__torch__.torch.nn.", "__torch__.torch.ao.nn."};
  constexpr struct {
    std::string_view ending, cls;
  } kClasses[] = {
      {"quantized.modules.linear.LinearPackedParams", "LinearPackedParamsBase"},
      {"quantized.modules.linear.Linear", "LinearPackedParamsBase"},
      {"quantized.dynamic.modules.linear.Linear", "LinearPackedParamsBase"},
      {"quantized.modules.conv.Conv2d", "Conv2dPackedParamsBase"},
      {"quantized.modules.conv.Conv3d", "Conv3dPackedParamsBase"},
      {"intrinsic.quantized.modules.conv_relu.ConvReLU2d", "Conv2dPackedParamsBase"},
      {"intrinsic.quantized.modules.conv_relu.ConvReLU3d", "Conv3dPackedParamsBase"},
  };
  const std::string plain = without_mangling(name);
  for (std::string_view prefix : kPrefixes) {
    if (!plain.starts_with(prefix)) continue;
    for (const auto& c : kClasses) {
      if (std::string_view(plain).substr(prefix.size()) == c.ending) return c.cls;
    }
  }
  return {};
}

// How many types a type is made of; stops counting beyond the limit.
size_t count_parts(const Type& type) {
  size_t out = 1;
  for (const TypePtr& element : type.elements()) {
    if (out > limits::kMaxTypeParts) break;
    out += count_parts(*element);
  }
  return out;
}

}  // namespace

ClassImport::ClassImport(Importer& importer, const ast::ClassDef& def, const SourceFile& file, const std::string& name)
    : importer_(importer), def_(def), file_(file), out_(std::make_unique<ScriptClass>()) {
  out_->name = name;
  out_->kind = kind_of(def);
  out_->type = shallow_type(def, name);
}

template <class... Parts>
void ClassImport::bad(Position at, const Parts&... parts) const {
  file_.fail_at(at, ErrorCode::kCorruptFile, cat(parts...));
}

TypePtr ClassImport::shallow_type(const ast::ClassDef& def, const std::string& name) {
  switch (kind_of(def)) {
    case ClassKind::kNamedTuple:
    case ClassKind::kEnum:
      return nullptr;
    case ClassKind::kInterface:
    case ClassKind::kModuleInterface:
      return types::make(TypeKind::kInterface, std::vector<TypePtr>{}, name);
    default:
      return types::class_type(name);
  }
}

std::unique_ptr<ScriptClass> ClassImport::run() {
  switch (out_->kind) {
    case ClassKind::kNamedTuple:
      named_tuple();
      break;
    case ClassKind::kEnum:
      enumeration();
      break;
    case ClassKind::kInterface:
    case ClassKind::kModuleInterface:
      interface();
      break;
    default:
      members();
  }
  return std::move(out_);
}

void ClassImport::members() {
  if (def_.base && out_->kind == ClassKind::kClass) {
    bad(def_.base->at, "class ", def_.name, " inherits from something: TorchScript does not support inheritance");
  }
  if (const TypePtr known = importer_.type_named(out_->name)) out_->type = known;
  for (const Stmt* stmt : def_.body) member(*stmt);
  out_->pre_hooks = hooks_named(pre_hooks_, def_.at);
  out_->hooks = hooks_named(hooks_, def_.at);

  out_->info = std::make_shared<ClassInfo>();
  out_->info->name = out_->name;
  out_->info->is_module = out_->kind == ClassKind::kModule;
  std::unordered_set<std::string_view> seen;
  for (ScriptClass::Attribute& a : out_->attributes) {
    if (!seen.insert(a.name).second) bad(def_.at, "class ", def_.name, " has two attributes '", a.name, "'");
    out_->info->attributes.push_back(a.name);
    out_->info->attribute_types.push_back(a.type);
  }
  if (out_->kind == ClassKind::kModule) {
    ir::TensorRoles& roles = importer_.program().roles[out_->name];
    roles.parameters = {parameters_.begin(), parameters_.end()};
    roles.buffers = {buffers_.begin(), buffers_.end()};
  }
  // PyTorch 1.4 did not write down the attributes of classes.
  out_->is_open = out_->kind == ClassKind::kClass && out_->attributes.empty() && out_->method("__init__");
  importer_.program().classes.put(out_->info);
}

void ClassImport::member(const Stmt& stmt) {
  if (stmt.is(StmtKind::kDef)) return method(*stmt.def);
  if (stmt.is(StmtKind::kPass) || (stmt.is(StmtKind::kExpr) && stmt.value->is(ExprKind::kString))) return;
  if (!stmt.is(StmtKind::kAssign) || stmt.targets.size() != 1) {
    bad(stmt.at, "class ", def_.name, " has something that is neither an attribute nor a method");
  }
  const Expr& target = *stmt.targets[0];
  if (target.is(ExprKind::kSubscript)) {  // __annotations__["0"] = T
    if (!target.item(0).is_name("__annotations__") || target.items.size() != 2 ||
        !target.item(1).is(ExprKind::kString) || !stmt.value) {
      bad(stmt.at, "expected __annotations__[\"name\"] = type");
    }
    return attribute(std::string(target.item(1).text), *stmt.value, stmt.at);
  }
  const std::string_view name = plain_target(stmt);
  if (name == "__annotations__") return;
  if (name == "__parameters__") {
    parameters_ = names_in(stmt);
  } else if (name == "__buffers__") {
    buffers_ = names_in(stmt);
  } else if (name == "__forward_pre_hooks__") {
    pre_hooks_ = names_in(stmt);
  } else if (name == "__forward_hooks__") {
    hooks_ = names_in(stmt);
  } else if (stmt.value) {
    constant(name, stmt);
  } else {
    attribute(std::string(name), *stmt.type, stmt.at);
  }
}

std::string_view ClassImport::plain_target(const Stmt& stmt) const {
  if (!stmt.is(StmtKind::kAssign) || stmt.targets.size() != 1 || !stmt.targets[0]->is(ExprKind::kName)) {
    bad(stmt.at, "expected a name and its type or value in class ", def_.name);
  }
  return stmt.targets[0]->text;
}

std::vector<std::string_view> ClassImport::names_in(const Stmt& stmt) const {
  if (!stmt.value || !stmt.value->is(ExprKind::kList)) bad(stmt.at, "expected a list of names");
  std::vector<std::string_view> out;
  for (const Expr* item : stmt.value->items) {
    if (!item->is(ExprKind::kString)) bad(item->at, "expected a name in quotes");
    out.push_back(item->text);
  }
  return out;
}

void ClassImport::attribute(std::string name, const Expr& annotation, Position at) {
  if (name.size() > limits::kMaxNameLength) bad(at, "the name of an attribute has ", name.size(), " characters");
  ScriptClass::Attribute a;
  a.name = std::move(name);
  if (a.name == "_packed_params" && annotation.is_name("Tensor")) {
    if (const std::string_view packed = packed_params_class(out_->name); !packed.empty()) {
      a.type = importer_.type_named(cat("__torch__.torch.classes.quantized.", packed));
    }
  }
  if (!a.type) a.type = importer_.type_from(annotation, file_);
  out_->attributes.push_back(std::move(a));
}

// NAME : Final[T] = value
void ClassImport::constant(std::string_view name, const Stmt& stmt) {
  ScriptClass::Constant c;
  c.name = name;
  if (stmt.type) c.type = importer_.type_from(*stmt.type, file_);
  c.value = importer_.literal(*stmt.value, file_, c.type);
  if (!c.type) c.type = c.value.type();
  out_->constants.push_back(std::move(c));
}

void ClassImport::method(const ast::Def& def) {
  out_->methods.push_back(importer_.declare(cat(out_->name, ".", def.name), def, file_, out_->type));
}

std::vector<ir::Function*> ClassImport::hooks_named(const std::vector<std::string_view>& names, Position at) const {
  std::vector<ir::Function*> out;
  for (std::string_view name : names) {
    ir::Function* hook = out_->method(name);
    if (!hook) bad(at, "class ", def_.name, " has no definition of its hook '", name, "'");
    out.push_back(hook);
  }
  return out;
}

void ClassImport::named_tuple() {
  std::vector<std::string> fields;
  std::vector<TypePtr> elements;
  for (const Stmt* stmt : def_.body) {
    if (stmt->is(StmtKind::kPass)) continue;
    ScriptClass::Field field;
    field.name = plain_target(*stmt);
    if (!stmt->type) bad(stmt->at, "a field of a named tuple needs a type");
    field.type = importer_.type_from(*stmt->type, file_);
    if (stmt->value) field.default_value = importer_.literal(*stmt->value, file_, field.type);
    fields.push_back(field.name);
    elements.push_back(field.type);
    out_->fields.push_back(std::move(field));
  }
  out_->type = types::named_tuple(out_->name, std::move(fields), std::move(elements));
  if (count_parts(*out_->type) > limits::kMaxTypeParts) {
    file_.fail_at(def_.at, ErrorCode::kLimitExceeded, cat("a type has more than ", limits::kMaxTypeParts, " parts"));
  }
}

void ClassImport::enumeration() {
  TypePtr value_type;
  for (const Stmt* stmt : def_.body) {
    if (stmt->is(StmtKind::kPass)) continue;
    const std::string_view name = plain_target(*stmt);
    if (!stmt->value) bad(stmt->at, "a member of an enum needs a value");
    auto member = make_ref<EnumImpl>();
    member->type_name = out_->name;
    member->name = name;
    member->value = importer_.literal(*stmt->value, file_);
    const TypePtr type = member->value.type();
    const TypeKind kind = type->kind();
    if (kind != TypeKind::kInt && kind != TypeKind::kFloat && kind != TypeKind::kString) {
      bad(stmt->at, "the value of an enum's member is an int, a float or a str, not ", type->str());
    }
    if (value_type && !same_type(*value_type, *type)) {
      bad(stmt->at, "Enum class with varying value types are not supported.");
    }
    value_type = type;
    out_->constants.push_back({std::string(name), nullptr, IValue(Ref<EnumImpl>(member))});
  }
  if (!value_type) bad(def_.at, "No enum values defined for ", out_->name);
  out_->type = types::enum_type(out_->name, value_type);
  for (ScriptClass::Constant& c : out_->constants) c.type = out_->type;
}

void ClassImport::interface() {
  for (const Stmt* stmt : def_.body) {
    if (stmt->is(StmtKind::kPass)) continue;
    if (!stmt->is(StmtKind::kDef)) bad(stmt->at, "an interface has methods only");
    out_->interface.push_back(importer_.schema_of(std::string(stmt->def->name), *stmt->def, file_, out_->type));
  }
}

}  // namespace wick::script
