//! A packet in protobuf as a value again: fields in any order, by their numbers; what is not there has its default. In: the bytes. Out: its
//! fields by name, or where the bytes are no message. Source: protobuf.dev, "Encoding"; `stubs::encodings::Fields` has the numbers.

use pres::{DefaultArm, Member, NodeId, NumberForm, Pres, PresC, ScalarKind, TypeStubId};
use stubs::encodings::Fields;

use super::walk::within;
use super::{Fault, Value};

/// How deep values may be nested.
const DEEPEST: usize = 100;
/// More elements that did not come are not made up.
const MOST_DEFAULTS: u64 = 1 << 16;

/// All of the bytes, as a packet of this type.
pub(super) fn packet(pres: &PresC, stub: TypeStubId, bytes: &[u8]) -> Result<Value, Fault> {
    let reader = Reader { pres, fields: Fields::of(pres, stub) };
    reader.message(pres.types[stub].node, bytes, 0, DEEPEST)
}

struct Reader<'a> {
    pres: &'a PresC,
    fields: Fields,
}

/// A field that came.
#[derive(Clone, Copy)]
struct Came<'a> {
    number: u32,
    /// Where it begins, from the beginning of its message.
    at: usize,
    says: Says<'a>,
}

#[derive(Clone, Copy)]
enum Says<'a> {
    Number(u64),
    Four(u32),
    Eight(u64),
    Bytes(&'a [u8]),
}

fn fault<T>(at: usize, message: impl Into<String>) -> Result<T, Fault> {
    Err(Fault { place: String::new(), at, message: message.into() })
}

/// The fields of a message, in their order.
fn split(bytes: &[u8], base: usize) -> Result<Vec<Came<'_>>, Fault> {
    let (mut came, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let begin = base + at;
        let tag = varint(bytes, &mut at, base)?;
        let Some(number) = u32::try_from(tag >> 3).ok().filter(|number| *number > 0) else {
            return fault(begin, "no field has this number");
        };
        let says = match tag & 7 {
            0 => Says::Number(varint(bytes, &mut at, base)?),
            1 => Says::Eight(fixed(bytes, &mut at, base, 8)?),
            2 => {
                let length = varint(bytes, &mut at, base)?;
                Says::Bytes(take(bytes, &mut at, base, length)?)
            }
            5 => Says::Four(u32::try_from(fixed(bytes, &mut at, base, 4)?).unwrap_or(0)),
            other => return fault(begin, format!("wire type {other}, which proto3 does not have")),
        };
        came.push(Came { number, at: begin, says });
    }
    Ok(came)
}

fn take<'b>(bytes: &'b [u8], at: &mut usize, base: usize, length: u64) -> Result<&'b [u8], Fault> {
    let left = &bytes[*at..];
    match usize::try_from(length).ok().and_then(|length| left.get(..length)) {
        Some(taken) => {
            *at += taken.len();
            Ok(taken)
        }
        None => fault(base + *at, format!("the message is cut short: {} bytes are left", left.len())),
    }
}

