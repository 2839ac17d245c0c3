//! The machine that whittle runs on, behind `driver`'s one trait.

mod bounded;
pub(crate) mod compiler;
mod leftovers;
pub(crate) mod locks;
mod pending;
mod place;
pub(crate) mod preprocess;
pub(crate) mod signals;
mod staging;
pub(crate) mod stream;
mod write;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use driver::{Failure, Host, Included, OutputFile, Preprocess, Preprocessed, SourceText};

use bounded::Room;
use source::{Limit, Limits, SourceMap};

use crate::common::Common;
use crate::errors;

/// Real files, real programs. What is written waits until [`Machine::publish`].
#[derive(Default)]
pub(crate) struct Machine {
    /// Made before anything is written.
    pub(crate) folder: Option<String>,
    /// How much of a file, and of what a preprocessor makes of one, is read.
    pub(crate) limits: Limits,
    /// Files that hold the same already are left untouched.
    if_changed: bool,
    /// A file that says what the outputs were made from.
    depfile: Option<String>,
    /// What was read, so that no output replaces it.
    read: RefCell<BTreeSet<PathBuf>>,
    /// The same under the names that it was read by.
    inputs: RefCell<BTreeSet<String>>,
    /// The processor time that preprocessors took for each input, in hundredths of a second.
    spent: RefCell<BTreeMap<String, u64>>,
    waiting: RefCell<Vec<OutputFile>>,
    has_published: Cell<bool>,
}

impl Machine {
    /// For a run with these options.
    pub(crate) fn of(common: &Common) -> Machine {
        Machine::new(common.bounds.limits(), common.depfile.clone(), common.if_changed)
    }

    pub(crate) fn new(limits: Limits, depfile: Option<String>, if_changed: bool) -> Machine {
        Machine { limits, depfile, if_changed, ..Machine::default() }
    }

    fn remember(&self, path: &str) {
        self.read.borrow_mut().extend(std::fs::canonicalize(path).ok());
        if self.depfile.is_some() {
            self.inputs.borrow_mut().insert(path.to_owned());
        }
    }

    /// Runs a preprocessor over an input, in the time that earlier runs over it have left. There is always some, since whole seconds are
    /// all that can be given.
    fn in_time<T>(&self, input: &str, run: impl FnOnce(Room) -> T) -> T {
        let spent = self.spent.borrow().get(input).copied().unwrap_or_default();
        let seconds = bounded::SECONDS.saturating_sub(spent / 100).max(1);
        let before = bounded::time_of_others();
        let outcome = run(Room { bytes: self.limits.get(Limit::Expansion), seconds });
        let spent = spent + bounded::time_of_others().saturating_sub(before);
        self.spent.borrow_mut().insert(input.to_owned(), spent);
        outcome
    }

    /// Remembers the files that a preprocessor read, as its line markers name them.
    fn remember_marked(&self, text: &str, is_ours: impl Fn(&str) -> bool) {
        if self.depfile.is_none() {
            return;
        }
        let mut sources = SourceMap::default();
        let file = sources.add_preprocessed("", text);
        let names = sources.marked_files(file).into_iter().filter(|name| !name.starts_with('<') && !is_ours(name));
        self.inputs.borrow_mut().extend(names.map(str::to_owned));
    }
}

impl Host for Machine {
    fn read(&self, path: Option<&str>) -> Result<SourceText, Failure> {
        let name = path.unwrap_or("<stdin>");
        let most = self.limits.get(Limit::InputSize);
        let outcome = match path {
            Some(path) => std::fs::File::open(path).and_then(|file| bounded::read(file, most)),
            None => bounded::read(std::io::stdin().lock(), most),
        };
        let bytes = outcome.map_err(|problem| errors::cannot_read(name, &problem))?;
        path.into_iter().for_each(|path| self.remember(path));
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
        let preprocessed = self.in_time(&request.source.name, |room| preprocess::run(request, room))?;
        if preprocessed.has_markers {
            self.remember_marked(&preprocessed.text, |_| false);
        }
        Ok(preprocessed)
    }

    fn preprocess_c(&self, path: &str, flags: &[String]) -> Result<Preprocessed, Failure> {
        self.remember(path);
        let (preprocessed, own) = self.in_time(path, |room| compiler::run(path, flags, room))?;
        self.remember_marked(&preprocessed.text, |name| name.starts_with(&own));
        Ok(preprocessed)
    }

    /// Every file waits for the end of the run.
    fn write(&self, files: &[OutputFile]) -> Result<(), Failure> {
        self.refuse_inputs(files)?;
        self.waiting.borrow_mut().extend_from_slice(files);
        Ok(())
    }
}

/// What a program says on standard output; `None` where it fails or says nothing in time.
pub(crate) fn said(program: &Path, arguments: &[&str]) -> Option<String> {
    let said = bounded::run(Command::new(program).args(arguments), None, Room::of(1 << 20)).ok()?;
    said.status.filter(|status| status.success())?;
    Some(String::from_utf8_lossy(&said.output).into_owned())
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
