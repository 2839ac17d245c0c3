//! The run time of ONC links in C, tested by itself under sanitizers: with our own peers, with libtirpc, rpcbind and tshark.

use filetest::oracle;
use filetest::run_times::RunTime;
use libtest_mimic::Failed;

const TESTS: RunTime =
    RunTime { folder: "runtime/onc/tests", target: env!("CARGO_TARGET_TMPDIR"), side_by_side: false };

/// Libtirpc's interface over it.
const RPC: RunTime = RunTime { folder: "runtime/rpc/tests", target: env!("CARGO_TARGET_TMPDIR"), side_by_side: true };

#[test]
fn programs_for_libtirpc_call_and_serve_under_gcc() -> Result<(), Failed> {
    RPC.passes("gcc", "test")
}

#[test]
fn programs_for_libtirpc_call_and_serve_under_clang() -> Result<(), Failed> {
    RPC.passes_in_a_soak("clang", "test")
}

#[test]
fn procedures_are_called_and_served_under_gcc() -> Result<(), Failed> {
    TESTS.passes("gcc", if oracle::is_soak() { "all" } else { "test" })
}

#[test]
fn procedures_are_called_and_served_under_clang() -> Result<(), Failed> {
    TESTS.passes_in_a_soak("clang", "some")
}
