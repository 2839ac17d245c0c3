//! Interfaces: the functions of their operations, and the structures that messages are marshalled from and into. In:
//! interfaces of lifted AOI. Out: what links need of them ([`pres::Interface`]).

use aoi::{Aoi, Interface, Operation, Type};
use cast::Type as C;
use pres::{Ancestor, Argument, LinkKind, Member, Passing, Raised, TypeStubId, Way};

use super::c_types::{c_type, slice};
use super::kinds::Kinds;
use super::names;
use super::nodes::Nodes;
use super::passing::{Part, part, passed};
use crate::inheritance::{Known, all_operations, ancestors, repository_id};
use crate::objects::{self, Message};
use crate::programs;

/// An interface's stubs.
pub(super) fn build(nodes: &mut Nodes, known: &Known, interface: &Interface, imported: bool) -> pres::Interface {
    let name = names::of_interface(interface);
    let ancestor = |of: &Interface| Ancestor { name: names::of_interface(of), repository_id: repository_id(of) };
    let ancestors = ancestors(known, interface).into_iter().map(ancestor).collect();
    let is_local = objects::is_local(nodes.tree.aoi, interface);
    let is_numbered = nodes.link.is_onc();
    let listed = listed(nodes.tree.aoi, interface, nodes.link);
    let mut operations = Vec::new();
    for (at, (of, operation)) in listed.into_iter().enumerate() {
        let number = programs::procedure(nodes.tree.aoi, interface, operation, (at, nodes.link));
        let code = number.filter(|_| is_numbered).map(programs::code);
        let inherited_from = (!std::ptr::eq(of, interface)).then(|| names::of_interface(of));
        operations.push(pres::Operation { code, inherited_from, ..self::operation(nodes, &name, operation) });
    }
    let onc = programs::spelled(nodes.tree.aoi, interface).filter(|_| is_numbered);
    let repository_id = repository_id(interface);
    let dispatch = pres::Interface::dispatching(&name);
    pres::Interface { name, repository_id, onc, dispatch, ancestors, operations, imported, is_local }
}

/// The operations that an interface has functions for. A server of ONC RPC knows objects by one program, and one of Mach by one port: what
/// is inherited is called as its own; over IIOP as the ancestor's.
pub(super) fn listed<'a>(
    aoi: &'a Aoi,
    interface: &'a Interface,
    link: LinkKind,
) -> Vec<(&'a Interface, &'a Operation)> {
    match link {
        LinkKind::Onc | LinkKind::Tirpc | LinkKind::Fluke | LinkKind::Mach => all_operations(aoi, interface),
        LinkKind::Iiop | LinkKind::None => interface.operations.iter().map(|of| (interface, of)).collect(),
    }
}

fn operation(nodes: &mut Nodes, interface: &str, operation: &Operation) -> pres::Operation {
    let aoi = nodes.tree.aoi;
    let client = format!("{interface}_{}", operation.name);
    let mut arguments: Vec<(Argument, &Type)> = Vec::new();
    if operation.result != Type::Void {
        // No parameter begins with an underscore but words of C.
        arguments.push((argument(aoi, nodes.kinds, "_result", &operation.result, Way::Result), &operation.result));
    }
    for (at, parameter) in operation.parameters.iter().filter(|parameter| parameter.ty != Type::Void).enumerate() {
        let name = parameter.name.as_deref().map_or_else(|| format!("arg{}", at + 1), names::parameter);
        let way = objects::way(parameter.direction);
        arguments.push((argument(aoi, nodes.kinds, &name, &parameter.ty, way), &parameter.ty));
    }
    let raises: Vec<Raised> = operation.raises.iter().map(|id| raised(nodes, *id)).collect();
    let packs = Message::ALL.map(|message| pack(nodes, &client, &arguments, &raises, message));
    let borrows = arguments.iter().all(|(argument, ty)| match argument.way {
        Way::In => nodes.kinds.may_be_borrowed(ty),
        Way::InOut => !nodes.kinds.is_variable(ty),
        Way::Out | Way::Result => true,
    });
    let (mut results, parameters): (Vec<_>, Vec<_>) =
        arguments.into_iter().map(|(argument, _)| argument).partition(|argument| argument.way == Way::Result);
    pres::Operation {
        server: names::inner(&operation.name),
        result: results.pop(),
        parameters,
        raises,
        borrows,
        ..objects::operation(&mut nodes.tree.pres, operation, client, packs)
    }
}

fn argument(aoi: &Aoi, kinds: &Kinds, name: &str, ty: &Type, way: Way) -> Argument {
    let passing = kinds.passing(ty);
    // Strings are passed as pointers to characters, whatever their type is called.
    let c = c_type(aoi, if passing == Passing::Text { aoi.resolve(ty) } else { ty });
    let passed = passed(passing, way, &c, &slice(aoi, ty));
    Argument { name: name.to_string(), way, passing, count: None, ty: c, passed, release: kinds.release(ty) }
}

/// The structure of a message, with what travels in it; `None` where nothing does.
fn pack(
    nodes: &mut Nodes,
    client: &str,
    arguments: &[(Argument, &Type)],
    raises: &[Raised],
    message: Message,
) -> Option<TypeStubId> {
    let tells = nodes.link != LinkKind::Iiop;
    let raises = if tells && message.is_reply() { raises } else { &[] };
    let mut members = Vec::new();
    // As in the plain style what a function returns goes behind all that it gives back (CORBA has it before that).
    let is_last = |(argument, _): &&(Argument, &Type)| tells && argument.way == Way::Result;
    let (last, others): (Vec<_>, Vec<_>) = arguments.iter().partition(is_last);
    for (argument, ty) in others.into_iter().chain(last) {
        let Some(part) = part(argument.passing, argument.way, message, !raises.is_empty()) else { continue };
        let value = nodes.ty(ty);
        let node = match part {
            Part::Value => value,
            Part::Pointer(storage) => nodes.tree.reference(value, storage, message == Message::ClientRequest),
        };
        members.push(Member { name: argument.name.clone(), node });
    }
    objects::pack(&mut nodes.tree, (client, message), members, raises)
}

fn raised(nodes: &Nodes, id: aoi::DefinitionId) -> Raised {
    let definition = &nodes.tree.aoi.definitions[id];
    let name = names::of_definition(nodes.tree.aoi, id);
    let (ty, allocate) = (C::named(&name), format!("{name}__alloc"));
    Raised { ty, allocate, id: format!("ex_{name}"), ..objects::raised(definition, name, nodes.stub(id)) }
}
