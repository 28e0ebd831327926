// What methods take and give, from the texts that Wick has of them.
#include <cctype>

#include "bridge.h"
#include "module_state.h"

namespace wick_compat {
namespace {

// Reads a type as TorchScript annotates it: "Dict[str, List[Tensor]]".
class AnnotationParser {
 public:
  explicit AnnotationParser(const std::string& text) : text_(text) {}
  c10::TypePtr parse() {
    const std::string name = word();
    std::vector<c10::TypePtr> parts;
    if (at() == '[') {
      ++pos_;
      while (at() != ']' && at() != '\0') {
        parts.push_back(parse());
        if (at() == ',') ++pos_;
        while (at() == ' ') ++pos_;
      }
      if (at() == ']') ++pos_;
    }
    return make(name, parts);
  }

 private:
  char at() const { return pos_ < text_.size() ? text_[pos_] : '\0'; }
  std::string word() {
    const size_t begin = pos_;
    while (std::isalnum(static_cast<unsigned char>(at())) || at() == '_' || at() == '.' || at() == '<' || at() == '>')
      ++pos_;
    if (pos_ == begin && at() != '\0' && at() != '[' && at() != ']' && at() != ',') ++pos_;
    return text_.substr(begin, pos_ - begin);
  }
  static c10::TypePtr make(const std::string& name, const std::vector<c10::TypePtr>& parts) {
    using c10::TypeKind;
    static const std::pair<const char*, TypeKind> kBasic[] = {
        {"Tensor", TypeKind::TensorType},    {"int", TypeKind::IntType},       {"float", TypeKind::FloatType},
        {"bool", TypeKind::BoolType},        {"str", TypeKind::StringType},    {"complex", TypeKind::ComplexType},
        {"Device", TypeKind::DeviceObjType}, {"NoneType", TypeKind::NoneType}, {"None", TypeKind::NoneType},
        {"number", TypeKind::NumberType},    {"Scalar", TypeKind::NumberType}, {"Any", TypeKind::AnyType}};
    for (const auto& basic : kBasic) {
      if (name == basic.first) return c10::detail::basic_type(basic.second);
    }
    if (name == "List" && parts.size() == 1) return c10::ListType::create(parts[0]);
    if (name == "Optional" && parts.size() == 1) return c10::OptionalType::create(parts[0]);
    if (name == "Future" && parts.size() == 1) return c10::FutureType::create(parts[0]);
    if (name == "Dict" && parts.size() == 2) return c10::DictType::create(parts[0], parts[1]);
    if (name == "Tuple") return c10::TupleType::create(parts);
    return c10::detail::make_type(TypeKind::ClassType, nullptr, 0, name);
  }

  const std::string& text_;
  size_t pos_ = 0;
};

}  // namespace

c10::TypePtr parse_annotation(const std::string& text) { return AnnotationParser(text).parse(); }

c10::FunctionSchema schema_of(const ModuleState& state, const std::string& method) {
  c10::FunctionSchema schema;
  schema.name_ = method;
  c10::Argument self;
  self.name_ = "self";
  self.type_ = a(wick::IValue(state.object)).type();
  schema.arguments_.push_back(self);
  if (state.part) return schema;  // the signatures of parts are not known here
  for (const wick::MethodInfo& info : state.module.methods()) {
    if (info.name != method) continue;
    for (const wick::MethodArgument& argument : info.arguments) {
      c10::Argument out;
      out.name_ = argument.name;
      out.type_ = parse_annotation(argument.type);
      if (argument.has_default) out.default_value_ = a(wick::IValue(argument.default_value));
      schema.arguments_.push_back(std::move(out));
    }
    if (!info.return_type.empty()) {
      c10::Argument out;
      out.type_ = parse_annotation(info.return_type);
      schema.returns_.push_back(std::move(out));
    }
  }
  return schema;
}

}  // namespace wick_compat

namespace c10 {

std::shared_ptr<FunctionSchema> TupleType::schema() const {
  if (type_name().empty()) return nullptr;
  auto schema = std::make_shared<FunctionSchema>();
  schema->name_ = name()->name();
  const std::vector<std::string> names = field_names();
  for (size_t i = 0; i < names.size(); ++i) {
    Argument field;
    field.name_ = names[i];
    field.type_ = containedTypes().at(i);
    schema->arguments_.push_back(std::move(field));
  }
  return schema;
}

std::ostream& operator<<(std::ostream& out, const Argument& argument) {
  out << argument.type()->str();
  if (!argument.name().empty()) out << " " << argument.name();
  if (argument.default_value()) out << "=" << *argument.default_value();
  return out;
}
std::ostream& operator<<(std::ostream& out, const FunctionSchema& schema) {
  out << schema.name() << "(";
  for (size_t i = 0; i < schema.arguments().size(); ++i) out << (i ? ", " : "") << schema.arguments()[i];
  out << ") -> ";
  const bool one = schema.returns().size() == 1;
  if (!one) out << "(";
  for (size_t i = 0; i < schema.returns().size(); ++i) out << (i ? ", " : "") << schema.returns()[i];
  return out << (one ? "" : ")");
}

}  // namespace c10
