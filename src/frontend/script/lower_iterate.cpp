// for over ranges, lists, tuples, strings, dicts, tensors, zip and enumerate; comprehensions.
#include <algorithm>

#include "core/limits.h"
#include "core/stack.h"
#include "frontend/script/lowerer.h"

namespace wick::script {

Lowerer::Iterable Lowerer::range_iterable(const Sugar& range) {
  Iterable out;
  if (range.values.size() == 1) {
    out.length = range.values[0];
    out.item = [](ir::Value* index) { return index; };
    return out;
  }
  ir::Value* lo = range.values[0];
  ir::Value* step = range.values.size() > 2 ? range.values[2] : emit_.constant(IValue(int64_t{1}));
  out.length = emit_.op("aten::__range_length", {lo, range.values[1], step});
  out.item = [this, lo, step](ir::Value* index) { return emit_.op("aten::__derive_index", {index, lo, step}); };
  return out;
}

Lowerer::Iterable Lowerer::zip_iterable(const Sugar& zip) {
  std::vector<Iterable> parts;
  for (const Sugar& part : zip.parts) parts.push_back(iterable(part));
  Iterable out;
  std::vector<ir::Value*> lengths;
  for (const Iterable& part : parts) {
    if (part.count) {
      out.count = out.count ? std::min(*out.count, *part.count) : *part.count;
    } else {
      lengths.push_back(part.length);
    }
  }
  if (out.count && !lengths.empty()) emit_.bad("a tuple cannot be iterated together with something of unknown length");
  if (lengths.size() == 1) out.length = lengths[0];
  if (lengths.size() > 1) {
    out.length = emit_.op("prim::min.self_int", {emit_.list(types::integer(), std::move(lengths))});
  }
  ir::Value* start = zip.value;
  const bool counts = zip.is(SugarKind::kEnumerate);
  out.item = [this, parts = std::move(parts), start, counts](ir::Value* index) {
    std::vector<ir::Value*> items;
    if (counts) items.push_back(start ? emit_.op("aten::add.int", {index, start}) : index);
    for (const Iterable& part : parts) items.push_back(part.item(index));
    return emit_.tuple(std::move(items));
  };
  return out;
}

Lowerer::Iterable Lowerer::iterable(const Sugar& over) {
  if (over.is(SugarKind::kRange)) return range_iterable(over);
  if (over.is(SugarKind::kZip) || over.is(SugarKind::kEnumerate)) return zip_iterable(over);
  ir::Value* object = as_value(over);
  Iterable out;
  switch (object->type->kind()) {
    case TypeKind::kTuple: {
      out.count = object->type->elements().size();
      std::vector<ir::Value*> items = emit_.unpack_tuple(object);
      out.item = [items = std::move(items)](ir::Value* index) {
        return items[static_cast<size_t>(index->def->constant.to_int())];
      };
      return out;
    }
    case TypeKind::kTensor:
      out.length = emit_.op("aten::len.Tensor", {object});
      out.item = [this, object](ir::Value* index) {
        return emit_.op("aten::select.int", {object, emit_.constant(IValue(int64_t{0})), index});
      };
      return out;
    case TypeKind::kDict:
      object = call_one(emit_, "aten::keys", {object});
      break;
    case TypeKind::kList:
    case TypeKind::kString:
    case TypeKind::kAny:
      break;
    case TypeKind::kClass: {
      out.length = call_method(object, "__len__", {});
      out.item = [this, object](ir::Value* index) {
        Arguments arguments;
        arguments.positional = {index};
        return call_method(object, "__getitem__", arguments);
      };
      return out;
    }
    default:
      emit_.bad("'", object->type->str(), "' object is not iterable");
  }
  out.length = call_one(emit_, "aten::len", {object});
  out.item = [this, object](ir::Value* index) { return call_one(emit_, "aten::__getitem__", {object, index}); };
  return out;
}

Flow Lowerer::for_statement(const Stmt& stmt) {
  const Iterable over = iterable(sugar(*stmt.value));
  const Expr& target = *stmt.targets[0];
  if (!over.count) {
    std::set<std::string_view> names;
    add_targets(target, names);
    return loop(stmt.body, std::move(names), over.length, nullptr,
                [&](ir::Value* index) { assign_to(target, Sugar::of(over.item(index)), nullptr); });
  }
  if (effects_of(stmt.body).breaks) {
    emit_.bad("Because we emit iteration over Modulelists or Tuples as unrolled loops, we do not support break or ",
              "continue inside the body of these loops");
  }
  return unrolled(stmt, over, 0);
}

Flow Lowerer::unrolled(const Stmt& stmt, const Iterable& over, size_t first) {
  check_stack("statements");
  for (size_t i = first; i < *over.count; ++i) {
    assign_to(*stmt.targets[0], Sugar::of(over.item(index_constant(i))), nullptr);
    const Flow flow = statements(stmt.body);
    if (flow == Flow::kMaybe) {
      if (depth_ >= limits::kMaxBlockDepth) emit_.bad("more than ", limits::kMaxBlockDepth, " nested statements");
      ++depth_;
      const Flow rest = rest_unless_exited([&] { return unrolled(stmt, over, i + 1); });
      --depth_;
      return rest;
    }
    if (flow != Flow::kFalls) return flow;
  }
  return Flow::kFalls;
}

void Lowerer::for_each(const Iterable& over, const std::function<void(ir::Value*)>& body) {
  if (over.count) {
    for (size_t i = 0; i < *over.count; ++i) {
      body(over.item(index_constant(i)));
    }
    return;
  }
  ir::Node* node = emit_.node(ir::NodeKind::kLoop, {over.length, emit_.constant(IValue(true))});
  ir::Block* const inner = emit_.graph().add_block(node);
  ir::Value* const index = emit_.graph().add_param(inner, types::integer());
  ir::Block* const outer = std::exchange(emit_.block, inner);
  body(over.item(index));
  emit_.graph().set_results(inner, {emit_.constant(IValue(true))});
  emit_.block = outer;
}

// A list of what can be iterated, in its order.
ir::Value* Lowerer::list_of(const Sugar& over, const TypePtr& hint) {
  const Iterable items = iterable(over);
  TypePtr wanted = hint && hint->is(TypeKind::kList) ? hint->element(0) : nullptr;
  if (items.count) {
    std::vector<ir::Value*> values;
    TypePtr element = wanted;
    for (size_t i = 0; i < *items.count; ++i) {
      values.push_back(items.item(index_constant(i)));
      if (!wanted) element = element ? emit_.unify(element, values[i]->type, true) : values[i]->type;
    }
    return emit_.list(element ? element : types::tensor(), std::move(values));
  }
  ir::Value* out = emit_.list(wanted ? wanted : types::tensor(), {});
  for_each(items, [&](ir::Value* item) {
    if (!wanted) {
      out->type = emit_.checked(types::list(item->type));
      out->def->types = {out->type};
    }
    emit_.op("aten::append.t", {out, item});
  });
  return out;
}

ir::Value* Lowerer::comprehension(const Expr& expr, const TypePtr& hint) {
  const bool is_dict = expr.is(ExprKind::kDictComp);
  const Expr& target = expr.item(is_dict ? 2 : 1);
  const Iterable over = iterable(sugar(expr.item(is_dict ? 3 : 2)));
  TypePtr wanted = hint && hint->is(TypeKind::kOptional) ? hint->element(0) : hint;
  if (wanted && !wanted->is(is_dict ? TypeKind::kDict : TypeKind::kList)) wanted = nullptr;
  ir::Node* node = emit_.node(is_dict ? ir::NodeKind::kDictConstruct : ir::NodeKind::kListConstruct);
  ir::Value* out = emit_.output(node, wanted ? wanted : types::any());
  Scope scope(scope_);
  scope_ = &scope;
  TypePtr type = wanted;
  for_each(over, [&](ir::Value* item) {
    assign_to(target, Sugar::of(item), nullptr);
    std::vector<ir::Value*> made{value(expr.item(0), wanted ? wanted->element(0) : nullptr)};
    if (is_dict) made.push_back(value(expr.item(1), wanted ? wanted->element(1) : nullptr));
    if (wanted) {
      for (size_t i = 0; i < made.size(); ++i) made[i] = fitted(made[i], wanted->element(i));
    } else if (!type) {
      type = is_dict ? types::dict(made[0]->type, made[1]->type) : types::list(made[0]->type);
      out->type = emit_.checked(type);
    } else {
      for (size_t i = 0; i < made.size(); ++i) made[i] = fitted(made[i], type->element(i));
    }
    if (is_dict) {
      call_one(emit_, "aten::_set_item", {out, made[0], made[1]});
    } else {
      emit_.op("aten::append.t", {out, made[0]});
    }
  });
  scope_ = scope.parent();
  if (!type) type = is_dict ? types::dict(types::string(), types::tensor()) : types::list(types::tensor());
  out->type = type;
  node->types = {type};
  return out;
}

}  // namespace wick::script
