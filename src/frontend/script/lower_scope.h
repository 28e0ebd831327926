// Names of a function: which value each has at the point being lowered. A scope for each block of the source.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "frontend/script/lower_sugar.h"

namespace wick::script {

struct Binding {
  Sugar what;
  TypePtr declared;      // as annotated; null when it is not
  bool refined = false;  // not assigned, only known better: `if x is not None`
  std::string problem;   // not empty: why the name cannot be used here
};

class Scope {
 public:
  explicit Scope(Scope* parent) : parent_(parent) {}
  Scope* parent() const { return parent_; }
  // Null when neither this scope nor one around it has the name.
  const Binding* find(std::string_view name) const {
    for (const Scope* s = this; s; s = s->parent_) {
      const auto it = s->names_.find(name);
      if (it != s->names_.end()) return &it->second;
    }
    return nullptr;
  }
  void set(std::string_view name, Binding binding) { names_.insert_or_assign(std::string(name), std::move(binding)); }
  const std::map<std::string, Binding, std::less<>>& own() const { return names_; }

 private:
  Scope* parent_;
  std::map<std::string, Binding, std::less<>> names_;
};

// How control leaves a run of statements.
enum class Flow : uint8_t {
  kFalls,   // to what follows
  kMaybe,   // may leave through return, break or continue: kExit tells
  kExits,   // always leaves so
  kRaises,  // always raises
};

// Names no source can have, for returns, breaks and continues in the middle of a function.
inline constexpr std::string_view kExit = "$exit";          // bool: leave the statements that follow out
inline constexpr std::string_view kBroke = "$broke";        // bool: of the innermost loop
inline constexpr std::string_view kReturned = "$returned";  // bool
inline constexpr std::string_view kResult = "$result";

// What statements may do to the names around them.
struct Effects {
  std::set<std::string_view> assigned;
  bool returns = false;
  bool breaks = false;  // break or continue of the loop the statements are the body of
};
Effects effects_of(std::span<ast::Stmt* const> statements);
void add_targets(const ast::Expr& target, std::set<std::string_view>& names);
// Statements and expressions in a body, nested ones too.
size_t count_nodes(std::span<ast::Stmt* const> statements);

}  // namespace wick::script
