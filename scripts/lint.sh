#!/bin/sh
# Checks the layers (docs/layers.md), the complexity of functions, the layout of every C++ file with clang-format, and
# the library and tools with clang-tidy; not the operators and kernels, whose templates take clang-tidy hours.
set -eu
cd "$(dirname "$0")/.."

"${PYTHON:-python3}" scripts/check_layers.py
"${PYTHON:-python3}" scripts/check_complexity.py
git ls-files '*.h' '*.cpp' | xargs clang-format --dry-run --Werror
echo "clang-format: clean"
mkdir -p build/lint
# Without GCC's options that clang does not know.
sed -e 's/ -fvect-cost-model=dynamic//' build/compile_commands.json > build/lint/compile_commands.json
git ls-files 'src/*.cpp' 'tools/*.cpp' | grep -v -e '^src/ops/' -e '^src/kernels/' |
  xargs -P "${JOBS:-2}" -n 1 scripts/tidy.sh
echo "clang-tidy: clean"
