// The state of lowering one function; shared by the files that lower statements, control flow, expressions and calls.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/script/lower.h"
#include "frontend/script/lower_emitter.h"
#include "frontend/script/lower_scope.h"
#include "frontend/script/match_call.h"

namespace wick::script {

class Lowerer {
 public:
  // `outer`: of the function a closure stands in, whose names it sees.
  Lowerer(Importer& importer, const ast::Def& def, const SourceFile& file, ir::Function& function,
          Lowerer* outer = nullptr);
  void run();
  // Values of the outer function that the closure uses, in the order of the parameters made for them.
  const std::vector<ir::Value*>& captured() const { return captured_; }

 private:
  using Expr = ast::Expr;
  using ExprKind = ast::ExprKind;
  using Stmt = ast::Stmt;
  using StmtKind = ast::StmtKind;
  using Statements = std::span<Stmt* const>;

  // What a condition tells of the variables in it, by name.
  using Refinements = std::vector<std::pair<std::string_view, TypePtr>>;
  struct Condition {
    ir::Value* value = nullptr;  // null when it is known
    std::optional<bool> known;
    Refinements yes, no;
  };
  // One branch of an If, lowered.
  struct Branch {
    ir::Block* block;
    std::unique_ptr<Scope> scope;
    Flow flow = Flow::kFalls;
    std::vector<ir::Value*> values;
  };
  // Something a for statement goes through.
  struct Iterable {
    std::optional<size_t> count;                 // known beforehand: the body is repeated
    ir::Value* length = nullptr;                 // otherwise
    std::function<ir::Value*(ir::Value*)> item;  // by index
  };

  // Sets the position for as long as it lives.
  class At {
   public:
    At(Lowerer& lowerer, Position at) : lowerer_(lowerer), before_(lowerer.emit_.at) { lowerer.emit_.at = at; }
    ~At() { lowerer_.emit_.at = before_; }
    At(const At&) = delete;
    At& operator=(const At&) = delete;

   private:
    Lowerer& lowerer_;
    Position before_;
  };

  // Statements (lower.cpp).
  Flow statements(Statements list);
  Flow statement(const Stmt& stmt);
  Flow return_statement(const Stmt& stmt);
  Flow raise_statement(const Stmt& stmt);
  Flow assert_statement(const Stmt& stmt);
  Flow with_statement(const Stmt& stmt, size_t item);
  void delete_statement(const Stmt& stmt);
  void finish(Flow flow);
  void raise(ir::Value* message, ir::Value* cls);

  // Names (lower_assign.cpp).
  const Binding* lookup(std::string_view name);
  void set(std::string_view name, ir::Value* value) { scope_->set(name, {Sugar::of(value), nullptr, false, {}}); }
  void set_flag(std::string_view name, bool value) { set(name, emit_.constant(IValue(value))); }
  void assign(const Stmt& stmt);
  void assign_to(const Expr& target, Sugar what, const TypePtr& declared);
  void assign_name(std::string_view name, Sugar what, TypePtr declared);
  void assign_items(const Expr& target, Sugar what);
  void assign_attribute(const Expr& target, ir::Value* value);
  void augmented(const Stmt& stmt);
  ir::Value* augmented_value(ast::Op op, ir::Value* left, ir::Value* right);

  // Control flow (lower_flow.cpp).
  Flow if_statement(const Stmt& stmt);
  // Lowers what follows a statement that may have left the function or the loop.
  Flow rest_unless_exited(const std::function<Flow()>& rest);
  Branch branch(ir::Node* node, const Refinements& refinements, const std::function<Flow()>& body);
  Flow join(ir::Node* node, Branch& yes, Branch& no);
  // The types of the output that a name becomes; nullopt when it becomes none, and is bound already.
  struct JoinedName {
    TypePtr type, declared;
  };
  std::optional<JoinedName> join_name(std::string_view name, const Branch& yes, const Branch& no);
  ir::Value* result_of(Branch& side, std::string_view name, const TypePtr& type);
  void join_values(ir::Node* node, Branch& yes, Branch& no, const std::vector<TypePtr>& types);
  void refine(const Refinements& refinements);
  ir::Value* next_turn(Flow flow, bool returns, const Expr* condition);
  Flow loop(Statements body, std::set<std::string_view> targets, ir::Value* max, const Expr* condition,
            const std::function<void(ir::Value*)>& begin);
  ir::Value* if_value(ir::Value* condition, const std::function<ir::Value*()>& yes,
                      const std::function<ir::Value*()>& no);
  ir::Value* fitted(ir::Value* value, const TypePtr& type);

  // Conditions (lower_condition.cpp).
  Condition condition(const Expr& expr);
  Condition connective(const Expr& expr);
  Condition compare_none(const Expr& subject, bool is_none);
  Condition instance_test(const Expr& subject, const Expr& types);
  std::vector<TypePtr> instance_types(const Expr& expr);
  ir::Value* value_of(const Condition& condition);
  ir::Value* to_bool(ir::Value* value);

