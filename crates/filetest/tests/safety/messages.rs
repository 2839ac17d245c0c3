//! Messages from types: the fewest bytes a value takes, and random messages that are valid and canonical.

use aoi::{Aoi, Definition, DefinitionId, DefinitionKind, Type, Union, UnionCase, Value};
use filetest::random::Random;

/// Reads an interface file that is known to be right.
pub(crate) fn read(name: &str, text: &str) -> Result<Aoi, String> {
    let mut map = source::SourceMap::new();
    let file = map.add(name, text);
    let (aoi, findings) = front_onc::parse(&map, file, &front_onc::Options::default());
    match findings.iter().find(|finding| finding.is_error()) {
        Some(finding) => Err(format!("{name}: {finding:?}")),
        None => Ok(aoi),
    }
}

/// The types of a file that have routines, in order.
pub(crate) fn types(aoi: &Aoi) -> Vec<(DefinitionId, &Definition)> {
    aoi.definitions.iter().filter(|(_, definition)| !matches!(definition.kind, DefinitionKind::Constant(_))).collect()
}

/// The number of a length or bound.
pub(crate) fn number(aoi: &Aoi, value: &Value) -> u64 {
    aoi.number(value).and_then(|number| u64::try_from(number).ok()).unwrap_or(0)
}

/// The fewest bytes of a value, in XDR (RFC 4506).
pub(crate) fn least(aoi: &Aoi, ty: &Type) -> u64 {
    match ty {
        Type::Integer { bits: 64, .. } | Type::Float { bits: 64 } => 8,
        Type::Float { bits: 128 } => 16,
        Type::Integer { .. } | Type::Float { .. } | Type::Boolean | Type::Enumeration(_) => 4,
        Type::Text { .. } | Type::Opaque { .. } | Type::Sequence { .. } | Type::Optional(_) => 4,
        Type::FixedOpaque { length } => number(aoi, length).div_ceil(4) * 4,
        Type::Array { element, length } => number(aoi, length) * least(aoi, element),
        Type::Structure(structure) => structure.fields.iter().map(|field| least(aoi, &field.ty)).sum(),
        Type::Union(union) => least_union(aoi, union),
        Type::Named(id) => least_definition(aoi, *id),
        // What `.x` files do not have.
        _ => 0,
    }
}

fn least_union(aoi: &Aoi, union: &Union) -> u64 {
    let cases = union.cases.iter().chain(union.default.as_deref());
    4 + cases.map(|case| case.body.as_ref().map_or(0, |body| least(aoi, &body.ty))).min().unwrap_or(0)
}

/// The fewest bytes of a value of a named type.
pub(crate) fn least_definition(aoi: &Aoi, id: DefinitionId) -> u64 {
    match &aoi.definitions[id].kind {
        DefinitionKind::Enumeration(_) => 4,
        DefinitionKind::Alias(ty) => least(aoi, ty),
        DefinitionKind::Structure(structure) => structure.fields.iter().map(|field| least(aoi, &field.ty)).sum(),
        DefinitionKind::Union(union) => least_union(aoi, union),
        _ => 0,
    }
}

/// How long a message may become beyond the least, and what its arrays hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// Nothing that can be left out.
    Empty,
    /// Some of everything, about so many bytes.
    About(u64),
}

/// A message of type `id`.
pub(crate) fn message(aoi: &Aoi, id: DefinitionId, random: &mut Random, size: Size) -> Vec<u8> {
    let budget = if let Size::About(bytes) = size { bytes } else { 0 };
    let mut writer = Writer { aoi, random, bytes: Vec::new(), budget, depth: 0 };
    writer.definition(id);
    writer.bytes
}

struct Writer<'a> {
    aoi: &'a Aoi,
    random: &'a mut Random,
    bytes: Vec<u8>,
    /// Bytes that may still be spent on what can be left out.
    budget: u64,
    depth: u32,
}

/// How much decoders read at once from streams that are no memory (WHITTLE_BLOCK).
const BLOCK: u64 = 3584;

/// No value nests deeper: decoders stop at 1,000.
const DEEPEST: u32 = 100;

