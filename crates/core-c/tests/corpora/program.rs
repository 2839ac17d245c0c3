//! One program on its way: preprocessed, imported, lowered, verified, raised, compiled, run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use core_c::{Program, raise};
use filetest::oracle;
use front_c::Input;
use libtest_mimic::Failed;
use source::{Diagnostic, SourceMap, render};

/// Seconds that a program may run.
const PATIENCE: &str = "20";

/// How a program is compiled.
#[derive(Clone, Debug)]
pub(crate) struct Build {
    pub(crate) compiler: &'static str,
    pub(crate) level: &'static str,
    pub(crate) flags: Vec<String>,
}

/// What came of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Same,
    /// The original does not compile or does not run here, or the front end refuses it.
    Unfit,
    Other(String),
}

impl Build {
    /// The files after preprocessing; none where one does not go through.
    pub(crate) fn inputs(&self, sources: &[PathBuf]) -> Result<Vec<Input>, Failed> {
        let mut inputs = Vec::new();
        for source in sources {
            let mut preprocess = oracle::command(self.compiler);
            preprocess.args(["-E", "-w"]).args(&self.flags).arg(source).stdin(Stdio::null());
            let output = preprocess.output()?;
            if output.status.success() {
                let text = front_c::text_of(&output.stdout);
                inputs.push(Input { path: source.display().to_string(), text, flags: self.flags.clone() });
            }
        }
        Ok(inputs)
    }

    fn compile(&self, source: &Path, to: &Path) -> Result<Output, Failed> {
        let mut command = oracle::command(self.compiler);
        command.args(["-w", self.level]).args(&self.flags).arg(source).arg("-o").arg(to).arg("-lm");
        Ok(command.stdin(Stdio::null()).output()?)
    }

    /// Sends a program of one file through Core C and compares what it does.
    pub(crate) fn judge(&self, source: &Path, folder: &Path) -> Result<Verdict, Failed> {
        let at = |end: &str| folder.join(format!("program{end}"));
        if !self.compile(source, &at(".original"))?.status.success() {
            return Ok(Verdict::Unfit);
        }
        let expected = run(&at(".original"))?;
        if !expected.status.success() {
            return Ok(Verdict::Unfit);
        }
        let Some(text) = round_trip(&self.inputs(&[source.to_owned()])?)? else { return Ok(Verdict::Unfit) };
        let raised = at(".raised.c");
        fs::write(&raised, text)?;
        let compiled = self.compile(&raised, &at(".raised"))?;
        if !compiled.status.success() {
            let said = String::from_utf8_lossy(&compiled.stderr).into_owned();
            return Ok(Verdict::Other(said.lines().take(6).collect::<Vec<_>>().join("\n")));
        }
        let actual = run(&at(".raised"))?;
        if (actual.status.code(), &actual.stdout) == (expected.status.code(), &expected.stdout) {
            return Ok(Verdict::Same);
        }
        Ok(Verdict::Other(format!("runs otherwise: {} with {} {}", actual.status, self.compiler, self.level)))
    }
}

/// Core C of some files, without a finding of the verifier and with good reasons for what is refused; none where the
/// front end has errors.
pub(crate) fn lower(inputs: &[Input]) -> Result<Option<(cast::Program, Program)>, Failed> {
    let mut sources = SourceMap::new();
    let (program, findings) = front_c::import(inputs, &mut sources);
    if findings.iter().any(Diagnostic::is_error) {
        return Ok(None);
    }
    let (core, findings) = core_c::lower(&program);
    let errors: Vec<Diagnostic> = findings.into_iter().filter(is_no_known_refusal).collect();
    let wrong: Vec<Diagnostic> = errors.into_iter().chain(core_c::verify(&core)).collect();
    if wrong.is_empty() { Ok(Some((program, core))) } else { Err(render::short(&sources, &wrong).into()) }
}

/// The C that comes back.
pub(crate) fn round_trip(inputs: &[Input]) -> Result<Option<String>, Failed> {
    let Some((source, program)) = lower(inputs)? else { return Ok(None) };
    let defined = program.functions.iter().filter(|(_, function)| function.unit.is_some());
    let roots: Vec<_> = defined.map(|(id, _)| id).collect();
    let options = raise::Options { units: (0..source.units.len()).collect(), ..raise::Options::default() };
    Ok(Some(cast::print_file(&raise::file_with(&program, &source, &roots, &options))))
}

/// What Core C does not model, and why that is right.
const REFUSED: [(&str, &str); 9] = [
    ("a call of `", "it comes back twice, or the compiler alone knows what it does"),
    ("`__real", "a part of a complex number"),
    ("`__imag", "a part of a complex number"),
    ("an element of a value of type `", "a vector's element as an object"),
    ("arithmetic on `", "gcc and clang do not agree on bit-fields wider than `int`"),
    ("`sizeof", "a type of computed size that only the text names"),
    ("a parameter whose array bounds have effects", "they are in no type"),
    ("__attribute__", "an alignment of a local object"),
    ("__builtin_choose_expr", "which of the two depends on the optimizer"),
];

fn is_no_known_refusal(finding: &Diagnostic) -> bool {
    let reason = finding.message.split_once(": ").map_or("", |(_, reason)| reason);
    let is_known = REFUSED.iter().any(|(start, _)| reason.starts_with(start))
        || reason.contains("__attribute__")
        || reason.contains("__builtin_choose_expr");
    !(["core-002", "core-003"].contains(&finding.code) && is_known)
}

fn run(program: &Path) -> Result<Output, Failed> {
    let mut command = oracle::command("timeout");
    Ok(command.arg(PATIENCE).arg(program).stdin(Stdio::null()).stderr(Stdio::null()).output()?)
}
