//! Alignment of objects: what a declaration says, and what the residual program decides itself.
//!
//! In: an object, and the low bits of its address that a program looks at. Out: these bits, where the alignment decides them. Where C
//! leaves the alignment to who makes the object (string literals, variables of functions, copies of constants), the residual program
//! aligns it as far as it is asked, so that code that reads strings by words is computed like code that reads them by bytes. A word that
//! begins in such an object may end behind it, as those functions read: the bytes there are zero. Source: C11 sections 6.2.8 and 6.4.5p7.

use core_c::{BinaryOperator, Expression, ExpressionKind, Global, Linkage, PlaceBase, Program, Shape};

use crate::engine::{Engine, Step};
use crate::memory::{Found, Object, Origin};
use crate::mutation;
use crate::values::value::{Pointer, Value};

/// As much as any vector of the target's usual instructions, in bytes.
const CHOSEN: u64 = 16;

impl Engine<'_> {
    /// The low bits of an address: `address & mask`, where the alignment of the object decides them.
    pub(crate) fn low_bits(&mut self, pointer: Pointer, mask: i128) -> Option<Value> {
        let object = self.state.memory.get(pointer.object)?;
        let (origin, ty) = (object.origin, object.ty);
        if let Origin::Pointee(register) = origin {
            return self.masked_address(register, pointer.offset, mask).map(Value::Integer);
        }
        let is_decided = |alignment: u64| mask >= 0 && mask < i128::from(alignment);
        let known = self.types.get(ty).alignment.max(self.alignment_of(origin));
        (is_decided(known) || is_decided(CHOSEN) && self.align(origin))
            .then(|| Value::Integer(i128::from(pointer.offset) & mask))
    }

    /// `address % by` as a mask.
    pub(crate) fn mask_of_remainder(operator: BinaryOperator, shape: &Shape, by: i128) -> Option<i128> {
        let is_unsigned = matches!(shape, Shape::Integer { signed: false, .. });
        (operator == BinaryOperator::Remainder && is_unsigned && by > 0 && by & (by - 1) == 0).then(|| by - 1)
    }

    /// The same of an address that was made a narrower number: `(int)(intptr_t)p & 3`.
    pub(crate) fn low_bits_of_narrowed(
        &mut self,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
    ) -> Step<Option<Value>> {
        let (BinaryOperator::And, Shape::Integer { bits, boolean: false, .. }, ExpressionKind::Integer(mask)) =
            (operator, self.types.shape_of(left.ty), &right.kind)
        else {
            return Ok(None);
        };
        let (mut inner, is_low) = (left, *mask < 1 << (bits - 1).min(63));
        while let ExpressionKind::Convert(operand) = &inner.kind {
            let is_number =
                matches!(self.types.shape_of(operand.ty), Shape::Integer { boolean: false, .. } | Shape::Pointer(_));
            if !is_number || !is_low {
                return Ok(None);
            }
            inner = operand;
        }
        let is_address = match &inner.kind {
            ExpressionKind::Local(local) => matches!(self.state.top().registers.get(local), Some(Value::Pointer(_))),
            ExpressionKind::Address(place) => place.steps.is_empty() && !matches!(place.base, PlaceBase::Pointee(_)),
            _ => false,
        };
        Ok(match is_address.then(|| self.evaluate(inner)).transpose()? {
            Some(Value::Pointer(pointer)) => self.low_bits(pointer, *mask),
            _ => None,
        })
    }

    /// Aligns an object of the residual program; false where that is not its to decide.
    fn align(&mut self, origin: Origin) -> bool {
        let is_own = match origin {
            Origin::Global(global) => {
                is_copied(&self.input.globals[global]) && !self.link.objects.contains_key(&global)
            }
            Origin::Local(chain, local) => {
                let frame = self.state.frames.iter().find(|frame| frame.chain == chain);
                frame.is_some_and(|frame| !self.input.functions[frame.function].parameters.contains(&local))
            }
            Origin::Pointee(_) | Origin::Snapshot(_) => false,
        };
        if is_own
            && self.aligned.insert(origin)
            && let Some(local) = self.places.get(&origin)
        {
            let declared = &mut self.residual.locals[*local].alignment;
            *declared = CHOSEN.max(*declared);
        }
        is_own
    }

    /// What is known of an object's alignment beyond its type; 0 where nothing is.
    pub(crate) fn alignment_of(&self, origin: Origin) -> u64 {
        let chosen = if self.aligned.contains(&origin) { CHOSEN } else { 0 };
        let declared = match origin {
            Origin::Global(global) => self.input.globals[global].alignment,
            Origin::Local(chain, local) => {
                let frame = self.state.frames.iter().find(|frame| frame.chain == chain);
                frame.map_or(0, |frame| self.input.functions[frame.function].locals[local].alignment)
            }
            Origin::Pointee(_) | Origin::Snapshot(_) => 0,
        };
        chosen.max(declared)
    }

    /// A word that begins in a constant and ends behind it, where the program reads those.
    pub(crate) fn read_word(&self, object: &Object, offset: u64, size: u64) -> Found {
        let is_word = size.is_power_of_two() && offset.is_multiple_of(size) && size <= self.alignment_of(object.origin);
        let within = object.size.and_then(|all| all.checked_sub(offset)).filter(|within| *within > 0);
        let Some(within) = within.filter(|_| is_word && object.constant) else { return Found::Memory };
        match object.read(offset, within) {
            Found::Cell(cell) => cell.number().map_or(Found::Memory, Found::Bytes),
            found => found,
        }
    }

    /// The objects of the program with the alignment that was decided; a literal gets a name to be declared by.
    pub(crate) fn align_globals(&self, out: &mut Program) {
        for origin in &self.aligned {
            let Origin::Global(id) = *origin else { continue };
            if mutation::forgets("alignment") {
                continue;
            }
            let global = &mut out.globals[id];
            global.alignment = CHOSEN.max(global.alignment);
            if global.name.is_empty() {
                global.name = format!("text@{}", id.into_raw().into_u32());
            }
        }
    }
}

/// True for a constant of which the residual program has a copy.
fn is_copied(global: &Global) -> bool {
    let is_private = global.linkage == Linkage::Internal && !global.thread_local;
    is_private && global.constant
}
