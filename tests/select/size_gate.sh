#!/bin/sh
# size_gate.sh PROGRAM RECORD [--update]: the bytes of code and data in the program are those recorded, give or take 2 %.
set -eu
bytes=$(size "$1" | awk 'NR == 2 { print $1 + $2 }')
if [ "${3:-}" = --update ]; then
  echo "$bytes" > "$2"
  echo "recorded $bytes bytes in $2"
  exit 0
fi
recorded=$(cat "$2")
echo "$bytes bytes, recorded $recorded"
update="tests/select/size_gate.sh build/bin/$(basename "$1") tests/select/$(basename "$2") --update"
if [ $((bytes * 100)) -gt $((recorded * 102)) ] || [ $((bytes * 100)) -lt $((recorded * 98)) ]; then
  echo "off by more than 2 %; if that is meant: $update"
  exit 1
fi
