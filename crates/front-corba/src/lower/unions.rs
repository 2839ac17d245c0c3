//! Unions: a discriminant, labels that it may equal, and a body for each.

use super::evaluate::Number;
use super::{BROKEN, Lowering};
use crate::errors;
use crate::syntax::{Case, Expression, Name, Type};
use aoi::{DefinitionId, DefinitionKind, Field, Union, UnionCase};
use source::Span;
use std::collections::BTreeMap;

impl<'a> Lowering<'_, 'a> {
    pub(super) fn union(
        &mut self,
        name: Name<'a>,
        discriminant: &Type<'a>,
        cases: &[Case<'a>],
        annotations: Vec<aoi::Annotation>,
    ) -> DefinitionId {
        let (id, scope) = self.begin_type("union", name);
        self.scopes.current = scope;
        let ty = self.discriminant(discriminant);
        let mut labels = Labels { seen: BTreeMap::new(), ty: ty.clone() };
        let (mut lowered, mut default, mut default_position) = (Vec::new(), None, None);
        for case in cases {
            let values = case.labels.iter().filter_map(|label| self.label(&mut labels, label)).collect();
            let body = self.member(&case.body).pop();
            let case_of = |labels| UnionCase { labels, body: body.clone(), span: case.span };
            match case.default {
                None => lowered.push(case_of(values)),
                Some(span) => {
                    if default.is_some() {
                        self.findings.push(errors::two_defaults(span, name.span));
                    }
                    default_position = Some(lowered.len());
                    // Labels beside `default` say nothing that it does not say.
                    default = Some(Box::new(case_of(Vec::new())));
                }
            }
        }
        self.scopes.leave();
        let is_complete = self.all_values(&ty).is_some_and(|count| count == labels.seen.len());
        let span = cases.iter().find_map(|case| case.default);
        if let Some(span) = span.filter(|_| is_complete) {
            self.findings.push(errors::needless_default(span, discriminant.span));
        }
        if default.is_none() && !is_complete {
            // Other values select nothing, which is no mistake.
            default = Some(Box::new(UnionCase { labels: Vec::new(), body: None, span: name.span }));
        }
        let default_position = default_position.unwrap_or(lowered.len());
        let discriminant = Box::new(Field { name: "_d".to_owned(), ty, span: discriminant.span });
        let union = Union { discriminant, cases: lowered, default, default_position };
        self.end_type(id, DefinitionKind::Union(union), annotations);
        id
    }

    /// What a union is switched on; reports what cannot be.
    fn discriminant(&mut self, ty: &Type<'a>) -> aoi::Type {
        let lowered = self.ty(ty);
        let is_enumeration = |id: DefinitionId| matches!(self.aoi.definitions[id].kind, DefinitionKind::Enumeration(_));
        let fits = match self.unaliased(&lowered) {
            aoi::Type::Integer { .. } | aoi::Type::Boolean | aoi::Type::Character { .. } => true,
            aoi::Type::Named(id) => is_enumeration(*id),
            _ => false,
        };
        if fits || *self.unaliased(&lowered) == BROKEN {
            return lowered;
        }
        self.findings.push(errors::bad_discriminant(ty.span));
        BROKEN
    }

    /// A label's value, unless it is wrong or was there before.
    fn label(&mut self, labels: &mut Labels, label: &Expression<'a>) -> Option<aoi::Value> {
        if *self.unaliased(&labels.ty) == BROKEN {
            return None;
        }
        let (number, value) = self.constant_value(&labels.ty, label)?;
        let key = key(&number)?;
        if let Some(first) = labels.seen.get(&key) {
            let spelled = self.map.slice(label.span);
            self.findings.push(errors::duplicate_label(label.span, *first, spelled));
            return None;
        }
        labels.seen.insert(key, label.span);
        Some(value)
    }

    /// How many values a discriminant has, where labels may cover them all.
    fn all_values(&self, ty: &aoi::Type) -> Option<usize> {
        match self.unaliased(ty) {
            aoi::Type::Boolean => Some(2),
            aoi::Type::Integer { bits: 8, .. } | aoi::Type::Character { is_wide: false } => Some(256),
            aoi::Type::Integer { bits: 16, .. } => Some(65536),
            aoi::Type::Named(id) => match &self.aoi.definitions[*id].kind {
                DefinitionKind::Enumeration(enumeration) => Some(enumeration.members.len()),
                _ => None,
            },
            _ => None,
        }
    }
}

struct Labels {
    seen: BTreeMap<i128, Span>,
    ty: aoi::Type,
}

/// What tells labels of one discriminant apart.
fn key(number: &Number) -> Option<i128> {
    match number {
        Number::Integer(number) => Some(*number),
        Number::Boolean(truth) => Some(i128::from(*truth)),
        Number::Character { code, .. } => Some(i128::from(*code)),
        Number::Member { member, .. } => i128::try_from(*member).ok(),
        Number::Float(_) | Number::Fixed(_) | Number::Text { .. } => None,
    }
}
