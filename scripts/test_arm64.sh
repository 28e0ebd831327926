#!/bin/bash
# test_arm64.sh [--all]: the kernels' tests, cross-built for 64-bit ARM and run under qemu, with NEON.
# --all: also the whole library, the wick command and the unit tests but those with time limits (takes long: compiled and emulated).
# Needs Debian's cross compiler and qemu, which scripts/deps.sh installs; libraries for ARM are unpacked
# under build-arm64 (scripts/debian_root.sh).
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-2}
build=$PWD/build-arm64
root=$build/root
scripts/debian_root.sh arm64 "$root"

targets=(wick_kernel_tests)
[ "${1:-}" = --all ] && targets+=(wick wick_unit_tests)
cmake -S . -B "$build" -G Ninja -DCMAKE_TOOLCHAIN_FILE=cmake/arm64-linux.cmake -DWICK_ARM64_ROOT="$root" \
      -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE="-O2 -DNDEBUG" > /dev/null
cmake --build "$build" -j "$jobs" --target "${targets[@]}"

libraries=$root/usr/lib/aarch64-linux-gnu:$root/lib/aarch64-linux-gnu
emulated() { qemu-aarch64 -L /usr/aarch64-linux-gnu -E LD_LIBRARY_PATH="$libraries" "$@"; }
emulated "$build/bin/wick_kernel_tests" --gtest_brief=1
if [ "${1:-}" = --all ]; then
  # Tests of hostile input allow each case a second or two, which emulation does not keep.
  emulated "$build/bin/wick_unit_tests" --gtest_brief=1 --gtest_filter='-*Hostile*:*AllOperators*:*Fuzz*'
  emulated "$build/bin/wick" bench examples/segment/segment.ptl --input-dims 1,3,128,128 --iter 1
fi
