//! What each name stands for, scope by scope (IDL 4.2 section 7.5).
//!
//! Names count without their case: two that differ in nothing else collide, and a use must be spelled as its
//! definition is. A name that is used in an interface, a structure or an operation, and was found outside it, belongs
//! to that scope from then on: nothing may be called so there any more.

use crate::errors;
use crate::syntax::{Name, ScopedName};
use aoi::DefinitionId;
use source::{Diagnostic, Span};
use std::collections::{BTreeMap, BTreeSet};

/// A scope; 0 is the file's own.
pub(crate) type ScopeId = usize;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    Module(ScopeId),
    /// A structure, union, enumeration, alias, native type or box, and the scope of what it holds.
    Type(DefinitionId, Option<ScopeId>),
    Interface(DefinitionId, ScopeId),
    Value(DefinitionId, ScopeId),
    Exception(DefinitionId, ScopeId),
    Constant(DefinitionId),
    Member {
        enumeration: DefinitionId,
        member: usize,
    },
    /// An operation, an attribute, a parameter, a member: nothing that other definitions use.
    Part(&'static str),
    /// What could not be made sense of, and was reported.
    Broken,
}

/// A meaning and where it comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<'a> {
    pub(crate) name: &'a str,
    pub(crate) meaning: Meaning,
    pub(crate) span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScopeKind {
    /// A file or a module: names that are used there may be defined there later.
    Module,
    /// An interface, a value type, a structure, a union, an exception.
    Type,
    Operation,
}

#[derive(Debug)]
pub(crate) struct Scope<'a> {
    pub(crate) name: &'a str,
    pub(super) kind: ScopeKind,
    pub(crate) parent: Option<ScopeId>,
    pub(super) entries: BTreeMap<String, Entry<'a>>,
    /// The scopes of the interfaces and value types that it inherits from.
    pub(crate) bases: Vec<ScopeId>,
    /// Every entry of those scopes, by name, the nearest first: made once, since all that is defined here is looked up in it.
    pub(super) inherited: BTreeMap<String, Vec<Entry<'a>>>,
    /// Names from outside that are used here, and where first.
    pub(super) used: BTreeMap<String, (&'a str, Span)>,
}

/// All scopes of a file.
#[derive(Debug)]
pub(crate) struct Scopes<'a> {
    pub(super) all: Vec<Scope<'a>>,
    pub(crate) current: ScopeId,
    /// What was said to be undefined, once.
    pub(super) undefined: BTreeSet<String>,
    /// Where names are defined that were said to be taken: only who spells them so means them.
    pub(super) taken: BTreeSet<Span>,
    /// Definitions, by their places, and the other spellings of their names that were found.
    pub(super) spellings: BTreeSet<(Span, &'a str)>,
    /// Uses of names, by their places, in another spelling than their definitions have.
    pub(super) misspelled: BTreeSet<Span>,
    /// Words of what could not be read: they may be defined there.
    pub(super) skipped: BTreeSet<&'a str>,
    pub(crate) findings: Vec<Diagnostic>,
}

pub(super) fn key(name: &str) -> String {
    name.to_ascii_lowercase()
}

impl<'a> Scopes<'a> {
    pub(crate) fn new(skipped: BTreeSet<&'a str>) -> Self {
        let mut scopes = Scopes {
            all: Vec::new(),
            current: 0,
            undefined: BTreeSet::new(),
            taken: BTreeSet::new(),
            spellings: BTreeSet::new(),
            misspelled: BTreeSet::new(),
            skipped,
            findings: Vec::new(),
        };
        scopes.add("", ScopeKind::Module);
        scopes.all[0].parent = None;
        scopes
    }

    /// A new scope inside the present one.
    pub(crate) fn add(&mut self, name: &'a str, kind: ScopeKind) -> ScopeId {
        let (parent, bases) = (Some(self.current), Vec::new());
        let (entries, inherited, used) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        self.all.push(Scope { name, kind, parent, entries, bases, inherited, used });
        self.all.len() - 1
    }

    pub(crate) fn scope(&self, id: ScopeId) -> &Scope<'a> {
        &self.all[id]
    }

    /// Leaves the present scope for the one around it.
    pub(crate) fn leave(&mut self) {
        self.current = self.all[self.current].parent.unwrap_or(0);
    }

    /// The names of the scopes around what is defined in `scope`, outermost first.
    pub(crate) fn path(&self, scope: ScopeId) -> Vec<String> {
        let mut path = Vec::new();
        let mut scope = scope;
        while let Some(parent) = self.all[scope].parent {
            path.push(self.all[scope].name.to_owned());
            scope = parent;
        }
        path.reverse();
        path
    }

    /// What the present scope itself defines as `name`.
    pub(crate) fn own(&self, name: &str) -> Option<Entry<'a>> {
        self.all[self.current].entries.get(&key(name)).copied()
    }

    /// True where a name means something here.
    pub(crate) fn is_known(&self, name: &Name<'a>) -> bool {
        let mut scope = Some(self.current);
        while let Some(current) = scope {
            if self.all[current].entries.get(&key(name.text)).is_some_and(|entry| entry.name == name.text) {
                return true;
            }
            scope = self.all[current].parent;
        }
        false
    }

    /// True where a name means something in the file; says nothing where it does not.
    pub(crate) fn finds(&self, name: &ScopedName<'a>) -> bool {
        let mut entries = &self.all[0].entries;
        for (index, part) in name.parts.iter().enumerate() {
            let Some(entry) = entries.get(&key(part.text)) else { return false };
            match entry.meaning {
                Meaning::Module(scope) | Meaning::Interface(_, scope) | Meaning::Value(_, scope) => {
                    entries = &self.all[scope].entries;
                }
                _ => return index + 1 == name.parts.len(),
            }
        }
        true
    }

    /// Defines a name in the present scope; says what is wrong with that. The first of two definitions stays.
    pub(crate) fn define(&mut self, name: Name<'a>, meaning: Meaning) -> bool {
        let scope = &self.all[self.current];
        let entry = Entry { name: name.text, meaning, span: name.span };
        let finding = if let Some(first) = scope.entries.get(&key(name.text)) {
            match first.name == name.text {
                true if first.meaning == Meaning::Broken => None,
                true => Some(errors::defined_twice(name.span, first.span, name.text)),
                false => Some(errors::differs_in_case(name.span, first.span, name.text, first.name)),
            }
        } else if scope.kind != ScopeKind::Operation && self.current != 0 && scope.name.eq_ignore_ascii_case(name.text)
        {
            // No member is ever named with a scope before it.
            let is_harmless = scope.name != name.text && meaning == Meaning::Part("a member");
            Some(errors::called_like_its_scope(name.span, name.text, is_harmless.then_some(scope.name)))
        } else if let Some((used, span)) = scope.used.get(&key(name.text)) {
            Some(errors::used_before(name.span, *span, name.text, used))
        } else {
            None
        };
        let is_good = !finding.as_ref().is_some_and(Diagnostic::is_error);
        if !is_good {
            self.taken.insert(name.span);
        }
        self.findings.extend(finding);
        self.all[self.current].entries.entry(key(name.text)).or_insert(entry);
        is_good
    }
}
