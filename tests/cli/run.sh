#!/bin/bash
# run.sh WICK: the command as a user meets it: what it prints, what it writes, how it fails.
set -u
wick=$1
here=$(cd "$(dirname "$0")" && pwd)
model=$here/../../examples/segment/segment.ptl
picture=$here/../../examples/segment/sample.png
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

# expect CODE PATTERN COMMAND...: the exit code, and a pattern in stdout and stderr together.
expect() {
  local code=$1 pattern=$2 got
  shift 2
  "$@" > "$scratch/out" 2> "$scratch/err"
  got=$?
  if [ $got != "$code" ] || ! cat "$scratch/out" "$scratch/err" | grep -qE -e "$pattern"; then
    echo "FAIL $*: exit $got (expected $code), output:"
    cat "$scratch/out" "$scratch/err"
    failures=$((failures + 1))
  fi
  if [ "$code" != 0 ] && [ "$(wc -l < "$scratch/err")" != 1 ]; then
    echo "FAIL $*: an error is one line on stderr, got $(wc -l < "$scratch/err")"
    failures=$((failures + 1))
  fi
}

expect 0 'usage: wick COMMAND' "$wick" --help
expect 0 '^wick [0-9]+\.' "$wick" --version
expect 0 '^wick [0-9]+\.' "$wick" version
expect 0 '^wick [0-9]+\.' "$wick" -V
expect 0 'usage: wick bench MODEL' "$wick" help bench
for command in run info check bench profile bundle; do expect 0 "usage: wick $command MODEL" "$wick" "$command" --help; done
expect 0 'usage: wick compare A B' "$wick" compare --help

printf '\034\0\0\0TFL3%0300d' 0 > "$scratch/model.tflite"
expect 1 'this is a LiteRT .* export the PyTorch model that it was made of$' "$wick" info "$scratch/model.tflite"
printf '<!DOCTYPE html><p>404' > "$scratch/page.pt"
expect 1 'page.pt: this is a web page, .* download the file itself$' "$wick" check "$scratch/page.pt"

expect 0 'float32 \[1, 5, ' "$wick" run "$model" --bundled 0
expect 0 'float32 \[1, 5, ' "$wick" run "$model" --bundled 0 --timeout=1min --max-memory 1G
expect 1 'the command took longer than its time limit of 1 ms' "$wick" run "$model" --bundled 0 --timeout 1ms
expect 1 'its limit is 65536' "$wick" run --max-memory 64K "$model" --bundled 0
expect 2 '--timeout needs a value such as 500ms or 2s' "$wick" info "$model" --timeout soon
expect 2 '--max-memory needs a value' "$wick" info "$model" --max-memory
expect 0 'float32 \[1, 5, 288, 384\]' "$wick" run "$model" --image "$picture" --threads 1 --no-plan --backend cpu
expect 0 'float32 \[1, 5, 64, 64\]' "$wick" run "$model" --image "$picture" --size 64
expect 0 'float32 \[1, 5, 48, 96\]' "$wick" run "$model" --image "$picture" --size=96x48
expect 0 'wrote .*out.pt' "$wick" run "$model" --bundled 0 --output "$scratch/out.pt"
[ -s "$scratch/out.pt" ] || { echo "FAIL --output wrote nothing"; failures=$((failures + 1)); }
expect 0 'score' "$wick" run "$model" --image "$picture" --size 32x1 --top 2

expect 0 'forward\(' "$wick" info "$model"
expect 0 '"methods": \[' "$wick" info "$model" --json
expect 0 '^aten::upsample_bilinear2d.vec$' "$wick" info "$model" --opnames
expect 0 'will run here' "$wick" check "$model"
printf -- '- aten::relu_\n' > "$scratch/ops.yaml"
expect 1 'missing aten::cat' "$wick" check "$model" --ops "$scratch/ops.yaml"
# Mistyped operators: of a list, and of a model.
printf -- '- aten::rleu_\n- aten::conv2d\n- my_ops::relu\n' > "$scratch/mistyped.yaml"
"$wick" check "$model" --ops "$scratch/mistyped.yaml" > /dev/null 2> "$scratch/err"
grep -q 'mistyped.yaml names aten::rleu_, which no operator here is called; did you mean aten::relu_?' "$scratch/err" &&
  ! grep -q 'my_ops\|names aten::conv2d' "$scratch/err" || { echo "FAIL suggestions for a list: $(cat "$scratch/err")"; failures=$((failures + 1)); }
