// Any text as the code of a model: it gives well-formed graphs or a wick::Error.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

#include "frontend/script/importer.h"
#include "frontend/script/parser.h"
#include "ir/program.h"
#include "wick/error.h"

namespace wick::fuzz {

class OneRecord : public script::CodeRecords {
 public:
  explicit OneRecord(std::string text) : text_(std::move(text)) {}
  std::optional<std::string> text(const std::string& record) const override {
    return record == "code/__torch__.py" ? std::optional(text_) : std::nullopt;
  }
  std::optional<IValue> debug(const std::string&) const override { return std::nullopt; }

 private:
  std::string text_;
};

// Names of the classes and functions in the text; throws when it is no code.
inline std::vector<std::string> names_in(const std::string& text) {
  script::SourceFile source("code/__torch__.py", text, 0);
  script::ast::Arena arena;
  size_t nodes_left = 1 << 20;
  const script::ast::File file = script::parse_file(source, arena, nodes_left);
  std::vector<std::string> out;
  for (const auto* c : file.classes) out.push_back("__torch__." + std::string(c->name));
  for (const auto* f : file.functions) out.push_back("__torch__." + std::string(f->name));
  return out;
}

// Lowers everything in the text. kInternal is a defect, as is a malformed graph; returns what is wrong, or "".
inline std::string check_code(const std::string& text, int64_t operator_version = 10) {
  auto program = std::make_shared<ir::Program>();
  program->operator_version = operator_version;
  auto sources = std::make_shared<script::Sources>(std::make_unique<OneRecord>(text));
  try {
    script::Importer importer(*program, sources, [] {
      return std::vector<IValue>{IValue(Tensor::zeros({2, 2})), IValue("text"), IValue(int64_t{3})};
    });
    for (const std::string& name : names_in(text)) {
      if (!importer.class_named(name)) importer.function_named(name);
    }
    importer.lower_all();
    for (const auto& function : program->functions) ir::verify(*function);
  } catch (const Error& e) {
    if (e.code() == ErrorCode::kInternal) return e.what();
  }
  return {};
}

}  // namespace wick::fuzz
