#!/bin/bash
# run.sh BIN: tracing, and a build of the list: the same answer, other models refused, less code.
set -u
bin=$1
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
data=$root/tests/data/select
model=$root/examples/segment/segment.ptl
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

fail() {
  echo "FAIL $1"
  cat "$scratch/out" "$scratch/err"
  failures=$((failures + 1))
}
# expect CODE PATTERN COMMAND...: the exit code, and a pattern in stdout and stderr together.
expect() {
  local code=$1 pattern=$2 got
  shift 2
  "$@" > "$scratch/out" 2> "$scratch/err"
  got=$?
  [ $got = "$code" ] || fail "$*: exit $got, expected $code"
  cat "$scratch/out" "$scratch/err" | grep -qE -e "$pattern" || fail "$*: no '$pattern' in"
}
operators() { sed -n '/^operators:/,/^kernel_metadata:/p' "$1"; }

# The command.
list=$scratch/segment.yaml
expect 0 'ran forward, bundled input 0: [0-9]+ operators' "$bin/wick" trace "$model" --output "$list"
diff <(operators "$list") <(operators "$here/segment.yaml") ||
  { echo "FAIL tests/select/segment.yaml is not the list of examples/segment/segment.ptl any more"; failures=$((failures + 1)); }
expect 0 'will run in a build of this list' "$bin/wick" check "$model" --ops "$list"
expect 0 'wrote' "$bin/wick" trace "$data/branches.ptl" --merge "$list" --output "$scratch/both.yaml"
grep -q "not taken: the '\(if\|else\)' branch in forward.*aten::sub.Scalar" "$scratch/out" || fail "a branch that was not taken"
expect 0 'will run in a build' "$bin/wick" check "$model" --ops "$scratch/both.yaml"
expect 0 'will run in a build' "$bin/wick" check "$data/branches.ptl" --ops "$scratch/both.yaml"
expect 1 'add them with .wick trace' "$bin/wick" check "$data/branches.ptl" --ops "$list"
printf -- '- aten::add.Tensor\n' > "$scratch/plain.yaml"
expect 1 'missing aten::cat' "$bin/wick" check "$model" --ops "$scratch/plain.yaml"
printf 'operators:\n  aten::add: 3\n' > "$scratch/bad.yaml"
expect 1 'bad.yaml: line 2: ' "$bin/wick" check "$model" --ops "$scratch/bad.yaml"
expect 1 'bad.yaml: line 2: ' "$bin/wick" trace "$model" --merge "$scratch/bad.yaml" --output "$list"
expect 2 '--output OPS.yaml is needed' "$bin/wick" trace "$model"
expect 1 'no bundled inputs' "$bin/wick" trace "$root/tests/data/lite/arithmetic.ptl" --output "$list"

# PyTorch's tool of that name. recorded.yaml is what it wrote for recorded.ptl.
expect 0 'Got 8 Root Operators' "$bin/model_tracer" --model_input_path "$data/recorded.ptl" --build_yaml_path="$scratch/own.yaml"
printf 'Output: %s\nProcessing: %s\nGot 8 Root Operators.\nInferred CPU Model.\nGot 2 bundled input(s) for forward\n\n' \
  "$scratch/own.yaml" "$data/recorded.ptl" | diff - "$scratch/out" || fail "model_tracer prints"
roots() { grep -B2 'is_root_operator: true' "$1" | grep '::' | grep -v prim::TupleIndex; }  # an instruction
diff <(roots "$data/recorded.yaml") <(roots "$scratch/own.yaml") || fail "root operators differ from PyTorch's"
diff <(sed -n '/^custom_classes/,$p' "$data/recorded.yaml") <(sed -n '/^custom_classes/,$p' "$scratch/own.yaml") || fail "classes differ"
expect 0 'will run in a build' "$bin/wick" check "$data/recorded.ptl" --ops "$data/recorded.yaml"
expect 1 'You must specify the flag --model_input_path' "$bin/model_tracer" --build_yaml_path x
expect 1 'unknown command line flag .nonsense' "$bin/model_tracer" --nonsense=1
expect 0 'Arguments:' "$bin/model_tracer" --help
expect 0 'Processing: .*branches' "$bin/model_tracer" --model_input_path "$data/recorded.ptl,$data/branches.ptl" --build_yaml_path "$scratch/two.yaml"
grep -q 'aten::softmax.int' "$scratch/two.yaml" && grep -q 'aten::add.Scalar' "$scratch/two.yaml" || fail "two models in one list"

