//! Programs that others wrote: found, run, and what they say.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use libtest_mimic::{Failed, Trial};

/// A case that needs programs: ignored where one is absent, a failure there where `CI` is set.
pub fn trial<F>(name: impl Into<String>, programs: &[&str], run: F) -> Trial
where
    F: FnOnce() -> Result<(), Failed> + Send + 'static,
{
    let missing: Vec<&str> = programs.iter().copied().filter(|program| find(program).is_none()).collect();
    if missing.is_empty() {
        return Trial::test(name, run);
    }
    absent(name, &missing.join(", "))
}

/// A case whose peer is absent.
pub fn absent(name: impl Into<String>, peer: &str) -> Trial {
    let message = format!("{peer}: not installed (make deps)");
    if in_ci() {
        return Trial::test(name, move || Err(message.into()));
    }
    Trial::test(format!("{} (needs {peer})", name.into()), || Ok(())).with_ignored_flag(true)
}

/// True where nobody looks at what was skipped.
pub fn in_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty())
}

/// A program on the path, or where the environment says: `$RPCGEN` for `rpcgen`.
pub fn find(program: &str) -> Option<PathBuf> {
    let variable = program.to_uppercase().replace('-', "_");
    if let Some(named) = std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_file()) {
        return Some(named);
    }
    std::env::split_paths(&std::env::var_os("PATH")?).map(|folder| folder.join(program)).find(|path| path.is_file())
}

/// Whether random and long suites are to run longer: `make soak` says so.
pub fn is_soak() -> bool {
    std::env::var_os("SOAK_SEED").is_some()
}

/// A command that runs a program that [`find`] finds.
pub fn command(program: &str) -> Command {
    Command::new(find(program).unwrap_or_else(|| PathBuf::from(program)))
}

/// Runs a command to its end; what it said is the failure when it fails.
pub fn succeed(command: &mut Command) -> Result<Output, Failed> {
    let shown = format!("{command:?}");
    let output = command.output().map_err(|problem| format!("{shown}: {problem}"))?;
    if output.status.success() {
        return Ok(output);
    }
    // Some builders complain on standard output.
    let [said, written] = [&output.stderr, &output.stdout].map(|bytes| String::from_utf8_lossy(bytes));
    Err(format!("{shown}\n{}\n{}\n{}", output.status, gist(&said), gist(&written)).into())
}

/// How it began, how it ended, and where a make between them gave up: others went on meanwhile.
fn gist(said: &str) -> String {
    let said: Vec<&str> = said.lines().collect();
    let fails = |at: usize| said[at..said.len().min(at + 4)].iter().any(|line| line.contains("***"));
    let is_shown = |at: usize| at < 20 || at + 40 >= said.len() || fails(at);
    let shown = said.iter().enumerate().filter(|(at, _)| is_shown(*at)).map(|(_, line)| *line);
    shown.collect::<Vec<_>>().join("\n")
}

/// `pkg-config`'s words about a library.
pub fn flags_of(library: &str, what: &str) -> Vec<String> {
    let output = Command::new("pkg-config").args([what, library]).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    text.split_whitespace().map(str::to_owned).collect()
}

/// A run of a C compiler.
#[derive(Clone, Debug)]
pub struct Compilation {
    compiler: String,
    arguments: Vec<String>,
}

/// Warnings that generated code is free of.
pub const STRICT: [&str; 3] = ["-Wall", "-Wextra", "-Werror"];

impl Compilation {
    /// Starts the command line of `gcc`, `clang` or a cross compiler.
    pub fn new(compiler: &str) -> Self {
        Compilation { compiler: compiler.into(), arguments: vec!["-O1".into()] }
    }

    /// Adds arguments.
    #[must_use]
    pub fn with<I: IntoIterator<Item = S>, S: Into<String>>(mut self, arguments: I) -> Self {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Adds what libtirpc needs to compile.
    #[must_use]
    pub fn with_tirpc(self) -> Self {
        self.with(flags_of("libtirpc", "--cflags"))
    }

    /// Compiles one source to an object.
    pub fn object(&self, source: &Path, object: &Path) -> Result<(), Failed> {
        let mut command = command(&self.compiler);
        succeed(command.args(&self.arguments).arg("-c").arg(source).arg("-o").arg(object)).map(|_| ())
    }

    /// Compiles and links sources and objects with libtirpc.
    pub fn program(&self, inputs: &[PathBuf], program: &Path) -> Result<(), Failed> {
        self.link(inputs, &flags_of("libtirpc", "--libs"), program)
    }

    /// Compiles and links sources and objects with nothing but the C library.
    pub fn program_alone(&self, inputs: &[PathBuf], program: &Path) -> Result<(), Failed> {
        self.link(inputs, &[], program)
    }

    fn link(&self, inputs: &[PathBuf], libraries: &[String], program: &Path) -> Result<(), Failed> {
        let mut command = command(&self.compiler);
        command.args(&self.arguments).args(inputs).arg("-o").arg(program);
        succeed(command.args(libraries)).map(|_| ())
    }
}
