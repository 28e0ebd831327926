// x[...], read and written.
#include <algorithm>

#include "frontend/script/lowerer.h"

namespace wick::script {

ir::Value* Lowerer::slice(ir::Value* object, const Expr& index) {
  if (object->type->is(TypeKind::kTuple)) return tuple_slice(object, index);
  Arguments arguments;
  arguments.positional = {object};
  if (object->type->is(TypeKind::kTensor)) arguments.positional.push_back(emit_.constant(IValue(int64_t{0})));
  arguments.positional.push_back(index.items[0] ? value(*index.items[0]) : emit_.none());
  arguments.positional.push_back(index.items[1] ? value(*index.items[1]) : emit_.none());
  arguments.positional.push_back(index.items[2] ? value(*index.items[2]) : emit_.constant(IValue(int64_t{1})));
  return as_value(call_operator_named("aten::slice", arguments, 1));
}

ir::Value* Lowerer::tuple_slice(ir::Value* tuple, const Expr& index) {
  const auto size = static_cast<int64_t>(tuple->type->elements().size());
  int64_t bounds[3] = {0, size, 1};
  for (size_t i : {2, 0, 1}) {
    if (!index.items[i]) {
      if (bounds[2] < 0 && i < 2) bounds[i] = i == 0 ? size - 1 : -1;
      continue;
    }
    const ir::Value* given = value(*index.items[i]);
    if (!given->def || given->def->kind != ir::NodeKind::kConstant || !given->def->constant.is_int()) {
      emit_.bad("tuple slice indices must be integer constants");
    }
    int64_t at = given->def->constant.to_int();
    if (i == 2) {
      if (at == 0) emit_.bad("slice step cannot be zero");
    } else {
      if (at < 0) at = std::max<int64_t>(at + size, bounds[2] < 0 ? -1 : 0);
      at = std::min(at, bounds[2] < 0 ? size - 1 : size);
    }
    bounds[i] = at;
  }
  const auto& elements = tuple->type->elements();
  if (bounds[2] == 1) {
    const int64_t count = std::max<int64_t>(bounds[1] - bounds[0], 0);
    ir::Node* node = emit_.node(ir::NodeKind::kTupleSlice, {tuple});
    node->index = std::min(bounds[0], size);
    node->count = count;
    const auto from = elements.begin() + node->index;
    return emit_.output(node, types::tuple({from, from + count}));
  }
  const std::vector<ir::Value*> items = emit_.unpack_tuple(tuple);
  std::vector<ir::Value*> taken;
  if (bounds[2] > 0) {
    for (int64_t i = bounds[0]; i < bounds[1]; i += std::min(bounds[2], size)) {
      taken.push_back(items[static_cast<size_t>(i)]);
    }
  } else {
    for (int64_t i = bounds[0]; i > bounds[1] && i >= 0; i += std::max(bounds[2], -size)) {
      taken.push_back(items[static_cast<size_t>(i)]);
    }
  }
  return emit_.tuple(std::move(taken));
}

Sugar Lowerer::subscript(const Expr& expr) {
  const Sugar target = sugar(expr.item(0));
  ir::Value* object = as_value(target);
  const std::span<Expr* const> indices = expr.arguments();
  if (object->type->is(TypeKind::kTensor) && (indices.size() > 1 || !indices[0]->is(ExprKind::kSlice))) {
    auto [view, tensors] = tensor_view(object, indices);
    return Sugar::of(tensors.empty() ? view : call_one(emit_, "aten::index", {view, index_list(std::move(tensors))}));
  }
  if (indices.size() != 1) emit_.bad("only tensors take several indices");
  const Expr& index = *indices[0];
  if (index.is(ExprKind::kSlice)) return Sugar::of(slice(object, index));
  if (object->type->is(TypeKind::kTuple)) {
    ir::Value* at = value(index);
    const auto& elements = object->type->elements();
    if (at->def && at->def->kind == ir::NodeKind::kConstant && at->def->constant.is_int()) {
      const auto size = static_cast<int64_t>(elements.size());
      int64_t i = at->def->constant.to_int();
      if (i < 0 && i >= -size) i += size;
      if (i < 0 || i >= size) emit_.bad("Tuple index out of range. Tuple is length ", size);
      return Sugar::of(tuple_item(object, i));
    }
    TypePtr element;
    for (const TypePtr& e : elements) element = element ? emit_.unify(element, e) : e;
    if (!element)
      emit_.bad("Cannot index into a tuple with a non-integer literal: the type of the result is not known");
    return Sugar::of(emit_.op_node(find_operator("prim::TupleIndex"), {object, at}, {element})->outputs[0]);
  }
  ir::Value* key = value(index);
  if (object->type->is(TypeKind::kClass) || object->type->is(TypeKind::kInterface)) {
    const ScriptClass* cls = importer_.class_of(*object->type);
    if (cls && !cls->method("__getitem__") && object->type->is(TypeKind::kClass)) {
      // A container of modules, indexed at run time.
      const char* op =
          key->type->is(TypeKind::kString) ? "prim::ModuleContainerIndex.dict" : "prim::ModuleContainerIndex.list";
      return Sugar::of(emit_.op_node(find_operator(op), {object, key}, {unknown_type()})->outputs[0]);
    }
    Arguments arguments;
    arguments.positional = {key};
    return Sugar::of(call_method(object, "__getitem__", arguments));
  }
  return Sugar::of(call_one(emit_, "aten::__getitem__", {object, key}));
}

ir::Value* Lowerer::index_list(std::vector<ir::Value*> indices) {
  const bool any_none = std::any_of(indices.begin(), indices.end(), [](const ir::Value* v) {
    return v->type->is(TypeKind::kNone) || v->type->is(TypeKind::kOptional);
  });
  return emit_.list(any_none ? types::optional(types::tensor()) : types::tensor(), std::move(indices));
}

// The indices of one pair of brackets, applied to a tensor from left to right: slices, numbers and None at once,
// indexing tensors gathered for aten::index.
class Lowerer::TensorIndexing {
 public:
  // `left`: dimensions that the indices after `...` use up; those are counted from the end.
  TensorIndexing(Lowerer& lowerer, ir::Value* tensor, int64_t left)
      : lowerer_(lowerer), emit_(lowerer.emit_), tensor_(tensor), left_(left) {}

