#!/bin/sh
# size_gate.sh PROGRAM RECORD [--update]: the bytes of code and data in the program are those recorded, give or take 2 %.
set -eu
bytes=$(size "$1" | awk 'NR == 2 { print $1 + $2 }')
if [ "${3:-}" = --update ] || [ ! -f "$2" ]; then
  echo "$bytes" > "$2"
  echo "recorded $bytes bytes in $2"
  exit 0
fi
recorded=$(cat "$2")
echo "$bytes bytes, recorded $recorded"
[ $((bytes * 100)) -le $((recorded * 102)) ] && [ $((bytes * 100)) -ge $((recorded * 98)) ] && exit 0
echo "more than 2 % off; if that is meant: tests/select/size_gate.sh build/bin/$(basename "$1") tests/select/$(basename "$2") --update"
exit 1
