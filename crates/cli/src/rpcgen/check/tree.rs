//! The files of a source tree, which may mean harm. In: its folder. Out: the text of each build file and script, and the names of the
//! descriptions. Links out of the folder are not followed, devices and pipes are not opened, and numbers and sizes are bounded.

use std::fs::{self, File, Metadata};
use std::io::Read;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::builds::System;

/// Bounds that no tree of people's reaches.
const MOST_ENTRIES: usize = 100_000;
const MOST_DESCRIPTIONS: usize = 2000;
const DEEPEST: usize = 40;
const LONGEST: u64 = 1 << 20;
const MOST_BYTES: u64 = 64 << 20;

/// A build file or a script.
#[derive(Debug)]
pub(super) struct BuildFile {
    /// Below the folder, with `/`.
    pub(super) path: String,
    pub(super) system: System,
    pub(super) text: String,
}

impl BuildFile {
    pub(super) fn folder(&self) -> &str {
        self.path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }
}

/// What a tree holds.
#[derive(Debug, Default)]
pub(super) struct Tree {
    /// As the user names it.
    pub(super) root: String,
    /// Without links.
    pub(super) real: PathBuf,
    pub(super) builds: Vec<BuildFile>,
    /// Every `.x` file that looks like a description.
    pub(super) descriptions: Vec<String>,
    /// Every other file: what may be included.
    pub(super) others: Vec<String>,
    /// What was not read, and why.
    pub(super) unread: Vec<(String, &'static str)>,
    entries: usize,
    bytes: u64,
}

impl Tree {
    /// Reads what is below `root`; the error says why there is nothing.
    pub(super) fn read(root: &str) -> Result<Tree, String> {
        let described = |problem: &std::io::Error| format!("{root}: {}", crate::errors::describe(problem));
        let real = fs::canonicalize(root).map_err(|problem| described(&problem))?;
        if !real.is_dir() {
            return Err(format!("{root} is no folder: --check takes the folder of a source tree"));
        }
        fs::read_dir(&real).map_err(|problem| described(&problem))?;
        let mut tree = Tree { root: root.to_owned(), real, ..Tree::default() };
        tree.folder("", 0);
        tree.drop_generated();
        Ok(tree)
    }

    /// Where a file of the tree is for the user.
    pub(super) fn shown(&self, path: &str) -> String {
        crate::out::within(self.root.trim_end_matches('/'), path)
    }

    fn folder(&mut self, path: &str, depth: usize) {
        if depth > DEEPEST {
            self.unread.push((path.to_owned(), "folders are nested too deep"));
            return;
        }
        let Ok(entries) = fs::read_dir(self.real.join(path)) else {
            self.unread.push((path.to_owned(), "the folder cannot be read"));
            return;
        };
        // Names in other encodings are no names of ours.
        let mut names: Vec<String> = Vec::new();
        for entry in entries.flatten() {
            self.entries += 1;
            if self.entries > MOST_ENTRIES {
                break;
            }
            names.extend(entry.file_name().into_string().ok());
        }
        names.sort_unstable();
        for name in names {
            let below = if path.is_empty() { name.clone() } else { format!("{path}/{name}") };
            self.entry(below, &name, depth);
        }
        if self.entries > MOST_ENTRIES && path.is_empty() {
            self.unread.push((String::new(), "there are more than 100,000 files: name a smaller folder"));
        }
    }

    fn entry(&mut self, path: String, name: &str, depth: usize) {
        let Ok(data) = fs::symlink_metadata(self.real.join(&path)) else { return };
        if data.is_dir() {
            if ![".git", ".hg", ".svn"].contains(&name) {
                self.folder(&path, depth + 1);
            }
            return;
        }
        let data = match data.is_symlink() {
            // A link to a folder would be read twice.
            true => match self.linked(&path) {
                Some(data) => data,
                None => return,
            },
            false => data,
        };
        if !data.is_file() {
            if System::of_name(name, &path).is_some() || is_description(name) {
                self.unread.push((path, "it is no file, but a device, a pipe or a socket"));
            }
            return;
        }
        self.file(path, name, &data);
    }

    /// What a link leads to, inside the tree.
    fn linked(&mut self, path: &str) -> Option<Metadata> {
        let target = fs::canonicalize(self.real.join(path)).ok()?;
        if !target.starts_with(&self.real) {
            self.unread.push((path.to_owned(), "it is a symbolic link out of the folder"));
            return None;
        }
        fs::metadata(target).ok().filter(|data| !data.is_dir())
    }

    fn file(&mut self, path: String, name: &str, data: &Metadata) {
        let is_program = data.permissions().mode() & 0o111 != 0;
        let system = System::of_name(name, &path).or((is_program && !name.contains('.')).then_some(System::Script));
        if system.is_none() && !is_description(name) {
            self.others.push(path);
            return;
        }
        let Some(text) = self.text(&path, data) else { return };
        match system {
            Some(system) => self.builds.push(BuildFile { path, system, text }),
            None if self.descriptions.len() >= MOST_DESCRIPTIONS => {
                self.unread.push((path, "there are more than 2,000 descriptions: name a smaller folder"));
            }
            None if reads_like_a_description(&text) => self.descriptions.push(path),
            None => self.others.push(path),
        }
    }

    fn text(&mut self, path: &str, data: &Metadata) -> Option<String> {
        if data.len() > LONGEST || self.bytes + data.len() > MOST_BYTES {
            let why = if data.len() > LONGEST { "it is longer than 1 MiB" } else { "64 MiB have been read" };
            self.unread.push((path.to_owned(), why));
            return None;
        }
        let bytes = bytes(&self.real.join(path)).or_else(|| {
            self.unread.push((path.to_owned(), "it cannot be read"));
            None
        })?;
        self.bytes += bytes.len() as u64;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// What others of these files are made to: `Makefile.in` beside `Makefile.am`, `configure` beside `configure.ac`.
    fn drop_generated(&mut self) {
        let names: Vec<String> = self.builds.iter().map(|file| file.path.clone()).collect();
        self.builds.retain(|file| {
            let sources: Vec<String> = match file.path.strip_suffix("Makefile.in") {
                Some(folder) => vec![format!("{folder}Makefile.am")],
                None => match file.path.strip_suffix("Makefile") {
                    Some(folder) => vec![format!("{folder}Makefile.am"), format!("{folder}Makefile.in")],
                    None => Vec::new(),
                },
            };
            !sources.iter().any(|source| names.contains(source))
        });
    }
}

/// A file that was a file a moment ago: what has become a pipe since gives nothing, and nothing waits for it.
fn bytes(path: &Path) -> Option<Vec<u8>> {
    let flags = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).ok()?;
    let file = File::options().read(true).custom_flags(flags).open(path).ok()?;
    file.metadata().ok().filter(Metadata::is_file)?;
    let mut bytes = Vec::new();
    file.take(LONGEST).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

fn is_description(name: &str) -> bool {
    name.ends_with(".x") && name.len() > 2
}

/// Linkers and lexers have `.x` files, too.
fn reads_like_a_description(text: &str) -> bool {
    let begins = ["const ", "typedef ", "struct ", "union ", "enum ", "program "];
    text.lines().any(|line| begins.iter().any(|word| line.trim_start().starts_with(word))) && !text.contains("SECTIONS")
}
