// The syntax of TorchScript source: what is accepted, how it binds, and what hostile text gives.
#include <gtest/gtest.h>

#include "core/check.h"
#include "core/limits.h"
#include "frontend/script/lexer.h"
#include "frontend/script/parser.h"
#include "wick/error.h"

namespace wick::script {
namespace {

using ast::Expr;
using ast::ExprKind;
using ast::Op;
using ast::StmtKind;

struct Parsed {
  explicit Parsed(std::string text) : source("code/m.py", std::move(text), 0) {
    file = parse_file(source, arena, nodes_left);
  }
  const ast::Def& function(size_t i = 0) const { return *file.functions.at(i); }

  SourceFile source;
  ast::Arena arena;
  size_t nodes_left = limits::kMaxSyntaxNodes;
  ast::File file;
};

std::string error_of(const std::string& text, ErrorCode code = ErrorCode::kCorruptFile) {
  try {
    Parsed parsed(text);
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), code) << e.what();
    return e.what();
  }
  ADD_FAILURE() << "accepted: " << text.substr(0, 200);
  return {};
}

// Fully parenthesized, so that a test sees how an expression binds.
std::string shown(const Expr& e) {
  const auto list = [&](size_t from) {
    std::string out;
    for (size_t i = from; i < e.items.size(); ++i) {
      out += (i > from ? " " : "") + (e.items[i] ? shown(*e.items[i]) : std::string("_"));
    }
    return out;
  };
  switch (e.kind) {
    case ExprKind::kName:
      return std::string(e.text);
    case ExprKind::kInt:
      return cat(e.integer);
    case ExprKind::kFloat:
      return cat(e.number);
    case ExprKind::kImaginary:
      return cat(e.number, "j");
    case ExprKind::kString:
      return cat("'", e.text, "'");
    case ExprKind::kTrue:
      return "True";
    case ExprKind::kFalse:
      return "False";
    case ExprKind::kNone:
      return "None";
    case ExprKind::kEllipsis:
      return "...";
    case ExprKind::kList:
      return cat("[", list(0), "]");
    case ExprKind::kTuple:
      return cat("(tuple ", list(0), ")");
    case ExprKind::kDict:
      return cat("{", list(0), "}");
    case ExprKind::kUnary:
    case ExprKind::kBinary:
      return cat("(", static_cast<int>(e.op), " ", list(0), ")");
    case ExprKind::kConditional:
      return cat("(if ", list(0), ")");
    case ExprKind::kAttribute:
      return cat(list(0), ".", e.text);
    case ExprKind::kSubscript:
      return cat(shown(e.item(0)), "[", list(1), "]");
    case ExprKind::kSlice:
      return cat("(slice ", list(0), ")");
    case ExprKind::kCall: {
      std::string out = cat(shown(e.item(0)), "(", list(1));
      for (const ast::Keyword& k : e.keywords) out += cat(" ", k.name, "=", shown(*k.value));
      return out + ")";
    }
    case ExprKind::kStarred:
      return cat("*", list(0));
    case ExprKind::kListComp:
      return cat("(for ", list(0), ")");
    case ExprKind::kDictComp:
      return cat("(dictfor ", list(0), ")");
  }
  return "?";
}

std::string op(Op o, const std::string& operands) { return cat("(", static_cast<int>(o), " ", operands, ")"); }

std::string expression(const std::string& text) {
  SourceFile source("type", text, 0);
  ast::Arena arena;
  size_t nodes = 1000;
  return shown(*parse_expression(source, arena, nodes));
}

TEST(ScriptParser, PrintedMethod) {
  const Parsed p(
      "class M(Module):\n"
      "  __parameters__ = [\"weight\", ]\n"
      "  __annotations__ = []\n"
      "  __annotations__[\"0\"] = __torch__.Sub\n"
      "  training : bool\n"
      "  cst : Final[int] = 7\n"
      "  def forward(self: __torch__.M,\n"
      "    x: Tensor,\n"
      "    n: int=3) -> Tuple[Tensor, int]:\n"
      "    _0 = getattr(self, \"0\")\n"
      "    y, i, = (_0).forward(x, 2., )\n"
      "    o : Optional[int] = 5\n"
      "    if torch.gt(n, 1):\n"
      "      z = y\n"
      "    else:\n"
      "      z = torch.neg(y)\n"
      "    return (z, i)\n");
  ASSERT_EQ(p.file.classes.size(), 1u);
  const ast::ClassDef& c = *p.file.classes[0];
  EXPECT_EQ(c.name, "M");
  EXPECT_TRUE(c.base->is_name("Module"));
  ASSERT_EQ(c.body.size(), 6u);
  EXPECT_EQ(shown(*c.body[2]->targets[0]), "__annotations__['0']");
  EXPECT_EQ(shown(*c.body[2]->value), "__torch__.Sub");
  EXPECT_EQ(c.body[3]->value, nullptr);
  const ast::Def& forward = *c.body[5]->def;
  ASSERT_EQ(forward.params.size(), 3u);
  EXPECT_EQ(shown(*forward.params[2].default_value), "3");
  EXPECT_EQ(shown(*forward.return_type), "Tuple[Tensor int]");
  ASSERT_EQ(forward.body.size(), 5u);
  EXPECT_EQ(shown(*forward.body[1]->targets[0]), "(tuple y i)");
  EXPECT_EQ(shown(*forward.body[1]->value), "_0.forward(x 2)");
  EXPECT_EQ(forward.body[3]->kind, StmtKind::kIf);
  EXPECT_EQ(forward.body[3]->orelse.size(), 1u);
  EXPECT_EQ(forward.body[4]->at.line, 17u);
  EXPECT_EQ(p.source.where(forward.body[4]->at), "code/m.py:17");
  EXPECT_EQ(p.source.line_text(forward.body[4]->at), "return (z, i)");
}

