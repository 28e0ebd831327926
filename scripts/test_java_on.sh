#!/bin/bash
# test_java_on.sh arm64|arm|x86 [TEST CLASS...]: the tests of org.pytorch on a Java virtual machine of another
# architecture, Debian's, under qemu (32-bit x86 on the processor itself, where it is an x86-64). By default all of them
# but those of Robolectric; names are those of classes below org.pytorch (RecordedAnswersTest, torchvision.YuvTest).
# Needs what scripts/deps.sh java-on installs. Ends with "N passed, M failed".
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-2}
machine=${1:?arm64, arm or x86}
shift
case $machine in
  arm64) debian=arm64 emulator=qemu-aarch64 ;;
  arm) debian=armhf emulator=qemu-arm ;;
  x86) debian=i386 emulator=qemu-i386 ;;
  *) echo "test_java_on.sh: '$machine' is none of arm64, arm, x86" >&2; exit 2 ;;
esac
build=$PWD/build-$machine
upper=$(echo "$machine" | tr a-z A-Z)
scripts/debian_root.sh "$debian" "$build/root"
scripts/debian_root.sh "$debian" "$build/jvm" openjdk-17-jre-headless libc6 libgcc-s1 libstdc++6 zlib1g libhwy1
[ -f "$build/build.ninja" ] || cmake -S . -B "$build" -G Ninja -DCMAKE_TOOLCHAIN_FILE=cmake/$machine-linux.cmake \
  "-DWICK_${upper}_ROOT=$build/root" -DWICK_FUNCTIONS=OFF -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" > /dev/null
cmake -S . -B "$build" -DWICK_JAVA=ON > /dev/null
cmake --build "$build" -j "$jobs" --target java_libraries

# The classes, and where Maven keeps what they need.
mkdir -p "$build/java"
(cd java && mvn -q -B -ntp test-compile -pl pytorch_android,torchvision dependency:build-classpath \
  -Dmdep.outputFile="$build/java/classpath" -Dmdep.includeScope=test)
classes=java/pytorch_android/target
vision=java/torchvision/target
java=$(find "$build/jvm/usr/lib/jvm" -path '*/bin/java' -type f | head -1)
libraries=$(dirname "$java")/../lib
if [ "$machine" = x86 ] && [ "$(uname -m)" = x86_64 ]; then
  root=$build/jvm
  run=("$root/lib/ld-linux.so.2" --library-path "$root/lib/i386-linux-gnu:$root/usr/lib/i386-linux-gnu:$libraries" "$java")
else
  run=("$emulator" -L "$build/jvm" -E "LD_LIBRARY_PATH=$libraries" "$java" -Xint)
fi
tests=("$@")
# Emulation is slow: tests of many rounds take a fiftieth of them (wick.emulated).
[ $# -gt 0 ] || tests=(IValueTest LibraryNamesTest ModuleTest RecordedAnswersTest TensorTest BoundsTest LifetimeTest
                       RandomCallsTest torchvision.YuvTest)

passed=0 failed=0
for test in "${tests[@]}"; do
  log=$build/java/$test.log
  "${run[@]}" -XX:+UseSerialGC -Xmx256m \
    -Dwick.library.path="$build/lib" -Dwick.testdata="$PWD/java/testdata" -Dwick.emulated=true \
    -cp "$classes/classes:$classes/test-classes:$vision/classes:$vision/test-classes:$(cat "$build/java/classpath")" \
    org.junit.runner.JUnitCore "org.pytorch.$test" > "$log" 2>&1 || true
  if count=$(sed -nE 's/^OK \(([0-9]+) tests?\)$/\1/p' "$log") && [ -n "$count" ]; then
    passed=$((passed + count))
    echo "$test: $count passed"
  elif read -r run wrong < <(sed -nE 's/^Tests run: ([0-9]+),  Failures: ([0-9]+)$/\1 \2/p' "$log"); then
    passed=$((passed + run - wrong)) failed=$((failed + wrong))
    grep -E '^[0-9]+\) ' -A 2 "$log"
    echo "$test: $wrong of $run failed; $log"
  else
    failed=$((failed + 1))
    tail -20 "$log"
    echo "$test: did not run to its end; $log"
  fi
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
