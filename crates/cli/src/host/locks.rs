//! Files that a process has to itself as long as it lives. In: a path. Out: the file, locked, or who could not have it. Source: flock(2).

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;

/// Why a file is not locked.
pub(crate) enum NotLocked {
    /// Another process has it; the file, to be read.
    Taken(File),
    Failed(io::Error),
}

/// The file, made where it is missing, and locked: the one that others see, not one that an earlier owner has just removed.
pub(crate) fn lock(path: &Path) -> Result<File, NotLocked> {
    for _ in 0..100 {
        let file = opened(OpenOptions::new().write(true).create(true).truncate(false).mode(0o600), path);
        let file = file.map_err(NotLocked::Failed)?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(Errno::WOULDBLOCK) => return Err(NotLocked::Taken(file)),
            Err(problem) => return Err(NotLocked::Failed(problem.into())),
        }
        let is_seen = file.metadata().ok().zip(fs::symlink_metadata(path).ok());
        if is_seen.is_some_and(|(mine, seen)| (mine.dev(), mine.ino()) == (seen.dev(), seen.ino())) {
            return Ok(file);
        }
    }
    Err(NotLocked::Failed(io::Error::other("it is removed again and again")))
}

/// Whether a process has locked the file.
pub(crate) fn is_locked(path: &Path) -> bool {
    let file = opened(&mut OpenOptions::new(), path);
    file.is_ok_and(|file| flock(&file, FlockOperation::NonBlockingLockShared) == Err(Errno::WOULDBLOCK))
}

/// Behind no link, and without waiting for a peer where the path is a pipe's.
fn opened(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits();
    options.read(true).custom_flags(i32::try_from(flags).map_err(io::Error::other)?).open(path)
}
