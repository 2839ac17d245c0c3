//! csmith's random programs: all-known, and under random divisions of their inputs.

use std::fs;
use std::ops::Range;
use std::path::Path;

use filetest::oracle;
use filetest::scratch::Scratch;
use libtest_mimic::{Failed, Trial};

use crate::random::{Subject, judge};
use crate::slice;

/// Programs of a run.
const PROGRAMS: u64 = 2;

/// Programs of one trial.
const AT_ONCE: u64 = 2;

/// Programs that are tried until one can be compared, and how far apart their seeds are.
const ATTEMPTS: u64 = 6;
const FAR: u64 = 100_000_007;

/// Numbers that become inputs in every other program.
const LITERALS: usize = 6;

/// Programs of a round of soaking.
const PROGRAMS_OF_A_SOAK: u64 = 200;

/// What programs hold, kind by kind; they take turns.
const KINDS: [&[&str]; 4] = [
    &["--no-packed-struct", "--no-volatiles", "--no-bitfields"],
    &["--no-packed-struct", "--no-volatiles"],
    &["--no-packed-struct"],
    &[],
];

/// The random programs of this run; one trial that says so where csmith is absent.
pub(crate) fn trials() -> Vec<Trial> {
    if oracle::find("csmith").is_none() {
        return vec![oracle::absent("law: csmith", "csmith")];
    }
    let seeds = slice::seeds(PROGRAMS, PROGRAMS_OF_A_SOAK);
    let last = seeds.end;
    let batch = move |first: u64| {
        let seeds = first..(first + AT_ONCE).min(last);
        Trial::test(format!("csmith: {first} and on"), move || random_programs(seeds))
    };
    seeds.step_by(AT_ONCE as usize).map(batch).collect()
}

fn random_programs(seeds: Range<u64>) -> Result<(), Failed> {
    for seed in seeds {
        // A random program may run for ever; another one takes its place.
        let mut instead = (0..ATTEMPTS).map(|attempt| seed + attempt * FAR);
        if !instead.try_fold(false, |found, seed| Ok::<_, Failed>(found || random_program(seed)? > 0))? {
            return Err(format!("csmith --seed {seed}, and {ATTEMPTS} others: none could be compared").into());
        }
    }
    Ok(())
}

fn random_program(seed: u64) -> Result<usize, Failed> {
    let scratch = Scratch::new("law-csmith")?;
    let source = scratch.path().join("random.c");
    let mut generate = oracle::command("csmith");
    generate.args([
        "--seed",
        &seed.to_string(),
        "--max-funcs",
        "4",
        "--max-block-depth",
        "3",
        "--max-array-len-per-dim",
        "5",
    ]);
    generate.args(KINDS[seed as usize % KINDS.len()]).current_dir(scratch.path());
    fs::write(&source, oracle::succeed(&mut generate)?.stdout)?;
    let header = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/specialize/law");
    let flags = vec![format!("-I{}", header.display()), "-I/usr/include/csmith".to_owned()];
    let shares = vec![0, [10, 30, 60][seed as usize % 3], 100];
    let literals = (seed as usize / KINDS.len() % 2) * LITERALS;
    match judge(&Subject { source, flags, seed, shares, tries: 4, literals }, scratch.path())? {
        Ok(compared) => Ok(compared),
        Err(why) => Err(format!("csmith --seed {seed}: {why}").into()),
    }
}
