// at::show_config and the like.
#include <ATen/Version.h>

namespace at {

std::string show_config() { return "Wick with LibTorch's API of 1.13.1\n"; }
std::string get_cxx_flags() { return ""; }
std::string get_mkl_version() { return "MKL not found"; }
std::string get_mkldnn_version() { return "MKLDNN not found"; }
std::string get_openmp_version() { return "OpenMP not found"; }
std::string get_cpu_capability() { return "chosen at run time"; }

}  // namespace at
