//! A C file that goes through the front end: read, printed, compiled again, and compared with what it was.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use filetest::oracle;
use front_c::Input;
use libtest_mimic::Failed;
use source::{Diagnostic, SourceMap};

/// How long a program may run.
const PATIENCE: Duration = Duration::from_secs(20);

/// A file and how it is compiled.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) source: PathBuf,
    pub(crate) flags: Vec<String>,
    /// `gcc` or `clang`: who preprocesses and compiles.
    pub(crate) compiler: &'static str,
    /// Whether it is a program, which is run, or a part of one, which is only compiled.
    pub(crate) is_program: bool,
    /// Whether what it says must be the same; addresses never are.
    pub(crate) compares_output: bool,
}

/// What came of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The same after the round trip.
    Same,
    /// The original does not compile or does not run here.
    Unfit,
    /// The front end refuses it, and says why.
    Refused(String),
    /// Other than before.
    Other(String),
}

/// The text after the round trip, and what was found.
pub(crate) fn round_trip(inputs: &[Input]) -> (Vec<String>, Vec<Diagnostic>, String) {
    let mut sources = SourceMap::new();
    let (program, findings) = front_c::import(inputs, &mut sources);
    let assertions = cast::print_declarations(&front_c::layout_assertions(&program.types));
    let texts = program.units.iter().map(|unit| format!("{}\n{assertions}", cast::print_file(&unit.file))).collect();
    let said = source::render::short(&sources, &findings);
    (texts, findings, said)
}

impl Case {
    /// Sends the file through the front end. `folder` takes what is made on the way.
    pub(crate) fn judge(&self, folder: &Path) -> Result<Verdict, Failed> {
        let stem = self.source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let at = |end: &str| folder.join(format!("{stem}{end}"));
        let preprocessed = at(".i");
        let mut preprocess = oracle::command(self.compiler);
        preprocess.arg("-E").args(&self.flags).arg(&self.source).arg("-o").arg(&preprocessed);
        if !ends_well(&mut preprocess) {
            return Ok(Verdict::Unfit);
        }
        let expected = if self.is_program { self.behaviour(&preprocessed, &at(".original"))? } else { None };
        if self.is_program && expected.as_ref().is_none_or(|output| !output.status.success()) {
            return Ok(Verdict::Unfit);
        }
        let text = front_c::text_of(&fs::read(&preprocessed)?);
        let input = Input { path: self.source.display().to_string(), text, flags: self.flags.clone() };
        let (texts, findings, said) = round_trip(&[input]);
        if findings.iter().any(Diagnostic::is_error) {
            let errors = said.lines().filter(|line| line.contains(" error[")).take(3);
            return Ok(Verdict::Refused(errors.collect::<Vec<_>>().join("; ")));
        }
        // What the importer doubts about itself is a fault.
        let doubts: Vec<&str> = said.lines().filter(|line| line.contains("[c-007]")).take(3).collect();
        if !doubts.is_empty() {
            return Ok(Verdict::Other(doubts.join("\n")));
        }
        let printed = at(".printed.c");
        fs::write(&printed, texts.concat())?;
        let compiled = self.compile(&printed, &at(".printed"))?;
        if !compiled.status.success() {
            if !self.is_program && !self.compile(&preprocessed, &at(".original"))?.status.success() {
                return Ok(Verdict::Unfit);
            }
            let said = String::from_utf8_lossy(&compiled.stderr).into_owned();
            return Ok(Verdict::Other(said.lines().take(8).collect::<Vec<_>>().join("\n")));
        }
        if self.is_program {
            let actual = run(&at(".printed"));
            let shown = |output: &Option<Output>| {
                output
                    .as_ref()
                    .map(|output| (output.status.code(), self.compares_output.then(|| output.stdout.clone())))
            };
            if shown(&actual) != shown(&expected) {
                let actual = actual.map(|output| output.status.to_string());
                return Ok(Verdict::Other(format!("runs otherwise: {}", actual.unwrap_or("without end".into()))));
            }
        }
        Ok(Verdict::Same)
    }

    /// What the original does; `None` where it does not compile or does not end.
    fn behaviour(&self, source: &Path, program: &Path) -> Result<Option<Output>, Failed> {
        Ok(if self.compile(source, program)?.status.success() { run(program) } else { None })
    }

    fn compile(&self, source: &Path, to: &Path) -> Result<Output, Failed> {
        let mut command = oracle::command(self.compiler);
        command.args(["-w", "-O1"]).args(&self.flags).arg(source).arg("-o").arg(to);
        command.arg(if self.is_program { "-lm" } else { "-fsyntax-only" });
        Ok(command.stdin(Stdio::null()).output()?)
    }
}

fn ends_well(command: &mut Command) -> bool {
    command.stdin(Stdio::null()).output().is_ok_and(|output| output.status.success())
}

/// Runs a program; `None` if it does not end.
fn run(program: &Path) -> Option<Output> {
    let to = program.with_extension("stdout");
    let file = fs::File::create(&to).ok()?;
    let mut child = Command::new(program).stdin(Stdio::null()).stdout(file).stderr(Stdio::null()).spawn().ok()?;
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().ok()? {
            return Some(Output { status, stdout: fs::read(&to).ok()?, stderr: Vec::new() });
        }
        if start.elapsed() > PATIENCE {
            // It may have ended meanwhile.
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}
