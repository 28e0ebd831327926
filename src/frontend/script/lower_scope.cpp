// Scopes: the value of each name in a block, and which names a statement assigns.
#include "frontend/script/lower_scope.h"

namespace wick::script {

namespace {

using ast::Expr;
using ast::ExprKind;
using ast::Stmt;
using ast::StmtKind;

void add_effects(std::span<Stmt* const> statements, bool in_loop, Effects& out) {
  for (const Stmt* stmt : statements) {
    switch (stmt->kind) {
      case StmtKind::kAssign:
      case StmtKind::kAugAssign:
        for (const Expr* target : stmt->targets) add_targets(*target, out.assigned);
        break;
      case StmtKind::kFor:
        add_targets(*stmt->targets[0], out.assigned);
        break;
      case StmtKind::kWith:
        for (const ast::WithItem& item : stmt->with_items) {
          if (item.target) add_targets(*item.target, out.assigned);
        }
        break;
      case StmtKind::kReturn:
        out.returns = true;
        break;
      case StmtKind::kBreak:
      case StmtKind::kContinue:
        out.breaks = out.breaks || !in_loop;
        break;
      default:
        break;
    }
    const bool loop = stmt->is(StmtKind::kFor) || stmt->is(StmtKind::kWhile);
    add_effects(stmt->body, in_loop || loop, out);
    add_effects(stmt->orelse, in_loop, out);
  }
}

size_t count_nodes(const Expr* expr) {
  if (!expr) return 0;
  size_t out = 1;
  for (const Expr* item : expr->items) out += count_nodes(item);
  for (const ast::Keyword& keyword : expr->keywords) out += count_nodes(keyword.value);
  return out;
}

}  // namespace

void add_targets(const Expr& target, std::set<std::string_view>& names) {
  if (target.is(ExprKind::kName)) names.insert(target.text);
  if (target.is(ExprKind::kTuple) || target.is(ExprKind::kList) || target.is(ExprKind::kStarred)) {
    for (const Expr* item : target.items) add_targets(*item, names);
  }
}

Effects effects_of(std::span<Stmt* const> statements) {
  Effects out;
  add_effects(statements, /*in_loop=*/false, out);
  return out;
}

size_t count_nodes(std::span<Stmt* const> statements) {
  size_t out = 0;
  for (const Stmt* stmt : statements) {
    out +=
        1 + count_nodes(stmt->value) + count_nodes(stmt->message) + count_nodes(stmt->body) + count_nodes(stmt->orelse);
    for (const Expr* target : stmt->targets) out += count_nodes(target);
    for (const ast::WithItem& item : stmt->with_items) out += count_nodes(item.value);
    if (stmt->def) out += count_nodes(stmt->def->body);
  }
  return out;
}

}  // namespace wick::script
