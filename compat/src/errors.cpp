// c10::Error from Wick's errors; checks, warnings and enforcement.
#include <c10/util/Logging.h>
#include <c10/util/Optional.h>
#include <c10/util/Type.h>
#include <cxxabi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>

#include "bridge.h"
#include "wick/error.h"

namespace wick_compat {
namespace {

// PyTorch throws some errors of operators as std::runtime_error.
bool is_runtime_error(const std::string& message) {
  return message.find("is invalid for input of size") != std::string::npos;
}

[[noreturn]] void throw_as_torch(const wick::Error& e) {
  if (is_runtime_error(e.message())) throw std::runtime_error(e.message());
  switch (e.code()) {
    case wick::ErrorCode::kIndexOutOfRange:
      throw c10::IndexError(e.message(), "");
    case wick::ErrorCode::kOutOfMemory:
      throw c10::OutOfMemoryError(e.message(), "");
    default:
      throw c10::Error(e.message(), "");
  }
}

}  // namespace

void rethrow() {
  try {
    throw;
  } catch (const wick::Error& e) {
    throw_as_torch(e);
  }
}

}  // namespace wick_compat

namespace c10 {

MessageLogger::~MessageLogger() noexcept(false) {
  if (severity_ < 1) return;
  const char* const slash = std::strrchr(file_, '/');
  const char* const file = slash ? slash + 1 : file_;
  if (severity_ < 3) {
    std::fprintf(stderr, "[%c %s:%d] %s\n", "IWEF"[severity_], file, line_, text_.str().c_str());
  } else if (std::uncaught_exceptions() == 0) {
    throw Error({"", file, static_cast<uint32_t>(line_)}, text_.str());
  }
}

namespace detail {

void torchCheckFail(const char* function, const char* file, uint32_t line, const std::string& msg) {
  throw Error({function, file, line}, msg);
}

void torchInternalAssertFail(const char* function, const char* file, uint32_t line, const char* condition,
                             const std::string& msg) {
  throw Error({function, file, line}, str(condition, ", please report a bug to PyTorch. ", msg));
}

}  // namespace detail

void ThrowEnforceNotMet(const char* file, int line, const char* condition, const std::string& msg, const void* caller) {
  throw Error(file, static_cast<uint32_t>(line), condition, msg, get_backtrace(), caller);
}

std::string get_backtrace(size_t, size_t, bool) { return "(no backtrace available)"; }

namespace {
thread_local WarningHandler* warning_handler = nullptr;
}

void WarningHandler::process(const SourceLocation& at, const std::string& msg, bool) {
  std::fprintf(stderr, "[W %s:%u] Warning: %s (function %s)\n", at.file, at.line, msg.c_str(), at.function);
}

WarningHandler* Warning::get_warning_handler() noexcept {
  static WarningHandler standard;
  return warning_handler ? warning_handler : &standard;
}
void Warning::set_warning_handler(WarningHandler* handler) noexcept { warning_handler = handler; }

void warn(SourceLocation at, const std::string& msg, bool verbatim) {
  Warning::get_warning_handler()->process(at, msg, verbatim);
}

}  // namespace c10

namespace c10 {

std::string demangle(const char* name) {
  int status = 0;
  char* text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  const std::string out = status == 0 && text ? text : name;
  std::free(text);
  return out;
}

}  // namespace c10
