// Clocks.
#pragma once
#include <time.h>
typedef double CFTimeInterval;
typedef double CFAbsoluteTime;
static inline CFTimeInterval CACurrentMediaTime(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}
static inline CFAbsoluteTime CFAbsoluteTimeGetCurrent(void) { return CACurrentMediaTime(); }
