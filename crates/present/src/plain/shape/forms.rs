//! Gives values the forms that a presentation says. In: AOI in which all that nests has a name. Out: AOI in which texts of
//! a form are types of their own (nameless ones, where they had no name), sequences that lie inside what holds them are
//! arrays that begin with their count, and parameters that are passed apart are marked.

use std::collections::BTreeMap;

use aoi::{Aoi, Definition, DefinitionId, DefinitionKind, Direction, Origin, Type, Value};
use source::{Diagnostic, Span};

use super::places::{self, Place};
use super::statements::Form;
use super::{Defaults, errors, marks, room};

/// The most items, or bytes, for which there is room in a value itself.
pub(super) const MOST_INLINE: i128 = 65_536;

/// The most bytes that a sequence takes in a value itself: servers have arguments on their stacks.
const LARGEST_INLINE: u64 = 65_536;

/// Forms that statements give to places; behind those, what is usual.
pub(super) fn shape_all(
    aoi: &mut Aoi,
    named: usize,
    formed: &BTreeMap<Place, (Form, Span)>,
    defaults: &Defaults,
) -> Vec<Diagnostic> {
    let mut shaper = Shaper { aoi, named, findings: Vec::new(), sequences: Vec::new(), inline: Vec::new() };
    for (place, (form, span)) in formed {
        shaper.place(place, *form, *span);
    }
    shaper.usual(defaults, formed);
    shaper.too_large();
    shaper.requests();
    shaper.findings
}

pub(super) struct Shaper<'a> {
    pub(super) aoi: &'a mut Aoi,
    /// Definitions beyond so many got their names from where they stand: nobody else uses them.
    named: usize,
    pub(super) findings: Vec<Diagnostic>,
    /// Sequences of which something was said.
    pub(super) sequences: Vec<DefinitionId>,
    /// Those that lie inside what holds them, and the statements that say so of them.
    inline: Vec<(DefinitionId, Option<Span>)>,
}

