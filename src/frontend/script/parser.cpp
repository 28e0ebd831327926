// Statements, definitions and files.
#include "frontend/script/parser.h"

#include "frontend/script/parser_state.h"

namespace wick::script {

using ast::Expr;
using ast::Op;
using ast::Stmt;
using ast::StmtKind;

namespace {

struct Assignment {
  std::string_view text;
  Op op;
};
constexpr Assignment kAssignments[] = {
    {"+=", Op::kAdd},    {"-=", Op::kSub},        {"*=", Op::kMul},         {"/=", Op::kDiv},    {"//=", Op::kFloorDiv},
    {"%=", Op::kMod},    {"**=", Op::kPow},       {"@=", Op::kMatMul},      {"&=", Op::kBitAnd}, {"|=", Op::kBitOr},
    {"^=", Op::kBitXor}, {"<<=", Op::kShiftLeft}, {">>=", Op::kShiftRight},
};

}  // namespace

Stmt* Parser::make(const Stmt& stmt) {
  charge_node(stmt.at);
  return arena_.make(stmt);
}

void Parser::expect_newline() {
  if (!current_.is(TokenKind::kNewline)) unexpected("the end of the line");
  take();
}

void Parser::skip_line() {
  while (!current_.is(TokenKind::kNewline) && !current_.is(TokenKind::kEnd)) take();
  if (current_.is(TokenKind::kNewline)) take();
}

ast::File Parser::file() {
  ast::File out;
  while (!current_.is(TokenKind::kEnd)) {
    if (current_.is_word("class")) {
      out.classes.push_back(class_definition());
    } else if (current_.is_word("def")) {
      out.functions.push_back(definition());
    } else if (current_.is_word("import") || current_.is_word("from") || current_.is_symbol("@") ||
               (current_.is(TokenKind::kName) && ahead_.is_symbol("="))) {
      skip_line();  // op_version_set = 1, import __torch__, @torch.jit.script
    } else {
      unexpected("a class or a function");
    }
  }
  return out;
}

ast::ClassDef* Parser::class_definition() {
  take();
  ast::ClassDef out;
  out.at = current_.at;
  out.name = name();
  if (accept("(")) {
    if (!current_.is_symbol(")")) out.base = expression();
    expect(")");
  }
  out.body = block();
  charge_node(out.at);
  return arena_.make(out);
}

ast::Def* Parser::definition() {
  take();
  ast::Def out;
  out.at = current_.at;
  out.name = name();
  out.params = arena_.copy(parameters());
  if (accept("->")) out.return_type = expression();
  out.body = block();
  charge_node(out.at);
  return arena_.make(out);
}

std::vector<ast::Param> Parser::parameters() {
  std::vector<ast::Param> out;
  bool keyword_only = false;
  expect("(");
  while (!accept(")")) {
    if (!keyword_only && accept("*")) {
      keyword_only = true;
    } else {
      ast::Param p;
      p.at = current_.at;
      p.name = name();
      if (accept(":")) p.type = expression();
      if (accept("=")) p.default_value = expression();
      p.keyword_only = keyword_only;
      charge_node(p.at);
      out.push_back(p);
    }
    if (!accept(",")) {
      expect(")");
      break;
    }
  }
  return out;
}

// ": statement" on the same line, or ":" and an indented block.
std::span<Stmt* const> Parser::block() {
  const Level level(*this, block_depth_, limits::kMaxBlockDepth);
  expect(":");
  std::vector<Stmt*> out;
  if (!current_.is(TokenKind::kNewline)) {
    out.push_back(statement());
    return arena_.copy(out);
  }
  take();
  if (!current_.is(TokenKind::kIndent)) unexpected("an indented block");
  take();
  while (!current_.is(TokenKind::kDedent)) {
    if (current_.is_symbol("@")) {
      skip_line();
      continue;
    }
    out.push_back(statement());
  }
  take();
  return arena_.copy(out);
}

Stmt* Parser::statement() {
  Stmt out(StmtKind::kPass, current_.at);
  if (!current_.is(TokenKind::kName)) return expression_statement();
  const std::string_view word = current_.text;
  if (word == "if") return if_statement();
  if (word == "for") return for_statement();
  if (word == "with") return with_statement();
  if (word == "while") {
    take();
    out.kind = StmtKind::kWhile;
    out.value = expression();
    out.body = block();
    return make(out);
  }
  if (word == "def") {
    out.kind = StmtKind::kDef;
    out.def = definition();
    return make(out);
  }
  if (word == "pass" || word == "break" || word == "continue") {
    take();
    out.kind = word == "pass" ? StmtKind::kPass : word == "break" ? StmtKind::kBreak : StmtKind::kContinue;
  } else if (word == "return" || word == "raise") {
    take();
    out.kind = word == "return" ? StmtKind::kReturn : StmtKind::kRaise;
    if (!current_.is(TokenKind::kNewline)) out.value = expression_or_tuple();
  } else if (word == "assert") {
    take();
    out.kind = StmtKind::kAssert;
    out.value = expression();
    if (accept(",")) out.message = expression();
  } else if (word == "del") {
    take();
    out.kind = StmtKind::kDelete;
    std::vector<Expr*> targets;
    do {
      targets.push_back(target());
    } while (accept(","));
    out.targets = arena_.copy(targets);
  } else {
    return expression_statement();
  }
  expect_newline();
  return make(out);
}

Stmt* Parser::if_statement() {
  const Level level(*this, block_depth_, limits::kMaxBlockDepth);
  Stmt out(StmtKind::kIf, take().at);
  out.value = expression();
  out.body = block();
  if (current_.is_word("elif")) {
    out.orelse = arena_.copy(std::vector<Stmt*>{if_statement()});
  } else if (accept_word("else")) {
    out.orelse = block();
  }
  return make(out);
}

Stmt* Parser::for_statement() {
  Stmt out(StmtKind::kFor, take().at);
  out.targets = arena_.copy(std::vector<Expr*>{targets()});
  if (!accept_word("in")) unexpected("'in'");
  out.value = expression_or_tuple();
  out.body = block();
  return make(out);
}

Stmt* Parser::with_statement() {
  Stmt out(StmtKind::kWith, take().at);
  std::vector<ast::WithItem> items;
  do {
    ast::WithItem item{expression(), nullptr};
    if (accept_word("as")) item.target = target();
    items.push_back(item);
  } while (accept(","));
  out.with_items = arena_.copy(items);
  out.body = block();
  return make(out);
}

// value | target = target = value | target op= value | target : type [= value]
Stmt* Parser::expression_statement() {
  Stmt out(StmtKind::kExpr, current_.at);
  Expr* first = expression_or_tuple();
  if (accept(":")) {
    out.kind = StmtKind::kAssign;
    out.type = expression();
    out.targets = arena_.copy(std::vector<Expr*>{first});
    if (accept("=")) out.value = expression_or_tuple();
  } else if (current_.is_symbol("=")) {
    out.kind = StmtKind::kAssign;
    std::vector<Expr*> targets;
    while (accept("=")) {
      targets.push_back(first);
      first = expression_or_tuple();
    }
    out.targets = arena_.copy(targets);
    out.value = first;
  } else {
    out.value = first;
    for (const Assignment& a : kAssignments) {
      if (!current_.is_symbol(a.text)) continue;
      take();
      out.kind = StmtKind::kAugAssign;
      out.op = a.op;
      out.targets = arena_.copy(std::vector<Expr*>{first});
      out.value = expression_or_tuple();
      break;
    }
  }
  expect_newline();
  return make(out);
}

ast::File parse_file(const SourceFile& file, ast::Arena& arena, size_t& nodes_left) {
  return Parser(file, arena, nodes_left).file();
}

Expr* parse_expression(const SourceFile& file, ast::Arena& arena, size_t& nodes_left) {
  return Parser(file, arena, nodes_left).only_expression();
}

}  // namespace wick::script
