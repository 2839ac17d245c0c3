//! A subsystem that is only data, as an interface that any link can carry.
//!
//! In: a checked subsystem. Out: AOI of its routines and of the types that their data has, and a finding for each argument that only
//! Mach's messages can carry: rights to ports, names of ports, values of which the caller says what they are. What the language
//! says of C and of Mach's messages is left aside: who translates and releases values, where data stands, ports that requests and
//! answers go to, timeouts, options, prefixes. Each routine answers its return code beside what comes out.

use std::collections::{BTreeMap, BTreeSet};

use aoi::{
    Annotation, Aoi, DefinitionId, DefinitionKind, Field, Identity, Interface, Item, Operation, Origin, Parameter,
    ReferenceType, Structure, Value,
};
use mig::{Argument, Direction, Form, Length, Routine, Shape, Subsystem, Type, TypeName};
use source::{Diagnostic, Span};

use crate::{errors, keywords};

/// What every routine answers first.
const RESULT: &str = "kern_return_t";

pub(crate) fn interface(subsystem: &Subsystem) -> (Aoi, Vec<Diagnostic>) {
    let mut lowering = Lowering {
        subsystem,
        aoi: Aoi::default(),
        known: BTreeMap::new(),
        names: BTreeMap::from([(subsystem.name.as_str(), subsystem.at)]),
        findings: Vec::new(),
    };
    used(subsystem).into_iter().for_each(|place| lowering.definition(place));
    lowering.interface();
    (lowering.aoi, lowering.findings)
}

/// The definitions that data consists of.
fn used(subsystem: &Subsystem) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&Type> =
        subsystem.routines.iter().flatten().flat_map(data).map(|argument| &argument.ty).collect();
    while let Some(ty) = open.pop() {
        match &ty.form {
            Form::Unit => {}
            Form::Named(place) => {
                if found.insert(*place) {
                    open.extend(subsystem.definitions.get(*place).map(|definition| &definition.ty));
                }
            }
            Form::Elements { of, .. } => open.push(of),
            Form::Structure(members) => open.extend(members.iter().map(|member| &member.ty)),
        }
    }
    found
}

/// The arguments that are no business of ports and messages.
fn data(routine: &Routine) -> impl Iterator<Item = &Argument> {
    routine.arguments.iter().filter(|argument| argument.is_in() || argument.is_out())
}

/// What is no data, and where a type of a name says so.
#[derive(Clone)]
struct Refused {
    what: String,
    at: Option<Span>,
}

fn refused(what: impl Into<String>) -> Refused {
    Refused { what: what.into(), at: None }
}

struct Lowering<'a> {
    subsystem: &'a Subsystem,
    aoi: Aoi,
    /// The definitions that were lowered; those that they consist of stand before them.
    known: BTreeMap<usize, Result<aoi::Type, Refused>>,
    names: BTreeMap<&'a str, Span>,
    findings: Vec<Diagnostic>,
}

impl<'a> Lowering<'a> {
    fn definition(&mut self, place: usize) {
        let definition = &self.subsystem.definitions[place];
        let lowered = self.value(&definition.ty).map(|ty| match is_name_of_c(&definition.name) {
            true => ty,
            false => aoi::Type::Named(self.define(&definition.name, definition.at, kind(ty))),
        });
        let at = Some(definition.at);
        let lowered = lowered.map_err(|refused| Refused { at: refused.at.or(at), ..refused });
        self.known.insert(place, lowered);
    }

    fn define(&mut self, name: &'a str, at: Span, kind: DefinitionKind) -> DefinitionId {
        let first = *self.names.entry(name).or_insert(at);
        if first != at {
            self.findings.push(errors::same_name(at, name, first));
        }
        let mut definition = aoi::Definition::new(name, kind, at, Origin::Main);
        definition.repository_id = Some(repository_id(name));
        let id = self.aoi.definitions.alloc(definition);
        self.aoi.items.push(Item::Definition(id));
        id
    }

