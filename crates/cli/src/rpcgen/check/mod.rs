//! `whittle rpcgen --check DIR`: what whittle in rpcgen's place would mean for a source tree. In: the folder. Out: a report of the
//! calls, the descriptions, what differs, and the line for each build system that makes the change. Nothing of the tree is run, and
//! nothing is written.

mod autoconf;
mod builds;
mod calls;
mod cmake;
mod descriptions;
mod inside;
mod judge;
mod make;
mod meson;
mod scripts;
mod shell;
mod show;
mod tree;

use std::collections::BTreeMap;

use builds::System;
use calls::Found;
use descriptions::Description;
use driver::Limits;
use judge::{Remark, Severity};
use tree::Tree;

use crate::voice::Voice;
use crate::{Ending, print, voice};

/// What the command line says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CheckTree {
    pub(super) folder: String,
    pub(super) voice: Voice,
    pub(super) limits: Limits,
}

/// How one build system is given whittle.
struct Change {
    system: &'static str,
    file: String,
    command: String,
}

/// All that is reported.
struct Checked {
    tree: Tree,
    found: Found,
    descriptions: Vec<Description>,
    remarks: Vec<Remark>,
    changes: Vec<Change>,
}

/// Reads the tree and reports.
pub(crate) fn run(asked: &CheckTree) -> Ending {
    voice::set(asked.voice);
    let tree = match Tree::read(&asked.folder) {
        Ok(tree) => tree,
        Err(why) => {
            print::refuse(&why);
            return Ending::CommandLineAtFault;
        }
    };
    let checked = Checked::of(tree, asked.limits);
    let ending = print::output(&show::text(&checked, asked.voice));
    if checked.fits() { ending } else { ending.max(Ending::InputAtFault) }
}

impl Checked {
    fn of(tree: Tree, limits: Limits) -> Checked {
        let mut found = Found::default();
        for file in tree.builds.iter().filter(|file| file.text.to_ascii_lowercase().contains("rpcgen")) {
            match file.system {
                System::Make | System::Debian => make::read(file, &mut found),
                System::Autotools => autoconf::read(file, &mut found),
                System::CMake => cmake::read(file, &mut found),
                System::Meson => meson::read(file, &mut found),
                System::Script | System::Language => scripts::read(file, &mut found),
            }
        }
        let descriptions = descriptions::check_all(&tree, &found.calls, limits);
        let mut remarks: Vec<Remark> = found.calls.iter().flat_map(judge::call).collect();
        remarks.extend(found.edits.iter().map(judge::edit));
        remarks.extend(absent(&tree, &found));
        remarks.extend(judge::unread(&tree));
        if found.calls.len() >= calls::MOST_CALLS {
            remarks.push(judge::too_many_calls());
        }
        let changes = changes(&found);
        Checked { tree, found, descriptions, remarks, changes }
    }

    /// Whether nothing must be mended.
    fn fits(&self) -> bool {
        let is_wrong = |description: &Description| description.is_checked() && description.count(true) > 0;
        !self.descriptions.iter().any(is_wrong) && self.count(Severity::Error) == 0
    }

    fn count(&self, severity: Severity) -> usize {
        self.remarks.iter().filter(|remark| remark.severity == severity).count()
    }

    fn verdict(&self) -> String {
        if self.found.calls.is_empty() && self.found.searches.is_empty() && self.descriptions.is_empty() {
            return "no build file here calls rpcgen, and there is no description".to_owned();
        }
        if !self.fits() {
            return "whittle cannot take rpcgen's place before the errors above are mended".to_owned();
        }
        let unchecked = self.descriptions.iter().filter(|description| !description.is_checked()).count();
        let warnings =
            self.count(Severity::Warning) + self.descriptions.iter().map(|one| one.count(false)).sum::<usize>();
        match (warnings, unchecked) {
            (0, 0) => "whittle can take rpcgen's place".to_owned(),
            (_, 0) => "whittle can take rpcgen's place; see the warnings above".to_owned(),
            (_, 1) => "whittle can take rpcgen's place, as far as is known: 1 description was not checked".to_owned(),
            (_, more) => {
                format!("whittle can take rpcgen's place, as far as is known: {more} descriptions were not checked")
            }
        }
    }
}

/// Descriptions that are called for, and are not here.
fn absent(tree: &Tree, found: &Found) -> Vec<Remark> {
    let mut remarks = Vec::new();
    for call in &found.calls {
        for input in judge::inputs(call) {
            if !tree.descriptions.iter().any(|file| descriptions::is_of(input, call, file)) {
                remarks.push(Remark {
                    severity: Severity::Note,
                    file: call.file.clone(),
                    line: Some(call.line),
                    message: format!("{input} is not in the folder, and was not checked"),
                    help: Some("`whittle check FILE` checks a description that is elsewhere"),
                });
            }
        }
    }
    remarks
}

/// One line for each way in which rpcgen is found.
fn changes(found: &Found) -> Vec<Change> {
    let mut known: BTreeMap<(System, Option<String>), String> = BTreeMap::new();
    let has_configure = found.searches.iter().any(|search| search.system == System::Autotools);
    let finds = |system| found.searches.iter().any(|search| search.system == system);
    for search in found.searches.iter().filter(|search| !(search.system == System::Make && has_configure)) {
        known.entry((search.system, search.variable.clone())).or_insert_with(|| search.file.clone());
    }
    for call in &found.calls {
        // What `configure` or `find_program` found is said there.
        let is_found = match call.system {
            System::Make => has_configure && call.variable.is_some(),
            System::CMake | System::Meson => {
                finds(call.system) && (call.variable.is_some() || call.system == System::Meson)
            }
            _ => false,
        };
        if !is_found {
            known.entry((call.system, call.variable.clone())).or_insert_with(|| call.file.clone());
        }
    }
    // A path that leads to whittle first serves what looks for rpcgen by its name, too.
    let by_path: Vec<System> =
        known.keys().filter(|(_, variable)| variable.is_none()).map(|(system, _)| *system).collect();
    known.retain(|(system, variable), _| variable.is_none() || !by_path.contains(system));
    let change = |((system, variable), file): ((System, Option<String>), String)| Change {
        system: system.name(),
        file,
        command: system.change(variable.as_deref()),
    };
    known.into_iter().map(change).collect()
}
