//! The answer: checked, and its values handed out in the caller's variables.

use cast::{Expression, Statement, Type, build};
use mig::{Complexity, Item, Length, Shape};

use super::super::descriptors::{Descriptors, Form};
use super::super::parameters::{self, Kind, kind};
use super::super::side::{Side, any, at, call, checked, head, number, untyped, var};
use super::super::unpack::{Arriving, is_complex};
use super::super::walk::{self, elements, flag, most_elements, times, value_of};
use super::dereferenced;

/// An answer has all its items, or a return code alone that says why not.
pub(super) fn check_head(arriving: &Arriving<'_>, descriptors: &mut Descriptors) -> Vec<Statement> {
    let message = arriving.message;
    let code = call(
        "mig_differ",
        vec![at("mig_out", "mig_type_code"), var(descriptors.constant(Form::integer(arriving.side)))],
    );
    if message.items.is_empty() {
        let faults = vec![is_complex("mig_out"), arriving.wrong_size(head("mig_out", "msgh_size")), code];
        return arriving.refuse(faults).into_iter().collect();
    }
    let size = || var("mig_size");
    let mut statements = vec![build::assign(size(), head("mig_out", "msgh_size"))];
    let has_failed_alone = [
        build::not_equal(size(), build::sizeof_type(Type::named("mig_reply_header_t"))),
        build::equal(at("mig_out", "mig_code"), var("KERN_SUCCESS")),
    ];
    let fault = if message.received == Complexity::Never {
        let alone = has_failed_alone.into_iter().reduce(build::or);
        let wrong = alone.map(|alone| build::and(arriving.wrong_size(size()), alone));
        any([Some(is_complex("mig_out")), wrong].into_iter().flatten().collect())
    } else {
        statements.push(build::assign(var("mig_simple"), build::not(is_complex("mig_out"))));
        let whole = match message.received {
            Complexity::Always => build::or(arriving.wrong_size(size()), var("mig_simple")),
            _ => arriving.wrong_size(size()),
        };
        let [is_longer, is_success] = has_failed_alone;
        let alone = any(vec![is_longer, build::not(var("mig_simple")), is_success]);
        alone.map(|alone| build::and(whole, alone))
    };
    let fault = fault.map(|fault| build::or(fault, code));
    statements.extend(fault.map(|fault| build::when(checked(fault), arriving.fault.clone())));
    statements
}

/// An item of the answer, in the caller's variables.
pub(super) fn hand_out(item: &Item<'_>, arriving: &Arriving<'_>) -> Vec<Statement> {
    let (argument, ty, side) = (item.argument, item.ty(), arriving.side);
    let place = value_of("mig_out", item);
    let target = var(&argument.name);
    let counted = elements("mig_out", item);
    let mut statements = Vec::new();
    match ty.length {
        _ if !ty.is_inline => statements.push(build::assign(dereferenced(target), place)),
        Length::AtMost(_) if ty.shape == Shape::Array => return hand_out_array(item, side),
        Length::Any(_) => statements.push(hand_out_any(item, side)),
        Length::Fixed if ty.shape == Shape::Value => {
            let place =
                if side.is_widened(ty) && ty.units == 1 { build::member(place, "name", untyped()) } else { place };
            statements.push(build::assign(dereferenced(target), place));
        }
        Length::Fixed if ty.shape == Shape::Array => {
            statements.push(copied(target, place, side, ty, None));
        }
        _ => {
            let most = if ty.is_variable() { most_elements(ty) } else { ty.bytes() };
            let copy = call(side.run_time("mig_strncpy"), vec![target, place, number(most)]);
            statements.push(Statement::Expression(build::cast(Type::Void, copy)));
        }
    }
    statements.extend(particulars(item, arriving, counted));
    statements
}

/// What else the caller hears of an item.
fn particulars(item: &Item<'_>, arriving: &Arriving<'_>, counted: Expression) -> Vec<Statement> {
    let argument = item.argument;
    let mut statements = Vec::new();
    if parameters::has_count(argument) {
        statements.push(build::assign(dereferenced(var(format!("{}Cnt", argument.name))), counted));
    }
    if kind(argument, arriving.side) == Kind::Out {
        let name = walk::count("mig_out", item, "name");
        statements.push(build::assign(dereferenced(var(format!("{}Poly", argument.name))), name));
    }
    statements
}

/// Copies elements out of the message; rights become as narrow as names are.
fn copied(
    to: Expression,
    from: Expression,
    side: &Side<'_>,
    ty: &mig::Type,
    elements: Option<&Expression>,
) -> Statement {
    let (copy, each) = if side.is_widened(ty) { ("mig_narrow", ty.units) } else { ("memcpy", ty.bytes()) };
    let amount = elements.map_or_else(|| number(each), |elements| times(each, elements.clone()));
    let copy = call(copy, vec![to, from, amount]);
    Statement::Expression(copy)
}

/// An array that the caller has room for, up to a length: what does not fit is cut off, and the caller hears how much there was.
fn hand_out_array(item: &Item<'_>, side: &Side<'_>) -> Vec<Statement> {
    let argument = item.argument;
    let first = argument.same_count_as.as_deref();
    let room = dereferenced(var(format!("{}Cnt", first.unwrap_or(&argument.name))));
    let counted = elements("mig_out", item);
    let is_more = build::greater(counted.clone(), room.clone());
    let fitting = build::conditional(is_more.clone(), room.clone(), counted.clone());
    let copy = copied(var(&argument.name), value_of("mig_out", item), side, item.ty(), Some(&fitting));
    let too_large = build::returns(var("MIG_ARRAY_TOO_LARGE"));
    if first.is_some() {
        return vec![copy, build::when(is_more, vec![too_large])];
    }
    let tell = build::assign(room, counted);
    vec![copy, build::when(is_more, vec![tell.clone(), too_large]), tell]
}

/// An array of any length: the caller's room if it fits, memory of its own otherwise.
fn hand_out_any(item: &Item<'_>, side: &Side<'_>) -> Statement {
    let (argument, ty) = (item.argument, item.ty());
    let target = var(&argument.name);
    let place = value_of("mig_out", item);
    let counted = elements("mig_out", item);
    let room = dereferenced(var(format!("{}Cnt", argument.same_count_as.as_deref().unwrap_or(&argument.name))));
    let elsewhere = build::member(place.clone(), "elsewhere", untyped());
    let data = build::member(place, "data", untyped());
    let element = if side.is_widened(ty) { ty.units * u64::from(side.bits(ty, false)) / 8 } else { ty.bytes() };
    let address = build::cast(Type::named("vm_address_t").pointer(), target.clone());
    let allocate = call(side.run_time("mig_allocate"), vec![address, times(element, counted.clone())]);
    let is_more = build::greater(counted.clone(), room);
    let is_inline = flag("mig_out", item, "inline");
    let pointer = build::cast(side.function_type(ty), elsewhere);
    build::when_else(
        build::not(is_inline),
        vec![build::assign(dereferenced(target.clone()), pointer)],
        vec![
            build::when(is_more, vec![Statement::Expression(allocate)]),
            copied(dereferenced(target), data, side, ty, Some(&counted)),
        ],
    )
}
