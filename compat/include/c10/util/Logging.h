// CAFFE_ENFORCE, CAFFE_THROW, TORCH_CHECK_EQ; containers that print.
#pragma once

#include <functional>
#include <map>
#include <ostream>
#include <set>
#include <sstream>
#include <vector>

#include <c10/util/Exception.h>

// As LibTorch's logging has it: at most 100 elements, a blank between two.
namespace std {
template <class A, class B>
ostream& operator<<(ostream& out, const pair<A, B>& p);
template <class... T>
ostream& operator<<(ostream& out, const vector<T...>& items);
template <class... T>
ostream& operator<<(ostream& out, const map<T...>& items);
template <class... T>
ostream& operator<<(ostream& out, const set<T...>& items);
}  // namespace std
namespace c10 {
template <class Iterator>
void PrintSequence(std::ostream& out, Iterator begin, Iterator end) {
  for (int i = 0; begin != end && i < 100; ++i, ++begin) {
    if (i > 0) out << ' ';
    out << *begin;
  }
  if (begin != end) out << " ...";
}
}  // namespace c10
namespace std {
#define WICK_PRINT_CONTAINER(container)                             \
  template <class... T>                                             \
  ostream& operator<<(ostream& out, const container<T...>& items) { \
    ::c10::PrintSequence(out, items.begin(), items.end());          \
    return out;                                                     \
  }
WICK_PRINT_CONTAINER(vector)
WICK_PRINT_CONTAINER(map)
WICK_PRINT_CONTAINER(set)
#undef WICK_PRINT_CONTAINER
template <class A, class B>
ostream& operator<<(ostream& out, const pair<A, B>& p) {
  return out << '(' << p.first << ", " << p.second << ')';
}
}  // namespace std

namespace c10 {

[[noreturn]] void ThrowEnforceNotMet(const char* file, int line, const char* condition, const std::string& msg,
                                     const void* caller = nullptr);
inline void SetStackTraceFetcher(std::function<std::string()>) {}
inline void InitCaffeLogging(int*, char**) {}
inline void ShowLogInfoToStderr() {}
inline void UpdateLoggingLevelsFromFlags() {}

// One line of a log, written when this is destroyed: LOG(WARNING) << ... Lines below a warning are not written, as in
// LibTorch by default; LOG(FATAL) and failed CHECKs throw where LibTorch ends the process.
class MessageLogger {
 public:
  MessageLogger(const char* file, int line, int severity) : severity_(severity), file_(file), line_(line) {}
  MessageLogger(const MessageLogger&) = delete;
  ~MessageLogger() noexcept(false);
  std::ostream& stream() { return text_; }

 private:
  int severity_;
  const char* file_;
  int line_;
  std::ostringstream text_;
};
struct LoggerVoidify {
  void operator&(const std::ostream&) {}
};

}  // namespace c10

// Those of a logging library that the application includes go before.
#ifndef LOG
#define WICK_LOG_INFO 0
#define WICK_LOG_WARNING 1
#define WICK_LOG_ERROR 2
#define WICK_LOG_FATAL 3
#define LOG(severity) ::c10::MessageLogger(__FILE__, __LINE__, WICK_LOG_##severity).stream()
#define LOG_IF(severity, condition) !(condition) ? static_cast<void>(0) : ::c10::LoggerVoidify() & LOG(severity)
#define VLOG_IS_ON(level) false
#define VLOG(level) \
  true ? static_cast<void>(0) : ::c10::LoggerVoidify() & ::c10::MessageLogger(__FILE__, __LINE__, 0).stream()
#endif
#ifndef CHECK
#define CHECK(condition)                                                                      \
  (condition) ? static_cast<void>(0)                                                          \
              : ::c10::LoggerVoidify() & ::c10::MessageLogger(__FILE__, __LINE__, 3).stream() \
                                             << "Check failed: " #condition " "
