//! Projections: the fields that a subscriber selects of a channel's packets, against the packets that its port takes. In: the clause
//! `select`, the channel's type, the port's. Out: nothing, or the one finding that says which field is wrong. Why: the sender makes the
//! receiver's packet of these fields, and sends no other bytes; so the two must agree field by field. Source: Eisenhauer, Bustamante
//! and Schwan, "Event Services for High Performance Computing" (derived event channels: the sink's view of an event, made at the source).

use std::collections::BTreeSet;

use aoi::{Aoi, DefinitionKind, Type};
use source::{Diagnostic, Span};

use super::types::{Known, Types, compare_ranges, compare_units};
use crate::errors;
use crate::flow::Channel;
use crate::ir::{Extent, Field, FieldType, Port};
use crate::name::{Name, Spanned};

/// A field of a packet, or of an imported structure.
#[derive(Clone, Copy)]
enum Part<'a> {
    Own(&'a Field),
    Imported(&'a Aoi, &'a aoi::Field),
}

impl<'a> Part<'a> {
    fn name(self) -> &'a str {
        match self {
            Part::Own(field) => &field.name.text,
            Part::Imported(_, field) => &field.name,
        }
    }

    /// The field that says how many elements are used.
    fn counter(self) -> Option<&'a str> {
        match self {
            Part::Own(Field { array: Some(Extent::Bounded { used: Some(used), .. }), .. }) => Some(&used.text),
            _ => None,
        }
    }
}

impl<'a> Types<'a> {
    /// Whether a port takes packets of the fields that are selected of a channel's, by name and type.
    pub(super) fn selection(
        &self,
        channel: &Channel,
        fields: &Spanned<Vec<Name>>,
        port: &Port,
    ) -> Result<(), Box<Diagnostic>> {
        // A name without a meaning was said to have none.
        let (Some(whole), Some(part)) = (self.parts(&channel.ty.text), self.parts(&port.ty.text)) else {
            return Ok(());
        };
        let known: Vec<&str> = whole.iter().map(|part| part.name()).collect();
        let mut selected = BTreeSet::new();
        for field in &fields.value {
            let Some(of) = whole.iter().find(|part| part.name() == field.text) else {
                return Err(errors::no_selection(field, &channel.ty, Some(&known)).into());
            };
            if !selected.insert(field.text.as_str()) {
                return Err(errors::no_selection(field, &channel.ty, None).into());
            }
            self.selected(*of, &part, port, field.span)?;
        }
        let Some(more) = part.iter().map(|part| part.name()).find(|name| !selected.contains(name)) else {
            return Ok(());
        };
        let (why, help) = match known.contains(&more) {
            true => (format!("it has `{more}`, too"), format!("select `{more}`, or give the port packets without it")),
            false => (
                format!("it has `{more}`, and `{}` has not", channel.ty),
                format!("give the port packets without `{more}`"),
            ),
        };
        Err(errors::other_selection(fields.span, port, &why, help).into())
    }

    /// One field that is selected: the receiver's packets have it, of the same type.
    fn selected(&self, of: Part<'a>, part: &[Part<'a>], port: &Port, at: Span) -> Result<(), Box<Diagnostic>> {
        let name = of.name();
        let wrong = |why: String, help: String| Err(errors::other_selection(at, port, &why, help).into());
        let Some(theirs) = part.iter().find(|part| part.name() == name) else {
            let help = format!(
                "add `{name}` to the port's packets, with the type that it has in the channel's, or leave it out here"
            );
            return wrong(format!("it has no `{name}`"), help);
        };
        if let Err(why) = self.same(of, *theirs) {
            return wrong(format!("`{name}` differs: {why}"), "give both one type, bound and unit".to_owned());
        }
        Ok(())
    }

    /// The fields of a packet or of a structure; none of another type. `None`: the name has no meaning.
    fn parts(&self, name: &str) -> Option<Vec<Part<'a>>> {
        Some(match self.get(self.original(name))? {
            Known::Packet(packet) => packet.fields.iter().map(Part::Own).collect(),
            Known::Imported { aoi, definition, .. } => match &aoi.definitions[definition].kind {
                DefinitionKind::Structure(of) => of.fields.iter().map(|field| Part::Imported(aoi, field)).collect(),
                _ => Vec::new(),
            },
        })
    }

    fn same(&self, one: Part<'a>, other: Part<'a>) -> Result<(), String> {
        match (one, other) {
            (Part::Own(mine), Part::Own(theirs)) => {
                self.compare_fields(mine, theirs)?;
                if one.counter() != other.counter() {
                    return Err("another field says how many elements are used".to_owned());
                }
                compare_units(mine, theirs)?;
                compare_ranges(mine, theirs)
            }
            (Part::Imported(mine, one), Part::Imported(theirs, other)) => {
                let is_same = std::ptr::eq(mine, theirs) && plain(&one.ty) == plain(&other.ty);
                let is_plain = own(mine, &one.ty).zip(own(theirs, &other.ty)).is_some_and(|(one, other)| one == other);
                if is_same || is_plain { Ok(()) } else { Err("its type is another one there".to_owned()) }
            }
            (Part::Own(field), Part::Imported(aoi, imported)) | (Part::Imported(aoi, imported), Part::Own(field)) => {
                let is_same = match (own(aoi, &imported.ty), &field.ty) {
                    (Some(FieldType::Named(one)), FieldType::Named(other)) => {
                        self.original(&one.text) == self.original(&other.text)
                    }
                    (Some(one), other) => one == *other,
                    (None, _) => false,
                };
                if is_same && field.array.is_none() && field.unit.is_none() {
                    return Ok(());
                }
                Err(format!("{} is not what the imported file has", field.ty.words()))
            }
        }
    }
}

/// Without the spelling, which takes no part in the contract.
fn plain(ty: &Type) -> Type {
    match ty {
        Type::Integer { bits, signed, .. } => Type::Integer { bits: *bits, signed: *signed, spelling: String::new() },
        other => other.clone(),
    }
}

/// The type of a field of the flow that has the same form in C.
fn own(aoi: &Aoi, ty: &Type) -> Option<FieldType> {
    Some(match ty {
        Type::Boolean => FieldType::Boolean,
        Type::Integer { bits, signed, .. } => FieldType::Integer { bits: *bits, signed: *signed },
        Type::Float { bits: bits @ (32 | 64) } => FieldType::Float { bits: *bits },
        Type::Named(definition) => {
            FieldType::Named(Name::new(aoi.definitions[*definition].name.as_str(), Span::default()))
        }
        _ => return None,
    })
}
