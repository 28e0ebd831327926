// The state of parsing one file; shared by the files that parse expressions and statements.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "core/check.h"
#include "core/limits.h"
#include "core/stack.h"
#include "frontend/script/ast.h"
#include "frontend/script/lexer.h"

namespace wick::script {

class Parser {
 public:
  Parser(const SourceFile& file, ast::Arena& arena, size_t& nodes_left)
      : file_(file), lexer_(file), arena_(arena), nodes_left_(nodes_left) {
    current_ = lexer_.next();
    ahead_ = lexer_.next();
  }

  ast::File file();
  ast::Expr* only_expression();

 private:
  // Tokens.
  Token take();
  bool accept(std::string_view symbol);
  bool accept_word(std::string_view word);
  void expect(std::string_view symbol);
  void expect_newline();
  std::string_view name();
  template <class... Parts>
  [[noreturn]] void bad(Position at, const Parts&... parts) const {
    file_.fail_at(at, ErrorCode::kCorruptFile, cat(parts...));
  }
  [[noreturn]] void unexpected(std::string_view wanted) const;

  // Nodes.
  void charge_node(Position at);
  ast::Expr* make(ast::Expr expr);
  ast::Expr* with_items(ast::ExprKind kind, Position at, std::initializer_list<ast::Expr*> items,
                        ast::Op op = ast::Op::kNothing);
  ast::Expr* with_items(ast::ExprKind kind, Position at, const std::vector<ast::Expr*>& items);

  // Expressions.
  ast::Expr* expression(int precedence = 0);
  ast::Expr* expression_or_tuple();
  ast::Expr* unary(ast::Op op, int precedence);
  ast::Expr* primary();
  ast::Expr* postfix(ast::Expr* value);
  ast::Expr* number();
  ast::Expr* string();
  ast::Expr* parenthesized();
  ast::Expr* list();
  ast::Expr* dict();
  ast::Expr* call(ast::Expr* callee);
  ast::Expr* subscript(ast::Expr* object);
  ast::Expr* index();
  ast::Expr* target();
  ast::Expr* targets();
  ast::Expr* comprehension(ast::Expr* element);
  bool tuple_ends() const;

  // Statements.
  ast::ClassDef* class_definition();
  ast::Def* definition();
  std::vector<ast::Param> parameters();
  std::span<ast::Stmt* const> block();
  ast::Stmt* statement();
  ast::Stmt* if_statement();
  ast::Stmt* for_statement();
  ast::Stmt* with_statement();
  ast::Stmt* expression_statement();
  ast::Stmt* make(const ast::Stmt& stmt);
  void skip_line();

  // Counts recursion while it lives.
  class Level {
   public:
    Level(Parser& parser, size_t& depth, size_t limit) : depth_(depth) {
      check_stack("statements and expressions");
      if (++depth_ > limit) {
        parser.file_.fail_at(parser.current_.at, ErrorCode::kLimitExceeded, cat("nested deeper than ", limit));
      }
    }
    ~Level() { --depth_; }

   private:
    size_t& depth_;
  };

  const SourceFile& file_;
  Lexer lexer_;
  ast::Arena& arena_;
  size_t& nodes_left_;
  Token current_, ahead_;
  size_t expression_depth_ = 0;
  size_t block_depth_ = 0;
};

}  // namespace wick::script
