//! Numbers, times and rates.

use super::Parser;
use crate::errors;
use source::Span;
use tokens::TokenKind;
use xip::{Duration, Name, NumberRange, Rate, Spanned, TimeUnit};

impl Parser<'_> {
    /// A whole number of 64 bits; `what` says of what, with its article.
    pub(super) fn number(&mut self, what: &str) -> Option<Spanned<u64>> {
        let token = self.cursor.peek();
        if token.kind != TokenKind::Integer {
            self.report_expected(&format!("{what}: a whole number"));
            return None;
        }
        self.cursor.bump();
        let spelling = self.cursor.text(token);
        let is_octal =
            spelling.len() > 1 && spelling.bytes().all(|byte| byte.is_ascii_digit()) && spelling.starts_with('0');
        if is_octal {
            self.judgements.push(errors::leading_zero(token.span, spelling));
            return Some(Spanned::new(1, token.span));
        }
        // What has no value was reported by the tokenizer, and stands for one of something.
        let value = u64::try_from(tokens::integer_value(spelling).unwrap_or(1)).unwrap_or_else(|_| {
            self.judgements.push(errors::number_too_large(token.span, spelling));
            1
        });
        Some(Spanned::new(value, token.span))
    }

    /// A number of things that there is one of at least.
    pub(super) fn count(&mut self, what: &str) -> Option<Spanned<u64>> {
        let number = self.number(what)?;
        if number.value == 0 {
            self.judgements.push(errors::zero(number.span, what));
        }
        Some(number)
    }

    /// `25 to 100`, `-40 to 85`
    pub(super) fn number_range(&mut self) -> Option<Spanned<NumberRange>> {
        let least = self.whole("the least number of the range")?;
        self.expect("to")?;
        let most = self.whole("the greatest number of the range")?;
        Some(Spanned::new(NumberRange { least: least.value, most: most.value }, least.span.to(most.span)))
    }

    /// A whole number, which may be below zero.
    fn whole(&mut self, what: &str) -> Option<Spanned<i128>> {
        let start = self.cursor.here();
        let is_negative = self.cursor.eat("-");
        let number = self.number(what)?;
        let value = i128::from(number.value);
        Some(Spanned::new(if is_negative { -value } else { value }, start.to(number.span)))
    }

    /// `50 ms`
    pub(super) fn time(&mut self, what: &str) -> Option<Spanned<Duration>> {
        let amount = self.number(what)?;
        let token = self.cursor.peek();
        let unit = TimeUnit::from_word(self.cursor.text(token)).filter(|_| token.kind == TokenKind::Identifier);
        let Some(unit) = unit else {
            let finding = errors::expected_time_unit(self.cursor.here(), &self.cursor.found());
            self.report(finding);
            return None;
        };
        self.cursor.bump();
        Some(Spanned::new(Duration { amount: amount.value, unit }, amount.span.to(token.span)))
    }

    /// `30/s`, `30 frames/s`, `5 MB/s`
    pub(super) fn rate(&mut self) -> Option<Rate> {
        let amount = self.count("a rate")?.value;
        let unit = if self.is_word(0) { Some(self.name("a unit")?) } else { None };
        if let Some(unit) = &unit {
            self.judge_unit(unit);
        }
        self.expect("/")?;
        if !self.cursor.eat("s") {
            let finding = errors::rate_in_a_second(self.cursor.here(), &self.cursor.found());
            self.report(finding);
            return None;
        }
        Some(Rate { amount, unit })
    }

    fn judge_unit(&mut self, unit: &Name) {
        let known = Rate::BYTES.map(|(word, _)| word);
        let lower = unit.text.to_ascii_lowercase();
        let meant = match lower.as_str() {
            "byte" | "bytes" | "octet" | "octets" => Some("B"),
            "kib" => Some("KB"),
            "mib" => Some("MB"),
            "gib" => Some("GB"),
            _ => known.into_iter().find(|word| word.eq_ignore_ascii_case(&lower)),
        };
        if let Some(meant) = meant.filter(|meant| unit != *meant) {
            self.judgements.push(errors::unit_like_bytes(unit.span, &unit.text, &known, meant));
        }
    }

    /// A value and the place from `start` on.
    pub(super) fn spanned<T>(&self, value: T, start: Span) -> Spanned<T> {
        Spanned::new(value, self.since(start))
    }
}
