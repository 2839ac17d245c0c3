//! Stores that need not be made: overwritten before anybody looks, made anew each round of a loop, or of constants that an object of
//! its own can hold ([`constants`]).
//!
//! In: a residual function, and which of its registers point to what nobody else reaches (the scenario's word, from the
//! function's beginning on). Out: the same with fewer stores; what it leaves in memory where it ends, and what any call can
//! see, is as before. Why: objects that are in the residual program's memory have every store written through while it is
//! made, so that a stream's position is stored once for each item. Source: the partially dead stores and the promotion of
//! memory to registers of Muchnick, "Advanced Compiler Design and Implementation" (1997), with ranges of bytes for names.

mod bases;
mod carried;
pub(crate) mod constants;
mod contents;
mod dead;
mod initial;
mod leaks;
mod lent;
mod objects;
mod ranges;

use std::collections::BTreeSet;

use core_c::{Function, LocalId, Program};

use crate::library::effects::Effects;
use bases::Bases;
use leaks::Leaks;

/// Parts that are made registers, at most: each looks at the whole function again.
const CARRIED: usize = 64;

/// The function without such stores.
pub(crate) fn reduce(program: &Program, effects: &Effects, function: &mut Function, private: &BTreeSet<LocalId>) {
    for _ in 0..CARRIED {
        // Registers that carry an address lead somewhere, too.
        let bases = Bases::of(program, function, private);
        let leaks = Leaks::of(program, function, effects, &bases);
        dead::remove(function, &bases, &leaks);
        if !carried::carry(program, function, &bases, &leaks) {
            break;
        }
    }
}