    fn value(&mut self, ty: &Type) -> Result<aoi::Type, Refused> {
        match &ty.form {
            Form::Unit if ty.shape == Shape::Text => Ok(text(ty)),
            Form::Unit => unit(ty),
            Form::Named(place) => self.known.get(place).cloned().unwrap_or_else(|| Err(refused("an unknown type"))),
            Form::Elements { of, count } => self.elements(ty, of, *count),
            Form::Structure(members) => {
                let (mut names, mut fields) = (BTreeMap::new(), Vec::new());
                for member in members {
                    if let Some(first) = names.insert(&member.name, member.at) {
                        self.findings.push(errors::same_name(member.at, &member.name, first));
                    }
                    let ty = self.value(&member.ty)?;
                    fields.push(Field { name: member.name.clone(), ty, span: member.at });
                }
                Ok(aoi::Type::Structure(Structure { fields }))
            }
        }
    }

    /// Bytes and characters in arrays are bytes as they are: nothing says that characters end with a zero.
    fn elements(&mut self, ty: &Type, of: &Type, count: Option<u64>) -> Result<aoi::Type, Refused> {
        let is_bytes = self.is_byte(of);
        let of = self.value(of)?;
        Ok(match count {
            Some(0) => return Err(refused("an array without elements")),
            Some(count) if is_bytes => aoi::Type::FixedOpaque { length: number(count) },
            Some(count) => aoi::Type::Array { element: Box::new(of), length: number(count) },
            None => {
                let bound = match ty.length {
                    Length::AtMost(most) => Some(number(most)),
                    Length::Fixed | Length::Any(_) => None,
                };
                match is_bytes {
                    true => aoi::Type::Opaque { bound },
                    false => aoi::Type::Sequence { element: Box::new(of), bound },
                }
            }
        })
    }

    /// Whether it is eight bits, by whatever name.
    fn is_byte(&self, ty: &Type) -> bool {
        match &ty.form {
            Form::Unit => ty.shape == Shape::Value && ty.bits == 8 && !ty.is_right(),
            Form::Named(place) => match self.known.get(place) {
                Some(Ok(known)) => matches!(
                    self.aoi.resolve(known),
                    aoi::Type::Integer { bits: 8, .. } | aoi::Type::Character { is_wide: false }
                ),
                _ => false,
            },
            Form::Elements { .. } | Form::Structure(_) => false,
        }
    }

    /// Procedure 0 is ONC RPC's own, without arguments and results (RFC 5531 section 12.1): all routines are one further.
    fn begins_at_zero(&self) -> bool {
        self.subsystem.base == 0
    }

    fn interface(&mut self) {
        let Subsystem { name, at, routines, .. } = self.subsystem;
        self.findings.extend(self.begins_at_zero().then(|| errors::begins_at_zero(*at, name)));
        let result = match routines.iter().flatten().all(|routine| routine.is_simple) {
            true => aoi::Type::Void,
            false => self.result(),
        };
        let operations = routines.iter().flatten().map(|routine| self.operation(routine, &result)).collect();
        let reference = self.define(name, *at, DefinitionKind::Reference(ReferenceType::default()));
        let identity = Identity { corba: Some(repository_id(name)), ..Identity::default() };
        let interface = Interface::new(name.as_str(), identity, operations, *at, Origin::Main);
        self.aoi.items.push(Item::Interface(Interface { reference: Some(reference), ..interface }));
    }

    /// The type of return codes, under its own name where the file leaves that free.
    fn result(&mut self) -> aoi::Type {
        let code = integer(32, true);
        match self.names.contains_key(RESULT) {
            true => code,
            false => aoi::Type::Named(self.define(RESULT, self.subsystem.at, DefinitionKind::Alias(code))),
        }
    }

    fn operation(&mut self, routine: &Routine, result: &aoi::Type) -> Operation {
        let code = number(u64::from(routine.number) + u64::from(self.begins_at_zero()));
        let parameters = data(routine).filter_map(|argument| self.parameter(argument)).collect();
        let result = if routine.is_simple { aoi::Type::Void } else { result.clone() };
        let procedure = ("procedure".to_owned(), code.clone());
        let stated = Annotation { name: "onc".to_owned(), parameters: vec![procedure], span: routine.at };
        let operation = Operation::new(routine.name.as_str(), code, parameters, result, routine.at);
        Operation { is_oneway: routine.is_simple, annotations: vec![stated], ..operation }
    }

