// c10::Error, the macros that throw it, and warnings.
#pragma once

#include <atomic>
#include <exception>
#include <string>
#include <vector>

#include <c10/macros/Macros.h>
#include <c10/util/StringUtil.h>

namespace c10 {

// What every function of the library throws, but for exceptions of a TorchScript program (std::runtime_error).
// what_without_backtrace() is the message with its contexts; what() says besides where it was raised, where that is
// known.
class Error : public std::exception {
 public:
  Error(std::string msg, std::string backtrace, const void* caller = nullptr)
      : msg_(std::move(msg)), backtrace_(std::move(backtrace)), caller_(caller) {
    refresh();
  }
  Error(SourceLocation at, std::string msg)
      : Error(std::move(msg),
              str("Exception raised from ", at, " (most recent call first):\n(no backtrace available)")) {}
  Error(const char* file, uint32_t line, const char* condition, const std::string& msg, const std::string& backtrace,
        const void* caller = nullptr)
      : Error(str("[enforce fail at ", file, ":", line, "] ", condition, ". ", msg), backtrace, caller) {}

  void add_context(std::string context) {
    context_.push_back(std::move(context));
    refresh();
  }
  const std::string& msg() const { return msg_; }
  const std::vector<std::string>& context() const { return context_; }
  const std::string& backtrace() const { return backtrace_; }
  const char* what() const noexcept override { return what_.c_str(); }
  const void* caller() const noexcept { return caller_; }
  virtual const char* what_without_backtrace() const noexcept { return what_without_backtrace_.c_str(); }

 private:
  void refresh() {
    what_without_backtrace_ = msg_;
    if (context_.size() == 1) {
      what_without_backtrace_ += " (" + context_[0] + ")";
    } else {
      for (const std::string& c : context_) what_without_backtrace_ += "\n  " + c;
    }
    what_ = backtrace_.empty() ? what_without_backtrace_ : what_without_backtrace_ + "\n" + backtrace_;
  }
  std::string msg_;
  std::vector<std::string> context_;
  std::string backtrace_;
  std::string what_;
  std::string what_without_backtrace_;
  const void* caller_;
};

class IndexError : public Error {
  using Error::Error;
};
class ValueError : public Error {
  using Error::Error;
};
class TypeError : public Error {
  using Error::Error;
};
class NotImplementedError : public Error {
  using Error::Error;
};
class EnforceFiniteError : public Error {
  using Error::Error;
};
class OnnxfiBackendSystemError : public Error {
  using Error::Error;
};
class LinAlgError : public Error {
  using Error::Error;
};
class OutOfMemoryError : public Error {
  using Error::Error;
};

// Who is given warnings; by default they go to the standard error stream.
class WarningHandler {
 public:
  virtual ~WarningHandler() = default;
  virtual void process(const SourceLocation& at, const std::string& msg, bool verbatim);
};
namespace Warning {
WarningHandler* get_warning_handler() noexcept;
void set_warning_handler(WarningHandler* handler) noexcept;  // of this thread; null: the default
class WarningHandlerGuard {
 public:
  explicit WarningHandlerGuard(WarningHandler* handler) : before_(get_warning_handler()) {
    set_warning_handler(handler);
  }
  WarningHandlerGuard(const WarningHandlerGuard&) = delete;
  ~WarningHandlerGuard() { set_warning_handler(before_); }

 private:
  WarningHandler* before_;
};
// Whether TORCH_WARN_ONCE warns each time.
inline std::atomic<bool>& warn_always() noexcept {
  static std::atomic<bool> on{false};
  return on;
}
inline void set_warnAlways(bool on) noexcept { warn_always() = on; }
inline bool get_warnAlways() noexcept { return warn_always(); }
class WarnAlways {
 public:
  explicit WarnAlways(bool on = true) : before_(get_warnAlways()) { set_warnAlways(on); }
  ~WarnAlways() { set_warnAlways(before_); }

 private:
  bool before_;
};
}  // namespace Warning
namespace WarningUtils = Warning;
void warn(SourceLocation at, const std::string& msg, bool verbatim);

std::string get_backtrace(size_t frames_to_skip = 0, size_t maximum = 64, bool skip_python = true);

namespace detail {
[[noreturn]] void torchCheckFail(const char* function, const char* file, uint32_t line, const std::string& msg);
[[noreturn]] void torchInternalAssertFail(const char* function, const char* file, uint32_t line, const char* condition,
                                          const std::string& msg);
inline std::string torchCheckMsg(const char* default_msg) { return default_msg; }
template <class... Args>
std::string torchCheckMsg(const char*, const Args&... args) {
  return str(args...);
}
}  // namespace detail

}  // namespace c10

