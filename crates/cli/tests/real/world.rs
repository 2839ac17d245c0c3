//! Runs a scenario of `tests/real` in a world of its own, and takes what it prints apart.

use std::path::{Path, PathBuf};
use std::process::Command;

use filetest::oracle;
use libtest_mimic::Failed;

/// Where the scenarios are.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/real")
}

/// Namespaces of its own, for the network, for mounts and for processes; what is in them ends with the scenario.
const UNSHARE: [&str; 6] = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child"];

/// The words that make a world: by root, or by `sudo` where that asks nothing.
fn unshare() -> Command {
    let id = Command::new("id").arg("-u").output();
    let is_root = id.is_ok_and(|output| output.stdout.starts_with(b"0\n"));
    let words = if is_root { Vec::new() } else { vec!["sudo", "-n"] };
    let mut words = words.into_iter().chain(["timeout", "100"]).chain(UNSHARE);
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words);
    command
}

pub(crate) fn is_possible() -> bool {
    unshare()
        .args(["sh", "-c", "mount --make-rprivate / && mount -t tmpfs none /mnt"])
        .output()
        .is_ok_and(|output| output.status.success())
}

/// What one part of a scenario printed, under the title it gave itself.
pub(crate) struct Part {
    pub(crate) title: String,
    pub(crate) text: String,
}

/// Runs a scenario with these variables.
pub(crate) fn run(scenario: &str, variables: &[(&str, String)]) -> Result<Vec<Part>, Failed> {
    let here = folder();
    let mut command = unshare();
    command.arg("env").arg(format!("HERE={}", here.display()));
    command.args(variables.iter().map(|(name, value)| format!("{name}={value}")));
    command.arg("sh").arg(here.join("world.sh")).arg("sh").arg(here.join(scenario)).current_dir("/");
    let printed = oracle::succeed(&mut command)?.stdout;
    let mut parts: Vec<Part> = Vec::new();
    for line in String::from_utf8_lossy(&printed).lines() {
        if let Some(title) = line.strip_prefix("== ") {
            parts.push(Part { title: title.to_owned(), text: String::new() });
        } else if let Some(part) = parts.last_mut() {
            part.text.push_str(line.trim_end());
            part.text.push('\n');
        }
    }
    Ok(parts)
}

/// All parts say the same.
pub(crate) fn agree(parts: &[&Part]) -> Result<(), Failed> {
    let Some(first) = parts.first() else { return Err("the scenario did nothing".into()) };
    for part in parts {
        if part.text != first.text {
            let difference = filetest::golden::difference(&first.text, &part.text);
            return Err(format!("{}\n{}\n{difference}", first.title, part.title).into());
        }
    }
    Ok(())
}

/// Paths as one word of a shell's list.
pub(crate) fn list(paths: &[&Path]) -> String {
    let paths: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    paths.join(" ")
}
