//! A run time's parts put together into the files that stand beside what is generated. In: the text of all parts, and which
//! a file has. Out: the file, each part once and behind those that it includes.

use std::collections::BTreeSet;

use crate::runtime::{included, join};

/// A file of the runtime's: its name without folder, its text.
pub(super) type Part = (&'static str, &'static str);

/// The texts of named files of `runtime/`.
macro_rules! parts {
    ($folder:literal: $($name:literal)*) => {
        [$(($name, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../runtime/", $folder, "/", $name)))),*]
    };
}
pub(super) use parts;

/// Puts parts together.
pub(super) struct Joiner {
    all: Vec<Part>,
    done: BTreeSet<&'static str>,
    pub(super) text: String,
}

impl Joiner {
    /// A file that begins with `text`, of some of the parts.
    pub(super) fn new(all: impl IntoIterator<Item = Part>, text: &str) -> Joiner {
        Joiner { all: all.into_iter().collect(), done: BTreeSet::new(), text: text.to_string() }
    }

    /// The parts, and those that they include, are in a file that this one includes.
    pub(super) fn without(mut self, names: &[&str]) -> Joiner {
        let text = std::mem::take(&mut self.text);
        let mut joiner = self.with(names);
        joiner.text = text;
        joiner
    }

    pub(super) fn with(mut self, names: &[&str]) -> Joiner {
        names.iter().for_each(|name| self.part(name));
        self
    }

    pub(super) fn part(&mut self, name: &str) {
        let Some((name, text)) = self.all.iter().copied().find(|(known, _)| *known == name) else { return };
        if !self.done.insert(name) {
            return;
        }
        text.lines().filter_map(included).for_each(|name| self.part(name));
        join(&mut self.text, text);
    }
}

/// The C of a folder of `runtime/` that is in no list.
#[cfg(test)]
pub(super) fn forgotten(folder: &str, listed: &[Part]) -> Vec<String> {
    let path = format!("{}/../../runtime/{folder}", env!("CARGO_MANIFEST_DIR"));
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let is_part = |name: &String| name.ends_with(".c") || name.ends_with(".h");
    names.filter(|name| is_part(name) && !listed.iter().any(|(known, _)| known == name)).collect()
}