impl Shaper<'_> {
    fn place(&mut self, place: &Place, form: Form, span: Span) {
        match place {
            Place::Definition(key) => self.definition(places::id(*key), form, span),
            Place::Member(key, way) => self.member(places::id(*key), way, form, span),
            Place::Parameter(interface, operation, at) => self.parameter((*interface, *operation, *at), form, span),
            Place::Result(interface, operation) => {
                let of = &places::interfaces(self.aoi)[*interface].operations[*operation];
                if let Some(ty) = self.shaped(of.result.clone(), form, span, "the result")
                    && let Some(of) = self.operation(*interface, *operation)
                {
                    of.result = ty;
                }
            }
            Place::Enumerator(..) | Place::Interface(_) | Place::Operation(..) => {}
        }
    }

    fn operation(&mut self, interface: usize, operation: usize) -> Option<&mut aoi::Operation> {
        let interface = places::interfaces_mut(&mut self.aoi.items).into_iter().nth(interface)?;
        interface.operations.get_mut(operation)
    }

    fn definition(&mut self, id: DefinitionId, form: Form, span: Span) {
        let what = format!("`{}`", self.aoi.definitions[id].name);
        match self.aoi.definitions[id].kind.clone() {
            DefinitionKind::Alias(Type::Text { bound }) if form.is_of_texts() => {
                if form != Form::Inline || self.has_room(bound.as_ref(), span, &what) {
                    marks::set_form(&mut self.aoi.definitions[id], form);
                }
            }
            DefinitionKind::Alias(Type::Sequence { .. } | Type::Opaque { .. }) => self.sequence(id, form, span, &what),
            DefinitionKind::Enumeration(enumeration) if form == Form::Strict => {
                self.make_strict(id, &enumeration, span, &what);
            }
            DefinitionKind::Alias(Type::Named(of)) if !self.is_own(of) => {
                let help = "it is another name for a type: say it of that type";
                self.findings.push(errors::misfit(span, form.word(), &what, help));
            }
            DefinitionKind::Alias(ty) => {
                if let Some(ty) = self.shaped(ty, form, span, &what) {
                    self.aoi.definitions[id].kind = DefinitionKind::Alias(ty);
                }
            }
            _ => self.misfit(form, span, &what),
        }
    }

    /// A definition that is a sequence, or counted bytes.
    fn sequence(&mut self, id: DefinitionId, form: Form, span: Span, what: &str) {
        let kind = self.aoi.definitions[id].kind.clone();
        match (form, kind) {
            (Form::Allocated, _) => self.sequences.push(id),
            (Form::Inline, DefinitionKind::Alias(Type::Sequence { bound, .. } | Type::Opaque { bound })) => {
                if self.has_room(bound.as_ref(), span, what) {
                    self.make_inline(id, Some(span));
                }
            }
            (Form::Apart, _) => {
                let help = "say it of a parameter, or of all: `arrays apart`";
                self.findings.push(errors::misfit(span, form.word(), what, help));
            }
            (_, DefinitionKind::Alias(Type::Sequence { element, bound })) => {
                if let Some(element) = self.shaped(*element, form, span, what) {
                    let element = Box::new(element);
                    self.aoi.definitions[id].kind = DefinitionKind::Alias(Type::Sequence { element, bound });
                }
            }
            _ => self.findings.push(errors::misfit(span, form.word(), what, "bytes are `allocated` or `inline`")),
        }
    }

    pub(super) fn make_inline(&mut self, id: DefinitionId, said: Option<Span>) {
        let definition = &mut self.aoi.definitions[id];
        let array = match &definition.kind {
            DefinitionKind::Alias(Type::Sequence { element, bound: Some(length) }) => {
                Type::Array { element: element.clone(), length: length.clone() }
            }
            DefinitionKind::Alias(Type::Opaque { bound: Some(length) }) => Type::FixedOpaque { length: length.clone() },
            _ => return,
        };
        definition.kind = DefinitionKind::Alias(array);
        marks::set_form(definition, Form::Inline);
        self.inline.push((id, said));
    }

    /// Now that all have their forms: what takes too much room, or holds itself, is refused, or stays as it was.
    fn too_large(&mut self) {
        for (id, said) in std::mem::take(&mut self.inline) {
            let why = match room::of(self.aoi, id) {
                Some(..=LARGEST_INLINE) => continue,
                Some(_) => "it takes too much room",
                None => "it takes too much room, or holds itself",
            };
            let definition = &mut self.aoi.definitions[id];
            let array = match &definition.kind {
                DefinitionKind::Alias(Type::Array { element, length }) => {
                    Type::Sequence { element: element.clone(), bound: Some(length.clone()) }
                }
                DefinitionKind::Alias(Type::FixedOpaque { length }) => Type::Opaque { bound: Some(length.clone()) },
                _ => continue,
            };
            definition.kind = DefinitionKind::Alias(array);
            marks::set_form(definition, Form::Allocated);
            if let Some(span) = said {
                let what = format!("`{}`", definition.name);
                self.findings.push(errors::no_room(span, &what, why));
            }
        }
    }

    /// There is a bound, and not too large a one.
    fn has_room(&mut self, bound: Option<&Value>, span: Span, what: &str) -> bool {
        let why = match bound.map(|bound| self.aoi.number(bound)) {
            None => "it has no bound",
            Some(None) => "only a C header knows its bound",
            Some(Some(1..=MOST_INLINE)) => return true,
            Some(Some(0)) => "it is always empty",
            Some(Some(_)) => "its bound is too large",
        };
        self.findings.push(errors::no_room(span, what, why));
        false
    }

    fn member(&mut self, id: DefinitionId, way: &[usize], form: Form, span: Span) {
        let (mut holder, mut way) = (id, way);
        loop {
            let Some((&at, rest)) = way.split_first() else { return };
            let members = places::members(&self.aoi.definitions[holder].kind);
            let Some(field) = members.get(at) else { return };
            if rest.is_empty() {
                let what = format!("`{}`", field.name);
                if let Some(ty) = self.shaped(field.ty.clone(), form, span, &what)
                    && let Some(field) = places::members_mut(&mut self.aoi.definitions[holder].kind).into_iter().nth(at)
                {
                    field.ty = ty;
                }
                return;
            }
            match self.record_in(&field.ty) {
                Some(inner) => (holder, way) = (inner, rest),
                None => return,
            }
        }
    }

    /// The structure or union that was nested in a type, under the name that it got since.
    fn record_in(&self, ty: &Type) -> Option<DefinitionId> {
        match ty {
            Type::Array { element, .. }
            | Type::Sequence { element, .. }
            | Type::Optional(element)
            | Type::Recursive(element) => self.record_in(element),
            Type::Named(id) if self.is_own(*id) => match &self.aoi.definitions[*id].kind {
                DefinitionKind::Alias(ty) => self.record_in(ty),
                _ => Some(*id),
            },
            _ => None,
        }
    }

    /// The definition was made for the one place where it is used.
    pub(super) fn is_own(&self, id: DefinitionId) -> bool {
        places::key(id) as usize >= self.named
    }

    fn parameter(&mut self, (interface, operation, at): (usize, usize, usize), form: Form, span: Span) {
        let of = places::interfaces(self.aoi)[interface].operations[operation].parameters[at].clone();
        let what = format!("`{}`", of.name.as_deref().unwrap_or("the argument"));
        if form == Form::Apart {
            let help = match (self.aoi.resolve(&of.ty), of.direction) {
                (Type::Text { .. }, Direction::In) => "a text is passed so where it is `counted`",
                (_, Direction::Out | Direction::InOut) => "what comes back is one structure: this is for what goes in",
                (Type::Sequence { .. } | Type::Opaque { .. }, _) => "",
                _ => "this is for sequences and counted bytes",
            };
            if !help.is_empty() {
                self.findings.push(errors::misfit(span, form.word(), &what, help));
            } else if let Some(of) = self.operation(interface, operation) {
                marks::set_apart(of, at);
            }
            return;
        }
        if let Some(ty) = self.shaped(of.ty, form, span, &what)
            && let Some(of) = self.operation(interface, operation)
        {
            of.parameters[at].ty = ty;
        }
    }

    /// A type with a form; `None` where it cannot have it, which was reported.
    fn shaped(&mut self, ty: Type, form: Form, span: Span, what: &str) -> Option<Type> {
        let resolved = self.aoi.resolve(&ty).clone();
        match (ty, resolved) {
            (_, Type::Text { bound }) if form.is_of_texts() => {
                let fits = form != Form::Inline || self.has_room(bound.as_ref(), span, what);
                fits.then(|| Type::Named(self.nameless(bound, form)))
            }
            (Type::Named(id), Type::Sequence { .. } | Type::Opaque { .. }) if self.is_own(id) => {
                self.sequence(id, form, span, what);
                Some(Type::Named(id))
            }
            (Type::Named(id), Type::Sequence { .. } | Type::Opaque { .. }) => {
                let help = format!("its type has a name: say it of `type {}`", self.aoi.definitions[id].name);
                self.findings.push(errors::misfit(span, form.word(), what, &help));
                None
            }
            (Type::Array { element, length }, _) if form.is_of_texts() => {
                let element = Box::new(self.shaped(*element, form, span, what)?);
                Some(Type::Array { element, length })
            }
            (Type::Optional(target), _) if form.is_of_texts() && form != Form::Inline => {
                Some(Type::Optional(Box::new(self.shaped(*target, form, span, what)?)))
            }
            (Type::Named(id), _) if form == Form::Strict && self.enumeration_of(id).is_some() => {
                self.strict_value(id, span, what)
            }
            (_, Type::Text { .. }) => {
                self.findings.push(errors::misfit(
                    span,
                    form.word(),
                    what,
                    "texts are `terminated`, `counted` or `inline`",
                ));
                None
            }
            _ => {
                self.misfit(form, span, what);
                None
            }
        }
    }

    /// A text of a form, without a name of its own.
    pub(super) fn nameless(&mut self, bound: Option<Value>, form: Form) -> DefinitionId {
        let kind = DefinitionKind::Alias(Type::Text { bound });
        let mut definition = Definition::new("", kind, Span::default(), Origin::Main);
        marks::set_form(&mut definition, form);
        marks::set_nameless(&mut definition);
        self.aoi.definitions.alloc(definition)
    }
}
