//! Projections of subscribers: for each edge whose subscriber selects fields, the C function by which the sender makes the receiver's
//! packet of its own, and the type that its own has. In: the packets as C has them, and a link. Out: `static void part_…(void *part,
//! const void *whole)` and `static const struct whittle_flow_projection projection_…`. Why: what nobody wants is neither encoded nor
//! sent. Source: `xip::network::selections` (which fields may be selected); `whittle_flow.h`.

use cast::build::{self, address, arrow, assign, multiply, name, parameter, sizeof_value};
use cast::{Declaration, Linkage, Statement, Type};
use pres::{Member, NodeId, Packet, Pres, PresC};
use xip::Network;

use crate::naming;
use crate::shorthand::{function, members, object, perform};
use crate::stage::packet_type;

/// The structure of the run time.
const PROJECTION: &str = "whittle_flow_projection";

/// The name of a link's projection.
pub(crate) fn object_name(network: &Network, link: usize) -> String {
    format!("projection_{}", naming::link(network, link))
}

/// What a sender of a link needs to make its receiver's packets; nothing where they are its own.
pub(crate) fn declarations(pres: &PresC, network: &Network, number: usize) -> Option<Vec<Declaration>> {
    let link = &network.links[number];
    link.contract.select.as_ref()?;
    let fields = |ty: &str| pres.packets.iter().find(|packet| packet.name == ty).and_then(|of| structure(pres, of));
    let (whole, part) = (fields(&network.port(link.from).ty.text)?, fields(&network.port(link.to).ty.text)?);
    let function_name = format!("part_{}", naming::link(network, number));
    let void = || Type::Void;
    let (from, to) = (packet_type(network, link.from).constant(), packet_type(network, link.to));
    let view = |variable: &str, ty: &Type, of: &str| {
        build::local(variable, ty.clone().pointer().constant(), Some(name(of, void().pointer())))
    };
    let mut body = vec![view("it", &from, "whole"), view("to", &to, "part")];
    let is_in_both = |member: &&Member| whole.iter().any(|own| own.name == member.name);
    body.extend(part.iter().filter(is_in_both).map(|member| taken(pres, member, (&from, &to))));
    let parameters = vec![parameter("part", void().pointer()), parameter("whole", void().constant().pointer())];
    let values = vec![
        ("whole", address(name(crate::edge::whole_type(network, link), void()))),
        ("take", name(function_name.as_str(), void())),
    ];
    Some(vec![
        function(Linkage::Static, void(), function_name, parameters, body),
        object(object_name(network, number), Type::structure(PROJECTION).constant(), Some(members(values))),
    ])
}

fn structure<'a>(pres: &'a PresC, packet: &Packet) -> Option<&'a [Member]> {
    if let Pres::Structure(members) = behind(pres, pres.types[packet.stub].node) { Some(members) } else { None }
}

/// Behind all names for it.
fn behind(pres: &PresC, node: NodeId) -> &Pres {
    let mut node = node;
    // A chain of names has as many as there are types at most.
    for _ in 0..=pres.types.len() {
        let Pres::Named(next) = &pres.nodes[node].pres else { break };
        node = pres.types[*next].node;
    }
    &pres.nodes[node].pres
}

/// A field of the sender's packet becomes one of the receiver's; of an array that is not full, what is used. What a pointer leads to
/// stays the sender's.
fn taken(pres: &PresC, field: &Member, (from, to): (&Type, &Type)) -> Statement {
    let ty = || pres.nodes[field.node].ty.clone();
    let of = |variable: &str, packet: &Type| arrow(name(variable, packet.clone().pointer()), field.name.as_str(), ty());
    let (mine, theirs) = (of("it", from), of("to", to));
    let (source, target, bytes) = match behind(pres, field.node) {
        Pres::Direct(_) => return assign(theirs, mine),
        Pres::InlineArray { count, .. } | Pres::InlineBytes { count, .. } => {
            let count = arrow(name("it", from.clone().pointer()), count.as_str(), Type::named("uint32_t"));
            let item = sizeof_value(build::index(theirs.clone(), build::integer(0)));
            (mine, theirs, multiply(build::cast(Type::named("size_t"), count), item))
        }
        // Structures without a name are of one form, and not of one type.
        _ => (address(mine), address(theirs.clone()), sizeof_value(theirs)),
    };
    perform("memcpy", vec![target, source, bytes])
}
