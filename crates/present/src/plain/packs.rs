//! What messages are marshalled from and into: a structure for each message of an operation, a member for each value. In:
//! arguments. Out: stubs of types that only stubs know. Over ONC RPC the reply of an operation that raises exceptions is a
//! union: its number is 0 for results, or the exception's place among those that the operation raises, counted from 1. IIOP
//! has replies of another kind for them. Where words travel in registers, numbers go before all else (Flick, section 3.2: Fluke).

use aoi::Type;
use pres::{Argument, LinkKind, Member, NodeId, Passing, Pres, Raised, ScalarKind, Storage, TypeStubId, Way};

use super::capabilities;
use super::nodes::Nodes;
use crate::objects::{self, Message};

/// The structure of a message; `None` where nothing travels.
pub(super) fn pack(
    nodes: &mut Nodes,
    client: &str,
    arguments: &[(Argument, &Type)],
    raises: &[Raised],
    message: Message,
) -> Option<TypeStubId> {
    let is_iiop = nodes.link == LinkKind::Iiop;
    let raises = if is_iiop { &[] } else { raises };
    let is_direct = raises.is_empty() && arguments.iter().all(|(argument, _)| argument.way != Way::InOut);
    let mut members = Vec::new();
    // What a function returns goes before all that it gives back (CORBA 3.3 part 2, section 9.4.3).
    let is_first = |(argument, _): &&(Argument, &Type)| is_iiop && argument.way == Way::Result;
    let (first, others): (Vec<_>, Vec<_>) = arguments.iter().partition(is_first);
    for (argument, ty) in first.into_iter().chain(others).filter(|(argument, _)| message.has(argument.way)) {
        let value = nodes.ty(ty);
        let node = match message {
            Message::ClientRequest if is_simple(argument) => value,
            Message::ClientRequest => nodes.tree.reference(value, Storage::Caller, true),
            // Unmarshalled into the caller's storage; where something is replaced all must be known to be good before.
            Message::ClientReply if is_direct => nodes.tree.reference(value, Storage::Caller, false),
            Message::ServerReply if argument.way == Way::InOut => nodes.tree.reference(value, Storage::Caller, false),
            _ => value,
        };
        members.push(Member { name: argument.name.clone(), node });
    }
    if nodes.link == LinkKind::Fluke {
        // What fits into a word goes first, so that it travels in a register.
        members.sort_by_key(|member| !is_word(nodes, member.node));
    }
    objects::pack(&mut nodes.tree, (client, message), members, raises)
}

/// A number, or the place of one in the caller's storage.
fn is_word(nodes: &Nodes, node: NodeId) -> bool {
    match &nodes.tree.pres.nodes[node].pres {
        Pres::Direct(kind) => *kind != ScalarKind::Quadruple,
        Pres::Reference { target, .. } => is_word(nodes, *target),
        Pres::Named(stub) => is_word(nodes, nodes.tree.pres.types[*stub].node),
        Pres::External { routine, .. } => routine == capabilities::ROUTINE,
        _ => false,
    }
}

fn is_simple(argument: &Argument) -> bool {
    argument.count.is_some() || matches!(argument.passing, Passing::Value | Passing::Text)
}
