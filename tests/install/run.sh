#!/bin/sh
# run.sh BUILD COMPILER: installs a build below a temporary prefix and builds a project outside against it, once with
# find_package and once with pkg-config.
set -eu
build=$1
compiler=$2
here=$(cd "$(dirname "$0")" && pwd)
model=$here/../../examples/segment/segment.ptl
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cmake --install "$build" --prefix "$scratch/prefix" > /dev/null
cmake -S "$here" -B "$scratch/outside" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_PREFIX_PATH="$scratch/prefix" > /dev/null
cmake --build "$scratch/outside"
"$scratch/outside/outside" "$model" "$scratch/outside/out.pt"

PKG_CONFIG_PATH=$(dirname "$(find "$scratch/prefix" -name wick.pc)")
export PKG_CONFIG_PATH
"$compiler" -O1 "$here/main.cpp" -o "$scratch/by_pkg_config" $(pkg-config --cflags --libs wick)
"$scratch/by_pkg_config" "$model" "$scratch/out.pt"
cmp "$scratch/outside/out.pt" "$scratch/out.pt"
"$scratch/prefix/bin/wick" --version

# The project written for LibTorch, when the build has its headers.
if [ -d "$scratch/prefix/share/cmake/Torch" ]; then
  cmake -S "$here/torch" -B "$scratch/torch" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_PREFIX_PATH="$scratch/prefix" > /dev/null
  cmake --build "$scratch/torch"
  "$scratch/torch/example-app" "$model"
  "$scratch/torch/library-app" "$model"
fi

# What 'make demo' builds is enough to install: here a program is missing as if it had not been built.
sed 's/compare_models_torch/not_built/g' "$build/cmake_install.cmake" > "$scratch/partly.cmake"
cmake -DCMAKE_INSTALL_PREFIX="$scratch/partly" -P "$scratch/partly.cmake" > /dev/null
"$scratch/partly/bin/wick" --version > /dev/null
