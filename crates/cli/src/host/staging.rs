//! A set of files becomes visible as a whole. In: texts and their places in one folder. Out: each file whole, and the set whole even
//! where the process is killed in between: the next run completes it (`leftovers.rs`).
//!
//! 1. A hidden folder of an unpredictable name is made, for its owner alone; each file is written there and synced.
//! 2. A manifest is put beside them: from here on the set counts as written.
//! 3. Each file is renamed to its place; manifest and folder go.
//!
//! Source: R. Arpaci-Dusseau, "All File Systems Are Not Created Equal" (OSDI 2014): write, sync, rename, sync the folder.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::time::Duration;

use driver::Failure;
use rustix::fs::{AtFlags, Stat};
use rustix::fs::{FlockOperation, Mode, OFlags, fchmod, flock, fstat, fsync, mkdirat, openat, renameat, unlinkat};
use rustix::io::Errno;

use super::place::Entry;
use super::signals::Guarded;
use crate::errors;

/// How the hidden folders are called; sixteen random digits follow.
pub(super) const PREFIX: &str = ".whittle-";
pub(super) const DIGITS: usize = 16;
pub(super) const MANIFEST: &str = "manifest";
pub(super) const UNFINISHED: &str = "manifest.new";
/// The first word of a manifest, and the last.
pub(super) const HEAD: &str = "whittle-outputs-1";
pub(super) const TAIL: &str = "end";

/// How often it is looked whether another run is done. A lock that somebody keeps longer stops nobody.
const PATIENCE: u32 = 400;

/// A text and its place.
pub(super) struct Output<'a> {
    pub(super) text: &'a str,
    pub(super) entry: Entry,
    /// From the root, as the manifest says it.
    pub(super) below: PathBuf,
}

/// The hidden folder with files in it.
pub(super) struct Staged<'a> {
    root: OwnedFd,
    folder: OwnedFd,
    guard: Guarded,
    outputs: Vec<Output<'a>>,
}

/// Writes all files into a hidden folder of `root`.
pub(super) fn stage<'a>(root: &OwnedFd, shown: &Path, outputs: Vec<Output<'a>>) -> Result<Staged<'a>, Failure> {
    let cannot = |problem: Errno| errors::cannot_write(&shown.display().to_string(), &problem.into());
    let root = rustix::io::fcntl_dupfd_cloexec(root, 0).map_err(cannot)?;
    let (guard, folder) = hidden(&root, shown).map_err(cannot)?;
    let staged = Staged { root, folder, guard, outputs };
    for (number, output) in staged.outputs.iter().enumerate() {
        staged
            .write(number, output)
            .map_err(|problem| errors::cannot_write(&output.entry.path.display().to_string(), &problem))?;
    }
    Ok(staged)
}

/// Makes the folder. Who sweeps takes those whose lock is free.
fn hidden(root: &OwnedFd, shown: &Path) -> Result<(Guarded, OwnedFd), Errno> {
    loop {
        let name = format!("{PREFIX}{:016x}", random()?);
        let made = Guarded::new(|| mkdirat(root, &name, Mode::RWXU).map(|()| shown.join(&name)));
        let guard = match made {
            Err(Errno::EXIST) => continue,
            made => made?,
        };
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        // Another run may have swept it, or have begun to, before it was locked.
        let folder = match openat(root, &name, flags, Mode::empty()) {
            Err(Errno::NOENT) => continue,
            opened => opened?,
        };
        // Some file systems know no locks, and nobody sweeps there.
        let is_swept = flock(&folder, FlockOperation::NonBlockingLockExclusive) == Err(Errno::WOULDBLOCK);
        if !is_swept && fstat(&folder)?.st_nlink > 0 {
            return Ok((guard, folder));
        }
    }
}

