//! What can only be judged once all types are known: unions and cycles.

use super::Lowering;
use crate::errors;
use crate::names::{Collision, Meaning};
use aoi::{CycleKind, DefinitionId, DefinitionKind};
use source::Span;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// A union whose labels wait for judgement.
pub(super) struct PendingUnion<'a> {
    pub(super) discriminant: aoi::Type,
    /// Of the discriminant's type.
    pub(super) span: Span,
    /// How each label is spelled, its number if known, and its place.
    pub(super) labels: Vec<(Cow<'a, str>, Option<i128>, Span)>,
}

/// What the labels of a union are compared with.
enum Discriminant {
    /// An integer of so many bits, as it is spelled.
    Number { bits: u8, signed: bool, spelling: String },
    /// One of these; the names are for guesses.
    Members { values: Vec<i128>, names: Vec<String> },
    /// Nothing can be said.
    Unknown,
}

impl Lowering<'_, '_> {
    /// Names that are defined twice. Saying the same thing again does no harm, as when two files include a third:
    /// such definitions are returned, by the offsets of their names.
    pub(super) fn collisions(&mut self) -> BTreeSet<u32> {
        let mut repeated = BTreeSet::new();
        let mut repeated_enumerations = BTreeSet::new();
        for Collision { name, first, second } in std::mem::take(&mut self.names.collisions) {
            match (first.meaning, second.meaning) {
                (Meaning::Type(one), Meaning::Type(other))
                | (Meaning::Constant(one, _), Meaning::Constant(other, _))
                    if self.say_the_same(one, other) =>
                {
                    repeated.insert(second.span.start);
                    repeated_enumerations.insert(other);
                    if let Meaning::Type(_) = first.meaning {
                        self.findings.push(errors::repeated(second.span, first.span, name));
                    }
                }
                (Meaning::Member { member: one, .. }, Meaning::Member { member: other, enumeration, .. })
                    if one == other && repeated_enumerations.contains(&enumeration) => {}
                _ => self.findings.push(errors::defined_twice(second.span, first.span, name)),
            }
        }
        repeated
    }

    fn say_the_same(&self, one: DefinitionId, other: DefinitionId) -> bool {
        let [one, other] = [one, other].map(|id| self.aoi.definitions[id].kind.without_spans());
        one == other
    }

    /// Types that stand for themselves, and structures that contain themselves; of cycles that meet, one.
    pub(super) fn cycles(&mut self) {
        aoi::mark_recursive_arms(&mut self.aoi);
        aoi::name_structures_behind_pointers(&mut self.aoi);
        let mut reported = BTreeSet::new();
        for cycle in aoi::cycles(&self.aoi) {
            let is_new = !cycle.path.iter().any(|id| reported.contains(id));
            reported.extend(cycle.path.iter().copied());
            if !is_new {
                continue;
            }
            let Some((&first, through)) = cycle.path.split_first() else { continue };
            let definition = |id| &self.aoi.definitions[id];
            let places: Vec<_> = through.iter().map(|&id| (definition(id).span, definition(id).name.clone())).collect();
            let (name, span) = (&definition(first).name, definition(first).span);
            self.findings.push(match cycle.kind {
                CycleKind::Alias => errors::circular_alias(span, name, &places),
                CycleKind::Value => errors::infinite_size(span, name, &places, cycle.can_end),
            });
        }
    }

    pub(super) fn unions(&mut self) {
        for union in std::mem::take(&mut self.unions) {
            let discriminant = self.discriminant(&union);
            if matches!(discriminant, Discriminant::Number { bits: 64, .. }) {
                self.findings.push(errors::wide_discriminant(union.span));
            }
            let mut seen: BTreeMap<Result<i128, &str>, Span> = BTreeMap::new();
            for (spelling, number, span) in &union.labels {
                let key = number.ok_or(spelling.as_ref());
                match seen.get(&key) {
                    Some(&first) => self.findings.push(errors::duplicate_case(*span, first, spelling)),
                    None => {
                        seen.insert(key, *span);
                    }
                }
                self.label(&discriminant, spelling, *number, *span, union.span);
            }
        }
    }

