//! CAST to C text. In: a tree. Out: C that a person would have written: four spaces, one declarator a line,
//! parentheses only where the one precedence table asks for them, lines of at most about 110 columns, and no line of more
//! than 120 that holds several words.

mod declaration;
mod declarator;
mod expression;
mod folding;
mod statement;
mod writer;

use crate::{Declaration, Expression, File, Type};
use writer::Writer;

/// The text of a whole file.
pub fn print_file(file: &File) -> String {
    print_declarations(&file.declarations)
}

/// The same with each function's head as rpcgen writes it, so that what looks for `^add_1(` or `^xdr_pair (` finds it: the result's
/// type stands on a line of its own.
pub fn print_file_as_rpcgen(file: &File) -> String {
    let mut writer = Writer::as_rpcgen();
    declaration::declarations(&mut writer, &file.declarations);
    writer.finish()
}

/// The text of some declarations.
pub fn print_declarations(declarations: &[Declaration]) -> String {
    let mut writer = Writer::default();
    declaration::declarations(&mut writer, declarations);
    writer.finish()
}

/// Declarations as their source spells them, without comments, whose lines are no longer than those of others.
pub fn fold_lines(text: &str) -> String {
    writer::fold_long(text)
}

/// The text of one expression.
pub fn print_expression(expression: &Expression) -> String {
    expression::text(expression)
}

/// The text of a type as in a cast: `char *(*)(int)`.
pub fn print_type(ty: &Type) -> String {
    declarator::declare(ty, "")
}