#define C10_THROW_ERROR(err_type, msg) throw ::c10::err_type({__func__, __FILE__, static_cast<uint32_t>(__LINE__)}, msg)
#define TORCH_RETHROW(e, ...) throw

#define TORCH_CHECK_MSG(cond, type, ...)                                                              \
  (::c10::detail::torchCheckMsg("Expected " #cond                                                     \
                                " to be true, but got false.  (Could this error message be improved?" \
                                "  If so, please report an enhancement request to PyTorch.)",         \
                                ##__VA_ARGS__))
#define TORCH_CHECK(cond, ...)                                                         \
  if (C10_UNLIKELY(!(cond))) {                                                         \
    ::c10::detail::torchCheckFail(__func__, __FILE__, static_cast<uint32_t>(__LINE__), \
                                  TORCH_CHECK_MSG(cond, "", ##__VA_ARGS__));           \
  }
#define TORCH_CHECK_WITH(error_t, cond, ...) TORCH_CHECK_WITH_MSG(error_t, cond, "", __VA_ARGS__)
#define TORCH_CHECK_WITH_MSG(error_t, cond, type, ...)                  \
  if (C10_UNLIKELY(!(cond))) {                                          \
    C10_THROW_ERROR(error_t, TORCH_CHECK_MSG(cond, type, __VA_ARGS__)); \
  }
#define TORCH_CHECK_INDEX(cond, ...) TORCH_CHECK_WITH(IndexError, cond, __VA_ARGS__)
#define TORCH_CHECK_VALUE(cond, ...) TORCH_CHECK_WITH(ValueError, cond, __VA_ARGS__)
#define TORCH_CHECK_TYPE(cond, ...) TORCH_CHECK_WITH(TypeError, cond, __VA_ARGS__)
#define TORCH_CHECK_NOT_IMPLEMENTED(cond, ...) TORCH_CHECK_WITH(NotImplementedError, cond, __VA_ARGS__)
#define TORCH_CHECK_LINALG(cond, ...) TORCH_CHECK_WITH(LinAlgError, cond, __VA_ARGS__)
#define TORCH_INTERNAL_ASSERT(cond, ...)                                                         \
  if (C10_UNLIKELY(!(cond))) {                                                                   \
    ::c10::detail::torchInternalAssertFail(                                                      \
        __func__, __FILE__, static_cast<uint32_t>(__LINE__),                                     \
        #cond " INTERNAL ASSERT FAILED at " C10_STRINGIZE(__FILE__) ":" C10_STRINGIZE(__LINE__), \
        ::c10::str(__VA_ARGS__));                                                                \
  }
#ifdef NDEBUG
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(...) \
  while (false) C10_MACRO_EXPAND(TORCH_INTERNAL_ASSERT(__VA_ARGS__))
#else
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(...) C10_MACRO_EXPAND(TORCH_INTERNAL_ASSERT(__VA_ARGS__))
#endif
#define AT_ASSERT(...) C10_MACRO_EXPAND(TORCH_INTERNAL_ASSERT(__VA_ARGS__))
#define AT_ASSERTM(cond, ...) C10_MACRO_EXPAND(TORCH_CHECK(cond, __VA_ARGS__))
#define AT_ERROR(...) C10_MACRO_EXPAND(TORCH_CHECK(false, ::c10::str(__VA_ARGS__)))
#define AT_INDEX_ERROR(...) C10_MACRO_EXPAND(TORCH_CHECK_INDEX(false, ::c10::str(__VA_ARGS__)))
#define TORCH_WARN(...) \
  ::c10::warn({__func__, __FILE__, static_cast<uint32_t>(__LINE__)}, ::c10::str(__VA_ARGS__), false)
// Once for each place in the source, unless Warning::set_warnAlways() says otherwise.
#define TORCH_WARN_ONCE(...)                                                      \
  if (::c10::Warning::get_warnAlways()) {                                         \
    TORCH_WARN(__VA_ARGS__);                                                      \
  } else {                                                                        \
    static const auto C10_ANONYMOUS_VARIABLE(torch_warn_once_) C10_UNUSED = [&] { \
      TORCH_WARN(__VA_ARGS__);                                                    \
      return true;                                                                \
    }();                                                                          \
  }
#define AT_WARN(...) TORCH_WARN(__VA_ARGS__)
