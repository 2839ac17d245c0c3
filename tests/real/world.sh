#!/bin/sh
# A machine of its own, for `unshare --net --mount --pid --fork --kill-child sh world.sh COMMAND...`: its network is
# loopback alone, its /run is empty, its /dev has a log that nobody reads. rpcbind serves it. When
# COMMAND ends, so does everything in it.
set -e
PATH=$PATH:/usr/sbin:/sbin
mount --make-rprivate /
mount -t proc proc /proc
mount -t tmpfs none /run
mkdir /run/dev
for device in null zero full random urandom tty; do cp -a /dev/$device /run/dev/; done
: >/run/dev/log
mount --rbind /run/dev /dev
: >/run/utmp
ip link set lo up
rpcbind -f &
tries=0
until rpcinfo -p 127.0.0.1 >/dev/null 2>&1; do
    tries=$((tries + 1))
    [ $tries -lt 100 ] || { echo "rpcbind does not answer" >&2; exit 1; }
    sleep 0.1
done
exec "$@"
