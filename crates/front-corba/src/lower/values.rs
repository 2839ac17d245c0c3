//! Value types and boxes. Their operations stay at home: they are checked, and are not part of the contract.

use super::Lowering;
use super::scopes::{Meaning, ScopeId, ScopeKind};
use crate::errors;
use crate::syntax::{ItemKind, Name, ScopedName, Type, ValueType};
use aoi::{DefinitionId, DefinitionKind, Field};

impl<'a> Lowering<'_, 'a> {
    pub(super) fn value_box(&mut self, name: Name<'a>, ty: &Type<'a>, annotations: Vec<aoi::Annotation>) {
        let lowered = self.complete_type(ty);
        if let aoi::Type::Named(id) = self.unaliased(&lowered)
            && matches!(self.aoi.definitions[*id].kind, DefinitionKind::Value(_) | DefinitionKind::ValueBox(_))
        {
            self.findings.push(errors::wrong_kind(ty.span, name.text, "a type that is no value type", "one", None));
        }
        self.named(name, DefinitionKind::ValueBox(lowered), annotations);
    }

    pub(super) fn value_type(&mut self, value: &ValueType<'a>, annotations: Vec<aoi::Annotation>) {
        let (id, scope) = self.declare_value(value);
        let Some(body) = &value.body else { return };
        let (bases, base_scopes) = self.value_bases(value, id);
        let mut supports = Vec::new();
        let mut scopes = base_scopes;
        for name in &value.supports {
            if let Some(interface) = self.interface_named(name) {
                scopes.extend(self.interfaces.get(&interface).map(|facts| facts.scope));
                supports.push(interface);
            }
        }
        let (bases, supports) = match self.inherit(scope, scopes, value.name.span) {
            true => (bases, supports),
            false => (Vec::new(), Vec::new()),
        };
        self.promised_values.remove(&id);
        self.scopes.current = scope;
        self.ids.enter();
        self.inherited_twice(value.name.span, scope);
        let state = self.value_elements(body, value);
        self.ended_members();
        self.pragmas_before(body.end);
        self.ids.leave();
        self.scopes.leave();
        let definition = &mut self.aoi.definitions[id];
        definition.annotations = annotations;
        definition.kind = DefinitionKind::Value(aoi::ValueType {
            bases,
            supports,
            state,
            is_abstract: value.is_abstract,
            is_custom: value.is_custom,
            is_truncatable: value.is_truncatable,
        });
        self.items.push(aoi::Item::Definition(id));
    }

    fn declare_value(&mut self, value: &ValueType<'a>) -> (DefinitionId, ScopeId) {
        let name = value.name;
        let own = self.scopes.own(name.text).filter(|entry| entry.name == name.text);
        if let Some(Meaning::Value(id, scope)) = own.map(|entry| entry.meaning)
            && (value.body.is_none() || self.promised_values.contains_key(&id))
        {
            self.same_prefix(id, name);
            return (id, scope);
        }
        let id = self.allocate(name, DefinitionKind::Value(aoi::ValueType::default()), Vec::new());
        let scope = self.scopes.add(name.text, ScopeKind::Type);
        self.scopes.define(name, Meaning::Value(id, scope));
        self.value_scopes.insert(id, scope);
        self.promised_values.insert(id, name.span);
        (id, scope)
    }

    /// The value types that one inherits from, and their scopes.
    fn value_bases(&mut self, value: &ValueType<'a>, id: DefinitionId) -> (Vec<DefinitionId>, Vec<ScopeId>) {
        let (mut bases, mut scopes) = (Vec::new(), Vec::new());
        for base in &value.bases {
            let Some(entry) = self.scopes.resolve(base) else { continue };
            match self.value_behind(entry.meaning) {
                Meaning::Value(other, _) if self.promised_values.contains_key(&other) || other == id => {
                    self.findings.push(errors::incomplete(base.span, entry.name, entry.span));
                }
                Meaning::Value(other, _) if bases.contains(&other) => {
                    self.findings.push(errors::inherited_twice(base.span, entry.name));
                }
                Meaning::Value(other, scope) => {
                    self.value_base_fits(value, base, other, bases.is_empty());
                    bases.push(other);
                    scopes.push(scope);
                }
                _ => self.wrong_kind(base, "a value type", &entry),
            }
        }
        (bases, scopes)
    }

    /// Reports a base that a value type of its kind, at this place, cannot have.
    fn value_base_fits(&mut self, value: &ValueType<'a>, base: &ScopedName<'a>, id: DefinitionId, is_first: bool) {
        let is_abstract = matches!(&self.aoi.definitions[id].kind, DefinitionKind::Value(found) if found.is_abstract);
        let why = match (is_abstract, is_first) {
            (false, _) if value.is_abstract => "an abstract value type inherits from abstract ones alone",
            (false, false) => "a base with data is named first",
            (true, true) if value.is_truncatable => "only what has data can be cut down to it",
            (false, true) if value.is_truncatable && value.is_custom => "custom values cannot be cut down",
            _ => return,
        };
        self.findings.push(errors::wrong_value_base(base.span, value.name.text, why));
    }

    /// The value type that an alias stands for.
    fn value_behind(&self, meaning: Meaning) -> Meaning {
        let Meaning::Type(id, _) = meaning else { return meaning };
        match self.unaliased(&aoi::Type::Named(id)) {
            aoi::Type::Named(id) => match self.value_scopes.get(id) {
                Some(scope) => Meaning::Value(*id, *scope),
                None => meaning,
            },
            _ => meaning,
        }
    }

    /// `ValueBase`, from which every value type inherits: declared nowhere, known everywhere.
    pub(super) fn value_base(&mut self) -> DefinitionId {
        let kind = DefinitionKind::Value(aoi::ValueType { is_abstract: true, ..aoi::ValueType::default() });
        self.of_corba("ValueBase", kind)
    }

    /// `AbstractBase`: any abstract interface.
    pub(super) fn abstract_base(&mut self) -> DefinitionId {
        self.of_corba("AbstractBase", DefinitionKind::Native)
    }

    /// What no file declares; it is made where it is used first.
    pub(super) fn of_corba(&mut self, name: &'static str, kind: DefinitionKind) -> DefinitionId {
        if let Some(id) = self.of_corba.get(name) {
            return *id;
        }
        let definition = aoi::Definition::new(name, kind, source::Span::default(), aoi::Origin::Main);
        let scope = vec!["CORBA".to_owned()];
        let repository_id = Some(format!("IDL:omg.org/CORBA/{name}:1.0"));
        let id = self.aoi.definitions.alloc(aoi::Definition { scope, repository_id, ..definition });
        self.of_corba.insert(name, id);
        id
    }

    fn value_elements(&mut self, body: &crate::syntax::Block<'a>, value: &ValueType<'a>) -> Vec<Field> {
        let mut state = Vec::new();
        self.stays_at_home = true;
        for item in &body.items {
            match &item.kind {
                ItemKind::State { member } => {
                    self.pragmas_before(item.start);
                    if value.is_abstract {
                        self.findings.push(errors::abstract_with_state(member.ty.span, value.name.text));
                    }
                    let fields = self.member(member);
                    self.stays_at_home = false;
                    for field in &fields {
                        self.travels(&field.ty, member.ty.span, &field.name);
                    }
                    self.stays_at_home = true;
                    state.extend(fields);
                }
                ItemKind::Factory { name, parameters, raises } => {
                    self.scopes.define(*name, Meaning::Part("a factory"));
                    let scope = self.scopes.add(name.text, ScopeKind::Operation);
                    self.scopes.current = scope;
                    self.parameters(parameters);
                    self.exceptions(raises);
                    self.scopes.leave();
                }
                _ => self.export(item, &mut Vec::new()),
            }
        }
        self.stays_at_home = false;
        state
    }

    /// Value types that are known by their names alone.
    pub(super) fn values_never_defined(&mut self) {
        for (id, span) in &self.promised_values {
            let name = &self.aoi.definitions[*id].name;
            self.findings.push(errors::never_defined(*span, "valuetype", name));
        }
    }
}
