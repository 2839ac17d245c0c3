//! A folder of a test's own, gone with it unless the test fails.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A fresh folder.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
}

static COUNT: AtomicU32 = AtomicU32::new(0);

impl Scratch {
    /// Makes a folder whose name holds `name`.
    pub fn new(name: &str) -> std::io::Result<Scratch> {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = format!("whittle-{}-{number}-{}", std::process::id(), name.replace(['/', ' '], "-"));
        let path = std::env::temp_dir().join(folder);
        fs::create_dir_all(&path)?;
        Ok(Scratch { path })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Copies a file into it, under its own name.
    pub fn copy(&self, file: &Path) -> std::io::Result<PathBuf> {
        let target = self.path.join(file.file_name().unwrap_or_default());
        fs::copy(file, &target)?;
        Ok(target)
    }

    /// The names in it, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.path).into_iter().flatten().flatten();
        let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            // What cannot be removed is the system's to clean.
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}
