//! Numbers as descriptions write them: `8*80`, `(2 + 3) * 4`. Whatever does not fit is reported with its place.

use crate::errors;
use crate::parser::Parser;
use source::{Limit, Span};
use tokens::{TokenKind, integer_value};

/// The largest number that anything in a description may be.
const MOST: i128 = u32::MAX as i128;

impl Parser<'_> {
    /// A number from `least` to `most`, and its place.
    pub(crate) fn number(&mut self, what: &str, least: u64, most: u64) -> Option<u64> {
        let start = self.cursor.here();
        let value = self.sum(what, 0)?;
        let span = self.since(start);
        match u64::try_from(value) {
            Ok(value) if (least..=most).contains(&value) => Some(value),
            _ => {
                self.judge(errors::number_out_of_range(span, what, least, most));
                None
            }
        }
    }

    fn sum(&mut self, what: &str, depth: usize) -> Option<i128> {
        let mut left = self.product(what, depth)?;
        while let Some(operator) = self.operator(&["+", "-"]) {
            let right = self.product(what, depth)?;
            left = self.fitting(if operator == "+" { left + right } else { left - right }, what)?;
        }
        Some(left)
    }

    fn product(&mut self, what: &str, depth: usize) -> Option<i128> {
        let mut left = self.operand(what, depth)?;
        while let Some(operator) = self.operator(&["*", "/"]) {
            let right = self.operand(what, depth)?;
            let value = if operator == "*" { left.checked_mul(right) } else { left.checked_div(right) };
            left = self.fitting(value.unwrap_or(i128::MAX), what)?;
        }
        Some(left)
    }

    fn operand(&mut self, what: &str, depth: usize) -> Option<i128> {
        let token = self.cursor.peek();
        if self.options.limits.are_exceeded(Limit::Nesting, depth) {
            let finding = self.options.limits.exceeded(Limit::Nesting, Some(token.span));
            self.report(finding);
            return None;
        }
        if self.cursor.eat("(") {
            let value = self.sum(what, depth + 1)?;
            self.expect(")")?;
            return Some(value);
        }
        if token.kind != TokenKind::Integer {
            self.report_expected(what);
            return None;
        }
        self.cursor.bump();
        let value = integer_value(self.cursor.text(token)).unwrap_or_default();
        self.fitting_at(value, what, token.span)
    }

    fn operator(&mut self, known: &[&'static str]) -> Option<&'static str> {
        known.iter().copied().find(|operator| self.cursor.eat(operator))
    }

    fn fitting(&mut self, value: i128, what: &str) -> Option<i128> {
        self.fitting_at(value, what, self.cursor.after_previous())
    }

    fn fitting_at(&mut self, value: i128, what: &str, span: Span) -> Option<i128> {
        if (-MOST..=MOST).contains(&value) {
            return Some(value);
        }
        self.judge(errors::number_out_of_range(span, what, 0, MOST as u64));
        None
    }
}