fn random() -> Result<u64, Errno> {
    let mut bytes = [0; 8];
    let mut filled = 0;
    while filled < bytes.len() {
        filled += rustix::rand::getrandom(&mut bytes[filled..], rustix::rand::GetRandomFlags::empty())?;
    }
    Ok(u64::from_ne_bytes(bytes))
}

/// A file system that cannot sync keeps files as it can.
fn synced(file: impl AsFd) -> io::Result<()> {
    match fsync(file) {
        Err(Errno::INVAL | Errno::OPNOTSUPP | Errno::ROFS) | Ok(()) => Ok(()),
        Err(problem) => Err(problem.into()),
    }
}

impl Staged<'_> {
    fn write(&self, number: usize, output: &Output) -> io::Result<()> {
        let mut file = self.create(&number.to_string())?;
        file.write_all(output.text.as_bytes())?;
        if let Some(mode) = output.entry.mode {
            fchmod(&file, mode)?;
        }
        synced(&file)
    }

    fn create(&self, name: &str) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(File::from(openat(&self.folder, name, flags, Mode::from_raw_mode(0o666))?))
    }

    /// The set counts as written from here on. A single file needs no manifest: it is renamed, or it is not.
    fn commit(&self) -> io::Result<()> {
        if self.outputs.len() == 1 {
            return Ok(());
        }
        let mut manifest = vec![HEAD.as_bytes().to_vec()];
        for (number, output) in self.outputs.iter().enumerate() {
            let data = rustix::fs::statat(&self.folder, number.to_string(), AtFlags::SYMLINK_NOFOLLOW)?;
            manifest.push(identity(&data).into_bytes());
            manifest.push(output.below.as_os_str().as_encoded_bytes().to_vec());
        }
        manifest.push(TAIL.as_bytes().to_vec());
        let mut file = self.create(UNFINISHED)?;
        file.write_all(&manifest.join(&0))?;
        synced(&file)?;
        renameat(&self.folder, UNFINISHED, &self.folder, MANIFEST)?;
        synced(&self.folder)?;
        synced(&self.root)
    }

    /// Renames all files to their places; a signal waits so long, and so does another run, whose set would mix with this one.
    pub(super) fn publish(self) -> Result<(), Failure> {
        for _ in 0..PATIENCE {
            if flock(&self.root, FlockOperation::NonBlockingLockExclusive) != Err(Errno::WOULDBLOCK) {
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        self.guard.uninterrupted(|| {
            let shown = || self.guard.path().display().to_string();
            self.commit().map_err(|problem| errors::cannot_write(&shown(), &problem))?;
            for number in 0..self.outputs.len() {
                self.publish_one(number)?;
            }
            for output in &self.outputs {
                // They are in place; what a failing disk says now helps nobody.
                let _ = synced(&output.entry.folder);
            }
            let _ = unlinkat(&self.folder, MANIFEST, AtFlags::empty());
            Ok(())
        })
    }

    fn publish_one(&self, number: usize) -> Result<(), Failure> {
        let entry = &self.outputs[number].entry;
        renameat(&self.folder, number.to_string(), &entry.folder, &entry.name)
            .map_err(|problem| errors::cannot_write(&entry.path.display().to_string(), &problem.into()))
    }
}

/// What nobody can know of a file before it is there: its number, and when it was last changed, to the nanosecond. So a manifest that
/// came with somebody's archive names no file of this run.
pub(super) fn identity(data: &Stat) -> String {
    format!("{}:{}:{}:{}", data.st_ino, data.st_ctime, data.st_ctime_nsec, data.st_size)
}

#[cfg(test)]
impl Staged<'_> {
    /// As if the process were killed after so many files were in place.
    pub(super) fn killed_after(self, files: usize) {
        self.commit().expect("the manifest is written");
        (0..files).for_each(|number| self.publish_one(number).expect("the file is renamed"));
        self.killed_before_the_manifest();
    }

    pub(super) fn killed_before_the_manifest(self) {
        std::mem::forget(self.guard);
    }
}
