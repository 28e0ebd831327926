# Cross-compiles for 64-bit ARM Linux with clang and lld, as phones are built for, against Debian's cross libraries.
include(${CMAKE_CURRENT_LIST_DIR}/arm64-linux.cmake)
find_program(WICK_CLANG NAMES clang++-19 clang++-18 clang++-17 clang++-16 clang++ REQUIRED)
set(CMAKE_CXX_COMPILER ${WICK_CLANG})
set(CMAKE_CXX_COMPILER_TARGET aarch64-linux-gnu)
