//! A folder of a test's own, of a name that nobody knows before, gone with the test.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

/// A fresh folder.
#[derive(Debug)]
pub struct Scratch {
    folder: TempDir,
    /// Who removes the folder of a `static`, which nobody drops: the end of its input is the end of this process.
    remover: Option<Child>,
}

impl Scratch {
    /// Makes a folder whose name holds `name`.
    pub fn new(name: &str) -> std::io::Result<Scratch> {
        let name = name.replace(['/', ' '], "-");
        Ok(Scratch {
            folder: tempfile::Builder::new().prefix(&format!("whittle-test-{name}-")).tempdir()?,
            remover: None,
        })
    }

    /// The same for a `static`: the folder goes with the process, however that ends.
    pub fn of_process(name: &str) -> std::io::Result<Scratch> {
        let mut scratch = Scratch::new(name)?;
        let mut shell = Command::new("sh");
        shell.args(["-c", "trap '' INT TERM HUP; cat > /dev/null; rm -rf -- \"$1\"", "sh"]).arg(scratch.path());
        scratch.remover = Some(shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?);
        Ok(scratch)
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

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Some(mut remover) = self.remover.take() {
            drop(remover.stdin.take());
            // It has nothing to say.
            let _ = remover.wait();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Scratch;

    #[test]
    fn a_folder_goes_with_its_owner() {
        for scratch in [Scratch::new("own"), Scratch::of_process("process")] {
            let scratch = scratch.expect("a folder is made");
            let path = scratch.path().to_owned();
            assert!(path.is_dir());
            drop(scratch);
            assert!(!path.exists());
        }
    }
}
