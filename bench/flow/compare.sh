#!/bin/sh
# Medians of ROUNDS interleaved runs of edges.c, whittle (over TCP without a key) beside by hand, or beside itself with a key: nanoseconds per packet, those of both processes'
# time, and the ratio.
# usage: compare.sh PROGRAM [ROUNDS]
program=$1 rounds=${2:-9}
row() {
    for who in whittle hand; do : > "/tmp/edges-$$-$who"; done
    for round in $(seq "$rounds"); do
        for who in hand whittle; do
            [ "$who $1" = "hand shm" ] || nice -n -19 "$program" $who "$@" >> "/tmp/edges-$$-$who"
        done
    done
    a=$(sort -n "/tmp/edges-$$-whittle" | sed -n "$((rounds / 2 + 1))p") b=$(sort -n "/tmp/edges-$$-hand" | sed -n "$((rounds / 2 + 1))p")
    echo "$* $a ${b:-0 0 0}" | awk '{ printf "%-36s whittle %9.1f (processors %9.1f)  hand %9.1f (%9.1f)", $1 " " $2 " " $3 " B, queue " $5, $6, $7 + $8, $9, $10 + $11
        if ($9 > 0) printf "  speed %.3f", $9 / $6; print "" }'
    rm -f "/tmp/edges-$$-whittle" "/tmp/edges-$$-hand"
}
for way in tcp unix; do
    row $way throughput 4 2000000 64
    row $way throughput 4 20000000 65536
    row $way throughput 152 2000000 64
    row $way throughput 152 2000000 1000
    row $way throughput 12288 50000 64
    for bytes in 4 152 12288; do row $way latency $bytes 5000 64; done
done
for bytes in 4 152 12288; do row shm throughput $bytes 200000 64; row shm latency $bytes 10000 64; done
