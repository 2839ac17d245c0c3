//! Looking names up: in the scope of their use, in what that inherits, in the scopes around (IDL 4.2 section 7.5.2).

use super::pseudo;
use super::scopes::{Entry, Meaning, Scope, ScopeId, ScopeKind, Scopes, key};
use crate::errors;
use crate::syntax::{Name, ScopedName};
use std::collections::{BTreeMap, BTreeSet};

impl<'a> Scopes<'a> {
    /// What a name stands for here; `None` where that was reported.
    pub(crate) fn resolve(&mut self, name: &ScopedName<'a>) -> Option<Entry<'a>> {
        let (first, rest) = name.parts.split_first()?;
        let mut found = match name.is_absolute {
            true => self.all[0].entries.get(&key(first.text)).copied(),
            false => self.search(first)?,
        };
        let mut place = first;
        for part in rest {
            let Some(entry) = found else { break };
            self.check_spelling(place, &entry);
            place = part;
            let scope = match entry.meaning {
                Meaning::Module(scope)
                | Meaning::Interface(_, scope)
                | Meaning::Value(_, scope)
                | Meaning::Exception(_, scope)
                | Meaning::Type(_, Some(scope)) => scope,
                Meaning::Broken => return None,
                _ => {
                    self.findings.push(errors::holds_no_names(part.span, entry.name, entry.span));
                    return None;
                }
            };
            found = self.inside(scope, part)?;
        }
        match found {
            Some(entry) => {
                self.check_spelling(place, &entry);
                (entry.meaning != Meaning::Broken).then_some(entry)
            }
            None => {
                self.report_undefined(name, place);
                None
            }
        }
    }

    fn report_undefined(&mut self, name: &ScopedName<'a>, part: &Name<'a>) {
        let spelled = name.spelled();
        if name.parts.iter().any(|part| self.skipped.contains(part.text) || is_keyword(part)) {
            return;
        }
        if self.undefined.insert(spelled.clone()) {
            let entries = self.all.iter().flat_map(|scope| scope.entries.values());
            let types = crate::keywords::TYPES.into_iter().filter(|_| name.parts.len() == 1);
            let known: Vec<&str> = types.chain(entries.map(|entry| entry.name)).take(source::COMPARED).collect();
            let near = || source::near_name(part.text, &known).filter(|guess| *guess != part.text).map(str::to_owned);
            let of_c = || crate::keywords::type_of_c(&spelled).map(str::to_owned);
            let guess = self.elsewhere(name).or_else(near).or_else(of_c);
            self.findings.push(errors::undefined(name.span, &spelled, guess.as_deref()));
        }
    }

    /// The whole name of what another module, or CORBA's own, calls so.
    fn elsewhere(&self, name: &ScopedName<'a>) -> Option<String> {
        let [part] = name.parts[..] else { return None };
        let is_type = |entry: &Entry<'_>| !matches!(entry.meaning, Meaning::Part(_) | Meaning::Broken);
        let scopes = (0..self.all.len()).filter(|scope| self.all[*scope].kind != ScopeKind::Operation);
        let found = scopes.take(source::COMPARED).find(|scope| {
            let entry = self.all[*scope].entries.get(&key(part.text));
            entry.is_some_and(|entry| entry.name == part.text && is_type(entry))
        });
        match found {
            Some(scope) => Some([self.path(scope), vec![part.text.to_owned()]].concat().join("::")),
            None => pseudo::is_of_corba(part.text).then(|| format!("CORBA::{}", part.text)),
        }
    }

    /// Reports each other spelling of a name once.
    fn check_spelling(&mut self, name: &Name<'a>, entry: &Entry<'a>) {
        if entry.name == name.text {
            return;
        }
        self.misspelled.insert(name.span);
        if self.spellings.insert((entry.span, name.text)) {
            self.findings.push(errors::spelled_otherwise(name.span, name.text, entry.name, entry.span));
        }
    }

    /// The innermost meaning of a name; the outer option is `None` where what was found was reported.
    #[expect(clippy::option_option, reason = "nothing found, and a mistake, differ")]
    fn search(&mut self, name: &Name<'a>) -> Option<Option<Entry<'a>>> {
        let mut passed = Vec::new();
        let mut scope = Some(self.current);
        while let Some(current) = scope {
            let own = self.all[current].entries.get(&key(name.text)).copied();
            // A name that could not be had there leaves others theirs.
            let own = own.filter(|entry| entry.name == name.text || !self.taken.contains(&entry.span));
            let found = match own {
                Some(entry) => Some(entry),
                None => {
                    let inherited = self.inherited(current, name)?;
                    // A name that is inherited comes from outside, too.
                    passed.extend(inherited.map(|_| current));
                    inherited
                }
            };
            if let Some(entry) = found {
                for passed in passed {
                    if self.all[passed].kind != ScopeKind::Module {
                        self.all[passed].used.entry(key(name.text)).or_insert((name.text, name.span));
                    }
                }
                return Some(Some(entry));
            }
            passed.push(current);
            scope = self.all[current].parent;
        }
        Some(None)
    }

    /// What `scope` defines or inherits as `name`; the outer option as for [`Scopes::search`].
    #[expect(clippy::option_option, reason = "nothing found, and a mistake, differ")]
    fn inside(&mut self, scope: ScopeId, name: &Name<'a>) -> Option<Option<Entry<'a>>> {
        match self.all[scope].entries.get(&key(name.text)) {
            Some(entry) => Some(Some(*entry)),
            None => self.inherited(scope, name),
        }
    }

    #[expect(clippy::option_option, reason = "nothing found, and a mistake, differ")]
    fn inherited(&mut self, scope: ScopeId, name: &Name<'a>) -> Option<Option<Entry<'a>>> {
        let all = self.all[scope].inherited.get(&key(name.text)).map_or(&[][..], Vec::as_slice);
        // What is nearer hides what is further off, which matters only where several have the name.
        let found = if all.len() > 1 { self.unhidden(scope, name) } else { all.to_vec() };
        let Some((first, others)) = found.split_first() else { return Some(None) };
        if let Some(other) = others.iter().find(|other| other.span != first.span) {
            self.findings.push(errors::ambiguous(name.span, name.text, first.span, other.span));
            return None;
        }
        Some(Some(*first))
    }

    fn unhidden(&self, scope: ScopeId, name: &Name<'a>) -> Vec<Entry<'a>> {
        let mut found: Vec<Entry<'a>> = Vec::new();
        let mut seen = BTreeSet::new();
        let mut open: Vec<ScopeId> = self.all[scope].bases.iter().rev().copied().collect();
        while let Some(base) = open.pop() {
            if !seen.insert(base) {
                continue;
            }
            match self.all[base].entries.get(&key(name.text)) {
                Some(entry) => found.push(*entry),
                None => open.extend(self.all[base].bases.iter().rev()),
            }
        }
        found
    }

    /// Lets a scope inherit. Returns how many scopes and entries it inherits by that; where there are more than `most`, it
    /// inherits nothing, and the result is `None`.
    pub(super) fn inherit(&mut self, scope: ScopeId, bases: Vec<ScopeId>, most: usize) -> Option<usize> {
        let mut seen = BTreeSet::new();
        let mut inherited: BTreeMap<String, Vec<Entry<'a>>> = BTreeMap::new();
        let mut count = 0;
        let mut open: Vec<ScopeId> = bases.iter().rev().copied().collect();
        while let Some(base) = open.pop() {
            if !seen.insert(base) {
                continue;
            }
            let Scope { entries, bases, .. } = &self.all[base];
            count += 1 + entries.len();
            if count > most {
                return None;
            }
            for (name, entry) in entries {
                inherited.entry(name.clone()).or_default().push(*entry);
            }
            open.extend(bases.iter().rev());
        }
        let scope = &mut self.all[scope];
        (scope.bases, scope.inherited) = (bases, inherited);
        Some(count)
    }
}

/// A keyword in the place of a name, which the parser has reported; with an underscore before it, it is a name.
fn is_keyword(part: &Name<'_>) -> bool {
    let is_escaped = (part.span.end - part.span.start) as usize != part.text.len();
    !is_escaped && crate::keywords::reserved(part.text) == Some(part.text)
}
