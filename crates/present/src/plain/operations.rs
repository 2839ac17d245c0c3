//! Interfaces: the functions of their operations, inherited ones among them, and the structures that messages are
//! marshalled from and into. In: interfaces of lifted AOI. Out: what links need of them ([`pres::Interface`]).

use aoi::{Aoi, Interface, Operation, Type};
use cast::Type as C;
use pres::{Ancestor, Argument, Passing, Raised, Way};

use super::c_types::{self, c_type};
use super::names;
use super::nodes::Nodes;
use super::packs::pack;
use super::shape::{Form, marks};
use crate::inheritance::{all_operations, ancestors, known, repository_id};
use crate::objects::{self, Message};
use crate::programs;

/// An interface's stubs.
pub(super) fn build(nodes: &mut Nodes, interface: &Interface) -> pres::Interface {
    let aoi = nodes.tree.aoi;
    let name = names::of_interface(aoi, interface);
    let operations = all_operations(aoi, interface)
        .into_iter()
        .enumerate()
        .map(|(at, (_, of))| operation(nodes, &name, interface, of, at))
        .collect();
    pres::Interface {
        repository_id: repository_id(interface),
        onc: programs::macros(aoi, interface, &name),
        dispatch: pres::Interface::dispatching(&name),
        name,
        ancestors: known_as(aoi, interface),
        operations,
        imported: false,
        is_local: false,
    }
}

/// What else its objects are.
fn known_as(aoi: &Aoi, interface: &Interface) -> Vec<Ancestor> {
    let known = known(aoi);
    let ancestor = |of: &Interface| Ancestor { name: names::of_interface(aoi, of), repository_id: repository_id(of) };
    ancestors(&known, interface).into_iter().map(ancestor).collect()
}

fn operation(
    nodes: &mut Nodes,
    prefix: &str,
    interface: &Interface,
    operation: &Operation,
    at: usize,
) -> pres::Operation {
    let aoi = nodes.tree.aoi;
    let name = names::of_operation(interface, operation);
    let client = format!("{prefix}_{name}");
    let mut arguments: Vec<(Argument, &Type)> = Vec::new();
    let parameters = operation.parameters.iter().zip(names::of_parameters(operation)).enumerate();
    for (at, (parameter, name)) in parameters.filter(|(_, (parameter, _))| parameter.ty != Type::Void) {
        let name = names::parameter(&nodes.names, &name, &taken(&arguments));
        let way = objects::way(parameter.direction);
        let mut argument = argument(aoi, &name, &parameter.ty, way);
        let is_apart = is_counted_text(aoi, &parameter.ty) || marks::is_apart(operation, at);
        if way == Way::In && is_apart && argument.passing == Passing::FixedRecord {
            apart(nodes, &mut argument, &parameter.ty, &taken(&arguments));
        }
        arguments.push((argument, &parameter.ty));
    }
    if operation.result != Type::Void {
        let name = names::parameter(&nodes.names, marks::result(operation), &taken(&arguments));
        arguments.push((argument(aoi, &name, &operation.result, Way::Result), &operation.result));
    }
    let lent = marks::is_lent(operation).then(|| names::parameter(&nodes.names, "reply", &taken(&arguments)));
    let raises: Vec<Raised> = operation.raises.iter().map(|id| raised(nodes, *id)).collect();
    let packs = Message::ALL.map(|message| pack(nodes, &client, &arguments, &raises, message));
    // What a server may replace is its own.
    let borrows = arguments.iter().all(|(of, ty)| of.way != Way::InOut || !c_types::holds_storage(aoi, ty));
    pres::Operation {
        server: names::inner(&name),
        code: programs::procedure(aoi, interface, operation, (at, nodes.link)).map(programs::code),
        parameters: arguments.into_iter().map(|(argument, _)| argument).collect(),
        raises,
        borrows,
        lent,
        ..objects::operation(&mut nodes.tree.pres, operation, client, packs)
    }
}

/// The names that parameters of a function have already.
fn taken(arguments: &[(Argument, &Type)]) -> Vec<String> {
    arguments.iter().flat_map(|(argument, _)| argument.names()).collect()
}

fn is_counted_text(aoi: &Aoi, ty: &Type) -> bool {
    matches!(marks::resolve(aoi, ty), (Type::Text { .. }, Some(Form::Counted)))
}

/// A structure of a count and a pointer is passed as two parameters: `const char *msg, uint32_t msg_length`.
fn apart(nodes: &Nodes, argument: &mut Argument, ty: &Type, others: &[String]) {
    let aoi = nodes.tree.aoi;
    let (item, passing) = match aoi.resolve(ty) {
        Type::Text { .. } => (C::CHAR, Passing::Value),
        Type::Sequence { element, .. } => (c_type(aoi, element), passing(aoi, element)),
        Type::Opaque { .. } => (c_types::octet(), Passing::Value),
        _ => return,
    };
    argument.passing = passing;
    let count = format!("{}_{}", argument.name, c_types::LENGTH);
    let others: Vec<String> = others.iter().chain([&argument.name]).cloned().collect();
    argument.count = Some(names::parameter(&nodes.names, &count, &others));
    argument.passed = item.constant().pointer();
}

/// Numbers and pointers are passed as they are, all else by its address.
pub(super) fn passing(aoi: &Aoi, ty: &Type) -> Passing {
    let (ty, form) = marks::resolve(aoi, ty);
    match (ty, form) {
        (Type::Text { .. }, Some(Form::Counted)) => return Passing::FixedRecord,
        (Type::Text { .. }, Some(Form::Inline)) => return Passing::FixedArray,
        (Type::Array { .. } | Type::FixedOpaque { .. }, Some(Form::Inline)) => return Passing::FixedRecord,
        _ => {}
    }
    match ty {
        Type::Text { .. } => Passing::Text,
        _ if c_types::is_reference(aoi, ty) => Passing::Text,
        Type::Array { .. } | Type::FixedOpaque { .. } => Passing::FixedArray,
        Type::Sequence { .. } | Type::Opaque { .. } => Passing::FixedRecord,
        Type::Named(id) if c_types::is_record(&aoi.definitions[*id]) => Passing::FixedRecord,
        _ => Passing::Value,
    }
}

fn argument(aoi: &Aoi, name: &str, ty: &Type, way: Way) -> Argument {
    let passing = passing(aoi, ty);
    let c = c_type(aoi, ty);
    let item = match aoi.resolve(ty) {
        _ if passing != Passing::FixedArray => c.clone(),
        Type::Text { .. } => C::CHAR,
        Type::Array { element, .. } => c_type(aoi, element),
        Type::FixedOpaque { .. } => c_types::octet(),
        _ => c.clone(),
    };
    let passed = match (way, passing) {
        (Way::In, Passing::Value) => match aoi.resolve(ty) {
            Type::Optional(target) => c_type(aoi, target).constant().pointer(),
            _ => c.clone(),
        },
        (Way::In, Passing::Text) => C::CHAR.constant().pointer(),
        (Way::In, _) => item.constant().pointer(),
        (_, Passing::FixedArray) => item.pointer(),
        _ => c.clone().pointer(),
    };
    Argument { name: name.to_string(), way, passing, count: None, ty: c, passed, release: None }
}

fn raised(nodes: &Nodes, id: aoi::DefinitionId) -> Raised {
    let definition = &nodes.tree.aoi.definitions[id];
    let name = names::of_definition(nodes.tree.aoi, id);
    objects::raised(definition, name, nodes.stub(id))
}
