//! Repository ids: `IDL:prefix/Mail/Folder:1.0` (CORBA 3.3 part 1, sections 14.7.3 and 14.7.5).
//!
//! A prefix holds from its pragma to the end of the scope or the file that it stands in, and takes the place of that scope's
//! own names: in `module M`, after `#pragma prefix "p"`, `T` has the id `IDL:p/T:1.0`. `typeprefix` gives one to all
//! of a scope, and stands before its names. A version or a whole id is given to one definition, once.

use super::scopes::{Meaning, ScopeId};
use super::{Lowering, definition_of, described};
use crate::errors;
use crate::pragmas::{Pragma, PragmaKind};
use crate::syntax::{Expression, Name, ScopedName};
use aoi::{DefinitionId, Item};
use source::Span;
use std::collections::BTreeMap;

#[derive(Debug)]
pub(super) struct Ids<'a> {
    pragmas: Vec<Pragma<'a>>,
    next: usize,
    /// The prefix of the present scope, and those of the scopes around it.
    prefixes: Vec<Prefix>,
    /// What was in force where each included file began.
    files: Vec<Vec<Prefix>>,
    known: BTreeMap<DefinitionId, Id>,
    /// What `typeprefix` says of modules that come later, and where it does: the OMG's own files begin so.
    later: Vec<(ScopeId, ScopedName<'a>, String)>,
    /// By the scope: what `typeprefix` says.
    type_prefixes: BTreeMap<ScopeId, String>,
}

/// What stands before names, and the scope whose names it takes the place of.
#[derive(Clone, Debug, Default, PartialEq)]
struct Prefix {
    text: String,
    of: ScopeId,
}

/// What is known of one definition's id.
#[derive(Debug)]
struct Id {
    prefix: Prefix,
    scope: ScopeId,
    version: Option<(String, Span)>,
    whole: Option<(String, Span)>,
}

impl<'a> Ids<'a> {
    pub(super) fn new(pragmas: Vec<Pragma<'a>>) -> Self {
        let (files, known, type_prefixes) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
        Ids { pragmas, next: 0, prefixes: vec![Prefix::default()], files, known, later: Vec::new(), type_prefixes }
    }

    pub(super) fn enter(&mut self) {
        self.prefixes.push(self.prefixes.last().cloned().unwrap_or_default());
    }

    pub(super) fn leave(&mut self) {
        if self.prefixes.len() > 1 {
            self.prefixes.pop();
        }
    }

    pub(super) fn define(&mut self, id: DefinitionId, scope: ScopeId) {
        let prefix = self.prefixes.last().cloned().unwrap_or_default();
        self.known.insert(id, Id { prefix, scope, version: None, whole: None });
    }
}

