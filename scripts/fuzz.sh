#!/bin/sh
# fuzz.sh SECONDS [SEED]: builds the fuzz targets and runs each for that long on a corpus seeded with the test models.
# With a seed the inputs come in the same order again (for the same program and an empty build-asan/corpus).
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}
seed=${2:-0}  # libFuzzer takes 0 as: a new one each time

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
  if "$target" -max_total_time="$seconds" -seed="$seed" -timeout=10 -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
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
