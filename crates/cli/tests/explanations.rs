//! The examples of `docs/errors.md`, run: what is wrong gets the code that it stands under, what is right gets nothing.
//!
//! A block of an interface, a flow or a dump (`x`, `idl`, `defs`, `spi`, `xip`, `aoi`, `pres`, `plan`) is checked; the commands of a block `sh` are run in a
//! folder with a good `demo.x`, the last one's words count.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use filetest::oracle;
use filetest::scratch::Scratch;
use libtest_mimic::{Arguments, Failed, Trial};

const PAGE: &str = include_str!("../../../docs/errors.md");
const DEMO: &str = "struct point { int x; };\nprogram P { version V { void PING(void) = 0; } = 1; } = 0x20000001;\n";

/// A block of the page: which code it is about, whether it is wrong, and what it says.
struct Example {
    code: &'static str,
    is_wrong: bool,
    language: &'static str,
    text: &'static str,
}

fn main() {
    let arguments = Arguments::from_args();
    let trials = PAGE.split("\n## ").skip(1).flat_map(examples).map(|example| {
        let name = format!("{}: {}", example.code, if example.is_wrong { "wrong" } else { "right" });
        oracle::trial(name, &["cpp"], move || run(&example))
    });
    let mut trials: Vec<Trial> = trials.collect();
    trials.push(Trial::test("most codes have both", both));
    libtest_mimic::run(&arguments, trials).exit();
}

fn examples(section: &'static str) -> Vec<Example> {
    let code = section.split(':').next().unwrap_or_default();
    let mut found = Vec::new();
    let mut is_wrong = true;
    let mut rest = section;
    while let Some((before, block)) = rest.split_once("\n```") {
        is_wrong = match before.lines().last() {
            Some("Wrong:") => true,
            Some("Right:") => false,
            _ => is_wrong,
        };
        let (language, block) = block.split_once('\n').unwrap_or_default();
        let (text, behind) = block.split_once("```").unwrap_or_default();
        found.push(Example { code, is_wrong, language, text });
        rest = behind;
    }
    found
}

fn run(example: &Example) -> Result<(), Failed> {
    let folder = Scratch::new("explanation")?;
    let output = match example.language {
        "sh" => commands(folder.path(), example.text)?,
        "defs" => {
            fs::write(folder.path().join("example.defs"), example.text)?;
            whittle(folder.path()).args(["mig", "-n", "example.defs"]).output()?
        }
        language => {
            // Dumps of trees have no ending of their own.
            let (ending, from): (&str, &[&str]) = match language {
                "x" | "idl" | "spi" | "xip" => (language, &[]),
                dump => ("x", &["--from", dump]),
            };
            let file = format!("example.{ending}");
            fs::write(folder.path().join(&file), example.text)?;
            whittle(folder.path()).args(["check", &file]).args(from).output()?
        }
    };
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let is_met = said.contains(&format!("[{}]", example.code));
    match (example.is_wrong, is_met) {
        (true, false) => Err(format!("`{}` is not found in\n{}\n{said}", example.code, example.text).into()),
        (false, _) if !said.is_empty() || !output.status.success() => Err(format!("{}\n{said}", example.text).into()),
        _ => Ok(()),
    }
}

fn whittle(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_whittle"));
    command.current_dir(folder).stdin(Stdio::null()).env_remove("CPP");
    command
}

fn commands(folder: &Path, text: &str) -> Result<std::process::Output, Failed> {
    fs::write(folder.join("demo.x"), DEMO)?;
    let program = format!("whittle() {{ {} \"$@\"; }}\n{text}", env!("CARGO_BIN_EXE_whittle"));
    let mut shell = Command::new("sh");
    shell.args(["-c", &program]).current_dir(folder).stdin(Stdio::null()).env_remove("CPP");
    Ok(shell.output()?)
}

/// A page in another form would have no examples, and no test would fail.
fn both() -> Result<(), Failed> {
    let all: Vec<Example> = PAGE.split("\n## ").skip(1).flat_map(examples).collect();
    let wrong = all.iter().filter(|example| example.is_wrong).count();
    if wrong > 80 && wrong == all.len() - wrong { Ok(()) } else { Err(format!("{wrong} of {}", all.len()).into()) }
}
