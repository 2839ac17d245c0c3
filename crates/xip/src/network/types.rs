//! What packets' and ports' types are, and whether two of them are the same on an edge.

use std::collections::{BTreeMap, BTreeSet};

use aoi::{Aoi, DefinitionId, DefinitionKind, Type};
use source::Diagnostic;

use super::sizes::Layouts;
use crate::errors;
use crate::ir::{Extent, Field, FieldType, Packet, Xip};
use crate::name::Name;

/// What fields may have without a packet of that name, for guesses.
const OF_FIELDS: [&str; 14] = [
    "bool", "octet", "char", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float",
    "double", "string",
];

/// What an imported interface file defines.
#[derive(Clone, Copy, Debug)]
pub struct Imported<'a> {
    /// As the import says it.
    pub file: &'a str,
    pub aoi: &'a Aoi,
}

/// The types that names mean.
#[derive(Clone, Debug, Default)]
pub struct Types<'a> {
    pub(super) known: BTreeMap<&'a str, Known<'a>>,
    pub(super) layouts: Layouts<'a>,
}

/// One type with a name.
#[derive(Clone, Copy, Debug)]
pub enum Known<'a> {
    Packet(&'a Packet),
    Imported { file: &'a str, aoi: &'a Aoi, definition: DefinitionId },
}

