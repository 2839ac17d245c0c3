#!/bin/sh
# What our ORB writes, judged by tshark: no message is malformed, and all are GIOP to it. Skipped where nothing can be captured.
set -eu
build=$1
# Not one that the system gives to connections: those of other tests may still be closing.
port=$((20000 + $$ % 10000))
reference=$build/judge.ior
capture=$build/judge.pcap
rm -f "$capture"
command -v tshark >/dev/null || { echo "judge is skipped: tshark is not installed"; exit 0; }
timeout 400 tshark -q -i lo -B 64 -f "tcp port $port" -w "$capture" 2>"$build/judge.log" </dev/null &
shark=$!
# It writes the file's head when it has begun.
for try in $(seq 120); do [ -s "$capture" ] && break; kill -0 $shark 2>/dev/null || break; sleep 0.25; done
sleep 0.5
kill -0 $shark 2>/dev/null || { echo "judge is skipped: nothing can be captured here"; exit 0; }
# Starts a server at the port, with these options; done when it has written its reference.
serve() {
    rm -f "$reference"
    timeout 200 "$build/echo_server" "$reference" -ORBEndPoint giop:tcp:127.0.0.1:$port "$@" </dev/null &
    server=$!
    for try in $(seq 240); do [ -s "$reference" ] && break; sleep 0.25; done
}
for options in "-ORBMaxGIOPVersion 1.2" "-ORBMaxGIOPVersion 1.1" "-ORBMaxGIOPVersion 1.0" "-ORBMaxFragment 4096"; do
    # The words are options.
    # shellcheck disable=SC2086
    serve $options
    # shellcheck disable=SC2086
    timeout 120 "$build/echo_client" "@$reference" $options small stop >/dev/null
    wait $server
done
# What it saw last is in the file a while later: a call of an object that nobody has.
serve -ORBMaxGIOPVersion 1.2
timeout 120 "$build/echo_client" "corbaloc::127.0.0.1:$port/nothing_comes_behind_this" small >/dev/null 2>&1 || true
for try in $(seq 120); do grep -aq nothing_comes_behind_this "$capture" && break; sleep 0.25; done
timeout 120 "$build/echo_client" "@$reference" small stop >/dev/null
wait $server
kill $shark
wait $shark || true
tshark -r "$capture" -d "tcp.port==$port,giop" -Y "giop" -T fields -e giop.type -e giop.request_id 2>/dev/null >"$build/judge.messages"
tshark -r "$capture" -d "tcp.port==$port,giop" -Y "_ws.malformed || _ws.expert.severity >= 8388608" 2>/dev/null >"$build/judge.faults"
[ "$(wc -l <"$build/judge.messages")" -gt 300 ] || { echo "tshark saw hardly a message of GIOP"; exit 1; }
if [ -s "$build/judge.faults" ]; then
    echo "tshark finds fault:"
    head "$build/judge.faults"
    exit 1
fi
