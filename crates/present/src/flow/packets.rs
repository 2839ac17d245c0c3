//! Packets, one by one: members, their messages, the structure that the header declares.

use std::collections::BTreeMap;

use cast::{Declaration, Definition, Expression, Record, RecordKind, Type};
use mint::Bound;
use pres::{Extent, Member, Node, NodeId, Pres, PresC, ScalarKind, TypeStub, TypeStubId};
use source::Diagnostic;
use xip::{Extent as Count, Field, FieldType, Packet};

use super::errors;
use super::schema::counts;

/// Builds one PRES_C.
pub(super) struct Packets {
    pub(super) pres: PresC,
    /// Types by name.
    pub(super) stubs: BTreeMap<String, TypeStubId>,
    pub(super) findings: Vec<Diagnostic>,
}

/// The members of a structure so far.
#[derive(Default)]
struct Members {
    members: Vec<Member>,
    /// By name: the part of the message that a member is, for counts.
    parts: BTreeMap<String, u32>,
}

/// What counts an array.
struct Counter {
    name: String,
    /// Which part of the message it is.
    part: u32,
    /// The most that it can say.
    says: u64,
}

impl Members {
    fn add(&mut self, name: &str, node: NodeId) {
        let part = u32::try_from(self.members.len()).unwrap_or(u32::MAX);
        self.parts.insert(name.to_string(), part);
        self.members.push(Member { name: name.to_string(), node });
    }
}

impl Packets {
    /// The structure of a packet; those that it holds are there.
    pub(super) fn packet(&mut self, packet: &Packet) {
        let mut members = Members::default();
        for field in &packet.fields {
            if !members.parts.contains_key(&field.name.text) {
                self.field(packet, field, &mut members);
            }
        }
        if members.members.is_empty() {
            let nothing = self.scalar(&FieldType::Octet);
            members.add("nothing", nothing);
        }
        let name = packet.name.text.as_str();
        self.numbers(packet, &members.members);
        let messages = members.members.iter().map(|member| self.pres.nodes[member.node].mint).collect();
        let message = self.pres.mint.add_named(name, mint::Node::Structure(messages));
        let ty = Type::named(name);
        self.declare(name, &members.members);
        self.ranges(packet, &members.members);
        let node =
            self.pres.nodes.alloc(Node { pres: Pres::Structure(members.members), ty: ty.clone(), mint: message });
        let stub = TypeStub {
            name: name.to_string(),
            routine: format!("xdr_{name}"),
            ty,
            is_array: false,
            node,
            imported: false,
        };
        let stub = self.pres.types.alloc(stub);
        self.stubs.insert(name.to_string(), stub);
    }

    /// What the description says of the numbers of fields; a member that counts another is no field.
    fn numbers(&mut self, packet: &Packet, members: &[Member]) {
        if packet.fields.iter().all(|field| field.id.is_none()) {
            return;
        }
        // What 32 bits do not hold is no number of a field's, and nor is 0.
        let number = |id: &xip::Spanned<u64>| u32::try_from(id.value).unwrap_or(0);
        let of = |member: &Member| {
            packet.fields.iter().find(|field| field.name.text == member.name)?.id.as_ref().map(number)
        };
        let counts = counts(&self.pres, members);
        let numbers = members.iter().filter(|member| !counts.contains(member.name.as_str())).map(of).collect();
        self.pres.field_numbers.insert(packet.name.text.clone(), numbers);
    }

    /// What numbers the fields may hold, also as macros: `T_field_least`, `T_field_most`.
    fn ranges(&mut self, packet: &Packet, members: &[Member]) {
        let of = |member: &Member| {
            let field = packet.fields.iter().find(|field| field.name.text == member.name)?;
            field.range.map(|range| (range.value.least, range.value.most))
        };
        let ranges: Vec<Option<(i128, i128)>> = members.iter().map(of).collect();
        for (member, range) in members.iter().zip(&ranges) {
            for (end, number) in range.iter().flat_map(|(least, most)| [("least", least), ("most", most)]) {
                let name = format!("{}_{}_{end}", packet.name, member.name);
                self.pres.header.push(Declaration::Define(Definition { name, value: Some(constant(*number)) }));
            }
        }
        if ranges.iter().any(Option::is_some) {
            self.pres.header.push(Declaration::Blank);
            self.pres.ranges.insert(packet.name.text.clone(), ranges);
        }
    }