fn fixed(bytes: &[u8], at: &mut usize, base: usize, size: u64) -> Result<u64, Fault> {
    Ok(take(bytes, at, base, size)?.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

fn varint(bytes: &[u8], at: &mut usize, base: usize) -> Result<u64, Fault> {
    let mut number = 0;
    for shift in (0..70).step_by(7) {
        let byte = take(bytes, at, base, 1)?[0];
        number |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
        if byte < 0x80 {
            return Ok(number);
        }
    }
    fault(base + *at, "a number of more than 64 bits")
}

impl Reader<'_> {
    fn resolved(&self, mut node: NodeId) -> NodeId {
        while let Pres::Named(stub) = self.pres.nodes[node].pres {
            node = self.pres.types[stub].node;
        }
        node
    }

    /// A value that is a message, or whose message has it as its first field.
    fn message(&self, node: NodeId, bytes: &[u8], base: usize, depth: usize) -> Result<Value, Fault> {
        let Some(depth) = depth.checked_sub(1) else { return fault(base, "values are nested too deep to be shown") };
        let node = self.resolved(node);
        let came = split(bytes, base)?;
        match &self.pres.nodes[node].pres {
            Pres::Structure(members) => {
                let came = usual(&came, &self.fields.numbers(self.pres, node), &self.fields.forms(self.pres, node))?;
                self.structure(members, &self.fields.numbers(self.pres, node), &came, depth)
            }
            Pres::Union { .. } => {
                let came = usual(&came, &self.fields.numbers(self.pres, node), &self.fields.forms(self.pres, node))?;
                self.union(node, &came, depth)
            }
            _ => self.field(node, &of_number(&came, 1), base, depth),
        }
    }

    fn structure(&self, members: &[Member], numbers: &[u32], came: &[Came], depth: usize) -> Result<Value, Fault> {
        let mut values: Vec<(String, Value)> = Vec::new();
        for (member, number) in members.iter().zip(numbers) {
            let base = came.first().map_or(0, |came| came.at);
            let value = match number {
                0 => Value::Whole(0),
                _ => self
                    .field(member.node, &of_number(came, *number), base, depth)
                    .map_err(|fault| within(&member.name, fault))?,
            };
            values.push((member.name.clone(), value));
        }
        for member in members {
            let (Pres::InlineArray { count, .. } | Pres::InlineBytes { count, .. }) =
                &self.pres.nodes[self.resolved(member.node)].pres
            else {
                continue;
            };
            let length = values.iter().find(|(name, _)| *name == member.name).map_or(0, |(_, value)| length(value));
            values.iter_mut().filter(|(name, _)| name == count).for_each(|(_, value)| *value = Value::Whole(length));
        }
        Ok(Value::Structure(values))
    }

    /// A field: nothing, one value, a list.
    fn field(&self, node: NodeId, came: &[Came], base: usize, depth: usize) -> Result<Value, Fault> {
        let node = self.resolved(node);
        match &self.pres.nodes[node].pres {
            Pres::Void => Ok(Value::Nothing),
            Pres::FixedArray { element, .. }
            | Pres::CountedArray { element, .. }
            | Pres::InlineArray { element, .. } => self.list(node, self.resolved(*element), came, base, depth),
            Pres::OptionalPointer { .. } if came.is_empty() => Ok(Value::Nothing),
            Pres::OptionalPointer { target, .. } | Pres::Reference { target, .. } => {
                self.one(*target, came, base, depth)
            }
            _ => self.one(node, came, base, depth),
        }
    }

    fn list(&self, node: NodeId, element: NodeId, came: &[Came], base: usize, depth: usize) -> Result<Value, Fault> {
        let mut values = Vec::new();
        for one in came {
            match (&self.pres.nodes[element].pres, one.says) {
                (Pres::Direct(kind), Says::Bytes(bytes)) => {
                    let mut at = 0;
                    while at < bytes.len() {
                        let says = match kind {
                            ScalarKind::Float { bits: 32 } => Says::Four(fixed(bytes, &mut at, one.at, 4)? as u32),
                            ScalarKind::Float { .. } => Says::Eight(fixed(bytes, &mut at, one.at, 8)?),
                            _ => Says::Number(varint(bytes, &mut at, one.at)?),
                        };
                        values.push(scalar(*kind, says, one.at)?);
                    }
                }
                _ => {
                    let place = format!("[{}]", values.len());
                    values.push(self.one(element, &[*one], one.at, depth).map_err(|fault| within(&place, fault))?);
                }
            }
        }
        if let (Pres::FixedArray { length, .. }, true) = (&self.pres.nodes[node].pres, values.is_empty()) {
            let length = length.value.unwrap_or(0).min(MOST_DEFAULTS);
            let value = self.one(element, &[], base, depth)?;
            values.extend(std::iter::repeat_n(value, usize::try_from(length).unwrap_or(0)));
        }
        Ok(Value::List(values))
    }

    /// The last value that came, or messages one after the other, which is as good as merged; the default where none came.
    fn one(&self, node: NodeId, came: &[Came], base: usize, depth: usize) -> Result<Value, Fault> {
        let node = self.resolved(node);
        let at = came.first().map_or(base, |came| came.at);
        let last = came.last().map(|came| came.says);
        match &self.pres.nodes[node].pres {
            Pres::Direct(kind) => scalar(*kind, last.unwrap_or_else(|| default(*kind)), at),
            Pres::FixedBytes { .. } | Pres::CountedBytes { .. } | Pres::InlineBytes { .. } => {
                Ok(Value::Bytes(bytes_of(last, at)?.to_vec()))
            }
            Pres::TerminatedText { .. } | Pres::InlineText { .. } => Ok(Value::Text(bytes_of(last, at)?.to_vec())),
            Pres::Reference { target, .. } => self.one(*target, came, base, depth.saturating_sub(1)),
            _ => {
                let parts: Result<Vec<&[u8]>, Fault> =
                    came.iter().map(|one| bytes_of(Some(one.says), one.at)).collect();
                self.message(node, &parts?.concat(), at, depth)
            }
        }
    }

    /// Where the discriminant is a field it decides, else the last arm that came.
    fn union(&self, node: NodeId, came: &[Came], depth: usize) -> Result<Value, Fault> {
        let Pres::Union { discriminant, arms, default, .. } = &self.pres.nodes[node].pres else {
            return Ok(Value::Nothing);
        };
        let numbers = self.fields.numbers(self.pres, node);
        let base = came.first().map_or(0, |came| came.at);
        let last = if let DefaultArm::Body(member) = default { member.as_ref() } else { None };
        let bodies: Vec<&Member> = arms.iter().filter_map(|arm| arm.member.as_ref()).chain(last).collect();
        let mut chosen = match numbers.first() {
            Some(number) if *number != 0 => self.field(discriminant.node, &of_number(came, *number), base, depth)?,
            _ => {
                let is_arm = |one: &&Came| numbers.iter().skip(1).any(|number| *number == one.number);
                let number = came.iter().rev().find(is_arm).map(|one| one.number);
                let at = numbers.iter().skip(1).position(|of_arm| Some(*of_arm) == number);
                let body = at.and_then(|at| bodies.get(at));
                let selects =
                    |arm: &&pres::Arm| arm.member.as_ref().map(|member| member.node) == body.map(|body| body.node);
                let label = arms.iter().find(selects).and_then(|arm| arm.labels.first()?.value);
                Value::Whole(label.unwrap_or(0))
            }
        };
        let number = match chosen {
            Value::Whole(number) => number,
            Value::Truth(truth) => i128::from(truth),
            _ => return fault(base, "what chooses is no number"),
        };
        if let Pres::Direct(ScalarKind::Boolean) = self.pres.nodes[self.resolved(discriminant.node)].pres {
            chosen = Value::Truth(number != 0);
        }
        let arm = arms.iter().find(|arm| arm.labels.iter().any(|label| label.value == Some(number)));
        let body = match (arm, default) {
            (Some(arm), _) => arm.member.as_ref(),
            (None, DefaultArm::Body(member)) => member.as_ref(),
            (None, DefaultArm::Error) => return fault(base, format!("{number} chooses nothing here")),
        };
        let mut values = vec![(discriminant.name.clone(), chosen)];
        if let Some(body) = body {
            let number = bodies.iter().position(|one| one.node == body.node).and_then(|at| numbers.get(at + 1));
            let came = of_number(came, number.copied().unwrap_or(0));
            let value = self.one(body.node, &came, base, depth).map_err(|fault| within(&body.name, fault))?;
            values.push((body.name.clone(), value));
        }
        Ok(Value::Structure(values))
    }
}

/// The same fields, with numbers that have another form in the usual one.
fn usual<'b>(came: &[Came<'b>], numbers: &[u32], forms: &[Option<NumberForm>]) -> Result<Vec<Came<'b>>, Fault> {
    let mut usual = Vec::new();
    for one in came {
        let form = numbers.iter().zip(forms).find(|(number, _)| **number == one.number).and_then(|(_, form)| *form);
        let Some(form) = form else {
            usual.push(*one);
            continue;
        };
        let number = |number| Came { says: Says::Number(number), ..*one };
        match (form, one.says) {
            (_, Says::Bytes(bytes)) => {
                let mut at = 0;
                while at < bytes.len() {
                    usual.push(number(match form {
                        NumberForm::Zigzag { bits } => signed(varint(bytes, &mut at, one.at)?, bits),
                        NumberForm::Fixed { bits, .. } => fixed(bytes, &mut at, one.at, u64::from(bits) / 8)?,
                    }));
                }
            }
            (NumberForm::Zigzag { bits }, Says::Number(zigzag)) => usual.push(number(signed(zigzag, bits))),
            (NumberForm::Fixed { bits: 32, .. }, Says::Four(bits)) => usual.push(number(u64::from(bits))),
            (NumberForm::Fixed { bits: 64, .. }, Says::Eight(bits)) => usual.push(number(bits)),
            _ => return fault(one.at, "another kind of number than the field has"),
        }
    }
    Ok(usual)
}

