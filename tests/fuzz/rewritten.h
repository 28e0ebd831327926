// Code that was lifted can be written, and what is written means the same to its reader.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "core/check.h"
#include "emit/codegen.h"
#include "frontend/bytecode/lift.h"

namespace wick::fuzz {

// What a graph does, as text in which neither numbers of values, nor static types, nor casts show.
class Meaning {
 public:
  explicit Meaning(const ir::Function& function) { block(*function.graph.body()); }
  const std::string& text() const { return text_; }

 private:
  static bool is_cast(const ir::Node& node) { return node.op_name.starts_with("prim::unchecked_"); }

  std::string name(const ir::Value* value) {
    while (value->def && is_cast(*value->def)) value = value->def->inputs[0];
    const ir::Node* def = value->def;
    if (def && def->kind == ir::NodeKind::kConstant) {
      return cat(def->constant.tag_name(), def->constant.is_tensor() ? std::string() : repr(def->constant));
    }
    return cat("%", numbers_.try_emplace(value, numbers_.size()).first->second);
  }
  void names(const std::vector<ir::Value*>& values) {
    for (const ir::Value* value : values) text_ += cat(" ", name(value));
  }

  void block(const ir::Block& block) {
    text_ += "(";
    names(block.params);
    text_ += "\n";
    for (const ir::Node* node : block.nodes) {
      if (node->kind != ir::NodeKind::kConstant && !is_cast(*node)) this->node(*node);
    }
    text_ += "->";
    names(block.results);
    text_ += ")\n";
  }

  void node(const ir::Node& node) {
    names(node.outputs);
    // An instruction stands for all overloads of its operator.
    text_ += cat(" = ", static_cast<int>(node.kind), " ", node.op_name.substr(0, node.op_name.find('.')), " ",
                 node.name, " ", node.index, " ", node.count);
    const bool takes_types = node.kind != ir::NodeKind::kOp;
    for (size_t i = 0; takes_types && i < node.types.size(); ++i) text_ += cat(" ", node.types[i]->str());
    names(node.inputs);
    text_ += "\n";
    for (const ir::Block* inner : node.blocks) block(*inner);
  }

  std::string text_;
  std::unordered_map<const ir::Value*, size_t> numbers_;
};

inline std::string code_text(const lite::BytecodeFunction& function) {
  std::string out;
  for (size_t i = 0; i < function.instructions.size(); ++i) out += lite::describe(function, i) + "\n";
  return out;
}

// The function as a reader of what is written has it; throws kInternal when the reader refuses it or reads something
// else.
inline std::unique_ptr<ir::Function> read_back(const lite::BytecodeFunction& written, const ir::Function& from,
                                               const emit::CodegenOptions& options) {
  lite::LiftContext context;
  context.bytecode_version = options.bytecode_version;
  context.operator_version = options.operator_version;
  lite::BytecodeFunction code = written;
  std::unique_ptr<ir::Function> read;
  try {
    read = lite::lift(code, context);
    ir::verify(*read);
  } catch (const Error& e) {
    throw Error(ErrorCode::kInternal, cat("what is written is refused: ", e.message(), "\n", code_text(written)));
  }
  const std::string before = Meaning(from).text();
  const std::string after = Meaning(*read).text();
  WICK_CHECK(before == after, kInternal, "what is written reads as something else:\n", before, "written:\n",
             code_text(written), "read:\n", after);
  return read;
}

// Writes the function for a file of the bytecode version, reads that, and does so again: from then on the code does not
// change any more. False when an operator is missing.
inline bool check_rewritten(const ir::Function& function, int64_t version) {
  const emit::CodegenOptions options{std::max(version, emit::kOldestBytecode), 10};
  lite::BytecodeFunction written;
  try {
    written = emit::generate(function, options).function;
  } catch (const Error& e) {
    if (e.code() != ErrorCode::kMissingOperator) throw Error(ErrorCode::kInternal, e.message());
    return false;
  }
  const std::unique_ptr<ir::Function> once = read_back(written, function, options);
  const lite::BytecodeFunction again = emit::generate(*once, options).function;
  const std::unique_ptr<ir::Function> twice = read_back(again, *once, options);
  const std::string last = code_text(emit::generate(*twice, options).function);
  WICK_CHECK(code_text(again) == last, kInternal, "code changes when it is written again:\n", code_text(again), "and\n",
             last);
  return true;
}

}  // namespace wick::fuzz
