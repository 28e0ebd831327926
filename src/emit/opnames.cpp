#include <set>

#include "archive/container.h"
#include "archive/pickle.h"
#include "core/check.h"
#include "emit/codegen.h"
#include "emit/inline_calls.h"
#include "passes/simplify.h"
#include "wick/save.h"

namespace wick {

namespace {

constexpr const char* kBytecode = "bytecode.pkl";

// Whether PyTorch leaves the node where it is when it simplifies a graph.
bool stays(const ir::Node& node) {
  return node.kind == ir::NodeKind::kTupleUnpack || node.op_name == "prim::unchecked_cast";
}

void collect(const ir::Block& block, bool those_that_stay, std::set<std::string>& names) {
  for (const ir::Node* node : block.nodes) {
    const bool named = node->kind == ir::NodeKind::kOp || node->kind == ir::NodeKind::kTupleUnpack;
    if (named && stays(*node) == those_that_stay) names.insert(ir::name_of(*node));
    for (const ir::Block* inner : node->blocks) collect(*inner, those_that_stay, names);
  }
}

// From a graph: what PyTorch's writer of lite files would call.
void collect(ir::Graph& graph, std::set<std::string>& names) {
  while (passes::fold_constants(graph)) passes::remove_dead_code(graph);
  passes::remove_dead_code(graph);
  collect(*graph.body(), true, names);
  passes::simplify(graph);
  collect(*graph.body(), false, names);
}

// From the tables of a lite file: ("operators", ((name, overload, ...), ...)) of each function. The program was lifted
// from the same tables, so they have the shape this expects.
void collect(const ZipReader& archive, std::set<std::string>& names) {
  PickleEnvironment environment;
  environment.storage = storage_records(archive, archive.has("bytecode/0") ? "bytecode" : "constants");
  environment.object = [](const std::string&, IValue state) { return state; };
  environment.enumeration = [](const std::string&, IValue value) { return value; };
  const IValue root = read_pickle(archive.read(kBytecode).bytes, kBytecode, environment);
  for (const IValue& function : root.to_tuple().items) {
    if (!function.is_tuple()) continue;
    const IValue& tables = function.to_tuple().items.at(1);
    for (const IValue& entry : tables.to_tuple().items.at(1).to_tuple().items.at(1).to_tuple().items) {
      const auto& parts = entry.to_tuple().items;
      const std::string& overload = parts.at(1).to_string();
      names.insert(overload.empty() ? parts.at(0).to_string() : cat(parts.at(0).to_string(), ".", overload));
    }
  }
}

}  // namespace

std::vector<std::string> export_opnames(const Module& module) {
  WICK_CHECK(module.program(), kInvalidArgument, "the module is empty: it has no operators");
  const ir::Program& program = *module.program();
  std::set<std::string> names;
  if (program.kind == "lite" && program.archive && program.archive->has(kBytecode)) {
    collect(*program.archive, names);
  } else {
    for (const emit::InlinedFunction& inlined : emit::functions_to_write(program)) {
      collect(inlined.function->graph, names);
    }
  }
  std::erase_if(names, emit::is_instruction);
  return {names.begin(), names.end()};
}

}  // namespace wick
