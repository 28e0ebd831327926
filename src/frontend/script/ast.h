// The syntax tree of TorchScript source. Nodes live in an Arena and are plain data; the text they refer to lives
// in the SourceFile or the arena.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "frontend/script/source_file.h"

namespace wick::script::ast {

enum class ExprKind : uint8_t {
  kName,       // text
  kInt,        // integer
  kFloat,      // number
  kImaginary,  // number: 2.j
  kString,     // text, escapes decoded, adjacent literals joined
  kTrue,
  kFalse,
  kNone,
  kEllipsis,
  kList,         // items
  kTuple,        // items
  kDict,         // items: key, value, key, value ...
  kUnary,        // op; items: operand. A minus before a number literal is part of the literal
  kBinary,       // op; items: left, right
  kConditional,  // items: condition, value if true, value if false
  kAttribute,    // text: attribute; items: object
  kSubscript,    // items: object, index, index ...
  kSlice,        // only as an index; items: start, stop, step, each may be null
  kCall,         // items: callee, positional arguments ...; keywords
  kStarred,      // items: operand. In calls and assignment targets
  kListComp,     // items: element, target, iterable
  kDictComp,     // items: key, value, target, iterable
};

enum class Op : uint8_t {
  kNothing,
  // Unary.
  kNegate,
  kNot,
  kInvert,
  // Binary.
  kAdd,
  kSub,
  kMul,
  kDiv,
  kFloorDiv,
  kMod,
  kPow,
  kMatMul,
  kBitAnd,
  kBitOr,
  kBitXor,
  kShiftLeft,
  kShiftRight,
  kAnd,
  kOr,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kIs,
  kIsNot,
  kIn,
  kNotIn,
};

struct Expr;

struct Keyword {
  std::string_view name;
  Expr* value;
  Position at;
};

struct Expr {
  Expr(ExprKind k, Position p, Op o = Op::kNothing) : kind(k), op(o), at(p) {}

  ExprKind kind;
  Op op;
  uint16_t depth = 1;  // how deep expressions nest in it
  Position at;
  std::string_view text;
  union {
    int64_t integer = 0;
    double number;
  };
  std::span<Expr* const> items;
  std::span<const Keyword> keywords;

  bool is(ExprKind k) const { return kind == k; }
  bool is_name(std::string_view name) const { return kind == ExprKind::kName && text == name; }
  const Expr& item(size_t i) const { return *items[i]; }
  // Arguments of a call, without the callee; indices of a subscript, without the object.
  std::span<Expr* const> arguments() const { return items.subspan(1); }
};

enum class StmtKind : uint8_t {
  kExpr,       // value
  kAssign,     // targets (a = b = value has two); value, may be null with a type; type, may be null
  kAugAssign,  // targets[0] op= value
  kIf,         // value: condition; body, orelse (elif is an If in orelse)
  kFor,        // targets[0] in value; body. More than one name makes targets[0] a tuple
  kWhile,      // value: condition; body
  kWith,       // with_items; body
  kReturn,     // value, null without one
  kRaise,      // value, null without one
  kAssert,     // value: condition; message, may be null
  kDelete,     // targets
  kPass,
  kBreak,
  kContinue,
  kDef,  // def
};

struct Def;
struct Stmt;

struct WithItem {
  Expr* value;
  Expr* target;  // may be null
};

struct Stmt {
  Stmt(StmtKind k, Position p) : kind(k), at(p) {}

  StmtKind kind;
  Op op = Op::kNothing;
  Position at;
  std::span<Expr* const> targets;
  Expr* value = nullptr;
  Expr* type = nullptr;
  Expr* message = nullptr;
  std::span<Stmt* const> body;
  std::span<Stmt* const> orelse;
  std::span<const WithItem> with_items;
  Def* def = nullptr;

  bool is(StmtKind k) const { return kind == k; }
};

struct Param {
  std::string_view name;
  Position at;
  Expr* type = nullptr;           // may be null
  Expr* default_value = nullptr;  // may be null
  bool keyword_only = false;
};

struct Def {
  std::string_view name;
  Position at;
  std::span<const Param> params;
  Expr* return_type = nullptr;  // may be null
  std::span<Stmt* const> body;
};

struct ClassDef {
  std::string_view name;
  Position at;
  Expr* base = nullptr;  // may be null
  std::span<Stmt* const> body;
};

// What stands at the top of a file; other statements there are skipped.
struct File {
  std::vector<ClassDef*> classes;
  std::vector<Def*> functions;
};

// Memory of the nodes of one file.
class Arena {
 public:
  template <class T>
  T* make(T value) {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (allocate(sizeof(T), alignof(T))) T(value);
  }
  template <class T>
  std::span<const T> copy(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (values.empty()) return {};
    T* out = static_cast<T*>(allocate(sizeof(T) * values.size(), alignof(T)));  // NOLINT: T may be a pointer
    std::uninitialized_copy(values.begin(), values.end(), out);
    return {out, values.size()};
  }
  std::string_view copy_text(std::string_view text);

 private:
  void* allocate(size_t size, size_t alignment);
  std::vector<std::unique_ptr<std::byte[]>> chunks_;
  size_t used_ = 0;
  size_t capacity_ = 0;  // of the last chunk
};

// "a.b.c" of names joined by attributes; empty when the expression is anything else.
std::string qualified_name(const Expr& expr);

}  // namespace wick::script::ast
