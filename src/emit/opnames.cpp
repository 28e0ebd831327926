// The operator names of a model's lite form, as torch.jit.export_opnames lists them.
#include <set>
#include <unordered_map>

#include "api/module_access.h"
#include "archive/container.h"
#include "archive/pickle.h"
#include "core/check.h"
#include "core/limits.h"
#include "core/out_of_memory.h"
#include "emit/codegen.h"
#include "emit/preoptimize.h"
#include "ir/clone.h"
#include "ir/inline_calls.h"
#include "wick/save.h"

namespace wick {

namespace {

constexpr const char* kBytecode = "bytecode.pkl";

void collect(const ir::Block& block, std::set<std::string>& names) {
  for (const ir::Node* node : block.nodes) {
    if (node->kind == ir::NodeKind::kOp || node->kind == ir::NodeKind::kTupleUnpack) {
      // An overload that the file says and another stands for (script::call_operator).
      const bool replaced = node->kind == ir::NodeKind::kOp && node->op && !node->name.empty();
      const std::string name = replaced ? cat(node->op->schema.name, ".", node->name) : ir::name_of(*node);
      // PyTorch takes the first overload, whatever the members are.
      names.insert(name.starts_with("prim::EnumValue.") ? "prim::EnumValue.int" : name);
    }
    for (const ir::Block* inner : node->blocks) collect(*inner, names);
  }
}

// Graphs as PyTorch has them in memory: a function that is called is simplified before it is inlined, the one that is
// written is not.
class PyTorchGraphs {
 public:
  PyTorchGraphs(const ir::Program& program, ir::InlineBudget& budget) : program_(program), budget_(budget) {}

  ir::Bodies bodies() {
    return {[this](const ir::Function& function) -> const ir::Graph& { return own(function); },
            [this](const ir::Function& function) -> const ir::Graph& { return called(function); }};
  }

 private:
  using Graphs = std::unordered_map<const ir::Function*, std::unique_ptr<ir::Function>>;

  const ir::Graph& own(const ir::Function& function) {
    std::unique_ptr<ir::Function>& made = own_[&function];
    if (!made) {
      made = ir::copy_function(function).function;
      emit::clean_up(made->graph);
    }
    return made->graph;
  }

  const ir::Graph& called(const ir::Function& function) {
    if (called_.try_emplace(&function).second) {
      WICK_CHECK(++depth_ <= limits::kMaxInlineDepth, kLimitExceeded, "calls nest deeper than ",
                 limits::kMaxInlineDepth);
      std::unique_ptr<ir::Function> made = ir::inline_calls(program_, function, budget_, bodies()).function;
      emit::preoptimize(made->graph);
      --depth_;
      called_[&function] = std::move(made);
    }
    const std::unique_ptr<ir::Function>& found = called_[&function];
    WICK_CHECK(found, kLimitExceeded, function.name, " calls itself: it has no lite form");
    return found->graph;
  }

  const ir::Program& program_;
  ir::InlineBudget& budget_;
  Graphs own_, called_;
  size_t depth_ = 0;
};

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

std::vector<std::string> names_written(const ir::Program& program) {
  std::set<std::string> names;
  if (program.kind == ir::FileKind::kLite && program.archive && program.archive->has(kBytecode)) {
    collect(*program.archive, names);
  } else {
    ir::InlineBudget budget(program);
    PyTorchGraphs graphs(program, budget);
    for (const ir::InlinedFunction& inlined : ir::functions_to_write(program, budget, graphs.bodies())) {
      collect(*inlined.function->graph.body(), names);
    }
  }
  std::erase_if(names, emit::is_instruction);
  return {names.begin(), names.end()};
}

}  // namespace

std::vector<std::string> export_opnames(const Module& module) {
  WICK_CHECK(program_of(module), kInvalidArgument, "the module is empty: it has no operators");
  return with_memory_errors([&] { return names_written(*program_of(module)); });
}

}  // namespace wick
