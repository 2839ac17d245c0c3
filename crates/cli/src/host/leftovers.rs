//! What a run left that was killed. In: the folder of outputs. Out: a set that counted as written is completed, anything less is
//! removed. Only folders that whittle itself made, of this user, that no living process has locked, are touched.

use std::ffi::OsStr;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{
    AtFlags, Dir, FileType, FlockOperation, Mode, OFlags, flock, fstat, openat, renameat, statat, unlinkat,
};

use super::place;
use super::staging::{DIGITS, HEAD, MANIFEST, PREFIX, TAIL, UNFINISHED, identity};

/// A manifest is not longer, in bytes.
const MOST: u64 = 1 << 22;

/// Completes or removes what was left in `root`. What cannot be is no error of this run.
pub(super) fn sweep(root: &OwnedFd, shown: &Path) {
    for name in names(root).into_iter().flatten().filter(|name| is_ours_by_name(name)) {
        if let Some(folder) = opened(root, &name)
            && let Some(files) = contents(&folder)
            && finish(root, shown, &folder)
        {
            for file in files {
                let _ = unlinkat(&folder, &file, AtFlags::empty());
            }
            let _ = unlinkat(root, &name, AtFlags::REMOVEDIR);
        }
    }
}

fn names(folder: &OwnedFd) -> Option<Vec<String>> {
    let entries = Dir::read_from(folder).ok()?;
    let names = entries.flatten().filter_map(|entry| entry.file_name().to_str().ok().map(str::to_owned));
    Some(names.filter(|name| name != "." && name != "..").collect())
}

fn is_ours_by_name(name: &str) -> bool {
    name.strip_prefix(PREFIX).is_some_and(|digits| {
        digits.len() == DIGITS && digits.bytes().all(|digit| digit.is_ascii_digit() || (b'a'..=b'f').contains(&digit))
    })
}

/// The folder, where it is this user's alone and nobody works in it.
fn opened(root: &OwnedFd, name: &str) -> Option<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = openat(root, name, flags, Mode::empty()).ok()?;
    let data = fstat(&folder).ok()?;
    let is_ours = data.st_uid == rustix::process::geteuid().as_raw() && data.st_mode & 0o7777 == 0o700;
    (is_ours && flock(&folder, FlockOperation::NonBlockingLockExclusive).is_ok()).then_some(folder)
}

/// The names in it; `None` where any is not of ours.
fn contents(folder: &OwnedFd) -> Option<Vec<String>> {
    let names = names(folder)?;
    let is_ours = |name: &String| {
        let is_known = name == MANIFEST || name == UNFINISHED || name.bytes().all(|byte| byte.is_ascii_digit());
        let data = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW);
        is_known && data.is_ok_and(|data| place::kind_of(&data) == FileType::RegularFile)
    };
    names.iter().all(is_ours).then_some(names)
}

/// Puts the files of a manifest into their places. False where the manifest is not of ours: then nothing is touched.
fn finish(root: &OwnedFd, shown: &Path, folder: &OwnedFd) -> bool {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let Ok(manifest) = openat(folder, MANIFEST, flags, Mode::empty()) else { return true };
    let mut bytes = Vec::new();
    if std::fs::File::from(manifest).take(MOST).read_to_end(&mut bytes).is_err() {
        return false;
    }
    let Some(files) = listed(&bytes) else { return false };
    let mut waiting = Vec::new();
    for (number, (known, below)) in files.into_iter().enumerate() {
        let number = number.to_string();
        // Those that are in place are gone from here.
        let Ok(data) = statat(folder, &number, AtFlags::SYMLINK_NOFOLLOW) else { continue };
        if identity(&data).as_bytes() != known {
            return false;
        }
        waiting.push((number, below));
    }
    for (number, below) in waiting {
        // What stands in the way now is not this run's to judge.
        if let Ok(entry) = place::enter(root, shown, &below) {
            let _ = renameat(folder, &number, &entry.folder, &entry.name);
        }
    }
    true
}

/// The files of a manifest: what is known of each, and its place.
fn listed(manifest: &[u8]) -> Option<Vec<(&[u8], PathBuf)>> {
    let words: Vec<&[u8]> = manifest.split(|byte| *byte == 0).collect();
    let [head, files @ .., tail] = words.as_slice() else { return None };
    if *head != HEAD.as_bytes() || *tail != TAIL.as_bytes() || files.len() % 2 != 0 {
        return None;
    }
    let file = |pair: &[&'_ [u8]]| PathBuf::from(OsStr::from_bytes(pair[1]));
    let places: Vec<PathBuf> = files.chunks_exact(2).map(file).collect();
    let identities = files.iter().step_by(2).copied();
    places.iter().all(|path| place::is_plain(path)).then(|| identities.zip(places).collect())
}
