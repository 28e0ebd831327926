#!/bin/sh
# fuzz.sh SECONDS: builds the fuzz targets and runs each for that long on a corpus seeded with the test models.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}

cmake --preset asan > /dev/null
cmake --build build-asan -j "${JOBS:-2}"
passed=0
failed=0
for target in build-asan/bin/fuzz_*; do
  name=$(basename "$target")
  corpus=build-asan/corpus/$name
  mkdir -p "$corpus"
  seeds="$corpus"
  [ ! -d "tests/fuzz/seeds/$name" ] || seeds="$seeds tests/fuzz/seeds/$name"
  echo "$name: $seconds seconds"
  if "$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
      -artifact_prefix=build-asan/ $seeds > "build-asan/$name.log" 2>&1; then
    passed=$((passed + 1))
    grep -E 'number_of_executed_units|new_units_added' "build-asan/$name.log" || true
  else
    failed=$((failed + 1))
    tail -40 "build-asan/$name.log"
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
