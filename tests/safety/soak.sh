#!/bin/sh
# soak.sh HOURS [FIRST-SEED]: the random interfaces and the fuzzers alone, round after round with other seeds.
# (`make soak` runs these with all other random suites.)
set -eu
cd "$(dirname "$0")/../.."
end=$(($(date +%s) + ${1:?hours} * 3600))
seed=${2:-1}
while [ "$(date +%s)" -lt "$end" ]; do
    echo "soak: SOAK_SEED=$seed"
    WHITTLE_FUZZ_INPUTS=3000000 SOAK_SEED=$seed cargo test --release --quiet -p filetest --test safety -- --quiet
    seed=$((seed + 1))
done
