//! Outputs appear whole or not at all. In: texts and destinations. Out: files. Each folder's files are one set (`staging.rs`); what an
//! earlier run left there is completed or removed first.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use driver::{Destination, Failure, OutputFile};
use rustix::fs::{AtFlags, Mode, OFlags, openat, statat};
use rustix::io::Errno;

use super::leftovers;
use super::place::{self, Place};
use super::staging::{Output, stage};
use crate::{errors, print};

/// A file and where it lies below its folder.
type Below<'a> = (&'a OutputFile, PathBuf);

/// Writes all files; with `if_changed`, those that hold the same already stay untouched.
pub(super) fn all(files: &[OutputFile], folder: Option<&str>, if_changed: bool) -> Result<(), Failure> {
    let mut roots: BTreeMap<PathBuf, Vec<Below>> = BTreeMap::new();
    let mut others = Vec::new();
    for file in files {
        match place::of(&file.destination, folder) {
            Place::File { root, below } => roots.entry(root).or_default().push((file, below)),
            other => others.push((file, other)),
        }
    }
    let mut staged = Vec::new();
    for (shown, files) in &roots {
        let cannot = |problem: Errno| errors::cannot_write(&shown.display().to_string(), &problem.into());
        let root = place::open_root(shown).map_err(|problem| match files.as_slice() {
            // Who asks for one file reads of that.
            [(_, below)] => errors::cannot_write(&shown.join(below).display().to_string(), &problem.into()),
            _ => cannot(problem),
        })?;
        leftovers::sweep(&root, shown);
        let outputs = wanted(&root, shown, files, if_changed)?;
        if !outputs.is_empty() {
            staged.push(stage(&root, shown, outputs)?);
        }
    }
    staged.into_iter().try_for_each(|staged| staged.publish())?;
    others.into_iter().try_for_each(|(file, place)| write_through(&file.text, &place))
}

/// The files that are to be written.
fn wanted<'a>(root: &OwnedFd, shown: &Path, files: &[Below<'a>], if_changed: bool) -> Result<Vec<Output<'a>>, Failure> {
    let mut outputs = Vec::new();
    for (file, below) in files {
        // What is there already is the user's, whatever it is; a link that leads nowhere is none.
        if matches!(file.destination, Destination::Once(_)) && shown.join(below).exists() {
            continue;
        }
        let entry = place::enter(root, shown, below)?;
        let is_kept = if_changed || matches!(file.destination, Destination::WhereChanged(_));
        if is_kept && holds(&entry, &file.text) {
            continue;
        }
        outputs.push(Output { text: &file.text, entry, below: below.clone() });
    }
    Ok(outputs)
}

/// Whether a file holds a text already.
fn holds(entry: &place::Entry, text: &str) -> bool {
    let data = statat(&entry.folder, &entry.name, AtFlags::SYMLINK_NOFOLLOW);
    if data.is_ok_and(|data| u64::try_from(data.st_size) != Ok(text.len() as u64)) {
        return false;
    }
    let opened = openat(&entry.folder, &entry.name, OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty());
    let mut found = Vec::new();
    opened.is_ok_and(|file| File::from(file).read_to_end(&mut found).is_ok()) && found == text.as_bytes()
}

fn write_through(text: &str, place: &Place) -> Result<(), Failure> {
    let outcome = match place {
        Place::StandardOutput => print::to_standard_output(text),
        Place::StandardError => whole(&mut io::stderr().lock(), text),
        Place::Device(path) => OpenOptions::new().write(true).open(path).and_then(|mut file| whole(&mut file, text)),
        Place::File { .. } => Ok(()),
    };
    let name = || match place {
        Place::StandardError => "standard error".to_owned(),
        Place::Device(path) => path.display().to_string(),
        _ => "standard output".to_owned(),
    };
    match outcome {
        // A reader that went away is no error of ours.
        Err(problem) if problem.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        outcome => outcome.map_err(|problem| errors::cannot_write(&name(), &problem)),
    }
}

fn whole(channel: &mut impl Write, text: &str) -> io::Result<()> {
    channel.write_all(text.as_bytes()).and_then(|()| channel.flush())
}

#[cfg(test)]
mod tests;
