//! C programs: compiled in several ways, run, and how they end.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use filetest::oracle;
use filetest::programs::CHECKED;

/// How many seconds of a processor something may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Patience(u64);

/// For programs; those that take longer are no use.
pub(crate) const A_RUN: Patience = Patience(2);

/// For what is left of programs: on a busy machine, or without an optimizer, as much work may take longer.
pub(crate) const A_RESIDUAL_RUN: Patience = Patience(10);

/// For the specializer and compilers.
pub(crate) const WORK: Patience = Patience(30);

/// What is no busier than one part in so many waits for something that never comes.
const IDLE: u32 = 20;

/// What the system ends a program with whose time is up.
const TIME_IS_UP: i32 = 24;

/// What gcc says where a program that it calls takes too long.
const PART_IS_ENDLESS: &str = "CPU time limit exceeded";

/// What is said of a compiler that takes too long.
pub(crate) const ENDLESS_COMPILER: &str = "the compiler does not end in time";

/// Memory that the specializer and compilers may take, in KiB. Programs may take what they like: those that watch
/// themselves reserve more than there is.
const MEMORY: u64 = 4 << 20;

/// A compiler and how it is called.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Build {
    pub(crate) name: &'static str,
    compiler: &'static str,
    flags: &'static [&'static str],
}

/// The ways in which original and residual are compiled.
pub(crate) const BUILDS: [Build; 4] = [
    Build { name: "gcc-O0", compiler: "gcc", flags: &["-O0"] },
    Build { name: "gcc-O2", compiler: "gcc", flags: &["-O2"] },
    Build { name: "clang-O0", compiler: "clang", flags: &["-O0"] },
    Build { name: "clang-O2", compiler: "clang", flags: &["-O2"] },
];

/// With all that watches a program at work.
pub(crate) const WATCHED: Build = Build { name: "gcc-sanitized", compiler: "gcc", flags: &CHECKED };

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Exited(i32),
    Signal(i32),
    Endless,
}

/// What a program did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) ending: Ending,
    pub(crate) output: String,
    pub(crate) errors: String,
}

impl Ran {
    /// What two programs must have in common.
    pub(crate) fn shows(&self) -> (Ending, &str) {
        (self.ending, &self.output)
    }
}

impl Build {
    /// Compiles sources to a program; the errors where it cannot be done.
    pub(crate) fn compile(
        &self,
        sources: &[&Path],
        flags: &[String],
        folder: &Path,
        name: &str,
    ) -> io::Result<Result<PathBuf, String>> {
        let program = folder.join(format!("{name}-{}", self.name));
        let mut command = oracle::command(self.compiler);
        command.arg("-w").args(flags).args(self.flags).args(sources).arg("-o").arg(&program).arg("-lm");
        let ran = run(&mut command, folder, WORK)?;
        let errors =
            || ran.errors.lines().filter(|line| line.contains("error") || line.contains("undefined reference"));
        Ok(match ran.ending {
            Ending::Exited(0) => Ok(program),
            _ if ran.ending == Ending::Endless || ran.errors.contains(PART_IS_ENDLESS) => Err(ENDLESS_COMPILER.into()),
            ending if errors().next().is_none() => Err(format!("the compiler ends with {ending:?}")),
            _ => Err(errors().take(4).collect::<Vec<_>>().join("\n")),
        })
    }
}

/// Runs a command in a folder, which takes its output; it is killed when patience ends.
pub(crate) fn run(command: &mut Command, folder: &Path, patience: Patience) -> io::Result<Ran> {
    let (output, errors) = (folder.join("stdout"), folder.join("stderr"));
    let mut limited = Command::new("sh");
    // The soft limit only: where the hard one is the same, the signal is the one that also ends what needs no time.
    let memory = if patience == WORK { format!("ulimit -S -v {MEMORY}; ") } else { String::new() };
    limited.args(["-c", &format!("{memory}ulimit -S -t $0; exec \"$@\"")]).arg(patience.0.to_string());
    limited.arg(command.get_program()).args(command.get_args());
    let variables = command.get_envs().filter_map(|(name, value)| value.map(|value| (name, value)));
    limited.envs(variables).stdin(Stdio::null()).stdout(File::create(&output)?).stderr(File::create(&errors)?);
    let mut child = limited.spawn()?;
    let start = Instant::now();
    let ending = loop {
        if let Some(status) = child.try_wait()? {
            break ending(status);
        }
        if start.elapsed() > Duration::from_secs(patience.0) * IDLE {
            // It may have ended meanwhile.
            let _ = child.kill();
            child.wait()?;
            break Ending::Endless;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let text = |path| fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok(Ran { ending, output: text(&output)?, errors: text(&errors)? })
}

fn ending(status: ExitStatus) -> Ending {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => Ending::Exited(code),
        (None, Some(TIME_IS_UP)) => Ending::Endless,
        (None, signal) => Ending::Signal(signal.unwrap_or_default()),
    }
}
