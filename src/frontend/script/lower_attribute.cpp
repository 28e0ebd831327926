// Lowers attribute access: attributes, methods, modules, enum members, constants.
#include <algorithm>

#include "frontend/script/lowerer.h"

namespace wick::script {

namespace {

constexpr std::string_view kCustomPrefix = "__torch__.torch.classes.";

bool is_custom_class(const Type& type) { return type.is(TypeKind::kClass) && type.name().starts_with(kCustomPrefix); }

struct Cast {
  std::string_view name;
  DType dtype;
};
constexpr Cast kCasts[] = {
    {"byte", DType::kByte},
    {"char", DType::kChar},
    {"short", DType::kShort},
    {"int", DType::kInt},
    {"long", DType::kLong},
    {"half", DType::kHalf},
    {"float", DType::kFloat},
    {"double", DType::kDouble},
    {"bool", DType::kBool},
    {"cfloat", DType::kComplexFloat},
    {"cdouble", DType::kComplexDouble},
    {"bfloat16", DType::kBFloat16},
};

constexpr std::string_view kPrimProperties[] = {
    "dtype",  "device",    "grad",          "data",          "shape",   "is_cuda",   "is_cpu",
    "is_xpu", "is_sparse", "is_sparse_csr", "is_mkldnn",     "is_mps",  "is_vulkan", "is_quantized",
    "is_ipu", "is_meta",   "is_nested",     "requires_grad", "layout",  "T",         "H",
    "is_ort", "ndim",      "name",          "is_xla",        "is_mtia", "itemsize",  "nbytes"};
constexpr std::string_view kAtenProperties[] = {"is_leaf", "mT", "mH", "real", "imag", "retains_grad"};

template <class List>
bool contains(const List& list, std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

}  // namespace

Sugar Lowerer::attribute(const Expr& expr) { return attribute_of(sugar(expr.item(0)), expr.text); }

Sugar Lowerer::qualified(const std::string& name) {
  if (name.starts_with(kCustomPrefix)) return Sugar::named(SugarKind::kQualified, name);
  if (const ScriptClass* cls = importer_.class_named(name)) {
    Sugar out = Sugar::named(SugarKind::kClass, name);
    out.cls = cls;
    return out;
  }
  if (ir::Function* function = importer_.function_named(name)) {
    Sugar out = Sugar::named(SugarKind::kFunction, name);
    out.function = function;
    return out;
  }
  return Sugar::named(SugarKind::kQualified, name);
}

Sugar Lowerer::attribute_of(const Sugar& object, std::string_view name) {
  switch (object.kind) {
    case SugarKind::kTorch:
      // torch.autograd.grad and torch.nn.functional.f: the last part is the operator's name.
      if (name == "autograd" || name == "nn" || name == "functional" || name == "jit" || name == "_C" ||
          name == "linalg_" || name == "ops") {
        return name == "ops" ? Sugar::named(SugarKind::kOps, "") : object;
      }
      return Sugar::named(SugarKind::kOperator, cat("aten::", name));
    case SugarKind::kOps:
      if (object.name.empty()) return Sugar::named(SugarKind::kOps, std::string(name));
      return Sugar::named(SugarKind::kOperator, cat(object.name, "::", name));
    case SugarKind::kQualified:
      return qualified(cat(object.name, ".", name));
    case SugarKind::kConstants: {
      int64_t index = -1;
      if (name.size() > 1 && name.size() < 12 && name[0] == 'c') {
        index = 0;
        for (char c : name.substr(1)) index = c >= '0' && c <= '9' && index >= 0 ? index * 10 + (c - '0') : -1;
      }
      if (index < 0) emit_.bad("CONSTANTS has no '", name, "'");
      return Sugar::of(emit_.constant(importer_.constant(index)));
    }
    case SugarKind::kClass: {
      if (const ScriptClass::Constant* constant = object.cls->constant(name)) {
        return Sugar::of(emit_.constant(constant->value, constant->type));
      }
      if (name == "__new__") {
        Sugar out = object;
        out.kind = SugarKind::kNewObject;
        return out;
      }
      return qualified(cat(object.cls->name, ".", name));
    }
    case SugarKind::kValues: {
      if (object.schema) {
        for (size_t i = 0; i < object.schema->returns.size() && i < object.values.size(); ++i) {
          if (object.schema->returns[i].name == name) return Sugar::of(object.values[i]);
        }
      }
      return attribute_of_value(as_value(object), name);
    }
    case SugarKind::kFunction:
      return qualified(cat(object.name, ".", name));
    default:
      return attribute_of_value(as_value(object), name);
  }
}

ir::Value* Lowerer::tuple_item(ir::Value* tuple, int64_t index) {
  static const Operator* const op = find_operator("prim::TupleIndex");
  return emit_.op_node(op, {tuple, emit_.constant(IValue(index))}, {tuple->type->element(static_cast<size_t>(index))})
      ->outputs[0];
}

Sugar Lowerer::attribute_of_tensor(ir::Value* object, std::string_view name) {
  for (const Cast& cast : kCasts) {
    if (cast.name != name) continue;
    Sugar out = Sugar::named(SugarKind::kCast, std::string(name));
    out.value = object;
    out.integer = static_cast<int64_t>(cast.dtype);
    return out;
  }
  if (name == "tolist" || name == "cpu" || name == "cuda") {
    Sugar out = Sugar::named(name == "tolist" ? SugarKind::kToList : SugarKind::kOperator, cat("aten::", name));
    out.value = object;
    return out;
  }
  if (contains(kPrimProperties, name)) return Sugar::of(call_one(emit_, cat("prim::", name), {object}));
  if (contains(kAtenProperties, name)) return Sugar::of(call_one(emit_, cat("aten::", name), {object}));
  Sugar out = Sugar::named(SugarKind::kOperator, name == "type" ? "aten::to" : cat("aten::", name));
  out.value = object;
  return out;
}

Sugar Lowerer::attribute_of_value(ir::Value* object, std::string_view name) {
  const Type& type = *object->type;
  switch (type.kind()) {
    case TypeKind::kTensor:
      return attribute_of_tensor(object, name);
    case TypeKind::kDevice:
      if (name == "type" || name == "index") return Sugar::of(call_one(emit_, cat("prim::", name), {object}));
      break;
    case TypeKind::kTuple:
      for (size_t i = 0; i < type.fields().size() && i < type.elements().size(); ++i) {
        if (type.fields()[i] == name) return Sugar::of(tuple_item(object, static_cast<int64_t>(i)));
      }
      break;
    case TypeKind::kEnum:
      if (name == "name") return Sugar::of(emit_.op("prim::EnumName", {object}));
      if (name == "value") {
        const TypePtr value_type = type.elements().empty() ? unknown_type() : type.element(0);
        const char* op = value_type->is(TypeKind::kFloat)    ? "prim::EnumValue.float"
                         : value_type->is(TypeKind::kString) ? "prim::EnumValue.str"
                                                             : "prim::EnumValue.int";
        return Sugar::of(emit_.op_node(find_operator(op), {object}, {value_type})->outputs[0]);
      }
      break;
    case TypeKind::kClass:
    case TypeKind::kInterface:
      return get_attribute(object, name, nullptr);
    default:
      break;
  }
  Sugar out = Sugar::named(SugarKind::kOperator, cat("aten::", name));
  out.value = object;
  return out;
}

std::optional<bool> Lowerer::has_attribute(ir::Value* object, std::string_view name) {
  const Type& type = *object->type;
  if (is_unknown(type) || is_custom_class(type)) return std::nullopt;
  if (type.is(TypeKind::kClass) || type.is(TypeKind::kInterface)) {
    const ScriptClass* cls = importer_.class_of(type);
    return cls && (cls->attribute(name) >= 0 || cls->constant(name) || cls->method(name) ||
                   cls->interface_method(name) || cls->method(cat("__", name, "_getter")));
  }
  if (type.is(TypeKind::kTuple)) return contains(type.fields(), name);
  if (type.is(TypeKind::kTensor) && (contains(kPrimProperties, name) || contains(kAtenProperties, name))) return true;
  return has_operator(cat("aten::", name));
}

Sugar Lowerer::get_attribute(ir::Value* object, std::string_view name, const Expr* fallback) {
  auto method = [&] {
    Sugar out = Sugar::named(SugarKind::kMethod, std::string(name));
    out.value = object;
    return out;
  };
  if (is_custom_class(*object->type)) return method();
  const ScriptClass* cls = importer_.class_of(*object->type);
  if (!cls) emit_.bad("class ", object->type->str(), " is not in the archive");
  if (const int64_t slot = cls->attribute(name); slot >= 0 && !cls->is_interface()) {
    ir::Node* node = emit_.node(ir::NodeKind::kGetAttr, {object});
    node->index = slot;
    node->name = name;
    return Sugar::of(emit_.output(node, cls->attributes[static_cast<size_t>(slot)].type));
  }
  if (const ScriptClass::Constant* constant = cls->constant(name)) {
    return Sugar::of(emit_.constant(constant->value, constant->type));
  }
  if (cls->method(name) || cls->interface_method(name)) return method();
  if (ir::Function* getter = cls->method(cat("__", name, "_getter"))) {
    Arguments arguments;
    arguments.positional = {object};
    return Sugar::of(call_function(*getter, std::move(arguments)));
  }
  if (fallback) return sugar(*fallback);
  emit_.bad("'", cls->name, "' object has no attribute or method '", name, "'");
}

}  // namespace wick::script
