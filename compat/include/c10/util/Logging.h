// CAFFE_ENFORCE and CAFFE_THROW.
#pragma once

#include <functional>

#include <c10/util/Exception.h>

namespace c10 {

[[noreturn]] void ThrowEnforceNotMet(const char* file, int line, const char* condition, const std::string& msg,
                                     const void* caller = nullptr);
inline void SetStackTraceFetcher(std::function<std::string()>) {}
inline void InitCaffeLogging(int*, char**) {}
inline void ShowLogInfoToStderr() {}
inline void UpdateLoggingLevelsFromFlags() {}

}  // namespace c10

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
