#!/bin/sh
# Medians of ROUNDS interleaved runs of edges.c, whittle beside by hand: nanoseconds per packet, and the ratio.
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
    echo "$* $a ${b:-1}" | awk '{ printf "%-40s whittle %9.1f  hand %9.1f  speed %.3f\n", $1 " " $2 " " $3 " B, queue " $5, $6, $7, $7 / $6 }'
    rm -f "/tmp/edges-$$-whittle" "/tmp/edges-$$-hand"
}
for way in tcp unix; do
    row $way throughput 4 2000000 64
    row $way throughput 4 20000000 65536
    row $way throughput 152 2000000 64
    row $way throughput 152 2000000 1000
    row $way throughput 12288 50000 64
    for bytes in 4 152 12288; do row $way latency $bytes 10000 64; done
done
for bytes in 4 152 12288; do row shm throughput $bytes 200000 64; row shm latency $bytes 10000 64; done
