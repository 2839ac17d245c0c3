//! What callers and servers of an interface declare: prototypes of the client's functions, and the structures through
//! which a server's functions are found. In: an interface's stubs. Out: declarations. Source: OMG, C Language Mapping
//! (formal/99-07-35), sections 1.3 and 1.25 to 1.27.

use cast::build::parameter;
use cast::{Declaration, Field, Function, FunctionType, Parameter, Record, RecordKind, Type as C};
use pres::{Interface, LinkKind, Operation};

use super::names;

/// The prototypes of an interface's functions.
pub(super) fn client(interface: &Interface) -> Vec<Declaration> {
    let prototype = |operation: &Operation| {
        Declaration::Prototype(Function {
            name: operation.client.clone(),
            result: result(operation),
            parameters: client_parameters(interface, operation),
            ..Function::default()
        })
    };
    let own = interface.operations.iter().map(prototype);
    std::iter::once(Declaration::Blank).chain(own).collect()
}

/// The operations of ancestors by the names that they have as its own.
pub(super) fn inherited(interface: &Interface, ancestors: &[&aoi::Interface]) -> Vec<Declaration> {
    let define = |ancestor: &aoi::Interface, operation: &aoi::Operation| {
        let original = format!("{}_{}", names::of_interface(ancestor), operation.name);
        let value = Some(cast::build::name(original, C::Void));
        Declaration::Define(cast::Definition { name: format!("{}_{}", interface.name, operation.name), value })
    };
    ancestors
        .iter()
        .flat_map(|ancestor| ancestor.operations.iter().map(|operation| define(ancestor, operation)))
        .collect()
}

/// What an operation's functions return.
fn result(operation: &Operation) -> C {
    operation.result.as_ref().map_or(C::Void, |result| result.passed.clone())
}

/// The object, the arguments, the environment.
fn client_parameters(interface: &Interface, operation: &Operation) -> Vec<Parameter> {
    around(parameter("_obj", C::named(&interface.name)), operation)
}

fn around(first: Parameter, operation: &Operation) -> Vec<Parameter> {
    let arguments = operation.parameters.iter().map(|argument| parameter(&argument.name, argument.passed.clone()));
    let environment = parameter("ev", C::named("CORBA_Environment").pointer());
    std::iter::once(first).chain(arguments).chain([environment]).collect()
}

/// `POA_X__epv`, `POA_X__vepv`, `POA_X`, and the functions that make and end servants, and have them serve.
pub(super) fn server(interface: &Interface, link: LinkKind) -> Vec<Declaration> {
    let name = &interface.name;
    let servant = || parameter("servant", C::named("PortableServer_Servant"));
    let environment = || parameter("ev", C::named("CORBA_Environment").pointer());
    let prototype = |ending: &str, parameters: Vec<Parameter>| {
        Declaration::Prototype(Function { name: format!("POA_{name}__{ending}"), parameters, ..Function::default() })
    };
    let mut declarations = vectors(interface);
    declarations.extend(["init", "fini"].map(|ending| prototype(ending, vec![servant(), environment()])));
    let server = || parameter("server", link.server().pointer());
    let serves = interface.onc.is_some() || link == LinkKind::Mach;
    declarations.extend(serves.then(|| prototype("serve", vec![servant(), server(), environment()])));
    declarations
}

/// The structures that servants are made of.
pub(super) fn vectors(interface: &Interface) -> Vec<Declaration> {
    let name = &interface.name;
    let servant = C::named("PortableServer_Servant");
    let untyped = C::Void.pointer();
    let function = |operation: &Operation| {
        let parameters = around(parameter("_servant", servant.clone()), operation);
        let ty = C::Function(Box::new(FunctionType { result: result(operation), parameters, ..Default::default() }));
        Field { name: operation.server.clone(), ty: ty.pointer() }
    };
    let own = interface.operations.iter().filter(|operation| operation.inherited_from.is_none()).map(function);
    let epv = std::iter::once(field("_private", untyped.clone())).chain(own).collect();
    let parts = interface.ancestors.iter().map(|ancestor| &ancestor.name).chain([name]);
    let parts = parts.map(|part| field(&format!("{part}_epv"), C::named(format!("POA_{part}__epv")).pointer()));
    let base = field("_base_epv", C::named("PortableServer_ServantBase__epv").pointer());
    let vepv = std::iter::once(base).chain(parts).collect();
    let vector = C::named(format!("POA_{name}__vepv")).pointer();
    let servant = vec![field("_private", untyped), field("vepv", vector)];
    let mut declarations = vec![Declaration::Blank];
    declarations.extend(structure(&format!("POA_{name}__epv"), epv));
    declarations.extend(structure(&format!("POA_{name}__vepv"), vepv));
    declarations.extend(structure(&format!("POA_{name}"), servant));
    declarations
}

fn field(name: &str, ty: C) -> Field {
    Field { name: name.to_string(), ty }
}

fn structure(name: &str, fields: Vec<Field>) -> [Declaration; 2] {
    let record = Record { kind: RecordKind::Struct, tag: Some(name.to_string()), fields };
    [Declaration::Record(record), Declaration::Typedef { name: name.to_string(), ty: C::structure(name) }]
}