python3 "$here/rename_operator.py" "$model" "$scratch/mistyped.ptl" aten::upsample_bilinear2d aten::upsample_bilinaer2d
expect 1 'missing aten::upsample_bilinaer2d.vec; did you mean aten::upsample_bilinear2d.vec' "$wick" check "$scratch/mistyped.ptl"
expect 1 'did you mean aten::upsample_bilinear2d.vec instead of aten::upsample_bilinaer2d.vec' "$wick" run "$scratch/mistyped.ptl" --bundled 0
"$wick" check "$scratch/mistyped.ptl" --json 2> /dev/null | grep -q '"did_you_mean": "aten::upsample_bilinear2d.vec"' ||
  { echo "FAIL no suggestion in JSON"; failures=$((failures + 1)); }
expect 0 'median' "$wick" bench "$model" --bundled 0 --warmup 1 --iter 2
expect 0 '"load_ms": [0-9.]+' "$wick" bench "$model" --load-only --json
expect 0 'conv 3x3 .*batch_norm' "$wick" profile "$model" --bundled 0 --iter 1 --exact --html "$scratch/profile.html"
grep -q 'class="line"' "$scratch/profile.html" || { echo "FAIL the page of a profile has no timeline"; failures=$((failures + 1)); }
expect 1 'cannot write' "$wick" profile "$model" --bundled 0 --iter 1 --html /nowhere/profile.html
expect 0 '"median_ms": [0-9.]+.*"peak_rss_kb": [0-9]+' "$wick" bench "$model" --input-dims 1,3,64,64 --input-type float --iter 2 --json

script=$here/../data/script
expect 0 'torchscript model, operator version' "$wick" info "$script/tree.pt"
expect 0 '# code/__torch__.py:[0-9]+$' "$wick" info "$script/words.pt" --graph
expect 0 'prim::If' "$wick" info "$script/words.pt" --graph --method union
expect 1 'no method .nothing' "$wick" info "$script/words.pt" --graph --method nothing
expect 0 'will run here' "$wick" check "$script/traced.pt"
expect 0 '"methods": \[' "$wick" info "$script/two/tree.pt" --json

expect 0 'median' "$wick" bench "$script/tree.pt" --input-dims 3,4 --warmup 1 --iter 2

expect 0 'wrote' "$wick" convert "$model" "$scratch/model.pt"
expect 0 'wrote' "$wick" convert "$scratch/model.pt" "$scratch/model.ptl" --bytecode-version 7 --no-source --strip-debug
expect 0 'lite model, bytecode version 7' "$wick" info "$scratch/model.ptl"
expect 0 'result' "$wick" run "$scratch/model.ptl" --bundled 0
expect 0 'wrote' "$wick" convert "$scratch/model.ptl" "$scratch/printed" --format torchscript
expect 0 'result' "$wick" run "$scratch/printed" --bundled 0
expect 2 'extension' "$wick" convert "$model" "$scratch/model"
expect 2 'lite or torchscript' "$wick" convert "$model" "$scratch/model.ptl" --format onnx
expect 2 'for lite files' "$wick" convert "$model" "$scratch/model.pt" --bytecode-version 8
expect 1 '4 to 8' "$wick" convert "$model" "$scratch/model.ptl" --bytecode-version 3
expect 1 'cannot write' "$wick" convert "$model" "$scratch/no/model.ptl"

expect 0 'with 2 bundled inputs for forward' "$wick" bundle "$script/tree.pt" "$scratch/bundled.pt" --randn 3,4 --randn 5,4
expect 0 'forward: 2' "$wick" info "$scratch/bundled.pt"
expect 0 'float32 \[5' "$wick" run "$scratch/bundled.pt" --bundled 1
expect 1 'already has bundled inputs' "$wick" bundle "$model" "$scratch/again.ptl" --randn 1,3,8,8
expect 0 'wrote' "$wick" convert "$model" "$scratch/plain.ptl" --strip-bundled
expect 1 'no bundled inputs' "$wick" run "$scratch/plain.ptl" --bundled 0
expect 0 'with 1 bundled inputs' "$wick" bundle "$scratch/plain.ptl" "$scratch/picture.ptl" --image "$picture" --size 32 --info cat
expect 0 'float32 \[1, 5, 32, 32\]' "$wick" run "$scratch/picture.ptl" --bundled 0
expect 2 'nothing to bundle' "$wick" bundle "$model" "$scratch/none.ptl"
expect 2 'whole numbers' "$wick" bundle "$model" "$scratch/none.ptl" --randn 1,x
expect 1 "no method 'nothing'" "$wick" bundle "$model" "$scratch/none.ptl" --randn 1,3,8,8 --method nothing
expect 1 'argument' "$wick" bundle "$scratch/plain.ptl" "$scratch/none.ptl" --randn '1,3,8,8;2'
[ -e "$scratch/none.ptl" ] && { echo "FAIL a refused bundle left a file"; failures=$((failures + 1)); }

