//! Outputs appear whole or not at all: every file is written beside its place first, then all are renamed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use driver::{Destination, Failure, OutputFile};

use crate::{Ending, errors, print};

/// A file that waits for its name.
struct Waiting {
    temporary: PathBuf,
    place: PathBuf,
}

pub(super) fn all(files: &[OutputFile]) -> Result<(), Failure> {
    let mut waiting = Vec::new();
    let outcome = files.iter().try_for_each(|file| prepare(file, &mut waiting));
    let outcome = outcome.and_then(|()| waiting.iter().try_for_each(publish));
    if outcome.is_err() {
        for file in &waiting {
            // Those already renamed are gone from here; an error in tidying up would only hide the first one.
            let _ = fs::remove_file(&file.temporary);
        }
    }
    outcome?;
    files.iter().filter(|file| !is_regular(file)).try_for_each(write_through)
}

/// True for what can be renamed into place; devices and pipes are written as they are.
fn is_regular(file: &OutputFile) -> bool {
    match &file.destination {
        Destination::StandardOutput => false,
        Destination::Path(path) | Destination::Once(path) | Destination::WhereChanged(path) => {
            Path::new(path).metadata().map_or(true, |data| data.is_file() || data.is_dir())
        }
    }
}

/// Whether a file holds a text already.
fn holds(path: &str, text: &str) -> bool {
    fs::read(path).is_ok_and(|found| found == text.as_bytes())
}

fn prepare(file: &OutputFile, waiting: &mut Vec<Waiting>) -> Result<(), Failure> {
    let path = match &file.destination {
        Destination::Path(path) => path,
        Destination::Once(path) if !Path::new(path).exists() => path,
        Destination::WhereChanged(path) if !holds(path, &file.text) => path,
        Destination::Once(_) | Destination::WhereChanged(_) | Destination::StandardOutput => return Ok(()),
    };
    if !is_regular(file) {
        return Ok(());
    }
    let failed = |problem| errors::cannot_write(path, &problem);
    // A link stays one: what it leads to is replaced.
    let place = fs::canonicalize(path).unwrap_or_else(|_| PathBuf::from(path));
    if place.is_dir() {
        return Err(failed(io::Error::from(io::ErrorKind::IsADirectory)));
    }
    let (temporary, mut handle) = create_beside(&place).map_err(failed)?;
    waiting.push(Waiting { temporary, place: place.clone() });
    handle.write_all(file.text.as_bytes()).map_err(failed)?;
    if let Ok(data) = place.metadata() {
        handle.set_permissions(data.permissions()).map_err(failed)?;
    }
    Ok(())
}

/// A new file in the folder of `place`, under a name that nobody has.
fn create_beside(place: &Path) -> io::Result<(PathBuf, File)> {
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    for attempt in 0..1000 {
        let temporary = place.with_file_name(format!(".{name}.{}.{attempt}", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            Err(problem) if problem.kind() == io::ErrorKind::AlreadyExists => {}
            outcome => return outcome.map(|handle| (temporary, handle)),
        }
    }
    Err(io::Error::from(io::ErrorKind::AlreadyExists))
}

fn publish(file: &Waiting) -> Result<(), Failure> {
    fs::rename(&file.temporary, &file.place)
        .map_err(|problem| errors::cannot_write(&file.place.display().to_string(), &problem))
}

fn write_through(file: &OutputFile) -> Result<(), Failure> {
    match &file.destination {
        Destination::StandardOutput => match print::output(&file.text) {
            Ending::Done => Ok(()),
            _ => Err(errors::cannot_write("standard output", &io::Error::from(io::ErrorKind::WriteZero))),
        },
        // What is there already is the user's.
        Destination::Once(_) => Ok(()),
        Destination::Path(path) | Destination::WhereChanged(path) => OpenOptions::new()
            .write(true)
            .open(path)
            .and_then(|mut handle| handle.write_all(file.text.as_bytes()))
            .map_err(|problem| errors::cannot_write(path, &problem)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &Path, text: &str) -> OutputFile {
        OutputFile { destination: Destination::Path(path.display().to_string()), text: text.to_owned() }
    }

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("whittle-write-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn what_is_there_stays_where_that_is_wanted() {
        let folder = folder("stays");
        let path = folder.join("file.c");
        let place = || path.display().to_string();
        let written = |destination, text: &str| {
            all(&[OutputFile { destination, text: text.to_owned() }]).unwrap();
            (fs::read_to_string(&path).unwrap(), fs::metadata(&path).unwrap().modified().unwrap())
        };
        let first = written(Destination::WhereChanged(place()), "one");
        assert_eq!(first.0, "one");
        assert_eq!(written(Destination::WhereChanged(place()), "one"), first);
        assert_eq!(written(Destination::Once(place()), "two"), first);
        assert_eq!(written(Destination::WhereChanged(place()), "two").0, "two");
        fs::remove_file(&path).unwrap();
        assert_eq!(written(Destination::Once(place()), "three").0, "three");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn when_one_file_cannot_be_written_none_is() {
        let folder = folder("none");
        let first = folder.join("a.h");
        fs::write(&first, "old").unwrap();
        let finding = all(&[file(&first, "new"), file(&folder.join("absent/b.c"), "new")]).unwrap_err();
        assert_eq!(finding.code, "host-004");
        assert_eq!(fs::read_to_string(&first).unwrap(), "old");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "no temporary file is left");
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_link_stays_a_link() {
        let folder = folder("link");
        fs::write(folder.join("real.h"), "old").unwrap();
        std::os::unix::fs::symlink("real.h", folder.join("a.h")).unwrap();
        all(&[file(&folder.join("a.h"), "new")]).unwrap();
        assert_eq!(fs::read_to_string(folder.join("real.h")).unwrap(), "new");
        assert!(folder.join("a.h").symlink_metadata().unwrap().is_symlink());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_device_is_written_as_it_is() {
        all(&[file(Path::new("/dev/null"), "text")]).unwrap();
        assert!(!Path::new("/dev/null").metadata().unwrap().is_file());
    }
}
