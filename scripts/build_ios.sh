#!/bin/bash
# build_ios.sh [--dry-run] [CMAKE ARGUMENT]...: builds Wick for iPhones, with the variables and the layout of PyTorch's
# script of this name: headers in build_ios/install/include, libraries in build_ios/install/lib. Needs Xcode, CMake,
# Ninja or make, Python 3, and Highway's source (WICK_HIGHWAY_SOURCE).
#
#   IOS_PLATFORM                OS (default), SIMULATOR, WATCHOS
#   IOS_ARCH                    arm64, x86_64 (simulators), armv7k;arm64_32 (watches); default: by platform
#   IOS_DEPLOYMENT_TARGET       the oldest system, 12.0
#   SELECTED_OP_LIST            operators of a selective build (YAML); TRACING_BASED=1 says that model_tracer wrote it
#   BUILD_LITE_INTERPRETER      0 or 1: both kinds of model files are always read
#   USE_PYTORCH_METAL           1: for sources and models that use Metal; Wick computes on the processor
#   USE_LIGHTWEIGHT_DISPATCH    accepted: Wick's dispatch is static
#   USE_COREML_DELEGATE         1 is refused
#   ENABLE_BITCODE, VERBOSE     1
#   BUILD_ROOT                  build_ios
#   CCACHE_WRAPPER_PATH         a compiler launcher's folder, as PyTorch's CI uses
#   WICK_HIGHWAY_SOURCE         Highway's source folder
#   DRY_RUN                     1, or --dry-run: prints the arguments for CMake, one a line, and builds nothing
#
# Variables of PyTorch's that are not named here and change nothing in Wick are left alone (BUILD_PYTORCH_MOBILE).
set -euo pipefail
source_root=$(cd "$(dirname "$0")/.." && pwd)

fail() {
  echo "Error: $*" >&2
  exit 1
}
# on VALUE: whether a variable is switched on, as PyTorch's scripts and CMake read it.
on() {
  case "$1" in
    1 | ON | on | On | YES | yes | TRUE | true | True | Y | y) return 0 ;;
    *) return 1 ;;
  esac
}

dry_run=${DRY_RUN:-0}
arguments=()
for argument in "$@"; do
  if [ "$argument" = --dry-run ]; then dry_run=1; else arguments+=("$argument"); fi
done

platform=${IOS_PLATFORM:-OS}
case $platform in
  OS | SIMULATOR | WATCHOS) ;;
  *) fail "IOS_PLATFORM: '$platform' is none of OS, SIMULATOR, WATCHOS" ;;
esac
if on "${USE_COREML_DELEGATE:-0}"; then
  fail "USE_COREML_DELEGATE: Wick has no Core ML delegate and cannot run models lowered to it." \
       "Save the model without to_backend('coreml', ...) and build without USE_COREML_DELEGATE."
fi
build_root=${BUILD_ROOT:-$source_root/build_ios}
prefix=$build_root/install

cmake=(-S "$source_root" -B "$build_root" -DCMAKE_TOOLCHAIN_FILE="$source_root/cmake/iOS.cmake"
       -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_BUILD_TYPE=MinSizeRel "-DCMAKE_CXX_FLAGS_MINSIZEREL=-Oz -DNDEBUG"
       -DBUILD_SHARED_LIBS=OFF -DWICK_BUILD_TESTS=OFF -DWICK_BUILD_TOOLS=OFF -DWICK_COMPAT=ON -DWICK_RUNTIME_ONLY=OFF
       -DWICK_IMAGE=OFF
       -DWICK_PYTORCH_LAYOUT=ON -DIOS_PLATFORM="$platform")
[ -z "${IOS_ARCH:-}" ] || cmake+=(-DIOS_ARCH="$IOS_ARCH")
[ -z "${IOS_DEPLOYMENT_TARGET:-}" ] || cmake+=(-DIOS_DEPLOYMENT_TARGET="$IOS_DEPLOYMENT_TARGET")
if [ "${BUILD_LITE_INTERPRETER:-1}" = 0 ]; then
  cmake+=(-DBUILD_LITE_INTERPRETER=OFF)
else
  cmake+=(-DBUILD_LITE_INTERPRETER=ON)
fi
if on "${TRACING_BASED:-0}"; then cmake+=(-DTRACING_BASED=ON); else cmake+=(-DTRACING_BASED=OFF); fi
if on "${USE_LIGHTWEIGHT_DISPATCH:-0}"; then cmake+=(-DUSE_LIGHTWEIGHT_DISPATCH=ON); fi
if on "${USE_PYTORCH_METAL:-0}"; then cmake+=(-DUSE_PYTORCH_METAL=ON); fi
if [ -n "${SELECTED_OP_LIST:-}" ]; then
  [ -r "$SELECTED_OP_LIST" ] || fail "SELECTED_OP_LIST file $SELECTED_OP_LIST not found."
  list=$(cd "$(dirname "$SELECTED_OP_LIST")" && pwd)/$(basename "$SELECTED_OP_LIST")
  cmake+=(-DSELECTED_OP_LIST="$list" -DWICK_SELECTED_OP_LIST="$list")
fi
# As PyTorch's script: watches are built with bitcode.
if on "${ENABLE_BITCODE:-0}" || [ "$platform" = WATCHOS ]; then cmake+=(-DENABLE_BITCODE=ON); fi
if on "${VERBOSE:-0}"; then cmake+=(-DCMAKE_VERBOSE_MAKEFILE=1); fi
if [ -n "${CCACHE_WRAPPER_PATH:-}" ]; then
  cmake+=(-DCMAKE_CXX_COMPILER="$CCACHE_WRAPPER_PATH/clang++")
fi
[ -z "${WICK_HIGHWAY_SOURCE:-}" ] || cmake+=(-DWICK_HIGHWAY_SOURCE="$WICK_HIGHWAY_SOURCE")
cmake+=(${arguments[@]+"${arguments[@]}"})

if on "$dry_run"; then
  printf '%s\n' "${cmake[@]}"
  exit 0
fi

[ "$(uname)" = Darwin ] || fail "building for iOS needs macOS with Xcode; --dry-run prints what CMake would be given"
[ -n "${WICK_HIGHWAY_SOURCE:-}" ] ||
  fail "WICK_HIGHWAY_SOURCE: set it to a folder with the source of Google's Highway, 1.0.3 or later"
echo "Build with CMAKE_ARGS: ${cmake[*]}"
cmake "${cmake[@]}"
cmake --build "$build_root" --parallel "${MAX_JOBS:-$(sysctl -n hw.ncpu)}" --target pytorch_layout
cmake --install "$build_root" --component pytorch_layout
echo "Installation completed, now you can copy the headers/libs from $prefix to your Xcode project directory."
