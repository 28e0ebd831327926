# Headers of the standard library that most files include, compiled once: reading them is a quarter of a build's work.
# Files include what they use nonetheless; selective builds and other projects are built without this.
option(WICK_PRECOMPILE "Precompile headers of the standard library" ON)

set(wick_standard_headers "")
if(WICK_PRECOMPILE AND NOT WICK_RUNTIME_ONLY)
  set(wick_standard_headers <algorithm> <array> <atomic> <cmath> <complex> <cstdint> <cstring> <functional> <limits> <map>
      <memory> <mutex> <numeric> <optional> <set> <span> <string> <string_view> <tuple> <type_traits> <unordered_map>
      <unordered_set> <utility> <vector>)
  # So that ccache knows results that come of a precompiled header again.
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
  else()
    # With them GCC 12 takes std::string for the project's own code, and warns of what it wrongly sees there.
    add_compile_options(-fpch-preprocess $<$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>:-Wno-array-bounds>)
  endif()
endif()
