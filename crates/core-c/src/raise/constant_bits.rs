//! Bit-fields that are declared `const`, and get their values alone.
//!
//! In: statements of a function. Out: the same ones, but an assignment to a constant bit-field writes to the bytes that it lies
//! in. Why: an initial value that a branch decides becomes an assignment, which C allows for no constant member. Others are
//! assigned through a pointer without `const`; a bit-field has no address.

use std::collections::BTreeSet;

use cast::{BinaryOperator, Expression, ExpressionKind, Scalar, Statement, Type, build};

use super::{Raiser, braces, literal, types, walk};
use crate::find_field;

/// Writes the bytes of constant bit-fields, wherever one is assigned.
pub(super) fn write(raiser: &Raiser, list: &mut Vec<Statement>) {
    let mut written = BTreeSet::new();
    write_all(raiser, list, &mut written);
    if !written.is_empty() {
        clear(raiser, list, &written);
    }
}

fn write_all(raiser: &Raiser, list: &mut Vec<Statement>, written: &mut BTreeSet<String>) {
    let mut at = 0;
    while at < list.len() {
        let bytes = match assigned_bits(raiser, &list[at]) {
            Some(bits) => {
                written.extend(bits.object().map(str::to_owned));
                bits.statements()
            }
            None => Vec::new(),
        };
        let count = bytes.len().max(1);
        if bytes.is_empty() {
            walk::bodies_mut(&mut list[at]).into_iter().for_each(|body| write_all(raiser, body, written));
        } else {
            list.splice(at..=at, bytes);
        }
        at += count;
    }
}

/// Declares objects with zeros: what keeps the other bits of a byte looks at it.
fn clear(raiser: &Raiser, list: &mut [Statement], written: &BTreeSet<String>) {
    for statement in list {
        if let Statement::Declare(variable) = statement
            && variable.initial.is_none()
            && written.contains(&variable.name)
        {
            variable.initial = Some(braces::zero(raiser, &variable.ty));
        }
        walk::bodies_mut(statement).into_iter().for_each(|body| clear(raiser, body, written));
    }
}

/// A bit-field and what it is assigned.
struct Bits<'s> {
    whole: &'s Expression,
    ty: Type,
    value: &'s Expression,
    /// From the start of the structure.
    first: u64,
    width: u64,
    little_endian: bool,
}

/// The constant bit-field that a statement assigns.
fn assigned_bits<'s>(raiser: &Raiser, statement: &'s Statement) -> Option<Bits<'s>> {
    let Statement::Expression(Expression { kind: ExpressionKind::Assign(None, target, value), .. }) = statement else {
        return None;
    };
    let ExpressionKind::Member(whole, name) = &target.kind else { return None };
    let Type::Tagged(_, tag) = types::resolve(raiser.table(), &whole.ty) else { return None };
    let field = find_field(raiser.table(), raiser.table().records.get(tag)?, name)?;
    let (width, ty) = (u64::from(field.bits?), field.ty.unqualified().clone());
    let little_endian = raiser.table().target.little_endian;
    types::qualifiers(raiser.table(), &field.ty).constant.then_some(Bits {
        whole,
        ty,
        value,
        first: field.offset,
        width,
        little_endian,
    })
}

impl Bits<'_> {
    /// The variable that the bits are a part of.
    fn object(&self) -> Option<&str> {
        match &braces::base(self.whole)?.kind {
            ExpressionKind::Name(name) => Some(name),
            _ => None,
        }
    }

    fn statements(&self) -> Vec<Statement> {
        let bytes = self.first / 8..(self.first + self.width).div_ceil(8);
        let wide = Type::Scalar(Scalar::UnsignedLongLong);
        if let Some(value) = literal::value_of(self.value) {
            let value = if self.ty == Type::Scalar(Scalar::Bool) { i128::from(value != 0) } else { value };
            return bytes
                .map(|byte| self.byte(byte, &|shift| build::unsigned((value >> shift) as u64 & 0xff)))
                .collect();
        }
        let name = (0..).map(fresh).find(|name| !self.mentions(name)).unwrap_or_default();
        let converted = match self.ty {
            Type::Scalar(Scalar::Bool) => build::not_equal(self.value.clone(), build::integer(0)),
            _ => build::cast(self.ty.clone(), self.value.clone()),
        };
        let value = build::cast(wide.clone(), converted);
        let shifted = |shift| match shift {
            0 => build::name(name.clone(), wide.clone()),
            _ => build::binary(
                build::name(name.clone(), wide.clone()),
                BinaryOperator::ShiftRight,
                build::unsigned(shift),
            ),
        };
        let mut block = vec![build::local(name.clone(), wide.clone(), Some(value))];
        block.extend(bytes.map(|byte| self.byte(byte, &shifted)));
        vec![Statement::Block(block)]
    }

    /// Writes the part of the value that lies in a byte; `shifted` gives the value without its lowest bits.
    fn byte(&self, byte: u64, shifted: &dyn Fn(u64) -> Expression) -> Statement {
        let (from, to) = (self.first.max(byte * 8), (self.first + self.width).min(byte * 8 + 8));
        let (low, shift) = match self.little_endian {
            true => (from - byte * 8, from - self.first),
            false => (byte * 8 + 8 - to, self.first + self.width - to),
        };
        let mask = ((1 << (to - from)) - 1) << low;
        let character = Type::Scalar(Scalar::UnsignedChar);
        let bytes = build::cast(character.clone().pointer(), build::address(self.whole.clone()));
        let target = build::index(bytes, build::integer(byte));
        let and = |value, mask| build::binary(value, BinaryOperator::BitAnd, build::unsigned(mask));
        let part = match (shifted(shift), low) {
            (part, 0) => part,
            (part, low) => build::binary(part, BinaryOperator::ShiftLeft, build::unsigned(low)),
        };
        let kept = and(target.clone(), 0xff & !mask);
        let value = build::binary(kept, BinaryOperator::BitOr, and(part, mask));
        build::assign(target, build::cast(character, value))
    }

    fn mentions(&self, name: &str) -> bool {
        let mut found = false;
        for part in [self.value, self.whole] {
            walk::walk(part, &mut |part| found |= matches!(&part.kind, ExpressionKind::Name(used) if used == name));
        }
        found
    }
}

fn fresh(number: u32) -> String {
    if number == 0 { "bits".into() } else { format!("bits_{number}") }
}
