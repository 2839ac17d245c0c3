//! C that others wrote, through Core C and back: what is lowered has no findings, and what is raised from it compiles
//! and does what the original does.
//!
//! GCC's torture programs, csmith's random programs, and whole libraries, where `cargo xtask corpora` put them. A run takes
//! a slice; `SOAK_SEED=n` or `WHITTLE_ALL=1` takes all.

mod csmith;
mod libraries;
mod program;
mod torture;

use std::path::Path;

use filetest::oracle;
use libtest_mimic::{Arguments, Trial};

fn main() {
    let arguments = Arguments::from_args();
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/corpora");
    let mut trials: Vec<Trial> = Vec::new();
    let torture = torture::trials(&corpora.join("gcc-torture"));
    if torture.is_empty() {
        trials.push(oracle::absent("corpora: gcc-torture", "gcc-torture"));
    }
    trials.extend(torture);
    trials.extend(csmith::trials());
    trials.extend(libraries::trials(&corpora));
    libtest_mimic::run(&arguments, trials).exit();
}

/// Which compiler, and how: one of a few, by the number of the case.
fn compiler(number: usize) -> (&'static str, &'static str) {
    [("gcc", "-O0"), ("clang", "-O1"), ("gcc", "-O2"), ("clang", "-O0")][number % 4]
}

/// What a soak gives.
fn seed() -> Option<u64> {
    std::env::var("SOAK_SEED").ok().and_then(|seed| seed.parse().ok())
}

/// True where all cases are wanted.
fn wants_all() -> bool {
    seed().is_some() || std::env::var_os("WHITTLE_ALL").is_some()
}
