//! An original program beside its residual, run on many inputs.

use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Failed;

use crate::program::{A_RESIDUAL_RUN, A_RUN, Build, Ending, Patience, Ran, WATCHED, run};

/// What the sanitizers end a program with.
const CAUGHT: i32 = 99;

/// Values of inputs: whole numbers and others, as the environment gives them.
pub(crate) type Values = (String, String);

/// A program, compiled in several ways, and watched.
#[derive(Debug)]
pub(crate) struct Compiled {
    watched: PathBuf,
    built: Vec<(Build, PathBuf)>,
}

/// Compiles a program together with the outside world.
pub(crate) fn compile(
    source: &Path,
    flags: &[String],
    builds: &[Build],
    folder: &Path,
    name: &str,
) -> Result<Result<Compiled, String>, Failed> {
    let world = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/specialize/law/world.c");
    let sources = [source, world.as_path()];
    let watched = match WATCHED.compile(&sources, flags, folder, name)? {
        Ok(program) => program,
        Err(why) => return Ok(Err(format!("{}: {why}", WATCHED.name))),
    };
    let mut built = Vec::new();
    for build in builds {
        match build.compile(&sources, flags, folder, name)? {
            Ok(program) => built.push((*build, program)),
            Err(why) => return Ok(Err(format!("{}: {why}", build.name))),
        }
    }
    Ok(Ok(Compiled { watched, built }))
}

fn start(program: &Path, values: &Values, folder: &Path, patience: Patience) -> Result<Ran, Failed> {
    let mut command = Command::new(program);
    command.env("LAW_INPUTS", &values.0).env("LAW_REALS", &values.1);
    command.env("ASAN_OPTIONS", format!("exitcode={CAUGHT}:detect_leaks=0:detect_stack_use_after_return=1"));
    command.env("UBSAN_OPTIONS", format!("halt_on_error=1:exitcode={CAUGHT}"));
    Ok(run(&mut command, folder, patience)?)
}

impl Compiled {
    /// What the program does with these inputs; none where C leaves that open, or where it does not end.
    pub(crate) fn expected(&self, values: &Values, folder: &Path) -> Result<Option<Ran>, Failed> {
        let watched = start(&self.watched, values, folder, A_RUN)?;
        if matches!(watched.ending, Ending::Endless | Ending::Exited(CAUGHT)) {
            return Ok(None);
        }
        for (_, program) in &self.built {
            if start(program, values, folder, A_RUN)?.shows() != watched.shows() {
                return Ok(None);
            }
        }
        Ok(Some(watched))
    }

    /// How it differs from what was expected, if it does.
    pub(crate) fn difference(&self, values: &Values, expected: &Ran, folder: &Path) -> Result<Option<String>, Failed> {
        let watched = std::iter::once((WATCHED.name, &self.watched));
        for (name, program) in watched.chain(self.built.iter().map(|(build, program)| (build.name, program))) {
            let ran = start(program, values, folder, A_RESIDUAL_RUN)?;
            if ran.shows() != expected.shows() {
                let lines = ran.output.lines().zip(expected.output.lines()).find(|(now, then)| now != then);
                let lines = lines.map(|(now, then)| format!(", first `{now}` for `{then}`")).unwrap_or_default();
                let said = ran.errors.lines().find(|line| line.contains("rror")).unwrap_or_default();
                let (now, then) = (ran.ending, expected.ending);
                return Ok(Some(format!("{name}: ends with {now:?} for {then:?}{lines} {said}")));
            }
        }
        Ok(None)
    }
}
