// Prints a function of the IR as TorchScript source.
#include "emit/script/print_function.h"

#include <cstdlib>
#include <limits>
#include <unordered_map>

#include "core/check.h"
#include "emit/script/script_types.h"

namespace wick::emit {

namespace {

class FunctionPrinter {
 public:
  FunctionPrinter(ScriptContext& context, const ir::Function& function) : context_(context), function_(function) {}

  std::string run() {
    const ir::Block& body = *function_.graph.body();
    const auto& declared = function_.schema.arguments;
    // The file does not tell a default of None from none at all: defaults count from where all arguments have one.
    size_t first_default = declared.size();
    while (first_default > 1 && declared[first_default - 1].has_default) --first_default;
    std::string arguments;
    for (size_t i = 0; i < body.params.size(); ++i) {
      const Argument& argument = declared.at(i);
      std::string name = argument.name;
      if (!is_identifier(name) || name.starts_with("_")) name = cat("argument_", i);
      names_[body.params[i]] = name;
      arguments += cat(i == 0 ? "" : ",\n    ", name, ": ", context_.annotation(argument.type));
      if (i >= first_default) arguments += "=" + context_.literal(argument.default_value);
    }
    const TypePtr result = function_.schema.returns.empty() ? types::none() : function_.schema.returns[0].type;
    line(1, cat("def ", function_.own_name(), "(", arguments, ") -> ", context_.annotation(result), ":"));
    nodes(body, 2);
    line(2, cat("return ", body.results.empty() ? "None" : as(*body.results[0], result)));
    return std::move(out_);
  }

 private:
  void line(int indent, const std::string& text) {
    out_.append(static_cast<size_t>(indent) * 2, ' ');
    out_ += text;
    out_ += '\n';
  }

  std::string name(const ir::Value& value) {
    const auto it = names_.find(&value);
    return it == names_.end() ? cat("_", value.id) : it->second;
  }

  std::string expr(const ir::Value& value) {
    const ir::Node* def = value.def;
    if (def && def->kind == ir::NodeKind::kConstant) return context_.literal(def->constant);
    return value.type == never() ? "uninitialized(Tensor)" : name(value);
  }

  std::string uninitialized(const TypePtr& type) { return cat("uninitialized(", context_.annotation(type), ")"); }

  // The value where the type is declared: with a cast when the compiler would not take it.
  std::string as(const ir::Value& value, const TypePtr& type) {
    if (value.type == never() && !has_type_variables(*type)) return uninitialized(type);
    if (fits(*value.type, *type)) return expr(value);
    // None where something else is wanted: a path that is never taken.
    if (value.type->is(TypeKind::kNone)) return uninitialized(without_variables(type));
    if (type->is(TypeKind::kTuple) && !type->name().empty() && value.type->is(TypeKind::kTuple) &&
        value.type->elements().size() == type->elements().size()) {
      std::string items;
      for (size_t i = 0; i < type->elements().size(); ++i) items += cat(i ? ", " : "", "(", expr(value), ")[", i, "]");
      return cat(context_.annotation(type), "(", items, ")");
    }
    return cat("unchecked_cast(", context_.annotation(without_variables(type)), ", ", expr(value), ")");
  }

  // The value as a tuple of at least `count` items.
  std::string as_tuple(const ir::Value& value, size_t count) {
    const bool known = value.type->is(TypeKind::kTuple) && value.type->elements().size() >= count;
    return known ? expr(value) : as(value, types::tuple(std::vector<TypePtr>(count, types::any())));
  }

  std::string unpacked(const ir::Node& node) {
    const ir::Value& from = *node.inputs[0];
    if (node.kind == ir::NodeKind::kTupleUnpack) return as_tuple(from, node.outputs.size());
    return from.type->is(TypeKind::kList) ? expr(from) : as(from, types::list(types::any()));
  }

