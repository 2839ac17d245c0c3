#!/bin/sh
# sysroot.sh ARCH FOLDER: unpacks libtirpc for another machine (a Debian architecture) into FOLDER, from Debian's
# archive, without telling this system's package manager of it. Leaves FOLDER/done behind.
set -eu
arch=$1
folder=$2
[ ! -e "$folder/done" ] || exit 0
# Tests of two programs may begin at the same time.
mkdir -p "$folder"
exec 9>"$folder.lock"
flock 9
[ ! -e "$folder/done" ] || exit 0
mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial" "$folder/apt/etc/preferences.d"
folder=$(cd "$folder" && pwd)
: > "$folder/apt/status"
apt() {
    apt-get -q -o "APT::Architecture=$arch" -o "APT::Architectures=$arch" -o "Dir::State=$folder/apt" \
        -o "Dir::State::Lists=$folder/apt/lists" -o "Dir::State::status=$folder/apt/status" \
        -o "Dir::Cache=$folder/apt/cache" -o Debug::NoLocking=1 -o APT::Sandbox::User= "$@"
}
# One of several indexes may be out of order; what counts is whether the package is found.
apt update || true
cd "$folder"
apt download libtirpc-dev
for package in ./*.deb; do
    dpkg -x "$package" .
done
rm -rf apt ./*.deb
touch done
