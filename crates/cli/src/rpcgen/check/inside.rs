//! A machine that reads what is inside of one folder and writes nothing. In: the folder. Out: texts, and what would have been written.
//! What a description includes by name is read where it is inside; what a C preprocessor finds in the system's own folders stays.

use std::cell::RefCell;
use std::path::PathBuf;

use driver::{Failure, Host, Included, Limits, OutputFile, Preprocess, Preprocessed, SourceText};

use crate::errors;
use crate::host::Machine;

pub(super) struct Inside {
    machine: Machine,
    /// Without links.
    folder: PathBuf,
    pub(super) written: RefCell<Vec<OutputFile>>,
}

impl Inside {
    pub(super) fn new(folder: PathBuf, limits: Limits) -> Inside {
        Inside { machine: Machine::new(limits, None, false), folder, written: RefCell::default() }
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
            Some(true) => self.machine.included(path),
        }
    }

    fn preprocess(&self, request: &Preprocess<'_>) -> Result<Preprocessed, Failure> {
        match computed_include(&request.source.text) {
            Some(line) => Err(errors::computed_include(&request.source.name, line)),
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

/// The line of an `#include` whose name a macro makes: where that leads is not known before.
fn computed_include(text: &str) -> Option<usize> {
    text.lines().position(|line| {
        let Some(word) = line.trim_start().strip_prefix('#').map(str::trim_start) else { return false };
        let name = ["include_next", "include", "import"].iter().find_map(|kind| word.strip_prefix(kind));
        name.is_some_and(|name| !name.trim_start().starts_with(['"', '<']))
    })
}