  std::string tuple_item(const ir::Node& node) {
    const IValue* index = constant(*node.inputs.at(1));
    // Any index will do for a tuple whose items are of one type.
    if (!index) return cat("(", expr(*node.inputs[0]), ")[", as(*node.inputs[1], types::integer()), "]");
    constexpr int64_t kMostItems = 1 << 16;
    WICK_CHECK(index->is_int() && std::abs(index->to_int()) < kMostItems, kUnsupported, "in ", function_.name,
               ", the index of a tuple is ", repr(*index), ": it cannot be written as source");
    const int64_t at = index->to_int();
    return cat("(", as_tuple(*node.inputs[0], static_cast<size_t>(at < 0 ? -at : at + 1)), ")[", at, "]");
  }

  // An argument of an operator: type variables must be the same in all.
  std::string argument(const ir::Value& value, const TypePtr& formal, TypeVariables& variables) {
    const bool bound = formal->is(TypeKind::kVar) && variables.contains(formal->name());
    if (bound) return as(value, variables[formal->name()]);
    bind_variables(*formal, value.type, variables);
    return as(value, formal);
  }

  // The value of a variable that is of this type, which may be wider.
  std::string widened(const ir::Value& value, const TypePtr& type) {
    if (value.type == never()) return uninitialized(type);
    if (same_type(*value.type, *type)) return expr(value);
    return cat("annotate(", context_.annotation(type), ", ", expr(value), ")");
  }

  void nodes(const ir::Block& block, int indent) {
    for (const ir::Node* node : block.nodes) statement(*node, indent);
  }

  void statement(const ir::Node& node, int indent) {
    switch (node.kind) {
      case ir::NodeKind::kConstant:
      case ir::NodeKind::kUninitialized:
        return;
      case ir::NodeKind::kIf:
        return branch(node, indent);
      case ir::NodeKind::kLoop:
        return loop(node, indent);
      case ir::NodeKind::kSetAttr: {
        const ScriptAttribute& attribute = context_.attribute(*node.inputs[0]->type, node.index);
        WICK_CHECK(is_identifier(attribute.name), kUnsupported, "attribute '", attribute.name,
                   "' cannot be assigned to in source");
        return line(indent,
                    cat(expr(*node.inputs[0]), ".", attribute.name, " = ", as(*node.inputs[1], attribute.type)));
      }
      case ir::NodeKind::kTupleUnpack:
      case ir::NodeKind::kListUnpack: {
        std::string targets;
        for (const ir::Value* output : node.outputs) targets += name(*output) + ", ";
        if (targets.empty()) return;
        targets.pop_back();
        return line(indent, cat(targets, " = ", unpacked(node)));
      }
      default:
        break;
    }
    const std::string value = node.kind == ir::NodeKind::kOp ? operation(node) : construction(node);
    std::string targets;
    for (const ir::Value* output : node.outputs) targets += cat(targets.empty() ? "" : ", ", name(*output));
    line(indent, targets.empty() ? value : cat(targets, " = ", value));
  }

  std::string list_of(const std::vector<ir::Value*>& values, const TypePtr& element) {
    std::string out;
    for (const ir::Value* value : values) {
      out += cat(out.empty() ? "" : ", ", element ? as(*value, element) : expr(*value));
    }
    return out;
  }

