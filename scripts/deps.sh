#!/bin/sh
# deps.sh GROUP: installs the Debian packages of a group that are missing, without asking. On macOS: what the libraries,
# the command and the unit tests need, by Homebrew.
set -eu

if [ "$(uname)" = Darwin ]; then
  command -v brew > /dev/null || exit 0
  for package in cmake ninja pkgconf highway eigen libpng jpeg-turbo googletest; do
    brew list "$package" > /dev/null 2>&1 || brew install --quiet "$package"
  done
  exit 0
fi

build="g++ python3 cmake ninja-build pkg-config zlib1g-dev libhwy-dev libeigen3-dev libpng-dev libjpeg-dev libgtest-dev"
parity="python3 python3-torch python3-torchvision python3-numpy"
bench="python3-venv python3-matplotlib"
size="clang-19 lld-19 llvm-19 g++-aarch64-linux-gnu"
libcxx="clang-19 libc++-19-dev libc++abi-19-dev"  # the C++ library of Android's NDK and of Apple
arm64="g++-aarch64-linux-gnu qemu-user"
arm32="g++-arm-linux-gnueabihf qemu-user"
x86="g++-i686-linux-gnu qemu-user"
fuzz="clang libclang-rt-14-dev"
lint="clang-format clang-tidy"
apple="python3-venv llvm"
python="python3-venv python3-dev python3-numpy"
swift="mmdebstrap debian-archive-keyring"  # the keys of Debian's packages, which Ubuntu lacks
objc="clang gobjc++ libgnustep-base-dev gnustep-base-runtime gnustep-make libobjc-12-dev ruby"
site="python3-venv openjdk-17-jdk-headless maven chromium fonts-dejavu-core"
pages="python3-venv chromium chromium-driver fonts-dejavu-core"
vulkan="libvulkan-dev glslang-tools mesa-vulkan-drivers vulkan-validationlayers"  # a device on the processor, for tests
packages="$vulkan debhelper dpkg-dev lintian mmdebstrap debian-archive-keyring git"
workflows="python3-venv shellcheck ca-certificates"
java="openjdk-17-jdk-headless maven"
apk="aapt android-framework-res"  # aapt2 and what resources are linked with
case "$1" in
  build) wanted="$build" ;;
  unit) wanted="$build"; [ "${CXX:-g++}" != clang++ ] || wanted="$build clang" ;;
  gpu) wanted="$build $vulkan" ;;
  parity) wanted="$build $parity" ;;
  size) wanted="$build $size" ;;
  arm64) wanted="$build $arm64" ;;
  java-on) wanted="$build $arm32 $arm64 $x86 $java" ;;
  bench-arm64) wanted="$build $parity $size $arm64" ;;
  bench) wanted="$build $parity $bench" ;;
  fuzz) wanted="$build $fuzz" ;;
  libcxx) wanted="$build $java $libcxx" ;;
  lint) wanted="$build $lint" ;;
  apple) wanted="$build $apple" ;;
  swift) wanted="$build $swift" ;;
  objc) wanted="$build $parity $objc" ;;
  packages) wanted="$build $packages" ;;
  package-tests) wanted="$build $packages python3-venv" ;;
  workflows) wanted="$workflows" ;;
  java) wanted="$build $java" ;;
  apps) wanted="$build $java $apk" ;;
  train-apps) wanted="$parity python3-pil" ;;
  python) wanted="$build $python" ;;
  site) wanted="$build $site" ;;
  pages) wanted="$build $pages" ;;
  test) wanted="$build $parity $size $fuzz $java $apk $python $objc $vulkan" ;;
  *) echo "deps.sh: unknown group '$1'" >&2; exit 2 ;;
esac

command -v dpkg-query > /dev/null || exit 0
missing=""
for package in $wanted; do
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2> /dev/null)" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

echo "installing Debian packages:$missing"
sudo=""
[ "$(id -u)" = 0 ] || sudo=sudo
export DEBIAN_FRONTEND=noninteractive
install() { $sudo apt-get install -qq -y --no-install-recommends $missing > /dev/null; }
# The package lists may be absent or stale: refresh them only when the first try fails.
install 2> /dev/null || { $sudo apt-get update -qq && install; }
