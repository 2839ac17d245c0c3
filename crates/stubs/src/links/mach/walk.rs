//! What packing and unpacking a message share: the pointers that lead to items, and the bytes that varying ones take.

use cast::{BinaryOperator, Expression, Statement, Type, UnaryOperator, build};
use mig::{Item, Length, Type as MigType};

use super::records::descriptor;
use super::side::{Side, at, number, untyped, var};

/// The pointer that leads to items behind `shift` ones of varying length.
pub(super) fn pointer(base: &str, shift: usize) -> String {
    if shift == 0 { base.to_owned() } else { format!("{base}_{shift}") }
}

/// An item's descriptor.
pub(super) fn descriptor_of(base: &str, item: &Item<'_>) -> Expression {
    at(&pointer(base, item.shift), &descriptor(item))
}

/// An item's value.
pub(super) fn value_of(base: &str, item: &Item<'_>) -> Expression {
    at(&pointer(base, item.shift), &item.name)
}

/// A member of a descriptor that both forms have: `name`, `size`, `number`.
pub(super) fn count(base: &str, item: &Item<'_>, name: &str) -> Expression {
    let form = if item.is_long() { "msgtl" } else { "msgt" };
    build::member(descriptor_of(base, item), format!("{form}_{name}"), untyped())
}

/// A flag of a descriptor: `inline`, `deallocate`.
pub(super) fn flag(base: &str, item: &Item<'_>, name: &str) -> Expression {
    let whole = descriptor_of(base, item);
    let header = if item.is_long() { build::member(whole, "msgtl_header", untyped()) } else { whole };
    build::member(header, format!("msgt_{name}"), untyped())
}

/// How many elements an item has, by its descriptor.
pub(super) fn elements(base: &str, item: &Item<'_>) -> Expression {
    let units = count(base, item, "number");
    match item.ty().units {
        1 => units,
        each => build::binary(units, BinaryOperator::Divide, number(each)),
    }
}

/// `each * count`
pub(super) fn times(each: u64, count: Expression) -> Expression {
    if each == 1 { count } else { build::multiply(number(each), count) }
}

/// Bytes that an item of varying length takes in a message, of so many units.
pub(super) fn bytes(base: &str, item: &Item<'_>, units: Expression, side: &Side<'_>) -> Expression {
    let ty = item.ty();
    let (unit, word) = (u64::from(ty.bits) / 8, side.word().bytes());
    // Unsigned, since the short form counts in bits of an `int`.
    let taken = if unit == 1 { units } else { build::multiply(build::unsigned(unit), units) };
    let inside = if unit.is_multiple_of(word) {
        taken
    } else {
        let rest = || build::unsigned(word - 1);
        let whole = build::unary(UnaryOperator::Complement, rest());
        build::binary(build::add(taken, rest()), BinaryOperator::BitAnd, whole)
    };
    if ty.is_any() { build::conditional(flag(base, item, "inline"), inside, number(word)) } else { inside }
}

/// Most units that an item has in the message.
pub(super) fn most_units(ty: &MigType) -> u64 {
    match ty.length {
        Length::Fixed => ty.units,
        Length::AtMost(most) | Length::Any(most) => ty.units * most,
    }
}

/// Most elements that an item has in the message.
pub(super) fn most_elements(ty: &MigType) -> u64 {
    match ty.length {
        Length::Fixed => 1,
        Length::AtMost(most) | Length::Any(most) => most,
    }
}

/// The pointer to what follows an item of varying length, which takes `mig_delta` bytes.
pub(super) fn moved(base: &str, item: &Item<'_>, tag: &str, side: &Side<'_>) -> Statement {
    let bytes = build::cast(Type::CHAR.pointer(), var(pointer(base, item.shift)));
    let place = build::subtract(build::add(bytes, var("mig_delta")), number(item.room(side.word())));
    let ty = Type::structure(tag).pointer();
    build::local(pointer(base, item.shift + 1), ty.clone(), Some(build::cast(ty, place)))
}

/// `unsigned int`
pub(super) fn unsigned() -> Type {
    Type::Scalar(cast::Scalar::UnsignedInt)
}
