//! Interfaces: the type of references to their objects, and what can be asked of these.

use super::Lowering;
use super::pseudo::Pseudo;
use super::scopes::{Entry, Meaning, ScopeId, ScopeKind, key};
use crate::errors;
use crate::syntax::{Block, Interface, Item, ItemKind, Name, ScopedName};
use aoi::{DefinitionId, DefinitionKind, ReferenceType};
use source::{Limit, Span};
use std::collections::BTreeSet;

/// What is known of an interface, by the type of references to it.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    pub(super) scope: ScopeId,
    pub(super) is_local: bool,
    /// It does not say so: its base does, or what it is given.
    pub(super) is_implied: bool,
    is_abstract: bool,
    is_defined: bool,
    pub(super) bases: Vec<DefinitionId>,
    /// How many operations it has itself, and the numbers that they are selected by.
    pub(super) codes: Vec<i128>,
}

impl<'a> Lowering<'_, 'a> {
    pub(super) fn interface(&mut self, interface: &Interface<'a>, annotations: Vec<aoi::Annotation>) {
        let (id, scope) = self.declare_interface(interface);
        let Some(body) = &interface.body else { return };
        let name = interface.name;
        let bases = self.bases(interface);
        let base_scopes = bases.iter().filter_map(|base| Some(self.interfaces.get(base)?.scope)).collect();
        let bases = if self.inherit(scope, base_scopes, name.span) { bases } else { Vec::new() };
        if let Some(facts) = self.interfaces.get_mut(&id) {
            facts.is_defined = true;
            facts.bases.clone_from(&bases);
        }
        let is_implied = |base: &DefinitionId| self.interfaces.get(base).is_some_and(|facts| facts.is_implied);
        if bases.iter().any(is_implied) || self.inherits_pseudo(interface) {
            self.make_local(id);
        }
        let onc = self.onc_identity(name, &annotations);
        self.scopes.current = scope;
        self.ids.enter();
        self.inherited_twice(name.span, scope);
        self.stays_at_home = self.interfaces.get(&id).is_some_and(|facts| facts.is_local);
        let operations = self.exports(id, body);
        self.stays_at_home = false;
        if std::mem::take(&mut self.looks_on) {
            self.stays_for_environment(id, name.span);
        }
        self.pragmas_before(body.end);
        self.ids.leave();
        self.scopes.leave();
        let identity = aoi::Identity { onc, corba: None };
        let lowered = aoi::Interface::new(name.text, identity, operations, name.span, self.origin(name.span));
        let scope = self.scopes.path(self.scopes.current);
        let lowered = aoi::Interface { scope, reference: Some(id), bases, annotations, ..lowered };
        self.items.push(aoi::Item::Interface(lowered));
    }

    /// The reference type and the scope of an interface, from its first declaration on.
    fn declare_interface(&mut self, interface: &Interface<'a>) -> (DefinitionId, ScopeId) {
        let name = interface.name;
        let known = match self.scopes.own(name.text) {
            Some(Entry { name: spelled, meaning: Meaning::Interface(id, scope), span }) if spelled == name.text => {
                Some((id, scope, span))
            }
            _ => None,
        };
        if let Some((id, scope, span)) = known {
            let facts = self.interfaces.get(&id);
            let is_same = facts.is_some_and(|facts| {
                facts.is_local == interface.is_local && facts.is_abstract == interface.is_abstract
            });
            let is_repeated = interface.body.is_some() && facts.is_some_and(|facts| facts.is_defined);
            if !is_same {
                self.findings.push(errors::declared_otherwise(name.span, span, name.text));
            }
            if !is_repeated {
                self.same_prefix(id, name);
                return (id, scope);
            }
        }
        let (is_local, is_abstract) = (interface.is_local, interface.is_abstract);
        let kind = DefinitionKind::Reference(ReferenceType { is_local, is_abstract });
        let id = self.allocate(name, kind, Vec::new());
        let scope = self.scopes.add(name.text, ScopeKind::Type);
        self.scopes.define(name, Meaning::Interface(id, scope));
        let (bases, codes) = (Vec::new(), Vec::new());
        self.note_local(id);
        self.interfaces
            .insert(id, Facts { scope, is_local, is_implied: false, is_abstract, is_defined: false, bases, codes });
        self.items.push(aoi::Item::Definition(id));
        (id, scope)
    }

    /// The interfaces that one inherits from.
    fn bases(&mut self, interface: &Interface<'a>) -> Vec<DefinitionId> {
        let mut bases: Vec<DefinitionId> = Vec::new();
        for base in &interface.bases {
            if self.pseudo(base) == Some(Pseudo::Local) {
                continue;
            }
            let Some(id) = self.interface_named(base) else { continue };
            let Some(facts) = self.interfaces.get(&id).cloned() else { continue };
            let definition = &self.aoi.definitions[id];
            let (name, span) = (definition.name.clone(), definition.span);
            if bases.contains(&id) {
                self.findings.push(errors::inherited_twice(base.span, &name));
                continue;
            }
            if !facts.is_defined || name == interface.name.text && span == interface.name.span {
                self.findings.push(errors::incomplete(base.span, &name, span));
                continue;
            }
            if facts.is_local && !facts.is_implied && !interface.is_local {
                self.findings.push(errors::wrong_base(base.span, interface.name.text, &name, "local"));
            } else if !facts.is_abstract && interface.is_abstract {
                self.findings.push(errors::wrong_base(base.span, interface.name.text, &name, "not abstract"));
            }
            bases.push(id);
        }
        bases
    }

    /// The type of references to the interface that is called so.
    pub(super) fn interface_named(&mut self, name: &ScopedName<'a>) -> Option<DefinitionId> {
        let entry = self.scopes.resolve(name)?;
        match entry.meaning {
            Meaning::Interface(id, _) => return Some(id),
            Meaning::Type(id, _) => {
                if let aoi::Type::Named(id) = self.unaliased(&aoi::Type::Named(id))
                    && self.interfaces.contains_key(id)
                {
                    return Some(*id);
                }
            }
            _ => {}
        }
        self.wrong_kind(name, "an interface", &entry);
        None
    }

    /// Lets the scope of an interface or a value inherit; false, with a finding the first time, where that is too much.
    pub(super) fn inherit(&mut self, scope: ScopeId, bases: Vec<ScopeId>, at: Span) -> bool {
        let most = self.limits.size(Limit::Inherited);
        if let Some(count) = self.scopes.inherit(scope, bases, most.saturating_sub(self.inherited)) {
            self.inherited += count;
            return true;
        }
        if self.inherited < usize::MAX {
            self.findings.push(self.limits.exceeded(Limit::Inherited, Some(at)));
            self.inherited = usize::MAX;
        }
        false
    }

    /// Operations and attributes of one name that come from different interfaces.
    pub(super) fn inherited_twice(&mut self, at: Span, scope: ScopeId) {
        for entries in self.scopes.scope(scope).inherited.values() {
            let mut parts: Vec<&Entry<'a>> =
                entries.iter().filter(|entry| matches!(entry.meaning, Meaning::Part(_))).collect();
            parts.sort_by_key(|entry| entry.span);
            let Some((first, others)) = parts.split_first() else { continue };
            let both = others.iter().map(|other| errors::inherits_both(at, other.name, first.span, other.span));
            self.findings.extend(both);
        }
    }

    /// What stands in the braces of an interface: the operations; all else becomes items.
    fn exports(&mut self, interface: DefinitionId, body: &Block<'a>) -> Vec<aoi::Operation> {
        let inherited = self.inherited_codes(interface);
        let mut next = inherited.len();
        let mut taken: BTreeSet<i128> = inherited.into_iter().collect();
        let mut operations = Vec::new();
        for item in &body.items {
            self.export(item, &mut operations);
            let from = operations.len().min(self.interfaces.get(&interface).map_or(0, |facts| facts.codes.len()));
            let mut read_by = None;
            for operation in &mut operations[from..] {
                next += 1;
                // Who says a number for an attribute says it for reading; writing follows.
                let stated = match operation.role {
                    aoi::Role::Setter => read_by.map(|code: i128| code + 1),
                    _ => self.onc_procedure(operation),
                };
                read_by = stated;
                let code = stated.unwrap_or(i128::try_from(next).unwrap_or(i128::MAX));
                self.number(interface, operation, code, &mut taken);
            }
        }
        operations
    }

    /// An operation, an attribute, or a definition inside an interface or a value type.
    pub(super) fn export(&mut self, item: &Item<'a>, operations: &mut Vec<aoi::Operation>) {
        match &item.kind {
            ItemKind::Operation(operation) => {
                self.pragmas_before(item.start);
                let annotations = self.annotations(&item.annotations);
                operations.push(self.operation(operation, annotations));
            }
            ItemKind::Attribute(attribute) => {
                self.pragmas_before(item.start);
                let annotations = self.annotations(&item.annotations);
                self.attribute(attribute, &annotations, operations);
            }
            _ => self.item(item),
        }
    }

    /// The numbers of all that is inherited, each interface once, in the order of the bases.
    fn inherited_codes(&self, interface: DefinitionId) -> Vec<i128> {
        let mut seen = BTreeSet::new();
        let mut order = Vec::new();
        // Behind each interface on the stack: whether its bases have been visited.
        let mut open = vec![(interface, false)];
        while let Some((id, is_ready)) = open.pop() {
            if is_ready {
                order.push(id);
            } else if seen.insert(id) {
                open.push((id, true));
                let bases = self.interfaces.get(&id).map_or(&[][..], |facts| &facts.bases);
                open.extend(bases.iter().rev().map(|base| (*base, false)));
            }
        }
        let others = order.into_iter().filter(|id| *id != interface);
        others.filter_map(|id| self.interfaces.get(&id)).flat_map(|facts| facts.codes.iter().copied()).collect()
    }

    /// Gives an operation the number that selects it where the protocol has numbers.
    fn number(
        &mut self,
        interface: DefinitionId,
        operation: &mut aoi::Operation,
        code: i128,
        taken: &mut BTreeSet<i128>,
    ) {
        operation.code = aoi::Value::Integer { value: code, spelling: code.to_string() };
        if !taken.insert(code) {
            self.findings.push(errors::two_procedures(operation.span, &operation.name, code));
        }
        if let Some(facts) = self.interfaces.get_mut(&interface) {
            facts.codes.push(code);
        }
    }

    /// Reports an operation or an attribute that is inherited under the same name.
    pub(super) fn not_inherited(&mut self, name: Name<'a>) {
        let inherited = self.scopes.scope(self.scopes.current).inherited.get(&key(name.text));
        let is_part = |entry: &&Entry<'a>| matches!(entry.meaning, Meaning::Part(_));
        if let Some(first) = inherited.into_iter().flatten().find(is_part) {
            self.findings.push(errors::redefines_inherited(name.span, name.text, first.span));
        }
    }
}
