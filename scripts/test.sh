#!/bin/bash
# test.sh [--full]: runs every suite and ends with the line "N passed, M failed".
# Each suite prints a last line of that form itself, or is GoogleTest or CTest, whose summaries are read. Most suites
# keep one core busy: the sanitizers are built and run beside those that need the release build only.
set -uo pipefail
cd "$(dirname "$0")/.."
full=no
# PyTorch must not use AMX, which some virtual machines announce and do not have.
export ONEDNN_MAX_CPU_ISA=${ONEDNN_MAX_CPU_ISA:-AVX512_CORE_BF16}
[ "${1:-}" = --full ] && full=yes
jobs=${JOBS:-2}
python=${PYTHON:-/usr/bin/python3}
logs=build/test-logs
mkdir -p "$logs"
counts="$logs/counts.txt"  # "PASSED FAILED" a suite, of both lanes
: > "$counts"
TIMEFORMAT='%U %S'

# suite NAME COMMAND...: runs the command, adds up what its summary says.
suite() {
  local name=$1 log passed failed status start=$SECONDS
  shift
  log="$logs/${name// /-}.log"
  echo "== $name"
  { time "$@" > "$log" 2>&1; } 2> "$log.time"
  status=$?
  if grep -qE '^[0-9]+ passed, [0-9]+ failed' "$log"; then
    read -r passed failed < <(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -1 | sed -E 's/^([0-9]+) passed, ([0-9]+) failed.*/\1 \2/')
  elif grep -q '^\[  PASSED  \]' "$log"; then
    passed=$(sed -nE 's/^\[  PASSED  \] ([0-9]+) tests?.*/\1/p' "$log")
    failed=$(sed -nE 's/^\[  FAILED  \] ([0-9]+) tests?, listed below.*/\1/p' "$log")
  elif grep -qE 'tests passed, [0-9]+ tests failed out of' "$log"; then
    read -r failed passed < <(sed -nE 's/.* ([0-9]+) tests failed out of ([0-9]+).*/\1 \2/p' "$log")
    passed=$((passed - failed))
  else
    passed=0 failed=0
    [ $status = 0 ] && passed=1
  fi
  passed=${passed:-0} failed=${failed:-0}
  [ $status != 0 ] && [ "$failed" = 0 ] && failed=1
  if [ "$failed" != 0 ]; then
    tail -60 "$log"
  fi
  echo "   $name: $passed passed, $failed failed ($((SECONDS - start)) s, $(awk '{ printf "%.0f", $1 + $2 }' "$log.time") s of a core)"
  echo "$passed $failed" >> "$counts"
}

build() { cmake --preset "$1" && cmake --build --preset "$1" -j "$jobs" "${@:2}"; }

[ $full = yes ] && export WICK_ALL_ALLOCATIONS=1
suite "layers" "$python" scripts/check_layers.py
suite "limits page" "$python" scripts/limits_doc.py --check
suite "check of layers" "$python" tests/lint/check_layers_test.py
suite "complexity" "$python" scripts/check_complexity.py
suite "check of complexity" "$python" tests/lint/check_complexity_test.py
suite "Android packages" "$python" tests/android/aar_test.py
suite "packages" env PYTHON="$python" tests/packages/run.sh quick
suite "fuzz records" "$python" tests/fuzz/fuzz_script_test.py
suite "fuzz table" "$python" scripts/fuzz.py --table --check
suite "build" build release
sanitizers() {
  suite "build with clang and sanitizers" build asan --target wick_unit_tests replays
  suite "unit with sanitizers" build-asan/bin/wick_unit_tests --gtest_brief=1
  suite "fuzz" "$python" scripts/fuzz.py --jobs "$jobs"
}
sanitizers > "$logs/sanitizers.txt" 2>&1 &
lane=$!
trap 'kill $lane 2> /dev/null' EXIT
suite "API reference" "$python" tests/docs/reference_test.py
suite "counterparts" "$python" tests/docs/counterparts.py
suite "pages" "$python" tests/docs/check_pages.py
suite "options page" "$python" scripts/tools_doc.py --check
suite "code in the docs" "$python" tests/docs/compile_blocks.py
unit=(build/bin/wick_unit_tests --gtest_brief=1)
# A GPU on the processor compiles their shaders for minutes; the sample of parity has the same operators.
[ $full = yes ] || unit+=("--gtest_filter=-GpuOperators.*")
suite "unit" "${unit[@]}"
suite "ctest" ctest --test-dir build -E '^unit$' --output-on-failure
run_java() { cmake --preset release -DWICK_JAVA=ON && cmake --build build -j "$jobs" --target java_libraries && "$python" java/test.py; }
suite "java" run_java
[ $full = yes ] && suite "Android apps" "$python" java/android/apps/test.py
[ $full = yes ] && suite "PyTorch's Java tests" "$python" java/run_upstream_tests.py
[ $full = yes ] && suite "published Java classes" "$python" java/run_published.py
suite "python" env JOBS="$jobs" PYTHON="$python" scripts/python.sh test
run_compat() { cmake --preset release -DWICK_COMPAT=ON && cmake --build build -j "$jobs" --target wick_compat && "$python" tests/compat/run.py; }
suite "LibTorch programs" run_compat
[ $full = yes ] && suite "what the pages say" "$python" tests/docs/run_blocks.py
suite "packaging for Apple" "$python" tests/apple/packaging_test.py
run_objc() { cmake --preset release -DWICK_COMPAT=ON -DWICK_PYTORCH_LAYOUT=ON && cmake --build build -j "$jobs" --target pytorch_layout && "$python" tests/objc/run.py; }
suite "Objective-C++ apps" run_objc
parity=("$python" tests/parity/run.py --runner build/bin/wick_parity_runner)
round_trip=("$python" tests/parity/round_trip.py --wick build/bin/wick)
opinfo=("$python" tests/parity/opinfo.py --runner build/bin/wick_parity_runner)
opnames=("$python" tests/parity/opnames.py --wick build/bin/wick)
if [ $full = yes ]; then
  export WICK_PARITY_FULL=1
