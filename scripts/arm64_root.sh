#!/bin/bash
# arm64_root.sh FOLDER: Debian's packages of the libraries for 64-bit ARM, unpacked in FOLDER for cross compilers.
# Downloaded by name; the system's package lists stay as they are. Does nothing when the folder is complete.
set -euo pipefail
root=$1
packages="libhwy-dev libhwy1 libgtest-dev zlib1g zlib1g-dev libpng16-16 libpng-dev libjpeg62-turbo libjpeg62-turbo-dev libeigen3-dev"

[ -f "$root/complete" ] && exit 0
echo "downloading Debian packages for arm64 into $root: $packages"
mkdir -p "$root"
apt=$(mktemp -d)
trap 'rm -rf "$apt"' EXIT
mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$apt/debs"
options=(-qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o "Dir::State::lists=$apt/lists"
         -o "Dir::State::status=/dev/null" -o "Dir::Cache=$apt" -o "Dir::Cache::archives=$apt/archives"
         -o APT::Sandbox::User=root)
apt-get "${options[@]}" update
(cd "$apt/debs" && apt-get "${options[@]}" download $packages)
for package in "$apt"/debs/*.deb; do dpkg-deb -x "$package" "$root"; done
# A link such as libz.so -> /lib/... would lead out of the folder, and the static library would be taken instead.
find "$root" -type l -lname '/*' | while read -r link; do ln -sfnr "$root$(readlink "$link")" "$link"; done
touch "$root/complete"
