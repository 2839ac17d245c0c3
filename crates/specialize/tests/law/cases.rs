//! Small programs, each about one thing: what is left of them is compiled without a warning and does what they do. Beside
//! `NAME.c`, `NAME.residual` is what is left, and `NAME.stderr` is what whittle says where it refuses. A line `Not in the residual: …`
//! in its first comment names words, between commas, that must be gone, `In the residual: …` a piece of text that must be there, and `Lines of the residual: at most N` bounds what is left.

use std::fs;
use std::path::{Path, PathBuf};

use filetest::oracle::{self, STRICT};
use filetest::random::Random;
use filetest::scratch::Scratch;
use filetest::{columns, golden, oracle::Compilation};
use libtest_mimic::{Failed, Trial};

use crate::compare::{Values, compile};
use crate::inputs;
use crate::program::{BUILDS, WORK};
use crate::worker::{ENDLESS, Outcome, Request, specialize};

/// Random inputs that each case is tried on, beside its own.
const TRIES: usize = 12;

/// A trial for each case.
pub(crate) fn trials() -> Vec<Trial> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/specialize");
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut cases: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|end| end == "c")).collect();
    cases.sort();
    let name = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let trial =
        |path: PathBuf| oracle::trial(format!("case: {}", name(&path)), &["gcc", "clang"], move || judge(&path));
    cases.into_iter().map(trial).collect()
}

fn judge(source: &Path) -> Result<(), Failed> {
    let scratch = Scratch::new("law-case")?;
    let text = fs::read_to_string(source)?;
    let is_program = text.contains("int main(void)");
    let roots = if is_program { vec!["main"] } else { Vec::new() };
    let request = Request { sources: vec![source], roots, ..Request::default() };
    let residual = match specialize(&request, scratch.path(), WORK)? {
        Outcome::Residual(residual) => residual.text,
        Outcome::Refused(said) => {
            let folder = format!("{}/", source.parent().unwrap_or(source).display());
            return expect(source, "stderr", &format!("{}\n", said.replace(&folder, "")), true);
        }
        Outcome::Crashed(why) => return Err(format!("crashed: {why}").into()),
        Outcome::Endless => return Err(ENDLESS.into()),
    };
    expect(source, "residual", &residual, false)?;
    if let Some(line) = columns::too_long(&residual) {
        return Err(format!("this line is too long: {line}").into());
    }
    if let Some(word) = gone(&text).find(|word| residual.contains(word)) {
        return Err(format!("`{word}` is in the residual program:\n{residual}").into());
    }
    if let Some(piece) = left(&text).filter(|piece| !residual.contains(piece)) {
        return Err(format!("`{piece}` is not in the residual program:\n{residual}").into());
    }
    let lines = residual.lines().count();
    if let Some(most) = most_lines(&text).filter(|most| lines > *most) {
        return Err(format!("{lines} lines are left, at most {most} were expected").into());
    }
    let file = scratch.path().join("residual.c");
    fs::write(&file, residual)?;
    for compiler in ["gcc", "clang"] {
        Compilation::new(compiler).with(STRICT).object(&file, &scratch.path().join("residual.o"))?;
    }
    if is_program { run(source, &file, &inputs_of(&text), scratch.path()) } else { Ok(()) }
}

/// Compares with the file beside the case, if it is there; `must` it be?
fn expect(source: &Path, kind: &str, actual: &str, must: bool) -> Result<(), Failed> {
    let expectation = source.with_extension(kind);
    if !expectation.is_file() && !must {
        return Ok(());
    }
    let golden = golden::Golden { input: source.into(), expectation, kind: kind.into(), options: Vec::new() };
    golden::check(&golden, actual, "BLESS=1 cargo test -p specialize --test law case")
}

/// How many lines may be left.
fn most_lines(text: &str) -> Option<usize> {
    said(text, "Lines of the residual: at most ")?.trim().parse().ok()
}

/// The words that must not be in what is left.
fn gone(text: &str) -> impl Iterator<Item = &str> {
    said(text, "Not in the residual: ").into_iter().flat_map(|words| words.split(", "))
}

/// The piece that must be in what is left.
fn left(text: &str) -> Option<&str> {
    said(text, "In the residual: ")
}

fn said<'t>(text: &'t str, what: &str) -> Option<&'t str> {
    text.lines().find_map(|line| line.trim_start_matches([' ', '*']).strip_prefix(what))
}

/// The numbers that a program gives to `law_input`.
fn inputs_of(text: &str) -> Vec<usize> {
    let number = |rest: &str| rest.split(',').next().and_then(|number| number.trim().parse().ok());
    let mut found: Vec<usize> = text.split("law_input(").skip(1).filter_map(number).collect();
    found.sort_unstable();
    found.dedup();
    found
}

fn run(source: &Path, residual: &Path, inputs: &[usize], folder: &Path) -> Result<(), Failed> {
    // Scenarios' words expand to nothing there.
    let include = format!("-I{}/../../runtime/include", env!("CARGO_MANIFEST_DIR"));
    let original = compile(source, &[include], &BUILDS, folder, "original")??;
    let residual = compile(residual, &[], &BUILDS, folder, "residual")??;
    let mut random = Random::new(source.as_os_str().len() as u64);
    let mut compared = 0;
    for turn in 0..=if inputs.is_empty() { 0 } else { TRIES } {
        let some: Vec<&usize> = inputs.iter().filter(|_| turn > 0 && random.chance(70)).collect();
        let whole: Vec<String> = some.iter().map(|at| format!("{at}={}", inputs::value(&mut random))).collect();
        let values: Values = (whole.join(" "), String::new());
        if let Some(expected) = original.expected(&values, folder)? {
            compared += 1;
            if let Some(why) = residual.difference(&values, &expected, folder)? {
                return Err(format!("with {values:?}: {why}").into());
            }
        }
    }
    if compared * 2 < TRIES.min(inputs.len() * TRIES) + 1 {
        return Err(format!("only {compared} runs could be compared").into());
    }
    Ok(())
}
