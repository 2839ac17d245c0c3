//! What a variable holds, as an initial value of its type.
//!
//! In: bytes, floats and addresses by offset, and a type. Out: the scalars of the type that they are. Unions are left out, since an
//! initial value may name one member only, and so is padding that is not zero.

use std::collections::BTreeSet;

use cast::RecordKind;
use core_c::{BitRange, Expression, ExpressionKind, Initial, Shape, TypeId, Types};

use super::contents::Held;
use crate::values::fold;

/// The initial value; none where something that is held is no scalar of the type.
pub(super) fn of(types: &Types, ty: TypeId, held: &Held) -> Option<Vec<Initial>> {
    let mut builder = Builder { types, held, initial: Vec::new(), taken: BTreeSet::new(), bits: BTreeSet::new() };
    builder.part(ty, 0)?;
    let is_whole = held.whole.keys().all(|at| builder.taken.contains(at));
    let mut set = held
        .bytes
        .iter()
        .flat_map(|(at, byte)| (0..8).filter(move |bit| byte >> bit & 1 == 1).map(move |bit| at * 8 + bit));
    (is_whole && set.all(|bit| builder.bits.contains(&bit))).then_some(builder.initial)
}

struct Builder<'a> {
    types: &'a Types,
    held: &'a Held,
    initial: Vec<Initial>,
    /// Where floats and addresses are that have found their place.
    taken: BTreeSet<u64>,
    /// Bits of integers that have.
    bits: BTreeSet<u64>,
}

impl Builder<'_> {
    /// What stands in an object at an offset in bytes.
    fn part(&mut self, ty: TypeId, at: u64) -> Option<()> {
        let types = self.types;
        let size = types.size_of(ty)?;
        if !self.is_touched(at, at.checked_add(size)?) {
            return Some(());
        }
        match types.shape_of(ty) {
            Shape::Array(element, Some(count)) => {
                let width = types.size_of(*element)?;
                (0..*count).try_for_each(|index| self.part(*element, at + index * width))
            }
            Shape::Record(_) => self.record(ty, at),
            Shape::Integer { bits, signed, boolean } if *bits < 128 => {
                let number = self.number(at * 8, size * 8);
                let is_value = !boolean || (0..=1).contains(&number);
                is_value.then(|| self.push((at, None), ty, fold::wrap(number, *bits, *signed)))
            }
            Shape::Pointer(_) if !self.held.whole.contains_key(&at) => {
                let number = self.number(at * 8, size * 8);
                self.push((at, None), ty, number);
                Some(())
            }
            shape @ (Shape::Float { .. } | Shape::Pointer(_)) => {
                let (held, value) = self.held.whole.get(&at)?;
                let is_it = *held == size && matches!(types.shape_of(value.ty), known if is_alike(known, shape));
                is_it.then(|| {
                    self.taken.insert(at);
                    self.initial.push(Initial { offset: at, bits: None, value: value.clone() });
                })
            }
            _ => None,
        }
    }

    fn record(&mut self, ty: TypeId, at: u64) -> Option<()> {
        let layout = self.types.record(ty).filter(|layout| layout.kind == RecordKind::Struct)?;
        for field in &layout.fields {
            let start = at * 8 + field.offset;
            let ty = self.types.find(&field.ty)?;
            match (&field.name, field.bits) {
                (None, Some(_)) => {}
                (None, None) => return None,
                (Some(_), None) => self.part(ty, start / 8)?,
                (Some(_), Some(width)) => self.bit_field(ty, start, width)?,
            }
        }
        Some(())
    }

    fn bit_field(&mut self, ty: TypeId, start: u64, width: u32) -> Option<()> {
        let Shape::Integer { signed, .. } = self.types.shape_of(ty) else { return None };
        let number = self.number(start, u64::from(width));
        let first = u32::try_from(start % 8).ok()?;
        if number != 0 {
            let bits = Some(BitRange { first, width });
            self.push((start / 8, bits), ty, fold::wrap(number, width, *signed));
        }
        Some(())
    }

    fn push(&mut self, (offset, bits): (u64, Option<BitRange>), ty: TypeId, number: i128) {
        let value = Expression { kind: ExpressionKind::Integer(number), ty, span: None };
        self.initial.push(Initial { offset, bits, value });
    }

    /// The bits from `start` on, which have found their place.
    fn number(&mut self, start: u64, width: u64) -> i128 {
        let mut number = 0_i128;
        for bit in start..start + width.min(127) {
            let byte = self.held.bytes.get(&(bit / 8)).copied().unwrap_or(0);
            number |= i128::from(byte >> (bit % 8) & 1) << (bit - start);
            self.bits.insert(bit);
        }
        number
    }

    fn is_touched(&self, from: u64, to: u64) -> bool {
        self.held.bytes.range(from..to).next().is_some() || self.held.whole.range(from..to).next().is_some()
    }
}

fn is_alike(one: &Shape, two: &Shape) -> bool {
    one == two || matches!((one, two), (Shape::Pointer(_), Shape::Pointer(_)))
}