TEST(ScriptParser, Precedence) {
  EXPECT_EQ(expression("a + b * c"), op(Op::kAdd, "a " + op(Op::kMul, "b c")));
  EXPECT_EQ(expression("a - b - c"), op(Op::kSub, op(Op::kSub, "a b") + " c"));
  EXPECT_EQ(expression("a ** b ** c"), op(Op::kPow, "a " + op(Op::kPow, "b c")));
  EXPECT_EQ(expression("-x ** 2"), op(Op::kNegate, op(Op::kPow, "x 2")));
  EXPECT_EQ(expression("not a == b"), op(Op::kNot, op(Op::kEqual, "a b")));
  EXPECT_EQ(expression("a is not None"), op(Op::kIsNot, "a None"));
  EXPECT_EQ(expression("a not in b"), op(Op::kNotIn, "a b"));
  EXPECT_EQ(expression("a | b & c << 1"), op(Op::kBitOr, "a " + op(Op::kBitAnd, "b " + op(Op::kShiftLeft, "c 1"))));
  EXPECT_EQ(expression("a if c else b if d else e"), "(if c a (if d b e))");
  EXPECT_EQ(expression("[a if c else b for x in y]"), "(for (if c a b) x y)");
  EXPECT_EQ(expression("{k: v for k, v in d.items()}"), "(dictfor k v (tuple k v) d.items())");
  EXPECT_EQ(expression("x[1:, ..., None, ::2][0]"), "x[(slice 1 _ _) ... None (slice _ _ 2)][0]");
  EXPECT_EQ(expression("f(*a, b=1, )"), "f(*a b=1)");
}