impl<'a> Lowering<'_, 'a> {
    /// Does what the pragmas say that stand before `end`, in the present scope.
    pub(super) fn pragmas_before(&mut self, end: u32) {
        while let Some(pragma) = self.ids.pragmas.get(self.ids.next).filter(|pragma| pragma.span.start < end).cloned() {
            self.ids.next += 1;
            match pragma.kind {
                PragmaKind::Prefix(prefix) => {
                    if let Some(present) = self.ids.prefixes.last_mut() {
                        *present = Prefix { text: prefix.to_owned(), of: self.scopes.current };
                    }
                }
                PragmaKind::FileBegins => {
                    let fresh = vec![Prefix::default(); self.ids.prefixes.len()];
                    let outer = std::mem::replace(&mut self.ids.prefixes, fresh);
                    self.ids.files.push(outer);
                }
                PragmaKind::FileEnds => {
                    // Where braces do not match files, some prefix is as good as any other.
                    if let Some(outer) = self.ids.files.pop() {
                        let depth = self.ids.prefixes.len();
                        self.ids.prefixes = outer;
                        self.ids.prefixes.resize(depth, Prefix::default());
                    }
                }
                PragmaKind::Id { target, id } => self.give_id(&scoped(target, pragma.span), id.to_owned()),
                PragmaKind::Version { target, version } => {
                    self.give_version(&scoped(target, pragma.span), version.to_owned());
                }
            }
        }
    }

    /// Reports a definition with another prefix than its declaration.
    pub(super) fn same_prefix(&mut self, id: DefinitionId, name: Name<'a>) {
        let present = self.ids.prefixes.last().cloned().unwrap_or_default();
        let Some(first) = self.ids.known.get(&id).filter(|known| known.prefix != present) else { return };
        let declared = self.aoi.definitions[id].span;
        let (present, first) = (&present.text, &first.prefix.text);
        let finding = errors::prefixes_differ(name.span, name.text, declared, present, first);
        self.findings.push(finding);
    }

    pub(super) fn type_id(&mut self, target: &ScopedName<'a>, id: &Expression<'a>) {
        let id = self.plain_text(id);
        self.give_id(target, id);
    }

    /// `typeprefix` is about all of a scope.
    pub(super) fn type_prefix(&mut self, target: &ScopedName<'a>, prefix: &Expression<'a>) {
        let prefix = self.plain_text(prefix);
        if matches!(target.parts[..], [part] if !self.scopes.is_known(&part)) {
            self.ids.later.push((self.scopes.current, target.clone(), prefix));
        } else {
            self.prefix_of(target, prefix);
        }
    }

    /// Does what `typeprefix` said of modules before they were there.
    pub(super) fn later_prefixes(&mut self) {
        for (scope, target, prefix) in std::mem::take(&mut self.ids.later) {
            self.scopes.current = scope;
            self.prefix_of(&target, prefix);
        }
        self.scopes.current = 0;
    }

    fn prefix_of(&mut self, target: &ScopedName<'a>, prefix: String) {
        match self.target(target) {
            Some(
                Meaning::Module(scope)
                | Meaning::Interface(_, scope)
                | Meaning::Value(_, scope)
                | Meaning::Exception(_, scope)
                | Meaning::Type(_, Some(scope)),
            ) => {
                self.ids.type_prefixes.insert(scope, prefix);
            }
            Some(other) => {
                self.findings.push(errors::wrong_kind(
                    target.span,
                    &target.spelled(),
                    "a scope",
                    described(other),
                    None,
                ));
            }
            None => {}
        }
    }

    fn give_id(&mut self, target: &ScopedName<'a>, id: String) {
        let Some(known) = self.identified(target) else { return };
        match &known.whole {
            Some((first, span)) if *first != id => {
                let finding = errors::two_ids(target.span, *span, &target.spelled(), first);
                self.findings.push(finding);
            }
            _ => known.whole = Some((id, target.span)),
        }
    }

    fn give_version(&mut self, target: &ScopedName<'a>, version: String) {
        let Some(known) = self.identified(target) else { return };
        match known.version.as_ref().or(known.whole.as_ref()) {
            Some((first, span)) if *first != version && !first.ends_with(&format!(":{version}")) => {
                let finding = errors::two_ids(target.span, *span, &target.spelled(), first);
                self.findings.push(finding);
            }
            _ => known.version = Some((version, target.span)),
        }
    }

    /// The id of what a name stands for. Modules, operations and attributes have ids that nobody uses.
    fn identified(&mut self, target: &ScopedName<'a>) -> Option<&mut Id> {
        let id = definition_of(self.target(target)?)?;
        self.ids.known.get_mut(&id)
    }

    /// Writes all ids into the AOI.
    pub(super) fn repository_ids(&mut self) {
        let known = std::mem::take(&mut self.ids.known);
        for (definition, id) in &known {
            let text = match &id.whole {
                Some((whole, _)) => whole.clone(),
                None => self.default_id(*definition, id),
            };
            self.aoi.definitions[*definition].repository_id = Some(text);
        }
        let mut items = std::mem::take(&mut self.items);
        self.ids_of_interfaces(&mut items);
        self.items = items;
    }

    fn default_id(&self, definition: DefinitionId, id: &Id) -> String {
        let own = self.own_scope(definition);
        let mut scope = own.or(Some(id.scope));
        let mut prefix = id.prefix.text.as_str();
        let mut replaced = self.scopes.path(id.prefix.of).len();
        while let Some(current) = scope {
            if let Some(given) = self.ids.type_prefixes.get(&current) {
                (prefix, replaced) = (given, 0);
                break;
            }
            scope = self.scopes.scope(current).parent;
        }
        let definition = &self.aoi.definitions[definition];
        let prefix = (!prefix.is_empty()).then_some(prefix);
        let scopes = definition.scope.iter().skip(replaced).map(String::as_str);
        let path: Vec<&str> = prefix.into_iter().chain(scopes).chain([definition.name.as_str()]).collect();
        let version = id.version.as_ref().map_or("1.0", |(version, _)| version);
        format!("IDL:{}:{version}", path.join("/"))
    }

    /// The scope that a definition opens, where `typeprefix` knows it.
    fn own_scope(&self, definition: DefinitionId) -> Option<ScopeId> {
        let (name, scope) = (&self.aoi.definitions[definition].name, &self.ids.known.get(&definition)?.scope);
        let is_own = |candidate: &&ScopeId| {
            let candidate = self.scopes.scope(**candidate);
            candidate.parent == Some(*scope) && candidate.name == name
        };
        self.ids.type_prefixes.keys().find(is_own).copied()
    }

    fn ids_of_interfaces(&self, items: &mut [Item]) {
        for item in items {
            match item {
                Item::Module(module) => self.ids_of_interfaces(&mut module.items),
                Item::Interface(interface) => {
                    let definition = interface.reference.map(|id| &self.aoi.definitions[id]);
                    interface.identity.corba = definition.and_then(|definition| definition.repository_id.clone());
                }
                Item::Definition(_) | Item::Verbatim(_) => {}
            }
        }
    }
}

/// The name in a pragma, which the grammar knows nothing of.
fn scoped(name: &str, span: Span) -> ScopedName<'_> {
    let (is_absolute, name) = match name.strip_prefix("::") {
        Some(rest) => (true, rest),
        None => (false, name),
    };
    let unescaped = |part: &'_ str| part.len().min(usize::from(part.starts_with('_')));
    let parts = name.split("::").map(|part| Name { text: &part[unescaped(part)..], span }).collect();
    ScopedName { is_absolute, parts, span }
}
