#!/bin/sh
# Starts the server of a build, lists a directory through it over TCP and over UDP. Usage: demo.sh BUILD PATH
set -eu
output=$(mktemp)
"$1/server" > "$output" &
server=$!
trap 'kill $server; rm -f "$output"' EXIT

tries=0
while ! grep -q '^port' "$output"; do
    tries=$((tries + 1))
    [ $tries -lt 100 ] || { echo 'demo: the server does not start' >&2; exit 1; }
    sleep 0.05
done
port=$(sed -n 's/^port //p' "$output")

path=$(cd "$2" && pwd)
for transport in tcp udp; do
    echo "$path, through whittle's stubs over $transport, port $port:"
    "$1/client" $transport "$port" "$path"
    echo
done