TEST(ScriptParser, Literals) {
  EXPECT_EQ(expression("-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(expression("0x1f"), "31");
  EXPECT_EQ(expression("9.9999999999999995e-08"), "1e-07");
  EXPECT_EQ(expression("-2."), "-2");
  EXPECT_EQ(expression("1.5j"), "1.5j");
  EXPECT_EQ(expression("1e999"), "inf");
  EXPECT_EQ(expression(R"("a\n\"\101\\" 'b')"), "'a\n\"A\\b'");
  EXPECT_EQ(expression(R"("\x41\u00e9")"), "'A\xc3\xa9'");
  EXPECT_EQ(expression("\"\"\"a\nb\"\"\""), "'a\nb'");
  EXPECT_EQ(expression("\"\""), "''");
  EXPECT_EQ(expression("()"), "(tuple )");
  EXPECT_EQ(expression("(a,)"), "(tuple a)");
  EXPECT_EQ(expression("Tuple[()]"), "Tuple[(tuple )]");
}

TEST(ScriptParser, OldAndHandWrittenCode) {
  const Parsed p(
      "op_version_set = 1\n"
      "import __torch__.torch\n"
      "# a comment\n"
      "def f(x, *, y: int=2):\n"
      "    # another\n"
      "\n"
      "    for i, (a, b) in enumerate(zip(x, x)):\n"
      "        if i == 1: continue\n"
      "        elif i == 2:\n"
      "            break\n"
      "        else:\n"
      "            pass\n"
      "    while not x: x += 1\n"
      "    with a as b, c:\n"
      "        del x[0], x[1]\n"
      "    assert x, \"no\"\n"
      "    raise ValueError(\"bad\")\n"
      "    a = b = (1,\n"
      "  2)\n"
      "    return");
  const ast::Def& f = p.function();
  EXPECT_TRUE(f.params[1].keyword_only);
  ASSERT_EQ(f.body.size(), 7u);
  EXPECT_EQ(shown(*f.body[0]->targets[0]), "(tuple i (tuple a b))");
  EXPECT_EQ(f.body[0]->body[0]->orelse[0]->orelse[0]->kind, StmtKind::kPass);
  EXPECT_EQ(f.body[1]->body[0]->op, Op::kAdd);
  EXPECT_EQ(f.body[2]->with_items.size(), 2u);
  EXPECT_EQ(f.body[5]->targets.size(), 2u);
  EXPECT_EQ(f.body[6]->value, nullptr);
  EXPECT_EQ(f.body[6]->at.line, 20u);
}

TEST(ScriptParser, ErrorsNameFileAndLine) {
  EXPECT_NE(error_of("def f(x):\n  return (x\n").find("code/m.py:3: '(' is never closed"), std::string::npos);
  EXPECT_NE(error_of("def f(x):\n  y = = 2\n").find("code/m.py:2: expected an expression but found '='"),
            std::string::npos);
  EXPECT_NE(error_of("def f(x):\n  y = \"abc\n").find("code/m.py:2: a string has no end"), std::string::npos);
  error_of("def f(x):\n    a = 1\n  b = 2\n");
  error_of("def f(x):\nreturn x\n");
  error_of("def f(x):\n  a = 1)\n");
  error_of("def f(x):\n  a = (1]\n");
  error_of("def f(x):\n  a = 9223372036854775809\n");
  error_of("def f(x):\n  a = 1abc\n");
  error_of("def f(x):\n  a = $\n");
  error_of("def if(x):\n  pass\n");
  error_of("  def f(x):\n    pass\n");
  error_of("x + 1\n");
  error_of("def f(x):\n");
  error_of("class");
  error_of(std::string("def f(x):\n  a = \0 b\n", 19));
}

TEST(ScriptParser, EveryPrefixOfAProgramIsHandled) {
  const std::string text =
      "class M(Module):\n  a : int\n  def f(self: __torch__.M, x: Tensor) -> Tensor:\n    if x:\n      y = {\"a\": [1, "
      "2.5e3]}\n    else:\n      y = (x)[0:1]\n    return y\n";
  for (size_t n = 0; n < text.size(); ++n) {
    try {
      Parsed p(text.substr(0, n));
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::kCorruptFile);
    }
  }
}

TEST(ScriptParser, DepthIsBounded) {
  const auto repeated = [](const std::string& s, size_t n) {
    std::string out;
    for (size_t i = 0; i < n; ++i) out += s;
    return out;
  };
  const auto function = [](const std::string& e) { return "def f(x):\n  return " + e + "\n"; };
  const size_t n = 100000;
  error_of(function(repeated("(", n) + "x" + repeated(")", n)), ErrorCode::kLimitExceeded);
  error_of(function(repeated("[", n) + repeated("]", n)), ErrorCode::kLimitExceeded);
  error_of(function(repeated("-", n) + "x"), ErrorCode::kLimitExceeded);
  error_of(function(repeated("not ", n) + "x"), ErrorCode::kLimitExceeded);
  error_of(function("x" + repeated(" + x", n)), ErrorCode::kLimitExceeded);
  error_of(function("x" + repeated(" ** x", n)), ErrorCode::kLimitExceeded);
  error_of(function("x" + repeated(".x", n)), ErrorCode::kLimitExceeded);
  error_of(function("x" + repeated("()", n)), ErrorCode::kLimitExceeded);
  error_of(function("x" + repeated("[0]", n)), ErrorCode::kLimitExceeded);
  error_of(function("x" + repeated(" if x else x", n)), ErrorCode::kLimitExceeded);
  std::string nested = "def f(x):\n", chain = "def f(x):\n  if x: pass\n";
  for (size_t i = 0; i < 1000; ++i) {
    nested += std::string(i + 1, ' ') + "if x:\n";
    chain += "  elif x: pass\n";
  }
  error_of(nested + std::string(1001, ' ') + "pass\n", ErrorCode::kLimitExceeded);
  error_of(chain, ErrorCode::kLimitExceeded);
  error_of("def f(x):\n  " + repeated("if x: ", n) + "pass\n", ErrorCode::kLimitExceeded);
}

TEST(ScriptParser, SizeIsBounded) {
  SourceFile source("code/m.py", "def f(x):\n  return [" + std::string(4000, '1') + "]\n", 0);
  std::string many = "def f(x):\n  return [";
  for (int i = 0; i < 2000; ++i) many += "1,";
  SourceFile long_list("code/m.py", many + "]\n", 0);
  ast::Arena arena;
  size_t nodes_left = 1000;
  EXPECT_THROW(parse_file(source, arena, nodes_left), Error);
  nodes_left = 1000;
  EXPECT_THROW(parse_file(long_list, arena, nodes_left), Error);
}

}  // namespace
}  // namespace wick::script
