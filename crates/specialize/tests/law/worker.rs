//! The specializer in a process of its own, so that a crash or an endless run is a verdict and not the end of the tests:
//! this test program, started again.

use std::path::Path;
use std::process::{Command, ExitCode};

use driver::{Destination, Failure, Host, OutputFile, Preprocess, Preprocessed, SourceText, SpecializeRequest};
use filetest::oracle;
use source::Diagnostic;

use crate::program::{Ending, Patience};

/// An option of the worker's.
const SHARES: &str = "--share-statics";

/// Set in the worker's environment.
const MARK: &str = "WHITTLE_LAW_WORKER";

/// What the worker ends with where whittle refused.
const REFUSED: u8 = 3;

/// What a line of the worker begins with that tells of a generalization.
const GIVEN_UP: &str = "given up: ";

/// What it says for each loop that was computed and rolled again.
const ROLLED: &str = "rolled\n";

/// What is said where it takes too long; some programs may, as some may be refused.
pub(crate) const ENDLESS: &str = "the specializer does not end in time";

/// What is to be specialized.
#[derive(Clone, Debug, Default)]
pub(crate) struct Request<'a> {
    /// The scenario, then other sources.
    pub(crate) sources: Vec<&'a Path>,
    /// Beside functions that the scenario marks.
    pub(crate) roots: Vec<&'a str>,
    /// Residual code shares static variables: what the general code is compiled from is written beside its source.
    pub(crate) shares_statics: bool,
    pub(crate) flags: Vec<String>,
}

/// A residual program, and what the specializer says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Residual {
    pub(crate) text: String,
    /// Generalizations: `kind: place: what: why`.
    pub(crate) given_up: Vec<String>,
    pub(crate) rolled: usize,
}

/// What became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Residual(Residual),
    /// With the errors, one a line.
    Refused(String),
    Crashed(String),
    Endless,
}

/// Specializes in another process.
pub(crate) fn specialize(request: &Request<'_>, folder: &Path, patience: Patience) -> Result<Outcome, std::io::Error> {
    let mut command = Command::new(std::env::current_exe()?);
    command.env(MARK, "1");
    for root in &request.roots {
        command.arg(format!("--root={root}"));
    }
    command.args(request.shares_statics.then_some(SHARES));
    command.args(&request.sources).arg("--").args(&request.flags);
    let ran = crate::program::run(&mut command, folder, patience)?;
    let said = || {
        let lines = ran.errors.lines().filter(|line| line.contains("error") || line.contains("panicked"));
        let lines: Vec<&str> = lines.chain(ran.errors.lines()).take(4).collect();
        if lines.is_empty() { format!("{:?}", ran.ending) } else { lines.join("\n") }
    };
    Ok(match ran.ending {
        Ending::Exited(0) => {
            let given_up = ran.errors.lines().filter_map(|line| line.strip_prefix(GIVEN_UP)).map(str::to_owned);
            let rolled = ran.errors.lines().filter(|line| *line == ROLLED.trim_end()).count();
            Outcome::Residual(Residual { given_up: given_up.collect(), rolled, text: ran.output })
        }
        Ending::Exited(code) if code == i32::from(REFUSED) => Outcome::Refused(said()),
        Ending::Endless => Outcome::Endless,
        _ => Outcome::Crashed(said()),
    })
}

/// True in the worker.
pub(crate) fn is_asked_for() -> bool {
    std::env::var_os(MARK).is_some()
}

/// The worker.
pub(crate) fn run() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let split = arguments.iter().position(|word| word == "--").unwrap_or(arguments.len());
    let (words, flags) = (&arguments[..split], &arguments[(split + 1).min(arguments.len())..]);
    let (options, files): (Vec<String>, Vec<String>) = words.iter().cloned().partition(|word| word.starts_with("--"));
    let [scenario, sources @ ..] = &files[..] else { return ExitCode::FAILURE };
    let request = SpecializeRequest {
        scenario: scenario.clone(),
        sources: sources.to_vec(),
        flags: flags.to_vec(),
        roots: options.iter().filter_map(|option| option.strip_prefix("--root=")).map(str::to_owned).collect(),
        share_statics: options.iter().any(|option| option == SHARES),
        output: Some(Destination::Named(Path::new(scenario).with_file_name(RESIDUAL).display().to_string())),
        ..SpecializeRequest::default()
    };
    let report = driver::specialize(&request, &Machine);
    if !report.has_errors() {
        report.generalizations().iter().for_each(|line| eprint(&format!("{GIVEN_UP}{line}\n")));
        report.given_up.iter().for_each(|root| eprint(&ROLLED.repeat(root.rolled)));
    }
    eprint(&report.remarks);
    eprint(&source::render::short(&report.sources, &report.findings));
    if report.has_errors() { ExitCode::from(REFUSED) } else { ExitCode::SUCCESS }
}

fn eprint(text: &str) {
    use std::io::Write;
    // Nobody reads what cannot be written.
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// The residual program, which goes to standard output.
const RESIDUAL: &str = "residual.c";

/// Files where they are, clang's preprocessor.
struct Machine;

impl Host for Machine {
    fn read(&self, _: Option<&str>) -> Result<SourceText, Failure> {
        Err(failure("the specializer reads through the preprocessor"))
    }

    fn preprocess(&self, _: &Preprocess<'_>) -> Result<Preprocessed, Failure> {
        Err(failure("the specializer reads C"))
    }

    fn preprocess_c(&self, path: &str, flags: &[String]) -> Result<Preprocessed, Failure> {
        let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime/include");
        let mut command = oracle::command("clang");
        command.args(["-E", "-w", "-D__WHITTLE__"]).args(flags).arg("-I").arg(runtime).arg(path);
        let output = command.output().map_err(|problem| failure(&problem.to_string()))?;
        let remarks = String::from_utf8_lossy(&output.stderr).into_owned();
        if !output.status.success() {
            return Err(failure(&remarks));
        }
        Ok(Preprocessed { text: driver::text_of(&output.stdout), has_markers: true, remarks })
    }

    fn write(&self, files: &[OutputFile]) -> Result<(), Failure> {
        use std::io::Write;
        for file in files {
            let Destination::Named(path) = &file.destination else { continue };
            let written = match path.ends_with(RESIDUAL) {
                true => std::io::stdout().write_all(file.text.as_bytes()),
                false => std::fs::write(path, &file.text),
            };
            written.map_err(|problem| failure(&problem.to_string()))?;
        }
        Ok(())
    }
}

fn failure(message: &str) -> Failure {
    Box::new(Diagnostic::error("law-000", message))
}
