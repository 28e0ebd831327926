#!/bin/bash
# build_pytorch_android.sh [ABI[,ABI...]]: the AARs of org.pytorch and org.pytorch.torchvision, where PyTorch's build
# leaves them: android/pytorch_android/build/outputs/aar/pytorch_android-release.aar and
# android/pytorch_android_torchvision/build/outputs/aar/pytorch_android_torchvision-release.aar.
#
# android/maven is a Maven repository of both.
#
# ABIs: armeabi-v7a,arm64-v8a,x86,x86_64 (all of them by default). The variables of build_android.sh hold for each.
# Neither Gradle nor Android's SDK is used; a JDK and Maven make the classes. Without ANDROID_NDK there are no libraries
# for Android: then the jars and this machine's library are made, and AARs of the classes alone, named -incomplete.
set -eu
begin=$SECONDS
root=$(cd "$(dirname "$0")/.." && pwd)
known="armeabi-v7a arm64-v8a x86 x86_64"
abis=${1:-${known// /,}}
echo "ABIS_LIST:$abis"
[ $# -eq 0 ] || echo "CUSTOM_ABIS_LIST:true"
for abi in ${abis//,/ }; do
  case " $known " in
    *" $abi "*) ;;
    *) echo "build_pytorch_android.sh: $abi is none of ${known// /, }"; exit 1 ;;
  esac
done
version=$(sed -n 's/^project(wick VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
outputs=$root/android/pytorch_android/build/outputs/aar
vision_outputs=$root/android/pytorch_android_torchvision/build/outputs/aar
rm -rf "$outputs" "$vision_outputs"
kind=release
jni=() vision_jni=()

if [ -n "${ANDROID_NDK:-}" ]; then
  staged=$root/android/build
  rm -rf "$staged"
  ndk=$(sed -n 's/^Pkg.Revision *= *\([0-9]*\).*/\1/p' "$ANDROID_NDK/source.properties")
  tools=$(echo "$ANDROID_NDK"/toolchains/llvm/prebuilt/*/)
  for abi in ${abis//,/ }; do
    echo "abi:$abi"
    build=$root/build_android_$abi
    ANDROID_ABI=$abi BUILD_ROOT=$build "$root/scripts/build_android.sh"
    echo "$abi build output lib,include at $build/install"
    mkdir -p "$staged/jni/$abi" "$staged/vision_jni/$abi"
    for name in pytorch_jni pytorch_jni_lite; do
      "$tools/bin/llvm-strip" --strip-unneeded -o "$staged/jni/$abi/lib$name.so" "$build/install/lib/lib$name.so"
    done
    "$tools/bin/llvm-strip" --strip-unneeded -o "$staged/vision_jni/$abi/libpytorch_vision_jni.so" \
      "$build/install/lib/libpytorch_vision_jni.so"
    case $abi in
      armeabi-v7a) triple=arm-linux-androideabi ;;
      arm64-v8a) triple=aarch64-linux-android ;;
      x86) triple=i686-linux-android ;;
      x86_64) triple=x86_64-linux-android ;;
    esac
    "$root/scripts/check_elf.py" --sysroot "$tools/sysroot/usr/lib/$triple/21" --exports JNI_OnLoad \
      "$staged/jni/$abi"/*.so "$staged/vision_jni/$abi"/*.so
    headers=$build/install/include
  done
  jni=(--jni "$staged/jni" --prefab pytorch_jni --headers "$headers" --ndk "$ndk")
  vision_jni=(--jni "$staged/vision_jni" --ndk "$ndk")
  (cd "$root/java" && mvn -q -B -ntp package -DskipTests -pl pytorch_android,torchvision)
else
  echo "ANDROID_NDK not set: no library for Android is built. What is made: the jars, this machine's library, and AARs"
  echo "without native code, named -incomplete. Set ANDROID_NDK to the NDK's directory for whole ones."
  kind=incomplete
  cmake -S "$root" --preset release -DWICK_JAVA=ON > /dev/null
  cmake --build "$root/build" -j "${MAX_JOBS:-$(nproc)}" --target java_libraries
  (cd "$root/java" && mvn -q -B -ntp package -DskipTests)
fi

maven=()
[ $kind = incomplete ] || maven=(--maven "$root/android/maven")
rules=$root/java/pytorch_android/src/main/resources/META-INF/proguard/pytorch_android.pro
"$root/scripts/make_aar.py" "$outputs/pytorch_android-$kind.aar" --package org.pytorch \
  --coordinate "wick:pytorch_android:$version" --classes "$root/java/pytorch_android/target/pytorch_android-$version.jar" \
  --proguard "$rules" "${jni[@]}" "${maven[@]}"
"$root/scripts/make_aar.py" "$vision_outputs/pytorch_android_torchvision-$kind.aar" --package org.pytorch.torchvision \
  --coordinate "wick:pytorch_android_torchvision:$version" --depends "wick:pytorch_android:$version" \
  --classes "$root/java/torchvision/target/pytorch_android_torchvision-$version.jar" --proguard "$rules" \
  "${vision_jni[@]}" "${maven[@]}"
minutes=$(((SECONDS - begin) / 60)) seconds=$(((SECONDS - begin) % 60))
echo "BUILD SUCCESSFUL in $([ $minutes = 0 ] || echo "${minutes}m ")${seconds}s"
cd "$root"
set -x
find android -type f -name '*aar' | xargs ls -lah