  std::string construction(const ir::Node& node) {
    switch (node.kind) {
      case ir::NodeKind::kGetAttr: {
        const ScriptAttribute& attribute = context_.attribute(*node.inputs[0]->type, node.index);
        const std::string object = expr(*node.inputs[0]);
        return is_identifier(attribute.name) ? cat(object, ".", attribute.name)
                                             : cat("getattr(", object, ", \"", attribute.name, "\")");
      }
      case ir::NodeKind::kTupleConstruct: {
        const TypePtr& type = node.outputs[0]->type;
        if (!type->name().empty()) {
          std::string items;
          for (size_t i = 0; i < node.inputs.size(); ++i) {
            items += cat(i ? ", " : "", as(*node.inputs[i], type->element(i)));
          }
          return cat(context_.annotation(type), "(", items, ")");
        }
        return cat("(", list_of(node.inputs, nullptr), node.inputs.size() == 1 ? ",)" : ")");
      }
      case ir::NodeKind::kListConstruct: {
        const TypePtr& type = node.types.at(0);
        return cat("annotate(", context_.annotation(type), ", [", list_of(node.inputs, type->element(0)), "])");
      }
      case ir::NodeKind::kDictConstruct: {
        const TypePtr& type = node.types.at(0);
        std::string items;
        for (size_t i = 0; i + 1 < node.inputs.size(); i += 2) {
          items += cat(i ? ", " : "", as(*node.inputs[i], type->element(0)), ": ",
                       as(*node.inputs[i + 1], type->element(1)));
        }
        return cat("annotate(", context_.annotation(type), ", {", items, "})");
      }
      case ir::NodeKind::kCreateObject: {
        const std::string cls = context_.annotation(node.types.at(0));
        return cat(cls, ".__new__(", cls, ")");
      }
      case ir::NodeKind::kTupleSlice:
        return cat("(", expr(*node.inputs[0]), ")[", node.index, ":", node.index + node.count, "]");
      case ir::NodeKind::kIsInstance: {
        std::string tested;
        for (const TypePtr& type : node.types) tested += context_.annotation(type) + ", ";
        return cat("isinstance(", expr(*node.inputs[0]), ", (", tested, "))");
      }
      case ir::NodeKind::kCallMethod: {
        std::string arguments;
        for (size_t i = 1; i < node.inputs.size(); ++i) arguments += expr(*node.inputs[i]) + ", ";
        return cat("(", expr(*node.inputs.at(0)), ").", node.name, "(", arguments, ")");
      }
      default:
        fail_with<ErrorCode::kUnsupported>("in ", function_.name, ", ", ir::name_of(node),
                                           " cannot be written as source");
    }
  }

  // PyTorch 2 gave some operators more arguments, None by default; a call that does not use them is written so that
  // PyTorch 1 reads it too.
  static size_t written_arguments(const ir::Node& node) {
    constexpr struct {
      std::string_view name;
      size_t before;
    } kGrown[] = {{"aten::stft", 8}, {"aten::to_dense", 2}, {"aten::_assert_tensor_metadata", 4}};
    size_t count = node.inputs.size();
    for (const auto& grown : kGrown) {
      if (node.op_name != grown.name) continue;
      for (; count > grown.before; --count) {
        const IValue* known = constant(*node.inputs[count - 1]);
        if (!known || !known->is_none()) break;
      }
    }
    return count;
  }

  std::string operation(const ir::Node& node) {
    const std::string& full = node.op_name;
    const size_t colons = full.find("::");
    const std::string space = full.substr(0, colons);
    const std::string base = full.substr(colons + 2, full.find('.') - colons - 2);
    auto input = [&](size_t i) { return expr(*node.inputs.at(i)); };
    if (full == "prim::TupleIndex") return tuple_item(node);
    if (full == "prim::Print") return cat("print(", list_of(node.inputs, nullptr), ")");
    if (base == "EnumName") return cat("(", input(0), ").name");
    if (base == "EnumValue") return cat("(", input(0), ").value");
    if (full == "prim::tolist") {
      return cat("annotate(", context_.annotation(node.outputs.at(0)->type), ", (", input(0), ").tolist())");
    }
    if (full == "prim::unchecked_cast") {
      return cat("unchecked_cast(", context_.annotation(node.outputs.at(0)->type), ", ", input(0), ")");
    }
    WICK_CHECK(node.op, kMissingOperator, "operator ", full, ", used in ", function_.name,
               ", is not in this build: the model cannot be written");
    const auto& arguments = node.op->schema.arguments;
    TypeVariables variables;
    std::string text;
    for (size_t i = 0; i < written_arguments(node); ++i) {
      text += i ? ", " : "";
      if (i >= arguments.size()) {
        text += input(i);
      } else {
        if (arguments[i].kwarg_only) text += arguments[i].name + "=";
        text += argument(*node.inputs[i], arguments[i].type, variables);
      }
    }
    return space == "aten" ? cat("torch.", base, "(", text, ")") : cat("ops.", space, ".", base, "(", text, ")");
  }