else
  opinfo+=(--sample 8)
  round_trip+=(--sample 6)
  opnames+=(--sample 8)
fi
suite "comparison rules" "$python" tests/parity/compare_test.py
suite "parity" "${parity[@]}"
suite "operator coverage" "${parity[@]}" --coverage
suite "parity on a GPU, a sample" "${parity[@]}" --backend gpu --cases embedding rnn attention --sample 3
suite "PyTorch 2 operators" "$python" tests/parity/torch2.py --runner build/bin/wick_parity_runner
suite "operator traits" "$python" tests/parity/traits.py --runner build/bin/wick_parity_runner
suite "opinfo" "${opinfo[@]}"
suite "operator list" "$python" tests/parity/operators_doc.py --check --runner build/bin/wick_parity_runner
suite "round trip" "${round_trip[@]}"
suite "round trip from TorchScript" "${round_trip[@]}" --from torchscript
suite "round trip to TorchScript" "${round_trip[@]}" --to torchscript
suite "round trip from bytecode to TorchScript" "${round_trip[@]}" --from bare --to torchscript
suite "tools" "$python" tests/parity/tools.py --wick build/bin/wick
suite "operator names" "${opnames[@]}"
suite "drop-in tools" "$python" tests/parity/dropin.py --bin build/bin ${PYTORCH_TOOLS:+--real "$PYTORCH_TOOLS"}
suite "quantizer" "$python" tests/parity/quantizer.py --wick build/bin/wick
suite "quantized accuracy" "$python" examples/quantize/accuracy.py --wick build/bin/wick
suite "mobile optimizer" "$python" tests/parity/optimize.py --wick build/bin/wick
suite "recipe" "$python" examples/recipe/recipe.py --tools build/bin --size 64 --iter 2
models=(core mobilenet_v2 lstm_classifier)
selections=(core mobilenet_v2 segment)
[ $full = yes ] && models+=(mobilenet_v2_quantized deeplabv3_resnet50) && selections=("${models[@]}" segment)
selected() { "$python" tests/select/models.py build/selected-models "${models[@]}" && "$python" tests/select/run_builds.py "${selections[@]}"; }
suite "selective builds" selected
bad_files() { "$python" tests/select/bad_files.py "build-selected/kept/$1" build/bin/wick_runner "build/selected-models/$1.ptl" "${@:2}"; }
suite "bad files in the core" bad_files core 300 --values "$(cat build/selected-models/core.txt)"
suite "bad files in a selective build" bad_files mobilenet_v2 60 --input build/selected-models/mobilenet_v2.pt --threads 1 --isa avx2
sizes=("$python" scripts/size.py --check)
[ $full = yes ] || sizes+=(core mobilenet_v2)
suite "sizes for phones" "${sizes[@]}"
if [ $full = yes ]; then
  families() { "$python" tests/parity/families.py write build/families && "$python" tests/parity/families.py run build/families --wick build/bin/wick; }
  suite "torchvision families" families
  modules() { "$python" tests/parity/modules.py build/modules && "$python" tests/parity/families.py run build/modules --wick build/bin/wick; }
  suite "torch.nn modules" modules
  for precision in fp32 fp16; do
    suite "parity on a GPU, $precision" "${parity[@]}" --backend gpu --precision "$precision"
  done
fi
echo "== sanitizers, beside the above since the build"
wait "$lane"
cat "$logs/sanitizers.txt"
if [ $full = yes ]; then
  suite "fuzz, new inputs" "$python" scripts/fuzz.py --seconds 60 --jobs "$jobs"
fi

echo "$((SECONDS / 60)) minutes"
awk '{ passed += $1; failed += $2 } END { print passed " passed, " failed " failed"; exit failed != 0 }' "$counts"