expect 0 'agree' "$wick" compare "$model" "$scratch/model.ptl"
expect 0 'agree' "$wick" compare "$scratch/plain.ptl" "$model" --input-dims 1,3,32,32 --iter 2
expect 0 '"equal": true' "$wick" compare "$model" "$scratch/model.ptl" --bundled 0 --json
expect 1 'neither model has bundled' "$wick" compare "$scratch/plain.ptl" "$scratch/plain.ptl"
expect 2 'give one of' "$wick" compare "$model" "$model" --bundled 0 --input-dims 1,3,8,8
expect 1 '2 of 2 outputs differ' "$wick" compare "$script/tree.pt" "$script/hooks.pt" --input-dims 3,4 --iter 2
expect 2 'needs a number' "$wick" compare "$model" "$model" --tolerance x

expect 0 'usage: wick quantize IN OUT' "$wick" quantize --help
mkdir -p "$scratch/pictures/nothing"
cp "$picture" "$scratch/pictures/a.png"
expect 0 '27 of 27 layers quantized, calibrated on 2 inputs' "$wick" quantize "$model" "$scratch/small.ptl" --static \
  --calibrate bundled --calibrate "$scratch/pictures" --image-size 64x48 --mean 0.5 --std 0.5,0.5,0.5 --html "$scratch/q.html"
grep -q '<svg' "$scratch/q.html" || { echo "FAIL the quantizer's page has no histograms"; failures=$((failures + 1)); }
expect 0 'float32 \[1, 5, ' "$wick" run "$scratch/small.ptl" --bundled 0
expect 0 'skipped as asked' "$wick" quantize "$model" "$scratch/small.pt" --static --calibrate bundled --skip down3 --skip head
expect 0 'left in float to meet' "$wick" quantize "$model" "$scratch/small.ptl" --static --calibrate bundled --max-loss 0.01
expect 0 'wrote .*half.ptl' "$wick" quantize "$model" "$scratch/half.ptl" --float16
expect 1 'quantized already' "$wick" quantize "$scratch/small.ptl" "$scratch/again.ptl" --float16
expect 1 'nothing to quantize dynamically' "$wick" quantize "$model" "$scratch/again.ptl" --dynamic
expect 1 'no .png or .jpg' "$wick" quantize "$model" "$scratch/again.ptl" --static --calibrate "$scratch/pictures/nothing"
expect 1 'no layer or module .nowhere' "$wick" quantize "$model" "$scratch/again.ptl" --static --calibrate bundled --skip nowhere
bad=$here/../data/quantized/bad
expect 1 'calibration input 1 of 1: .*channels' "$wick" quantize "$model" "$scratch/again.ptl" --static --calibrate "$scratch/out.pt"
expect 1 'weight of 2 has a NaN' "$wick" quantize "$bad/nan_weight.pt" "$scratch/again.ptl" --static --calibrate "$bad/input.pt"
expect 1 'weight of 2 has a NaN' "$wick" quantize "$bad/nan_weight.pt" "$scratch/again.ptl" --dynamic
lost=(quantize "$bad/wide_range.pt" "$scratch/lost.ptl" --static --calibrate "$bad/wide_range_input.pt")
expect 1 'off by [0-9]+ % .* nothing is written.*--force' "$wick" "${lost[@]}"
[ ! -e "$scratch/lost.ptl" ] || { echo "FAIL a model of no use was written"; failures=$((failures + 1)); }
expect 0 'warning: .*wide_range.pt: quantized, its outputs are off by' "$wick" "${lost[@]}" --force
[ -s "$scratch/lost.ptl" ] || { echo "FAIL --force wrote nothing"; failures=$((failures + 1)); }
expect 0 'wrote' "$wick" "${lost[@]}" --skip 0 --skip 2
# A disk that is full halfway.
expect 1 'cannot write' bash -c "trap '' XFSZ; ulimit -f 4; exec '$wick' quantize '$model' '$scratch/again.ptl' --float16"
expect 1 'cannot write' "$wick" quantize "$model" "$scratch/no/again.ptl" --float16
expect 2 'one of --dynamic' "$wick" quantize "$model" "$scratch/again.ptl"
expect 2 'needs --calibrate' "$wick" quantize "$model" "$scratch/again.ptl" --static
expect 2 'is for --static' "$wick" quantize "$model" "$scratch/again.ptl" --dynamic --calibrate bundled
expect 2 'not negative' "$wick" quantize "$model" "$scratch/again.ptl" --static --calibrate bundled --max-loss -1
expect 2 'histogram, minmax' "$wick" quantize "$model" "$scratch/again.ptl" --static --calibrate bundled --observer best
[ -e "$scratch/again.ptl" ] && { echo "FAIL a refused model was written"; failures=$((failures + 1)); }

