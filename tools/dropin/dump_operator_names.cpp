// dump_operator_names: the operators of a model, method by method and module by module, with the flags and lines of
// PyTorch's tool of that name.
#include <cstdio>
#include <set>
#include <unordered_set>

#include "api/module_access.h"
#include "archive/writer.h"
#include "core/check.h"
#include "core/value_walk.h"
#include "dropin/tool.h"
#include "emit/codegen.h"
#include "ir/program.h"
#include "wick/wick.h"

namespace wick::dropin {

namespace {

Flags flags() {
  return {
      "Lists the operators of a model and of its submodules.\n"
      "For example:\n"
      "./dump_operator_names --model=<model_file> --output=<output.yaml>",
      {
          {"model", FlagKind::kString, "", "The model file."},
          {"output", FlagKind::kString, "", "The YAML file to write the list to."},
      }};
}

class Dump {
 public:
  explicit Dump(const ir::Program& program) : program_(program) {}

  const std::set<std::string>& run() {
    module(program_.root.to_object());
    return names_;
  }

 private:
  void module(const ObjectImpl& object) {
    if (!open_.insert(&object).second) return;  // a module that holds itself
    const Descent::Level level(descent_, object.slot_count());
    const std::string prefix = object.cls->name + ".";
    for (const auto& function : program_.functions) {
      if (!function->name.starts_with(prefix) || function->name.find('.', prefix.size()) != std::string::npos) continue;
      say("function name: " + function->name.substr(prefix.size()));
      block(*function->graph.body());
    }
    for (size_t i = 0; i < object.slot_count(); ++i) {
      const IValue child = object.get(i);
      if (!child.is_object() || !child.to_object().cls->is_module) continue;
      say("sub module name: " + child.to_object().cls->name);
      module(child.to_object());
    }
    open_.erase(&object);
  }

  void block(const ir::Block& block) {
    for (const ir::Node* node : block.nodes) {
      const bool named = node->kind == ir::NodeKind::kOp || node->kind == ir::NodeKind::kTupleUnpack;
      if (const std::string name = ir::name_of(*node); named && !emit::is_instruction(name)) {
        say("    " + name);
        names_.insert(name);
      }
      for (const ir::Block* inner : node->blocks) this->block(*inner);
    }
  }

  const ir::Program& program_;
  std::set<std::string> names_;
  std::unordered_set<const void*> open_;
  Descent descent_{"listed"};
};

int dump(const Flags& flags) {
  LoadOptions options;
  options.allow_missing_operators = true;
  const Module model = load(flags.text("model"), options);
  WICK_CHECK(program_of(model)->root.is_object(), kInvalidArgument, "the file holds no module");
  const std::set<std::string> names = Dump(*program_of(model)).run();
  say("-- Final List --");
  std::string yaml;
  for (const std::string& name : names) {
    say(name);
    yaml += "- " + name + "\n";
  }
  if (!flags.text("output").empty()) {
    write_file(flags.text("output"), {reinterpret_cast<const uint8_t*>(yaml.data()), yaml.size()});
  }
  return 0;
}

}  // namespace

}  // namespace wick::dropin

int main(int argc, char** argv) { return wick::dropin::run(argc, argv, wick::dropin::flags(), wick::dropin::dump); }
