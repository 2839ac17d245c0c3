//! csmith's random programs: each prints a checksum of its globals, and leaves the unexpected to the compiler.

use std::fs;

use filetest::oracle;
use filetest::scratch::Scratch;
use libtest_mimic::{Failed, Trial};

use crate::case::{Case, Verdict};
use crate::samples::seed;

/// Programs of a run.
const PROGRAMS: u64 = 8;

/// Programs of a round of soaking.
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
    let batch = |first: u64| {
        let seeds: Vec<u64> = (first..first + AT_ONCE).map(|number| round * PROGRAMS_OF_A_SOAK + number).collect();
        Trial::test(format!("csmith: {} and on", seeds[0]), move || judge(&seeds))
    };
    (0..count / AT_ONCE).map(|number| batch(1 + number * AT_ONCE)).collect()
}

fn judge(seeds: &[u64]) -> Result<(), Failed> {
    let scratch = Scratch::new("csmith")?;
    let mut failures = Vec::new();
    for seed in seeds {
        let source = scratch.path().join(format!("random{seed}.c"));
        let mut generate = oracle::command("csmith");
        generate.args(["--seed", &seed.to_string(), "--max-funcs", "5"]).current_dir(scratch.path());
        fs::write(&source, oracle::succeed(&mut generate)?.stdout)?;
        let compiler = if seed % 2 == 0 { "gcc" } else { "clang" };
        let flags = vec!["-I/usr/include/csmith".to_owned()];
        let case = Case { source, flags, compiler, is_program: true, compares_output: true };
        match case.judge(scratch.path())? {
            // A random program may run for ever.
            Verdict::Same | Verdict::Unfit => {}
            Verdict::Refused(why) | Verdict::Other(why) => failures.push(format!("csmith --seed {seed}: {why}")),
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}