# fails_cleanly CODE PATTERN FOLDER COMMAND...: as expect, and the folder is as it was.
fails_cleanly() {
  local code=$1 pattern=$2 folder=$3 before
  before=$(ls -A "$folder")
  shift 3
  expect "$code" "$pattern" "$@"
  if [ "$(ls -A "$folder")" != "$before" ]; then
    echo "FAIL $*: left $(ls -A "$folder") where there was $before"
    failures=$((failures + 1))
  fi
}

out=$scratch/written
mkdir "$out"
expect 0 'usage: wick optimize IN OUT' "$wick" optimize --help
expect 0 'usage: wick explain IN OUT' "$wick" explain --help
expect 0 'CONV_BN_FUSION +23 +[0-9.e-]+ +forward' "$wick" optimize "$model" "$scratch/fast.ptl"
expect 0 'compared on forward: 1 bundled input.*: differences up to 0.01 of' "$wick" optimize "$model" "$scratch/fast.pt" --tolerance 0.01
expect 0 'agree' "$wick" compare "$model" "$scratch/fast.ptl" --tolerance 1e-4
expect 0 '23 batch norms' "$wick" explain "$model" "$scratch/fast.ptl" --html "$scratch/explain.html"
grep -q '<svg' "$scratch/explain.html" || { echo "FAIL the page of explain has no picture"; failures=$((failures + 1)); }
cp "$model" "$scratch/same.ptl"
expect 0 'wrote' "$wick" optimize "$scratch/same.ptl" "$scratch/same.ptl"
expect 0 'agree' "$wick" compare "$model" "$scratch/same.ptl" --tolerance 1e-4
said=$("$wick" optimize "$model" "$scratch/quiet.ptl" --quiet --no-verify --backend METAL 2>&1)
[ -n "$said" ] && { echo "FAIL --quiet printed $said"; failures=$((failures + 1)); }
expect 0 'float32 \[1, 5, ' "$wick" run "$scratch/quiet.ptl" --bundled 0
fails_cleanly 2 "Unknown backend 'cuda'; must be one of" "$out" "$wick" optimize "$model" "$out/o.ptl" --backend cuda
fails_cleanly 2 'did you mean vulkan' "$out" "$wick" optimize "$model" "$out/o.ptl" --backend vulcan
fails_cleanly 2 'did you mean CONV_BN_FUSION' "$out" "$wick" optimize "$model" "$out/o.ptl" --blocklist CONV_BN_FUSIONS
fails_cleanly 2 'the names are CONV_1D_TO_2D' "$out" "$wick" optimize "$model" "$out/o.ptl" --blocklist REMOVE_DROPOUT,nothing
fails_cleanly 1 "no method 'nothing' to preserve; it has forward" "$out" "$wick" optimize "$model" "$out/o.ptl" --preserve-methods nothing
fails_cleanly 1 'optimized already' "$out" "$wick" optimize "$scratch/fast.ptl" "$out/o.ptl"
fails_cleanly 1 'optimized already' "$out" "$wick" optimize "$scratch/quiet.ptl" "$out/o.ptl"
fails_cleanly 1 'pass CONV_BN_FUSION changed' "$out" "$wick" optimize "$model" "$out/o.ptl" --tolerance 0
fails_cleanly 2 'not negative' "$out" "$wick" optimize "$model" "$out/o.ptl" --tolerance -1
fails_cleanly 2 'extension' "$out" "$wick" optimize "$model" "$out/o"
fails_cleanly 2 'did you mean --preserve-methods' "$out" "$wick" optimize "$model" "$out/o.ptl" --preserved-methods x
fails_cleanly 1 'cannot write' "$out" "$wick" optimize "$model" "$out/no/o.ptl"
fails_cleanly 1 'No space left' "$out" "$wick" optimize "$model" /dev/full --format lite
fails_cleanly 1 'does not exist' "$out" "$wick" optimize "$scratch/none.ptl" "$out/o.ptl"
fails_cleanly 1 'does not exist' "$out" "$wick" explain "$model" "$scratch/none.ptl"
for size in 0 10 1000 20000; do
  head -c $size "$model" > "$scratch/cut.ptl"
  fails_cleanly 1 'cut.ptl' "$out" "$wick" optimize "$scratch/cut.ptl" "$out/o.ptl"
