//! Structures, exceptions and enumerations.

use super::Lowering;
use super::scopes::{Meaning, ScopeKind};
use crate::errors;
use crate::syntax::{Body, Enumerator, Member, Name, ScopedName, TypeDefinition};
use aoi::{DefinitionId, DefinitionKind, Field, Structure};
use source::Span;
use std::collections::BTreeMap;

impl<'a> Lowering<'_, 'a> {
    /// A type with a name and a body; bit sets and masks are aliases of integers.
    pub(super) fn type_definition(
        &mut self,
        definition: &TypeDefinition<'a>,
        annotations: Vec<aoi::Annotation>,
    ) -> Option<DefinitionId> {
        let name = definition.name;
        Some(match &definition.body {
            Body::Structure { base, members } => self.structure(name, base.as_ref(), members, annotations),
            Body::Union { discriminant, cases } => self.union(name, discriminant, cases, annotations),
            Body::Enumeration(members) => self.enumeration(name, members, annotations),
            Body::Bitset { base, fields } => self.bitset(name, base.as_ref(), fields, annotations),
            Body::Bitmask(flags) => self.bitmask(name, flags, annotations),
        })
    }

    fn structure(
        &mut self,
        name: Name<'a>,
        base: Option<&ScopedName<'a>>,
        members: &[Member<'a>],
        annotations: Vec<aoi::Annotation>,
    ) -> DefinitionId {
        let (id, scope) = self.begin_type("struct", name);
        let inherited = base.map(|base| self.base_fields(base)).unwrap_or_default();
        self.scopes.current = scope;
        let own = self.fields(members);
        self.scopes.leave();
        for field in &own {
            if let Some(first) = inherited.iter().find(|first| first.name.eq_ignore_ascii_case(&field.name)) {
                self.findings.push(errors::defined_twice(field.span, first.span, &field.name));
            }
        }
        let fields = [inherited, own].concat();
        self.end_type(id, DefinitionKind::Structure(Structure { fields }), annotations);
        id
    }

    /// The members that a structure has from the one it inherits from.
    fn base_fields(&mut self, base: &ScopedName<'a>) -> Vec<Field> {
        let Some(entry) = self.scopes.resolve(base) else { return Vec::new() };
        if let Meaning::Type(id, _) = entry.meaning {
            match self.unaliased(&aoi::Type::Named(id)) {
                aoi::Type::Named(id) if self.incomplete.contains_key(id) => {
                    self.findings.push(errors::incomplete(base.span, entry.name, entry.span));
                    return Vec::new();
                }
                aoi::Type::Named(id) => {
                    if let DefinitionKind::Structure(structure) = &self.aoi.definitions[*id].kind {
                        let annotations = &self.aoi.definitions[*id].annotations;
                        self.member_ids.extend_from_slice(aoi::member_ids(annotations));
                        self.member_forms.extend_from_slice(aoi::member_forms(annotations));
                        return structure.fields.clone();
                    }
                }
                _ => {}
            }
        }
        self.wrong_kind(base, "a structure", &entry);
        Vec::new()
    }

    /// The members of a structure or an exception, each a name of the present scope.
    pub(super) fn fields(&mut self, members: &[Member<'a>]) -> Vec<Field> {
        members.iter().flat_map(|member| self.member(member)).collect()
    }

    pub(super) fn member(&mut self, member: &Member<'a>) -> Vec<Field> {
        let annotations = self.annotations(&member.annotations);
        let says = |word| annotations.iter().any(|annotation| annotation.name == word && is_on(annotation));
        let is_optional = says("optional");
        let id = annotations.iter().find(|annotation| annotation.name == "id").and_then(|id| id.parameters.first());
        let form = self.form(&annotations);
        // What is elsewhere in memory, or nowhere, may be of a type that is not over yet (DDS-XTYPES 1.3 section 7.3.1.2.1.14).
        let base = if is_optional && says("external") { self.ty(&member.ty) } else { self.complete_type(&member.ty) };
        let mut fields = Vec::new();
        for declarator in &member.declarators {
            let mut ty = self.dimensions(base.clone(), &declarator.dimensions);
            if is_optional {
                ty = aoi::Type::Optional(Box::new(ty));
            }
            self.scopes.define(declarator.name, Meaning::Part("a member"));
            let name = || declarator.name.text.to_owned();
            self.member_ids.extend(id.map(|(_, value)| (name(), value.clone())));
            self.member_forms.extend(form.iter().map(|form| (name(), form.clone())));
            fields.push(Field { name: declarator.name.text.to_owned(), ty, span: declarator.name.span });
        }
        fields
    }

    pub(super) fn exception(&mut self, name: Name<'a>, members: &[Member<'a>], annotations: Vec<aoi::Annotation>) {
        let id = self.allocate(name, DefinitionKind::Exception(Structure { fields: Vec::new() }), annotations);
        let scope = self.scopes.add(name.text, ScopeKind::Type);
        self.scopes.define(name, Meaning::Exception(id, scope));
        self.scopes.current = scope;
        let fields = self.fields(members);
        self.scopes.leave();
        self.aoi.definitions[id].kind = DefinitionKind::Exception(Structure { fields });
        let of_members = self.ended_members();
        self.aoi.definitions[id].annotations.extend(of_members);
        self.note_local(id);
        self.items.push(aoi::Item::Definition(id));
    }

    /// The members of an enumeration are names of the scope around it.
    fn enumeration(
        &mut self,
        name: Name<'a>,
        members: &[Enumerator<'a>],
        annotations: Vec<aoi::Annotation>,
    ) -> DefinitionId {
        let empty = DefinitionKind::Enumeration(aoi::Enumeration { members: Vec::new() });
        let id = self.named(name, empty, annotations);
        let mut lowered: Vec<aoi::EnumerationMember> = Vec::new();
        let mut previous = None;
        let mut numbers: BTreeMap<i128, Span> = BTreeMap::new();
        for (member, enumerator) in members.iter().enumerate() {
            let explicit = self.explicit_value(&enumerator.annotations);
            let number = match (explicit, previous) {
                (Some((number, _)), _) => number,
                (None, Some(previous)) => previous + 1,
                (None, None) => 0,
            };
            self.number_of_member(enumerator.name.span, number, &mut numbers);
            previous = Some(number);
            self.scopes.define(enumerator.name, Meaning::Member { enumeration: id, member });
            let explicit = explicit.map(|(value, _)| aoi::Value::Integer { value, spelling: value.to_string() });
            let (name, span) = (enumerator.name.text.to_owned(), enumerator.name.span);
            lowered.push(aoi::EnumerationMember { name, explicit, value: Some(number), span });
        }
        self.aoi.definitions[id].kind = DefinitionKind::Enumeration(aoi::Enumeration { members: lowered });
        id
    }

    /// Numbers of members differ, and fit 32 bits.
    fn number_of_member(&mut self, at: Span, number: i128, others: &mut BTreeMap<i128, Span>) {
        if let Some(first) = others.insert(number, at) {
            self.findings.push(errors::same_number(at, first, number));
        } else if i32::try_from(number).is_err() {
            let range = "-2147483648 to 2147483647";
            self.findings.push(errors::out_of_range(at, &number.to_string(), "an enumeration", range));
        }
    }
}

/// `@optional` and `@optional(TRUE)`
fn is_on(annotation: &aoi::Annotation) -> bool {
    annotation.parameters.first().is_none_or(|(_, value)| *value == aoi::Value::Boolean(true))
}
