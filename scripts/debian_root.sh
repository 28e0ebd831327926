#!/bin/bash
# debian_root.sh ARCHITECTURE FOLDER [PACKAGE...]: Debian's packages of another architecture (arm64, armhf, i386),
# unpacked in FOLDER: by default the libraries that the project links, for cross compilers.
# Downloaded by name; the system's package lists stay as they are. Does nothing when the folder is complete.
# DEBIAN_RELEASE=trixie: packages of another release than the system's.
set -euo pipefail
architecture=$1 root=$2
shift 2
packages=${*:-libhwy-dev libhwy1 libgtest-dev zlib1g zlib1g-dev libpng16-16 libpng-dev libjpeg62-turbo libjpeg62-turbo-dev libeigen3-dev}

[ -f "$root/complete" ] && exit 0
echo "downloading Debian packages for $architecture into $root: $packages"
mkdir -p "$root"
apt=$(mktemp -d)
trap 'rm -rf "$apt"' EXIT
mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$apt/debs"
options=(-qq -o "APT::Architecture=$architecture" -o "APT::Architectures=$architecture" -o "Dir::State::lists=$apt/lists"
         -o "Dir::State::status=/dev/null" -o "Dir::Cache=$apt" -o "Dir::Cache::archives=$apt/archives"
         -o APT::Sandbox::User=root)
if [ -n "${DEBIAN_RELEASE:-}" ]; then
  # shellcheck source=/dev/null
  own=$(. /etc/os-release && echo "$VERSION_CODENAME")
  mkdir "$apt/sources"
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
    name=$(basename "$file")
    [ "$name" != sources.list ] || name=system.list
    [ ! -f "$file" ] || sed "s/\b$own\b/$DEBIAN_RELEASE/g" "$file" > "$apt/sources/$name"
  done
  options+=(-o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$apt/sources")
fi
# An index that a mirror is just changing is no reason to stop: a package that is missing then is.
apt-get "${options[@]}" update || true
(cd "$apt/debs" && apt-get "${options[@]}" download $packages)
for package in "$apt"/debs/*.deb; do dpkg-deb -x "$package" "$root"; done
# A link such as libz.so -> /lib/... would lead out of the folder, and the static library would be taken instead.
find "$root" -type l -lname '/*' | while read -r link; do ln -sfnr "$root$(readlink "$link")" "$link"; done
touch "$root/complete"
