//! The numbers of the interface language, and the typedefs that C headers give to numbers: C type, routine, width.

use aoi::Type as A;
use cast::{Scalar as C, Type};
use pres::ScalarKind;

/// A number: its C type, what it is in the message, and the library's routine for it.
pub(super) struct Scalar {
    pub(super) ty: Type,
    pub(super) kind: ScalarKind,
    pub(super) bits: u8,
    pub(super) routine: Option<&'static str>,
}

fn integer(ty: Type, bits: u8, signed: bool, routine: &'static str) -> Scalar {
    Scalar { ty, kind: ScalarKind::Integer { bits, signed }, bits, routine: Some(routine) }
}

/// The scalar that an AOI type is, if it is one.
pub(super) fn of_type(ty: &A) -> Option<Scalar> {
    let plain = |scalar, kind, bits, routine| Some(Scalar { ty: Type::Scalar(scalar), kind, bits, routine });
    match ty {
        A::Integer { bits, signed, spelling } => Some(spelled(*bits, *signed, spelling)),
        A::Float { bits: 32 } => plain(C::Float, ScalarKind::Float { bits: 32 }, 32, Some("xdr_float")),
        A::Float { bits: 64 } => plain(C::Double, ScalarKind::Float { bits: 64 }, 64, Some("xdr_double")),
        A::Float { bits } => {
            Some(Scalar { ty: Type::named("quadruple"), kind: ScalarKind::Quadruple, bits: *bits, routine: None })
        }
        A::Boolean => {
            let ty = Type::named("bool_t");
            Some(Scalar { ty, kind: ScalarKind::Boolean, bits: 1, routine: Some("xdr_bool") })
        }
        A::External(name) => external(name),
        _ => None,
    }
}

/// The C type follows the source's words (`long`, `u_int`); other languages' words are known by their width.
fn spelled(bits: u8, signed: bool, spelling: &str) -> Scalar {
    let is_long = spelling.split(' ').any(|word| word == "long" || word == "u_long");
    match (bits, signed) {
        (8, true) => integer(Type::CHAR, 8, true, "xdr_char"),
        (8, false) => integer(Type::named("u_char"), 8, false, "xdr_u_char"),
        (16, true) => integer(Type::Scalar(C::Short), 16, true, "xdr_short"),
        (16, false) => integer(Type::named("u_short"), 16, false, "xdr_u_short"),
        (64, true) => integer(Type::named("quad_t"), 64, true, "xdr_quad_t"),
        (64, false) => integer(Type::named("u_quad_t"), 64, false, "xdr_u_quad_t"),
        (_, true) if is_long => {
            Scalar { kind: ScalarKind::Long { signed }, ..integer(Type::LONG, 32, true, "xdr_long") }
        }
        (_, false) if is_long => {
            Scalar { kind: ScalarKind::Long { signed }, ..integer(Type::named("u_long"), 32, false, "xdr_u_long") }
        }
        (_, true) => integer(Type::INT, 32, true, "xdr_int"),
        (_, false) => integer(Type::named("u_int"), 32, false, "xdr_u_int"),
    }
}

/// Names that the C library defines, where libtirpc has the routine and it means the obvious.
fn external(name: &str) -> Option<Scalar> {
    let (bits, signed, routine) = match name {
        "int8_t" => (8, true, "xdr_int8_t"),
        "uint8_t" => (8, false, "xdr_uint8_t"),
        "u_int8_t" => (8, false, "xdr_u_int8_t"),
        "int16_t" => (16, true, "xdr_int16_t"),
        "uint16_t" => (16, false, "xdr_uint16_t"),
        "u_int16_t" => (16, false, "xdr_u_int16_t"),
        "int32_t" => (32, true, "xdr_int32_t"),
        "uint32_t" => (32, false, "xdr_uint32_t"),
        "u_int32_t" => (32, false, "xdr_u_int32_t"),
        "int64_t" => (64, true, "xdr_int64_t"),
        "uint64_t" => (64, false, "xdr_uint64_t"),
        "u_int64_t" => (64, false, "xdr_u_int64_t"),
        "quad_t" => (64, true, "xdr_quad_t"),
        "u_quad_t" => (64, false, "xdr_u_quad_t"),
        "longlong_t" => (64, true, "xdr_longlong_t"),
        "u_longlong_t" => (64, false, "xdr_u_longlong_t"),
        "u_char" => (8, false, "xdr_u_char"),
        "u_short" => (16, false, "xdr_u_short"),
        "u_int" => (32, false, "xdr_u_int"),
        "u_long" => {
            let kind = ScalarKind::Long { signed: false };
            return Some(Scalar { kind, ..integer(Type::named(name), 32, false, "xdr_u_long") });
        }
        _ => return None,
    };
    Some(integer(Type::named(name), bits, signed, routine))
}
