//! Flows as their users have them: compiled, built by their own Makefile, run by `whittle pipe run`. What the sinks print is
//! in `tests/flows/all.expected`, and of each edge every packet that was offered is accounted for.

use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use filetest::ports::Ports;
use filetest::scratch::Scratch;

type Outcome = Result<(), Box<dyn Error>>;

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/flows")
}

fn has(program: &str) -> bool {
    Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// A folder with all that a user has written.
fn folder() -> Result<Scratch, Box<dyn Error>> {
    let folder = Scratch::new("running-flows").map_err(|_| "no scratch folder")?;
    for entry in fs::read_dir(sources())? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ["c", "x", "idl", "spi"].iter().any(|known| ending == *known)) {
            fs::copy(&path, folder.path().join(path.file_name().ok_or("no name")?))?;
        }
    }
    Ok(folder)
}

fn run(folder: &Path, compiler: &str, flags: &str, arguments: &[&str]) -> Result<Output, Box<dyn Error>> {
    let ports = Ports::take()?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_whittle"));
    command.args(["pipe", "run", "all.spi", "--port", &ports.first.to_string()]).args(arguments);
    command.current_dir(folder).stdin(Stdio::null());
    Ok(command.env("CC", compiler).env("CFLAGS", flags).output()?)
}

/// What the programs printed, in an order of its own, after the table at the end was looked at.
fn printed(output: &Output) -> Result<String, Box<dyn Error>> {
    let text = String::from_utf8(output.stdout.clone())?;
    let (said, table) = text.split_once("edge  ").ok_or_else(|| format!("no table: {output:?}"))?;
    for line in table.lines().skip(1).filter(|line| !line.starts_with("  ")) {
        let Some((_, columns)) = line.rsplit_once(" -> ") else { return Err(format!("no edge: {line}").into()) };
        let counts: Vec<u64> = columns.split_whitespace().skip(1).map_while(|word| word.parse().ok()).collect();
        let [offered, delivered, waiting, under_way, dropped, faulty, unknown, filtered] = counts[..] else {
            return Err(format!("no counts: {line}").into());
        };
        assert_eq!(offered, delivered + waiting + under_way + dropped + faulty + unknown + filtered, "{line}");
        assert!(offered > 0, "{line}");
    }
    let mut lines: Vec<&str> = said.lines().collect();
    lines.sort_unstable();
    Ok(lines.join("\n"))
}

fn all_flows(compiler: &str, flags: &str) -> Outcome {
    if !has(compiler) {
        return Ok(());
    }
    let folder = folder()?;
    let description = fs::read_to_string(sources().join("all.spi"))?;
    let flows = description.lines().filter_map(|line| line.strip_prefix("flow ")?.split_whitespace().next());
    let mut found = String::new();
    for flow in flows {
        let output = run(folder.path(), compiler, flags, &["--flow", flow, "--dir", &format!("run-{flow}")])?;
        assert!(output.status.success(), "{flow}: {output:?}");
        let _ = write!(found, "== {flow}\n{}\n", printed(&output)?);
    }
    let expectation = sources().join("all.expected");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&expectation, &found)?;
    }
    assert_eq!(fs::read_to_string(expectation)?, found);
    Ok(())
}

#[test]
fn every_flow_delivers_what_was_sent_and_accounts_for_it() -> Outcome {
    all_flows("gcc", "-O1 -g1 -Wall -Wextra -Werror -fsanitize=address,undefined -fno-sanitize-recover=all")
}

#[test]
fn every_flow_does_so_as_clang_optimizes_it() -> Outcome {
    all_flows("clang", "-O2 -Wall -Wextra -Werror")
}

#[test]
fn a_line_is_a_flow() -> Outcome {
    let folder = folder()?;
    let line = "Source one; one -> Twice via shm -> Sum via direct";
    let output =
        run(folder.path(), "gcc", "-O1", &["--line", line, "--dir", "run-line", "--awake", "0", "--wait", "1"])?;
    assert!(output.status.success(), "{output:?}");
    assert_eq!(printed(&output)?, "Sum: 100 packets, sum 7900");
    let wrong = run(folder.path(), "gcc", "-O1", &["--line", "Source -> Reader"])?;
    assert_eq!(wrong.status.code(), Some(1));
    let said = String::from_utf8(wrong.stderr)?;
    assert!(said.contains("<line>:1:") && said.contains("`Tick`") && said.contains("`Line`"), "{said}");
    Ok(())
}

#[test]
fn what_the_user_wrote_is_not_written_over() -> Outcome {
    let folder = folder()?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_whittle"));
    let output = command.args(["compile", "all.spi"]).current_dir(folder.path()).output()?;
    assert!(output.status.success(), "{output:?}");
    for name in ["Source.c", "all_advice.c"] {
        assert_eq!(fs::read(sources().join(name))?, fs::read(folder.path().join(name))?, "{name}");
    }
    Ok(())
}

#[test]
fn templates_build_and_run_as_they_are() -> Outcome {
    let folder = Scratch::new("running-flows").map_err(|_| "no scratch folder")?;
    for file in ["all.spi", "shapes.x", "gallery.idl"] {
        fs::copy(sources().join(file), folder.path().join(file))?;
    }
    for flow in ["diamond", "fetched", "counted"] {
        let flags = "-O1 -Wall -Wextra -Werror";
        let output = run(folder.path(), "gcc", flags, &["--flow", flow, "--dir", &format!("run-{flow}")])?;
        assert!(output.status.success(), "{flow}: {output:?}");
    }
    Ok(())
}