  // The next index; `given`: its value, when it is neither a slice nor `...`.
  void add(const Expr& index, ir::Value* given) {
    if (index.is(ExprKind::kEllipsis)) {
      from_end_ = true;
    } else if (index.is(ExprKind::kSlice)) {
      add_slice(index);
    } else {
      add_value(given);
    }
  }
  std::pair<ir::Value*, std::vector<ir::Value*>> finish() {
    for (ir::Value*& entry : tensors_) {
      if (!entry) entry = emit_.none();
    }
    return {tensor_, std::move(tensors_)};
  }

 private:
  ir::Value* dim() { return emit_.constant(IValue(from_end_ ? -left_ : dim_)); }

  void add_slice(const Expr& index) {
    std::vector<ir::Value*> args{tensor_, dim()};
    args.push_back(index.items[0] ? lowerer_.value(*index.items[0]) : emit_.none());
    args.push_back(index.items[1] ? lowerer_.value(*index.items[1]) : emit_.none());
    args.push_back(index.items[2] ? lowerer_.value(*index.items[2]) : emit_.constant(IValue(int64_t{1})));
    tensor_ = call_one(emit_, "aten::slice", std::move(args));
    from_end_ ? --left_ : ++dim_;
  }

  void add_value(ir::Value* given) {
    switch (given->type->kind()) {
      case TypeKind::kInt:
        tensor_ = call_one(emit_, "aten::select", {tensor_, dim(), given});
        if (from_end_) --left_;
        return;
      case TypeKind::kNone:
        tensor_ = call_one(emit_, "aten::unsqueeze", {tensor_, emit_.constant(IValue(from_end_ ? -left_ - 1 : dim_))});
        if (!from_end_) ++dim_;
        return;
      case TypeKind::kBool:
        tensor_ = call_one(emit_, "aten::unsqueeze", {tensor_, dim()});
        return add_tensor(call_one(emit_, "aten::tensor", {given}));
      case TypeKind::kTuple:
        return add_tensor(call_one(emit_, "aten::tensor", {lowerer_.list_of(Sugar::of(given), nullptr)}));
      case TypeKind::kList:
        return add_tensor(call_one(emit_, "aten::tensor", {given}));
      default:
        break;
    }
    if (!given->type->is(TypeKind::kTensor) && !given->type->is(TypeKind::kOptional) && !is_unknown(*given->type)) {
      emit_.bad("a tensor cannot be indexed with ", given->type->str());
    }
    add_tensor(given);
  }

  // Dimensions passed over before an indexing tensor take None.
  void add_tensor(ir::Value* indexing) {
    if (from_end_) emit_.bad("Ellipses followed by tensor indexing is currently not supported");
    while (static_cast<int64_t>(tensors_.size()) < dim_) tensors_.push_back(nullptr);
    tensors_.push_back(indexing);
    ++dim_;
  }

