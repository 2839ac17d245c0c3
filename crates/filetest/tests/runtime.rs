//! The C that generated files embed, tested by itself under sanitizers, with both compilers.

use filetest::oracle;
use filetest::run_times::RunTime;
use libtest_mimic::{Arguments, Trial};

/// What is tested, by which tests, and the target for a second compiler.
const TESTS: [(&str, RunTime, &str); 2] = [
    ("helpers_work_on_every_stream", tests_of("runtime/tests"), "test"),
    // That peers die and time passes is no matter of compilers.
    ("packets_arrive_or_are_accounted_for", tests_of("runtime/flow/tests"), "some"),
];

const fn tests_of(folder: &'static str) -> RunTime {
    RunTime { folder, target: env!("CARGO_TARGET_TMPDIR"), side_by_side: true }
}

fn main() {
    let trials: Vec<Trial> = TESTS
        .into_iter()
        .flat_map(|(name, tests, second)| {
            [("gcc", "test"), ("clang", second)].map(|(compiler, target)| {
                let run = move || tests.passes(compiler, target);
                oracle::trial(format!("{name}/{compiler}"), &["make", compiler], run)
            })
        })
        .collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}
