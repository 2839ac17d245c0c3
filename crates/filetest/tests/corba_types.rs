//! The part of CORBA's run time in C that is types, tested by itself under sanitizers, with both compilers.

use filetest::run_times::RunTime;
use libtest_mimic::Failed;

const TESTS: RunTime =
    RunTime { folder: "runtime/corba/types/tests", target: env!("CARGO_TARGET_TMPDIR"), side_by_side: true };

#[test]
fn values_of_every_type_under_gcc() -> Result<(), Failed> {
    TESTS.passes("gcc", "test")
}

#[test]
fn values_of_every_type_under_clang() -> Result<(), Failed> {
    TESTS.passes_in_a_soak("clang", "test")
}