done
# A full disk, where one can be made.
if mkdir "$scratch/disk" && mount -t tmpfs -o size=64k none "$scratch/disk" 2> /dev/null; then
  for words in "optimize $model $scratch/disk/o.ptl" "convert $model $scratch/disk/o.pt" "quantize $model $scratch/disk/o.ptl --float16" \
    "bundle $scratch/plain.ptl $scratch/disk/o.ptl --randn 1,3,8,8" "run $model --bundled 0 --output $scratch/disk/o.pt"; do
    # shellcheck disable=SC2086
    fails_cleanly 1 'No space left' "$scratch/disk" "$wick" $words
  done
  umount "$scratch/disk"
fi
# Stopped at any moment: the file is whole or not there, and nothing else is.
for after in 0.01 0.03 0.06 0.1 0.2 0.4; do
  timeout -s INT $after "$wick" optimize "$model" "$out/o.ptl" > /dev/null 2>&1
  [ -e "$out/o.ptl" ] && expect 0 'will run here' "$wick" check "$out/o.ptl"
  rm -f "$out/o.ptl"
  [ -z "$(ls -A "$out")" ] || { echo "FAIL stopped after $after s, it left $(ls -A "$out")"; failures=$((failures + 1)); }
done

expect 2 'unknown command' "$wick" frobnicate "$model"
expect 2 'did you mean bench' "$wick" bensh "$model"
expect 2 "is a file; did you mean 'wick run .*segment.ptl'" "$wick" "$model"
expect 2 "is a file; did you mean 'wick run" "$wick" ./no-such-model.pt
expect 2 'unknown option -q; see' "$wick" run -q "$model" --bundled 0
expect 0 'float32 \[1, 5, 64, 96\]' "$wick" run "$model" --input-dims 1,3,64,96
expect 1 'channels' "$wick" run "$model" --input-dims 1,4,64,64
expect 2 'either --bundled, --input-dims' "$wick" run "$model" --bundled 0 --input-dims 1,3,64,64
expect 2 '--input-type is for --input-dims' "$wick" run "$model" --bundled 0 --input-type float
expect 2 'unknown option --frobnicate; see' "$wick" run "$model" --frobnicate
expect 2 'did you mean --input' "$wick" run "$model" --inputs x.pt
expect 1 'use --input-dims' "$wick" bench "$model"
expect 1 'it takes what torch.save' "$wick" run "$model" --input "$picture"
expect 2 'give one of' "$wick" bench "$model" --bundled 0 --input-dims 1,3,8,8
expect 2 'needs a value' "$wick" run "$model" --input
expect 2 'file names' "$wick" run
expect 2 'whole number' "$wick" run "$model" --bundled x
expect 1 'does not exist' "$wick" run "$scratch/none.ptl"
expect 2 'either' "$wick" run "$model" --bundled 0 --image "$picture"
expect 1 'no_such_method' "$wick" run "$model" --method no_such_method
expect 1 'argument' "$wick" run "$model"
expect 1 'bundled' "$wick" run "$model" --bundled 7
if "$wick" info --devices 2> /dev/null | grep -q '^0: '; then
  expect 0 'result: float32 \[1, 5, 128, 160\]' "$wick" run "$model" --bundled 0 --backend gpu
else
  expect 1 'GPU' "$wick" run "$model" --bundled 0 --backend gpu
fi
head -c 1000 "$model" > "$scratch/short.ptl"
expect 1 '' "$wick" run "$scratch/short.ptl" --bundled 0
echo 'not a model' > "$scratch/text.ptl"
expect 1 '' "$wick" info "$scratch/text.ptl"
expect 1 '' "$wick" run "$model" --image "$scratch/text.ptl"
expect 1 'write|open|No such' "$wick" run "$model" --bundled 0 --output "$scratch/no/such/folder/out.pt"

