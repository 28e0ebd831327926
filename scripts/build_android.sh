#!/bin/bash
# build_android.sh [CMake arguments]: the libraries for one of Android's ABIs, with PyTorch's variables:
#
#   ANDROID_NDK             the NDK's folder; needed
#   ANDROID_ABI             armeabi-v7a (default), arm64-v8a, x86, x86_64
#   SELECTED_OP_LIST        a list of operators (YAML): a library with these alone, in the smallest form
#   TRACING_BASED           accepted: a list says itself whether a tracer wrote it
#   BUILD_LITE_INTERPRETER  0 or 1; with a list, 0 adds the reader of TorchScript files (.pt)
#   WICK_TORCHSCRIPT        0: lite-interpreter files (.ptl, .ff) alone; 1: TorchScript files, too (default without a
#                           list)
#   BUILD_ROOT              folder to build in (default: build_android); installed in BUILD_ROOT/install
#   ANDROID_STL_SHARED      1: libc++_shared.so; by default the C++ library is inside and hidden
#   ANDROID_DEBUG_SYMBOLS, VERBOSE, MAX_JOBS, PYTHON   as their names say
#   HIGHWAY_SOURCE          Highway's source; by default Debian's source package is fetched
#   DRY_RUN                 1: prints the CMake command alone
#
# With -DBUILD_BINARY=ON among the arguments the programs with PyTorch's names (speed_benchmark_torch, ...) are in
# BUILD_ROOT/bin; they run both kinds of files and have every operator, whatever the library was selected for.
#
# API level 21, pages of 16 KB. Needs CMake, Ninja and Eigen's headers beside the NDK.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
python=${PYTHON:-python3}

if [ -z "${ANDROID_NDK:-}" ]; then
  echo "ANDROID_NDK not set; please set it to the Android NDK directory"
  exit 1
fi
if [ ! -d "$ANDROID_NDK" ]; then
  echo "ANDROID_NDK not a directory; did you install it under ${ANDROID_NDK}?"
  exit 1
fi
if [ -n "${SELECTED_OP_LIST:-}" ] && [ ! -r "$SELECTED_OP_LIST" ]; then
  echo "Error: SELECTED_OP_LIST file ${SELECTED_OP_LIST} not found."
  exit 1
