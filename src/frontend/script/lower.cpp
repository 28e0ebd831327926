// Functions and statements.
#include "frontend/script/lower.h"

#include <algorithm>

#include "core/limits.h"
#include "core/stack.h"
#include "frontend/script/lowerer.h"
#include "ir/verify.h"

namespace wick::script {

namespace {

// Functions being lowered on this thread.
thread_local int t_nested = 0;

struct Nested {
  Nested() { ++t_nested; }
  ~Nested() { --t_nested; }
};

}  // namespace

Lowerer::Lowerer(Importer& importer, const ast::Def& def, const SourceFile& file, ir::Function& function,
                 Lowerer* outer)
    : importer_(importer),
      def_(def),
      file_(file),
      function_(function),
      outer_(outer),
      emit_(importer, file, function,
            limits::kFreelyLoweredNodes + limits::kLoweredNodesPerSyntaxNode * count_nodes(def.body)),
      top_(std::make_unique<Scope>(nullptr)),
      scope_(top_.get()) {
  emit_.at = def.at;
  if (!function.schema.returns.empty()) result_type_ = function.schema.returns[0].type;
}

void Lowerer::run() {
  for (const Argument& arg : function_.schema.arguments) {
    ir::Value* param = emit_.graph().add_param(emit_.block, emit_.checked(arg.type), arg.name);
    scope_->set(arg.name, {Sugar::of(param), arg.type, false, {}});
  }
  bool early = false;
  for (size_t i = 0; i < def_.body.size(); ++i) {
    early = early || (!def_.body[i]->is(StmtKind::kReturn) && effects_of(def_.body.subspan(i, 1)).returns);
  }
  if (early) {
    set_flag(kExit, false);
    set_flag(kReturned, false);
    set(kResult, emit_.uninitialized(result_type_ ? result_type_ : unknown_type()));
  }
  finish(statements(def_.body));
}

// The one result of the function, whichever way it was left.
void Lowerer::finish(Flow flow) {
  const Binding* early = top_->find(kResult);
  if (!result_ && early && flow != Flow::kFalls) {
    result_ = early->what.value;
    const bool may_be_none = !result_type_ || emit_.fits(*types::none(), *result_type_);
    if (flow == Flow::kMaybe && may_be_none) {
      result_ = if_value(
          top_->find(kReturned)->what.value, [&] { return result_; }, [&] { return emit_.none(); });
    }
  }
  if (!result_ && flow == Flow::kRaises) result_ = emit_.uninitialized(result_type_ ? result_type_ : types::none());
  if (!result_) result_ = emit_.none();
  if (!result_type_) {
    Argument result;
    result.type = is_unknown(*result_->type) ? types::any() : result_->type;
    function_.schema.returns.push_back(std::move(result));
  } else if (!emit_.fits(*result_->type, *result_type_)) {
    emit_.bad("Return value was annotated as having type ", result_type_->str(), " but is actually of type ",
              result_->type->str());
  }
  emit_.graph().set_results(emit_.graph().body(), {result_});
}

Flow Lowerer::statements(Statements list) {
  check_stack("statements");
  if (depth_ >= limits::kMaxBlockDepth) {
    file_.fail_at(emit_.at, ErrorCode::kLimitExceeded, cat("more than ", limits::kMaxBlockDepth, " nested statements"));
  }
  ++depth_;
  Flow flow = Flow::kFalls;
  for (size_t i = 0; i < list.size(); ++i) {
    flow = statement(*list[i]);
    if (flow == Flow::kFalls) continue;
    if (flow == Flow::kMaybe && i + 1 < list.size()) {
      flow = rest_unless_exited([&] { return statements(list.subspan(i + 1)); });
    }
    break;
  }
  --depth_;
  return flow;
}

Flow Lowerer::statement(const Stmt& stmt) {
  emit_.charge();
  const At at(*this, stmt.at);
  switch (stmt.kind) {
    case StmtKind::kExpr:
      sugar(*stmt.value, nullptr, 0);
      return Flow::kFalls;
    case StmtKind::kAssign:
      assign(stmt);
      return Flow::kFalls;
    case StmtKind::kAugAssign:
      augmented(stmt);
      return Flow::kFalls;
    case StmtKind::kIf:
      return if_statement(stmt);
    case StmtKind::kFor:
      return for_statement(stmt);
    case StmtKind::kWhile:
      return loop(stmt.body, {}, emit_.constant(IValue(INT64_MAX)), stmt.value, [](ir::Value*) {});
    case StmtKind::kWith:
      return with_statement(stmt, 0);
    case StmtKind::kReturn:
      return return_statement(stmt);
    case StmtKind::kRaise:
      return raise_statement(stmt);
    case StmtKind::kAssert:
      return assert_statement(stmt);
    case StmtKind::kDelete:
      delete_statement(stmt);
      return Flow::kFalls;
    case StmtKind::kPass:
      return Flow::kFalls;
    case StmtKind::kBreak:
    case StmtKind::kContinue:
      if (loop_depth_ == 0) emit_.bad("break and continue must be inside a loop");
      set_flag(kExit, true);
      if (stmt.is(StmtKind::kBreak)) set_flag(kBroke, true);
      return Flow::kExits;
    case StmtKind::kDef: {
      Sugar closure;
      closure.kind = SugarKind::kClosure;
      closure.def = stmt.def;
      scope_->set(stmt.def->name, {std::move(closure), nullptr, false, {}});
      return Flow::kFalls;
    }
  }
  return Flow::kFalls;
}

Flow Lowerer::return_statement(const Stmt& stmt) {
  ir::Value* returned = stmt.value ? value(*stmt.value, result_type_) : emit_.none();
  if (result_type_) returned = fitted(returned, result_type_);
  if (scope_->find(kResult)) {
    set_flag(kExit, true);
    set_flag(kReturned, true);
    set(kResult, returned);
  } else {
    result_ = returned;
  }
  return Flow::kExits;
}

void Lowerer::raise(ir::Value* message, ir::Value* cls) { emit_.op("prim::RaiseException", {message, cls}); }

Flow Lowerer::raise_statement(const Stmt& stmt) {
  if (!stmt.value) emit_.bad("raise needs an exception");
  const Expr* callee = stmt.value->is(ExprKind::kCall) ? &stmt.value->item(0) : stmt.value;
  if (!callee->is(ExprKind::kName) && !callee->is(ExprKind::kAttribute)) emit_.bad("raise needs an exception");
  ir::Value* message = emit_.constant(IValue(cat(callee->text, ": ")));
  if (stmt.value->is(ExprKind::kCall)) {
    bool first = true;
    for (const Expr* argument : stmt.value->arguments()) {
      ir::Value* part = value(*argument);
      if (!part->type->is(TypeKind::kString)) part = call_one(emit_, "aten::str", {part});
      if (!first) message = emit_.op("aten::add.str", {message, emit_.constant(IValue(", "))});
      message = emit_.op("aten::add.str", {message, part});
      first = false;
    }
  }
  raise(message, emit_.none());
  return Flow::kRaises;
}

Flow Lowerer::assert_statement(const Stmt& stmt) {
  Condition test = condition(*stmt.value);
  auto fails = [&] {
    ir::Value* message = emit_.constant(IValue("AssertionError: "));
    if (stmt.message) {
      ir::Value* text = value(*stmt.message);
      if (!text->type->is(TypeKind::kString)) text = call_one(emit_, "aten::str", {text});
      message = emit_.op("aten::add.str", {message, text});
    }
    raise(message, emit_.none());
    return Flow::kRaises;
  };
  if (test.known) {
    if (!*test.known) return fails();
    refine(test.yes);
    return Flow::kFalls;
  }
  ir::Node* node = emit_.node(ir::NodeKind::kIf, {test.value});
  Branch yes = branch(node, test.yes, [] { return Flow::kFalls; });
  Branch no = branch(node, test.no, fails);
  return join(node, yes, no);
}

Flow Lowerer::with_statement(const Stmt& stmt, size_t item) {
  if (item == stmt.with_items.size()) return statements(stmt.body);
  const ast::WithItem& with = stmt.with_items[item];
  ir::Value* object = value(*with.value);
  const ScriptClass* cls = object->type->is(TypeKind::kClass) ? importer_.class_of(*object->type) : nullptr;
  const ir::Function* enter = cls ? cls->method("__enter__") : nullptr;
  if (!enter || !cls->method("__exit__")) {
    emit_.bad("'", object->type->str(), "' cannot be used in a with statement: it has no __enter__ and __exit__");
  }
  if (enter->schema.returns.empty()) importer_.lower_now(*cls->method("__enter__"));
  ir::Value* entered = emit_.output(emit_.node(ir::NodeKind::kEnter, {object}), enter->schema.returns[0].type);
  if (with.target) assign_to(*with.target, Sugar::of(entered), nullptr);
  const Flow flow = with_statement(stmt, item + 1);
  emit_.node(ir::NodeKind::kExit, {object});
  return flow;
}

void Lowerer::delete_statement(const Stmt& stmt) {
  for (const Expr* target : stmt.targets) {
    if (target->is(ExprKind::kName)) {
      scope_->set(target->text, {{}, nullptr, false, cat("undefined value ", target->text)});
    } else if (target->is(ExprKind::kSubscript) && target->items.size() == 2 && !target->item(1).is(ExprKind::kSlice)) {
      ir::Value* object = value(target->item(0));
      ir::Value* key = value(target->item(1));
      if (object->type->is(TypeKind::kClass)) {
        Arguments arguments;
        arguments.positional = {key};
        call_method(object, "__delitem__", arguments);
      } else {
        call_one(emit_, "aten::Delete", {object, key});
      }
    } else {
      emit_.bad("del takes names and items of lists and dicts");
    }
  }
}

void lower_function(Importer& importer, const ast::Def& def, const SourceFile& file, const TypePtr&,
                    ir::Function& function) {
  const Nested nested;
  if (t_nested > limits::kMaxNestedFunctions) {
    file.fail_at(def.at, ErrorCode::kLimitExceeded,
                 cat("more than ", limits::kMaxNestedFunctions,
                     " functions that do not state what they return call each other"));
  }
  Lowerer(importer, def, file, function).run();
  ir::debug_verify(function, "lowering");
}

}  // namespace wick::script
