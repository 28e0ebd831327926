// Parses the type strings of model files.
#include <functional>

#include "core/check.h"
#include "core/limits.h"
#include "core/schema.h"

namespace wick {
namespace {

class TypeParser {
 public:
  TypeParser(std::string_view text, const std::function<TypePtr(const std::string&)>& named)
      : text_(text), named_(named) {
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
  bool accept(std::string_view token) {
    if (token_ != token) return false;
    advance();
    return true;
  }
  void expect(std::string_view token) {
    if (!accept(token)) bad(cat("'", token, "'"));
  }

  std::vector<TypePtr> type_list(size_t depth) {
    std::vector<TypePtr> out;
    expect("[");
    if (accept("(")) {  // Tuple[()]
      expect(")");
      expect("]");
      return out;
    }
    while (!accept("]")) {
      out.push_back(type(depth));
      if (!accept(",")) {
        expect("]");
        break;
      }
    }
    return out;
  }
  TypePtr one_type(size_t depth) {
    std::vector<TypePtr> list = type_list(depth);
    if (list.size() != 1) bad("exactly one type argument");
    return list[0];
  }

  TypePtr type(size_t depth) {
    WICK_CHECK(depth < limits::kMaxTypeDepth, kLimitExceeded, "type '", text_.substr(0, 80),
               "...' is nested deeper than ", limits::kMaxTypeDepth);
    const std::string name(token_);
    if (name.empty()) bad("a type");
    advance();
    if (name == "List" || name == "list") {
      if (token_ != "[") return types::basic(TypeKind::kAnyList);
      return types::list(one_type(depth + 1));
    }
    if (name == "Optional") return types::optional(one_type(depth + 1));
    if (name == "Future" || name == "RRef" || name == "Await") return types::future(one_type(depth + 1));
    if (name == "Dict") {
      std::vector<TypePtr> kv = type_list(depth + 1);
      if (kv.size() != 2) bad("Dict[key, value]");
      return types::dict(kv[0], kv[1]);
    }
    if (name == "Tuple" || name == "tuple") {
      if (token_ != "[") return types::basic(TypeKind::kAnyTuple);
      return types::tuple(type_list(depth + 1));
    }
    if (name == "Union") return types::union_of(type_list(depth + 1));
    if (name == "__torch__" || name == "torch") return qualified(name, depth);
    return simple(name);
  }

  TypePtr qualified(std::string name, size_t depth) {
    while (accept(".")) {
      if (token_.empty()) bad("a name");
      name += cat(".", token_);
      advance();
    }
    if (accept("[")) return named_tuple(std::move(name), depth);
    if (named_) {
      if (TypePtr known = named_(name)) return known;
    }
    return types::class_type(std::move(name));
  }

  // After "name[": NamedTuple, [[field, type], ...]]
  TypePtr named_tuple(std::string name, size_t depth) {
    expect("NamedTuple");
    expect(",");
    expect("[");
    std::vector<std::string> fields;
    std::vector<TypePtr> elements;
    while (!accept("]")) {
      expect("[");
      if (token_.empty()) bad("a field name");
      fields.emplace_back(token_);
      advance();
      expect(",");
      elements.push_back(type(depth + 1));
      expect("]");
      accept(",");
    }
    expect("]");
    return types::named_tuple(std::move(name), std::move(fields), std::move(elements));
  }

  TypePtr simple(const std::string& name) {
    if (TypePtr basic = basic_type_named(name)) return basic;
    if (name.ends_with("Tensor")) return types::tensor();
    if (name == "Capsule") return types::basic(TypeKind::kCapsule);
    if (name.size() <= 64) {
      if (named_) {
        if (TypePtr known = named_(name)) return known;
      }
      // Unqualified names: type variables of a schema, or classes of hand-written files.
      return std::make_shared<Type>(TypeKind::kVar, std::vector<TypePtr>{}, name);
    }
    bad("a known type");
  }

  std::string_view text_;
  const std::function<TypePtr(const std::string&)>& named_;
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

TypePtr parse_type(std::string_view text, const std::function<TypePtr(const std::string&)>& named) {
  return TypeParser(text, named).parse();
}

}  // namespace wick
