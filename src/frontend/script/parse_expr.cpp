// Expressions, by precedence climbing.
#include <charconv>
#include <cmath>

#include "core/parse_double.h"
#include "frontend/script/parser_state.h"

namespace wick::script {

using ast::Expr;
using ast::ExprKind;
using ast::Op;

namespace {

constexpr int kNoComprehension = 1;  // operands that "for" ends
constexpr int kNoConditional = 2;    // operands that "if" ends
constexpr int kComparison = 4;       // what may be assigned to binds tighter
constexpr int kUnaryPrecedence = 10;
constexpr int kNotPrecedence = 3;

struct BinaryOperator {
  std::string_view text;
  Op op;
  int precedence;
};

constexpr BinaryOperator kSymbols[] = {
    {"==", Op::kEqual, 4},     {"!=", Op::kNotEqual, 4},     {"<", Op::kLess, 4},        {">", Op::kGreater, 4},
    {"<=", Op::kLessEqual, 4}, {">=", Op::kGreaterEqual, 4}, {"|", Op::kBitOr, 5},       {"^", Op::kBitXor, 6},
    {"&", Op::kBitAnd, 7},     {"<<", Op::kShiftLeft, 8},    {">>", Op::kShiftRight, 8}, {"+", Op::kAdd, 9},
    {"-", Op::kSub, 9},        {"*", Op::kMul, 10},          {"/", Op::kDiv, 10},        {"//", Op::kFloorDiv, 10},
    {"%", Op::kMod, 10},       {"@", Op::kMatMul, 10},       {"**", Op::kPow, 11},
};
constexpr BinaryOperator kWords[] = {{"and", Op::kAnd, 2}, {"or", Op::kOr, 2}, {"in", Op::kIn, 4}, {"is", Op::kIs, 4}};

const BinaryOperator* find_operator(const Token& token) {
  if (token.is(TokenKind::kSymbol)) {
    // What ends most expressions.
    if (token.text.size() == 1 && (token.text[0] == ',' || token.text[0] == ')' || token.text[0] == ']'))
      return nullptr;
    for (const BinaryOperator& o : kSymbols) {
      if (token.is_symbol(o.text)) return &o;
    }
  } else if (token.is(TokenKind::kName) && token.text.size() <= 3) {
    for (const BinaryOperator& o : kWords) {
      if (o.text == token.text) return &o;
    }
  }
  return nullptr;
}

bool is_number(const Expr& e) { return e.is(ExprKind::kInt) || e.is(ExprKind::kFloat) || e.is(ExprKind::kImaginary); }

// Words that cannot be names, with the constants.
bool is_keyword(std::string_view word) {
  constexpr std::string_view kKeywords[] = {
      "and",    "or",       "not",   "in",     "is",   "if",     "else",    "elif", "for",    "def",
      "return", "with",     "while", "class",  "pass", "break",  "del",     "as",   "assert", "raise",
      "lambda", "continue", "yield", "global", "try",  "except", "finally", "from", "import", "nonlocal"};
  for (std::string_view k : kKeywords) {
    if (k.size() == word.size() && k[0] == word[0] && k == word) return true;
  }
  return false;
}

}  // namespace

Token Parser::take() {
  Token out = current_;
  current_ = ahead_;
  ahead_ = lexer_.next();
  return out;
}

bool Parser::accept(std::string_view symbol) {
  if (!current_.is_symbol(symbol)) return false;
  take();
  return true;
}

bool Parser::accept_word(std::string_view word) {
  if (!current_.is_word(word)) return false;
  take();
  return true;
}

void Parser::expect(std::string_view symbol) {
  if (!accept(symbol)) unexpected(cat("'", symbol, "'"));
}

std::string_view Parser::name() {
  if (!current_.is(TokenKind::kName) || is_keyword(current_.text)) unexpected("a name");
  return take().text;
}

void Parser::unexpected(std::string_view wanted) const {
  std::string found;
  switch (current_.kind) {
    case TokenKind::kEnd:
      found = "the end of the file";
      break;
    case TokenKind::kNewline:
      found = "the end of the line";
      break;
    case TokenKind::kIndent:
      found = "a deeper block";
      break;
    case TokenKind::kDedent:
      found = "the end of the block";
      break;
    default:
      found = cat("'", current_.text.substr(0, 64), "'");
  }
  bad(current_.at, "expected ", wanted, " but found ", found);
}

void Parser::charge_node(Position at) {
  if (nodes_left_ == 0) {
    file_.fail_at(at, ErrorCode::kLimitExceeded,
                  cat("the model's code has more than ", limits::kMaxSyntaxNodes, " expressions"));
  }
  --nodes_left_;
}

Expr* Parser::make(Expr expr) {
  charge_node(expr.at);
  size_t depth = 0;
  for (const Expr* item : expr.items) depth = std::max<size_t>(depth, item ? item->depth : 0);
  for (const ast::Keyword& k : expr.keywords) depth = std::max<size_t>(depth, k.value->depth);
  if (depth >= limits::kMaxSyntaxDepth) {
    file_.fail_at(expr.at, ErrorCode::kLimitExceeded,
                  cat("an expression is nested deeper than ", limits::kMaxSyntaxDepth));
  }
  expr.depth = static_cast<uint16_t>(depth + 1);
  return arena_.make(expr);
}

Expr* Parser::with_items(ExprKind kind, Position at, const std::vector<Expr*>& items) {
  Expr out(kind, at);
  out.items = arena_.copy(items);
  return make(out);
}

Expr* Parser::with_items(ExprKind kind, Position at, std::initializer_list<Expr*> items, Op op) {
  Expr out(kind, at, op);
  out.items = arena_.copy(std::vector<Expr*>(items));
  return make(out);
}

Expr* Parser::only_expression() {
  Expr* out = expression();
  if (current_.is(TokenKind::kNewline)) take();
  if (!current_.is(TokenKind::kEnd)) unexpected("the end");
  return out;
}

bool Parser::tuple_ends() const {
  if (current_.is(TokenKind::kNewline) || current_.is(TokenKind::kEnd)) return true;
  return current_.is(TokenKind::kSymbol) &&
         (current_.text == ")" || current_.text == ":" || (current_.text.back() == '=' && !find_operator(current_)));
}

// a | a, | a, b, ...
Expr* Parser::expression_or_tuple() {
  Expr* first = expression();
  if (!current_.is_symbol(",")) return first;
  std::vector<Expr*> items{first};
  while (accept(",")) {
    if (tuple_ends()) break;
    items.push_back(expression());
  }
  return with_items(ExprKind::kTuple, first->at, items);
}

Expr* Parser::target() { return expression(kComparison); }

// a | a, b in ...
Expr* Parser::targets() {
  Expr* first = target();
  if (!current_.is_symbol(",")) return first;
  std::vector<Expr*> items{first};
  while (accept(",")) {
    if (current_.is_word("in")) break;
    items.push_back(target());
  }
  return with_items(ExprKind::kTuple, first->at, items);
}

Expr* Parser::unary(Op op, int precedence) {
  const Position at = take().at;
  Expr* operand = expression(precedence);
  if (op == Op::kNegate && is_number(*operand)) {
    if (operand->is(ExprKind::kInt)) {
      operand->integer = static_cast<int64_t>(0 - static_cast<uint64_t>(operand->integer));
    } else {
      operand->number = -operand->number;
    }
    operand->at = at;
    return operand;
  }
  return with_items(ExprKind::kUnary, at, {operand}, op);
}

// The longest expression whose operators bind tighter than `precedence`.
Expr* Parser::expression(int precedence) {
  const Level level(*this, expression_depth_, limits::kMaxSyntaxDepth);
  Expr* left = nullptr;
  if (current_.is_symbol("-")) {
    left = unary(Op::kNegate, kUnaryPrecedence);
  } else if (current_.is_symbol("~")) {
    left = unary(Op::kInvert, kNotPrecedence);
  } else if (current_.is_word("not")) {
    left = unary(Op::kNot, kNotPrecedence);
  } else if (current_.is_symbol("*")) {
    const Position at = take().at;
    return with_items(ExprKind::kStarred, at, {expression(kUnaryPrecedence)});
  } else {
    left = postfix(primary());
  }
  while (true) {
    const Position at = current_.at;
    if (current_.is_word("for")) {
      if (precedence >= kNoComprehension) return left;
      left = comprehension(left);
      continue;
    }
    if (current_.is_word("if")) {
      if (precedence >= kNoConditional) return left;
      take();
      Expr* condition = expression();
      if (!accept_word("else")) unexpected("'else'");
      left = with_items(ExprKind::kConditional, at, {condition, left, expression(kNoComprehension)});
      continue;
    }
    if (current_.is_word("not") && ahead_.is_word("in")) {
      if (precedence >= kComparison) return left;
      take();
      take();
      left = with_items(ExprKind::kBinary, at, {left, expression(kComparison)}, Op::kNotIn);
      continue;
    }
    const BinaryOperator* found = find_operator(current_);
    if (!found || found->precedence <= precedence) return left;
    take();
    Op op = found->op;
    if (op == Op::kIs && accept_word("not")) op = Op::kIsNot;
    const int right = op == Op::kPow ? found->precedence - 1 : found->precedence;
    left = with_items(ExprKind::kBinary, at, {left, expression(right)}, op);
  }
}

// After the element: for target in iterable
Expr* Parser::comprehension(Expr* element) {
  const Position at = take().at;
  Expr* item = targets();
  if (!accept_word("in")) unexpected("'in'");
  return with_items(ExprKind::kListComp, at, {element, item, expression(kNoComprehension)});
}

Expr* Parser::primary() {
  const Token& t = current_;
  switch (t.kind) {
    case TokenKind::kInt:
    case TokenKind::kFloat:
    case TokenKind::kImaginary:
      return number();
    case TokenKind::kString:
      return string();
    case TokenKind::kName: {
      Expr out(ExprKind::kName, t.at);
      if (t.text == "True") {
        out.kind = ExprKind::kTrue;
      } else if (t.text == "False") {
        out.kind = ExprKind::kFalse;
      } else if (t.text == "None" || t.text == "NoneType") {
        out.kind = ExprKind::kNone;
      } else {
        out.text = name();
        return make(out);
      }
      take();
      return make(out);
    }
    case TokenKind::kSymbol:
      if (t.text == "(") return parenthesized();
      if (t.text == "[") return list();
      if (t.text == "{") return dict();
      if (t.text == "...") {
        return make(Expr(ExprKind::kEllipsis, take().at));
      }
      [[fallthrough]];
    default:
      unexpected("an expression");
  }
}

Expr* Parser::postfix(Expr* value) {
  while (current_.is(TokenKind::kSymbol)) {
    if (current_.text == ".") {
      take();
      Expr out(ExprKind::kAttribute, current_.at);
      // An attribute may have any name; printed code has such names in getattr only.
      if (!current_.is(TokenKind::kName)) unexpected("a name");
      out.text = take().text;
      out.items = arena_.copy(std::vector<Expr*>{value});
      value = make(out);
    } else if (current_.text == "(") {
      value = call(value);
    } else if (current_.text == "[") {
      value = subscript(value);
    } else {
      break;
    }
  }
  return value;
}

Expr* Parser::number() {
  const Token t = take();
  const bool integral = t.is(TokenKind::kInt);
  Expr out(integral ? ExprKind::kInt : t.is(TokenKind::kFloat) ? ExprKind::kFloat : ExprKind::kImaginary, t.at);
  std::string_view digits = t.text;
  if (integral) {
    int base = 10;
    if (digits.size() > 2 && digits[0] == '0' && digits[1] > '9') {
      base = (digits[1] | 0x20) == 'x' ? 16 : (digits[1] | 0x20) == 'o' ? 8 : 2;
      digits.remove_prefix(2);
    }
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (error != std::errc() || end != digits.data() + digits.size() || value > uint64_t{1} << 63) {
      bad(t.at, "the number ", t.text.substr(0, 64), " is not a 64-bit integer");
    }
    // 2^63 stands only behind a minus, which gives the least integer.
    out.integer = static_cast<int64_t>(value);
    return make(out);
  }
  if (t.is(TokenKind::kImaginary)) digits.remove_suffix(1);
  double value = 0;
  const auto [end, error] = parse_double(digits.data(), digits.data() + digits.size(), value);
  if (end != digits.data() + digits.size()) bad(t.at, "the number ", t.text.substr(0, 64), " cannot be read");
  if (error == std::errc::result_out_of_range) {
    // Python's reading: too large is infinite, too small is zero.
    const size_t e = digits.find_first_of("eE");
    value = e != std::string_view::npos && e + 1 < digits.size() && digits[e + 1] == '-' ? 0.0 : HUGE_VAL;
  }
  out.number = value;
  return make(out);
}

Expr* Parser::string() {
  Expr out(ExprKind::kString, current_.at);
  const Token first = take();
  const bool simple = !current_.is(TokenKind::kString) && first.text.find('\\') == std::string_view::npos &&
                      !first.text.starts_with("\"\"") && !first.text.starts_with("''");
  if (simple) {
    out.text = first.text.substr(1, first.text.size() - 2);
  } else {
    std::string value = string_value(first.text);
    while (current_.is(TokenKind::kString)) value += string_value(take().text);
    out.text = arena_.copy_text(value);
  }
  return make(out);
}

Expr* Parser::parenthesized() {
  const Position at = take().at;
  if (accept(")")) return with_items(ExprKind::kTuple, at, std::vector<Expr*>{});
  Expr* out = expression_or_tuple();
  expect(")");
  return out;
}

Expr* Parser::list() {
  const Position at = take().at;
  std::vector<Expr*> items;
  while (!accept("]")) {
    items.push_back(expression());
    if (!accept(",")) {
      expect("]");
      break;
    }
  }
  if (items.size() == 1 && items[0]->is(ExprKind::kListComp)) return items[0];
  for (const Expr* item : items) {
    if (item->is(ExprKind::kListComp)) bad(item->at, "a comprehension stands alone in its brackets");
  }
  return with_items(ExprKind::kList, at, items);
}

Expr* Parser::dict() {
  const Position at = take().at;
  std::vector<Expr*> items;
  while (!accept("}")) {
    items.push_back(expression());
    expect(":");
    items.push_back(expression());
    if (!accept(",")) {
      expect("}");
      break;
    }
  }
  if (items.size() == 2 && items[1]->is(ExprKind::kListComp)) {
    const Expr& comp = *items[1];
    return with_items(ExprKind::kDictComp, at, {items[0], comp.items[0], comp.items[1], comp.items[2]});
  }
  return with_items(ExprKind::kDict, at, items);
}

Expr* Parser::call(Expr* callee) {
  Expr out(ExprKind::kCall, callee->at);
  take();
  std::vector<Expr*> items{callee};
  std::vector<ast::Keyword> keywords;
  while (!accept(")")) {
    if (current_.is(TokenKind::kName) && ahead_.is_symbol("=")) {
      const Position at = current_.at;
      const std::string_view keyword = name();
      take();
      keywords.push_back({keyword, expression(), at});
    } else {
      items.push_back(expression());
    }
    if (!accept(",")) {
      expect(")");
      break;
    }
  }
  out.items = arena_.copy(items);
  out.keywords = arena_.copy(keywords);
  return make(out);
}

Expr* Parser::subscript(Expr* object) {
  const Position at = take().at;
  std::vector<Expr*> items{object};
  while (!accept("]")) {
    items.push_back(index());
    if (!accept(",")) {
      expect("]");
      break;
    }
  }
  if (items.size() == 1) bad(at, "a subscript needs an index");
  return with_items(ExprKind::kSubscript, object->at, items);
}

// a | a:b | a:b:c, each part may be missing in a slice.
Expr* Parser::index() {
  const Position at = current_.at;
  const auto part_ends = [&] { return current_.is_symbol(":") || current_.is_symbol(",") || current_.is_symbol("]"); };
  Expr* parts[3] = {};
  if (!current_.is_symbol(":")) {
    parts[0] = expression();
    if (!current_.is_symbol(":")) return parts[0];
  }
  for (int i = 1; i < 3 && accept(":"); ++i) {
    if (!part_ends()) parts[i] = expression();
  }
  return with_items(ExprKind::kSlice, at, {parts[0], parts[1], parts[2]});
}

}  // namespace wick::script
