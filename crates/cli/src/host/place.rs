//! Where an output goes. In: a destination, and the folder for all outputs. Out: an opened folder and a name in it, so that nobody can
//! put a link in between. Folders below the one that the command line names are entered one by one, links never.

use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::path::{Component, Path, PathBuf};

use driver::{Destination, Failure};
use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat, mkdirat, openat, statat};
use rustix::io::Errno;

use crate::errors;

/// What a destination is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Place {
    StandardOutput,
    StandardError,
    /// A device or pipe that the command line names: it is written as it is.
    Device(PathBuf),
    /// A file below a folder: the folder, then names.
    File {
        root: PathBuf,
        below: PathBuf,
    },
}

/// The place of a destination; `folder` is where the command line wants outputs.
pub(super) fn of(destination: &Destination, folder: Option<&str>) -> Place {
    match destination {
        Destination::StandardOutput => Place::StandardOutput,
        Destination::Named(path) => named(Path::new(path)),
        Destination::Path(path) | Destination::Once(path) | Destination::WhereChanged(path) => {
            let path = Path::new(path);
            let below = match folder {
                Some(".") if path.is_relative() => Some(path),
                Some(folder) => path.strip_prefix(folder).ok(),
                None => None,
            };
            match (below.filter(|below| is_plain(below)), folder) {
                (Some(below), Some(folder)) => Place::File { root: folder.into(), below: below.into() },
                _ => beside(path),
            }
        }
    }
}

/// Names alone: no `..`, nothing absolute.
pub(super) fn is_plain(path: &Path) -> bool {
    path.file_name().is_some() && path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

fn named(path: &Path) -> Place {
    match path.to_str() {
        // What is open already is written where it stands, not over.
        Some("/dev/stdout" | "/dev/fd/1" | "/proc/self/fd/1") => return Place::StandardOutput,
        Some("/dev/stderr" | "/dev/fd/2" | "/proc/self/fd/2") => return Place::StandardError,
        _ => {}
    }
    if path.metadata().is_ok_and(|data| !data.is_file() && !data.is_dir()) {
        return Place::Device(path.to_owned());
    }
    beside(&followed(path))
}

/// What a link leads to, whether that is there yet or not.
fn followed(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    // As many as the system follows.
    for _ in 0..40 {
        let Ok(target) = std::fs::read_link(&path) else { break };
        path = path.parent().map_or(target.clone(), |parent| parent.join(&target));
    }
    path
}

fn beside(path: &Path) -> Place {
    // What ends in `/` names a folder.
    if path.as_os_str().as_encoded_bytes().ends_with(b"/") {
        return Place::File { root: path.to_owned(), below: PathBuf::from(".") };
    }
    let root = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Place::File { root: root.to_owned(), below: path.file_name().map_or(path.to_owned(), PathBuf::from) }
}

/// A name in an opened folder.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) folder: OwnedFd,
    pub(super) name: OsString,
    /// As people read it.
    pub(super) path: PathBuf,
    /// Of the file that is there now.
    pub(super) mode: Option<Mode>,
}

/// Opens a folder that the command line names: links lead on.
pub(super) fn open_root(root: &Path) -> Result<OwnedFd, Errno> {
    rustix::fs::open(root, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
}

/// Enters the folders below `root` and finds the name there. What stands under it must be a file.
pub(super) fn enter(root: &OwnedFd, shown: &Path, below: &Path) -> Result<Entry, Failure> {
    let cannot = |path: &Path, problem: Errno| errors::cannot_write(&path.display().to_string(), &problem.into());
    let mut folder = rustix::io::fcntl_dupfd_cloexec(root, 0).map_err(|problem| cannot(shown, problem))?;
    let mut path = shown.to_owned();
    let names: Vec<&OsStr> = below.iter().filter(|name| *name != ".").collect();
    let Some((name, folders)) = names.split_last() else { return Err(cannot(below, Errno::ISDIR)) };
    for name in folders {
        path.push(name);
        folder = open_below(&folder, name).map_err(|problem| match kind(&folder, name) {
            Some(FileType::Symlink) => errors::link_on_the_way(&path.display().to_string()),
            _ => cannot(&path, problem),
        })?;
    }
    path.push(name);
    let mode = match statat(&folder, *name, AtFlags::SYMLINK_NOFOLLOW) {
        Err(Errno::NOENT) => None,
        Err(problem) => return Err(cannot(&path, problem)),
        Ok(data) => match kind_of(&data) {
            FileType::RegularFile => Some(Mode::from_raw_mode(data.st_mode & 0o777)),
            FileType::Symlink => return Err(errors::output_is_a_link(&path.display().to_string())),
            FileType::Directory => return Err(cannot(&path, Errno::ISDIR)),
            _ => return Err(errors::output_is_a_device(&path.display().to_string())),
        },
    };
    Ok(Entry { folder, name: (*name).to_owned(), path, mode })
}

fn open_below(folder: &OwnedFd, name: &OsStr) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    match openat(folder, name, flags, Mode::empty()) {
        Err(Errno::NOENT) => {
            match mkdirat(folder, name, Mode::from_raw_mode(0o777)) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(problem) => return Err(problem),
            }
            openat(folder, name, flags, Mode::empty())
        }
        outcome => outcome,
    }
}

fn kind(folder: &OwnedFd, name: &OsStr) -> Option<FileType> {
    statat(folder, name, AtFlags::SYMLINK_NOFOLLOW).ok().map(|data| kind_of(&data))
}

pub(super) fn kind_of(data: &Stat) -> FileType {
    FileType::from_raw_mode(data.st_mode)
}
