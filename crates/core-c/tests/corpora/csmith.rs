//! csmith's random programs: each prints a checksum of its globals.

use std::fs;

use filetest::oracle;
use filetest::scratch::Scratch;
use libtest_mimic::{Failed, Trial};

use crate::program::{Build, Verdict};
use crate::{compiler, seed};

/// Programs of a run, and of a round of soaking.
const PROGRAMS: u64 = 7;
const PROGRAMS_OF_A_SOAK: u64 = 400;

/// Programs of one trial.
const AT_ONCE: u64 = 4;

/// The random programs of this run; one trial that says so where csmith is absent.
pub(crate) fn trials() -> Vec<Trial> {
    if oracle::find("csmith").is_none() {
        return vec![oracle::absent("corpora: csmith", "csmith")];
    }
    let round = seed().unwrap_or(0);
    let count = if round > 0 { PROGRAMS_OF_A_SOAK } else { PROGRAMS };
    let trial = |number: u64| {
        let first = 100_000 + round * PROGRAMS_OF_A_SOAK + number * AT_ONCE;
        Trial::test(format!("csmith: {first} and on"), move || judge(first..first + AT_ONCE))
    };
    (0..count / AT_ONCE).map(trial).collect()
}

fn judge(seeds: std::ops::Range<u64>) -> Result<(), Failed> {
    let scratch = Scratch::new("core-csmith")?;
    let mut failures = Vec::new();
    for seed in seeds {
        let source = scratch.path().join(format!("random{seed}.c"));
        let mut generate = oracle::command("csmith");
        generate.args(["--seed", &seed.to_string(), "--max-funcs", "5"]).current_dir(scratch.path());
        fs::write(&source, oracle::succeed(&mut generate)?.stdout)?;
        let (compiler, level) = compiler(seed as usize);
        let build = Build { compiler, level, flags: vec!["-I/usr/include/csmith".to_owned()] };
        match build.judge(&source, scratch.path()) {
            // A random program may run for ever.
            Ok(Verdict::Same | Verdict::Unfit) => {}
            Ok(Verdict::Other(why)) => failures.push(format!("csmith --seed {seed}: {why}")),
            Err(why) => failures.push(format!("csmith --seed {seed}: {}", why.message().unwrap_or_default())),
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}
