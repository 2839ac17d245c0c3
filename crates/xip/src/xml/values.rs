//! What attributes say: names, ports, numbers, times, rates, words and strings.

use std::ops::Range;

use source::{Diagnostic, Span, near_miss};

use super::{errors, strings};
use crate::filter;
use crate::{Duration, Name, PortPath, Rate, Spanned, TimeUnit};

/// The value of an attribute, and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value<'a> {
    pub(super) text: &'a str,
    pub(super) span: Span,
    /// True where the file has the text as it is, without `&`: then parts of it have places, too.
    pub(super) is_literal: bool,
}

/// What is read of a value, or why it is not.
pub(super) type Read<T> = Result<T, Box<Diagnostic>>;

impl<'a> Value<'a> {
    /// Some of the value.
    fn part(self, range: Range<usize>) -> Value<'a> {
        let text = self.text.get(range.clone()).unwrap_or_default();
        if !self.is_literal {
            return Value { text, ..self };
        }
        let offset = |at: usize| self.span.start + u32::try_from(at).unwrap_or(0);
        Value { text, span: Span::new(self.span.file, offset(range.start), offset(range.end)), is_literal: true }
    }
}

pub(super) fn name(value: Value<'_>) -> Read<Name> {
    let begins = value.text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    if begins && value.text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        Ok(Name::new(value.text, value.span))
    } else {
        Err(errors::not_a_name(value.span, value.text).into())
    }
}

/// Names with a blank between each two.
pub(super) fn names(value: Value<'_>) -> Read<Spanned<Vec<Name>>> {
    let (mut names, mut from) = (Vec::new(), 0);
    for part in value.text.split(' ') {
        names.push(name(value.part(from..from + part.len()))?);
        from += part.len() + 1;
    }
    Ok(Spanned::new(names, value.span))
}

/// A field of a packet, and members inside it: `head.number`.
pub(super) fn field(value: Value<'_>) -> Read<filter::FieldPath> {
    let (mut names, mut from) = (Vec::new(), 0);
    for part in value.text.split('.') {
        names.push(name(value.part(from..from + part.len()))?);
        from += part.len() + 1;
    }
    let field = names.remove(0);
    Ok(filter::FieldPath { field, inwards: names.into_iter().map(filter::Step::Member).collect() })
}

/// `INSTANCE` or `INSTANCE.PORT`
pub(super) fn port(value: Value<'_>) -> Read<PortPath> {
    let whole = value.text.len();
    let dot = value.text.find('.');
    let instance = name(value.part(0..dot.unwrap_or(whole)));
    let port = dot.map(|dot| name(value.part(dot + 1..whole))).transpose();
    match (instance, port) {
        (Ok(instance), Ok(port)) => Ok(PortPath { instance, port }),
        _ => Err(errors::not_a_port(value.span, value.text).into()),
    }
}

pub(super) fn number(value: Value<'_>) -> Read<Spanned<u64>> {
    let number = amount(value.text).ok_or_else(|| Box::new(errors::not_a_number(value.span, value.text)))?;
    Ok(Spanned::new(number, value.span))
}

/// A number that may be below zero.
pub(super) fn whole(value: Value<'_>) -> Read<Spanned<i128>> {
    let digits = value.text.strip_prefix('-').unwrap_or(value.text);
    let number = amount(digits).ok_or_else(|| Box::new(errors::not_a_number(value.span, value.text)))?;
    let sign = if digits.len() < value.text.len() { -1 } else { 1 };
    Ok(Spanned::new(sign * i128::from(number), value.span))
}

/// Decimal digits, and nothing else.
fn amount(digits: &str) -> Option<u64> {
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}

/// A number, and what follows it with or without a blank.
fn split(text: &str) -> Option<(u64, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let unit = text.get(digits..)?;
    Some((amount(&text[..digits])?, unit.strip_prefix(' ').unwrap_or(unit)))
}

/// `50 ms`
pub(super) fn time(value: Value<'_>) -> Read<Spanned<Duration>> {
    let time = split(value.text)
        .and_then(|(amount, unit)| Some(Duration { amount, unit: TimeUnit::from_word(unit)? }))
        .ok_or_else(|| Box::new(errors::not_a_time(value.span, value.text)))?;
    Ok(Spanned::new(time, value.span))
}

/// `30/s`, `10 MB/s`
pub(super) fn rate(value: Value<'_>) -> Read<Rate> {
    let wrong = || Box::new(errors::not_a_rate(value.span, value.text));
    let counted = value.text.strip_suffix("/s").ok_or_else(wrong)?;
    let (amount, unit) = split(counted).ok_or_else(wrong)?;
    if unit.is_empty() {
        // Without a unit, there is nothing for a blank to keep apart.
        return if counted.ends_with(' ') { Err(wrong()) } else { Ok(Rate { amount, unit: None }) };
    }
    let unit = name(value.part(counted.len() - unit.len()..counted.len())).map_err(|_| wrong())?;
    Ok(Rate { amount, unit: Some(unit) })
}

/// Any characters, with escapes for those that XML cannot hold.
pub(super) fn string(value: Value<'_>) -> Read<Spanned<String>> {
    match strings::unescape(value.text) {
        Ok(text) => Ok(Spanned::new(text, value.span)),
        Err(range) => {
            let wrong = value.part(range);
            Err(errors::wrong_escape(wrong.span, wrong.text).into())
        }
    }
}

/// What a subscriber wants.
pub(super) fn condition(value: Value<'_>) -> Read<filter::Term> {
    let text = string(value)?;
    filter::parse_text(&text.value, value.span)
}

/// One of the words that mean something here.
pub(super) fn word<T: Copy>(value: Value<'_>, known: &[(T, &str)]) -> Read<Spanned<T>> {
    if let Some((found, _)) = known.iter().find(|(_, word)| *word == value.text) {
        return Ok(Spanned::new(*found, value.span));
    }
    let words: Vec<&str> = known.iter().map(|(_, word)| *word).collect();
    Err(errors::unknown_word(value.span, value.text, &words, near_miss(value.text, &words)).into())
}
