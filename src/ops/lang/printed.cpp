// Where models print to.
#include "ops/lang/printed.h"

#ifdef __ANDROID__
#include <android/log.h>

#include <algorithm>
#else
#include <cstdio>
#endif

namespace wick::ops::lang {

#ifdef __ANDROID__
// Android discards the standard output. As PyTorch's classes do; in pieces, because the log cuts long messages.
void write_printed(const std::string& text) {
  constexpr size_t kLongest = 4000;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(at + kLongest, text.size());
    if (end < text.size()) {
      const size_t line = text.rfind('\n', end - 1);
      if (line != text.npos && line >= at) end = line + 1;
    }
    __android_log_write(ANDROID_LOG_DEBUG, "pytorch-print", text.substr(at, end - at).c_str());
    at = end;
  }
}
#else
void write_printed(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}
#endif

}  // namespace wick::ops::lang
