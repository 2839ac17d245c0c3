//! The walk over a packet's bytes, type by type. Every length is checked against what is left before it is believed, and
//! nesting has an end: bytes may say anything. Source: RFC 4506; `stubs::encodings` decides what a number takes.

use pres::{DefaultArm, Extent, Member, NodeId, Pres, PresC, ScalarKind, TypeStubId};
use stubs::encodings::Encoding;

use super::{Fault, Value};

/// How deep values may be nested.
const DEEPEST: usize = 200;

/// A packet's bytes, read from the front.
pub(super) struct Reader<'a> {
    pres: &'a PresC,
    encoding: &'static dyn Encoding,
    is_big_endian: bool,
    bytes: &'a [u8],
    at: usize,
    depth: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(pres: &'a PresC, encoding: &'static dyn Encoding, is_big_endian: bool, bytes: &'a [u8]) -> Self {
        Reader { pres, encoding, is_big_endian, bytes, at: 0, depth: 0 }
    }

    /// All of the bytes, as a packet of this type.
    pub(super) fn packet(mut self, stub: TypeStubId) -> Result<Value, Fault> {
        let value = self.node(self.pres.types[stub].node, &[])?;
        match self.bytes.len() - self.at {
            0 => Ok(value),
            left => Err(self.fault(format!("the packet ends here, and {left} bytes follow"))),
        }
    }

    fn fault(&self, message: impl Into<String>) -> Fault {
        Fault { place: String::new(), at: self.at, message: message.into() }
    }

    fn take(&mut self, count: u64) -> Result<&'a [u8], Fault> {
        let left = self.bytes.len() - self.at;
        let count = usize::try_from(count).ok().filter(|count| *count <= left);
        let Some(count) = count else {
            return Err(self.fault(format!("the packet is cut short: {left} bytes are left")));
        };
        let taken = &self.bytes[self.at..self.at + count];
        self.at += count;
        Ok(taken)
    }

    /// Bytes and what pads them.
    fn padded(&mut self, count: u64) -> Result<&'a [u8], Fault> {
        let taken = self.take(count)?;
        self.take(self.encoding.padded(count).saturating_sub(count))?;
        Ok(taken)
    }

    /// On to a position that is a multiple of `to`; what is skipped is not judged.
    fn align(&mut self, to: u64) -> Result<(), Fault> {
        let at = self.at as u64;
        self.take(at.next_multiple_of(to.max(1)) - at).map(|_| ())
    }

    /// A number of at most 16 bytes.
    fn bits(&mut self, size: u64) -> Result<u128, Fault> {
        let is_big_endian = self.is_big_endian;
        let join = |number: u128, byte: &u8| number << 8 | u128::from(*byte);
        let bytes = self.take(size)?;
        Ok(if is_big_endian { bytes.iter().fold(0, join) } else { bytes.iter().rev().fold(0, join) })
    }

    fn count(&mut self) -> Result<u64, Fault> {
        let size = self.encoding.count_size();
        self.align(self.encoding.count_alignment())?;
        Ok(u64::try_from(self.bits(size)?).unwrap_or(u64::MAX))
    }

    /// A length that the bytes say, within its bound.
    fn length(&mut self, bound: Option<&Extent>) -> Result<u64, Fault> {
        let length = self.count()?;
        let most = bound.and_then(|bound| bound.value).unwrap_or(u64::MAX);
        if length <= most {
            Ok(length)
        } else {
            Err(self.fault(format!("{length} elements, where at most {most} may be")))
        }
    }

    fn known(&self, extent: &Extent) -> Result<u64, Fault> {
        extent.value.ok_or_else(|| self.fault("how long this is only a C compiler knows"))
    }

    /// A value; `before` are the members of the structure around it that came first.
    fn node(&mut self, id: NodeId, before: &[(String, Value)]) -> Result<Value, Fault> {
        if self.depth == DEEPEST {
            return Err(self.fault("values are nested too deep to be shown"));
        }
        self.depth += 1;
        let value = self.value(id, before);
        self.depth -= 1;
        value
    }

    fn value(&mut self, id: NodeId, before: &[(String, Value)]) -> Result<Value, Fault> {
        match &self.pres.nodes[id].pres {
            Pres::Void => Ok(Value::Nothing),
            Pres::Direct(kind) => self.scalar(*kind),
            Pres::Structure(members) => {
                let mut values = Vec::new();
                for member in members {
                    let value = self.member(member, &values)?;
                    values.push(value);
                }
                Ok(Value::Structure(values))
            }
            Pres::Union { .. } => self.union(id),
            Pres::FixedArray { element, length } => {
                let length = self.known(length)?;
                self.list(*element, length)
            }
            Pres::FixedBytes { length } => {
                let length = self.known(length)?;
                Ok(Value::Bytes(self.padded(length)?.to_vec()))
            }
            Pres::CountedArray { element, bound, .. } => {
                let length = self.length(bound.as_ref())?;
                self.list(*element, length)
            }
            Pres::CountedBytes { bound, .. } => {
                let length = self.length(bound.as_ref())?;
                Ok(Value::Bytes(self.padded(length)?.to_vec()))
            }
            Pres::InlineArray { count, element, bound } => {
                let length = self.said(count, bound.as_ref(), before)?;
                self.list(*element, length)
            }
            Pres::InlineBytes { count, bound } => {
                let length = self.said(count, bound.as_ref(), before)?;
                Ok(Value::Bytes(self.padded(length)?.to_vec()))
            }
            Pres::InlineText { bound } => self.text(Some(bound)),
            Pres::TerminatedText { bound, .. } => self.text(bound.as_ref()),
            Pres::OptionalPointer { target, .. } => match self.count()? {
                0 => Ok(Value::Nothing),
                1 => self.node(*target, &[]),
                other => Err(self.fault(format!("{other}, where 0 or 1 says whether a value follows"))),
            },
            Pres::Named(stub) => self.node(self.pres.types[*stub].node, &[]),
            Pres::Reference { target, .. } => self.node(*target, &[]),
            Pres::External { routine, .. } => Err(self.fault(format!("only `{routine}` knows what this is"))),
        }
    }

    fn text(&mut self, bound: Option<&Extent>) -> Result<Value, Fault> {
        if self.encoding.text_size(0) == 0 {
            let length = self.length(bound)?;
            return Ok(Value::Text(self.padded(length)?.to_vec()));
        }
        // The length counts the NUL.
        let all = self.count()?;
        let length = all.saturating_sub(1);
        let most = bound.and_then(|bound| bound.value).unwrap_or(u64::MAX);
        if length > most {
            return Err(self.fault(format!("{length} elements, where at most {most} may be")));
        }
        let text = self.take(length)?.to_vec();
        if self.take(all - length)?.iter().any(|end| *end != 0) {
            return Err(self.fault("the text does not end with NUL"));
        }
        Ok(Value::Text(text))
    }

    fn member(&mut self, member: &Member, before: &[(String, Value)]) -> Result<(String, Value), Fault> {
        let value = self.node(member.node, before).map_err(|fault| within(&member.name, fault))?;
        Ok((member.name.clone(), value))
    }

    /// What a member that came before says of an array's length.
    fn said(&self, count: &str, bound: Option<&Extent>, before: &[(String, Value)]) -> Result<u64, Fault> {
        let most = bound.and_then(|bound| bound.value).unwrap_or(u64::MAX);
        let said = before.iter().rev().find(|(name, _)| name == count);
        match said {
            Some((_, Value::Whole(number))) => match u64::try_from(*number) {
                Ok(number) if number <= most => Ok(number),
                _ => Err(self.fault(format!("{count} says {number}, where 0 to {most} may be"))),
            },
            _ => Err(self.fault(format!("{count} does not say how long this is"))),
        }
    }

    fn list(&mut self, element: NodeId, length: u64) -> Result<Value, Fault> {
        let left = self.bytes.len() - self.at;
        if length > left as u64 {
            return Err(self.fault(format!("the packet is cut short: {length} elements, {left} bytes")));
        }
        let mut values = Vec::new();
        for number in 0..length {
            values.push(self.node(element, &[]).map_err(|fault| within(&format!("[{number}]"), fault))?);
        }
        Ok(Value::List(values))
    }

    fn scalar(&mut self, kind: ScalarKind) -> Result<Value, Fault> {
        let size = self.encoding.scalar_size(kind);
        self.align(self.encoding.alignment(kind))?;
        if kind == ScalarKind::Quadruple {
            return Ok(Value::Bytes(self.take(size)?.to_vec()));
        }
        let bits = self.bits(size)?;
        Ok(match kind {
            ScalarKind::Boolean if bits > 1 => return Err(self.fault(format!("{bits}, where 0 or 1 may be"))),
            ScalarKind::Boolean => Value::Truth(bits == 1),
            ScalarKind::Float { bits: 32 } => Value::Single(f32::from_bits(u32::try_from(bits).unwrap_or(0))),
            ScalarKind::Float { .. } => Value::Double(f64::from_bits(u64::try_from(bits).unwrap_or(0))),
            ScalarKind::Integer { bits: width, signed } => Value::Whole(integer(bits, u32::from(width), signed)),
            ScalarKind::Long { signed } => Value::Whole(integer(bits, 32, signed)),
            ScalarKind::Enumeration { .. } | ScalarKind::Quadruple => Value::Whole(integer(bits, 32, true)),
        })
    }

    fn union(&mut self, id: NodeId) -> Result<Value, Fault> {
        let Pres::Union { discriminant, arms, default, .. } = &self.pres.nodes[id].pres else {
            return Ok(Value::Nothing);
        };
        let chosen = self.member(discriminant, &[])?;
        let number = match chosen.1 {
            Value::Whole(number) => number,
            Value::Truth(truth) => i128::from(truth),
            _ => return Err(self.fault("what chooses is no number")),
        };
        let arm = arms.iter().find(|arm| arm.labels.iter().any(|label| label.value == Some(number)));
        let body = match (arm, default) {
            (Some(arm), _) => arm.member.as_ref(),
            (None, DefaultArm::Body(member)) => member.as_ref(),
            (None, DefaultArm::Error) => return Err(self.fault(format!("{number} chooses nothing here"))),
        };
        let body = body.map(|member| self.member(member, &[])).transpose()?;
        Ok(Value::Structure(std::iter::once(chosen).chain(body).collect()))
    }
}

/// The number in the lowest bits.
fn integer(bits: u128, width: u32, signed: bool) -> i128 {
    let unused = 128 - width.clamp(1, 128);
    let high = i128::from_ne_bytes((bits << unused).to_ne_bytes());
    if signed { high >> unused } else { i128::from_ne_bytes((bits << unused >> unused).to_ne_bytes()) }
}

/// A fault, as seen from outside.
pub(super) fn within(name: &str, fault: Fault) -> Fault {
    let place = match fault.place.as_str() {
        "" => name.to_owned(),
        inner if inner.starts_with('[') => format!("{name}{inner}"),
        inner => format!("{name}.{inner}"),
    };
    Fault { place, ..fault }
}
