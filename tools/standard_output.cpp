// Standard output that could not be written is a failure.
#include "standard_output.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

namespace wick::tools {

void prepare_output() {
#ifdef SIGXFSZ
  std::signal(SIGXFSZ, SIG_IGN);
#endif
}

int finish_output(int code) {
  const bool failed_before = std::ferror(stdout) != 0;
  errno = 0;
  if (std::fflush(stdout) == 0 && !failed_before) return code;
  std::fprintf(stderr, "cannot write what the command prints%s%s\n", errno ? ": " : "",
               errno ? std::strerror(errno) : "");
  return code == 0 ? 1 : code;
}

}  // namespace wick::tools
