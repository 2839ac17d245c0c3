//! Who runs a flow. In: the folder of its sockets and counters. Out: a claim to it, which one `whittle pipe run` has at a time and
//! which ends with its process; or who has it. And at the end, the folder without what the run has left there.
//! Source: `docs/guides/run-your-first-flow.md`; flock(2).

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, DirBuilder, File};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use super::ledger::Page;
use crate::errors;
use crate::host::locks::{self, NotLocked};

/// The file that is locked, and says who has locked it.
const FILE: &str = "runner";

/// A claim to a folder.
pub(super) struct Claim {
    directory: PathBuf,
    _locked: File,
    /// What was there before.
    before: BTreeSet<OsString>,
}

impl Claim {
    /// The claim of this process to the folder, which is made where it is missing; or why there is none.
    pub(super) fn of(directory: &Path, flow: &str) -> Result<Claim, String> {
        let place = directory.display();
        let failed = |what: &str, problem: &std::io::Error| {
            format!("{place} cannot be {what}: {}: choose another folder with --dir", errors::describe(problem))
        };
        let made = DirBuilder::new().recursive(true).mode(0o700).create(directory);
        made.map_err(|problem| failed("made", &problem))?;
        let before = names(directory).map_err(|problem| failed("read", &problem))?;
        let mut locked = locked(directory, flow)?;
        if let Some((program, process)) = before.iter().find_map(|name| holder(&directory.join(name))) {
            return Err(format!(
                "the flow `{flow}` runs already: {program}, process {process}, has an end of an edge in {place}; end it \
                 first, or give this run a folder and ports of its own with --dir and --port"
            ));
        }
        let _ = locked.set_len(0).and_then(|()| locked.write_all(format!("{}\n", std::process::id()).as_bytes()));
        Ok(Claim { directory: directory.to_owned(), _locked: locked, before })
    }

    /// The run is over. Where `everything` goes, what was not there before does, but for counters that a server's packets go on with.
    pub(super) fn end(self, everything: bool, keeps: bool) {
        let remove = |name: &OsString| drop(fs::remove_file(self.directory.join(name)));
        remove(&FILE.into());
        if everything {
            for name in names(&self.directory).unwrap_or_default() {
                let path = self.directory.join(&name);
                let goes = match path.extension().and_then(|ending| ending.to_str()) {
                    Some("sender" | "receiver") => !keeps || page(&path).is_none_or(|page| page.has_ended),
                    Some("socket" | "tap" | "metrics") => true,
                    _ => name == "key" && !self.before.contains(&name),
                };
                if goes {
                    remove(&name);
                }
            }
            // It stays where something is left.
            let _ = fs::remove_dir(&self.directory);
        }
    }
}

fn names(directory: &Path) -> std::io::Result<BTreeSet<OsString>> {
    fs::read_dir(directory)?.map(|entry| entry.map(|entry| entry.file_name())).collect()
}

fn page(path: &Path) -> Option<Page> {
    fs::read(path).ok().and_then(|bytes| Page::read(&bytes))
}

fn locked(directory: &Path, flow: &str) -> Result<File, String> {
    let path = directory.join(FILE);
    locks::lock(&path).map_err(|why| match why {
        NotLocked::Taken(mut file) => runs_already(&mut file, directory, flow),
        NotLocked::Failed(problem) => format!("{} cannot be locked: {}", path.display(), errors::describe(&problem)),
    })
}

fn runs_already(file: &mut File, directory: &Path, flow: &str) -> String {
    let mut said = String::new();
    let _ = file.rewind().and_then(|()| Read::by_ref(file).take(20).read_to_string(&mut said));
    let runner =
        said.trim().parse::<u32>().map_or("another process".to_owned(), |process| format!("process {process}"));
    let place = directory.display();
    format!(
        "the flow `{flow}` runs already: {runner} runs it in {place}; end that one first, or give this run a folder and \
         ports of its own with --dir and --port"
    )
}

/// The program and the process that have an end of an edge, where one has.
fn holder(path: &Path) -> Option<(String, u64)> {
    let is_page = matches!(path.extension()?.to_str()?, "sender" | "receiver");
    if !is_page || !locks::is_locked(path) {
        return None;
    }
    page(path).map(|page| (page.program, page.process))
}
