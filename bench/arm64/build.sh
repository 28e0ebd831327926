#!/bin/bash
# build.sh clang|gcc: the runtime, wick_count_runs and wick_precision_error, cross-built for 64-bit ARM in
# build-arm64-clang or build-arm64-gcc.
# Kernels are compiled as in a release build (-O2); the rest, which a planned run hardly enters, with -O1 to save time.
set -euo pipefail
cd "$(dirname "$0")/../.."
case "$1" in
  clang) toolchain=cmake/arm64-clang.cmake ;;
  gcc) toolchain=cmake/arm64-linux.cmake ;;
  *) echo "build.sh: clang or gcc was expected, not '$1'" >&2; exit 2 ;;
esac
scripts/debian_root.sh arm64 "$PWD/build-arm64/root"
cmake -S . -B "build-arm64-$1" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$PWD/$toolchain" \
      -DWICK_ARM64_ROOT="$PWD/build-arm64/root" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" \
      -DWICK_LINALG=OFF > /dev/null
cmake --build "build-arm64-$1" -j "${JOBS:-2}" --target wick_count_runs wick_precision_error
