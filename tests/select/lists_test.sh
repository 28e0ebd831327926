#!/bin/bash
# lists_test.sh BIN: operator lists: what tracing writes, what checks and builds read out of them.
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
diff <(operators "$list") <(operators "$here/lists/segment.yaml") ||
  { echo "FAIL tests/select/lists/segment.yaml is not the list of examples/segment/segment.ptl any more"; failures=$((failures + 1)); }
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

# The runner of selective builds.
expect 0 'best of 1 runs: .* ms, median' "$bin/wick_runner" "$model" --bundled 0 --iter 1 --isa "$([ "$(uname -m)" = x86_64 ] && echo sse4 || echo neon)"
expect 1 "'mmx' is not one of" "$bin/wick_runner" "$model" --bundled 0 --isa mmx

# The script.
expect 2 'SELECTED_OP_LIST is not set' "$root/scripts/build_select.sh"
expect 1 'there is no list' env SELECTED_OP_LIST=/nowhere.yaml "$root/scripts/build_select.sh"
expect 0 'cmake --preset select .*-DWICK_SELECTED_OP_LIST=.*/segment.yaml -DWICK_ISA=neon.*-DBUILD_SHARED_LIBS=OFF' \
  env SELECTED_OP_LIST="$here/lists/segment.yaml" TRACING_BASED=1 ISA=neon SHARED=0 "$root/scripts/build_select.sh" --dry-run

# What a build reads out of lists (scripts/select_build.py).
generate() { rm -rf "$scratch/made" && "$root/scripts/select_build.py" --output "$scratch/made" --exports "$root/cmake/exports_run.map" "$@"; }
shader() { grep -q -e "\"$1\"" "$scratch/made/gpu_config.h"; }
selected() { grep -q -e "$1" "$scratch/made/build_config.h" || fail "'$1' is not in build_config.h"; }
refused() { grep -q -e "$1" "$scratch/made/build_config.h" && fail "'$1' is in build_config.h"; }
constants() { sed -nE 's/^inline constexpr [a-z:_ ]+ (k[A-Za-z0-9]+).*/\1/p' "$1" | sort; }
expect 0 'selective build of .* operators' generate "$here/lists/core.yaml"
ordinary() { constants "$root/src/config/build.h" && grep -qF build::kGpu "$root/src/plan/targets.h" && echo kGpu; }
diff <(ordinary | sort) <(constants "$scratch/made/build_config.h") || fail "constants of an ordinary and a selective build"
selected 'kTensors = false'
selected 'kPlanner = false'
selected 'kInterpreterKernels = true'
grep -q 'wick::Tensor::' "$scratch/made/exports.map" && fail "a build without tensors shows them"
expect 0 'selective build of .* operators' generate "$data/recorded.yaml" "$here/lists/core.yaml"
selected 'kTensors = true'
selected 'kFlatbuffer = true'
selected 'kInstructionOps = true'
selected '"prepacked::conv2d_clamp_run"'
selected 'kWinograd2 = true'
selected '"aten::mul.int"'
selected 'kListName = "recorded.yaml, core.yaml"'
grep -q 'wick::Tensor::' "$scratch/made/exports.map" || fail "a build with tensors shows them"
cat > "$scratch/parts.yaml" << 'END'
build_features:
- wick.planner
- wick.kernel.depthwise
- 'wick.kernel.depthwise5'  # a comment
- wick.kernel.winograd
- "wick.kernel.winograd4"
operators:
  aten::silu_:
    include_all_overloads: false
  aten::cat: {}
  aten::inner:
    is_root_operator: false
kernel_metadata:
  silu:
  - Float
custom_classes: [Conv2dOpContext, LinearOpContext]
END
expect 0 'selective build of .* operators' generate "$here/lists/segment.yaml"
selected 'kInterpreterKernels = true'
expect 0 'selective build of .* operators' generate "$scratch/parts.yaml"
selected 'kInterpreterKernels = false'
for constant in kDepthwise kDepthwise5 kWinograd4 kAllSteps kInt8Depthwise5; do selected "$constant = true"; done
for constant in kDepthwise3 kWinograd2 kIntegers kInt8Floats kTorchScript; do selected "$constant = false"; done
for name in aten::silu aten::silu_ 'aten::cat\.\*' LinearOpContext; do selected "\"$name\""; done
refused 'aten::inner'
# Shaders of builds for GPUs: those that the operators need, in the code and in CMake.
for name in pointwise copy; do shader $name || fail "there is no shader '$name'"; done
for name in conv gemm softmax rnn pointwise_all; do shader $name && fail "there is a shader '$name'"; done
expect 0 'selective build of .* operators' generate "$here/lists/mobilenet_v2.yaml"
for name in conv depthwise gemm gemv reduce; do shader $name || fail "MobileNetV2 has no shader '$name'"; done
for name in attention rnn pointwise_all; do shader $name && fail "MobileNetV2 has a shader '$name'"; done
grep -q '^set(selected_shaders .* gemm .*)' "$scratch/made/selection.cmake" || fail "CMake is told the shaders"
expect 0 'selective build of .* operators' generate "$here/lists/everything.yaml"
for name in $(grep -oE 'X\([a-z_]+\)' "$root/src/gpu/shaders.h" | sed 's/X(\(.*\))/\1/' | sort -u | grep -v '^name$'); do
  shader "$name" || fail "a build with everything has no shader '$name'"
done
expect 0 'selective build of .* operators' generate --dtypes Double "$scratch/parts.yaml"
selected 'kDTypes\[\] = {4, 6, 7, 11}'
expect 1 "'Real' is not a dtype" generate --dtypes Real "$scratch/parts.yaml"
# It refuses what the command's reader refuses.
both_refuse() { expect 1 "$1" "$bin/wick" check "$model" --ops "$2"; expect 1 "$1" generate "$2"; }
both_refuse 'bad.yaml: .*aten::add' "$scratch/bad.yaml"
printf 'nonsense: 1\n' > "$scratch/odd.yaml"
both_refuse "'nonsense' is not a key of an operator list" "$scratch/odd.yaml"
printf -- '- add\n' > "$scratch/odd.yaml"
both_refuse "'add' is not an operator" "$scratch/odd.yaml"
printf 'operators:\n  aten::add:\n    is_root_operator: perhaps\n' > "$scratch/odd.yaml"
both_refuse "'is_root_operator' is true or false" "$scratch/odd.yaml"
expect 1 'there is no file' generate /nowhere.yaml

# CMake: the generator's errors, Android's pages.
configure() { (cd "$root" && cmake --preset select -B "$scratch/configured" -DWICK_SELECTED_OP_LIST="$1" -DANDROID=ON); }
expect 0 'Build files have been written' configure "$here/lists/core.yaml"
[ -f "$scratch/configured/selected/build_config.h" ] || fail "CMake makes build_config.h"
grep -q 'max-page-size=16384' "$scratch/configured/build.ninja" || fail "pages of 16 KB"
expect 1 "'is_root_operator' is" configure "$scratch/odd.yaml"

[ $failures = 0 ] && echo "selective build: all good"
exit $failures