  void branch(const ir::Node& node, int indent) {
    line(indent, cat("if ", as(*node.inputs[0], types::boolean()), ":"));
    for (size_t b = 0; b < 2; ++b) {
      if (b == 1) line(indent, "else:");
      nodes(*node.blocks[b], indent + 1);
      for (size_t i = 0; i < node.outputs.size(); ++i) {
        const ir::Value& output = *node.outputs[i];
        if (output.type == never()) continue;
        line(indent + 1, cat(name(output), " = ", widened(*node.blocks[b]->results[i], output.type)));
      }
      line(indent + 1, "pass");
    }
  }

  static const IValue* constant(const ir::Value& value) {
    return value.def && value.def->kind == ir::NodeKind::kConstant ? &value.def->constant : nullptr;
  }
  static bool is_true(const ir::Value& value) {
    const IValue* known = constant(value);
    return known && known->is_bool() && known->to_bool();
  }

  void loop(const ir::Node& node, int indent) {
    const ir::Block& body = *node.blocks.at(0);
    const std::string index = name(*body.params[0]);
    for (size_t i = 1; i < body.params.size(); ++i) {
      line(indent, cat(name(*body.params[i]), " = ", widened(*node.inputs[i + 1], body.params[i]->type)));
    }
    const bool counted = is_true(*node.inputs[1]) && is_true(*body.results[0]);
    const std::string condition = cat("_condition", node.outputs.empty() ? body.params[0]->id : node.outputs[0]->id);
    if (counted) {
      line(indent, cat("for ", index, " in range(", as(*node.inputs[0], types::integer()), "):"));
    } else {
      const IValue* most = constant(*node.inputs[0]);
      const bool unlimited = most && most->is_int() && most->to_int() == std::numeric_limits<int64_t>::max();
      line(indent, cat(condition, " = ", as(*node.inputs[1], types::boolean())));
      line(indent, cat(index, "_next = 0"));
      const std::string limit = cat("torch.lt(", index, "_next, ", as(*node.inputs[0], types::integer()), ")");
      line(indent,
           unlimited ? cat("while ", condition, ":") : cat("while torch.__and__(", limit, ", ", condition, "):"));
      line(indent + 1, cat(index, " = ", index, "_next"));
      line(indent + 1, cat(index, "_next = torch.add(", index, ", 1)"));
    }
    nodes(body, indent + 1);
    if (!counted) line(indent + 1, cat(condition, " = ", as(*body.results[0], types::boolean())));
    // Results may be parameters of this turn: all are read before one is replaced.
    for (size_t i = 1; i < body.params.size(); ++i) {
      line(indent + 1, cat(name(*body.params[i]), "_next = ", widened(*body.results[i], body.params[i]->type)));
    }
    for (size_t i = 1; i < body.params.size(); ++i) {
      line(indent + 1, cat(name(*body.params[i]), " = ", name(*body.params[i]), "_next"));
    }
    line(indent + 1, "pass");
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      line(indent, cat(name(*node.outputs[i]), " = ", name(*body.params[i + 1])));
    }
  }

  ScriptContext& context_;
  const ir::Function& function_;
  std::unordered_map<const ir::Value*, std::string> names_;
  std::string out_;
};

}  // namespace

std::string print_function(ScriptContext& context, const ir::Function& function) {
  return FunctionPrinter(context, function).run();
}

}  // namespace wick::emit