  // Expressions (lower_expr.cpp).
  Sugar sugar(const Expr& expr, const TypePtr& hint = nullptr, size_t outputs = 1);
  ir::Value* value(const Expr& expr, const TypePtr& hint = nullptr);
  ir::Value* as_value(const Sugar& sugar);
  Sugar name(const Expr& expr);
  ir::Value* list_display(const Expr& expr, const TypePtr& hint);
  ir::Value* dict_display(const Expr& expr, const TypePtr& hint);
  ir::Value* tuple_display(const Expr& expr, const TypePtr& hint);
  ir::Value* unary(const Expr& expr);
  ir::Value* binary(const Expr& expr);
  ir::Value* infix(ast::Op op, ir::Value* left, ir::Value* right);
  ir::Value* ternary(const Expr& expr, const TypePtr& hint);
  std::vector<ir::Value*> items_of(std::span<Expr* const> exprs, const std::vector<TypePtr>& hints = {});

  // Iteration (lower_iterate.cpp).
  Flow for_statement(const Stmt& stmt);
  // The body once for each item from `first` on.
  Flow unrolled(const Stmt& stmt, const Iterable& over, size_t first);
  Iterable iterable(const Sugar& over);
  Iterable range_iterable(const Sugar& range);
  Iterable zip_iterable(const Sugar& zip);
  ir::Value* comprehension(const Expr& expr, const TypePtr& hint);
  ir::Value* index_constant(size_t i) { return emit_.constant(IValue(static_cast<int64_t>(i))); }
  ir::Value* list_of(const Sugar& over, const TypePtr& hint);
  // Repeats `body` for each item, with the item.
  void for_each(const Iterable& over, const std::function<void(ir::Value*)>& body);

  // Attributes (lower_attribute.cpp).
  Sugar attribute(const Expr& expr);
  Sugar attribute_of(const Sugar& object, std::string_view name);
  Sugar attribute_of_value(ir::Value* object, std::string_view name);
  Sugar attribute_of_tensor(ir::Value* object, std::string_view name);
  Sugar qualified(const std::string& name);
  Sugar get_attribute(ir::Value* object, std::string_view name, const Expr* fallback);
  std::optional<bool> has_attribute(ir::Value* object, std::string_view name);
  ir::Value* tuple_item(ir::Value* tuple, int64_t index);

  // Calls (lower_call.cpp, lower_forms.cpp).
  Sugar call(const Expr& expr, const TypePtr& hint, size_t outputs);
  Arguments arguments_of(const Expr& expr);
  ir::Value* call_function(ir::Function& function, Arguments arguments);
  ir::Value* call_method(ir::Value* object, std::string_view name, const Arguments& arguments);
  ir::Value* make_object(const ScriptClass& cls, const Expr& expr);
  ir::Value* make_named_tuple(const ScriptClass& cls, const Arguments& arguments);
  Sugar call_operator_named(const std::string& name, const Arguments& arguments, size_t outputs);
  ir::Value* known_comparison(std::string_view name, const Arguments& arguments);
  // Sorting objects by their __lt__; null when this is no such call.
  ir::Value* sort_objects(std::string_view name, const Arguments& arguments);
  ir::Value* to_list(ir::Value* tensor, const TypePtr& hint);
  Sugar form(const std::string& name, const Expr& expr, const TypePtr& hint);
  ir::Value* annotated(const Expr& annotation, const Expr& expr);
  ir::Value* unchecked_cast(const Expr& annotation, const Expr& expr);
  Sugar getattr_form(std::span<Expr* const> args);
  Sugar zip_form(const Expr& expr);
  Sugar enumerate_form(const Expr& expr);
  Sugar function_form(const std::string& name, const Expr& expr, const TypePtr& hint);
  ir::Value* list_form(const Expr& expr, const TypePtr& hint);
  ir::Value* tuple_form(const Expr& expr);
  ir::Value* dict_form(const Expr& expr, const TypePtr& hint);
  Sugar builtin_function(const std::string& name, Arguments arguments);
  ir::Value* fork(const Expr& expr);
  ir::Value* number_cast(const std::string& name, const Expr& expr);
  const Expr& only_argument(const Expr& expr, const char* what);
  std::string literal_text(const Expr& expr);

  // Subscripts (lower_subscript.cpp).
  Sugar subscript(const Expr& expr);
  ir::Value* slice(ir::Value* object, const Expr& index);
  ir::Value* tuple_slice(ir::Value* tuple, const Expr& index);
  // Selects and slices done, tensors to index with collected; empty when there are none.
  class TensorIndexing;
  std::pair<ir::Value*, std::vector<ir::Value*>> tensor_view(ir::Value* tensor, std::span<Expr* const> indices);
  ir::Value* index_list(std::vector<ir::Value*> indices);
  void assign_subscript(const Expr& target, ir::Value* value);
  void augmented_subscript(const Expr& target, ast::Op op, const Expr& right);
  ir::Value* tensor_from(ir::Value* value, ir::Value* like);

  Importer& importer_;
  const ast::Def& def_;
  const SourceFile& file_;
  ir::Function& function_;
  Lowerer* outer_;
  Emitter emit_;
  std::unique_ptr<Scope> top_;
  Scope* scope_;
  TypePtr result_type_;  // null until it is known
  ir::Value* result_ = nullptr;
  size_t loop_depth_ = 0;
  size_t depth_ = 0;
  std::vector<ir::Value*> captured_;
};

}  // namespace wick::script
