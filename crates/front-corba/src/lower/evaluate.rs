//! The arithmetic of constant expressions (IDL 4.2 section 7.4.1.4.3): whole numbers of 64 bits, floating-point and
//! fixed-point numbers. Operands are of one kind; only shifts and bits need whole numbers.

use super::Lowering;
use super::fixed::Fixed;
use super::scopes::Meaning;
use crate::errors;
use crate::syntax::{Expression, ExpressionKind, ScopedName};
use aoi::DefinitionId;
use source::Span;

/// What a constant expression comes to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Number {
    Integer(i128),
    Float(f64),
    Fixed(Fixed),
    Boolean(bool),
    Character { code: u32, is_wide: bool },
    Text { characters: Vec<u32>, is_wide: bool },
    Member { enumeration: DefinitionId, member: usize },
}

/// The whole numbers that an expression is computed for: what `~` turns around depends on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Width {
    pub(crate) bits: u8,
    pub(crate) signed: bool,
}

/// All whole numbers that there are.
const LEAST: i128 = i64::MIN as i128;
const MOST: i128 = u64::MAX as i128;

impl Number {
    pub(super) fn described(&self) -> &'static str {
        match self {
            Number::Integer(_) => "a whole number",
            Number::Float(_) => "a floating-point number",
            Number::Fixed(_) => "a fixed-point number",
            Number::Boolean(_) => "a boolean",
            Number::Character { is_wide: false, .. } => "a character",
            Number::Character { is_wide: true, .. } => "a wide character",
            Number::Text { is_wide: false, .. } => "a text",
            Number::Text { is_wide: true, .. } => "a wide text",
            Number::Member { .. } => "a member of an enumeration",
        }
    }
}

impl<'a> Lowering<'_, 'a> {
    /// What an expression comes to; `None` where that was reported.
    pub(super) fn evaluate(&mut self, expression: &Expression<'a>, width: Width) -> Option<Number> {
        Some(match &expression.kind {
            ExpressionKind::Integer { value, .. } => {
                return self.in_range(expression.span, Some(*value)).map(Number::Integer);
            }
            ExpressionKind::Float(spelling) => match spelling.parse::<f64>() {
                Ok(number) => return self.finite(expression.span, number),
                Err(_) => return None,
            },
            ExpressionKind::Fixed(digits) => match Fixed::parse(digits) {
                Some(number) => Number::Fixed(number),
                None => {
                    self.findings.push(errors::fixed_overflow(expression.span));
                    return None;
                }
            },
            ExpressionKind::Boolean(truth) => Number::Boolean(*truth),
            ExpressionKind::Character { code, is_wide } => Number::Character { code: *code, is_wide: *is_wide },
            ExpressionKind::Text { characters, is_wide } => {
                Number::Text { characters: characters.clone(), is_wide: *is_wide }
            }
            ExpressionKind::Name(name) => return self.named_number(name),
            ExpressionKind::Unary(operator, operand) => {
                let operand = self.evaluate(operand, width)?;
                return self.unary(expression.span, *operator, operand, width);
            }
            ExpressionKind::Binary(operator, operands) => {
                let left = self.evaluate(&operands.0, width);
                let right = self.evaluate(&operands.1, width);
                return self.binary(expression.span, *operator, left?, right?);
            }
            ExpressionKind::Missing => return None,
        })
    }

    fn named_number(&mut self, name: &ScopedName<'a>) -> Option<Number> {
        let entry = self.scopes.resolve(name)?;
        match entry.meaning {
            Meaning::Constant(id) => self.constants.get(&id).cloned(),
            Meaning::Member { enumeration, member } => Some(Number::Member { enumeration, member }),
            _ => {
                self.wrong_kind(name, "a value", &entry);
                None
            }
        }
    }

    fn in_range(&mut self, span: Span, number: Option<i128>) -> Option<i128> {
        let found = number.filter(|number| (LEAST..=MOST).contains(number));
        if found.is_none() {
            self.findings.push(errors::integer_overflow(span));
        }
        found
    }

    fn finite(&mut self, span: Span, number: f64) -> Option<Number> {
        if number.is_finite() {
            return Some(Number::Float(number));
        }
        self.findings.push(errors::float_overflow(span));
        None
    }

    fn unary(&mut self, span: Span, operator: char, operand: Number, width: Width) -> Option<Number> {
        match (operator, operand) {
            ('+', operand @ (Number::Integer(_) | Number::Float(_) | Number::Fixed(_))) => Some(operand),
            ('-', Number::Integer(number)) => self.in_range(span, Some(-number)).map(Number::Integer),
            ('-', Number::Float(number)) => Some(Number::Float(-number)),
            ('-', Number::Fixed(number)) => Some(Number::Fixed(number.negated())),
            ('~', Number::Integer(number)) => {
                let most = (1_i128 << width.bits) - 1;
                let turned = if width.signed { -(number + 1) } else { most - number };
                self.in_range(span, Some(turned)).map(Number::Integer)
            }
            (_, operand) => {
                self.findings.push(errors::bad_operand(span, operator, operand.described()));
                None
            }
        }
    }

    fn binary(&mut self, span: Span, operator: char, left: Number, right: Number) -> Option<Number> {
        let is_zero = match &right {
            Number::Integer(number) => *number == 0,
            Number::Float(number) => *number == 0.0,
            Number::Fixed(number) => number.is_zero(),
            _ => false,
        };
        if matches!(operator, '/' | '%') && is_zero {
            self.findings.push(errors::division_by_zero(span));
            return None;
        }
        match (left, right) {
            (Number::Integer(left), Number::Integer(right)) => self.whole(span, operator, left, right),
            (Number::Float(left), Number::Float(right)) => self.floats(span, operator, left, right),
            (Number::Fixed(left), Number::Fixed(right)) => self.fixed_points(span, operator, left, right),
            (left, right) => {
                self.findings.push(errors::mixed_operands(span, operator, left.described(), right.described()));
                None
            }
        }
    }

    fn whole(&mut self, span: Span, operator: char, left: i128, right: i128) -> Option<Number> {
        let number = match operator {
            '|' => Some(left | right),
            '^' => Some(left ^ right),
            '&' => Some(left & right),
            '+' => left.checked_add(right),
            '-' => left.checked_sub(right),
            '*' => left.checked_mul(right),
            '/' => left.checked_div(right),
            '%' => left.checked_rem(right),
            // Shifts.
            _ => {
                let Some(distance) = u32::try_from(right).ok().filter(|distance| *distance < 64) else {
                    self.findings.push(errors::bad_shift(span, right));
                    return None;
                };
                if operator == '<' { left.checked_mul(1 << distance) } else { Some(left >> distance) }
            }
        };
        self.in_range(span, number).map(Number::Integer)
    }

    fn floats(&mut self, span: Span, operator: char, left: f64, right: f64) -> Option<Number> {
        let number = match operator {
            '+' => left + right,
            '-' => left - right,
            '*' => left * right,
            '/' => left / right,
            _ => {
                self.findings.push(errors::bad_operand(span, operator, "a floating-point number"));
                return None;
            }
        };
        self.finite(span, number)
    }

    fn fixed_points(&mut self, span: Span, operator: char, left: Fixed, right: Fixed) -> Option<Number> {
        let number = match operator {
            '+' => left.plus(right),
            '-' => left.plus(right.negated()),
            '*' => left.times(right),
            '/' => left.over(right),
            _ => {
                self.findings.push(errors::bad_operand(span, operator, "a fixed-point number"));
                return None;
            }
        };
        if number.is_none() {
            self.findings.push(errors::fixed_overflow(span));
        }
        number.map(Number::Fixed)
    }
}
