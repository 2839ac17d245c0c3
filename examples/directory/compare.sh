#!/bin/sh
# Marshalling of the two builds, in turns; the median of the rounds. Usage: compare.sh RPCGEN_BUILD WHITTLE_BUILD
set -eu
rounds=15
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT

median() { sort -n "$1" | sed -n "$(((rounds + 1) / 2))p"; }

printf '%-24s%12s%12s%10s\n' 'directory listing' 'rpcgen' 'whittle' 'ratio'
for direction in encode decode; do
    for entries in 16 256; do
        : > "$results/rpcgen"
        : > "$results/whittle"
        round=0
        while [ $round -lt $rounds ]; do
            "$1/timing" $direction $entries >> "$results/rpcgen"
            "$2/timing" $direction $entries >> "$results/whittle"
            round=$((round + 1))
        done
        old=$(median "$results/rpcgen")
        new=$(median "$results/whittle")
        ratio=$(awk "BEGIN { printf \"%.1fx\", $new / $old }")
        printf '%-24s%7s MB/s%7s MB/s%10s\n' "$direction, $entries entries" "$old" "$new" "$ratio"
        echo "$direction ${ratio%x}" >> "$results/ratios"
    done
done

range() { awk -v direction="$1" '$1 == direction { print $2 }' "$results/ratios" | sort -nu | sed -n '1p;1!{$p}' | paste -sd- | sed 's/-/ to /'; }
printf '\nOne description and one C program, built with the routines of both: those of whittle encode %s and decode %s times as fast as those of rpcgen.\n' \
    "$(range encode)" "$(range decode)"
