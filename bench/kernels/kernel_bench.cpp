// Speed of the kernels alone, with the part of the machine's measured peak that they reach.
#include <cstdio>

#include "kernels/measure.h"

int main(int argc, char** argv) {
  wick::bench::register_dense();
  wick::bench::register_convs();
  wick::bench::register_int8();
  benchmark::Initialize(&argc, argv);
  std::printf("multiply-add peak of a core: %.1f GF/s\n", wick::bench::measured_peak());
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
