//! Types.

use super::Lowering;
use super::checks::PendingUnion;
use crate::errors;
use crate::names::Meaning;
use crate::syntax::{Case, Declaration, Form, Member, Name, Type, Union, ValueKind};
use std::collections::BTreeMap;

impl<'a> Lowering<'_, 'a> {
    /// A type with the marks around its name.
    pub(super) fn declared_type(&mut self, ty: &Type<'a>, form: &Form<'a>) -> aoi::Type {
        match (ty, form) {
            (Type::Text, Form::Plain | Form::Pointer | Form::Counted(None)) => aoi::Type::Text { bound: None },
            (Type::Text, Form::Counted(Some(bound)) | Form::Fixed(bound)) => {
                aoi::Type::Text { bound: Some(self.bound(bound)) }
            }
            (Type::Opaque, Form::Plain | Form::Pointer | Form::Counted(None)) => aoi::Type::Opaque { bound: None },
            (Type::Opaque, Form::Counted(Some(bound))) => aoi::Type::Opaque { bound: Some(self.bound(bound)) },
            (Type::Opaque, Form::Fixed(length)) => aoi::Type::FixedOpaque { length: self.length(length) },
            (_, Form::Plain) => self.plain_type(ty),
            (_, Form::Pointer) => aoi::Type::Optional(Box::new(self.plain_type(ty))),
            (_, Form::Fixed(length)) => {
                let element = Box::new(self.plain_type(ty));
                aoi::Type::Array { element, length: self.length(length) }
            }
            (_, Form::Counted(bound)) => {
                let element = Box::new(self.plain_type(ty));
                aoi::Type::Sequence { element, bound: bound.as_ref().map(|bound| self.bound(bound)) }
            }
        }
    }

    pub(super) fn plain_type(&mut self, ty: &Type<'a>) -> aoi::Type {
        match ty {
            Type::Void => aoi::Type::Void,
            Type::Integer { bits, signed, spelling } => {
                aoi::Type::Integer { bits: *bits, signed: *signed, spelling: spelling.clone() }
            }
            Type::Float { bits } => aoi::Type::Float { bits: *bits },
            Type::Boolean => aoi::Type::Boolean,
            Type::Text => aoi::Type::Text { bound: None },
            Type::Opaque => aoi::Type::Opaque { bound: None },
            Type::Named { tag, name } => self.named_type(*tag, *name),
            Type::Structure(fields) => {
                self.unique_members(fields.iter().map(|field| field.name));
                aoi::Type::Structure(aoi::Structure { fields: fields.iter().map(|field| self.field(field)).collect() })
            }
            Type::Union(union) => aoi::Type::Union(self.union(union)),
            Type::Enumeration(members) => {
                let mut lowered: Vec<_> = members.iter().map(|member| self.member(member)).collect();
                self.later_members(members, &mut lowered);
                aoi::Type::Enumeration(aoi::Enumeration { members: lowered })
            }
        }
    }

    fn named_type(&mut self, tag: Option<&'a str>, name: Name<'a>) -> aoi::Type {
        match self.names.look_up(self.scope, name.text) {
            Some(entry) => match entry.meaning {
                Meaning::Type(id) => return aoi::Type::Named(id),
                _ => self.findings.push(errors::value_as_type(name.span, name.text, entry.span)),
            },
            None if tag.is_none() => {
                if let Some(known) = predefined(name.text).filter(|_| !self.is_of_c(name.text)) {
                    return known;
                }
                self.externals.use_type(name.text, name.span);
            }
            None => self.externals.use_type(name.text, name.span),
        }
        aoi::Type::External(match tag {
            Some(tag) => format!("{tag} {}", name.text),
            None => name.text.to_owned(),
        })
    }

    fn field(&mut self, declaration: &Declaration<'a>) -> aoi::Field {
        let name = declaration.name.text.to_owned();
        let ty = self.declared_type(&declaration.ty, &declaration.form);
        aoi::Field { name, ty, span: declaration.name.span }
    }

    fn unique_members(&mut self, names: impl Iterator<Item = Name<'a>>) {
        let mut seen = BTreeMap::new();
        for name in names {
            match seen.get(name.text) {
                Some(&first) => self.findings.push(errors::duplicate_member(name.span, first, name.text)),
                None => {
                    seen.insert(name.text, name.span);
                }
            }
        }
    }

    fn union(&mut self, union: &Union<'a>) -> aoi::Union {
        let discriminant = self.field(&union.discriminant);
        self.unique_members(union.cases.iter().filter_map(|case| case.body.as_ref()).map(|body| body.name));
        let mut cases = Vec::new();
        let mut default = None;
        let mut default_position = None;
        let mut default_span = None;
        for case in &union.cases {
            let lowered = self.case(case);
            match case.default {
                None => cases.push(lowered),
                Some(span) => {
                    if let Some(first) = default_span {
                        self.findings.push(errors::two_defaults(span, first));
                    }
                    default_span = Some(span);
                    default_position = Some(cases.len());
                    // Labels beside `default` say nothing that it does not say.
                    default = Some(Box::new(aoi::UnionCase { labels: Vec::new(), ..lowered }));
                }
            }
        }
        let labels = union.cases.iter().flat_map(|case| &case.labels);
        let labels = labels.map(|label| (self.named_value_quietly(label), self.number(label), label.span)).collect();
        let ty = discriminant.ty.clone();
        self.unions.push(PendingUnion { discriminant: ty, span: union.discriminant.ty_span, labels });
        let default_position = default_position.unwrap_or(cases.len());
        aoi::Union { discriminant: Box::new(discriminant), cases, default, default_position }
    }

    /// How a label is spelled.
    fn named_value_quietly(&self, label: &crate::syntax::Value<'a>) -> std::borrow::Cow<'a, str> {
        match &label.kind {
            crate::syntax::ValueKind::Name(name) => (*name).into(),
            crate::syntax::ValueKind::Integer { spelling, .. } => spelling.clone().into(),
            _ => "".into(),
        }
    }

    fn case(&mut self, case: &Case<'a>) -> aoi::UnionCase {
        let labels = case.labels.iter().map(|label| self.whole_number(label, "a label")).collect();
        let body = case.body.as_ref().map(|body| self.field(body));
        aoi::UnionCase { labels, body, span: case.span }
    }

    /// Puts numbers for the names of members that come later: C knows only those before.
    fn later_members(&self, members: &[Member<'a>], lowered: &mut [aoi::EnumerationMember]) {
        for at in 0..lowered.len() {
            let (Some(aoi::Value::Member { member, .. }), Some(value)) = (&lowered[at].explicit, lowered[at].value)
            else {
                continue;
            };
            let is_of = |later: &Member<'_>| {
                members[at]
                    .value
                    .as_ref()
                    .is_some_and(|value| matches!(value.kind, ValueKind::Name(name) if name == later.name.text))
            };
            if *member > at && members.get(*member).is_some_and(is_of) {
                lowered[at].explicit = Some(aoi::Value::Integer { value, spelling: value.to_string() });
            }
        }
    }

    fn member(&mut self, member: &Member<'a>) -> aoi::EnumerationMember {
        let name = member.name.text.to_owned();
        let mut value = self.names.number_defined_at(member.name.span);
        let place = member.value.as_ref().map_or(member.name.span, |value| value.span);
        let mut explicit = member.value.as_ref().map(|value| self.whole_number(value, "a value"));
        if let Some(number) = value.filter(|number| !(i128::from(i32::MIN)..=super::MAXIMUM).contains(number)) {
            self.report_lenient(errors::member_out_of_range(place, number));
            explicit = Some(super::numbers::sent(number));
            value = Some(number & super::MAXIMUM);
        } else if let Some(number) = value.filter(|number| *number > i128::from(i32::MAX) && is_counted(member)) {
            self.findings.push(errors::member_becomes_negative(place, &name, number));
        }
        aoi::EnumerationMember { name, explicit, value, span: member.name.span }
    }
}

/// A value in decimal or one that follows from another; one in hexadecimal is meant as bits.
fn is_counted(member: &Member<'_>) -> bool {
    match member.value.as_ref().map(|value| &value.kind) {
        None => true,
        Some(ValueKind::Integer { spelling, .. }) => !spelling.starts_with('0'),
        Some(_) => false,
    }
}

/// Types that no file needs to define, but may: the short words for unsigned integers, and the one float of RFC 4506
/// that is no keyword of rpcgen's.
fn predefined(name: &str) -> Option<aoi::Type> {
    let bits = match name {
        "u_char" => 8,
        "u_short" => 16,
        "u_int" | "u_long" => 32,
        "quadruple" => return Some(aoi::Type::Float { bits: 128 }),
        _ => return None,
    };
    Some(aoi::Type::Integer { bits, signed: false, spelling: name.to_owned() })
}
