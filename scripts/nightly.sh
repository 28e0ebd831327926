#!/bin/bash
# nightly.sh [HOURS]: everything that takes longer than a change may wait for, and one table at its end. HOURS of
# processor time for fuzzing (default 8). Logs are in build/nightly-logs; the exit code is 0 when nothing failed.
set -uo pipefail
cd "$(dirname "$0")/.."
hours=${1:-8}
jobs=${JOBS:-$(nproc)}
python=${PYTHON:-/usr/bin/python3}
logs=build/nightly-logs
mkdir -p "$logs"
table=()
failures=0

# part NAME COMMAND...: runs it, and keeps its result and the last line that counts something.
part() {
  local name=$1 log start=$SECONDS status result count
  shift
  log="$logs/${name// /-}.log"
  echo "== $name"
  "$@" > "$log" 2>&1
  status=$?
  result=passed
  if [ $status != 0 ]; then
    result="FAILED ($status)"
    failures=$((failures + 1))
    tail -40 "$log"
  fi
  count=$(grep -E '^[0-9]+ passed, [0-9]+ failed|^\[  PASSED  \]|tests passed, [0-9]+ tests failed' "$log" | tail -1)
  table+=("$(printf '%-28s %-14s %7d s  %s' "$name" "$result" $((SECONDS - start)) "$count")")
  echo "   $result ($((SECONDS - start)) s)"
}

build() { cmake --preset "$1" && cmake --build "$2" -j "$jobs" --target "${@:3}"; }
# With the commands, whose tests run under the sanitizers here alone.
build_asan() { cmake --preset asan -DWICK_BUILD_TOOLS=ON && cmake --build build-asan -j "$jobs"; }

part "whole tests" env JOBS="$jobs" PYTHON="$python" scripts/test.sh --full
part "site" make -s --no-print-directory site
part "pages in Chromium" make -s --no-print-directory test-pages JOBS="$jobs"
part "PyTorch's own C++ tests" make -s --no-print-directory test-compat-upstream JOBS="$jobs"
for package in deb fetch_content vcpkg conan pip pip_wheel docker; do
  part "package $package" make -s --no-print-directory test-packages PARTS="$package" JOBS="$jobs"
done
part "workflows" make -s --no-print-directory check-workflows
part "python, a million calls" make -s --no-print-directory test-python-long JOBS="$jobs"
part "LLVM's C++ library" make -s --no-print-directory check-libcxx JOBS="$jobs"
part "Spark" make test-spark
part "Java, a million forwards" make -s --no-print-directory test-java-long JOBS="$jobs"
part "Java, published classes" make -s --no-print-directory test-published JOBS="$jobs"
for machine in arm arm64 x86; do
  part "Java on $machine" make -s --no-print-directory test-java-on MACHINE=$machine JOBS="$jobs"
done
part "build for allocations" build release build wick_allocation_tests wick_soak
part "allocation failures" env WICK_ALL_ALLOCATIONS=1 build/bin/wick_allocation_tests --gtest_brief=1
part "soak" build/bin/wick_soak 1000000 8
part "GPU, validation layers" "$python" tests/parity/gpu_validation.py --runner build/bin/wick_parity_runner
part "GPU, many runs" env WICK_GPU_RUNS=6000 build/bin/wick_unit_tests --gtest_brief=1 --gtest_filter='GpuRobustness.*'
part "build with ASan and UBSan" build_asan
part "unit, ASan and UBSan" build-asan/bin/wick_unit_tests --gtest_brief=1
part "allocations, ASan and UBSan" env WICK_ALL_ALLOCATIONS=1 build-asan/bin/wick_allocation_tests --gtest_brief=1
part "ctest, ASan and UBSan" ctest --test-dir build-asan -E '^(unit|allocation_failures)$' --output-on-failure
parity() { TSAN_OPTIONS=halt_on_error=1 "$python" tests/parity/run.py --runner "$1/bin/wick_parity_runner" --sample "$2"; }
part "parity, ASan and UBSan" parity build-asan 7
part "build with TSan" build tsan build-tsan wick_unit_tests wick_thread_tests wick_parity_runner
part "threads, TSan" env TSAN_OPTIONS=halt_on_error=1 build-tsan/bin/wick_thread_tests --gtest_brief=1
part "unit, TSan" env TSAN_OPTIONS=halt_on_error=1 build-tsan/bin/wick_unit_tests --gtest_brief=1
part "parity, TSan" parity build-tsan 31
part "fuzzing, $hours h" "$python" scripts/fuzz.py --hours "$hours" --jobs "$jobs"

echo
printf '%s\n' "${table[@]}"
echo "$failures of ${#table[@]} parts failed"
[ $failures = 0 ]