  Lowerer& lowerer_;
  Emitter& emit_;
  ir::Value* tensor_;
  int64_t dim_ = 0, left_;
  bool from_end_ = false;
  std::vector<ir::Value*> tensors_;  // null: None
};

std::pair<ir::Value*, std::vector<ir::Value*>> Lowerer::tensor_view(ir::Value* tensor, std::span<Expr* const> indices) {
  // A tuple inside the brackets is several indices.
  if (indices.size() == 1 && indices[0]->is(ExprKind::kTuple)) indices = indices[0]->items;

  int64_t after_ellipsis = 0;
  bool ellipsis = false;
  for (const Expr* index : indices) {
    if (index->is(ExprKind::kEllipsis)) {
      if (ellipsis) emit_.bad("An index can only have one '...'");
      ellipsis = true;
    } else if (ellipsis && !index->is(ExprKind::kNone)) {
      ++after_ellipsis;
    }
  }
  std::vector<ir::Value*> values(indices.size(), nullptr);
  for (size_t i = 0; i < indices.size(); ++i) {
    const Expr& index = *indices[i];
    if (!index.is(ExprKind::kEllipsis) && !index.is(ExprKind::kSlice)) values[i] = value(index);
  }
  TensorIndexing indexing(*this, tensor, after_ellipsis);
  for (size_t i = 0; i < indices.size(); ++i) {
    const At at(*this, indices[i]->at);
    indexing.add(*indices[i], values[i]);
  }
  return indexing.finish();
}

ir::Value* Lowerer::tensor_from(ir::Value* value, ir::Value* like) {
  if (value->type->is(TypeKind::kTensor) || is_unknown(*value->type)) return value;
  Arguments arguments;
  arguments.positional = {value};
  arguments.keywords = {{"dtype", call_one(emit_, "prim::dtype", {like})},
                        {"device", call_one(emit_, "prim::device", {like})}};
  return as_value(call_operator_named("aten::tensor", arguments, 1));
}

void Lowerer::assign_subscript(const Expr& target, ir::Value* value) {
  ir::Value* object = this->value(target.item(0));
  const std::span<Expr* const> indices = target.arguments();
  if (object->type->is(TypeKind::kTensor)) {
    ir::Value* right = tensor_from(value, object);
    auto [view, tensors] = tensor_view(object, indices);
    if (tensors.empty()) {
      call_one(emit_, "aten::copy_", {view, right});
    } else {
      call_one(emit_, "aten::index_put_", {view, index_list(std::move(tensors)), right});
    }
    return;
  }
  if (indices.size() != 1 || indices[0]->is(ExprKind::kSlice)) emit_.bad("a slice of a list cannot be assigned to");
  ir::Value* key = this->value(*indices[0]);
  if (object->type->is(TypeKind::kClass)) {
    Arguments arguments;
    arguments.positional = {key, value};
    call_method(object, "__setitem__", arguments);
    return;
  }
  if (object->type->is(TypeKind::kDict)) value = fitted(value, object->type->element(1));
  if (object->type->is(TypeKind::kList)) value = fitted(value, object->type->element(0));
  call_one(emit_, "aten::_set_item", {object, key, value});
}

void Lowerer::augmented_subscript(const Expr& target, ast::Op op, const Expr& right) {
  ir::Value* object = value(target.item(0));
  const std::span<Expr* const> indices = target.arguments();
  if (object->type->is(TypeKind::kTensor)) {
    auto [view, tensors] = tensor_view(object, indices);
    if (tensors.empty()) {
      augmented_value(op, view, value(right));
      return;
    }
    ir::Value* list = index_list(std::move(tensors));
    ir::Value* taken = call_one(emit_, "aten::index", {view, list});
    ir::Value* changed = augmented_value(op, taken, value(right));
    call_one(emit_, "aten::index_put_", {view, list, changed});
    return;
  }
  if (indices.size() != 1 || indices[0]->is(ExprKind::kSlice)) emit_.bad("a slice of a list cannot be assigned to");
  ir::Value* key = value(*indices[0]);
  if (object->type->is(TypeKind::kClass)) {
    Arguments get;
    get.positional = {key};
    ir::Value* before = call_method(object, "__getitem__", get);
    Arguments put;
    put.positional = {key, augmented_value(op, before, value(right))};
    call_method(object, "__setitem__", put);
    return;
  }
  ir::Value* before = call_one(emit_, "aten::__getitem__", {object, key});
  call_one(emit_, "aten::_set_item", {object, key, augmented_value(op, before, value(right))});
}

}  // namespace wick::script
