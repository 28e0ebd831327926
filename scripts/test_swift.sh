#!/bin/bash
# test_swift.sh [OPTION OF swift test]...: runs the tests of the Swift package (apple/) on Linux.
# Swift is Debian 13's (package swiftlang), in a root of its own below build-swift/root, made once (2.6 GB); the library
# is build/lib/libwick_runtime.a. Needs root, or sudo: the root is entered with chroot.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$PWD/build-swift
root=$work/root
library=${WICK_LIBRARY:-$PWD/build/lib/libwick_runtime.a}
sudo=""
[ "$(id -u)" = 0 ] || sudo=sudo
if [ ! -f "$library" ]; then
  echo "test_swift.sh: there is no $library: run make build first" >&2
  exit 2
fi

if [ ! -f "$work/root.complete" ]; then
  $sudo rm -rf "$root"
  mkdir -p "$work"
  $sudo mmdebstrap --quiet --variant=minbase --aptopt='APT::Install-Recommends "false"' \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --include=swiftlang,swiftlang-dev,g++,libstdc++-14-dev,zlib1g-dev,pkg-config,ca-certificates trixie "$root"
  touch "$work/root.complete"
fi

# What the package finds as "wick". Highway is this system's: that of Debian 13 is a later one.
$sudo mkdir -p "$root/wick/lib" "$root/wick/source" "$root/wick/build"
highway=$(ldconfig -p | awk '$1 ~ /^libhwy\.so\.[0-9]+$/ && !found { print $NF; found = 1 }')
$sudo cp "$library" "$root/wick/lib/libwick_runtime.a"
$sudo cp "$highway" "$root/wick/lib/"
$sudo ln -sf "$(basename "$highway")" "$root/wick/lib/libhwy.so"
$sudo tee "$root/wick/lib/wick.pc" > /dev/null << END
Name: wick
Description: runs PyTorch models
Version: 0
Libs: -L/wick/lib -lwick_runtime -lhwy -lz -lstdc++ -lpthread -lm
END

# The root needs /proc: programs of swiftlang find their libraries beside themselves through it.
$sudo unshare --mount --pid --fork bash -euc '
  mount -t proc proc "$1/proc"
  mount --bind "$2" "$1/wick/source"
  mount -o remount,bind,ro "$1/wick/source"
  root=$1
  shift 2
  exec chroot "$root" /usr/bin/env -i PATH=/usr/bin:/bin HOME=/root LANG=C.UTF-8 PKG_CONFIG_PATH=/wick/lib \
    LD_LIBRARY_PATH=/wick/lib \
    swift test --package-path /wick/source/apple --scratch-path /wick/build "$@"
' bash "$root" "$PWD" "$@" 2>&1 | tee "$work/test.log"

# The apps need UIKit to be compiled; here their sources are parsed.
find apple/apps -name '*.swift' -printf '/wick/source/%p\n' | $sudo unshare --mount --pid --fork bash -euc '
  mount -t proc proc "$1/proc"
  mount --bind "$2" "$1/wick/source"
  exec chroot "$1" /usr/bin/env -i PATH=/usr/bin:/bin xargs swiftc -frontend -parse
' bash "$root" "$PWD"

# XCTest's own line, in the form of the other suites.
awk '/^Executed [0-9]+ tests?, with/ { run = $2; failed = $5 }
     / Executed [0-9]+ tests?, with/ { for (i = 1; i < NF; ++i) if ($i == "Executed") { run = $(i + 1); failed = $(i + 4) } }
     END { if (run == "") exit 1; print run - failed " passed, " failed + 0 " failed"; exit failed != 0 }' "$work/test.log"
