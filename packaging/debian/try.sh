#!/bin/sh
# try.sh FILE.deb: installs a package into an overlay of this system, as root, and uses it there: commands, manual, and the sample project by
# make, CMake and Meson. Nothing of the system is changed, and all of it is gone with the script.
set -eu
if [ "${2-}" != inside ]; then
    exec unshare --mount --pid --fork --kill-child "$0" "$(realpath "$1")" inside
fi
package=$1
mount --make-rprivate /
mount -t tmpfs none /mnt
mkdir /mnt/upper /mnt/work /mnt/top
mount -t overlay -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work overlay /mnt/top
mount -t proc none /mnt/top/proc
mount --rbind /dev /mnt/top/dev
cp "$package" /mnt/top/tmp/whittle.deb

exec chroot /mnt/top /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp LC_ALL=C.UTF-8 sh -eu -c '
mkdir /tmp/try-whittle
cd /tmp/try-whittle
# Without triggers: rebuilding the index of all manual pages takes a minute on some machines.
dpkg --no-triggers -i /tmp/whittle.deb
whittle --version
whittle-rpcgen --version
test "$(readlink -f /usr/lib/whittle/bin/rpcgen)" = /usr/bin/whittle
man -w whittle-compile > /dev/null
call() {
    "$1/server" tcp://127.0.0.1 > address &
    server=$!
    for try in 1 2 3 4 5 6 7 8 9 10; do [ -s address ] || sleep 0.2; done
    test "$("$1/client" "$(cat address)")" = "harbour: 4.2"
    kill $server
    wait $server
    rm address
}
cp -r /usr/share/doc/whittle/examples/station station
make -s -C station
call station
cmake -S station -B by-cmake > /dev/null
cmake --build by-cmake > /dev/null
call by-cmake
meson setup by-meson station > /dev/null
meson compile -C by-meson > /dev/null
call by-meson
dpkg --no-triggers -r whittle > /dev/null
test ! -e /usr/bin/whittle
echo "the package is installed, used and removed"
'
