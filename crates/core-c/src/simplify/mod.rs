//! Clean-ups of functions that were made by machine, so that they say what they do in few words.
//!
//! In: a function. Out: one that does the same, whose temporaries are gone where an expression can stand in their place.
//! Each pass has a file of its own; none needs another to have run. Why: residual code names every intermediate
//! value, and people are to read it.

mod addresses;
mod alias;
mod blocks;
mod coalesce;
mod constants;
mod copies;
mod dead;
mod fold;
mod locals;
mod promote;
#[cfg(test)]
mod tests;
mod uses;

use crate::{Function, Program};

/// Rounds after which nothing new is expected; each one costs time in the size of the function.
const ROUNDS: usize = 6;

/// The function, simplified. It keeps its parameters; other locals and the blocks may get new numbers.
pub fn function(program: &Program, function: &Function) -> Function {
    let mut result = function.clone();
    for _ in 0..ROUNDS {
        let mut changed = constants::fold(program, &mut result);
        changed |= blocks::simplify(program, &mut result);
        changed |= promote::promote(program, &mut result);
        changed |= copies::propagate(program, &mut result);
        changed |= fold::fold(program, &mut result);
        changed |= dead::remove(program, &mut result);
        changed |= coalesce::coalesce(program, &mut result);
        if !changed {
            break;
        }
    }
    locals::remove_unused(&mut result);
    result
}
