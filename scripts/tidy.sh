#!/bin/sh
# tidy.sh FILE: clang-tidy over one file, for lint.sh. What passed is remembered in build/lint by the content of the file,
# of the project's headers it includes and of .clang-tidy, and is not checked again.
set -eu
cd "$(dirname "$0")/.."
includes=$(g++ -std=c++20 -Iinclude -Isrc -MM -MG "$1" | sed -e 's/^[^:]*://' -e 's/\\$//')
key=$(for file in .clang-tidy $includes; do if [ -e "$file" ]; then cat "$file"; fi; done | sha256sum | cut -c 1-32)
stamp=build/lint/$(echo "$1" | tr / _).$key
if [ ! -e "$stamp" ]; then
  clang-tidy -p build/lint --quiet --warnings-as-errors='*' "$1"
  touch "$stamp"
fi
