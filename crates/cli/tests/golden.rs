//! Goldens of the command itself: `tests/cli/NAME.x` (flows: `.spi`; what is checked of
//! them: `tests/check/NAME.spi`; what people get wrong in every language: `tests/mistakes`),
//! whose first line says how `whittle` is called, and beside it what comes out: `NAME.stdout`; `NAME.stderr` with the exit status as its last line.

use std::path::Path;
use std::process::{Command, Stdio};

use filetest::golden::{self, Golden};
use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let kinds = [("cli", "x"), ("cli", "spi"), ("check", "spi")];
    let kinds = kinds.into_iter().chain(["x", "idl", "spi"].map(|language| ("mistakes", language)));
    let goldens = kinds.flat_map(|(folder, kind)| golden::find(&root.join(folder), kind));
    let trials = goldens.map(|golden| Trial::test(golden.name(&root), move || run(&golden))).collect();
    libtest_mimic::run(&arguments, trials).exit();
}

fn run(golden: &Golden) -> Result<(), Failed> {
    let folder = golden.input.parent().ok_or("no folder")?;
    let name = golden.input.file_name().ok_or("no name")?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_whittle"));
    command.args(&golden.options).arg(name).current_dir(folder).stdin(Stdio::null()).env_remove("CPP");
    let output = command.output()?;
    let actual = match golden.kind.as_str() {
        "stdout" => String::from_utf8_lossy(&output.stdout).into_owned(),
        "stderr" => format!("{}{}\n", String::from_utf8_lossy(&output.stderr), output.status),
        other => return Err(format!("nothing is known of .{other}").into()),
    };
    golden::check(golden, &actual, "BLESS=1 cargo test -p whittle --test golden")
}
