// TorchScript source text, lowered and run: for tests.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/module_access.h"
#include "frontend/script/importer.h"
#include "plan/planned.h"
#include "runtime/executor.h"
#include "wick/error.h"

namespace wick::script {

class TextRecords : public CodeRecords {
 public:
  explicit TextRecords(std::map<std::string, std::string> records) : records_(std::move(records)) {}
  std::optional<std::string> text(const std::string& record) const override {
    const auto it = records_.find(record);
    return it == records_.end() ? std::nullopt : std::optional(it->second);
  }
  std::optional<IValue> debug(const std::string&) const override { return std::nullopt; }

 private:
  std::map<std::string, std::string> records_;
};

// The functions and classes of code/__torch__.py.
struct Text {
  explicit Text(std::string text, std::vector<IValue> constants = {}, int64_t version = 10)
      : sources(std::make_shared<Sources>(
            std::make_unique<TextRecords>(std::map<std::string, std::string>{{"code/__torch__.py", std::move(text)}}))),
        importer(*program, sources, [constants = std::move(constants)] { return constants; }) {
    program->operator_version = version;
    program->describe_source = [s = sources](int64_t handle) { return s->describe(handle); };
  }

  ir::Function& function(const std::string& name) {
    ir::Function* found = importer.function_named("__torch__." + name);
    if (!found) throw Error(ErrorCode::kNotFound, "no function " + name);
    importer.lower_all();
    for (const auto& f : program->functions) ir::verify(*f);
    return *found;
  }
  IValue run(const std::string& name, std::vector<IValue> args = {}) {
    return executor->run(function(name), std::move(args));
  }

  std::shared_ptr<ir::Program> program = std::make_shared<ir::Program>();
  std::shared_ptr<runtime::Executor> executor = std::make_shared<runtime::Executor>(*program);
  plan::Planner planner{*executor};
  std::shared_ptr<Sources> sources;
  Importer importer;
};

// The class M of the text, a module whose only attribute is `training`, as a loaded model.
inline Module module_of(Text& text) {
  text.program->kind = ir::FileKind::kTorchScript;
  auto root = make_ref<ObjectImpl>();
  root->cls = text.importer.class_named("__torch__.M")->info;
  root->set(0, IValue(false));
  text.program->root = IValue(root);
  text.function("M.forward");
  return make_module(text.program);
}

// Runs the function f of the text and gives the text of its result, or "error: ..." with the first line of the error.
inline std::string result_of(const std::string& text, std::vector<IValue> args = {}, int64_t version = 10) {
  try {
    return repr(Text(text, {}, version).run("f", std::move(args)));
  } catch (const Error& e) {
    const std::string what = e.what();
    return "error: " + what.substr(0, what.find('\n'));
  }
}

}  // namespace wick::script
