// Classes, constants and named tuples of printed TorchScript source.
#include "emit/script/script_context.h"

#include <cmath>
#include <cstdio>

#include "core/check.h"
#include "core/limits.h"
#include "core/stack.h"

namespace wick::emit {

namespace {

constexpr std::string_view kCustomPrefix = "__torch__.torch.classes.";

bool is_plain_text(const std::string& text) {
  for (char c : text) {
    if (c < 0x20 || c > 0x7e) return false;
  }
  return true;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string float_text(double v) {
  if (std::isnan(v)) return "nan";
  if (std::isinf(v)) return v > 0 ? "inf" : "-inf";
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", v);
  std::string out = text;
  if (out.find_first_of(".e") == std::string::npos) out += ".";
  return out;
}

TypePtr type_of_attribute(const IValue& value) {
  if (value.is_object()) return types::class_type(value.to_object().cls->name);
  if (value.is_custom()) return types::class_type(std::string(value.to_custom().class_name()));
  return value.type();
}

}  // namespace

bool is_identifier(const std::string& name) {
  static const std::set<std::string> keywords = {
      "False", "None",  "True", "and",    "as",   "assert", "break", "class",  "continue", "def",    "del",
      "elif",  "else",  "for",  "from",   "if",   "import", "in",    "is",     "lambda",   "not",    "or",
      "pass",  "raise", "try",  "return", "with", "while",  "yield", "global", "except",   "finally"};
  if (name.empty() || keywords.contains(name) || (name[0] >= '0' && name[0] <= '9')) return false;
  for (char c : name) {
    const bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (!fits) return false;
  }
  return true;
}

TypePtr unified(const TypePtr& a, const TypePtr& b) {
  if (a == b || same_type(*a, *b)) return a;
  if (is_subtype(*a, *b)) return b;
  if (is_subtype(*b, *a)) return a;
  if (a->is(TypeKind::kTuple) && b->is(TypeKind::kTuple) && a->name().empty() && b->name().empty() &&
      a->elements().size() == b->elements().size()) {
    std::vector<TypePtr> elements;
    for (size_t i = 0; i < a->elements().size(); ++i) elements.push_back(unified(a->element(i), b->element(i)));
    return types::tuple(std::move(elements));
  }
  if (a->is(TypeKind::kOptional) && !b->is(TypeKind::kNone)) {
    const TypePtr inner = unified(a->element(0), b->is(TypeKind::kOptional) ? b->element(0) : b);
    return inner->is(TypeKind::kAny) ? inner : types::optional(inner);
  }
  if (b->is(TypeKind::kOptional) && !a->is(TypeKind::kNone)) return unified(b, a);
  if (a->is(TypeKind::kNone)) return types::optional(b);
  if (b->is(TypeKind::kNone)) return types::optional(a);
  return types::any();
}

ScriptContext::ScriptContext(const ir::Program& program) : program_(program) {
  collect(program.root, 0);
  for (const auto& function : program.functions) collect_made(*function->graph.body());
}

// Classes of objects that exist only while the functions run.
void ScriptContext::collect_made(const ir::Block& block) {
  for (const ir::Node* node : block.nodes) {
    for (const ir::Block* inner : node->blocks) collect_made(*inner);
    if (node->kind != ir::NodeKind::kCreateObject || node->types.empty()) continue;
    const std::shared_ptr<ClassInfo>* known = program_.classes.find(node->types[0]->name());
    if (!known || (*known)->is_module) continue;
    const ClassInfo& info = **known;
    const auto [place, fresh] = classes_.try_emplace(info.name);
    if (!fresh) continue;
    place->second.name = info.name;
    place->second.is_module = false;
    for (size_t i = 0; i < info.attributes.size(); ++i) {
      ScriptAttribute& attribute = place->second.attributes.emplace_back();
      attribute.name = info.attributes[i];
      attribute.type = i < info.attribute_types.size() ? info.attribute_types[i] : types::any();
      note(*attribute.type);
    }
  }
}

void ScriptContext::collect(const IValue& value, size_t depth) {
  WICK_CHECK(depth <= limits::kMaxPickleDepth, kLimitExceeded, "values nested deeper than ", limits::kMaxPickleDepth,
             " cannot be saved");
  check_stack("values");
  const void* ref = value.ref_or_null();
  if (!ref || !seen_.insert(ref).second) return;
  if (value.is_object()) {
    collect_object(value.to_object(), depth);
  } else if (value.is_list()) {
    for (const IValue& item : value.to_list().items) collect(item, depth + 1);
  } else if (value.is_tuple()) {
    for (const IValue& item : value.to_tuple().items) collect(item, depth + 1);
  } else if (value.is_dict()) {
    for (const auto& [key, item] : value.to_dict().entries()) collect(item, depth + 1);
  } else if (value.is_enum()) {
    literal(value);
  }
}

void ScriptContext::collect_object(const ObjectImpl& object, size_t depth) {
  ScriptClassText& cls = classes_[object.cls->name];
  const bool fresh = cls.name.empty();
  cls.name = object.cls->name;
  const size_t count = std::max(object.slot_count(), object.cls->attributes.size());
  bool has_training = false;
  for (size_t i = 0; i < count; ++i) {
    const IValue value = i < object.slot_count() ? object.get(i) : IValue();
    ScriptAttribute attribute;
    attribute.name = i < object.cls->attributes.size() ? object.cls->attributes[i] : cat("_slot", i);
    attribute.type = type_of_attribute(value);
    note(*attribute.type);
    if (const auto roles = program_.roles.find(cls.name); roles != program_.roles.end()) {
      attribute.is_parameter = roles->second.parameters.contains(attribute.name);
      attribute.is_buffer = roles->second.buffers.contains(attribute.name);
    } else {
      attribute.is_parameter = value.is_tensor() && value.to_tensor().requires_grad();
      attribute.is_buffer = value.is_tensor() && !value.to_tensor().requires_grad();
    }
    has_training = has_training || attribute.name == "training";
    if (i >= cls.attributes.size()) {
      WICK_CHECK(fresh, kUnsupported, "objects of class ", cls.name, " do not all have the same attributes");
      cls.attributes.push_back(std::move(attribute));
    } else {
      WICK_CHECK(cls.attributes[i].name == attribute.name, kUnsupported, "objects of class ", cls.name,
                 " do not all have the same attributes");
      cls.attributes[i].type = unified(cls.attributes[i].type, attribute.type);
    }
  }
  // Freezing takes the attribute from all modules.
  if (classes_.size() == 1) modules_say_so_ = has_training;
  cls.is_module = has_training || !modules_say_so_;
  for (size_t i = 0; i < object.slot_count(); ++i) collect(object.get(i), depth + 1);
}

const ScriptAttribute& ScriptContext::attribute(const Type& type, int64_t slot) const {
  const auto cls = classes_.find(type.name());
  WICK_CHECK(type.is(TypeKind::kClass) && cls != classes_.end(), kUnsupported, "the class of an object of type ",
             type.str(), " is not known: the model cannot be written as source");
  WICK_CHECK(slot >= 0 && static_cast<size_t>(slot) < cls->second.attributes.size(), kUnsupported, "class ",
             type.name(), " has no attribute ", slot, ": the model cannot be written as source");
  return cls->second.attributes[static_cast<size_t>(slot)];
}

void ScriptContext::stored(const Type& type, int64_t slot, const TypePtr& value) {
  attribute(type, slot);
  ScriptAttribute& known = classes_[type.name()].attributes[static_cast<size_t>(slot)];
  if (!value->is(TypeKind::kAny)) known.type = unified(known.type, value);
  note(*known.type);
}

void ScriptContext::note(const Type& type) {
  if (type.is(TypeKind::kTuple) && !type.name().empty()) {
    if (!named_tuples_.emplace(type.name(), TypePtr(&type)).second) return;
  }
  for (const TypePtr& element : type.elements()) note(*element);
}

std::string ScriptContext::annotation(const TypePtr& type) {
  note(*type);
  return type->str();
}

std::string ScriptContext::constant(const IValue& value) {
  if (const void* ref = value.ref_or_null()) {
    const auto [it, fresh] = constant_numbers_.try_emplace(ref, constants_.size());
    if (!fresh) return cat("CONSTANTS.c", it->second);
  }
  collect(value, 0);
  constants_.push_back(value);
  return cat("CONSTANTS.c", constants_.size() - 1);
}

std::string ScriptContext::literal_items(const std::vector<IValue>& items, Descent& descent) {
  const Descent::Level level(descent, items.size());
  std::string out;
  for (const IValue& item : items) out += cat(out.empty() ? "" : ", ", literal(item, descent));
  return out;
}

std::string ScriptContext::literal(const IValue& value) {
  Descent descent("written as source");
  return literal(value, descent);
}

std::string ScriptContext::literal(const IValue& value, Descent& descent) {
  switch (value.tag()) {
    case IValue::Tag::kNone:
      return "None";
    case IValue::Tag::kBool:
      return value.to_bool() ? "True" : "False";
    case IValue::Tag::kInt:
      return cat(value.to_int());
    case IValue::Tag::kDouble:
      return float_text(value.to_double());
    case IValue::Tag::kDevice:
      return cat("torch.device(\"", value.to_device().str(), "\")");
    case IValue::Tag::kString:
      return is_plain_text(value.to_string()) ? quoted(value.to_string()) : constant(value);
    case IValue::Tag::kTuple: {
      const auto& items = value.to_tuple().items;
      return cat("(", literal_items(items, descent), items.size() == 1 ? ",)" : ")");
    }
    case IValue::Tag::kList:
      return cat("annotate(", annotation(types::list(value.to_list().element_type)), ", [",
                 literal_items(value.to_list().items, descent), "])");
    case IValue::Tag::kDict: {
      std::string items;
      DictImpl& dict = value.to_dict();
      const Descent::Level level(descent, dict.size());
      for (const auto& [key, item] : dict.entries()) {
        items += cat(items.empty() ? "" : ", ", literal(key, descent), ": ", literal(item, descent));
      }
      return cat("annotate(", annotation(types::dict(dict.key_type, dict.value_type)), ", {", items, "})");
    }
    case IValue::Tag::kEnum: {
      const EnumImpl& member = value.to_enum();
      WICK_CHECK(!member.name.empty(), kUnsupported, "the file does not tell the names of the members of ",
                 member.type_name, ": the model cannot be written as source");
      const Descent::Level level(descent, 1);
      enums_[member.type_name][member.name] = literal(member.value, descent);
      return cat(member.type_name, ".", member.name);
    }
    default:
      return constant(value);
  }
}

std::map<std::string, std::string> ScriptContext::files() const {
  std::map<std::string, std::string> out;
  auto file_of = [&](const std::string& qualified, std::string& base) -> std::string& {
    const size_t dot = qualified.rfind('.');
    WICK_CHECK(dot != std::string::npos, kUnsupported, "'", qualified, "' is not the qualified name of a class");
    base = qualified.substr(dot + 1);
    std::string record = "code/" + qualified.substr(0, dot);
    for (char& c : record) c = c == '.' ? '/' : c;
    return out[record + ".py"];
  };
  std::string base;
  for (const auto& [name, type] : named_tuples_) {
    std::string& text = file_of(name, base);
    text += cat("class ", base, "(NamedTuple):\n");
    for (size_t i = 0; i < type->elements().size(); ++i) {
      text += cat("  ", type->fields().at(i), " : ", type->element(i)->str(), "\n");
    }
  }
  for (const auto& [name, members] : enums_) {
    std::string& text = file_of(name, base);
    text += cat("class ", base, "(Enum):\n");
    for (const auto& [member, literal] : members) text += cat("  ", member, " = ", literal, "\n");
  }
  for (const auto& [name, cls] : classes_) {
    if (name.starts_with(kCustomPrefix)) continue;
    std::string& text = file_of(name, base);
    std::string parameters, buffers, attributes;
    for (const ScriptAttribute& attribute : cls.attributes) {
      if (attribute.is_parameter) parameters += quoted(attribute.name) + ", ";
      if (attribute.is_buffer) buffers += quoted(attribute.name) + ", ";
      attributes += is_identifier(attribute.name)
                        ? cat("  ", attribute.name, " : ", attribute.type->str(), "\n")
                        : cat("  __annotations__[", quoted(attribute.name), "] = ", attribute.type->str(), "\n");
    }
    if (cls.is_module) {
      text += cat("class ", base, "(Module):\n  __parameters__ = [", parameters, "]\n  __buffers__ = [", buffers,
                  "]\n  __annotations__ = []\n", attributes, cls.methods);
    } else {
      text += cat("class ", base, ":\n", attributes, cls.methods);
    }
  }
  return out;
}

}  // namespace wick::emit
