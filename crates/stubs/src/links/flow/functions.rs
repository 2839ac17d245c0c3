//! The functions that a description of a packet names. In: how it travels. Out: CAST.

use std::collections::BTreeSet;

use cast::build::{
    add, arrow, call, greater, integer, local, multiply, name, null, parameter, returns, sizeof_value, when,
};
use cast::{Declaration, Expression, Linkage, Parameter, Statement, Type};
use pres::{Packet, Pres, PresC};

use super::Use;
use super::in_place::{Counted, Element, InPlace, root};
use super::layout::{Layouts, offset_of, truth};
use crate::reserved::clear_of;

/// The routines of an encoded packet.
pub(super) struct Coding {
    pub(super) encode: String,
    pub(super) decode: String,
    /// Where values own storage.
    pub(super) release: Option<String>,
    /// Whether words lie in the machine's order; `None` under CDR, where routines know.
    pub(super) is_host: Option<bool>,
}

/// `used` and `valid`, where the packet needs them; `in_range` is the function that looks at its numbers, where one does.
pub(super) fn in_place(
    pres: &PresC,
    packet: &Packet,
    (in_place, in_range): (&InPlace, Option<&str>),
    layouts: &mut Layouts,
    used: &mut BTreeSet<String>,
) -> Vec<Declaration> {
    let mut declarations = Vec::new();
    if let Some(counted) = &in_place.counted {
        let body = used_body(pres, packet, counted, layouts);
        let of = name_of("used", packet, layouts.reserved);
        declarations.push(function(of, Type::named("uint32_t"), vec![given(&layouts.clear("packet"))], body));
    }
    if in_place.has_booleans {
        used.insert("are_truths".to_string());
        let mut body = valid_body(pres, packet, in_place, layouts);
        let looked_at = name(layouts.clear("packet"), Type::Void.constant().pointer());
        body.push(returns(
            in_range.map_or_else(|| truth(true), |valid| call(valid, vec![looked_at], Type::named("bool"))),
        ));
        let of = name_of("valid_packet", packet, layouts.reserved);
        declarations.push(function(of, Type::named("bool"), vec![given(&layouts.clear("packet"))], body));
    }
    declarations.into_iter().flat_map(|function| [function, Declaration::Blank]).collect()
}

/// The function that says whether a packet in memory is a value of its type; none where it always is.
pub(super) fn valid(
    packet: &Packet,
    in_place: &InPlace,
    in_range: Option<String>,
    reserved: &BTreeSet<String>,
) -> Option<String> {
    if in_place.has_booleans { Some(name_of("valid_packet", packet, reserved)) } else { in_range }
}

/// The name of a packet's function, clear of what the header declares.
pub(super) fn name_of(what: &str, packet: &Packet, reserved: &BTreeSet<String>) -> String {
    clear_of(&format!("{what}_{}", packet.name), |name| reserved.contains(name))
}

/// `const T *const v = (const T *)packet;`
fn typed(pres: &PresC, packet: &Packet, layouts: &Layouts) -> (Statement, Expression) {
    let pointer = pres.types[packet.stub].ty.clone().constant().pointer();
    let value = cast::build::cast(pointer.clone(), name(layouts.clear("packet"), Type::Void.constant().pointer()));
    let v = layouts.clear("v");
    (local(v.as_str(), pointer.clone().constant(), Some(value)), name(v, pointer))
}

/// How many bytes there are in all; 0 where the count is over its bound.
fn used_body(pres: &PresC, packet: &Packet, counted: &Counted, layouts: &Layouts) -> Vec<Statement> {
    let (declared, v) = typed(pres, packet, layouts);
    let count = arrow(v.clone(), counted.count.as_str(), Type::named("uint32_t"));
    let mut body = vec![declared];
    if let Some(bound) = &counted.bound {
        body.push(when(greater(count.clone(), bound.c.clone()), vec![returns(integer(0))]));
    }
    let array = arrow(v, counted.array.name.as_str(), pres.nodes[counted.array.node].ty.clone());
    let item = sizeof_value(cast::build::index(array, integer(0)));
    let count = cast::build::cast(Type::named("size_t"), count);
    let bytes = if matches!(counted.element, Element::Byte) { count } else { multiply(count, item) };
    let all = add(offset_of(&pres.types[packet.stub].ty, &counted.array.name, counted.fixed), bytes);
    body.push(returns(cast::build::cast(Type::named("uint32_t"), all)));
    body
}

