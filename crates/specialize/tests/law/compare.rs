//! An original program beside its residual, run on many inputs.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Failed;

use crate::program::{A_RESIDUAL_RUN, A_RUN, Build, Ending, Patience, Ran, WATCHED, run};

/// What the sanitizers end a program with.
const CAUGHT: i32 = 99;

/// Values of inputs: whole numbers and others, as the environment gives them.
pub(crate) type Values = (String, String);

/// A program, compiled in several ways.
#[derive(Debug)]
pub(crate) struct Compiled {
    built: Vec<(Build, PathBuf)>,
}

/// The outside world.
fn world() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/specialize/law/world.c")
}

/// Compiles a program together with the outside world: watched, and in these ways.
pub(crate) fn compile(
    source: &Path,
    flags: &[String],
    builds: &[Build],
    folder: &Path,
    name: &str,
) -> Result<Result<Compiled, String>, Failed> {
    let builds = std::iter::once(&WATCHED).chain(builds);
    each(builds, |build| build.compile(&[source, &world()], flags, folder, name))
}

/// Compiles a program in each of some ways.
fn each<'a>(
    builds: impl Iterator<Item = &'a Build>,
    compile: impl Fn(&Build) -> io::Result<Result<PathBuf, String>>,
) -> Result<Result<Compiled, String>, Failed> {
    let mut built = Vec::new();
    for build in builds {
        match compile(build)? {
            Ok(program) => built.push((*build, program)),
            Err(why) => return Ok(Err(format!("{}: {why}", build.name))),
        }
    }
    Ok(Ok(Compiled { built }))
}

/// What stands beside both the original and the residual program, compiled once in each of some ways.
#[derive(Debug)]
pub(crate) struct Beside(Compiled);

impl Beside {
    /// Compiles these sources and the outside world into one object.
    pub(crate) fn compile(sources: &[&Path], builds: &[Build], folder: &Path) -> Result<Self, Failed> {
        let world = world();
        let sources = [sources, &[&world]].concat();
        Ok(Self(each(builds.iter(), |build| build.compile(&sources, &["-r".to_owned()], folder, "beside"))??))
    }

    /// Compiles a program with it.
    pub(crate) fn program(&self, source: &Path, folder: &Path, name: &str) -> Result<Result<Compiled, String>, Failed> {
        let beside = |build: &Build| self.0.built.iter().find(|(other, _)| other.name == build.name);
        each(self.0.built.iter().map(|(build, _)| build), |build| {
            let sources = [Some(source), beside(build).map(|(_, object)| object.as_path())];
            build.compile(&sources.into_iter().flatten().collect::<Vec<_>>(), &[], folder, name)
        })
    }
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
        let mut expected: Option<Ran> = None;
        for (_, program) in &self.built {
            let ran = start(program, values, folder, A_RUN)?;
            let is_open = matches!(ran.ending, Ending::Endless | Ending::Exited(CAUGHT));
            if is_open || expected.as_ref().is_some_and(|expected| expected.shows() != ran.shows()) {
                return Ok(None);
            }
            expected = expected.or(Some(ran));
        }
        Ok(expected)
    }

    /// How it differs from what was expected, if it does.
    pub(crate) fn difference(&self, values: &Values, expected: &Ran, folder: &Path) -> Result<Option<String>, Failed> {
        for (Build { name, .. }, program) in &self.built {
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
