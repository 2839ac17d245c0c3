//! GCC's torture programs: each checks itself and exits with 0.

use std::fs;
use std::path::{Path, PathBuf};

use filetest::scratch::Scratch;
use filetest::torture::flags;
use libtest_mimic::{Failed, Trial};

use crate::case::{Case, Verdict};
use crate::samples::sample;

/// Programs of one trial.
const AT_ONCE: usize = 40;

/// Of so many programs, one is tried when nobody asks for all.
const ONE_OF: usize = 16;

/// Programs that clang refuses, and the front end with it.
const REFUSED: &str = include_str!("refused.txt");

/// A trial for each few programs; none where the programs are not there.
pub(crate) fn trials(folder: &Path) -> Vec<Trial> {
    let mut programs: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    programs.extend(fs::read_dir(folder.join("ieee")).into_iter().flatten().flatten().map(|entry| entry.path()));
    programs.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    programs.sort();
    let programs = sample(programs, ONE_OF);
    let batches = programs.chunks(AT_ONCE).map(<[PathBuf]>::to_vec);
    batches.map(|batch| Trial::test(format!("torture: {}", name(&batch[0])), move || judge(&batch))).collect()
}

fn name(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn judge(programs: &[PathBuf]) -> Result<(), Failed> {
    let scratch = Scratch::new("torture")?;
    let mut failures = Vec::new();
    for program in programs {
        let case = Case {
            source: program.clone(),
            flags: flags(program),
            compiler: "gcc",
            is_program: true,
            compares_output: false,
        };
        let is_known = REFUSED.lines().any(|line| line.split_whitespace().next() == Some(&name(program)));
        match case.judge(scratch.path())? {
            Verdict::Same | Verdict::Unfit => {}
            Verdict::Refused(_) if is_known => {}
            Verdict::Refused(why) => failures.push(format!("{} refused: {why}", name(program))),
            Verdict::Other(why) => failures.push(format!("{}: {why}", name(program))),
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}
