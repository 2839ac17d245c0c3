//! What holds for every type and value of an AOI.

use crate::verify::Verifier;
use crate::{DefinitionKind, Enumeration, Field, Structure, Type, Union, UnionCase, Value};
use std::collections::BTreeSet;

/// Of a fixed-point number (OMG IDL 4.2 section 7.4.1.4.4.2.3).
const MOST_DIGITS: u16 = 31;

impl Verifier<'_> {
    /// `aoi-003`: `void` as the type of data
    pub(crate) fn void_as_data(&mut self) {
        self.broken("aoi-003", "`void` is no type of data");
    }

    /// `aoi-004`: a width that no machine has
    pub(crate) fn strange_width(&mut self, bits: u8) {
        self.broken("aoi-004", format!("a number cannot have {bits} bits"));
    }

    pub(crate) fn ty(&mut self, ty: &Type) {
        match ty {
            Type::Void => self.void_as_data(),
            Type::Integer { bits: 8 | 16 | 32 | 64, .. } | Type::Float { bits: 32 | 64 | 128 } => {}
            Type::Integer { bits, .. } | Type::Float { bits } => self.strange_width(*bits),
            Type::Boolean | Type::Character { .. } | Type::Any | Type::TypeCode | Type::Object | Type::External(_) => {}
            Type::Text { bound } | Type::WideText { bound } | Type::Opaque { bound } => {
                bound.iter().for_each(|bound| self.length(bound));
            }
            Type::Fixed { digits, .. } if *digits > MOST_DIGITS => {
                self.broken("aoi-004", format!("a number cannot have {digits} digits"));
            }
            Type::Fixed { .. } => {}
            Type::FixedOpaque { length } => self.length(length),
            Type::Array { element, length } => {
                self.ty(element);
                self.length(length);
            }
            Type::Sequence { element, bound } => {
                self.ty(element);
                bound.iter().for_each(|bound| self.length(bound));
            }
            Type::Optional(element) | Type::Recursive(element) => self.ty(element),
            Type::Structure(structure) => self.structure(structure),
            Type::Union(union) => self.union(union),
            Type::Enumeration(enumeration) => self.enumeration(enumeration),
            Type::Named(id) => {
                let is_type = |kind: &_| !matches!(kind, DefinitionKind::Constant(_) | DefinitionKind::Exception(_));
                self.reference(*id, "a type", is_type);
            }
        }
    }

    pub(crate) fn structure(&mut self, structure: &Structure) {
        structure.fields.iter().for_each(|field| self.field(field));
        self.distinct(structure.fields.iter().map(|field| field.name.as_str()));
    }

    pub(crate) fn field(&mut self, field: &Field) {
        self.ty(&field.ty);
    }

    /// `aoi-005`: two members of one name.
    pub(crate) fn distinct<'a>(&mut self, names: impl Iterator<Item = &'a str>) {
        let mut seen = BTreeSet::new();
        for name in names {
            if !seen.insert(name) {
                self.broken("aoi-005", format!("two members are called `{name}`"));
            }
        }
    }

    /// `aoi-006`: a default with labels, or at no place, or a case without labels.
    pub(crate) fn union(&mut self, union: &Union) {
        self.field(&union.discriminant);
        union.cases.iter().for_each(|case| self.case(case));
        if union.cases.iter().any(|case| case.labels.is_empty()) {
            self.broken("aoi-006", "a case has no label");
        }
        if let Some(default) = &union.default {
            self.case(default);
            if !default.labels.is_empty() || union.default_position > union.cases.len() {
                self.broken("aoi-006", "the default of a union has labels or no place");
            }
        }
        let bodies = union.cases.iter().chain(union.default.as_deref()).filter_map(|case| case.body.as_ref());
        self.distinct(bodies.map(|body| body.name.as_str()));
    }

    pub(crate) fn case(&mut self, case: &UnionCase) {
        case.labels.iter().for_each(|label| self.number(label));
        case.body.iter().for_each(|body| self.field(body));
    }

    pub(crate) fn enumeration(&mut self, enumeration: &Enumeration) {
        enumeration.members.iter().filter_map(|member| member.explicit.as_ref()).for_each(|value| self.number(value));
        self.distinct(enumeration.members.iter().map(|member| member.name.as_str()));
    }

    /// `aoi-007`: a length that is negative or does not fit 32 bits.
    pub(crate) fn length(&mut self, value: &Value) {
        self.number(value);
        if let Some(number) = self.known(value).filter(|number| !(0..=i128::from(u32::MAX)).contains(number)) {
            self.broken("aoi-007", format!("a length cannot be {number}"));
        }
    }

    /// The number behind a value whose references were found to be good.
    pub(crate) fn known(&self, value: &Value) -> Option<i128> {
        if self.findings.is_empty() { self.aoi.number(value) } else { None }
    }

    /// `aoi-008`: a text where a number is needed.
    pub(crate) fn number(&mut self, value: &Value) {
        self.value(value);
        if let Value::Text(_) | Value::WideText(_) | Value::Float(_) | Value::Fixed(_) = value {
            self.broken("aoi-008", "expected a whole number");
        }
    }

    pub(crate) fn value(&mut self, value: &Value) {
        match value {
            Value::Constant(id) => {
                self.reference(*id, "a constant", |kind| matches!(kind, DefinitionKind::Constant(_)));
            }
            Value::Member { enumeration, member } => {
                let fits = self
                    .reference(*enumeration, "an enumeration", |kind| matches!(kind, DefinitionKind::Enumeration(_)));
                let exists = fits
                    && match &self.aoi.definitions[*enumeration].kind {
                        DefinitionKind::Enumeration(enumeration) => *member < enumeration.members.len(),
                        _ => false,
                    };
                if fits && !exists {
                    self.broken("aoi-001", "expected a reference to a member");
                }
            }
            Value::Integer { .. }
            | Value::Text(_)
            | Value::WideText(_)
            | Value::Float(_)
            | Value::Fixed(_)
            | Value::Character { .. }
            | Value::NestedMember { .. }
            | Value::Boolean(_)
            | Value::External(_) => {}
        }
    }
}
