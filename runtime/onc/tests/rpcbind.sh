#!/bin/sh
# Registers a server with rpcbind, in a network and a /run of their own, and lets rpcinfo look. Skipped where there can be none.
set -eu
build=$1
for program in rpcbind rpcinfo unshare ip; do
    command -v $program >/dev/null || { echo "rpcbind is skipped: $program is not installed"; exit 0; }
done
unshare -n -m true 2>/dev/null || { echo "rpcbind is skipped: no network of its own can be made here"; exit 0; }
exec timeout 120 unshare -n -m sh -eu -c '
build=$1
ip link set lo up
mount -t tmpfs none /run
"$build/rpcbind_test" nobody
rpcbind -f -w >"$build/rpcbind.log" 2>&1 </dev/null &
bound=$!
trap "kill $bound" EXIT
for try in $(seq 200); do rpcinfo >/dev/null 2>&1 && break; sleep 0.1; done
: >"$build/rpcbind.said"   # what an earlier run has said is not of this one
mkfifo /run/asks
exec 3<>/run/asks
"$build/rpcbind_test" serve </run/asks >"$build/rpcbind.said" 3>&- &
tested=$!
until grep -q registered "$build/rpcbind.said"; do kill -0 $tested; sleep 0.05; done
rpcinfo -s >"$build/rpcbind.list"
grep "536893048" "$build/rpcbind.list" | grep -q "tcp6,udp6\|udp6,tcp6\|local" || { cat "$build/rpcbind.list"; exit 1; }
rpcinfo -T tcp 127.0.0.1 536893048 1 | grep -q "ready and waiting"
rpcinfo -T udp 127.0.0.1 536893048 1 | grep -q "ready and waiting"
rpcinfo -T tcp6 ::1 536893048 1 | grep -q "ready and waiting"
rpcinfo -T udp6 ::1 536893048 1 | grep -q "ready and waiting"
rpcinfo -l 127.0.0.1 536893048 1 | grep -q "536893048 *1"
rpcinfo -T tcp 127.0.0.1 536893048 | grep -q "version 1 ready and waiting"
if rpcinfo -T tcp 127.0.0.1 536893048 9 >/dev/null 2>&1; then exit 1; fi
rpcinfo -p >"$build/rpcbind.ports"
grep -q "536893048 *1 *tcp" "$build/rpcbind.ports"
echo >&3
wait $tested
' sh "$build"
