//! Goldens of the front end: `tests/import/NAME.c` and, beside it, `.tree`, all that the importer knows of it, or
//! `.stderr`, what it finds. A file that holds lines `// unit: NAME` is several units of one program.

mod dump;

use std::path::Path;
use std::process::Command;

use filetest::{golden, oracle};
use front_c::Input;
use libtest_mimic::{Arguments, Failed, Trial};
use source::SourceMap;

fn main() {
    let arguments = Arguments::from_args();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/import");
    let trials = golden::find(&folder, "c").into_iter().map(|case| {
        let name = case.name(&folder);
        Trial::test(name, move || check(&case))
    });
    let mut trials: Vec<Trial> = trials.collect();
    if std::env::var_os("LIBCLANG_PATH").is_none() {
        trials.extend(VERSIONS.map(again));
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// Other versions of libclang that must do; which is loaded is settled once in a process.
const VERSIONS: [&str; 2] = ["14", "16"];

/// All goldens with another version.
fn again(version: &'static str) -> Trial {
    let folder = format!("/usr/lib/llvm-{version}/lib");
    if !Path::new(&folder).join("libclang.so.1").exists() {
        return oracle::absent(format!("libclang {version}"), &format!("libclang1-{version}"));
    }
    Trial::test(format!("libclang {version}"), move || {
        let mut goldens = Command::new(std::env::current_exe()?);
        let output = goldens.env("LIBCLANG_PATH", folder).env_remove("BLESS").output()?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        if output.status.success() { Ok(()) } else { Err(said.into()) }
    })
}

fn check(case: &golden::Golden) -> Result<(), Failed> {
    let text = front_c::text_of(&std::fs::read(&case.input)?);
    let stem = case.input.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut sources = SourceMap::new();
    let (program, findings) = front_c::import(&units(&stem, &text), &mut sources);
    let said = source::render::short(&sources, &findings);
    let actual = match case.kind.as_str() {
        "tree" if findings.is_empty() => dump::program(&program),
        "tree" => return Err(said.into()),
        "stderr" => said,
        other => return Err(format!("nobody makes .{other}").into()),
    };
    golden::check(case, &actual, "BLESS=1 cargo test -p front-c --test import")
}

/// The units of a file.
fn units(stem: &str, text: &str) -> Vec<Input> {
    let mut units: Vec<Input> = Vec::new();
    for line in text.split_inclusive('\n') {
        if let Some(name) = line.strip_prefix("// unit: ") {
            units.push(Input { path: name.trim().to_owned(), ..Input::default() });
        } else if units.is_empty() {
            units.push(Input { path: stem.to_owned(), ..Input::default() });
        }
        if let Some(unit) = units.last_mut() {
            unit.text.push_str(line);
        }
    }
    units
}
