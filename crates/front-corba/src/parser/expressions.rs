//! Constant expressions (IDL 4.2 section 7.4.1.4.3): `|`, `^`, `&`, shifts, sums, products, signs.

use super::Parser;
use crate::errors;
use crate::syntax::{Expression, ExpressionKind};

/// An expression of more operators is nonsense, and what walks it does so recursively.
const OPERATORS_MOST: usize = 500;

/// By how tightly they bind, loosest first; `<` and `>` are the shifts.
const LEVELS: [&[char]; 6] = [&['|'], &['^'], &['&'], &['<', '>'], &['+', '-'], &['*', '/', '%']];

impl<'a> Parser<'a> {
    /// An expression that ends by itself.
    pub(super) fn expression(&mut self) -> Option<Expression<'a>> {
        self.operators = 0;
        self.binary(0, true)
    }

    /// An expression in angle brackets: `>>` closes two of them there, unless parentheses say otherwise.
    pub(super) fn bound(&mut self) -> Option<Expression<'a>> {
        self.operators = 0;
        self.binary(0, false)
    }

    /// Operators that bind as tightly as `level`, or tighter.
    fn binary(&mut self, level: usize, may_shift: bool) -> Option<Expression<'a>> {
        let mut left = self.unary()?;
        while let Some((operator, binds)) = self.operator(level, may_shift) {
            self.operators += 1;
            if self.operators > OPERATORS_MOST {
                let finding = errors::long_expression(self.cursor.here(), OPERATORS_MOST);
                self.report(finding);
                return None;
            }
            let right = self.binary(binds + 1, may_shift)?;
            let span = left.span.to(right.span);
            left = Expression { kind: ExpressionKind::Binary(operator, Box::new((left, right))), span };
        }
        Some(left)
    }

    /// Steps over an operator that binds so tightly at least; says how tightly. Shifts are two marks side by side.
    fn operator(&mut self, level: usize, may_shift: bool) -> Option<(char, usize)> {
        let text = self.cursor.peek_text();
        let mark = text.chars().next().filter(|_| text.len() == 1)?;
        let binds = LEVELS.iter().position(|operators| operators.contains(&mark)).filter(|binds| *binds >= level)?;
        if matches!(mark, '<' | '>') {
            let (first, second) = (self.cursor.peek(), self.cursor.peek_at(1));
            let is_shift = self.cursor.at_ahead(1, text) && first.span.end == second.span.start;
            if !is_shift || (mark == '>' && !may_shift) {
                return None;
            }
            self.cursor.bump();
        }
        self.cursor.bump();
        Some((mark, binds))
    }

    fn unary(&mut self) -> Option<Expression<'a>> {
        let start = self.cursor.here();
        let text = self.cursor.peek_text();
        if let Some(operator) =
            ['-', '+', '~'].into_iter().find(|operator| text.len() == 1 && text.starts_with(*operator))
        {
            self.cursor.bump();
            let operand = self.nested(|parser| parser.unary())?;
            let span = start.to(operand.span);
            return Some(Expression { kind: ExpressionKind::Unary(operator, Box::new(operand)), span });
        }
        if self.cursor.eat("(") {
            let inner = self.nested(|parser| parser.binary(0, true))?;
            self.expect(")")?;
            return Some(Expression { span: start.to(self.cursor.after_previous()), ..inner });
        }
        self.primary()
    }
}
