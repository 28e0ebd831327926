#!/bin/sh
# sandbox.sh SANDBOX MODEL: the example runs a model in its jail, and says what is wrong with another file.
# 77: skipped, this machine has no seccomp.
set -u
if "$1" "$2" 2>&1 | grep -q 'the kernel has no seccomp filters'; then exit 77; fi
"$1" "$2" | grep -q 'Columns 1 to' || { echo "FAIL: no result of $2"; exit 1; }
if "$1" "$0" 2> "${TMPDIR:-/tmp}/sandbox.$$"; then echo "FAIL: ran a script as a model"; exit 1; fi
grep -q 'not a PyTorch model' "${TMPDIR:-/tmp}/sandbox.$$"
status=$?
rm -f "${TMPDIR:-/tmp}/sandbox.$$"
exit $status
