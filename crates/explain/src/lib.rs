//! What the specializer did, as people ask for it: why something is not known, what is left of a function or a line, the source
//! in colours, and counts by kind.
//!
//! In: the program, the trace of its specialization and the names people use. Out: findings, listings and pages; the sentences
//! around them are the driver's. Nothing is decided here: what the trace does not say is not shown. Source: Muller, Marlet,
//! Volanschi, "Accurate Program Analyses for Successful Specialization of Legacy System Software" (figure 8, section 2.3).

pub mod display;
mod left;
mod near;
mod statistics;
mod why;

pub use left::{Left, left_of_function, left_of_place};
pub use near::{names_like, parts_of};
pub use statistics::{Statistics, statistics};
pub use why::{Answer, why};

use core_c::{BlockId, Expression, Few, FunctionId, Program, Statement};
use source::Span;

/// A construct of the program, by function, block and position.
type Place = (FunctionId, BlockId, usize);

/// The statement at a place; none at the end of the block.
fn statement(program: &Program, (function, block, at): Place) -> Option<&Statement> {
    program.functions[function].blocks[block].statements.get(at)
}

fn span(program: &Program, place: Place) -> Option<Span> {
    statement(program, place).map_or(program.functions[place.0].blocks[place.1].span, |statement| statement.span)
}

/// The expressions of a construct, in the order in which the trace has their values.
fn expressions(program: &Program, place: Place) -> Few<&Expression> {
    let block = &program.functions[place.0].blocks[place.1];
    statement(program, place).map_or_else(|| block.end.expressions(), |statement| statement.kind.expressions())
}