    /// `struct T { … }; typedef struct T T;`
    fn declare(&mut self, name: &str, members: &[Member]) {
        let field =
            |member: &Member| cast::Field { name: member.name.clone(), ty: self.pres.nodes[member.node].ty.clone() };
        let fields = members.iter().map(field).collect();
        let record = Record { kind: RecordKind::Struct, tag: Some(name.to_string()), fields };
        let typedef = Declaration::Typedef { name: name.to_string(), ty: Type::structure(name) };
        self.pres.header.extend([Declaration::Record(record), typedef, Declaration::Blank]);
    }

    fn add(&mut self, pres: Pres, ty: Type, message: mint::Node) -> NodeId {
        let mint = self.pres.mint.add(message);
        self.pres.nodes.alloc(Node { pres, ty, mint })
    }

    fn field(&mut self, packet: &Packet, field: &Field, members: &mut Members) {
        let node = match &field.array {
            None => self.value(&field.ty),
            Some(Count::Fixed(length)) => {
                if length.value == 0 {
                    self.findings.push(errors::no_elements(&field.name));
                }
                self.fixed(&field.ty, length.value)
            }
            Some(Count::Bounded { bound, used }) => {
                if bound.value == 0 {
                    self.findings.push(errors::no_elements(&field.name));
                }
                let own = || format!("{}_count", field.name);
                let name = used.as_ref().map_or_else(own, |used| used.text.clone());
                let counter = self.counter(packet, field, name, used.is_some(), members);
                self.counted(&field.ty, counter, bound.value)
            }
        };
        members.add(&field.name.text, node);
    }

    /// The member that counts an array, which comes before it: a field, or one of the array's own.
    fn counter(
        &mut self,
        packet: &Packet,
        array: &Field,
        name: String,
        is_field: bool,
        members: &mut Members,
    ) -> Counter {
        let field = packet.fields.iter().find(|field| field.name.text == name);
        if !is_field && let Some(field) = field {
            self.findings.push(errors::count_taken(&array.name, &name, field.name.span));
        }
        let ty = field.map_or(FieldType::Integer { bits: 32, signed: false }, |field| field.ty.clone());
        if !members.parts.contains_key(&name) {
            let node = self.scalar(&ty);
            members.add(&name, node);
        }
        let says = match ty {
            FieldType::Integer { bits: bits @ 8..64, .. } => (1 << bits) - 1,
            _ => u64::MAX,
        };
        Counter { part: members.parts.get(&name).copied().unwrap_or(0), name, says }
    }

    /// One value: a scalar, a text, a structure.
    fn value(&mut self, ty: &FieldType) -> NodeId {
        match ty {
            FieldType::Text { bound } => {
                let element = self.pres.mint.add(mint::Node::Character);
                let (least, most) = (Bound::Number(0), Bound::Number(i128::from(bound.value)));
                let c = Type::CHAR.array(number(bound.value.saturating_add(1)));
                let text = Pres::InlineText { bound: extent(bound.value) };
                self.add(text, c, mint::Node::Array { element, least, most })
            }
            FieldType::Named(name) => match self.stubs.get(&name.text) {
                Some(&stub) => {
                    let TypeStub { ty, node, .. } = &self.pres.types[stub];
                    let named = Node { pres: Pres::Named(stub), ty: ty.clone(), mint: self.pres.nodes[*node].mint };
                    self.pres.nodes.alloc(named)
                }
                // What has no meaning was said to have none.
                None => self.scalar(&FieldType::Octet),
            },
            scalar => self.scalar(scalar),
        }
    }

