// RECORD_FUNCTION: marks of a profiler that is not there. Wick's own profile is RunOptions' (wick/module.h).
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <ATen/core/ivalue.h>

namespace at {

enum class RecordScope : uint8_t {
  FUNCTION = 0,
  BACKWARD_FUNCTION,
  TORCHSCRIPT_FUNCTION,
  KERNEL_FUNCTION_DTYPE,
  CUSTOM_CLASS,
  BUILD_FEATURE,
  LITE_INTERPRETER,
  USER_SCOPE,
  STATIC_RUNTIME_OP,
  STATIC_RUNTIME_MODEL,
  NUM_SCOPES,
};

// A range of which nobody is told.
struct RecordFunction {
  explicit RecordFunction(RecordScope scope = RecordScope::FUNCTION) : scope_(scope) {}
  bool isActive() const { return false; }
  RecordScope scope() const { return scope_; }
  template <class... Args>
  void before(Args&&...) {}
  void end() {}

 private:
  RecordScope scope_;
};
struct RecordFunctionGuard {
  explicit RecordFunctionGuard(bool = true) {}
  ~RecordFunctionGuard() {}
};
struct DisableRecordFunctionGuard : RecordFunctionGuard {
  DisableRecordFunctionGuard() : RecordFunctionGuard(false) {}
};
inline bool isRecordFunctionEnabled() { return false; }
inline void enableRecordFunction(bool = true) {}

}  // namespace at

#define RECORD_FUNCTION_WITH_SCOPE(scope, fn, inputs, ...) ::at::RecordFunction guard(scope)
#define RECORD_FUNCTION(fn, inputs, ...) RECORD_FUNCTION_WITH_SCOPE(::at::RecordScope::FUNCTION, fn, inputs)
#define RECORD_TORCHSCRIPT_FUNCTION(fn, inputs) \
  RECORD_FUNCTION_WITH_SCOPE(::at::RecordScope::TORCHSCRIPT_FUNCTION, fn, inputs)
#define RECORD_USER_SCOPE(fn) RECORD_FUNCTION_WITH_SCOPE(::at::RecordScope::USER_SCOPE, fn, {})
#define RECORD_USER_SCOPE_WITH_INPUTS(fn, inputs) RECORD_FUNCTION_WITH_SCOPE(::at::RecordScope::USER_SCOPE, fn, inputs)
