//! A folder of a test's own, of a name that nobody knows before, gone with the test: when it is dropped, or when the process
//! ends, however it does.
//!
//! All folders of a process stand in one. A shell outside the process's group waits for the end of its input, which is the end
//! of the process, and removes what is left: what a `static` holds, and what a killed test could not remove.

use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use tempfile::TempDir;

/// The folder of this process, and who removes it.
struct Own {
    folder: PathBuf,
    /// The other end of its input is ours alone.
    _remover: Child,
}

static OWN: Mutex<Option<Own>> = Mutex::new(None);

/// The folder that all of this process stand in.
fn own_folder() -> io::Result<PathBuf> {
    let mut own = OWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(own) = own.as_ref() {
        return Ok(own.folder.clone());
    }
    let folder = tempfile::Builder::new().prefix("whittle-test-").tempdir()?.keep();
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' INT TERM HUP; cat; rm -rf -- \"$1\"", "sh"]).arg(&folder).process_group(0);
    shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let remover = shell.spawn().inspect_err(|_| drop(fs::remove_dir(&folder)))?;
    Ok(own.insert(Own { folder, _remover: remover }).folder.clone())
}

/// A fresh folder.
#[derive(Debug)]
pub struct Scratch {
    folder: TempDir,
}

impl Scratch {
    /// Makes a folder whose name holds `name`.
    pub fn new(name: &str) -> io::Result<Scratch> {
        let name = name.replace(['/', ' '], "-");
        Ok(Scratch { folder: tempfile::Builder::new().prefix(&format!("{name}-")).tempdir_in(own_folder()?)? })
    }

    /// One with copies of the files of a folder.
    pub fn with_files_of(name: &str, folder: &Path) -> io::Result<Scratch> {
        let scratch = Scratch::new(name)?;
        for file in fs::read_dir(folder)? {
            scratch.copy(&file?.path())?;
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    const OF_THE_CHILD: &str = "a_process_that_is_killed";

    #[test]
    fn a_folder_goes_with_its_owner() {
        let scratch = Scratch::new("own").expect("a folder is made");
        let path = scratch.path().to_owned();
        assert!(path.is_dir());
        drop(scratch);
        assert!(!path.exists());
    }

    /// Is run by the test below, in a folder for temporary files of its own.
    #[test]
    #[ignore = "never ends by itself"]
    fn a_process_that_is_killed() {
        let scratch = Scratch::new("killed").expect("a folder is made");
        fs::write(scratch.path().join("made"), "").expect("a file is made");
        std::thread::sleep(Duration::from_secs(60));
    }

    #[test]
    fn a_killed_process_leaves_nothing() {
        let outer = Scratch::new("outer").expect("a folder is made");
        let mut child = Command::new(std::env::current_exe().expect("a path"))
            .args(["--ignored", "--exact", &format!("scratch::tests::{OF_THE_CHILD}")])
            .env("TMPDIR", outer.path())
            .stdout(Stdio::null())
            .spawn()
            .expect("the test is started");
        let is_made = || {
            let folders = crate::golden::files_below(outer.path());
            folders.iter().any(|file| file.ends_with("made"))
        };
        within(Duration::from_secs(30), is_made, "the folder is not made");
        child.kill().and_then(|()| child.wait()).expect("the test is killed");
        within(Duration::from_secs(30), || outer.names().is_empty(), "something is left");
    }

    #[track_caller]
    fn within(time: Duration, is_so: impl Fn() -> bool, otherwise: &str) {
        let start = Instant::now();
        while !is_so() {
            assert!(start.elapsed() < time, "{otherwise}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}