# The build. Without plans its operators are short and add one product after the other, as the whole library's do with
# instructions up to AVX2.
plain_isa=$(grep -qw avx2 /proc/cpuinfo && echo --isa avx2)
for gear in '' "--no-plan $plain_isa"; do
  "$bin/wick_runner" "$model" --bundled 0 --iter 1 $gear | grep Tensor > "$scratch/whole"
  expect 0 'Tensor Float' "$bin/wick_selected_runner" "$model" --bundled 0 --iter 1 $gear
  grep Tensor "$scratch/out" | diff "$scratch/whole" - || fail "the answers differ ($gear)"
done
expect 0 'best of 1 runs: .* ms, median' "$bin/wick_runner" "$model" --bundled 0 --iter 1 --isa "$([ "$(uname -m)" = x86_64 ] && echo sse4 || echo neon)"
expect 1 "'mmx' is not one of" "$bin/wick_runner" "$model" --bundled 0 --isa mmx
expect 1 'cannot be found: \[.*aten::sub.Scalar' "$bin/wick_selected_runner" "$data/branches.ptl"
grep -q 'wick trace MODEL --merge segment.yaml' "$scratch/err" || fail "the refusal names the list and the command"
whole=$(size "$bin/wick_runner" | awk 'NR == 2 { print $1 }')
selected=$(size "$bin/wick_selected_runner" | awk 'NR == 2 { print $1 }')
[ "$selected" -lt $((whole / 2)) ] || { echo "FAIL $selected bytes of $whole are left"; failures=$((failures + 1)); }

# The script.
expect 2 'SELECTED_OP_LIST is not set' "$root/scripts/build_select.sh"
expect 1 'there is no list' env SELECTED_OP_LIST=/nowhere.yaml "$root/scripts/build_select.sh"
expect 0 'cmake --preset select .*-DWICK_SELECTED_OP_LIST=.*/segment.yaml -DWICK_ISA=neon.*-DBUILD_SHARED_LIBS=OFF' \
  env SELECTED_OP_LIST="$here/segment.yaml" TRACING_BASED=1 ISA=neon SHARED=0 "$root/scripts/build_select.sh" --dry-run

# What CMake reads out of lists, and Android's flag.
refused() { cat "$scratch"/configured/selected/*.h | grep -q -e "$1" && fail "'$1' is selected"; }
configure() { (cd "$root" && cmake --preset select -B "$scratch/configured" -DWICK_SELECTED_OP_LIST="$1" -DANDROID=ON); }
selected() { cat "$scratch"/configured/selected/*.h | grep -q -e "$1" || fail "'$1' is not selected"; }
expect 0 'Build files have been written' configure "$here/../size/lists/core.yaml"
selected 'kHasTensors = false'
selected 'kAllFeatures = false'
grep -q 'max-page-size=16384' "$scratch/configured/build.ninja" || fail "pages of 16 KB"
expect 0 'Build files have been written' configure "$data/recorded.yaml,$here/../size/lists/core.yaml"
selected 'kHasTensors = true'
selected 'kAllFeatures = true'
selected '"prepacked::conv2d_clamp_run"'
selected 'kWinograd2 = true'
selected '"aten::mul.int"'
selected 'kListName = "recorded.yaml, core.yaml"'
printf 'build_features:\n- wick.planner\n- wick.kernel.depthwise\n- wick.kernel.depthwise5\n- wick.kernel.winograd\n- wick.kernel.winograd4\n' > "$scratch/parts.yaml"
printf 'operators:\n  aten::silu_:\n    include_all_overloads: false\nkernel_metadata:\n  silu:\n  - Float\n' >> "$scratch/parts.yaml"
expect 0 'Build files have been written' configure "$scratch/parts.yaml"
selected 'kSilu = true'
selected 'kGelu = false'
selected 'kDepthwise3 = false'
selected 'kDepthwise5 = true'
selected 'kDepthwise = true'
selected 'kWinograd2 = false'
selected 'kWinograd4 = true'
refused '"wick.steps"'
selected 'kHasIntegers = false'
selected 'kInt8Depthwise5 = true'
selected 'kInt8Floats = false'
printf 'nonsense: 1\n' > "$scratch/odd.yaml"
expect 1 "'nonsense' is not a key of an operator list" configure "$scratch/odd.yaml"

[ $failures = 0 ] && echo "selective build: all good"
exit $failures
