#!/bin/sh
# Checks the layout of every C++ file with clang-format, and the library and tools with clang-tidy.
set -eu
cd "$(dirname "$0")/.."

git ls-files '*.h' '*.cpp' | xargs clang-format --dry-run --Werror
echo "clang-format: clean"
git ls-files 'src/core/*.cpp' 'src/archive/*.cpp' 'src/ir/*.cpp' 'src/frontend/*.cpp' 'src/runtime/*.cpp' 'src/plan/*.cpp' 'src/select/*.cpp' 'tools/*.cpp' |
  xargs -P "${JOBS:-2}" -n 4 clang-tidy -p build --quiet --warnings-as-errors='*'
echo "clang-tidy: clean"
