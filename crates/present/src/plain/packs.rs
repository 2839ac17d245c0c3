//! What messages are marshalled from and into: a structure for each message of an operation, a member for each value. In:
//! arguments. Out: stubs of types that only stubs know. Over ONC RPC the reply of an operation that raises exceptions is a
//! union: its number is 0 for results, or the exception's place among those that the operation raises, counted from 1. IIOP
//! has replies of another kind for them.

use aoi::{Type, Value};
use cast::{Field, Record, RecordKind, Type as C};
use pres::{Argument, Carrier, DefaultArm, Member, NodeId, Passing, Raised, Storage, TypeStubId, Way};

use super::c_types::BODY;
use super::nodes::Nodes;
use crate::objects::Message;
use crate::tree::Case;

/// The structure of a message; `None` where nothing travels.
pub(super) fn pack(
    nodes: &mut Nodes,
    client: &str,
    arguments: &[(Argument, &Type)],
    raises: &[Raised],
    message: Message,
) -> Option<TypeStubId> {
    let is_iiop = nodes.carrier == Carrier::Iiop;
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
    let name = format!("whittle_{client}_{}", message.ending());
    let ty = C::structure(&name);
    let node = match message.is_reply() && !raises.is_empty() {
        true => outcome(nodes, members, raises, ty.clone()),
        false if members.is_empty() => return None,
        false => nodes.tree.structure(members, ty.clone()),
    };
    Some(nodes.tree.stub_of(name, ty, node))
}

fn is_simple(argument: &Argument) -> bool {
    argument.count.is_some() || matches!(argument.passing, Passing::Value | Passing::Text)
}

/// Results, or the members of one of the exceptions.
fn outcome(nodes: &mut Nodes, results: Vec<Member>, raises: &[Raised], ty: C) -> NodeId {
    let number = nodes.tree.integer(32, false, C::named("uint32_t"));
    let discriminant = Member { name: pres::RAISED.to_string(), node: number };
    let mut bodies = vec![(!results.is_empty()).then(|| {
        let field =
            |member: &Member| Field { name: member.name.clone(), ty: nodes.tree.pres.nodes[member.node].ty.clone() };
        let fields = results.iter().map(field).collect();
        let record = Record { kind: RecordKind::Struct, tag: None, fields };
        let node = nodes.tree.structure(results.clone(), C::Anonymous(Box::new(record)));
        Member { name: pres::RESULTS.to_string(), node }
    })];
    for raised in raises {
        let member = raised.stub.map(|stub| {
            let mint = nodes.tree.message(nodes.tree.pres.types[stub].node);
            let node = nodes.tree.named(stub, raised.ty.clone(), mint);
            Member { name: raised.id.clone(), node }
        });
        bodies.push(member);
    }
    let fields = bodies
        .iter()
        .flatten()
        .map(|member| Field { name: member.name.clone(), ty: nodes.tree.pres.nodes[member.node].ty.clone() });
    let mut fields: Vec<Field> = fields.collect();
    if fields.is_empty() {
        fields.push(Field { name: "nothing".to_string(), ty: C::CHAR });
    }
    let union = C::Anonymous(Box::new(Record { kind: RecordKind::Union, tag: None, fields }));
    let numbers: Vec<Value> = (0..bodies.len()).map(number_of).collect();
    let cases: Vec<Case> = numbers.iter().map(std::slice::from_ref).zip(bodies).collect();
    nodes.tree.union(discriminant, (BODY, union), cases, DefaultArm::Error, ty)
}

fn number_of(place: usize) -> Value {
    Value::Integer { value: i128::try_from(place).unwrap_or_default(), spelling: place.to_string() }
}