    fn scalar(&mut self, ty: &FieldType) -> NodeId {
        let (kind, c, message) = scalar(ty);
        self.add(Pres::Direct(kind), c, message)
    }

    fn fixed(&mut self, ty: &FieldType, length: u64) -> NodeId {
        let bound = Bound::Number(i128::from(length));
        if let Some(byte) = byte_type(ty) {
            let element = self.pres.mint.add(mint::Node::Octet);
            let message = mint::Node::Array { element, least: bound.clone(), most: bound };
            return self.add(Pres::FixedBytes { length: extent(length) }, byte.array(number(length)), message);
        }
        let element = self.value(ty);
        let Node { ty, mint, .. } = &self.pres.nodes[element];
        let (c, message) = (ty.clone(), mint::Node::Array { element: *mint, least: bound.clone(), most: bound });
        self.add(Pres::FixedArray { element, length: extent(length) }, c.array(number(length)), message)
    }

    fn counted(&mut self, ty: &FieldType, counter: Counter, most: u64) -> NodeId {
        let (count, least, bound) = (counter.name, Bound::Part(counter.part), Bound::Number(i128::from(most)));
        // A C compiler would wonder at a comparison that is never true.
        let checked = Some(extent(most)).filter(|_| most < counter.says);
        if let Some(byte) = byte_type(ty) {
            let element = self.pres.mint.add(mint::Node::Octet);
            let message = mint::Node::Array { element, least, most: bound };
            return self.add(Pres::InlineBytes { count, bound: checked }, byte.array(number(most)), message);
        }
        let element = self.value(ty);
        let Node { ty, mint, .. } = &self.pres.nodes[element];
        let (c, message) = (ty.clone(), mint::Node::Array { element: *mint, least, most: bound });
        self.add(Pres::InlineArray { count, element, bound: checked }, c.array(number(most)), message)
    }
}

fn number(value: u64) -> cast::Expression {
    cast::build::integer(i128::from(value))
}

fn extent(value: u64) -> Extent {
    Extent { value: Some(value), c: number(value) }
}

/// The C type of the elements where an array is bytes, not numbers.
fn byte_type(ty: &FieldType) -> Option<Type> {
    match ty {
        FieldType::Octet => Some(Type::named("uint8_t")),
        FieldType::Character => Some(Type::CHAR),
        _ => None,
    }
}

/// Kind, C type and message of a scalar. A single `char` is a number: it may be 0.
fn scalar(ty: &FieldType) -> (ScalarKind, Type, mint::Node) {
    let integer =
        |bits, signed, c: Type| (ScalarKind::Integer { bits, signed }, c, mint::Node::Integer { bits, signed });
    match ty {
        FieldType::Boolean => (ScalarKind::Boolean, Type::named("bool"), mint::Node::Boolean),
        FieldType::Character => integer(8, false, Type::CHAR),
        FieldType::Integer { bits, signed } => {
            let c = Type::named(format!("{}int{bits}_t", if *signed { "" } else { "u" }));
            integer(*bits, *signed, c)
        }
        FieldType::Float { bits } => {
            let c = if *bits == 32 { cast::Scalar::Float } else { cast::Scalar::Double };
            (ScalarKind::Float { bits: *bits }, Type::Scalar(c), mint::Node::Float { bits: *bits })
        }
        FieldType::Octet | FieldType::Text { .. } | FieldType::Named(_) => integer(8, false, Type::named("uint8_t")),
    }
}

/// A whole number of 64 bits as any place takes it.
fn constant(number: i128) -> Expression {
    let spelling = match number {
        // The digits behind the sign would be a number of their own, which is too large.
        number if number == i128::from(i64::MIN) => format!("({} - 1)", number + 1),
        number if number < 0 => format!("({number})"),
        number if number > i128::from(i64::MAX) => format!("{number}u"),
        number => number.to_string(),
    };
    cast::build::spelled(spelling, Type::INT)
}
