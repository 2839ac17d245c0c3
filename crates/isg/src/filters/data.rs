//! A condition as data, for a sender that was not built with it. In: a condition that C can ask, and the packet's fields. Out: a program in
//! postfix form (`runtime/flow/filter.c` says of what); nothing where it names what has no number, or is too long to be sent. Numbers are
//! as the C of `condition.rs` compares them.

use xip::filter::{Comparison, Condition, Term};

use super::field::{Fields, Kind};
use super::leaves::{Leaf, is_narrow};

/// As the run time takes it.
const MOST_BYTES: usize = 1000;

const INTEGER: u8 = 1;
const LARGE: u8 = 2;
const FLOAT: u8 = 3;
const TEXT: u8 = 4;
const FALSE: u8 = 5;
const TRUE: u8 = 6;
const FIELD: u8 = 7;
const NOT: u8 = 8;
const AND: u8 = 9;
const OR: u8 = 10;

/// The program of a condition.
pub(super) fn program(fields: &Fields, leaves: &[Leaf], term: &Term) -> Option<Vec<u8>> {
    let mut writer = Writer { fields, leaves, code: Vec::new() };
    writer.holds(term)?;
    (writer.code.len() <= MOST_BYTES).then_some(writer.code)
}

struct Writer<'a> {
    fields: &'a Fields<'a>,
    leaves: &'a [Leaf],
    code: Vec<u8>,
}

impl Writer<'_> {
    fn holds(&mut self, term: &Term) -> Option<()> {
        match &term.value {
            Condition::All(terms) => self.joined(terms, AND),
            Condition::Any(terms) => self.joined(terms, OR),
            Condition::Not(inner) => {
                self.holds(inner)?;
                self.code.push(NOT);
                Some(())
            }
            Condition::Compare(comparison, left, right) => {
                let (one, other) = (self.kind(left), self.kind(right));
                self.side(left, other.as_ref())?;
                self.side(right, one.as_ref())?;
                self.code.push(operation(*comparison));
                Some(())
            }
            _ => self.side(term, None),
        }
    }

    fn joined(&mut self, terms: &[Term], operation: u8) -> Option<()> {
        for (place, term) in terms.iter().enumerate() {
            self.holds(term)?;
            if place > 0 {
                self.code.push(operation);
            }
        }
        Some(())
    }

    /// Of a field.
    fn kind(&self, term: &Term) -> Option<Kind> {
        let Condition::Field(path) = &term.value else { return None };
        self.fields.value(path).ok().map(|(_, kind)| kind)
    }

    /// One side of a comparison, of which `other` is the other's kind; or what holds by itself.
    fn side(&mut self, term: &Term, other: Option<&Kind>) -> Option<()> {
        let is_float = matches!(other, Some(Kind::Float { .. }));
        match &term.value {
            Condition::Field(path) if path.inwards.is_empty() && !self.fields.has(&path.field.text) => {
                let Some(Kind::Enumeration { members }) = other else { return None };
                self.integer(*members.get(&path.field.text)?)
            }
            Condition::Field(path) => {
                let (number, elements) = self.fields.reference(self.leaves, path)?;
                self.code.push(FIELD);
                self.code.extend(u16::try_from(number).ok()?.to_le_bytes());
                self.code.push(u8::try_from(elements.len()).ok()?);
                for element in elements {
                    self.code.extend(u32::try_from(element).ok()?.to_le_bytes());
                }
                Some(())
            }
            Condition::Truth(value) => {
                self.code.push(if *value { TRUE } else { FALSE });
                Some(())
            }
            Condition::Integer(value) if is_float => self.fraction(*value as f64, other),
            Condition::Integer(value) => self.integer(*value),
            Condition::Float(spelling) => self.fraction(spelling.parse().ok()?, other),
            Condition::Character(character) => self.integer(i128::from(u32::from(*character))),
            Condition::Text(text) => {
                self.code.push(TEXT);
                self.code.extend(u16::try_from(text.len()).ok()?.to_le_bytes());
                self.code.extend(text.bytes());
                Some(())
            }
            Condition::All(_) | Condition::Any(_) | Condition::Not(_) | Condition::Compare(..) => self.holds(term),
        }
    }

    fn integer(&mut self, value: i128) -> Option<()> {
        match i64::try_from(value) {
            Ok(value) => {
                self.code.push(INTEGER);
                self.code.extend(value.to_le_bytes());
            }
            Err(_) => {
                self.code.push(LARGE);
                self.code.extend(u64::try_from(value).ok()?.to_le_bytes());
            }
        }
        Some(())
    }

    /// Beside a float of 32 bits a number is rounded to one.
    fn fraction(&mut self, value: f64, other: Option<&Kind>) -> Option<()> {
        let value = if other.is_some_and(is_narrow) { f64::from(value as f32) } else { value };
        self.code.push(FLOAT);
        self.code.extend(value.to_le_bytes());
        Some(())
    }
}

fn operation(comparison: Comparison) -> u8 {
    match comparison {
        Comparison::Equal => 16,
        Comparison::NotEqual => 17,
        Comparison::Less => 18,
        Comparison::AtMost => 19,
        Comparison::Greater => 20,
        Comparison::AtLeast => 21,
    }
}
