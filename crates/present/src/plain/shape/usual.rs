//! The forms of what no statement is about. In: AOI in which particular things have their forms, and what is usual. Out: forms
//! for the rest, and texts that go in as C passes them.

use std::collections::BTreeMap;

use aoi::{DefinitionId, DefinitionKind, Direction, Type, Value};
use source::Span;

use super::forms::{MOST_INLINE, Shaper};
use super::places::{self, Place};
use super::statements::Form;
use super::{Defaults, marks};

impl Shaper<'_> {
    /// What nothing was said of. What a usual form does not fit stays as it is.
    pub(super) fn usual(&mut self, defaults: &Defaults, formed: &BTreeMap<Place, (Form, Span)>) {
        let ids: Vec<DefinitionId> = self.aoi.definitions.iter().map(|(id, _)| id).collect();
        for id in ids {
            let definition = &self.aoi.definitions[id];
            if marks::form(definition).is_some() {
                continue;
            }
            let (strings, arrays) = defaults.of(&definition.origin);
            let mut kind = definition.kind.clone();
            if let Some(form) = strings {
                match &kind {
                    DefinitionKind::Alias(Type::Text { bound }) => {
                        if form != Form::Inline || self.fits(bound.as_ref()) {
                            marks::set_form(&mut self.aoi.definitions[id], form);
                        }
                        continue;
                    }
                    DefinitionKind::Alias(_) => {
                        if let DefinitionKind::Alias(ty) = &mut kind {
                            self.texts(ty, form);
                        }
                    }
                    _ => places::members_mut(&mut kind).into_iter().for_each(|field| self.texts(&mut field.ty, form)),
                }
                self.aoi.definitions[id].kind = kind.clone();
            }
            if let (Some(Form::Inline), DefinitionKind::Alias(Type::Sequence { bound, .. } | Type::Opaque { bound })) =
                (arrays, &kind)
                && self.fits(bound.as_ref())
                && !self.sequences.contains(&id)
            {
                self.make_inline(id, None);
            }
        }
        self.usual_arguments(defaults, formed);
    }

    fn usual_arguments(&mut self, defaults: &Defaults, formed: &BTreeMap<Place, (Form, Span)>) {
        let mut items = std::mem::take(&mut self.aoi.items);
        for (interface, of) in places::interfaces_mut(&mut items).into_iter().enumerate() {
            let (strings, arrays) = defaults.of(&of.origin);
            for (at, operation) in of.operations.iter_mut().enumerate() {
                if let Some(form) = strings {
                    operation.parameters.iter_mut().for_each(|parameter| self.texts(&mut parameter.ty, form));
                    self.texts(&mut operation.result, form);
                }
                for which in 0..operation.parameters.len() {
                    let parameter = &operation.parameters[which];
                    let is_array =
                        matches!(self.aoi.resolve(&parameter.ty), Type::Sequence { .. } | Type::Opaque { .. });
                    let is_said = formed.contains_key(&Place::Parameter(interface, at, which));
                    if arrays == Some(Form::Apart) && is_array && parameter.direction == Direction::In && !is_said {
                        marks::set_apart(operation, which);
                    }
                }
            }
        }
        self.aoi.items = items;
    }

    fn fits(&self, bound: Option<&Value>) -> bool {
        matches!(bound.and_then(|bound| self.aoi.number(bound)), Some(1..=MOST_INLINE))
    }

    /// Texts that stand in a type by themselves.
    fn texts(&mut self, ty: &mut Type, form: Form) {
        match ty {
            Type::Text { bound } => {
                let bound = bound.take();
                let form = if form == Form::Inline && !self.fits(bound.as_ref()) { Form::Terminated } else { form };
                *ty = Type::Named(self.nameless(bound, form));
            }
            Type::Array { element, .. } | Type::Sequence { element, .. } => self.texts(element, form),
            // An array is no target of a pointer that may be missing.
            Type::Optional(target) if form != Form::Inline => self.texts(target, form),
            _ => {}
        }
    }

    /// Texts that go in are passed as they are, or apart; inside a value there is nothing for them to be in. Sequences that
    /// lie inside their values are passed whole.
    pub(super) fn requests(&mut self) {
        let mut items = std::mem::take(&mut self.aoi.items);
        for interface in places::interfaces_mut(&mut items) {
            for operation in &mut interface.operations {
                for parameter in operation.parameters.iter_mut().filter(|of| of.direction == Direction::In) {
                    let (resolved, form) = marks::resolve(self.aoi, &parameter.ty);
                    let (Type::Text { bound }, Some(form)) = (resolved, form) else { continue };
                    let bound = bound.clone();
                    let form = if form == Form::Inline { Form::Terminated } else { form };
                    parameter.ty = Type::Named(self.nameless(bound, form));
                }
            }
        }
        self.aoi.items = items;
    }
}
