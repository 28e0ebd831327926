#!/bin/bash
# fuzz.sh [--inputs N]         runs each fuzz target on its seeds and on N inputs (default 100000) derived from them: the
#                              same inputs on every machine (tests/fuzz/mutate.h)
# fuzz.sh --seconds N [SEED]   searches for new inputs with libFuzzer for N seconds a target; SEED 0 (default): another
#                              search each time. What it finds is kept in build-asan/corpus
set -euo pipefail
cd "$(dirname "$0")/.."
mode=${1:---inputs}
amount=${2:-100000}
seed=${3:-0}
case "$mode" in
  --inputs) run=replay targets=replays ;;
  --seconds) run=search targets=fuzzers ;;
  *) echo "fuzz.sh: unknown option '$mode'" >&2; exit 2 ;;
esac

# replay NAME: the seeds and derived inputs of a target.
replay() { (cd build-asan && "bin/replay_$1" --inputs "$amount" "../tests/fuzz/seeds/fuzz_$1"); }

# search NAME: libFuzzer, from the seeds and what earlier searches have found.
search() {
  local corpus=build-asan/corpus/fuzz_$1
  mkdir -p "$corpus"
  "build-asan/bin/fuzz_$1" -max_total_time="$amount" -seed="$seed" -timeout=10 -rss_limit_mb=2048 -max_len=65536 \
    -print_final_stats=1 -artifact_prefix="build-asan/fuzz_$1-" "$corpus" "tests/fuzz/seeds/fuzz_$1"
}

cmake --preset asan > /dev/null
cmake --build build-asan -j "${JOBS:-2}" --target $targets
passed=0
failed=0
for source in tests/fuzz/fuzz_*.cpp; do
  name=$(basename "$source" .cpp)
  name=${name#fuzz_}
  log=build-asan/fuzz_$name.log
  if $run "$name" > "$log" 2>&1; then
    passed=$((passed + 1))
    echo "$name: $(grep -E 'derived inputs|number_of_executed_units' "$log" | tail -1)"
  else
    failed=$((failed + 1))
    tail -40 "$log"
    echo "$name: failed, see $log"
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
