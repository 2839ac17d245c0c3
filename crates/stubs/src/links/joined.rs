//! A run time's parts put together into the files that stand beside what is generated, so that building needs no library of ours. In:
//! the text of all parts, and which a file has. Out: the file, each part once and behind those that it includes. A [`RunTime`] has three.

use std::collections::BTreeSet;

use cast::Declaration;

use super::options::SentOrder;
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

/// A run time, in three files.
pub struct RunTime {
    /// The header for programs, the one for generated code, and the code.
    pub files: [&'static str; 3],
    pub(super) parts: &'static [&'static [Part]],
    /// The parts for programs.
    pub(super) public: &'static [&'static str],
    /// The parts for generated code beside these.
    pub(super) stubs: &'static [&'static str],
    /// What the code begins with, behind its own header.
    pub(super) beginning: &'static str,
    /// Whether the code sends in a byte order that is chosen.
    pub(super) has_order: bool,
    /// The run times that it stands on, whose headers its own include; where both have a part of one name, the first has it.
    pub(super) over: &'static [&'static RunTime],
    /// Whether programs use those, too.
    pub(super) shows: bool,
}

/// What a run time has that stands on no other.
pub(super) const ALONE: RunTime = RunTime {
    files: [""; 3],
    parts: &[],
    public: &[],
    stubs: &[],
    beginning: "",
    has_order: false,
    over: &[],
    shows: false,
};

impl RunTime {
    /// What the file of that name holds.
    pub fn text(&self, name: &str, order: SentOrder) -> Option<String> {
        match self.files.iter().position(|known| *known == name)? {
            0 => Some(self.public_header()),
            1 => Some(self.stub_header()),
            _ => Some(self.source(order)),
        }
    }

    fn public_header(&self) -> String {
        let shown = self.over.iter().filter(|_| self.shows);
        let text: String = shown.clone().rev().map(|under| include(under.files[0])).collect();
        let joiner = shown.fold(self.joiner(&text), |joiner, under| joiner.without(under.public));
        joiner.with(self.public).text
    }

    fn stub_header(&self) -> String {
        let under = self.over.iter().rev().map(|under| include(under.files[1]));
        let text: String = [include(self.files[0])].into_iter().chain(under).collect();
        self.behind_headers(&text).with(self.stubs).text
    }

    fn source(&self, order: SentOrder) -> String {
        let order = order.definition().filter(|_| self.has_order).map(|(name, value)| {
            let value = Some(cast::build::name(value, cast::Type::INT));
            Declaration::Define(cast::Definition { name: name.to_string(), value })
        });
        let lines: Vec<Declaration> = order.into_iter().chain([Declaration::own_include(self.files[1])]).collect();
        let text = format!("{}{}{}", first_lines(), cast::print_declarations(&lines), self.beginning);
        self.code(&text, self.parts)
    }

    /// A source that includes the headers for generated code, of those of the parts that are sources.
    pub(super) fn code(&self, text: &str, parts: &[&[Part]]) -> String {
        let sources = parts.iter().copied().flatten().map(|(name, _)| *name).filter(|name| name.ends_with(".c"));
        let mut joiner = self.behind_headers(text).without(self.stubs);
        joiner.all.extend(parts.iter().copied().flatten());
        joiner.with(&sources.collect::<Vec<_>>()).text
    }

    /// A file that includes the header for programs, and all of what this stands on.
    fn behind_headers(&self, text: &str) -> Joiner {
        let under = self.over.iter();
        let joiner = under.fold(self.joiner(text), |joiner, under| joiner.without(under.public).without(under.stubs));
        joiner.without(self.public)
    }

    fn joiner(&self, text: &str) -> Joiner {
        let parts = [self].into_iter().chain(self.over.iter().copied()).flat_map(|of| of.parts);
        Joiner::new(parts.copied().flatten().copied(), text)
    }
}

/// What a source begins with: it uses all of the C library, and C's initial values, which C++ compilers have, but not C++17.
pub(super) fn first_lines() -> String {
    cast::print_declarations(&[Declaration::defined_once("_GNU_SOURCE", None), Declaration::c_initializers()])
}

fn include(name: &'static str) -> String {
    cast::print_declarations(&[Declaration::own_include(name)])
}

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
