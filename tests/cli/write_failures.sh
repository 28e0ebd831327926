#!/bin/bash
# write_failures.sh BIN: everything that writes, on disks that are full and paths that cannot be written. It must fail
# with a line that names the path, leave the file that was there before as it was, and nothing beside it.
# A full file system of its own is tried where the test may mount one.
set -u
bin=$1
here=$(cd "$(dirname "$0")" && pwd)
model=$here/../../examples/segment/segment.ptl
picture=$here/../../examples/segment/sample.png
tree=$here/../data/script/tree.pt
scratch=$(mktemp -d)
passed=0
failures=0
mounted=
cleanup() {
  for folder in $mounted; do umount "$folder"; done
  chmod -R u+w "$scratch"
  rm -rf "$scratch"
}
trap cleanup EXIT
trap '' XFSZ

fail() {
  echo "FAIL $*"
  failures=$((failures + 1))
}

# Commands that write OUT, by name; the name's extension is the file's.
declare -A commands=(
  [run.pt]="$bin/wick run $model --bundled 0 --output OUT"
  [convert.pt]="$bin/wick convert $model OUT"
  [convert.ptl]="$bin/wick convert $model OUT --bytecode-version 7"
  [bundle.pt]="$bin/wick bundle $tree OUT --randn 3,4"
  [optimize.ptl]="$bin/wick optimize $model OUT --no-verify"
  [quantize.ptl]="$bin/wick quantize $model OUT --float16"
  [quantize.html]="$bin/wick quantize $model /dev/null --format lite --float16 --html OUT"
  [trace.yaml]="$bin/wick trace $model --output OUT"
  [explain.html]="$bin/wick explain $model $model --html OUT"
  [profile.html]="$bin/wick profile $model --input-dims 1,3,32,32 --iter 1 --html OUT"
  [dump_operator_names.yaml]="$bin/dump_operator_names --model=$model --output=OUT"
  [optimize_for_mobile.ptl]="$bin/optimize_for_mobile --model=$tree --output=OUT"
  [model_tracer.yaml]="$bin/model_tracer --model_input_path=$model --build_yaml_path=OUT"
  [segment.png]="$bin/segment $model $picture OUT"
)

# expect_refused WHAT NAME OUT [LIMIT]: the command named fails to write OUT; LIMIT is the size of files, in KiB.
expect_refused() {
  local what=$1 name=$2 out=$3 limit=${4:-unlimited} line status before
  local -a words
  read -r -a words <<< "${commands[$name]}"
  [ -x "${words[0]}" ] || return
  words=("${words[@]//OUT/$out}")
  before=$(find "$(dirname "$out")" -mindepth 1 2> /dev/null | sort; [ -f "$out" ] && cksum < "$out")
  # Through a pipe, which has no limit.
  ([ "$limit" = unlimited ] || ulimit -f "$limit"; exec "${words[@]}") 2>&1 > /dev/null | cat > "$scratch/stderr"
  status=${PIPESTATUS[0]}
  line=$(tail -1 "$scratch/stderr")
  if [ $status = 0 ]; then
    fail "$name, $what: it ended as if it had written"
  elif [ $status -gt 2 ]; then
    fail "$name, $what: exit $status: $line"
  elif [[ $line != *"$out"* ]]; then
    fail "$name, $what: the error does not name the path: $line"
  elif [ "$before" != "$(find "$(dirname "$out")" -mindepth 1 2> /dev/null | sort; [ -f "$out" ] && cksum < "$out")" ]; then
    fail "$name, $what: the files beside it are not as before"
  else
    passed=$((passed + 1))
  fi
}

# A folder that nothing can be written to: by mounting for root, by its mode for others.
read_only=$scratch/read_only
mkdir "$read_only"
for name in "${!commands[@]}"; do echo 'an older file' > "$read_only/$name"; done
if [ "$(id -u)" != 0 ]; then
  chmod a-w "$read_only"
elif mount --bind -o ro "$read_only" "$read_only" 2> /dev/null && mount -o remount,ro,bind "$read_only" 2> /dev/null; then
  mounted="$mounted $read_only"
else
  read_only=
fi
# A file system that is full but for one page.
full=$scratch/full
mkdir "$full"
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=64k wick_full "$full" 2> /dev/null; then
  mounted="$mounted $full"
  for name in "${!commands[@]}"; do echo 'an older file' > "$full/$name"; done
  head -c 1M /dev/zero > "$full/filler" 2> /dev/null
else
  full=
fi

for name in "${!commands[@]}"; do
  folder=$scratch/of_$name
  mkdir -p "$folder/a_folder.${name##*.}"
  echo 'an older file' > "$folder/older.${name##*.}"
  expect_refused "a file that may not grow" "$name" "$folder/older.${name##*.}" 0
  expect_refused "a path that is a folder" "$name" "$folder/a_folder.${name##*.}"
  expect_refused "a path below a file" "$name" "$folder/older.${name##*.}/out.${name##*.}"
  [ -n "$read_only" ] && expect_refused "a folder that is read-only" "$name" "$read_only/$name"
  [ -n "$full" ] && expect_refused "a disk that is full" "$name" "$full/$name"
  [[ $name =~ \.html$|\.yaml$|\.png$ ]] && expect_refused "a device that is full" "$name" /dev/full
done
# Not by the extension of /dev/full.
commands[format.pt]="$bin/wick convert $model OUT --format torchscript"
expect_refused "a device that is full" format.pt /dev/full

# Commands that write to the standard output.
for words in "info $model" "info $model --json" "info $model --graph" "check $model" "run $model --bundled 0" "--help"; do
  # shellcheck disable=SC2086
  if "$bin/wick" $words > /dev/full 2> "$scratch/stderr"; then
    fail "wick $words: it ended as if it had printed"
  elif ! grep -q 'cannot write' "$scratch/stderr"; then
    fail "wick $words: $(cat "$scratch/stderr")"
  else
    passed=$((passed + 1))
  fi
done

[ -z "$read_only" ] && echo "not tried: a read-only folder"
[ -z "$full" ] && echo "not tried: a full file system"
echo "$passed passed, $failures failed"
[ $failures = 0 ]