    fn parameter(&mut self, argument: &Argument) -> Option<Parameter> {
        let ty = self.value(&argument.ty);
        let direction = match argument.direction {
            Direction::Out => aoi::Direction::Out,
            Direction::InOut => aoi::Direction::InOut,
            _ => aoi::Direction::In,
        };
        let refuse = |Refused { what, at }| self.findings.push(errors::no_data(argument.at, &argument.name, &what, at));
        let ty = ty.map_err(refuse).ok()?;
        Some(Parameter { name: Some(argument.name.clone()), direction, ty, span: argument.at })
    }
}

/// A number, bytes, or what is no data.
fn unit(ty: &Type) -> Result<aoi::Type, Refused> {
    let value = match (ty.sent, ty.received) {
        (_, TypeName::Polymorphic) => return Err(refused("values of which only the caller says what they are")),
        (sent, received) if sent.may_be_right() || received.may_be_right() => return Err(refused("rights to ports")),
        (_, received) => received.value(),
    };
    let is_byte = ty.received == TypeName::Known("MACH_MSG_TYPE_BYTE", 9);
    match (value, ty.bits) {
        (Some(0), 32) if ty.received == TypeName::Known("MACH_MSG_TYPE_BOOLEAN", 0) => Ok(aoi::Type::Boolean),
        (Some(0), bits) if bits % 8 == 0 => Ok(aoi::Type::FixedOpaque { length: number(u64::from(bits / 8)) }),
        (Some(0), _) => Err(refused("single bits")),
        (Some(1 | 2 | 9 | 11), bits @ (8 | 16 | 32 | 64)) => {
            Ok(integer(u8::try_from(bits).unwrap_or(64), !is_byte && !is_unsigned(&ty.c.user)))
        }
        (Some(8), 8) => Ok(aoi::Type::Character { is_wide: false }),
        (Some(10), 32) => Ok(aoi::Type::Float { bits: 32 }),
        (Some(10), 64) => Ok(aoi::Type::Float { bits: 64 }),
        (Some(15), _) => Err(refused("names of ports, which only their own task knows")),
        (Some(1 | 2 | 8..=11), bits) => Err(refused(format!("numbers or characters of {bits} bits"))),
        _ => Err(refused("a type that only has a number")),
    }
}

/// Text, without the zero behind it.
fn text(ty: &Type) -> aoi::Type {
    let room = match ty.length {
        Length::Fixed => ty.bytes(),
        Length::AtMost(most) | Length::Any(most) => most,
    };
    aoi::Type::Text { bound: Some(number(room.saturating_sub(1))) }
}

fn kind(ty: aoi::Type) -> DefinitionKind {
    match ty {
        aoi::Type::Structure(structure) => DefinitionKind::Structure(structure),
        other => DefinitionKind::Alias(other),
    }
}

fn integer(bits: u8, signed: bool) -> aoi::Type {
    aoi::Type::Integer { bits, signed, spelling: aoi::text::usual_spelling(bits, signed).to_owned() }
}

fn number(value: u64) -> Value {
    Value::Integer { value: i128::from(value), spelling: value.to_string() }
}

fn repository_id(name: &str) -> String {
    format!("IDL:{name}:1.0")
}

/// Names of numbers that C has itself, where definitions of others would be in the way.
fn is_name_of_c(name: &str) -> bool {
    keywords::is_type_of_c(name) || standard(name).is_some()
}

/// Whether C calls it so without a sign.
fn is_unsigned(name: &str) -> bool {
    name.starts_with("unsigned") || standard(name) == Some(false)
}

/// Of a name of the standard headers whether its numbers have a sign.
fn standard(name: &str) -> Option<bool> {
    match name {
        "int8_t" | "int16_t" | "int32_t" | "int64_t" | "intptr_t" | "ssize_t" => Some(true),
        "uint8_t" | "uint16_t" | "uint32_t" | "uint64_t" | "uintptr_t" | "size_t" => Some(false),
        _ => None,
    }
}
