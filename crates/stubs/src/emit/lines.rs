//! The user's `%` lines among the routines. In: lines, and routines by type. Out: the routines of each type behind the lines that
//! stand before it.
//!
//! Prototypes stand before all routines, but those of types under a condition: these stand before the first routine under it.

use std::collections::{BTreeMap, BTreeSet};

use cast::{Condition, Conditional, Declaration};

use super::{Mark, Options, Routines, declarations_first, marked};
use crate::by_calls::OPERATIONS;
use crate::plan::Plan;
use crate::runtime::words;

/// Lines, prototypes, routines and tables in order.
pub(super) fn among(plan: &Plan, options: &Options, routines: Routines) -> Vec<Declaration> {
    let mut tables = Tables::new(options);
    let mut text = Text { is_conditional: !options.by_calls.is_empty(), ..Text::default() };
    let branch = |name: &str| options.lines.branches.get(name).copied().unwrap_or(0);
    text.own = routines.prototypes_of(&|name| branch(name) == 0);
    let bodies = routines.bodies_by_type();
    let mut begun = BTreeSet::from([0]);
    // Parts without an owner come first.
    for name in std::iter::once("").chain(plan.order.iter().map(String::as_str)) {
        if let Some(texts) = options.lines.before.get(name) {
            text.lines(texts);
        }
        if begun.insert(branch(name)) {
            text.own.extend(routines.prototypes_of(&|other| branch(other) == branch(name)));
        }
        let own = bodies.get(name).copied().unwrap_or(&[]);
        if let Some(by_calls) = options.by_calls.get(name) {
            let is_marked = options.lines.before.get(name).is_some_and(|texts| marked::is_so(texts));
            text.own.extend(if is_marked { marked::entered_apart(own, &by_calls.routine) } else { own.to_vec() });
            text.own.extend(tables.entry(&by_calls.routine));
            text.by_calls.extend_from_slice(&by_calls.declarations);
        } else {
            text.own.extend_from_slice(own);
        }
    }
    if tables.are_last {
        text.close();
    }
    text.own.extend(tables.rest());
    text.lines(&options.lines.last);
    text.whole
}

impl Routines {
    fn prototypes_of(&self, is_wanted: &dyn Fn(&str) -> bool) -> Vec<Declaration> {
        let of = |(at, mark): (usize, &Mark)| {
            let end = self.marks.get(at + 1).map_or(self.prototypes.len(), |next| next.prototypes);
            is_wanted(&mark.name).then(|| self.prototypes.get(mark.prototypes..end).unwrap_or(&[]))
        };
        self.marks.iter().enumerate().filter_map(of).flatten().cloned().collect()
    }

    fn bodies_by_type(&self) -> BTreeMap<&str, &[Declaration]> {
        let mut found = BTreeMap::new();
        for (at, mark) in self.marks.iter().enumerate() {
            let end = self.marks.get(at + 1).map_or(self.bodies.len(), |next| next.bodies);
            found.insert(mark.name.as_str(), self.bodies.get(mark.bodies..end).unwrap_or(&[]));
        }
        found
    }
}

/// The tables, and the entries that walk through them.
struct Tables {
    head: Vec<Declaration>,
    entries: Vec<Declaration>,
    by_routine: BTreeMap<String, Declaration>,
    /// They call routines that the user's lines may declare.
    are_last: bool,
}

impl Tables {
    fn new(options: &Options) -> Tables {
        let mut head = crate::tables::declarations(&options.tables, &options.reserved);
        let first = head.iter().position(|declaration| matches!(declaration, Declaration::Function(_)));
        let entries = head.split_off(first.map_or(head.len(), |first| first.saturating_sub(1)));
        let lines = options.lines.before.values().flatten();
        let are_last = lines.flat_map(|text| words(text)).any(|word| options.tables.routines.iter().any(|r| r == word));
        let mut tables = Tables { head, entries: Vec::new(), by_routine: BTreeMap::new(), are_last };
        if are_last {
            tables.entries = entries;
            return tables;
        }
        for declaration in entries {
            if let Declaration::Function(function) = &declaration {
                tables.by_routine.insert(function.name.clone(), declaration);
            }
        }
        tables
    }

    /// A type's entry; the tables before the first.
    fn entry(&mut self, routine: &str) -> Vec<Declaration> {
        let Some(entry) = self.by_routine.remove(routine) else { return Vec::new() };
        let mut declarations = std::mem::take(&mut self.head);
        declarations.extend([Declaration::Blank, entry]);
        declarations
    }

    /// What has not been placed.
    fn rest(self) -> Vec<Declaration> {
        let mut rest = self.head;
        rest.extend(self.entries);
        rest.extend(self.by_routine.into_values());
        rest
    }
}

/// The file's text so far.
#[derive(Default)]
struct Text {
    whole: Vec<Declaration>,
    /// There are routines for other libraries.
    is_conditional: bool,
    /// What stands behind the last of the user's lines: for libraries with operations of streams, and for others.
    own: Vec<Declaration>,
    by_calls: Vec<Declaration>,
}

impl Text {
    fn lines(&mut self, texts: &[String]) {
        self.close();
        self.whole.extend(texts.iter().map(|text| Declaration::Verbatim(text.clone())));
    }

    fn close(&mut self) {
        let (mut then, mut otherwise) = (std::mem::take(&mut self.own), std::mem::take(&mut self.by_calls));
        then.iter_mut().chain(&mut otherwise).for_each(declarations_first);
        let has_any = then.iter().chain(&otherwise).any(|declaration| *declaration != Declaration::Blank);
        if !self.is_conditional {
            self.whole.extend(then);
        } else if has_any {
            if !otherwise.is_empty() {
                otherwise.insert(
                    0,
                    Declaration::comment("For libraries without operations of streams: a call for each part."),
                );
            }
            let condition = Condition::defined(OPERATIONS);
            self.whole.push(Declaration::Conditional(Conditional { condition, then, otherwise }));
        }
    }
}
