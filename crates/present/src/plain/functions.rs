//! What callers and servers of an interface declare. In: an interface's stubs. Out: its numbers, the prototypes of the
//! client's functions, the unions of exceptions, and the structure of functions that a server is given.

use cast::build::{integer, parameter, unsigned};
use cast::{Declaration, Enumeration, Expression, Field, Function, FunctionType, Record, RecordKind, Type as C};
use pres::{Interface, Label, LinkKind, OncNumbers, Operation};

use super::header::record;
use crate::programs;

/// All declarations of an interface.
pub(super) fn declarations(interface: &Interface, link: LinkKind) -> Vec<Declaration> {
    let mut body = vec![Declaration::Blank];
    match link {
        LinkKind::Onc | LinkKind::Tirpc => body.extend(interface.onc.iter().flat_map(numbers)),
        LinkKind::Iiop => body.push(identity(interface)),
        LinkKind::Fluke | LinkKind::Mach | LinkKind::None => {}
    }
    for operation in interface.operations.iter().filter(|operation| !operation.raises.is_empty()) {
        body.extend(exceptions(operation));
    }
    body.extend(client(interface, link));
    body.extend(server(interface, link));
    body
}

/// `DIR_PROGRAM`, `DIR_VERSION`.
fn numbers(onc: &OncNumbers) -> [Declaration; 2] {
    let define = |macro_name: &Expression, value: Expression| {
        let name = cast::print_expression(macro_name);
        Declaration::Define(cast::Definition { name, value: Some(value) })
    };
    let [program, version] = [&onc.program, &onc.version];
    let number = |of: &Label| of.value.and_then(|number| u32::try_from(number).ok()).unwrap_or_default();
    [define(&program.c, programs::program(number(program))), define(&version.c, unsigned(u64::from(number(version))))]
}

/// `DIR_ID`: what objects answer to `_is_a`.
fn identity(interface: &Interface) -> Declaration {
    let value = Some(cast::build::text(interface.repository_id.as_str()));
    Declaration::Define(cast::Definition { name: pres::id_macro(interface), value })
}

/// What a function returns where the server raised one, and the union of their members.
fn exceptions(operation: &Operation) -> Vec<Declaration> {
    let number = |(at, raised): (usize, &pres::Raised)| {
        let number = i128::try_from(at + 1).unwrap_or_default();
        (format!("{}_raises_{}", operation.client, raised.id), Some(integer(number)))
    };
    let members = operation.raises.iter().enumerate().map(number).collect();
    let mut body = vec![Declaration::Blank, Declaration::Enumeration(Enumeration { tag: None, base: None, members })];
    let fields: Vec<Field> = operation
        .raises
        .iter()
        .filter(|raised| raised.stub.is_some())
        .map(|raised| Field { name: raised.id.clone(), ty: raised.ty.clone() })
        .collect();
    if let Some(tag) = operation.exceptions() {
        let tag = Some(tag);
        body.push(Declaration::Record(Record { kind: RecordKind::Union, tag, fields }));
    }
    body
}

fn comment(text: impl AsRef<str>) -> Declaration {
    Declaration::comment(text)
}

fn raises(interface: &Interface) -> bool {
    interface.operations.iter().any(|operation| !operation.raises.is_empty())
}

/// What callers must know.
fn client_comment(interface: &Interface, link: LinkKind) -> String {
    let prefix = link.prefix();
    let mut text = if !raises(interface) {
        format!(
            "The client's side. Functions return 0, or a status below 0 (see {prefix}_text); results are empty then. The\n\
             caller frees the results."
        )
    } else {
        format!(
            "The client's side. Functions return 0, the number of an exception, whose members are in `exceptions` (which may\n\
             be NULL), or a status below 0 (see {prefix}_text); results are empty then. The caller frees results and\n\
             exceptions."
        )
    };
    if (link.is_onc() || link == LinkKind::Mach) && raises(interface) {
        text.push_str(" In replies the number (0: results) goes before all else.");
    }
    if interface.operations.iter().any(|operation| operation.lent.is_some()) {
        text.push_str(&format!(
            "\nWhere a function gives a reply, last of all, its results lie in that, and are not freed by themselves:\n\
             {prefix}_reply_free releases it, and of them."
        ));
    }
    text
}

/// The client's functions.
fn client(interface: &Interface, link: LinkKind) -> Vec<Declaration> {
    let handle = link.client().pointer();
    let prototype = |name: String, result: C, parameters: Vec<cast::Parameter>| {
        Declaration::Prototype(Function { name, result, parameters, ..Function::default() })
    };
    let mut body = vec![Declaration::Blank, comment(client_comment(interface, link))];
    for operation in &interface.operations {
        let mut parameters = vec![parameter("client", handle.clone())];
        parameters.extend(operation_parameters(operation));
        parameters.extend(operation.reply(link).map(|(name, ty)| parameter(name, ty)));
        body.push(prototype(operation.client.clone(), C::INT, parameters));
    }
    body
}

/// What both sides' functions of an operation take behind the first parameter.
fn operation_parameters(operation: &Operation) -> Vec<cast::Parameter> {
    let of = |argument: &pres::Argument| {
        let parameters = argument.parameters().into_iter();
        parameters.map(|(name, ty)| parameter(&name, ty)).collect::<Vec<_>>()
    };
    let exceptions =
        operation.exceptions().map(|tag| parameter("exceptions", C::Tagged(cast::TagKind::Union, tag).pointer()));
    operation.parameters.iter().flat_map(of).chain(exceptions).collect()
}

/// The server's functions, and what serves them.
fn server(interface: &Interface, link: LinkKind) -> Vec<Declaration> {
    let tag = interface.operations_tag();
    let context = || parameter("context", C::Void.pointer());
    let function = |operation: &Operation| {
        let mut parameters = vec![context()];
        parameters.extend(operation_parameters(operation));
        let ty = FunctionType { result: C::INT, parameters, ..FunctionType::default() };
        Field { name: operation.server.clone(), ty: C::Function(Box::new(ty)).pointer() }
    };
    let mut fields: Vec<Field> = interface.operations.iter().map(function).collect();
    if fields.is_empty() {
        fields.push(Field { name: "nothing".to_string(), ty: C::CHAR });
    }
    let parameters = vec![
        parameter("server", link.server().pointer()),
        parameter("operations", C::structure(&tag).constant().pointer()),
        context(),
    ];
    let returned = if raises(interface) { "0, the number of an exception," } else { "0" };
    vec![
        Declaration::Blank,
        comment(format!(
            "The server's side. Arguments are valid during the call only. Allocate what results point to with malloc: it is\n\
             freed after the reply has been encoded. Return {returned} or -1 for a system error.\n\
             A call of a function that is NULL is answered with \"not available\"."
        )),
        record(&tag, fields),
        Declaration::Prototype(Function {
            name: format!("{}_serve", interface.name),
            result: C::INT,
            parameters,
            ..Function::default()
        }),
    ]
}
