#!/bin/bash
# check_apple.sh [macos|ios]...: compiles every source of the runtime for 64-bit ARM macOS, linked into a dylib, and for
# iOS (compiled alone: Apple's libraries are needed to link there). Nothing here runs what it makes.
# The compiler is zig's clang, which brings Apple's public headers (PyPI's ziglang, in build-apple/venv); Highway comes
# from Debian's source package, zlib's and Eigen's headers from Debian's packages (scripts/deps.sh apple).
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-/usr/bin/python3}
jobs=${JOBS:-2}
work=$PWD/build-apple
platforms=("$@")
[ $# -gt 0 ] || platforms=(macos ios)
mkdir -p "$work"

if [ ! -x "$work/venv/bin/python" ] || ! "$work/venv/bin/python" -m ziglang version > /dev/null 2>&1; then
  "$python" -m venv "$work/venv"
  "$work/venv/bin/pip" install -q ziglang
fi
zig=$("$work/venv/bin/python" -c 'import pathlib, ziglang; print(pathlib.Path(ziglang.__file__).parent)')

highway=$work/highway-source
if [ ! -f "$highway/hwy/highway.h" ]; then
  tarball=$("$python" -c 'import sys; sys.path.insert(0, "scripts"); import pytorch_source
print(pytorch_source.fetch(sys.argv[1], "highway"))' "$work/highway")
  mkdir -p "$highway"
  tar xf "$tarball" -C "$highway" --strip-components=1
fi

# zlib is part of Apple's systems: its header, and a library that names its functions and holds none.
mkdir -p "$work/zlib"
cp -L /usr/include/zlib.h "$(dpkg -L zlib1g-dev | grep '/zconf\.h$' | head -1)" "$work/zlib/"
functions=$(nm -D --defined-only "$(ldconfig -p | awk '$1 == "libz.so.1" { print $NF; exit }')" |
            awk '$2 == "T" { sub(/@.*/, "", $3); print "_" $3 }' | sort -u | paste -sd, -)
cat > "$work/zlib/libz.tbd" << END
--- !tapi-tbd
tbd-version: 4
targets: [ arm64-macos ]
install-name: '/usr/lib/libz.1.dylib'
exports:
  - targets: [ arm64-macos ]
    symbols: [ $functions ]
...
END

# tool NAME WORDS...: a program of that name for CMake.
tool() {
  printf '#!/bin/sh\nexec %s "$@"\n' "${*:2}" > "$tools/$1"
  chmod +x "$tools/$1"
}

# The functions of the C API that a list of symbols must have.
check_symbols() {
  local missing
  missing=$(comm -23 <(sed 's/^/_/' tests/abi/wick_c_symbols.txt | LC_ALL=C sort) <(LC_ALL=C sort "$1"))
  if [ -n "$missing" ]; then
    echo "check_apple.sh: the library lacks $missing" >&2
    return 1
  fi
}

for platform in "${platforms[@]}"; do
  build=$work/$platform
  tools=$build/tools
  mkdir -p "$tools"
  case $platform in
    macos)
      tool c++ "$zig/zig" c++ -target aarch64-macos.11.0
      settings=(-DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG" -DBUILD_SHARED_LIBS=ON) ;;
    ios)
      tool c++ "$zig/zig" c++ -target aarch64-ios.13.0 -isystem "$zig/lib/libcxx/include" \
        -isystem "$zig/lib/libc/include/any-darwin-any"
      settings=(-DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS_DEBUG=-O0 -DNDEBUG" -DBUILD_SHARED_LIBS=OFF
                -DCMAKE_CXX_COMPILER_WORKS=ON -DCMAKE_HAVE_LIBC_PTHREAD=ON) ;;
    *) echo "check_apple.sh: '$platform' is neither macos nor ios" >&2; exit 2 ;;
  esac
  tool ar "$zig/zig" ar
  tool ranlib "$zig/zig" ranlib
  tool install_name_tool true
  cmake -S . -B "$build" -G Ninja -DCMAKE_SYSTEM_NAME=Darwin -DCMAKE_SYSTEM_PROCESSOR=arm64 \
    -DCMAKE_CXX_COMPILER="$tools/c++" -DCMAKE_AR="$tools/ar" -DCMAKE_RANLIB="$tools/ranlib" \
    -DCMAKE_INSTALL_NAME_TOOL="$tools/install_name_tool" -DCMAKE_CXX_COMPILER_LAUNCHER=env -DCMAKE_OSX_SYSROOT= \
    -DWICK_RUNTIME_ONLY=ON -DWICK_HIGHWAY_SOURCE="$highway" -DZLIB_INCLUDE_DIR="$work/zlib" \
    -DZLIB_LIBRARY="$work/zlib/libz.tbd" -DEigen3_DIR=/usr/share/eigen3/cmake "${settings[@]}" > "$build/configure.log"
  python3 scripts/generate_at.py --output "$build/compat" > /dev/null
  cmake --build "$build" -j "$jobs" --target wick_runtime > "$build/build.log" || { tail -40 "$build/build.log" >&2; exit 1; }
  # LibTorch's headers and what is behind them, which WICK_RUNTIME_ONLY leaves out.
  for source in compat/src/*.cpp "$build"/compat/src/*.cpp; do
    object=$build/compat/$(basename "$source").o
    "$tools/c++" -std=c++20 -w -O0 -fno-strict-aliasing -Icompat/src -Isrc -Icompat/include -Iinclude \
      -I"$build/compat/include" -I"$build/generated/include" -I"$work/zlib" -c "$source" -o "$object" \
      2> "$build/compat.log" || { tail -20 "$build/compat.log" >&2; exit 1; }
  done
  library=$(find "$build/lib" -maxdepth 1 -type f -name 'libwick_runtime*' | head -1)
  # Both forms list their global symbols with the type T.
  ${NM:-llvm-nm} --extern-only --defined-only "$library" 2> /dev/null | awk '$2 == "T" { print $3 }' > "$build/symbols"
  check_symbols "$build/symbols"
  echo "$platform: $(find "$build" -name '*.cpp.o' | wc -l) sources compiled, $(basename "$library")" \
       "$(wc -c < "$library") bytes, $(grep -c '^_wick_' "$build/symbols") functions of the C API"
done
