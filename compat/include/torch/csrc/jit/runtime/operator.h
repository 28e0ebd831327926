// torch::jit::Operator: operators by name, and those of an application that work on a stack.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/library.h>

namespace c10 {
// A qualified name, such as aten::relu.
class Symbol {
 public:
  static Symbol fromQualString(const std::string& text) { return Symbol(text); }
  const char* toQualString() const { return text_.c_str(); }
  const char* toDisplayString() const { return text_.c_str(); }
  std::string ns() const { return text_.substr(0, text_.find("::")); }
  const char* toUnqualString() const {
    const size_t at = text_.find("::");
    return text_.c_str() + (at == std::string::npos ? 0 : at + 2);
  }
  bool operator==(const Symbol& o) const { return text_ == o.text_; }
  bool operator!=(const Symbol& o) const { return text_ != o.text_; }

 private:
  explicit Symbol(std::string text) : text_(std::move(text)) {}
  std::string text_;
};
}  // namespace c10

namespace torch {
namespace jit {

using c10::Symbol;

struct Operator {
  explicit Operator(c10::OperatorHandle handle) : text_(), handle_(std::move(handle)) {}
  // One to be registered: RegisterOperators takes it.
  Operator(std::string schema, Operation operation, c10::AliasAnalysisKind = c10::AliasAnalysisKind::FROM_SCHEMA)
      : text_(std::move(schema)), operation_(std::move(operation)) {}
  const FunctionSchema& schema() const { return handle_.value().schema(); }
  Operation getOperation() const {
    if (operation_) return operation_;
    const c10::OperatorHandle handle = handle_.value();
    return Operation([handle](Stack& stack) { handle.callBoxed(stack); });
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  Operation operation_;
  c10::optional<c10::OperatorHandle> handle_;
};

// All overloads of a name.
std::vector<std::shared_ptr<Operator>> getAllOperatorsFor(Symbol name);
std::shared_ptr<Operator> findOperatorFor(const c10::OperatorName& name);

// Registers operators that work on a stack; gives their full names.
std::vector<std::string> register_on_stack(const std::vector<Operator>& operators);
// They are there as long as this lives.
struct RegisterOperators {
  RegisterOperators() = default;
  explicit RegisterOperators(const std::vector<Operator>& operators) : names_(register_on_stack(operators)) {}
  RegisterOperators(const RegisterOperators&) = delete;
  RegisterOperators(RegisterOperators&& o) noexcept : names_(std::move(o.names_)) { o.names_.clear(); }
  ~RegisterOperators() {
    for (const std::string& name : names_) wick_compat::remove_operator(name);
  }

 private:
  std::vector<std::string> names_;
};

constexpr c10::AliasAnalysisKind aliasAnalysisFromSchema() { return c10::AliasAnalysisKind::FROM_SCHEMA; }
constexpr c10::AliasAnalysisKind aliasAnalysisConservative() { return c10::AliasAnalysisKind::CONSERVATIVE; }
constexpr c10::AliasAnalysisKind aliasAnalysisSpecialCase() { return c10::AliasAnalysisKind::INTERNAL_SPECIAL_CASE; }

}  // namespace jit
}  // namespace torch
