// Parses PyTorch's schema language.
#include <algorithm>
#include <charconv>

#include "core/check.h"
#include "core/parse_double.h"
#include "core/schema.h"

namespace wick {
namespace {

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_of_word(char c) { return is_lower(c) || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

// Names that schemas have for types, beside those of basic_type_named.
struct TypeName {
  std::string_view name;
  TypeKind kind;
};
constexpr TypeName kTypes[] = {
    {"SymInt", TypeKind::kInt},     {"Dimname", TypeKind::kString}, {"list", TypeKind::kAnyList},
    {"tuple", TypeKind::kAnyTuple}, {"Dict", TypeKind::kDict},      {"Future", TypeKind::kFuture},
    {"RRef", TypeKind::kFuture},    {"Await", TypeKind::kFuture},
};

// Default values that are words; the first four are not ints.
struct Word {
  std::string_view word;
  uint8_t number;
};
constexpr Word kWords[] = {{"None", 0},
                           {"cpu", 0},
                           {"inf", 0},
                           {"False", 0},
                           {"True", 1},
                           {"Mean", 1},
                           {"contiguous_format", 0},
                           {"strided", 0},
                           {"long", static_cast<uint8_t>(DType::kLong)}};

}  // namespace

class SchemaParser {
 public:
  SchemaParser(std::string_view text, const SchemaForms& forms) : text_(text), forms_(forms) {}

  void parse(FunctionSchema& schema) {
    const std::string_view full = schema_full_name(text_);
    at_ = full.size();
    const size_t colon = full.rfind(':');
    const size_t dot = full.find('.', colon == std::string_view::npos ? 0 : colon);
    schema.name = full.substr(0, dot);
    if (dot != std::string_view::npos) schema.overload = full.substr(dot + 1);
    bool kwarg_only = false;
    for (bool more = opens('('); more; more = goes_on(')')) {
      if (dots()) {
        schema.is_vararg = true;
      } else if (accept('*')) {
        kwarg_only = true;
      } else {
        Argument& arg = argument(schema.arguments);
        arg.kwarg_only = kwarg_only;
        arg.is_out = kwarg_only && arg.is_mutated;
      }
    }
    expect('-');
    expect('>');
    if (next() != '(') {
      returned(schema);
    } else {
      for (bool more = opens('('); more; more = goes_on(')')) returned(schema);
    }
  }