#define WICK_CHECK_COMPARED(a, b, op) CHECK((a)op(b))
#define CHECK_EQ(a, b) WICK_CHECK_COMPARED(a, b, ==)
#define CHECK_NE(a, b) WICK_CHECK_COMPARED(a, b, !=)
#define CHECK_LE(a, b) WICK_CHECK_COMPARED(a, b, <=)
#define CHECK_LT(a, b) WICK_CHECK_COMPARED(a, b, <)
#define CHECK_GE(a, b) WICK_CHECK_COMPARED(a, b, >=)
#define CHECK_GT(a, b) WICK_CHECK_COMPARED(a, b, >)
#ifdef NDEBUG
#define DCHECK(condition) \
  while (false) CHECK(condition)
#else
#define DCHECK(condition) CHECK(condition)
#endif
#define DCHECK_EQ(a, b) DCHECK((a) == (b))
#define DCHECK_NE(a, b) DCHECK((a) != (b))
#define DCHECK_LE(a, b) DCHECK((a) <= (b))
#define DCHECK_LT(a, b) DCHECK((a) < (b))
#define DCHECK_GE(a, b) DCHECK((a) >= (b))
#define DCHECK_GT(a, b) DCHECK((a) > (b))
#endif
// Reports of use: none are made.
#define C10_LOG_API_USAGE_ONCE(...)
#define C10_LOG_EVENT_SAMPLED(...)

#define CAFFE_ENFORCE(condition, ...)                                                     \
  do {                                                                                    \
    if (C10_UNLIKELY(!(condition))) {                                                     \
      ::c10::ThrowEnforceNotMet(__FILE__, __LINE__, #condition, ::c10::str(__VA_ARGS__)); \
    }                                                                                     \
  } while (false)
#define CAFFE_THROW(...) ::c10::ThrowEnforceNotMet(__FILE__, __LINE__, "", ::c10::str(__VA_ARGS__))
#define WICK_ENFORCE_COMPARED(op, x, y, ...)                                                    \
  do {                                                                                          \
    const auto& enforce_x = (x);                                                                \
    const auto& enforce_y = (y);                                                                \
    if (C10_UNLIKELY(!(enforce_x op enforce_y))) {                                              \
      ::c10::ThrowEnforceNotMet(__FILE__, __LINE__, #x " " #op " " #y,                          \
                                ::c10::str(enforce_x, " vs ", enforce_y, ". ", ##__VA_ARGS__)); \
    }                                                                                           \
  } while (false)
#define CAFFE_ENFORCE_EQ(x, y, ...) WICK_ENFORCE_COMPARED(==, x, y, ##__VA_ARGS__)
#define CAFFE_ENFORCE_NE(x, y, ...) WICK_ENFORCE_COMPARED(!=, x, y, ##__VA_ARGS__)
#define CAFFE_ENFORCE_LE(x, y, ...) WICK_ENFORCE_COMPARED(<=, x, y, ##__VA_ARGS__)
#define CAFFE_ENFORCE_LT(x, y, ...) WICK_ENFORCE_COMPARED(<, x, y, ##__VA_ARGS__)
#define CAFFE_ENFORCE_GE(x, y, ...) WICK_ENFORCE_COMPARED(>=, x, y, ##__VA_ARGS__)
#define CAFFE_ENFORCE_GT(x, y, ...) WICK_ENFORCE_COMPARED(>, x, y, ##__VA_ARGS__)
// LibTorch ends the process here; an error is thrown instead.
#define TORCH_CHECK_EQ(x, y) WICK_ENFORCE_COMPARED(==, x, y)
#define TORCH_CHECK_NE(x, y) WICK_ENFORCE_COMPARED(!=, x, y)
#define TORCH_CHECK_LE(x, y) WICK_ENFORCE_COMPARED(<=, x, y)
#define TORCH_CHECK_LT(x, y) WICK_ENFORCE_COMPARED(<, x, y)
#define TORCH_CHECK_GE(x, y) WICK_ENFORCE_COMPARED(>=, x, y)
#define TORCH_CHECK_GT(x, y) WICK_ENFORCE_COMPARED(>, x, y)
#define TORCH_CHECK_NOTNULL(x) (x)
