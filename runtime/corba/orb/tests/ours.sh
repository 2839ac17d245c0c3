#!/bin/sh
# An Echo served and called by our own ORB: each version of GIOP, whole and in fragments, with workers and without; by TCP, through
# shared memory, and by whichever of both a client can.
set -eu
build=$1
reference=$build/ours.ior
tcp="-ORBEndPoint giop:tcp:127.0.0.1:"
near="-ORBEndPoint giop:shm:ours-$$"
for served in "$tcp -ORBWorkers 0" "$tcp -ORBWorkers 3" "$tcp -ORBMaxFragment 2048 -ORBMaxGIOPVersion 1.2" "$tcp -ORBMaxFragment 17000 -ORBWorkers 2" \
    "$tcp -ORBMaxGIOPVersion 1.0" "$near" "$near -ORBWorkers 3" "$near -ORBMaxFragment 2048" "$near $tcp"; do
    rm -f "$reference"
    # The words are options.
    # shellcheck disable=SC2086
    timeout 120 "$build/echo_server" "$reference" $served </dev/null &
    server=$!
    tries=0
    until [ -s "$reference" ]; do
        tries=$((tries + 1))
        [ $tries -lt 600 ] || { echo "the server did not begin"; exit 1; }
        sleep 0.1
    done
    for called in "-ORBMaxGIOPVersion 1.0" "-ORBMaxGIOPVersion 1.1" "-ORBMaxGIOPVersion 1.2" "-ORBMaxFragment 1024" "-ORBMaxFragment 50000" "-ORBTimeout 20000"; do
        # shellcheck disable=SC2086
        timeout 100 "$build/echo_client" "@$reference" $called >/dev/null
    done
    timeout 100 "$build/echo_client" "@$reference" stop >/dev/null
    wait $server
done

# A reference that outlives its server: the next one at the same address is called by it.
port=$((20000 + $$ % 10000))
rm -f "$build/ours.1.ior" "$build/ours.2.ior"
for round in 1 2; do
    timeout 60 "$build/echo_server" "$build/ours.$round.ior" -ORBEndPoint giop:tcp:127.0.0.1:$port </dev/null &
    server=$!
    tries=0
    until [ -s "$build/ours.$round.ior" ]; do
        tries=$((tries + 1))
        [ $tries -lt 600 ] || { echo "the next server did not begin"; exit 1; }
        sleep 0.1
    done
    timeout 60 "$build/echo_client" "@$build/ours.1.ior" small stop >/dev/null
    wait $server
done
