//! A folder of a test's own, of a name that nobody knows before, gone with the test.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A fresh folder.
#[derive(Debug)]
pub struct Scratch {
    folder: TempDir,
}

impl Scratch {
    /// Makes a folder whose name holds `name`.
    pub fn new(name: &str) -> std::io::Result<Scratch> {
        let name = name.replace(['/', ' '], "-");
        Ok(Scratch { folder: tempfile::Builder::new().prefix(&format!("whittle-test-{name}-")).tempdir()? })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Copies a file into it, under its own name.
    pub fn copy(&self, file: &Path) -> std::io::Result<PathBuf> {
        let target = self.path().join(file.file_name().unwrap_or_default());
        fs::copy(file, &target)?;
        Ok(target)
    }

    /// The names in it, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path()).into_iter().flatten().flatten();
        let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}
