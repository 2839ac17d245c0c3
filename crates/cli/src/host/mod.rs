//! The machine that whittle runs on, behind `driver`'s one trait.

mod bounded;
mod compiler;
mod leftovers;
mod place;
mod preprocess;
pub(crate) mod signals;
mod staging;
mod write;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::os::unix::fs::FileTypeExt;
use std::path::PathBuf;

use driver::{Destination, Failure, Host, Included, OutputFile, Preprocess, Preprocessed, SourceText};

use source::{Limit, Limits};

use crate::errors;

/// Real files, real programs.
#[derive(Default)]
pub(crate) struct Machine {
    /// Made before anything is written.
    pub(crate) folder: Option<String>,
    /// What was read, so that no output replaces it.
    pub(crate) read: RefCell<BTreeSet<PathBuf>>,
    /// How much of a file, and of what a preprocessor makes of one, is read.
    pub(crate) limits: Limits,
}

impl Host for Machine {
    fn read(&self, path: Option<&str>) -> Result<SourceText, Failure> {
        let name = path.unwrap_or("<stdin>");
        self.read.borrow_mut().extend(path.and_then(|path| std::fs::canonicalize(path).ok()));
        let most = self.limits.get(Limit::InputSize);
        let outcome = match path {
            Some(path) => std::fs::File::open(path).and_then(|file| bounded::read(file, most)),
            None => bounded::read(std::io::stdin().lock(), most),
        };
        let bytes = outcome.map_err(|problem| errors::cannot_read(name, &problem))?;
        Ok(match String::from_utf8(bytes) {
            Ok(text) => SourceText { name: name.to_owned(), text, lossy: false },
            Err(problem) => SourceText {
                name: name.to_owned(),
                text: String::from_utf8_lossy(problem.as_bytes()).into_owned(),
                lossy: true,
            },
        })
    }

    fn exists(&self, path: &str) -> bool {
        std::path::Path::new(path).is_file()
    }

    fn included(&self, path: &str) -> Included {
        let Ok(data) = std::fs::metadata(path) else { return Included::Absent };
        let kind = data.file_type();
        if kind.is_dir() {
            return Included::Absent;
        }
        if !kind.is_file() {
            return Included::NoFile(kind_of(kind));
        }
        if data.len() > self.limits.get(Limit::InputSize) {
            return Included::TooLong;
        }
        self.read(Some(path)).map_or(Included::Absent, Included::Text)
    }

    fn preprocess(&self, request: &Preprocess<'_>) -> Result<Preprocessed, Failure> {
        preprocess::run(request, self.limits.get(Limit::Expansion))
    }

    fn preprocess_c(&self, path: &str, flags: &[String]) -> Result<Preprocessed, Failure> {
        self.read.borrow_mut().extend(std::fs::canonicalize(path).ok());
        compiler::run(path, flags, self.limits.get(Limit::Expansion))
    }

    fn write(&self, files: &[OutputFile]) -> Result<(), Failure> {
        let read = self.read.borrow();
        let replaced = files.iter().find_map(|file| match &file.destination {
            Destination::Named(path)
            | Destination::Path(path)
            | Destination::Once(path)
            | Destination::WhereChanged(path) => {
                std::fs::canonicalize(path).ok().filter(|place| read.contains(place)).map(|_| path)
            }
            Destination::StandardOutput => None,
        });
        if let Some(path) = replaced {
            return Err(errors::would_replace_input(path));
        }
        if let Some(folder) = &self.folder {
            let cannot = |problem| errors::cannot_write(folder, &problem);
            std::fs::create_dir_all(folder).map_err(cannot)?;
        }
        write::all(files, self.folder.as_deref())
    }
}

/// What something is that is no file.
fn kind_of(kind: std::fs::FileType) -> &'static str {
    match kind {
        kind if kind.is_fifo() => "a pipe",
        kind if kind.is_socket() => "a socket",
        _ => "a device",
    }
}

/// A file's name as an argument of a compiler: what begins like an option, or like a file of arguments, begins with its folder.
fn argument(path: &str) -> String {
    if path.starts_with(['-', '@']) { format!("./{path}") } else { path.to_owned() }
}