impl<'a> Types<'a> {
    /// The types of a description and its imports; findings for names that mean nothing or two things, and for packets
    /// that would contain themselves.
    pub fn new(xip: &'a Xip, imports: &[Imported<'a>]) -> (Types<'a>, Vec<Diagnostic>) {
        let mut types = Types::default();
        let mut findings = Vec::new();
        for import in imports {
            types.import(xip, import, &mut findings);
        }
        for packet in xip.packets() {
            if let Some(Known::Imported { file, .. }) = types.known.get(packet.name.text.as_str()) {
                findings.push(errors::packet_is_imported(&packet.name, file));
            }
            types.known.entry(packet.name.text.as_str()).or_insert(Known::Packet(packet));
        }
        types.uses(xip, &mut findings);
        types.layouts = types.lay_out(&imports.iter().map(|import| (import.file, import.aoi)).collect());
        (types, findings)
    }

    /// The types of an import; a finding where an earlier one has a type of the same name.
    fn import(&mut self, xip: &Xip, import: &Imported<'a>, findings: &mut Vec<Diagnostic>) {
        let mut twice = Vec::new();
        for (definition, of) in import.aoi.definitions.iter() {
            if matches!(of.kind, DefinitionKind::Constant(_)) {
                continue;
            }
            let known = Known::Imported { file: import.file, aoi: import.aoi, definition };
            match self.known.entry(of.name.as_str()).or_insert(known) {
                Known::Imported { file, .. } if *file != import.file => twice.push((of.name.as_str(), *file)),
                _ => {}
            }
        }
        let place = |file: &str| xip.imports().find(|import| import.file.value == file).map(|import| import.file.span);
        if let Some((name, earlier)) = twice.first()
            && let (Some(first), Some(second)) = (place(earlier), place(import.file))
        {
            findings.push(errors::two_imports_define(name, twice.len(), (earlier, first), (import.file, second)));
        }
    }

    /// The type of a name.
    pub fn get(&self, name: &str) -> Option<Known<'a>> {
        self.known.get(name).copied()
    }

    /// Every use of a name as a type.
    fn uses(&self, xip: &'a Xip, findings: &mut Vec<Diagnostic>) {
        let in_circles = self.in_circles(xip);
        for packet in xip.packets() {
            let named = |field: &'a Field| if let FieldType::Named(name) = &field.ty { Some(name) } else { None };
            packet.fields.iter().filter_map(named).for_each(|name| self.must_be(name, &OF_FIELDS, findings));
            if in_circles.contains(packet.name.text.as_str())
                && let Some(through) = self.contains(packet, &packet.name.text, &mut BTreeSet::new())
            {
                findings.push(errors::packet_in_itself(packet, through));
            }
        }
        xip.pipes().flat_map(|pipe| &pipe.ports).for_each(|port| self.must_be(&port.ty, &[], findings));
        let channels = xip.flows().flat_map(|flow| &flow.body.channels);
        channels.for_each(|channel| self.must_be(&channel.ty, &[], findings));
    }

    fn must_be(&self, name: &Name, of_the_language: &[&'static str], findings: &mut Vec<Diagnostic>) {
        if !self.known.contains_key(name.text.as_str()) {
            let known = of_the_language.iter().copied().chain(self.known.keys().copied());
            findings.push(errors::unknown_type(name, known));
        }
    }

    /// The packets that may contain themselves: those left when all that contain no other of them are taken away, again
    /// and again. Each use of a packet is gone over once.
    fn in_circles(&self, xip: &'a Xip) -> BTreeSet<&'a str> {
        let inner = |field: &'a Field| match &field.ty {
            FieldType::Named(name) => match self.get(&name.text) {
                Some(Known::Packet(inner)) => Some(inner.name.text.as_str()),
                _ => None,
            },
            _ => None,
        };
        let mut open: BTreeMap<&str, usize> = BTreeMap::new();
        let mut users: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for packet in xip.packets() {
            let name = packet.name.text.as_str();
            let inside: Vec<&str> = packet.fields.iter().filter_map(inner).collect();
            *open.entry(name).or_default() += inside.len();
            inside.into_iter().for_each(|inner| users.entry(inner).or_default().push(name));
        }
        let mut ended: Vec<&str> = open.iter().filter(|(_, open)| **open == 0).map(|(name, _)| *name).collect();
        while let Some(name) = ended.pop() {
            open.remove(name);
            for user in users.remove(name).unwrap_or_default() {
                if let Some(left) = open.get_mut(user) {
                    *left -= 1;
                    if *left == 0 {
                        ended.push(user);
                    }
                }
            }
        }
        open.into_keys().collect()
    }

    /// The field through which a packet contains `sought`.
    fn contains(&self, packet: &'a Packet, sought: &str, seen: &mut BTreeSet<&'a str>) -> Option<&'a Field> {
        packet.fields.iter().find(|field| {
            let FieldType::Named(name) = &field.ty else { return false };
            if name == sought {
                return true;
            }
            let Some(Known::Packet(inner)) = self.get(&name.text) else { return false };
            seen.insert(inner.name.text.as_str()) && self.contains(inner, sought, seen).is_some()
        })
    }

    /// Whether packets of type `one` are packets of type `other`: the same name, another name for it (`typedef`), or
    /// packets whose fields are alike in name, type and unit. Otherwise, where they differ.
    pub fn compare(&self, one: &str, other: &str) -> Result<(), String> {
        let (one, other) = (self.original(one), self.original(other));
        if one == other {
            return Ok(());
        }
        match (self.get(one), self.get(other)) {
            (Some(Known::Packet(one)), Some(Known::Packet(other))) => self.compare_packets(one, other),
            // What has no meaning was said to have none.
            (None, _) | (_, None) => Ok(()),
            _ => Err(format!("`{one}` is another type than `{other}`")),
        }
    }

    /// Behind all other names for it.
    pub(super) fn original<'n>(&self, name: &'n str) -> &'n str
    where
        'a: 'n,
    {
        let mut name = name;
        while let Some(Known::Imported { aoi, definition, .. }) = self.get(name) {
            let DefinitionKind::Alias(Type::Named(behind)) = &aoi.definitions[definition].kind else { break };
            name = &aoi.definitions[*behind].name;
        }
        name
    }

    fn compare_packets(&self, one: &Packet, other: &Packet) -> Result<(), String> {
        if one.fields.len() != other.fields.len() {
            let (few, many) = (one.fields.len(), other.fields.len());
            return Err(format!("`{}` has {few} fields, `{}` has {many}", one.name, other.name));
        }
        for (mine, theirs) in one.fields.iter().zip(&other.fields) {
            if mine.name != theirs.name {
                return Err(format!("`{}.{}` is `{}.{}` there", one.name, mine.name, other.name, theirs.name));
            }
            self.compare_fields(mine, theirs).map_err(|why| format!("`{}.{}` differs: {why}", one.name, mine.name))?;
            compare_units(mine, theirs)?;
            compare_ranges(mine, theirs)?;
            let id = |field: &Field| field.id.map(|id| id.value);
            if id(mine) != id(theirs) {
                return Err(format!("`{}` has another `id` here than there", mine.name));
            }
        }
        Ok(())
    }

    pub(super) fn compare_fields(&self, one: &Field, other: &Field) -> Result<(), String> {
        let bound = |field: &Field| match &field.array {
            None => (0, 0),
            Some(Extent::Fixed(count)) => (1, count.value),
            Some(Extent::Bounded { bound, .. }) => (2, bound.value),
        };
        if bound(one) != bound(other) {
            return Err("another number of elements".to_owned());
        }
        match (&one.ty, &other.ty) {
            (FieldType::Named(one), FieldType::Named(other)) => {
                let same = self.original(&one.text) == self.original(&other.text);
                if same { Ok(()) } else { Err(format!("`{one}` is not `{other}`")) }
            }
            (one, other) if one == other => Ok(()),
            (one, other) => Err(format!("{} is not {}", one.words(), other.words())),
        }
    }
}

/// Whether the numbers of two fields mean the same.
pub(super) fn compare_units(one: &Field, other: &Field) -> Result<(), String> {
    let unit = |field: &Field| field.unit.as_ref().map(|unit| unit.value.clone());
    if unit(one) == unit(other) {
        return Ok(());
    }
    let say = |unit: Option<String>| unit.map_or("no unit".to_owned(), |unit| format!("\"{unit}\""));
    Err(format!("`{}` is in {} here and in {} there", one.name, say(unit(one)), say(unit(other))))
}

/// Whether two fields may hold the same numbers.
pub(super) fn compare_ranges(one: &Field, other: &Field) -> Result<(), String> {
    let range = |field: &Field| field.range.map(|range| (range.value.least, range.value.most));
    if range(one) == range(other) {
        return Ok(());
    }
    let say = |range: Option<(i128, i128)>| {
        range.map_or("any number".to_owned(), |(least, most)| format!("{least} to {most}"))
    };
    Err(format!("`{}` may be {} here and {} there", one.name, say(range(one)), say(range(other))))
}
