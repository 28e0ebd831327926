#!/bin/sh
# check_symbols.sh LIBRARY...: the functions of the C API in the libraries are those of wick_c_symbols.txt, which programs
# that were compiled earlier rely on. A new function is added to the list; one that is missing breaks them.
set -eu
list=$(dirname "$0")/wick_c_symbols.txt
found=$(mktemp)
trap 'rm -f "$found"' EXIT
for library in "$@"; do
  case $library in
    *.so*) nm -D --defined-only "$library" ;;
    *) nm -g --defined-only "$library" ;;
  esac | awk '$2 == "T" && $3 ~ /^wick_/ { print $3 }' | LC_ALL=C sort -u > "$found"
  if ! LC_ALL=C sort "$list" | diff - "$found"; then
    echo "$library: the C API is not that of $list" >&2
    exit 1
  fi
done
echo "$(wc -l < "$list") functions"
