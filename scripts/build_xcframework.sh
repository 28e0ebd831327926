#!/bin/bash
# build_xcframework.sh [--dry-run]: builds for iPhones and simulators (scripts/build_ios.sh, whose variables it takes) and
# makes apple/Wick.xcframework, for the Swift package, and the pods LibTorch-Lite and LibTorch in build_ios/pods.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$PWD/build_ios
dry_run=no
[ "${1:-}" = --dry-run ] && dry_run=yes
run() {
  echo "+ $*"
  [ $dry_run = yes ] || "$@"
}

for slice in OS:arm64 SIMULATOR:arm64 SIMULATOR:x86_64; do
  folder=$out/${slice%:*}-${slice#*:}
  run env IOS_PLATFORM="${slice%:*}" IOS_ARCH="${slice#*:}" BUILD_ROOT="$folder" scripts/build_ios.sh
  run cmake --build "$folder" --target wick_runtime
done
simulators=("$out/SIMULATOR-arm64" "$out/SIMULATOR-x86_64")
run mkdir -p "$out/simulator" "$out/headers"
run lipo -create "${simulators[@]/%//install/lib/libtorch_cpu.a}" -output "$out/simulator/libtorch_cpu.a"
run lipo -create "${simulators[@]/%//lib/libwick_runtime.a}" -output "$out/simulator/libwick_runtime.a"
run cp -L apple/Sources/CWick/module.modulemap apple/Sources/CWick/wick.h "$out/headers/"
run python3 scripts/make_xcframework.py apple/Wick.xcframework --headers "$out/headers" \
  "$out/OS-arm64/lib/libwick_runtime.a" "$out/simulator/libwick_runtime.a"
run python3 scripts/make_xcframework.py "$out/LibTorch.xcframework" --headers "$out/OS-arm64/install/include" \
  "$out/OS-arm64/install/lib/libtorch_cpu.a" "$out/simulator/libtorch_cpu.a"
for pod in LibTorch-Lite LibTorch; do
  run python3 scripts/make_pod.py "$pod" "$out/pods" --include "$out/OS-arm64/install/include" \
    --framework "$out/LibTorch.xcframework"
done
