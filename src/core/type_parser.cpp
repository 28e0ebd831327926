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
  [[noreturn]] void bad(std::string_view what) {
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
    const char quoted[] = {'\'', punctuation, '\''};
    if (!accept(punctuation)) bad({quoted, 3});
  }

  std::vector<TypePtr> type_list(size_t depth) {
    std::vector<TypePtr> out;
    expect('[');
    if (accept('(')) {  // Tuple[()]
      expect(')');
      expect(']');
      return out;
    }
    while (!accept(']')) {
      out.push_back(type(depth));
      if (!accept(',')) {
        expect(']');
        break;
      }
    }
    return out;
  }

  TypePtr type(size_t depth) {
    WICK_CHECK(depth < limits::kMaxTypeDepth, kLimitExceeded, "type '", text_.substr(0, 80),
               "...' is nested deeper than ", limits::kMaxTypeDepth);
    const std::string_view name = token_;
    if (name.empty()) bad("a type");
    advance();
    for (const Generic& generic : kGenerics) {
      if (name == generic.name) return generic_type(generic.kind, depth + 1);
    }
    if (name == "__torch__" || name == "torch") return qualified(name, depth);
    return simple(name);
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

  TypePtr generic_type(TypeKind kind, size_t depth) {
    if (!at('[') && kind == TypeKind::kList) return types::basic(TypeKind::kAnyList);
    if (!at('[') && kind == TypeKind::kTuple) return types::basic(TypeKind::kAnyTuple);
    std::vector<TypePtr> elements = type_list(depth);
    if (kind == TypeKind::kDict && elements.size() != 2) bad("Dict[key, value]");
    if ((kind == TypeKind::kList || kind == TypeKind::kOptional || kind == TypeKind::kFuture) && elements.size() != 1) {
      bad("exactly one type argument");
    }
    if (kind == TypeKind::kOptional) return types::optional(std::move(elements[0]));
    return types::make(kind, std::move(elements));
  }

  TypePtr qualified(std::string_view first, size_t depth) {
    std::string name(first);
    while (accept('.')) {
      if (token_.empty()) bad("a name");
      name += '.';
      name += token_;
      advance();
    }
    if (accept('[')) return named_tuple(std::move(name), depth);
    return named(std::move(name), TypeKind::kClass);
  }

  // A type known by the name, or a new one.
  TypePtr named(std::string name, TypeKind kind) {
    TypePtr known;
    if (named_) known = named_(name);
    if (!known) known = types::make(kind, {}, std::move(name));
    return known;
  }

  // After "name[": NamedTuple, [[field, type], ...]]
  TypePtr named_tuple(std::string name, size_t depth) {
    if (token_ != "NamedTuple") bad("'NamedTuple'");
    advance();
    expect(',');
    expect('[');
    std::vector<std::string> fields;
    std::vector<TypePtr> elements;
    while (!accept(']')) {
      expect('[');
      if (token_.empty()) bad("a field name");
      fields.emplace_back(token_);
      advance();
      expect(',');
      elements.push_back(type(depth + 1));
      expect(']');
      accept(',');
    }
    expect(']');
    return types::named_tuple(std::move(name), std::move(fields), std::move(elements));
  }

  TypePtr simple(std::string_view name) {
    if (TypePtr basic = basic_type_named(name)) return basic;
    if (name.ends_with("Tensor")) return types::tensor();
    if (name == "Capsule") return types::basic(TypeKind::kCapsule);
    if (name.size() > 64) bad("a known type");
    // Unqualified names: type variables of a schema, or classes of hand-written files.
    return named(std::string(name), TypeKind::kVar);
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
