//! `cargo xtask test`: all tests of the workspace, two test binaries at a time where there are two processors. `cargo test` runs one binary
//! after the other, and many wait for a clock or for one long test while the other processor has nothing to do.
//!
//! In: what `cargo test --no-run` says it built. Out: what each binary said, whole and in the order in which they end; a failure names
//! the binaries that failed and the command that runs each again.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Instant;

use serde_json::Value;

use crate::{cargo, tree};

/// A test binary that cargo built.
#[derive(Debug, PartialEq, Eq)]
struct Binary {
    executable: PathBuf,
    /// The folder of its package, in which cargo would run it.
    folder: PathBuf,
    /// The words for `cargo test` that choose it.
    choice: Vec<String>,
}

/// What takes longest, the longest first: begun late, one of them would run alone at the end. In any order the result is the same.
const LONG: [&str; 13] = [
    "safety",
    "wire",
    "runtime",
    "corba_runtime",
    "direct",
    "corba",
    "compat",
    "onc_runtime",
    "corpora",
    "plan",
    "law",
    "running_flows",
    "specialize",
];

/// What measures how soon servers and clients recover has the machine to itself, after the others.
const ALONE: [&str; 1] = ["xtask"];

/// Builds and runs all of them, then the examples in comments.
pub(crate) fn run() -> Result<(), Vec<String>> {
    let start = Instant::now();
    let mut binaries = built()?;
    let count = binaries.len();
    binaries.sort_by_key(|binary| LONG.iter().position(|long| *long == binary.name()).unwrap_or(LONG.len()));
    let alone = binaries.extract_if(.., |binary| ALONE.contains(&binary.name())).collect::<Vec<_>>();
    let mut failed = at_once(&binaries, std::thread::available_parallelism().map_or(1, usize::from));
    failed.extend(at_once(&alone, 1));
    println!("{count} test binaries, built and run in {} s", start.elapsed().as_secs());
    let documents = cargo::run(cargo::command().args(["test", "--workspace", "--doc"]), "cargo test --workspace --doc");
    failed.extend(documents.err().into_iter().flatten());
    if failed.is_empty() { Ok(()) } else { Err(failed) }
}

/// Runs binaries, so many at a time; the problems.
fn at_once(binaries: &[Binary], count: usize) -> Vec<String> {
    let next = Mutex::new(binaries.iter());
    let failed = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..count {
            scope.spawn(|| {
                while let Some(binary) = next.lock().ok().and_then(|mut next| next.next()) {
                    let problem = binary.run();
                    if let (Some(problem), Ok(mut failed)) = (problem, failed.lock()) {
                        failed.push(problem);
                    }
                }
            });
        }
    });
    failed.into_inner().unwrap_or_default()
}

/// Builds; what the compiler complains of goes where it always goes.
fn built() -> Result<Vec<Binary>, Vec<String>> {
    let mut build = cargo::command();
    build.args(["test", "--workspace", "--no-run", "--message-format", "json-render-diagnostics"]);
    let output = build.stderr(Stdio::inherit()).output().map_err(|problem| vec![format!("cargo test: {problem}")])?;
    if !output.status.success() {
        return Err(vec![format!("cargo test --no-run: {}", output.status)]);
    }
    Ok(listed(&String::from_utf8_lossy(&output.stdout)))
}

/// The test binaries among cargo's messages, one JSON object a line.
fn listed(messages: &str) -> Vec<Binary> {
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    messages.filter_map(|message| binary(&message)).collect()
}

fn binary(message: &Value) -> Option<Binary> {
    let is_test = message["reason"] == "compiler-artifact" && message["profile"]["test"] == true;
    let executable = message["executable"].as_str().filter(|_| is_test)?;
    let folder = Path::new(message["manifest_path"].as_str()?).parent()?.to_owned();
    let target = &message["target"];
    let name = target["name"].as_str()?;
    let package = folder.file_name()?.to_string_lossy().into_owned();
    let kind = target["kind"][0].as_str()?;
    let kind = match kind {
        "test" | "bin" | "example" | "bench" => format!("--{kind}"),
        _ => "--lib".to_owned(),
    };
    // A folder may be called otherwise than its package.
    let mut choice = vec!["--manifest-path".to_owned(), format!("{}/Cargo.toml", relative(&folder, &package)), kind];
    if choice[2] != "--lib" {
        choice.push(name.to_owned());
    }
    Some(Binary { executable: executable.into(), folder, choice })
}

/// Below the repository's root, where it is.
fn relative(folder: &Path, package: &str) -> String {
    folder.strip_prefix(tree::root()).map_or_else(|_| package.to_owned(), |inside| inside.display().to_string())
}

impl Binary {
    /// Its target's name; none for a library's own tests.
    fn name(&self) -> &str {
        if self.choice.iter().any(|word| word == "--lib") { "" } else { self.choice.last().map_or("", String::as_str) }
    }

    /// Runs it and prints what it says, at its end; what is wrong, with the command that shows it again.
    fn run(&self) -> Option<String> {
        let start = Instant::now();
        let mut command = Command::new(&self.executable);
        command.current_dir(&self.folder).env("CARGO_MANIFEST_DIR", &self.folder).stdin(Stdio::null());
        let again = format!("cargo test {}", self.choice.join(" "));
        let output = match command.output() {
            Ok(output) => output,
            Err(problem) => return Some(format!("{}: {problem}", self.executable.display())),
        };
        let [said, complained] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
        println!("\n{again}: {} s\n{}{}", start.elapsed().as_secs(), said.trim_start_matches('\n'), complained);
        (!output.status.success()).then(|| format!("failed ({}): {again}", output.status))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_binaries_are_found_among_the_messages_of_cargo() {
        let root = tree::root();
        let message = |kind: &str, test: bool| {
            serde_json::json!({
                "reason": "compiler-artifact", "manifest_path": root.join("crates/cli/Cargo.toml"),
                "target": {"name": "golden", "kind": [kind]}, "profile": {"test": test}, "executable": "/x/golden-1",
            })
        };
        let text = [message("test", true), message("bin", false), message("lib", true)].map(|line| line.to_string());
        let found = listed(&text.join("\n"));
        let choices: Vec<String> = found.iter().map(|binary| binary.choice.join(" ")).collect();
        assert_eq!(
            choices,
            ["--manifest-path crates/cli/Cargo.toml --test golden", "--manifest-path crates/cli/Cargo.toml --lib"]
        );
        assert_eq!(found[0].folder, root.join("crates/cli"));
    }

    #[test]
    fn a_binary_that_fails_is_named_with_its_command() {
        let choice = vec!["--test".to_owned(), "x".to_owned()];
        let binary =
            |program: &str| Binary { executable: program.into(), folder: tree::root(), choice: choice.clone() };
        assert_eq!(binary("true").run(), None);
        assert!(binary("false").run().is_some_and(|problem| problem.contains("cargo test --test x")));
        assert!(binary("no-such-program").run().is_some());
    }
}
