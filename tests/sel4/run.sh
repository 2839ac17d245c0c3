#!/bin/sh
# Builds a root task of seL4 from stubs that whittle makes of bank.idl, and boots it under emulation: run.sh CHECK WORKDIR WHITTLE,
# where CHECK is the harness that builds a kernel around a root task (ROOT=, ROOT_FLAGS=). Prints instructions a call, and PASS.
set -eu
check=$1 work=$2 whittle=$3
tests=$(cd "$(dirname "$0")/.." && pwd)
stubs=$work.stubs
rm -rf "$stubs"
mkdir -p "$stubs"
"$whittle" compile "$tests/fluke/bank.idl" --style plain --link fluke --out "$stubs"
# Built-in functions are needed, or a word that is copied is a call; there is no library for atomic operations.
flags="-fbuiltin -mno-outline-atomics -DWHITTLE_FLUKE_KERNEL=\"whittle_fluke_sel4.h\" -I$stubs -I$tests/sel4/include"
ROOT=$tests/sel4/root.c ROOT_FLAGS="$flags $stubs/bank_client.c $stubs/bank_server.c $stubs/bank_types.c $stubs/whittle_fluke.c $tests/sel4/library.c" \
	"$check" arm "$work"
