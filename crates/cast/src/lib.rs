//! CAST, the C Abstract Syntax Tree: all C that whittle reads or writes.
//!
//! In: `stubs` and `present` build it, `front-c` reads it. Out: C text, and the findings of the
//! verifier, which knows a wrong tree before a C compiler does. C is never glued together from strings:
//! declarators and parentheses are the printer's business alone. Source: C11 (ISO 9899:2011) sections 6.5-6.9.

pub mod build;
mod declarations_first;
mod expression;
mod initializer;
mod ir;
mod layout;
mod names;
mod print;
mod program;
mod rename;
mod types;
mod verify;

pub use declarations_first::declarations_first;
pub use escape::c::{Comment, IncludePath};
pub use expression::{BinaryOperator, Designator, Expression, ExpressionKind, Initializer, UnaryOperator};
pub use initializer::{Bits, Placed, Resolved, Unresolved, resolve_initializer};
pub use ir::{
    CaseLabel, Condition, Conditional, Declaration, Definition, Enumeration, File, Function, Include, Linkage,
    Parameter, Record, RecordKind, Requirement, Statement, Storage, SwitchArm, Variable,
};
pub use layout::{array_length, integer_value};
pub use print::{fold_lines, print_declarations, print_expression, print_file, print_file_as_rpcgen, print_type};
pub use program::{EnumerationLayout, FieldLayout, Layout, Program, Target, TypeDeclaration, TypeTable, Typedef, Unit};
pub use rename::{
    NameOf, Rename, rename_declaration, rename_expression, rename_function, rename_statements, rename_type,
    rename_variable,
};
pub use types::{Field, FunctionType, OpaqueType, Qualifiers, Scalar, TagKind, Type};
pub use verify::{Known, verify};