fn valid_body(pres: &PresC, packet: &Packet, in_place: &InPlace, layouts: &mut Layouts) -> Vec<Statement> {
    let (declared, v) = typed(pres, packet, layouts);
    let node = root(pres, pres.types[packet.stub].node);
    let mut body = vec![declared];
    match (&in_place.counted, &pres.nodes[node].pres) {
        (Some(counted), Pres::Structure(members)) => {
            for member in members {
                let value = arrow(v.clone(), member.name.as_str(), pres.nodes[member.node].ty.clone());
                if member.name != counted.array.name {
                    body.extend(layouts.truths(pres, member.node, &value, 0));
                    continue;
                }
                if let Element::Node(element, image) = counted.element
                    && image.has_booleans
                {
                    let count = arrow(v.clone(), counted.count.as_str(), Type::named("uint32_t"));
                    body.extend(layouts.items(pres, element, &value, count, 0));
                }
            }
        }
        _ => body.extend(layouts.truths(pres, node, &cast::build::dereference(v), 0)),
    }
    body
}

/// The functions that `struct whittle_flow_type` has for a packet, around its routines.
pub(super) fn coding(of: &Use, names: &Coding, reserved: &BTreeSet<String>) -> Vec<Declaration> {
    let host = names.is_host.map(truth);
    let family = if host.is_some() { "whittle_" } else { "whittle_cdr_" };
    let release = names.release.as_deref().map_or_else(null, routine);
    let writing = host.clone().into_iter().chain([routine(&names.encode)]).collect();
    let reading = host.into_iter().chain([routine(&names.decode), release]).collect();
    around(of, family, (Vec::new(), writing), (Vec::new(), reading), reserved)
}

/// A routine's name, as an argument.
pub(super) fn routine(routine: &str) -> Expression {
    name(routine, Type::Void)
}

/// What stands before a call's own arguments and behind them.
type Beside = (Vec<Expression>, Vec<Expression>);

/// Both functions, which call `FAMILYwrite` and `FAMILYread`.
pub(super) fn around(
    of: &Use,
    family: &str,
    writing: Beside,
    reading: Beside,
    reserved: &BTreeSet<String>,
) -> Vec<Declaration> {
    let (bytes, size) = (Type::named("uint8_t"), || Type::named("size_t"));
    let beside = |(before, behind): Beside, own: [&str; 3]| {
        let own = own.map(|own| name(own, Type::Void));
        before.into_iter().chain(own).chain(behind).collect::<Vec<_>>()
    };
    let write = function(
        coding_name("write", of, reserved),
        size(),
        vec![given("packet"), parameter("at", bytes.clone().pointer()), parameter("room", size())],
        vec![returns(call(format!("{family}write"), beside(writing, ["packet", "at", "room"]), size()))],
    );
    let is_read = call(format!("{family}read"), beside(reading, ["packet", "at", "bytes"]), Type::named("bool"));
    let read = function(
        coding_name("read", of, reserved),
        Type::named("bool"),
        vec![
            parameter("packet", Type::Void.pointer()),
            parameter("at", bytes.constant().pointer()),
            parameter("bytes", size()),
        ],
        vec![returns(is_read)],
    );
    [write, read].into_iter().flat_map(|function| [Declaration::Blank, function]).chain([Declaration::Blank]).collect()
}

/// `write_Frame_xdr`.
pub(super) fn coding_name(what: &str, of: &Use, reserved: &BTreeSet<String>) -> String {
    clear_of(&format!("{what}_{}_{}", of.packet.name, of.encoding.name()), |name| reserved.contains(name))
}

fn given(what: &str) -> Parameter {
    parameter(what, Type::Void.constant().pointer())
}

fn function(name: String, result: Type, parameters: Vec<Parameter>, body: Vec<Statement>) -> Declaration {
    cast::build::function(Linkage::Static, result, name, parameters, body)
}
