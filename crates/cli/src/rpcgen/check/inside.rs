//! A machine that reads what is inside of one folder and writes nothing. In: the folder. Out: texts, and what would have been written.
//! What a description includes by name is read where it is inside; what a C preprocessor finds in the system's own folders stays.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use driver::{Failure, Host, Included, Limits, OutputFile, Preprocess, Preprocessed, SourceText};

use crate::errors;
use crate::host::Machine;

pub(super) struct Inside {
    machine: Machine,
    /// Without links.
    folder: PathBuf,
    pub(super) written: RefCell<Vec<OutputFile>>,
    /// An `#include` that may lead anywhere: the file and the line.
    wild: RefCell<Option<(String, usize)>>,
}

impl Inside {
    pub(super) fn new(folder: PathBuf, limits: Limits) -> Inside {
        Inside {
            machine: Machine::new(limits, None, false),
            folder,
            written: RefCell::default(),
            wild: RefCell::default(),
        }
    }

    fn look_at(&self, text: &str, file: &str) {
        if let Some(line) = wild_include(text, file) {
            self.wild.borrow_mut().get_or_insert((file.to_owned(), line + 1));
        }
    }

    /// `None` where there is nothing.
    fn is_inside(&self, path: &str) -> Option<bool> {
        std::fs::canonicalize(path).ok().map(|path| path.starts_with(&self.folder))
    }
}

impl Host for Inside {
    fn read(&self, path: Option<&str>) -> Result<SourceText, Failure> {
        match path {
            Some(path) if self.is_inside(path) == Some(false) => Err(outside(path)),
            path => self.machine.read(path),
        }
    }

    fn exists(&self, path: &str) -> bool {
        self.is_inside(path) == Some(true) && self.machine.exists(path)
    }

    fn included(&self, path: &str) -> Included {
        match self.is_inside(path) {
            None => Included::Absent,
            Some(false) => Included::NoFile("outside of the folder that is checked"),
            Some(true) => {
                let included = self.machine.included(path);
                if let Included::Text(source) = &included {
                    self.look_at(&source.text, path);
                }
                included
            }
        }
    }

    fn preprocess(&self, request: &Preprocess<'_>) -> Result<Preprocessed, Failure> {
        self.look_at(&request.source.text, &request.source.name);
        match &*self.wild.borrow() {
            Some((name, line)) => Err(errors::wild_include(name, *line)),
            None => self.machine.preprocess(request),
        }
    }

    fn preprocess_c(&self, path: &str, _: &[String]) -> Result<Preprocessed, Failure> {
        Err(outside(path))
    }

    fn write(&self, files: &[OutputFile]) -> Result<(), Failure> {
        self.written.borrow_mut().extend_from_slice(files);
        Ok(())
    }
}

fn outside(path: &str) -> Failure {
    errors::cannot_read(path, &std::io::Error::other("outside of the folder that is checked"))
}

/// The line of an `#include` that leads where nobody has looked: its name is made by a macro, or goes up from a folder of the system's.
fn wild_include(text: &str, file: &str) -> Option<usize> {
    let folder = Path::new(file).parent().unwrap_or(Path::new(""));
    text.lines().position(|line| {
        let Some(word) = line.trim_start().strip_prefix('#').map(str::trim_start) else { return false };
        let name = ["include_next", "include", "import"].iter().find_map(|kind| word.strip_prefix(kind));
        let Some(name) = name.map(str::trim_start) else { return false };
        let end = match name.as_bytes().first() {
            Some(b'"') => '"',
            Some(b'<') => '>',
            _ => return true,
        };
        let name = name[1..].split_once(end).map_or("", |(name, _)| name);
        name.split('/').any(|part| part == "..") && !folder.join(name).exists()
    })
}