    /// Warns of a label that selects nothing.
    fn label(&mut self, discriminant: &Discriminant, spelling: &str, number: Option<i128>, at: Span, of: Span) {
        let (values, names) = match discriminant {
            Discriminant::Members { values, names } => (values, names),
            Discriminant::Number { bits, signed, spelling } => {
                let taken = number.map(|number| (number, taken(number, (*bits).max(32), *signed)));
                if let Some((number, taken)) =
                    taken.filter(|(number, taken)| number != taken && !is_mask(*number, (*bits).max(32)))
                {
                    self.findings.push(errors::label_does_not_fit(at, number, spelling, taken, of));
                }
                return;
            }
            Discriminant::Unknown => return,
        };
        if number.is_some_and(|number| values.binary_search(&number).is_ok()) || spelling.is_empty() {
            return;
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let guess = names
            .iter()
            .take(source::COMPARED)
            .find(|name| source::near_miss(spelling, &[&name.to_ascii_lowercase()]).is_some());
        self.findings.push(errors::label_out_of_enumeration(at, spelling, of, guess.copied()));
    }

    /// What a union is switched on; reports what cannot be.
    fn discriminant(&mut self, union: &PendingUnion<'_>) -> Discriminant {
        let ty = self.aoi.resolve(&union.discriminant);
        if let aoi::Type::Named(id) = ty {
            match &self.aoi.definitions[*id].kind {
                DefinitionKind::Enumeration(enumeration) => return members(enumeration),
                DefinitionKind::Structure(_) => return self.bad_discriminant(union, "a structure"),
                DefinitionKind::Union(_) => return self.bad_discriminant(union, "a union"),
                _ => return Discriminant::Unknown,
            }
        }
        let is = match ty {
            aoi::Type::Integer { bits, signed, spelling } => {
                return Discriminant::Number { bits: *bits, signed: *signed, spelling: spelling.clone() };
            }
            aoi::Type::Enumeration(enumeration) => return members(enumeration),
            aoi::Type::Boolean => {
                let names = vec!["TRUE".to_owned(), "FALSE".to_owned()];
                return Discriminant::Members { values: vec![0, 1], names };
            }
            // Types of other languages are not here.
            aoi::Type::External(_)
            | aoi::Type::Named(_)
            | aoi::Type::Character { .. }
            | aoi::Type::WideText { .. }
            | aoi::Type::Fixed { .. }
            | aoi::Type::Any
            | aoi::Type::TypeCode
            | aoi::Type::Object => return Discriminant::Unknown,
            aoi::Type::Float { .. } => "a floating-point number",
            aoi::Type::Text { .. } => "a string",
            aoi::Type::FixedOpaque { .. } | aoi::Type::Opaque { .. } => "opaque data",
            aoi::Type::Array { .. } | aoi::Type::Sequence { .. } => "an array",
            aoi::Type::Optional(_) => "optional data",
            aoi::Type::Structure(_) | aoi::Type::Recursive(_) => "a structure",
            aoi::Type::Union(_) => "a union",
            aoi::Type::Void => "nothing",
        };
        self.bad_discriminant(union, is)
    }

    fn bad_discriminant(&mut self, union: &PendingUnion<'_>, is: &str) -> Discriminant {
        self.findings.push(errors::bad_discriminant(union.span, is));
        Discriminant::Unknown
    }
}

/// The number that C makes of a label.
fn taken(number: i128, bits: u8, signed: bool) -> i128 {
    let range = 1_i128 << bits;
    let low = number.rem_euclid(range);
    if signed && low >= range / 2 { low - range } else { low }
}

/// `0xffffffff` and the like are meant as bits.
fn is_mask(number: i128, bits: u8) -> bool {
    (0..1_i128 << bits).contains(&number)
}

/// The values of an enumeration, if all are known.
fn members(enumeration: &aoi::Enumeration) -> Discriminant {
    let values: Option<Vec<i128>> = enumeration.members.iter().map(|member| member.value).collect();
    match values {
        Some(mut values) => {
            values.sort_unstable();
            values.dedup();
            let names = enumeration.members.iter().map(|member| member.name.clone()).collect();
            Discriminant::Members { values, names }
        }
        None => Discriminant::Unknown,
    }
}
