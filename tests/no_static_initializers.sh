#!/bin/sh
# no_static_initializers.sh LIBRARY...: fails when an object of the libraries runs code before main.
set -eu
found=$(for library in "$@"; do
  readelf -SW "$library" 2> /dev/null |
    awk -v library="$(basename "$library")" '/^File:/ {file = $2} /\.(init_array|ctors|preinit_array)/ {print library, file}'
done)
if [ -n "$found" ]; then
  echo "objects with static initializers:"
  echo "$found"
  exit 1
fi
echo "no static initializers"
