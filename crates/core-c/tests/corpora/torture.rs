//! GCC's torture programs: each checks itself and exits with 0.

use std::fs;
use std::path::{Path, PathBuf};

use filetest::scratch::Scratch;
use filetest::torture::flags;
use libtest_mimic::{Failed, Trial};

use crate::program::{Build, Verdict};
use crate::{compiler, wants_all};

/// Programs of one trial.
const AT_ONCE: usize = 40;

/// Of so many programs, one is tried when nobody asks for all.
const ONE_OF: usize = 18;

/// Programs that print addresses, or whose end is no business of theirs.
const DIFFERENT_EACH_TIME: [&str; 1] = ["return-addr"];

/// A trial for each few programs; none where the programs are not there.
pub(crate) fn trials(folder: &Path) -> Vec<Trial> {
    let entries =
        [folder.to_owned(), folder.join("ieee")].into_iter().flat_map(|folder| fs::read_dir(folder).into_iter());
    let mut programs: Vec<PathBuf> = entries.flatten().flatten().map(|entry| entry.path()).collect();
    programs.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    programs.retain(|path| !DIFFERENT_EACH_TIME.contains(&name(path).as_str()));
    programs.sort();
    let numbered: Vec<(usize, PathBuf)> =
        programs.into_iter().enumerate().filter(|(at, _)| wants_all() || at % ONE_OF == 0).collect();
    let batches = numbered.chunks(AT_ONCE).map(<[(usize, PathBuf)]>::to_vec);
    batches.map(|batch| Trial::test(format!("torture: {}", name(&batch[0].1)), move || judge(&batch))).collect()
}

fn name(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn judge(programs: &[(usize, PathBuf)]) -> Result<(), Failed> {
    let scratch = Scratch::new("core-torture")?;
    let mut failures = Vec::new();
    for (number, program) in programs {
        let (compiler, level) = compiler(number / ONE_OF + number);
        let build = Build { compiler, level, flags: flags(program) };
        match build.judge(program, scratch.path()) {
            Ok(Verdict::Same | Verdict::Unfit) => {}
            Ok(Verdict::Other(why)) => failures.push(format!("{}: {why}", name(program))),
            Err(why) => failures.push(format!("{}: {}", name(program), why.message().unwrap_or_default())),
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}
