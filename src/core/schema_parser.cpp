// Parses PyTorch's schema language.
#include <charconv>

#include "core/check.h"
#include "core/schema.h"

namespace wick {
namespace {

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_of_word(char c) { return is_lower(c) || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

class SchemaParser {
 public:
  explicit SchemaParser(std::string_view text) : text_(text) {}

  FunctionSchema parse() {
    FunctionSchema schema;
    const std::string_view full = schema_full_name(text_);
    at_ = full.size();
    const size_t colon = full.rfind("::");
    const size_t dot = full.find('.', colon == std::string_view::npos ? 0 : colon);
    schema.name = full.substr(0, dot);
    if (dot != std::string_view::npos) schema.overload = full.substr(dot + 1);
    expect("(");
    bool kwarg_only = false;
    while (!accept(")")) {
      if (accept("...")) {
        schema.is_vararg = true;
      } else if (accept("*")) {
        kwarg_only = true;
      } else {
        Argument arg = argument();
        arg.kwarg_only = kwarg_only;
        arg.is_out = kwarg_only && arg.is_mutated;
        schema.arguments.push_back(std::move(arg));
      }
      if (!accept(",")) {
        expect(")");
        break;
      }
    }
    expect("->");
    if (accept("...")) {
      schema.is_varret = true;
    } else if (accept("(")) {
      if (accept("...")) schema.is_varret = true;
      while (!accept(")")) {
        if (!schema.is_varret) schema.returns.push_back(argument());
        if (!accept(",")) {
          expect(")");
          break;
        }
      }
    } else {
      schema.returns.push_back(argument());
    }
    return schema;
  }

 private:
  [[noreturn]] void bad(std::string_view what) {
    fail_with<ErrorCode::kInvalidArgument>("schema '", text_, "': expected ", what, " at offset ", at_);
  }
  void skip_space() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool accept(std::string_view token) {
    skip_space();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }
  void expect(std::string_view token) {
    if (!accept(token)) bad(token);
  }
  std::string_view word() {
    skip_space();
    const size_t start = at_;
    while (at_ < text_.size() && is_of_word(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }

  Argument argument() {
    Argument arg;
    arg.type = type(arg);
    arg.name = word();
    if (accept("=")) {
      arg.has_default = true;
      arg.default_value = default_of(arg);
    }
    return arg;
  }

  // (a), (a!), (a -> *), (a|b)
  void alias_set(Argument& arg) {
    skip_space();
    const size_t close = text_.find(')', at_);
    if (close == std::string_view::npos) bad(")");
    const std::string_view inside = text_.substr(at_, close - at_);
    arg.is_alias = true;
    if (inside.find('!') != std::string_view::npos) arg.is_mutated = true;
    at_ = close + 1;
  }

  TypePtr type(Argument& arg) {
    TypePtr t = base_type(arg);
    while (true) {
      skip_space();
      if (accept("(")) {
        alias_set(arg);
      } else if (accept("[")) {
        const std::string_view digits = word();
        if (!digits.empty()) {
          int n = 0;
          std::from_chars(digits.data(), digits.data() + digits.size(), n);
          arg.fixed_size = n;
        }
        expect("]");
        t = types::list(std::move(t));
      } else if (accept("?")) {
        t = types::optional(std::move(t));
      } else {
        return t;
      }
    }
  }

  TypePtr base_type(Argument& arg) {
    if (accept("(")) {
      std::vector<TypePtr> elements;
      while (!accept(")")) {
        elements.push_back(type(arg));
        word();
        if (!accept(",")) {
          expect(")");
          break;
        }
      }
      return types::tuple(std::move(elements));
    }
    const std::string_view name = word();
    if (name == "__torch__") {
      std::string full(name);
      while (accept(".")) full += cat(".", word());
      return types::class_type(std::move(full));
    }
    if (name == "Dict") {
      expect("(");
      TypePtr key = type(arg);
      expect(",");
      TypePtr value = type(arg);
      expect(")");
      return types::dict(std::move(key), std::move(value));
    }
    if (name == "Future" || name == "RRef" || name == "Await") {
      expect("(");
      TypePtr t = type(arg);
      expect(")");
      return types::future(std::move(t));
    }
    if (TypePtr basic = basic_type_named(name)) return basic;
    if (name == "SymInt") return types::integer();
    if (name == "Dimname") return types::string();
    if (name == "AnyEnumType") return types::enum_type(std::string(name), types::any());
    if (name == "list") return types::basic(TypeKind::kAnyList);
    if (name == "tuple") return types::basic(TypeKind::kAnyTuple);
    if (!name.empty() && is_lower(name[0])) {
      return types::make(TypeKind::kVar, std::vector<TypePtr>{}, std::string(name));
    }
    bad("a type");
  }

  IValue default_of(const Argument& arg) {
    const Type* target = arg.type.get();
    if (target->is(TypeKind::kOptional)) target = target->element(0).get();
    if (target->is(TypeKind::kList)) {
      const Type& element = *target->element(0);
      std::vector<IValue> items;
      if (accept("[")) {
        while (!accept("]")) {
          items.push_back(literal(element));
          if (!accept(",")) {
            expect("]");
            break;
          }
        }
      } else {
        IValue one = literal(element);
        if (one.is_none()) return one;
        items = std::vector<IValue>(arg.fixed_size > 0 ? static_cast<size_t>(arg.fixed_size) : 1, one);
      }
      return IValue::list(target->element(0), std::move(items));
    }
    return literal(*target);
  }

  static char unescaped(char c) {
    switch (c) {
      case 'n':
        return '\n';
      case 't':
        return '\t';
      case 'r':
        return '\r';
      case 'f':
        return '\f';
      case 'v':
        return '\v';
      default:
        return c;
    }
  }

  IValue literal(const Type& target) {
    skip_space();
    if (at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'')) {
      const char quote = text_[at_++];
      std::string out;
      while (at_ < text_.size() && text_[at_] != quote) {
        if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
          out.push_back(unescaped(text_[++at_]));
        } else {
          out.push_back(text_[at_]);
        }
        ++at_;
      }
      if (at_ == text_.size()) bad("a closing quote");
      ++at_;
      return IValue(std::move(out));
    }
    const size_t start = at_;
    while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != ')' && text_[at_] != ']' && text_[at_] != ' ')
      ++at_;
    const std::string_view token = text_.substr(start, at_ - start);
    if (token == "None") return IValue();
    if (token == "True") return IValue(true);
    if (token == "False") return IValue(false);
    if (token == "Mean") return IValue(int64_t{1});
    if (token == "contiguous_format" || token == "strided") return IValue(int64_t{0});
    if (token == "long") return IValue(static_cast<int64_t>(DType::kLong));
    if (token == "inf") return IValue(__builtin_inf());
    if (token == "cpu") return IValue(Device{});
    int64_t i = 0;
    auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), i);
    const char* last = token.data() + token.size();
    if (error == std::errc() && end == last) {
      if (target.is(TypeKind::kFloat)) return IValue(static_cast<double>(i));
      return IValue(i);
    }
    double d = 0;
    const auto result = std::from_chars(token.data(), last, d);
    if (result.ec != std::errc() || result.ptr != last) bad("a default value");
    return IValue(d);
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

FunctionSchema parse_schema(std::string_view text) { return SchemaParser(text).parse(); }

}  // namespace wick
