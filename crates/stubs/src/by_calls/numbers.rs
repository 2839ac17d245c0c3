//! The library's routines for numbers. In: a number's kind, its C type. Out: the routine's name.

use cast::Type;
use pres::ScalarKind;

/// Numbers' types of which each is called as the library's routine.
const NUMBERS: [&str; 18] = [
    "char", "u_char", "short", "u_short", "int", "u_int", "long", "u_long", "quad_t", "u_quad_t", "int8_t", "uint8_t",
    "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t",
];

/// The library's routine of a number: as its C type is called, or as another type of that width is.
pub(super) fn scalar(kind: ScalarKind, ty: &Type) -> String {
    let name = cast::print_type(ty);
    let is_known = NUMBERS.contains(&name.as_str()) && !matches!(kind, ScalarKind::Boolean);
    let name = match kind {
        _ if is_known => name.as_str(),
        ScalarKind::Boolean => "bool",
        ScalarKind::Enumeration { .. } => "enum",
        ScalarKind::Integer { bits: 8, signed: true } => "char",
        ScalarKind::Integer { bits: 8, .. } => "u_char",
        ScalarKind::Integer { bits: 16, signed: true } => "short",
        ScalarKind::Integer { bits: 16, .. } => "u_short",
        ScalarKind::Integer { bits: 64, signed: true } => "int64_t",
        ScalarKind::Integer { bits: 64, .. } => "uint64_t",
        ScalarKind::Integer { signed: true, .. } => "int",
        ScalarKind::Integer { .. } => "u_int",
        ScalarKind::Long { signed: true } => "long",
        ScalarKind::Long { .. } => "u_long",
        ScalarKind::Float { bits: 32 } => "float",
        ScalarKind::Float { .. } => "double",
        ScalarKind::Quadruple => "quadruple",
    };
    format!("xdr_{name}")
}