impl Writer<'_> {
    fn definition(&mut self, id: DefinitionId) {
        self.depth += 1;
        let aoi = self.aoi;
        match &aoi.definitions[id].kind {
            DefinitionKind::Enumeration(enumeration) => self.member(&enumeration.members),
            DefinitionKind::Alias(ty) => self.value(ty),
            DefinitionKind::Structure(structure) => structure.fields.iter().for_each(|field| self.value(&field.ty)),
            DefinitionKind::Union(union) => self.union(union),
            _ => {}
        }
        self.depth -= 1;
    }

    fn word(&mut self, word: u32) {
        self.bytes.extend(word.to_be_bytes());
    }

    /// A number of `bits` bits, often one at an edge.
    fn integer(&mut self, bits: u8, signed: bool) {
        let random = self.random.word();
        let wide = match self.random.below(6) {
            0 => u64::MAX,
            1 => 0,
            2 => 1 << (bits - 1),
            3 => (1 << (bits - 1)) - 1,
            _ => random,
        };
        let unused = 64 - u32::from(bits);
        let value = if signed { ((wide << unused) as i64 >> unused) as u64 } else { (wide << unused) >> unused };
        if bits > 32 {
            self.bytes.extend(value.to_be_bytes());
        } else {
            self.word(value as u32);
        }
    }

    fn member(&mut self, members: &[aoi::EnumerationMember]) {
        let value = self.random.pick(members).and_then(|member| member.value).unwrap_or(0);
        self.word(value as u32);
    }

    /// How many elements of at least `each` bytes, and at most `bound`, there are here.
    fn count(&mut self, bound: Option<&Value>, each: u64) -> u64 {
        let bound = bound.map_or(u64::from(u32::MAX), |bound| number(self.aoi, bound));
        let most = bound.min(self.budget / each.max(4));
        let count = match self.random.weighted(&[20, 40, 20, 10, 10]) {
            0 => 0,
            1 => self.random.below(5),
            2 => self.random.below(60),
            3 => BLOCK / each.max(4) + self.random.below(20),
            _ => most,
        };
        let count = if self.depth > DEEPEST { 0 } else { count.min(most) };
        self.budget -= (count * each.max(4)).min(self.budget);
        count
    }

    fn octets(&mut self, length: u64, smallest: u64) {
        for _ in 0..length {
            let octet = smallest + self.random.below(256 - smallest);
            self.bytes.push(octet as u8);
        }
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }

    /// Bytes of a text may be packed four to a word.
    fn length(&mut self, bound: Option<&Value>) -> u64 {
        let bound = bound.map_or(u64::from(u32::MAX), |bound| number(self.aoi, bound));
        let most = bound.min(self.budget);
        let length = match self.random.weighted(&[20, 45, 15, 10, 10]) {
            0 => 0,
            1 => self.random.below(12),
            2 => self.random.below(200),
            3 => BLOCK - 8 + self.random.below(20),
            _ => most,
        };
        let length = length.min(most);
        self.budget -= length;
        length
    }

    fn value(&mut self, ty: &Type) {
        match ty {
            // A char that is no number has a sign on some machines.
            Type::Integer { bits: 8, signed: true, .. } => self.integer(7, false),
            Type::Integer { bits, signed, .. } => self.integer(*bits, *signed),
            Type::Float { bits } => (0..bits / 32).for_each(|_| self.integer(32, false)),
            Type::Boolean => {
                let truth = self.random.below(2) as u32;
                self.word(truth);
            }
            Type::Text { bound } => {
                let length = self.length(bound.as_ref());
                self.word(length as u32);
                self.octets(length, 1);
            }
            Type::FixedOpaque { length } => self.octets(number(self.aoi, length), 0),
            Type::Opaque { bound } => {
                let length = self.length(bound.as_ref());
                self.word(length as u32);
                self.octets(length, 0);
            }
            Type::Array { element, length } => (0..number(self.aoi, length)).for_each(|_| self.value(element)),
            Type::Sequence { element, bound } => {
                let count = self.count(bound.as_ref(), least(self.aoi, element));
                self.word(count as u32);
                (0..count).for_each(|_| self.value(element));
            }
            Type::Optional(target) => {
                let cost = 4 + least(self.aoi, target);
                let there = self.budget >= cost && self.depth <= DEEPEST && self.random.chance(70);
                self.word(u32::from(there));
                if there {
                    self.budget -= cost;
                    self.value(target);
                }
            }
            Type::Structure(structure) => structure.fields.iter().for_each(|field| self.value(&field.ty)),
            Type::Union(union) => self.union(union),
            Type::Enumeration(enumeration) => self.member(&enumeration.members),
            Type::Named(id) => self.definition(*id),
            _ => {}
        }
    }

    fn union(&mut self, union: &Union) {
        let labels =
            |case: &UnionCase| -> Vec<i128> { case.labels.iter().filter_map(|label| self.aoi.number(label)).collect() };
        let all: Vec<i128> = union.cases.iter().flat_map(labels).collect();
        // With nothing left to spend the smallest case, so that what embeds unions comes to an end.
        let size = |case: &&UnionCase| case.body.as_ref().map_or(0, |body| least(self.aoi, &body.ty));
        let smallest = union.cases.iter().min_by_key(size);
        let case = if self.budget == 0 { smallest } else { self.random.pick(&union.cases) };
        let other = i128::from(self.random.below(1 << 31));
        let default =
            union.default.as_deref().filter(|_| !self.is_boolean(&union.discriminant.ty) && !all.contains(&other));
        let (label, case) = match (default, case) {
            (Some(default), case) if case.is_none() || self.random.chance(30) => (other, default),
            (_, Some(case)) => (self.random.pick(&labels(case)).copied().unwrap_or(0), case),
            _ => return,
        };
        self.word(label as u32);
        if let Some(body) = &case.body {
            self.value(&body.ty);
        }
    }

    fn is_boolean(&self, ty: &Type) -> bool {
        match ty {
            Type::Boolean => true,
            Type::Named(id) => match &self.aoi.definitions[*id].kind {
                DefinitionKind::Alias(ty) => self.is_boolean(ty),
                _ => false,
            },
            _ => false,
        }
    }
}
