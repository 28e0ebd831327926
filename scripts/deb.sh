#!/bin/bash
# deb.sh: Debian packages of this tree in dist/deb (packaging/debian says which), checked by lintian.
# They are built in build-deb/ (or WICK_DEB_FOLDER), from the files that git knows or would add. DEB_BUILD_OPTIONS, DEB_HOST_ARCH and the
# variables of dpkg-buildflags work as usual.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-2}
version=$(python3 scripts/version.py)
folder=${WICK_DEB_FOLDER:-$PWD/build-deb}
tree=$folder/wick-$version
out=$PWD/dist/deb

# The build folder of an earlier run stays: what did not change is not compiled again.
mkdir -p "$tree" "$out"
find "$tree" -mindepth 1 -maxdepth 1 ! -name 'obj-*' -exec rm -rf {} +
git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do
  [ ! -e "$file" ] || printf '%s\0' "$file"
done | tar -c --null -T - | tar -x -C "$tree"
cp -r packaging/debian "$tree/debian"
WICK_COMMIT=${WICK_COMMIT:-$(git rev-parse --short=12 HEAD)}
export WICK_COMMIT
if command -v ccache > /dev/null; then  # debhelper gives builds a home folder of their own
  CCACHE_DIR=$(ccache -k cache_dir)
  export CCACHE_DIR CCACHE_BASEDIR=/ CCACHE_NOHASHDIR=1
fi

# Times that depend on when it is built would be the only difference between two builds.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
export DEB_BUILD_OPTIONS="parallel=$jobs ${DEB_BUILD_OPTIONS:-}"
(cd "$tree" && dpkg-buildpackage -b -us -uc --jobs="$jobs")
rm -f "$out"/*
find "$folder" -maxdepth 1 \( -name '*.deb' -o -name '*.changes' -o -name '*.buildinfo' \) -exec mv {} "$out" \;
# A first version closes a wish of Debian's where it is uploaded to Debian.
lintian --allow-root --suppress-tags initial-upload-closes-no-bugs --fail-on error,warning --tag-display-limit 0 "$out"/*.changes
ls -l "$out"