/// 0, -1, 1, -2 and so on; a number of 32 bits is cut first.
fn signed(zigzag: u64, bits: u8) -> u64 {
    let zigzag = if bits == 64 { zigzag } else { zigzag & u64::from(u32::MAX) };
    zigzag >> 1 ^ (zigzag & 1).wrapping_neg()
}

fn of_number<'b>(came: &[Came<'b>], number: u32) -> Vec<Came<'b>> {
    came.iter().filter(|came| came.number == number).copied().collect()
}

fn bytes_of(says: Option<Says<'_>>, at: usize) -> Result<&[u8], Fault> {
    match says {
        None => Ok(&[]),
        Some(Says::Bytes(bytes)) => Ok(bytes),
        Some(_) => fault(at, "a number, where bytes, a text or a message must be"),
    }
}

fn length(value: &Value) -> i128 {
    match value {
        Value::List(values) => values.len() as i128,
        Value::Bytes(bytes) => bytes.len() as i128,
        _ => 0,
    }
}

fn default(kind: ScalarKind) -> Says<'static> {
    match kind {
        ScalarKind::Float { bits: 32 } => Says::Four(0),
        ScalarKind::Float { .. } => Says::Eight(0),
        _ => Says::Number(0),
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap)] // Numbers are cut to their width, as protobuf says.
fn scalar(kind: ScalarKind, says: Says, at: usize) -> Result<Value, Fault> {
    Ok(match (kind, says) {
        (ScalarKind::Float { bits: 32 }, Says::Four(bits)) => Value::Single(f32::from_bits(bits)),
        (ScalarKind::Float { .. }, Says::Eight(bits)) => Value::Double(f64::from_bits(bits)),
        (ScalarKind::Boolean, Says::Number(number)) => Value::Truth(number != 0),
        (ScalarKind::Integer { bits: 64, signed: true }, Says::Number(number)) => {
            Value::Whole(i128::from(number as i64))
        }
        (ScalarKind::Integer { bits: 64, signed: false }, Says::Number(number)) => Value::Whole(i128::from(number)),
        (ScalarKind::Integer { signed: false, .. } | ScalarKind::Long { signed: false }, Says::Number(number)) => {
            Value::Whole(i128::from(number as u32))
        }
        (
            ScalarKind::Integer { .. } | ScalarKind::Long { .. } | ScalarKind::Enumeration { .. },
            Says::Number(number),
        ) => Value::Whole(i128::from(number as i32)),
        _ => return fault(at, "another kind of number than the field has"),
    })
}
