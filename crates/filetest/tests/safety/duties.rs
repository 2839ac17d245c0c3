//! Duties shown on values made by hand: `tests/safety/duties.c` over `duties.x`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use driver::Prefer;
use filetest::oracle;
use libtest_mimic::{Failed, Trial};

use crate::compile::Options;
use crate::program::{DUTIES, Subject, Variant, default_variant};
use crate::toolchain::{
    self, CLANG_SANITIZED, GCC, GCC_SANITIZED, GCC_THREADS, GCC_UNOPTIMIZED, Toolchain, root, trial,
};

static PROGRAMS: Mutex<BTreeMap<(&'static str, &'static str), Option<PathBuf>>> = Mutex::new(BTreeMap::new());

/// `--prefer`: a word for names, and what it is.
type Preference = (&'static str, Prefer);

/// The third has types of both kinds.
const PREFERENCES: [Preference; 2] = [("speed", Prefer::Speed), ("size", Prefer::Size)];

/// The program of a toolchain and a preference, built by whoever comes first.
fn program(toolchain: &Toolchain, (word, prefer): Preference) -> Result<PathBuf, Failed> {
    let mut programs = PROGRAMS.lock().map_err(|_| "another build failed")?;
    if let Some(program) = programs.get(&(toolchain.name, word)) {
        return program.clone().ok_or_else(|| "its program could not be built".into());
    }
    programs.insert((toolchain.name, word), None);
    let text = std::fs::read_to_string(root().join("tests/safety/duties.x"))?;
    let subject = Subject::new(&format!("duties {word} {}", toolchain.name), &text, &variants(prefer))?;
    let program = subject.build(toolchain, &DUTIES)?;
    programs.insert((toolchain.name, word), Some(program.clone()));
    Ok(program)
}

/// As always, `--strict`, and `--max-depth 5`.
fn variants(prefer: Prefer) -> [Variant; 3] {
    let strict = Options { strict: true, ..Options::default() };
    let shallow = Options { max_depth: Some(5), prefer, ..Options::default() };
    let (name, options) = default_variant();
    [(name, Options { prefer, ..options }), ("strict".to_owned(), strict), ("shallow".to_owned(), shallow)]
}

/// The names in the table at the end of the C file.
fn names() -> Vec<String> {
    let text = std::fs::read_to_string(root().join("tests/safety/duties.c")).unwrap_or_default();
    let names = text.lines().filter_map(|line| line.trim().strip_prefix("DUTY(")?.strip_suffix("),"));
    names.map(str::to_owned).collect()
}

/// How a program is called.
type Call = fn(&Path, &str) -> Command;

fn plainly(program: &Path, name: &str) -> Command {
    let mut command = Command::new(program);
    command.arg(name);
    command
}

fn on_small_stack(program: &Path, name: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -s 64; exec \"$0\" \"$1\""]).arg(program).arg(name);
    command
}

/// Every duty under sanitizers, in a soak those of both compilers; lists on a stack of 64 KiB, unoptimized; threads under theirs.
pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    let mut add = |name: &str, toolchain: Toolchain, preference: Preference, call: Call| {
        let title = format!("{}, {}, {}", name.replace('_', " "), preference.0, toolchain.name);
        let name = name.to_owned();
        let run = move || toolchain::run(&mut call(&program(&toolchain, preference)?, &name));
        trials.push(trial(title, toolchain, run));
    };
    for (name, preference) in names().iter().flat_map(|name| PREFERENCES.map(|preference| (name, preference))) {
        if name.contains("64_bits") {
            // Sanitizers would look at every byte of it.
            add(name, GCC, preference, plainly);
            continue;
        }
        add(name, GCC_SANITIZED, preference, plainly);
        if preference.1 == Prefer::Speed && oracle::is_soak() {
            add(name, CLANG_SANITIZED, preference, plainly);
        }
        if name.contains("stack") {
            add(name, GCC_UNOPTIMIZED, preference, on_small_stack);
        }
        if name.contains("threads") {
            add(name, GCC_THREADS, preference, plainly);
        }
    }
    trials
}
