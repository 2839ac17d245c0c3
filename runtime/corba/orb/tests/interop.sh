#!/bin/sh
# Our ORB and omniORB, each at either end: each version of GIOP, fragments both ways, forwarding, names.
set -eu
build=$1
reference=$build/interop.ior
big="-ORBgiopMaxMsgSize 20971520"
port=$((20000 + $$ % 10000))

# Starts a server in the background; done when it has written its reference.
serve() {
    rm -f "$reference"
    timeout 120 "$@" </dev/null >"$build/interop.log" 2>&1 &
    server=$!
    tries=0
    until [ -s "$reference" ]; do
        tries=$((tries + 1))
        [ $tries -lt 600 ] || { echo "did not begin: $*"; cat "$build/interop.log"; exit 1; }
        sleep 0.1
    done
}

# The words of options are many.
# shellcheck disable=SC2086
for version in 1.2 1.1 1.0; do
    # In what way wide texts are sent before 1.2 is another matter.
    case $version in 1.2) width=wide ;; *) width=narrow ;; esac
    serve "$build/omni_server" "$reference" $big -ORBmaxGIOPVersion $version
    for ours in "-ORBMaxGIOPVersion $version" "-ORBMaxFragment 4096" "-ORBTimeout 20000"; do
        timeout 60 "$build/echo_client" "@$reference" $width $ours
    done
    timeout 60 "$build/echo_client" "@$reference" $width stop
    wait $server
    echo "ours calls omniORB, GIOP $version: good"

    # References that tell of shared memory, too, are called by TCP.
    for ours in "-ORBWorkers 0" "-ORBWorkers 3" "-ORBMaxFragment 4096" "-ORBEndPoint giop:shm:interop-$$"; do
        serve "$build/echo_server" "$reference" -ORBEndPoint giop:tcp:127.0.0.1: $ours
        timeout 60 "$build/omni_client" "$reference" $big -ORBmaxGIOPVersion $version $width
        timeout 60 "$build/omni_client" "$reference" $big -ORBmaxGIOPVersion $version $width stop
        wait $server
    done
    echo "omniORB calls ours, GIOP $version: good"
done >"$build/interop.out"

# shellcheck disable=SC2086
serve "$build/omni_server" "$reference" forward $big
timeout 60 "$build/echo_client" "@$reference" stop >>"$build/interop.out"
wait $server

rm -rf "$build/names"
mkdir -p "$build/names"
timeout 60 omniNames -start $port -logdir "$build/names" >"$build/names/log" 2>&1 </dev/null &
names=$!
trap 'kill $names' EXIT
tries=0
until grep -q "Checkpointing completed" "$build/names/log"; do
    tries=$((tries + 1))
    [ $tries -lt 600 ] || { echo "omniNames did not begin"; cat "$build/names/log"; exit 1; }
    sleep 0.1
done
# shellcheck disable=SC2086
serve "$build/omni_server" "$reference" bind -ORBInitRef NameService=corbaloc::127.0.0.1:$port/NameService $big
timeout 60 "$build/echo_client" "corbaname::127.0.0.1:$port#test/echo.object" >>"$build/interop.out"
timeout 60 "$build/echo_client" "corbaname::127.0.0.1:$port#te%73t/ech\\o.object" >>"$build/interop.out"
timeout 60 "$build/echo_client" "corbaname:rir:#test/echo.object" -ORBInitRef NameService=corbaloc:iiop:1.2@127.0.0.1:$port/NameService \
    >>"$build/interop.out"
timeout 60 "$build/echo_client" "corbaname:rir:#test/echo.object" stop -ORBDefaultInitRef corbaloc::127.0.0.1:$port >>"$build/interop.out"
wait $server
if "$build/echo_client" "corbaname::127.0.0.1:$port#test/nothing" 2>/dev/null >>"$build/interop.out"; then
    echo "a name that nobody bound was found"
    exit 1
fi