# Every command: --json is one object and nothing else, also when it fails; --quiet is silent.
json() {
  local code=$1 got
  shift
  "$@" --json > "$scratch/out" 2> "$scratch/err"
  got=$?
  if [ $got != "$code" ] || [ "$(wc -l < "$scratch/out")" != 1 ] || ! python3 -m json.tool < "$scratch/out" > /dev/null; then
    echo "FAIL $* --json: exit $got (expected $code), output:"
    cat "$scratch/out" "$scratch/err"
    failures=$((failures + 1))
  fi
}
quiet() {
  "$@" --quiet > "$scratch/out" 2>&1 && [ ! -s "$scratch/out" ] && return
  echo "FAIL $* --quiet: exit $?, or it prints:"
  cat "$scratch/out"
  failures=$((failures + 1))
}
json 0 "$wick" run "$model" --bundled 0
json 0 "$wick" run "$model" --image "$picture" --size 64 --top 2
# What is held so often that to write it takes forever is shown in part, and refused as JSON.
expect 0 'list of 1000' "$wick" run --timeout 60s "$script/nested.pt" --input-dims 1
json 1 "$wick" run --timeout 60s "$script/nested.pt" --input-dims 1
json 0 "$wick" info "$model"
json 0 "$wick" info "$model" --opnames
json 0 "$wick" info "$model" --graph
json 0 "$wick" check "$model"
json 0 "$wick" convert "$model" "$scratch/a.ptl"
"$wick" convert "$model" "$scratch/plain.ptl" --strip-bundled > /dev/null
json 0 "$wick" bundle "$scratch/plain.ptl" "$scratch/b.ptl" --randn 1,3,64,64
json 0 "$wick" optimize "$model" "$scratch/o.ptl"
json 0 "$wick" explain "$model" "$scratch/o.ptl"
json 0 "$wick" quantize "$model" "$scratch/q.ptl" --static --calibrate bundled
json 0 "$wick" compare "$model" "$scratch/o.ptl" --tolerance 1e-3
json 0 "$wick" bench "$model" --bundled 0 --iter 2
json 0 "$wick" profile "$model" --bundled 0 --iter 2
json 0 "$wick" trace "$model" --output "$scratch/ops.yaml"
json 1 "$wick" run "$scratch/nope.ptl"
json 2 "$wick" bench "$model" --itre 3
for command in "run $model --bundled 0" "info $model" "check $model" "convert $model $scratch/a.ptl" \
  "optimize $model $scratch/o.ptl" "explain $model $scratch/o.ptl" "bench $model --bundled 0 --iter 1" \
  "profile $model --bundled 0 --iter 1" "compare $model $model"; do
  # shellcheck disable=SC2086
  quiet "$wick" $command
done
expect 2 'exclude each other' "$wick" info "$model" --quiet --verbose

# Several pictures, a folder, a table; means and deviations; one mention of a file that is not there.
mkdir "$scratch/several"
cp "$picture" "$scratch/several/b.png"
cp "$picture" "$scratch/several/a.png"
expect 0 'ran forward 2 times' "$wick" run "$model" --image "$scratch/several" --size 32 --top 1 --csv "$scratch/t.csv"
[ "$(head -1 "$scratch/t.csv")" = "image,rank,class,label,score,softmax" ] && sed -n 2p "$scratch/t.csv" | grep -q '/a.png,1,' ||
  { echo "FAIL --csv: $(head -3 "$scratch/t.csv")"; failures=$((failures + 1)); }
expect 2 'needs --top' "$wick" run "$model" --image "$picture" --csv "$scratch/t.csv"
expect 2 'one result' "$wick" run "$model" --image "$picture" --image "$picture" --output "$scratch/r.pt"
"$wick" run "$model" --image "$picture" --size 32 --mean 0 --std 1 --json > "$scratch/plain.json"
"$wick" run "$model" --image "$picture" --size 32 --top 1 --json > "$scratch/normal.json"
cmp -s "$scratch/plain.json" "$scratch/normal.json" && { echo "FAIL --mean and --std change nothing"; failures=$((failures + 1)); }
"$wick" run "$scratch/nope.ptl" 2>&1 | grep -o nope.ptl | wc -l | grep -qx 1 ||
  { echo "FAIL a missing file is named once"; failures=$((failures + 1)); }
expect 0 'wrote the page .*p.html' "$wick" profile "$model" --bundled 0 --iter 1 --html "$scratch/p.html"
grep -q 'prefers-color-scheme:dark' "$scratch/p.html" || { echo "FAIL no dark mode"; failures=$((failures + 1)); }
expect 0 '^commit|^features' "$wick" --version

[ $failures = 0 ] && echo "the command behaves"
exit $((failures > 0))
