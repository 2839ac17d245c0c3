//! The repository's files: what `git` knows and what is new but not ignored.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A file, read once.
pub(crate) struct File {
    /// Relative to the root, with `/`.
    pub(crate) path: String,
    /// Empty where the file is no UTF-8.
    pub(crate) text: String,
}

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    // Said by cargo when it runs this; a target folder may be shared between copies of the repository.
    let own = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let own = PathBuf::from(own);
    own.parent().map(Path::to_owned).unwrap_or(own)
}

/// Every file of the repository, in order of its path.
pub(crate) fn files() -> Result<Vec<File>, Vec<String>> {
    let listed = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .ok()
        .filter(|output| output.status.success())
        .map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let mut paths: Vec<String> = match listed {
        Some(listed) => listed.lines().map(str::to_owned).collect(),
        // An unpacked archive has no history.
        None => walk(&root(), ""),
    };
    paths.sort();
    paths.dedup();
    let existing = paths.into_iter().filter(|path| root().join(path).is_file());
    Ok(existing
        .map(|path| File { text: std::fs::read_to_string(root().join(&path)).unwrap_or_default(), path })
        .collect())
}

fn walk(folder: &Path, prefix: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        if entry.path().is_dir() {
            if name != "target" && name != ".git" {
                found.extend(walk(&entry.path(), &format!("{path}/")));
            }
        } else {
            found.push(path);
        }
    }
    found
}
