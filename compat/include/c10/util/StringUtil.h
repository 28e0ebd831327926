// c10::str and other text helpers.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include <c10/macros/Macros.h>
#include <c10/util/string_view.h>

namespace c10 {

using std::string;

struct SourceLocation {
  const char* function;
  const char* file;
  uint32_t line;
};
inline std::ostream& operator<<(std::ostream& out, const SourceLocation& at) {
  return out << at.function << " at " << at.file << ":" << at.line;
}

namespace detail {
inline void append(std::ostream&) {}
template <class T, class... Rest>
void append(std::ostream& out, const T& first, const Rest&... rest) {
  out << first;
  append(out, rest...);
}
}  // namespace detail

// All arguments as << writes them, one after the other.
inline std::string str() { return {}; }
inline std::string str(const std::string& s) { return s; }
inline std::string str(const char* s) { return s; }
template <class... Args>
std::string str(const Args&... args) {
  std::ostringstream out;
  detail::append(out, args...);
  return out.str();
}

template <class Container>
std::string Join(const std::string& delimiter, const Container& v) {
  std::ostringstream out;
  bool first = true;
  for (const auto& item : v) {
    if (!first) out << delimiter;
    first = false;
    out << item;
  }
  return out.str();
}

inline bool isPrint(char s) { return s > 0x1f && s < 0x7f; }
inline int stoi(const std::string& s) { return std::stoi(s); }
inline int64_t stoll(const std::string& s) { return std::stoll(s); }
inline double stod(const std::string& s) { return std::stod(s); }
template <class T>
std::string to_string(T v) {
  return str(v);
}
inline size_t ReplaceAll(std::string& s, string_view from, string_view to) {
  size_t count = 0;
  if (from.empty()) return 0;
  for (size_t at = s.find(std::string(from)); at != std::string::npos; at = s.find(std::string(from), at + to.size())) {
    s.replace(at, from.size(), std::string(to));
    ++count;
  }
  return count;
}

}  // namespace c10
