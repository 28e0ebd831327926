#!/bin/sh
# SELECTED_OP_LIST=OPS.yaml[,MORE.yaml] build_select.sh [--dry-run] [CMake arguments]: a library with what the lists name
# and nothing else, in the smallest form.
#
# Environment: ISA      instruction sets of the kernels (avx2,avx512; neon); default: all of the processor's family
#              DTYPES   dtypes to compute in (Float,Long); default: those of the lists
#              SHARED   1 (default): a shared library; 0: a static one
#              BUILD    folder to build in (default: build-select)
#              JOBS     compilations at a time
# TRACING_BASED is accepted for the sake of PyTorch's command lines: a list says itself what form it has.
set -eu
cd "$(dirname "$0")/.."

if [ -z "${SELECTED_OP_LIST:-}" ]; then
  echo "build_select.sh: SELECTED_OP_LIST is not set; write a list with 'wick trace MODEL.ptl --output ops.yaml'" >&2
  exit 2
fi
lists=""
for list in $(echo "$SELECTED_OP_LIST" | tr ',;' '  '); do
  [ -f "$list" ] || { echo "build_select.sh: there is no list $list" >&2; exit 1; }
  lists="$lists${lists:+,}$(cd "$(dirname "$list")" && pwd)/$(basename "$list")"
done
build=${BUILD:-build-select}
shared=ON
[ "${SHARED:-1}" = 0 ] && shared=OFF
dry=no
if [ "${1:-}" = --dry-run ]; then
  dry=yes
  shift
fi

set -- --preset select -B "$build" "-DWICK_SELECTED_OP_LIST=$lists" "-DWICK_ISA=${ISA:-}" "-DWICK_DTYPES=${DTYPES:-}" \
  "-DBUILD_SHARED_LIBS=$shared" "$@"
if [ $dry = yes ]; then
  echo "cmake $*"
  exit 0
fi
cmake "$@" > /dev/null
cmake --build "$build" -j "${JOBS:-2}" --target wick_runtime wick_runner
library=$build/lib/libwick_runtime.a
if [ $shared = ON ]; then
  library=$build/lib/libwick_runtime.so
  ${STRIP:-strip} --strip-unneeded "$(readlink -f "$library")"
fi
echo "$library: $(wc -c < "$library") bytes"
