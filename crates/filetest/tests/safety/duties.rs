//! Duties shown on values made by hand: `tests/safety/duties.c` over `duties.x`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use libtest_mimic::{Failed, Trial};

use crate::compile::Options;
use crate::program::{DUTIES, Subject, Variant, default_variant};
use crate::toolchain::{
    self, CLANG_SANITIZED, GCC, GCC_SANITIZED, GCC_THREADS, GCC_UNOPTIMIZED, Toolchain, root, trial,
};

static PROGRAMS: Mutex<BTreeMap<&'static str, Option<PathBuf>>> = Mutex::new(BTreeMap::new());

/// The program of a toolchain, built by whoever comes first.
fn program(toolchain: &Toolchain) -> Result<PathBuf, Failed> {
    let mut programs = PROGRAMS.lock().map_err(|_| "another build failed")?;
    if let Some(program) = programs.get(toolchain.name) {
        return program.clone().ok_or_else(|| "its program could not be built".into());
    }
    programs.insert(toolchain.name, None);
    let text = std::fs::read_to_string(root().join("tests/safety/duties.x"))?;
    let subject = Subject::new(&format!("duties {}", toolchain.name), &text, &variants())?;
    let program = subject.build(toolchain, &DUTIES)?;
    programs.insert(toolchain.name, Some(program.clone()));
    Ok(program)
}

/// As always, `--strict`, and `--max-depth 5`.
fn variants() -> [Variant; 3] {
    let strict = Options { strict: true, ..Options::default() };
    let shallow = Options { max_depth: Some(5), ..Options::default() };
    [default_variant(), ("strict".to_owned(), strict), ("shallow".to_owned(), shallow)]
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

/// Every duty under both compilers' sanitizers; lists on a stack of 64 KiB, unoptimized; threads under theirs.
pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    let mut add = |name: &str, toolchain: Toolchain, call: Call| {
        let title = format!("{}, {}", name.replace('_', " "), toolchain.name);
        let name = name.to_owned();
        trials.push(trial(title, toolchain, move || toolchain::run(&mut call(&program(&toolchain)?, &name))));
    };
    for name in names() {
        if name.contains("64_bits") {
            // Sanitizers would look at every byte of it.
            add(&name, GCC, plainly);
            continue;
        }
        add(&name, GCC_SANITIZED, plainly);
        add(&name, CLANG_SANITIZED, plainly);
        if name.contains("stack") {
            add(&name, GCC_UNOPTIMIZED, on_small_stack);
        }
        if name.contains("threads") {
            add(&name, GCC_THREADS, plainly);
        }
    }
    trials
}
