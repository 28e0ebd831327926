// Graphs as TorchScript prints them.
#include "core/check.h"
#include "ir/program.h"

namespace wick::ir {

namespace {

constexpr size_t kMaxConstantText = 80;

std::string name_of(const Value& value) {
  // A name alone may be shared by several values; the number makes it one.
  return value.name.empty() ? cat("%", value.id) : cat("%", value.name, ".", value.id);
}

std::string typed(const Value& value) { return cat(name_of(value), " : ", value.type->str()); }

template <class F>
std::string joined(const std::vector<Value*>& values, const F& text) {
  std::string out;
  for (const Value* v : values) out += cat(out.empty() ? "" : ", ", text(*v));
  return out;
}

std::string constant_text(const IValue& value) {
  if (value.is_tensor()) {
    const Tensor& t = value.to_tensor();
    return cat("<Tensor ", wick::name_of(t.dtype()), t.sizes(), ">");
  }
  std::string out = value.is_object() || value.is_custom() ? cat("<", value.type()->str(), ">") : repr(value);
  if (value.is_string()) out = cat("\"", out, "\"");
  if (out.size() > kMaxConstantText) out.replace(kMaxConstantText, std::string::npos, "...");
  for (char& c : out) c = c == '\n' ? ' ' : c;
  return out;
}

std::string attributes(const Node& node) {
  switch (node.kind) {
    case NodeKind::kConstant:
      return cat("[value=", constant_text(node.constant), "]");
    case NodeKind::kGetAttr:
    case NodeKind::kSetAttr:
      return node.name.empty() ? cat("[slot=", node.index, "]") : cat("[name=\"", node.name, "\"]");
    case NodeKind::kTupleSlice:
      return cat("[begin=", node.index, ", count=", node.count, "]");
    case NodeKind::kCallMethod:
      return cat("[name=\"", node.name, "\"]");
    case NodeKind::kCallFunction:
    case NodeKind::kFork:
      return cat("[function=\"", node.callee ? node.callee->name : std::string(), "\"]");
    case NodeKind::kIsInstance: {
      std::string types;
      for (const TypePtr& type : node.types) types += cat(types.empty() ? "" : ", ", type->str());
      return cat("[types=[", types, "]]");
    }
    default:
      return {};
  }
}

const char* kind_name(NodeKind kind) {
  switch (kind) {
    case NodeKind::kConstant:
      return "prim::Constant";
    case NodeKind::kOp:
      return "";
    case NodeKind::kIf:
      return "prim::If";
    case NodeKind::kLoop:
      return "prim::Loop";
    case NodeKind::kGetAttr:
      return "prim::GetAttr";
    case NodeKind::kSetAttr:
      return "prim::SetAttr";
    case NodeKind::kCreateObject:
      return "prim::CreateObject";
    case NodeKind::kTupleConstruct:
      return "prim::TupleConstruct";
    case NodeKind::kTupleUnpack:
      return "prim::TupleUnpack";
    case NodeKind::kTupleSlice:
      return "prim::TupleSlice";
    case NodeKind::kListConstruct:
      return "prim::ListConstruct";
    case NodeKind::kListUnpack:
      return "prim::ListUnpack";
    case NodeKind::kDictConstruct:
      return "prim::DictConstruct";
    case NodeKind::kIsInstance:
      return "prim::isinstance";
    case NodeKind::kUninitialized:
      return "prim::Uninitialized";
    case NodeKind::kCallFunction:
      return "prim::CallFunction";
    case NodeKind::kCallMethod:
      return "prim::CallMethod";
    case NodeKind::kFork:
      return "prim::fork";
    case NodeKind::kWait:
      return "aten::wait";
    case NodeKind::kEnter:
      return "prim::Enter";
    case NodeKind::kExit:
      return "prim::Exit";
  }
  return "?";
}

// "code/__torch__/m.py:12" of a node; empty when nothing is known.
std::string location(const Program& program, int64_t source) {
  if (source < 0 || !program.describe_source) return {};
  // Lines that name a place are indented: "  file:line: text". Bytecode lists the calls that led there first; source
  // programs name their own code before the Python it was printed from.
  const std::string text = program.describe_source(source);
  const size_t line = text.starts_with("  ") ? 0 : text.rfind("\n  ") + 1;
  if (line == 0 && !text.starts_with("  ")) return {};
  const size_t end = text.find(": ", line);
  return end == std::string::npos ? std::string() : text.substr(line + 2, end - line - 2);
}

}  // namespace

std::string name_of(const Node& node) { return node.kind == NodeKind::kOp ? node.op_name : kind_name(node.kind); }

namespace {

class Printer {
 public:
  explicit Printer(const Program* program) : program_(program) {}

  std::string run(const Function& function) {
    const Block& body = *function.graph.body();
    out_ = "graph(";
    for (size_t i = 0; i < body.params.size(); ++i) out_ += cat(i ? ",\n      " : "", typed(*body.params[i]));
    out_ += "):\n";
    nodes(body, 1);
    line(1, cat("return (", joined(body.results, [](const Value& v) { return name_of(v); }), ")"));
    return std::move(out_);
  }

 private:
  void line(int indent, const std::string& text) {
    out_.append(static_cast<size_t>(indent) * 2, ' ');
    out_ += text;
    out_ += '\n';
  }

  void nodes(const Block& block, int indent) {
    for (const Node* node : block.nodes) {
      const std::string outputs = joined(node->outputs, typed);
      const std::string name = ir::name_of(*node);
      line(indent, cat(outputs, outputs.empty() ? "" : " = ", name, attributes(*node), "(",
                       joined(node->inputs, [](const Value& v) { return name_of(v); }), ")", comment(*node)));
      for (size_t i = 0; i < node->blocks.size(); ++i) {
        const Block& inner = *node->blocks[i];
        line(indent + 1, cat("block", i, "(", joined(inner.params, typed), "):"));
        nodes(inner, indent + 2);
        line(indent + 2, cat("-> (", joined(inner.results, [](const Value& v) { return name_of(v); }), ")"));
      }
    }
  }

  std::string comment(const Node& node) const {
    const std::string where = program_ ? location(*program_, node.source) : std::string();
    return where.empty() ? where : " # " + where;
  }

  const Program* program_;
  std::string out_;
};

}  // namespace

std::string to_text(const Function& function) { return Printer(nullptr).run(function); }
std::string to_text(const Function& function, const Program& program) { return Printer(&program).run(function); }

}  // namespace wick::ir
