//! What a subscriber wants of a channel: a condition over a packet's fields, given where it subscribes and asked where packets are
//! sent. In: its text ([`parse`]). Out: a tree of names and numbers as their author wrote them; what they mean is found out where
//! the packets have a form in C. Source: Eisenhauer, Bustamante and Schwan, "Event Services for High Performance Computing"
//! (derived event channels: filters of the sink that run at the source).

mod parse;

use std::fmt::{Display, Formatter, Result, Write};

use crate::contract::words;
use crate::name::{Name, Spanned};

pub use parse::{COMPOUNDS, parse, parse_text};

/// A condition, or a part of one, and where it stands.
pub type Term = Spanned<Condition>;

/// What holds, is compared, or stands for itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// `a and b`: two at least.
    All(Vec<Term>),
    /// `a or b`: two at least.
    Any(Vec<Term>),
    /// `not a`
    Not(Box<Term>),
    /// `a < b`
    Compare(Comparison, Box<Term>, Box<Term>),
    Field(FieldPath),
    Truth(bool),
    Integer(i128),
    /// As it is spelled.
    Float(String),
    Text(String),
    Character(char),
}

words! {
    /// How two values are compared.
    Comparison {
        Equal = "==",
        NotEqual = "!=",
        Less = "<",
        AtMost = "<=",
        Greater = ">",
        AtLeast = ">=",
    }
}

/// `position.x`, `samples[3]`, `name.count`: from a packet's field inwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldPath {
    pub field: Name,
    pub inwards: Vec<Step>,
}

/// One step into a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    Member(Name),
    Element(Spanned<u64>),
}

impl Condition {
    /// Whether it joins others: between these it stands in parentheses.
    fn joins(&self) -> bool {
        matches!(self, Condition::All(_) | Condition::Any(_))
    }

    /// Whether it is no value by itself.
    fn is_made_of_others(&self) -> bool {
        self.joins() || matches!(self, Condition::Not(_) | Condition::Compare(..))
    }
}

impl Display for Condition {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        match self {
            Condition::All(terms) => joined(formatter, terms, " and "),
            Condition::Any(terms) => joined(formatter, terms, " or "),
            Condition::Not(term) => {
                formatter.write_str("not ")?;
                enclosed(formatter, &term.value, term.value.joins())
            }
            Condition::Compare(comparison, left, right) => {
                enclosed(formatter, &left.value, left.value.is_made_of_others())?;
                write!(formatter, " {} ", comparison.word())?;
                enclosed(formatter, &right.value, right.value.is_made_of_others())
            }
            Condition::Field(path) => path.fmt(formatter),
            Condition::Truth(value) => value.fmt(formatter),
            Condition::Integer(value) => value.fmt(formatter),
            Condition::Float(spelling) => formatter.write_str(spelling),
            Condition::Text(text) => quoted(formatter, text, '"'),
            Condition::Character(character) => quoted(formatter, character.encode_utf8(&mut [0; 4]), '\''),
        }
    }
}

impl Display for FieldPath {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        self.field.fmt(formatter)?;
        self.inwards.iter().try_for_each(|step| match step {
            Step::Member(name) => write!(formatter, ".{name}"),
            Step::Element(place) => write!(formatter, "[{}]", place.value),
        })
    }
}

fn joined(formatter: &mut Formatter<'_>, terms: &[Term], word: &str) -> Result {
    for (place, term) in terms.iter().enumerate() {
        if place > 0 {
            formatter.write_str(word)?;
        }
        enclosed(formatter, &term.value, term.value.joins())?;
    }
    Ok(())
}

fn enclosed(formatter: &mut Formatter<'_>, condition: &Condition, is_enclosed: bool) -> Result {
    if is_enclosed { write!(formatter, "({condition})") } else { condition.fmt(formatter) }
}

/// With the escapes that reading takes away again.
fn quoted(formatter: &mut Formatter<'_>, text: &str, mark: char) -> Result {
    formatter.write_char(mark)?;
    for character in text.chars() {
        match character {
            '\\' => formatter.write_str("\\\\")?,
            _ if character == mark => write!(formatter, "\\{character}")?,
            '\0'..=' ' if character != ' ' => write!(formatter, "\\x{:02x}", u32::from(character))?,
            _ => formatter.write_char(character)?,
        }
    }
    formatter.write_char(mark)
}
