//! GCC's torture programs, in which everything is known: `main` is specialized from the program's start. Each checks
//! itself and exits with 0, and so must what is left of it.

use std::fs;
use std::path::{Path, PathBuf};

use filetest::scratch::Scratch;
use filetest::torture::flags;
use libtest_mimic::{Failed, Trial};

use crate::plain;
use crate::program::{A_RESIDUAL_RUN, A_RUN, BUILDS, Build, Ending, WORK, run};
use crate::refusals;
use crate::slice::{sample, seed};
use crate::worker::{ENDLESS, Outcome, Request, specialize};

/// Programs of one trial.
const AT_ONCE: usize = 10;

/// Of so many programs, one is tried when nobody asks for all.
const ONE_OF: usize = 90;

/// Programs that C says nothing about: which functions are called how often (`-finstrument-functions`), and from where
/// (`__builtin_return_address`), what a library's function does that the program defines itself (C11 section 7.1.3), what
/// comes of a division by zero.
const OUTSIDE: [&str; 5] = ["eeprof-1", "pr17377", "20010122-1", "20021127-1", "20101011-1"];

/// A trial for each few programs; none where the programs are not there.
pub(crate) fn trials(folder: &Path) -> Vec<Trial> {
    let programs = sample(programs(folder), ONE_OF);
    let batches = programs.chunks(AT_ONCE).map(<[PathBuf]>::to_vec);
    batches.map(|batch| Trial::test(format!("torture: {}", name(&batch[0])), move || judge(&batch))).collect()
}

/// `WHITTLE_ONLY=name,name` takes just these.
pub(crate) fn programs(folder: &Path) -> Vec<PathBuf> {
    let entries = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut programs: Vec<PathBuf> = entries(folder).chain(entries(&folder.join("ieee"))).collect();
    programs.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    programs.retain(|path| !OUTSIDE.contains(&&*name(path)));
    programs.sort();
    if let Ok(only) = std::env::var("WHITTLE_ONLY") {
        programs.retain(|path| only.split(',').any(|wanted| wanted == name(path)));
    }
    programs
}

pub(crate) fn name(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn judge(programs: &[PathBuf]) -> Result<(), Failed> {
    let scratch = Scratch::new("law-torture")?;
    let mut failures = Vec::new();
    for (at, program) in programs.iter().enumerate() {
        // Without time for all builds, each program gets another one.
        let chosen = [BUILDS[at % BUILDS.len()]];
        let builds: &[Build] = if seed().is_some() { &BUILDS } else { &chosen };
        if let Some(why) = verdict(program, builds, scratch.path())? {
            failures.push(format!("{}: {why}", name(program)));
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}

/// What is wrong with the residual of a program, if anything is.
fn verdict(program: &Path, builds: &[Build], folder: &Path) -> Result<Option<String>, Failed> {
    let flags = flags(program);
    let mut fit = Vec::new();
    for build in builds {
        if let Ok(original) = build.compile(&[program], &flags, folder, "original")?
            && run(&mut std::process::Command::new(&original), folder, A_RUN)?.ending == Ending::Exited(0)
        {
            fit.push(build);
        }
    }
    if fit.is_empty() {
        return Ok(None);
    }
    let request =
        Request { sources: vec![program], roots: vec!["main"], flags: of_the_language(&flags), ..Request::default() };
    let residual = match specialize(&request, folder, WORK)? {
        Outcome::Residual(residual) => residual,
        Outcome::Refused(why) => {
            return Ok((!refusals::is_right(&why)).then(|| format!("refused: {why}")));
        }
        Outcome::Crashed(why) => return Ok(Some(format!("crashed: {why}"))),
        Outcome::Endless => return Ok(Some(ENDLESS.into())),
    };
    if let Some(why) = plain::judge(&residual) {
        return Ok(Some(why));
    }
    let source = folder.join("residual.c");
    fs::write(&source, residual.text)?;
    for build in fit {
        let compiled = match build.compile(&[&source], &flags, folder, "residual")? {
            Ok(compiled) => compiled,
            Err(why) => return Ok(Some(format!("{}: the residual does not compile: {why}", build.name))),
        };
        let ran = run(&mut std::process::Command::new(&compiled), folder, A_RESIDUAL_RUN)?;
        if ran.ending != Ending::Exited(0) {
            return Ok(Some(format!("{}: the residual ends with {:?}", build.name, ran.ending)));
        }
    }
    Ok(None)
}

/// Options that say what the text means; others are for one compiler.
pub(crate) fn of_the_language(flags: &[String]) -> Vec<String> {
    let heads = ["-D", "-U", "-I", "-std=", "-funsigned-", "-fsigned-", "-fshort-", "-fpack-struct", "-fwrapv"];
    flags.iter().filter(|flag| heads.iter().any(|head| flag.starts_with(head))).cloned().collect()
}
