//! Constants, and values where a type says what they must be.

use super::evaluate::{Number, Width};
use super::scopes::Meaning;
use super::{BROKEN, Lowering};
use crate::errors;
use crate::syntax::{Expression, ExpressionKind, Name, Type, TypeKind};
use aoi::{DefinitionKind, Value};
use source::Span;

/// What a length, a label without a type and the like are computed for.
const UNSIGNED_LONG: Width = Width { bits: 32, signed: false };

impl<'a> Lowering<'_, 'a> {
    pub(super) fn constant(
        &mut self,
        ty: &Type<'a>,
        name: Name<'a>,
        expression: &Expression<'a>,
        annotations: Vec<aoi::Annotation>,
    ) {
        let is_any_fixed = matches!(ty.kind, TypeKind::Fixed(None));
        let mut lowered = if is_any_fixed { aoi::Type::Fixed { digits: 31, scale: 0 } } else { self.complete_type(ty) };
        if !self.constant_type(&lowered, ty.span) {
            lowered = BROKEN;
        }
        let found = match is_any_fixed {
            true => self.evaluate(expression, UNSIGNED_LONG).and_then(|number| self.any_fixed(expression, number)),
            false => self.constant_value(&lowered, expression),
        };
        let placeholder = Value::Boolean(false);
        let (number, value) = match found {
            Some((number, value)) => (Some(number), value),
            None => (None, placeholder),
        };
        if let (true, Some(Number::Fixed(number))) = (is_any_fixed, &number) {
            let (digits, scale) = number.size();
            lowered = aoi::Type::Fixed { digits, scale };
        }
        let constant = aoi::Constant { value, ty: Some(lowered) };
        let id = self.allocate(name, DefinitionKind::Constant(constant), annotations);
        self.scopes.define(name, Meaning::Constant(id));
        self.items.push(aoi::Item::Definition(id));
        if let Some(number) = number {
            self.constants.insert(id, number);
        }
    }

    /// True for a type that constants have; others are reported.
    fn constant_type(&mut self, ty: &aoi::Type, span: Span) -> bool {
        let fits = match self.unaliased(ty) {
            aoi::Type::Integer { .. }
            | aoi::Type::Float { .. }
            | aoi::Type::Boolean
            | aoi::Type::Character { .. }
            | aoi::Type::Text { .. }
            | aoi::Type::WideText { .. }
            | aoi::Type::Fixed { .. } => true,
            aoi::Type::Named(id) => matches!(self.aoi.definitions[*id].kind, DefinitionKind::Enumeration(_)),
            _ => false,
        };
        if !fits && *self.unaliased(ty) != BROKEN {
            self.findings.push(errors::no_type_of_constants(span));
        }
        fits
    }

    fn any_fixed(&mut self, expression: &Expression<'a>, number: Number) -> Option<(Number, Value)> {
        match number {
            Number::Fixed(fixed) => Some((number, Value::Fixed(fixed.to_string()))),
            other => {
                let found = other.described();
                self.findings.push(errors::wrong_value(expression.span, "a fixed-point number", found));
                None
            }
        }
    }

    /// What an expression comes to as a value of `ty`; `None` where that was reported.
    pub(super) fn constant_value(&mut self, ty: &aoi::Type, expression: &Expression<'a>) -> Option<(Number, Value)> {
        let target = self.unaliased(ty).clone();
        let width = match target {
            aoi::Type::Integer { bits, signed, .. } => Width { bits, signed },
            _ => UNSIGNED_LONG,
        };
        let number = self.evaluate(expression, width)?;
        let value = self.fitted(&target, &number, expression)?;
        // The name of a constant says more than its value.
        let value = match &expression.kind {
            ExpressionKind::Name(name) => match self.target(name) {
                Some(Meaning::Constant(id)) => Value::Constant(id),
                _ => value,
            },
            _ => value,
        };
        Some((number, value))
    }

    /// The value that `number` is, if `target` has it.
    fn fitted(&mut self, target: &aoi::Type, number: &Number, expression: &Expression<'a>) -> Option<Value> {
        let span = expression.span;
        let wanted = match (target, number) {
            (aoi::Type::Integer { bits, signed, .. }, Number::Integer(value)) => {
                return self.integer_of(*bits, *signed, *value, expression);
            }
            (aoi::Type::Float { bits }, Number::Float(value)) => {
                let value = if *bits == 32 { f64::from(*value as f32) } else { *value };
                if !value.is_finite() {
                    self.findings.push(errors::float_overflow(span));
                    return None;
                }
                return Some(Value::Float(match expression.kind {
                    ExpressionKind::Float(spelling) => spelling.to_owned(),
                    _ => format!("{value:?}"),
                }));
            }
            (aoi::Type::Boolean, Number::Boolean(truth)) => return Some(Value::Boolean(*truth)),
            (aoi::Type::Character { is_wide }, Number::Character { code, is_wide: wide }) if is_wide == wide => {
                return Some(Value::Character { code: *code, is_wide: *wide });
            }
            (aoi::Type::Text { bound }, Number::Text { characters, is_wide: false }) => {
                self.within_bound(bound.as_ref(), characters.len(), span);
                return Some(Value::Text(text_of(characters)));
            }
            (aoi::Type::WideText { bound }, Number::Text { characters, is_wide: true }) => {
                self.within_bound(bound.as_ref(), characters.len(), span);
                return Some(Value::WideText(text_of(characters)));
            }
            (aoi::Type::Fixed { digits, scale }, Number::Fixed(value)) => {
                let (all, behind) = value.size();
                let whole = i32::from(all) - i32::from(behind);
                if whole > i32::from(*digits) - i32::from(*scale) {
                    self.findings.push(errors::fixed_overflow(span));
                    return None;
                }
                return Some(Value::Fixed(value.to_string()));
            }
            (aoi::Type::Named(id), Number::Member { enumeration, member }) if id == enumeration => {
                return Some(Value::Member { enumeration: *enumeration, member: *member });
            }
            (aoi::Type::Named(id), _) => format!("a member of `{}`", self.aoi.definitions[*id].name),
            (target, _) => described_type(target).to_owned(),
        };
        // A type that no constant or label has was reported.
        if wanted.is_empty() {
            return None;
        }
        self.findings.push(errors::wrong_value(span, &wanted, number.described()));
        None
    }

    fn integer_of(&mut self, bits: u8, signed: bool, value: i128, expression: &Expression<'a>) -> Option<Value> {
        let (least, most) = match signed {
            true => (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1),
            false => (0, (1_i128 << bits) - 1),
        };
        if !(least..=most).contains(&value) {
            let what = format!("{} integer of {bits} bits", if signed { "a signed" } else { "an unsigned" });
            self.findings.push(errors::out_of_range(
                expression.span,
                &value.to_string(),
                &what,
                &format!("{least} to {most}"),
            ));
            return None;
        }
        Some(self.spelled_number(expression, value))
    }

    fn within_bound(&mut self, bound: Option<&Value>, length: usize, span: Span) {
        let most = bound.and_then(|bound| self.aoi.number(bound));
        if let Some(most) = most.filter(|most| i128::try_from(length).is_ok_and(|length| length > *most)) {
            self.findings.push(errors::text_too_long(span, length, most));
        }
    }

    /// A whole number, for a length and the like (`what`); `None` where that was reported.
    pub(super) fn whole_number(&mut self, expression: &Expression<'a>, what: &str) -> Option<i128> {
        match self.evaluate(expression, UNSIGNED_LONG)? {
            Number::Integer(number) => Some(number),
            other => {
                self.findings.push(errors::wrong_value(
                    expression.span,
                    &format!("{what}, a whole number"),
                    other.described(),
                ));
                None
            }
        }
    }

    /// A number as its author wrote it, where it is written in one piece.
    pub(super) fn spelled_number(&mut self, expression: &Expression<'a>, value: i128) -> Value {
        let spelling = match &expression.kind {
            ExpressionKind::Integer { spelling, .. } => (*spelling).to_owned(),
            ExpressionKind::Unary('-', operand) => match &operand.kind {
                ExpressionKind::Integer { spelling, .. } => format!("-{spelling}"),
                _ => value.to_string(),
            },
            ExpressionKind::Name(name) => match self.target(name) {
                Some(Meaning::Constant(id)) => return Value::Constant(id),
                _ => value.to_string(),
            },
            _ => value.to_string(),
        };
        Value::Integer { value, spelling }
    }
}

/// What a text holds. Its characters are those of Unicode, whose first 256 are Latin-1.
pub(super) fn text_of(characters: &[u32]) -> String {
    characters.iter().filter_map(|code| char::from_u32(*code)).collect()
}

/// The values that a type has; empty where a constant has none of them.
fn described_type(ty: &aoi::Type) -> &'static str {
    match ty {
        aoi::Type::Integer { .. } => "a whole number",
        aoi::Type::Float { .. } => "a floating-point number",
        aoi::Type::Boolean => "`TRUE` or `FALSE`",
        aoi::Type::Character { is_wide: false } => "a character",
        aoi::Type::Character { is_wide: true } => "a wide character",
        aoi::Type::Text { .. } => "a text",
        aoi::Type::WideText { .. } => "a wide text",
        aoi::Type::Fixed { .. } => "a fixed-point number",
        _ => "",
    }
}
