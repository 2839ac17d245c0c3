//! The user's `%` lines among the types. In: the entries of the header, in C's order. Out: before which type each line stands, and
//! in which branch of the preprocessor's conditionals each type does.
//!
//! What stands between `%#ifndef OWN_PAIR` and `%#endif` may be left to the user, whose routine all others then call. So do types
//! behind a line `%BEGIN`: recipes (MySQL's) put what follows it into the next routine.

use std::collections::BTreeMap;

use aoi::{Aoi, DefinitionId, DefinitionKind};
use pres::Lines;

use crate::order::Entry;

/// The branches of conditionals, and who stands where.
#[derive(Default)]
pub(super) struct Branches {
    /// The branch around each; the file itself, 0, is around all.
    outer: Vec<usize>,
    types: BTreeMap<DefinitionId, usize>,
}

impl Branches {
    /// The branch that a type stands in.
    pub(super) fn of(&self, id: DefinitionId) -> usize {
        self.types.get(&id).copied().unwrap_or(0)
    }

    /// Whether all that is there in branch `from` finds the type there, too, as whittle made it.
    pub(super) fn reaches(&self, from: usize, id: DefinitionId) -> bool {
        let mut branch = from;
        let wanted = self.of(id);
        while branch != wanted && branch != 0 {
            branch = self.outer.get(branch).copied().unwrap_or(0);
        }
        branch == wanted
    }

    fn open(&mut self, outer: usize) -> usize {
        if self.outer.is_empty() {
            self.outer.push(0);
        }
        self.outer.push(outer);
        self.outer.len() - 1
    }
}

/// Places lines and types.
pub(super) fn place(aoi: &Aoi, entries: &[Entry]) -> (Lines, Branches) {
    let (mut lines, mut branches) = (Lines::default(), Branches::default());
    // The branches that are open, innermost last.
    let mut open: Vec<usize> = Vec::new();
    let mut waiting: Vec<String> = Vec::new();
    let mut is_marked = false;
    for entry in entries {
        match entry {
            Entry::Verbatim(verbatim) => {
                is_marked |= verbatim.text.lines().any(|line| line.starts_with("BEGIN"));
                follow(&verbatim.text, &mut open, &mut branches);
                waiting.push(verbatim.text.clone());
            }
            Entry::Definition(id) if !matches!(aoi.definitions[*id].kind, DefinitionKind::Constant(_)) => {
                let around = open.last().copied().unwrap_or(0);
                let branch = if std::mem::take(&mut is_marked) { branches.open(around) } else { around };
                let name = &aoi.definitions[*id].name;
                if branch != 0 {
                    branches.types.insert(*id, branch);
                    lines.branches.insert(name.clone(), branch);
                }
                if !waiting.is_empty() {
                    lines.before.insert(name.clone(), std::mem::take(&mut waiting));
                }
            }
            _ => {}
        }
    }
    lines.last = waiting;
    (lines, branches)
}

/// Enters and leaves branches as the preprocessor does.
fn follow(text: &str, open: &mut Vec<usize>, branches: &mut Branches) {
    for line in text.lines() {
        let Some(directive) = line.trim_start().strip_prefix('#') else { continue };
        let word = directive.trim_start().split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or("");
        match word {
            "if" | "ifdef" | "ifndef" => open.push(branches.open(open.last().copied().unwrap_or(0))),
            "else" | "elif" => {
                open.pop();
                open.push(branches.open(open.last().copied().unwrap_or(0)));
            }
            "endif" => {
                open.pop();
            }
            _ => {}
        }
    }
}