fi
abi=${ANDROID_ABI:-armeabi-v7a with NEON}
abi=${abi% with NEON}
build=${BUILD_ROOT:-$root/build_android}
case $build in /*) ;; *) build=$PWD/$build ;; esac
install=$build/install
toolchain=$ANDROID_NDK/build/cmake/android.toolchain.cmake
[ -f "$toolchain" ] || { echo "build_android.sh: $ANDROID_NDK has no build/cmake/android.toolchain.cmake"; exit 1; }

settings=(-G Ninja "-DCMAKE_TOOLCHAIN_FILE=$toolchain" "-DANDROID_ABI=$abi" -DANDROID_PLATFORM=android-21
          -DANDROID_ARM_NEON=ON "-DCMAKE_INSTALL_PREFIX=$install" "-DPython3_EXECUTABLE=$(command -v "$python")"
          -DWICK_RUNTIME_ONLY=ON -DBUILD_SHARED_LIBS=OFF -DWICK_JAVA=ON -DWICK_JNI_API=ON -DWICK_PAGE_SIZE=16384
          -DWICK_BUILD_TESTS=OFF -DWICK_BUILD_TOOLS=OFF)
if [ "${ANDROID_STL_SHARED:-0}" = 1 ]; then
  settings+=(-DANDROID_STL=c++_shared)
else
  settings+=(-DANDROID_STL=c++_static)
fi
if [ "${ANDROID_DEBUG_SYMBOLS:-0}" = 1 ]; then
  settings+=(-DCMAKE_BUILD_TYPE=RelWithDebInfo)
else
  settings+=(-DCMAKE_BUILD_TYPE=MinSizeRel "-DCMAKE_CXX_FLAGS_MINSIZEREL=-Oz -DNDEBUG")
fi
if [ -n "${SELECTED_OP_LIST:-}" ]; then
  # The classes of org.pytorch bound runs and tell lines.
  settings+=("-DWICK_SELECTED_OP_LIST=$(cd "$(dirname "$SELECTED_OP_LIST")" && pwd)/$(basename "$SELECTED_OP_LIST")"
             -DWICK_LIMITS=ON -DWICK_SOURCE_LINES=ON)
fi
# Module.load and LiteModuleLoader.load take both kinds of files; what a list is for is a small library.
torchscript=1
[ -z "${SELECTED_OP_LIST:-}" ] || [ "${BUILD_LITE_INTERPRETER:-1}" = 0 ] || torchscript=0
[ "${WICK_TORCHSCRIPT:-$torchscript}" = 0 ] && settings+=(-DWICK_TORCHSCRIPT=OFF)
for folder in /usr/share/eigen3/cmake /usr/local/share/eigen3/cmake; do
  [ ! -d $folder ] || settings+=("-DEigen3_DIR=$folder")
done
highway=${HIGHWAY_SOURCE:-$root/build_android_highway/source}
settings+=("-DWICK_HIGHWAY_SOURCE=$highway")
programs=()
for argument in "$@"; do
  case $argument in
    -DBUILD_BINARY=ON | -DBUILD_BINARY=1 | -DBUILD_BINARY:BOOL=ON)
      programs=("${settings[@]}" -DWICK_RUNTIME_ONLY=OFF -DWICK_JAVA=OFF -DWICK_JNI_API=OFF -DWICK_IMAGE=OFF
                -DWICK_TORCHSCRIPT=ON -DWICK_SELECTED_OP_LIST= -DWICK_PYTORCH_TOOLS=ON) ;;
    -DBUILD_BINARY*) ;;
    *) settings+=("$argument") ;;
  esac
done
if [ "${DRY_RUN:-0}" = 1 ]; then
  echo "cmake -S $root -B $build ${settings[*]}"
  [ ${#programs[@]} = 0 ] || echo "cmake -S $root -B $build/programs ${programs[*]}"
  exit 0
fi

if [ ! -f "$highway/hwy/highway.h" ]; then
  tarball=$("$python" -c 'import sys; sys.path.insert(0, sys.argv[1]); import pytorch_source
print(pytorch_source.fetch(sys.argv[2], "highway"))' "$root/scripts" "$root/build_android_highway")
  mkdir -p "$highway"
  tar xf "$tarball" -C "$highway" --strip-components=1
fi
echo "Build with ANDROID_ABI[$abi], ANDROID_NATIVE_API_LEVEL[21]"
cmake -S "$root" -B "$build" "${settings[@]}"
verbose=()
[ "${VERBOSE:-0}" = 1 ] && verbose=(--verbose)
cmake --build "$build" -j "${MAX_JOBS:-$(nproc)}" "${verbose[@]}" --target wick_runtime java_libraries
cmake --install "$build" > /dev/null
cp "$build"/lib/libpytorch_jni.so "$build"/lib/libpytorch_jni_lite.so "$build"/lib/libpytorch_vision_jni.so "$install/lib/"
if [ ${#programs[@]} != 0 ]; then
  cmake -S "$root" -B "$build/programs" "${programs[@]}"
  cmake --build "$build/programs" -j "${MAX_JOBS:-$(nproc)}" "${verbose[@]}" --target pytorch_tools
  mkdir -p "$build/bin"
  for tool in "$root"/tools/dropin/*_*.cpp; do
    name=$(basename "$tool" .cpp)
    "$ANDROID_NDK"/toolchains/llvm/prebuilt/*/bin/llvm-strip -o "$build/bin/$name" "$build/programs/bin/$name"
  done
fi
echo "Installation completed, now you can copy the headers/libs from $install to your Android project directory."
