#!/bin/sh
# What both ends write, judged by tshark: no message is malformed, and all are RPC to it. Skipped where nothing can be captured.
set -eu
build=$1
# Not one that the system gives to connections: those of other tests may still be closing.
port=$((20000 + $$ % 10000))
capture=$build/judge.pcap
rm -f "$capture"
command -v tshark >/dev/null || { echo "judge is skipped: tshark is not installed"; exit 0; }
timeout 300 tshark -q -i lo -B 64 -f "tcp port $port or udp port $port" -w "$capture" 2>"$build/judge.log" </dev/null &
shark=$!
# It writes the file's head when it has begun.
for try in $(seq 120); do [ -s "$capture" ] && break; kill -0 $shark 2>/dev/null || break; sleep 0.25; done
sleep 0.5
kill -0 $shark 2>/dev/null || { echo "judge is skipped: nothing can be captured here"; exit 0; }
timeout 120 "$build/judge_peers" $port
# What it saw last is in the file a while later.
for try in $(seq 120); do [ "$(grep -aoc "nothing comes behind this" "$capture")" -ge 1 ] && break; sleep 0.25; done
kill $shark
wait $shark || true
tshark -r "$capture" -o rpc.dissect_unknown_programs:TRUE -o rpc.find_fragment_start:TRUE -d "tcp.port==$port,rpc" -d "udp.port==$port,rpc" -Y rpc \
    -T fields -E separator=/t -e rpc.msgtyp -e rpc.state_accept -e rpc.state_auth -e rpc.state_reject -e rpc.auth.flavor -e rpc.auth.uid -e rpc.programversion.max \
    -e _ws.malformed -e _ws.expert.severity >"$build/judge.fields" 2>/dev/null
cat >"$build/judge.awk" <<'END'
function count(field, name,    parts, each) {
    each = split(field, parts, ",")
    for (; each > 0; each--)
        seen[name parts[each]]++
}
BEGIN { FS = "\t" }
{
    count($1, "type "); count($2, "accept "); count($3, "auth "); count($4, "reject "); count($5, "flavor "); count($6, "uid "); count($7, "version ")
    if ($8 != "" || $9 ~ /8388608/)
        faults++
}
END {
    wanted = "type 0;type 1;accept 0;accept 1;accept 2;accept 3;accept 4;accept 5;auth 1;auth 2;auth 3;auth 4;auth 5;auth 6;auth 7;reject 0;reject 1;flavor 0;flavor 1;uid 4711;version 1"
    for (each = split(wanted, all, ";"); each > 0; each--)
        if (!(all[each] in seen)) {
            print "tshark saw no " all[each]
            exit 1
        }
    if (seen["type 0"] < 380 || seen["type 1"] < 380 || faults > 0) {
        print "tshark saw " seen["type 0"] " calls, " seen["type 1"] " replies, " faults " faults"
        exit 1
    }
}
END
awk -f "$build/judge.awk" "$build/judge.fields"