 private:
  [[noreturn]] void bad(const char* what) {
    fail_with<ErrorCode::kInvalidArgument>("schema '", text_, "': expected ", what, " at offset ", at_);
  }
  // The character after spaces; NUL at the end.
  char next() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char c) {
    if (next() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    const char what[] = {c, '\0'};
    if (!accept(c)) bad(what);
  }
  bool dots() {
    if (!accept('.')) return false;
    expect('.');
    expect('.');
    return true;
  }
  // The opening character of a list; false when it ends at once.
  bool opens(char open) {
    expect(open);
    return !accept(open == '(' ? ')' : ']');
  }
  bool goes_on(char close) {
    if (accept(',')) return !accept(close);
    expect(close);
    return false;
  }
  std::string_view word() {
    next();
    const size_t start = at_;
    while (at_ < text_.size() && is_of_word(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }

  Argument& argument(std::vector<Argument>& all) {
    Argument& arg = all.emplace_back(Argument());
    arg.type = type(arg);
    arg.name = word();
    if (accept('=')) {
      arg.has_default = true;
      if (!forms_.defaults) bad("no default value");
      arg.default_value = forms_.defaults(*this, arg);
    }
    return arg;
  }

  void returned(FunctionSchema& schema) {
    if (dots()) {
      schema.is_varret = true;
    } else {
      argument(schema.returns);
    }
  }

  // After "(": a), a!), a -> *), a|b)
  void alias_set(Argument& arg) {
    arg.is_alias = true;
    while (!accept(')')) {
      if (next() == '\0') bad(")");
      if (text_[at_++] == '!') arg.is_mutated = true;
    }
  }

  TypePtr type(Argument& arg) {
    const std::string_view name = word();
    TypePtr basic = basic_type_named(name);
    if (forms_.types) return forms_.types(*this, arg, name, std::move(basic));
    if (!basic) bad("a type");
    return basic;
  }

  // After a name; `t` is its type if it is a basic one's.
  TypePtr rest_of_type(Argument& arg, std::string_view name, TypePtr t) {
    if (!t) t = other_type(arg, name);
    while (true) {
      if (accept('(')) {
        alias_set(arg);
      } else if (accept('[')) {
        const std::string_view digits = word();
        if (!digits.empty()) {
          int64_t n = 0;
          std::from_chars(digits.data(), digits.data() + digits.size(), n);
          arg.fixed_size = static_cast<int32_t>(n);
        }
        expect(']');
        t = types::list(std::move(t));
      } else if (accept('?')) {
        t = types::optional(std::move(t));
      } else {
        return t;
      }
    }
  }

  TypePtr other_type(Argument& arg, std::string_view name) {
    TypeParts parts{TypeKind::kTuple, {}, {}, {}};
    if (!name.empty()) {
      const auto* known =
          std::find_if(std::begin(kTypes), std::end(kTypes), [&](const TypeName& t) { return t.name == name; });
      if (known == std::end(kTypes)) return named_type(parts, name);
      parts.kind = known->kind;
      if (parts.kind <= TypeKind::kAnyClass) return types::basic(parts.kind);
    }
    if (next() != '(') bad("a type");
    for (bool more = opens('('); more; more = goes_on(')')) {
      parts.elements.push_back(type(arg));
      word();
    }
    if (parts.kind != TypeKind::kTuple && parts.elements.size() != (parts.kind == TypeKind::kDict ? 2 : 1)) {
      bad("another number of types");
    }
    return types::make(std::move(parts));
  }

  TypePtr named_type(TypeParts& parts, std::string_view name) {
    parts.kind = TypeKind::kVar;
    if (name == "__torch__") {
      const size_t start = at_ - name.size();
      while (text_.substr(at_, 1) == ".") {
        ++at_;
        word();
      }
      name = text_.substr(start, at_ - start);
      parts.kind = TypeKind::kClass;
    } else if (name == "AnyEnumType") {
      parts.elements.push_back(TypePtr(types::any()));
      parts.kind = TypeKind::kEnum;
    } else if (!is_lower(name[0])) {
      bad("a type");
    }
    parts.name = name;
    return types::make(std::move(parts));
  }

  IValue default_of(const Argument& arg) {
    const Type* target = arg.type.get();
    if (target->is(TypeKind::kOptional)) target = target->element(0).get();
    if (!target->is(TypeKind::kList)) return literal(*target);
    const TypePtr& element = target->element(0);
    IValue list = IValue::list(element, {});
    std::vector<IValue>& items = list.to_list().items;
    if (next() == '[') {
      for (bool more = opens('['); more; more = goes_on(']')) items.push_back(literal(*element));
    } else {
      const IValue one = literal(*element);
      if (one.is_none()) return one;
      for (int32_t n = std::max(arg.fixed_size, 1); n > 0; --n) items.push_back(IValue(one));
    }
    return list;
  }

  static char unescaped(char c) {
    constexpr char kEscaped[] = "n\nt\tr\rf\fv\v";
    for (size_t i = 0; i < sizeof kEscaped - 1; i += 2) {
      if (kEscaped[i] == c) return kEscaped[i + 1];
    }
    return c;
  }

  std::string quoted() {
    const char quote = text_[at_++];
    std::string out;
    while (at_ < text_.size() && text_[at_] != quote) {
      const bool escapes = text_[at_] == '\\' && at_ + 1 < text_.size();
      out.push_back(escapes ? unescaped(text_[++at_]) : text_[at_]);
      ++at_;
    }
    if (at_ == text_.size()) bad("a closing quote");
    ++at_;
    return out;
  }

  IValue literal(const Type& target) {
    const char first = next();
    if (first == '"' || first == '\'') return IValue(quoted());
    const std::string_view rest = text_.substr(at_);
    const std::string_view token = rest.substr(0, rest.find_first_of(",)] "));
    at_ += token.size();
    const auto* known =
        std::find_if(std::begin(kWords), std::end(kWords), [&](const Word& w) { return w.word == token; });
    const auto place = known - kWords;
    switch (place) {
      case 0:
        return IValue();
      case 1:
        return IValue(Device{});
      case 2:
        return IValue(__builtin_inf());
      case 3:
      case 4:
        return IValue(place == 4);
    }
    int64_t i = 0;
    const char* last = token.data() + token.size();
    if (known != std::end(kWords)) {
      i = known->number;
    } else if (auto [end, error] = std::from_chars(token.data(), last, i); error != std::errc() || end != last) {
      double d = 0;
      const auto result = parse_double(token.data(), last, d);
      if (result.ec != std::errc() || result.ptr != last) bad("a default value");
      return IValue(d);
    }
    if (target.is(TypeKind::kFloat)) return IValue(static_cast<double>(i));
    return IValue(i);
  }

  friend TypePtr parse_schema_type(SchemaParser&, Argument&, std::string_view, TypePtr);
  friend IValue parse_schema_default(SchemaParser&, const Argument&);

  std::string_view text_;
  const SchemaForms& forms_;
  size_t at_ = 0;
};

TypePtr parse_schema_type(SchemaParser& parser, Argument& arg, std::string_view name, TypePtr basic) {
  return parser.rest_of_type(arg, name, std::move(basic));
}
IValue parse_schema_default(SchemaParser& parser, const Argument& arg) { return parser.default_of(arg); }

constexpr SchemaForms kAllSchemaForms{&parse_schema_type, &parse_schema_default};

FunctionSchema parse_schema(std::string_view text) { return parse_schema(text, kAllSchemaForms); }

FunctionSchema parse_schema(std::string_view text, const SchemaForms& forms) {
  FunctionSchema schema;
  SchemaParser(text, forms).parse(schema);
  return schema;
}

}  // namespace wick
