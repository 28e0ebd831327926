// Parses the type strings of model files.
#include <functional>

#include "core/check.h"
#include "core/limits.h"
#include "core/schema.h"

namespace wick {
namespace {

class TypeParser {
 public:
  TypeParser(std::string_view text, const Callback<TypePtr(const std::string&)>& named) : text_(text), named_(named) {
    advance();
  }

  TypePtr parse() {
    TypePtr t = type(0);
    if (!token_.empty()) bad("the end");
    return t;
  }

 private:
  [[noreturn]] void bad(const char* what) {
    fail_with<ErrorCode::kCorruptFile>("type '", text_.substr(0, 200), "': expected ", what, " but found '",
                                       token_.substr(0, 80), "'");
  }

  void advance() {
    constexpr std::string_view kPunctuation = "+-*/%@()[]:,={}><.?!&^|~";
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    const size_t start = at_;
    if (at_ < text_.size() && kPunctuation.find(text_[at_]) != std::string_view::npos) {
      ++at_;
    } else {
      while (at_ < text_.size() && text_[at_] != ' ' && kPunctuation.find(text_[at_]) == std::string_view::npos) ++at_;
    }
    token_ = text_.substr(start, at_ - start);
  }
  bool at(char punctuation) const { return token_.size() == 1 && token_[0] == punctuation; }
  bool accept(char punctuation) {
    if (!at(punctuation)) return false;
    advance();
    return true;
  }
  void expect(char punctuation) {
    const char quoted[] = {'\'', punctuation, '\'', '\0'};
    if (!accept(punctuation)) bad(quoted);
  }
  // After an item of a list in brackets: whether there is another.
  bool goes_on() {
    if (accept(',')) return !accept(']');
    expect(']');
    return false;
  }

  void type_list(std::vector<TypePtr>& out, size_t depth) {
    expect('[');
    if (accept('(')) {  // Tuple[()]
      expect(')');
      return expect(']');
    }
    for (bool more = !accept(']'); more; more = goes_on()) out.push_back(type(depth));
  }

  TypePtr type(size_t depth) {
    WICK_CHECK(depth < limits::kMaxTypeDepth, kLimitExceeded, "type '", text_.substr(0, 80),
               "...' is nested deeper than ", limits::kMaxTypeDepth);
    const std::string_view name = token_;
    if (name.empty()) bad("a type");
    advance();
    if (TypePtr basic = basic_type_named(name)) return basic;
    TypeParts parts;
    for (const Generic& generic : kGenerics) {
      if (name == generic.name) {
        parts.kind = generic.kind;
        return generic_type(parts, depth + 1);
      }
    }
    parts.name = name;
    if (name == "__torch__" || name == "torch") {
      qualify(parts.name);
      parts.kind = TypeKind::kClass;
      if (accept('[')) {
        named_tuple(parts, depth);
        return types::make(std::move(parts));
      }
    } else {
      if (name.ends_with("Tensor")) return types::tensor();
      if (name == "Capsule") return types::basic(TypeKind::kCapsule);
      if (name.size() > 64) bad("a known type");
      // Unqualified names: type variables of a schema, or classes of hand-written files.
      parts.kind = TypeKind::kVar;
    }
    // A type known by the name, or a new one.
    if (named_) {
      if (TypePtr known = named_(parts.name)) return known;
    }
    return types::make(std::move(parts));
  }

  // Types that are written with others in brackets.
  struct Generic {
    char name[9];
    TypeKind kind;
  };
  static constexpr Generic kGenerics[] = {
      {"List", TypeKind::kList},     {"list", TypeKind::kList},   {"Optional", TypeKind::kOptional},
      {"Future", TypeKind::kFuture}, {"RRef", TypeKind::kFuture}, {"Await", TypeKind::kFuture},
      {"Dict", TypeKind::kDict},     {"Tuple", TypeKind::kTuple}, {"tuple", TypeKind::kTuple},
      {"Union", TypeKind::kUnion},
  };

  TypePtr generic_type(TypeParts& parts, size_t depth) {
    const TypeKind kind = parts.kind;
    if (!at('[') && kind == TypeKind::kList) return types::basic(TypeKind::kAnyList);
    if (!at('[') && kind == TypeKind::kTuple) return types::basic(TypeKind::kAnyTuple);
    type_list(parts.elements, depth);
    if (kind != TypeKind::kTuple && kind != TypeKind::kUnion &&
        parts.elements.size() != (kind == TypeKind::kDict ? 2 : 1)) {
      bad(kind == TypeKind::kDict ? "Dict[key, value]" : "exactly one type argument");
    }
    if (kind == TypeKind::kOptional) return types::optional(std::move(parts.elements[0]));
    return types::make(std::move(parts));
  }

  void qualify(std::string& name) {
    while (accept('.')) {
      if (token_.empty()) bad("a name");
      name += '.';
      name += token_;
      advance();
    }
  }

  // After "name[": NamedTuple, [[field, type], ...]]
  void named_tuple(TypeParts& parts, size_t depth) {
    if (token_ != "NamedTuple") bad("'NamedTuple'");
    advance();
    expect(',');
    expect('[');
    parts.kind = TypeKind::kTuple;
    while (!accept(']')) {
      expect('[');
      if (token_.empty()) bad("a field name");
      parts.fields.push_back(std::string(token_));
      advance();
      expect(',');
      parts.elements.push_back(type(depth + 1));
      expect(']');
      accept(',');
    }
    expect(']');
  }

  std::string_view text_;
  const Callback<TypePtr(const std::string&)>& named_;
  std::string_view token_;
  size_t at_ = 0;
};

}  // namespace

TypePtr basic_type_named(std::string_view name) {
  static constexpr struct {
    char name[13];
    TypeKind kind;
  } kNames[] = {
      {"Tensor", TypeKind::kTensor},
      {"int", TypeKind::kInt},
      {"float", TypeKind::kFloat},
      {"bool", TypeKind::kBool},
      {"str", TypeKind::kString},
      {"Device", TypeKind::kDevice},
      {"None", TypeKind::kNone},
      {"NoneType", TypeKind::kNone},
      {"Scalar", TypeKind::kNumber},
      {"number", TypeKind::kNumber},
      {"Any", TypeKind::kAny},
      {"complex", TypeKind::kComplex},
      {"ScalarType", TypeKind::kInt},
      {"Layout", TypeKind::kInt},
      {"MemoryFormat", TypeKind::kInt},
      {"QScheme", TypeKind::kInt},
      {"Generator", TypeKind::kGenerator},
      {"Stream", TypeKind::kStream},
      {"Storage", TypeKind::kStorage},
      {"AnyClassType", TypeKind::kAnyClass},
  };
  for (const auto& entry : kNames) {
    if (name == entry.name) return types::basic(entry.kind);
  }
  return nullptr;
}

TypePtr parse_type(std::string_view text, const Callback<TypePtr(const std::string&)>& named) {
  return TypeParser(text, named).parse();
}

}  // namespace wick
