//! Any PRES_C at all, sensible or not, so long as its references lead somewhere and its trees end.

use cast::{Declaration, Expression, Field, Parameter, Record, RecordKind, Scalar, TagKind, Type, build};
use pres::{
    Ancestor, ArenaArgument, ArenaMembers, Argument, Arm, Conventions, DefaultArm, Extent, Interface, Label, Member,
    Message, Node, NodeId, NumberForm, OncNumbers, Operation, Packet, Passing, Pres, PresC, Raised, ScalarKind,
    SequenceMembers, Storage, TypeStub, TypeStubId, Value, Way,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

const TYPES: usize = 3;
const MESSAGES: usize = 4;

pub(crate) fn raw(index: usize) -> la_arena::RawIdx {
    la_arena::RawIdx::from_u32(u32::try_from(index).expect("a small number"))
}

fn name() -> impl Strategy<Value = String> {
    "[a-z][a-z_0-9]{0,5}"
}

fn expression() -> impl Strategy<Value = Expression> {
    let bare = prop_oneof![
        any::<i32>().prop_map(build::integer),
        "0x[0-9a-f]{1,4}".prop_map(|spelling| build::spelled(spelling, Type::INT)),
        name().prop_map(|name| build::name(name, Type::INT)),
    ];
    (bare, any::<bool>()).prop_map(|(mut value, is_long)| {
        if is_long {
            value.ty = Type::LONG;
        }
        value
    })
}

fn c_type() -> impl Strategy<Value = Type> {
    let leaf = prop_oneof![
        Just(Type::Void),
        Just(Type::INT),
        Just(Type::Scalar(Scalar::UnsignedLongLong)),
        name().prop_map(Type::Named),
        Just(Type::named("int")),
        name().prop_map(|tag| Type::Tagged(TagKind::Enum, tag)),
        name().prop_map(Type::structure),
    ];
    leaf.prop_recursive(3, 8, 3, |inner| {
        let field = (name(), inner.clone()).prop_map(|(name, ty)| Field { name, ty });
        let parameter = (option::of(name()), inner.clone()).prop_map(|(name, ty)| Parameter { name, ty });
        prop_oneof![
            inner.clone().prop_map(Type::pointer),
            inner.clone().prop_map(Type::constant),
            (inner.clone(), expression()).prop_map(|(ty, length)| ty.array(length)),
            (vec(field, 0..3), option::of(name())).prop_map(|(fields, tag)| {
                Type::Anonymous(Box::new(Record { kind: RecordKind::Union, tag, fields }))
            }),
            (inner, vec(parameter, 0..2), any::<bool>()).prop_map(|(result, parameters, variadic)| {
                Type::Function(Box::new(cast::FunctionType { result, parameters, variadic, unprototyped: false }))
            }),
        ]
    })
}

fn extent() -> impl Strategy<Value = Extent> {
    (option::of(any::<u64>()), expression()).prop_map(|(value, c)| Extent { value, c })
}

fn storage() -> impl Strategy<Value = Storage> {
    prop_oneof![Just(Storage::Heap), Just(Storage::Arena), Just(Storage::Caller), Just(Storage::Managed)]
}

fn sequence() -> impl Strategy<Value = Option<SequenceMembers>> {
    option::of((name(), name()).prop_map(|(maximum, release)| SequenceMembers { maximum, release }))
}

fn scalar() -> impl Strategy<Value = ScalarKind> {
    prop_oneof![
        (any::<u8>(), any::<bool>()).prop_map(|(bits, signed)| ScalarKind::Integer { bits, signed }),
        any::<bool>().prop_map(|signed| ScalarKind::Long { signed }),
        any::<u8>().prop_map(|bits| ScalarKind::Float { bits }),
        Just(ScalarKind::Quadruple),
        Just(ScalarKind::Boolean),
        any::<bool>().prop_map(|strict| ScalarKind::Enumeration { strict }),
    ]
}

fn leaf() -> impl Strategy<Value = Pres> {
    prop_oneof![
        Just(Pres::Void),
        scalar().prop_map(Pres::Direct),
        extent().prop_map(|length| Pres::FixedBytes { length }),
        (name(), name(), option::of(extent()), storage(), sequence()).prop_map(
            |(length, data, bound, storage, sequence)| Pres::CountedBytes { length, data, bound, storage, sequence }
        ),
        (option::of(extent()), storage()).prop_map(|(bound, storage)| Pres::TerminatedText { bound, storage }),
        (name(), option::of(extent())).prop_map(|(count, bound)| Pres::InlineBytes { count, bound }),
        extent().prop_map(|bound| Pres::InlineText { bound }),
        (0..TYPES).prop_map(|stub| Pres::Named(TypeStubId::from_raw(raw(stub)))),
        (name(), vec(any::<u64>(), 0..3)).prop_map(|(routine, arguments)| Pres::External { routine, arguments }),
    ]
}

/// A node whose children are among the first `before`.
fn kind(before: usize) -> BoxedStrategy<Pres> {
    if before == 0 {
        return leaf().boxed();
    }
    let child = move || (0..before).prop_map(|index| NodeId::from_raw(raw(index)));
    let member = move || (name(), child()).prop_map(|(name, node)| Member { name, node });
    let arm = move || (vec(label(), 0..3), option::of(member())).prop_map(|(labels, member)| Arm { labels, member });
    let default = prop_oneof![Just(DefaultArm::Error), option::of(member()).prop_map(DefaultArm::Body)];
    let union = (member(), name(), c_type(), vec(arm(), 0..3), default);
    prop_oneof![
        leaf(),
        vec(member(), 0..4).prop_map(Pres::Structure),
        union.prop_map(|(discriminant, body, body_type, arms, default)| Pres::Union {
            discriminant,
            body,
            body_type,
            arms,
            default
        }),
        (child(), extent()).prop_map(|(element, length)| Pres::FixedArray { element, length }),
        (name(), name(), child(), option::of(extent()), storage(), sequence()).prop_map(
            |(length, data, element, bound, storage, sequence)| Pres::CountedArray {
                length,
                data,
                element,
                bound,
                storage,
                sequence
            }
        ),
        (name(), child(), option::of(extent())).prop_map(|(count, element, bound)| Pres::InlineArray {
            count,
            element,
            bound
        }),
        (child(), storage()).prop_map(|(target, storage)| Pres::OptionalPointer { target, storage }),
        (child(), storage()).prop_map(|(target, storage)| Pres::Reference { target, storage }),
    ]
    .boxed()
}

fn nodes(count: usize) -> impl Strategy<Value = Vec<Node>> {
    let mint = |index| mint::NodeId::from_raw(raw(index));
    let one = move |index| {
        (kind(index), c_type(), 0..MESSAGES).prop_map(move |(pres, ty, message)| Node { pres, ty, mint: mint(message) })
    };
    (0..count).map(one).collect::<Vec<_>>()
}

fn value(count: usize) -> impl Strategy<Value = Value> {
    let node = (0..count).prop_map(|node| NodeId::from_raw(raw(node)));
    (c_type(), any::<bool>(), c_type(), name(), node).prop_map(|(ty, is_array, pointer, routine, node)| Value {
        ty,
        is_array,
        pointer,
        routine,
        node,
    })
}

fn arena(count: usize) -> impl Strategy<Value = ArenaArgument> {
    let node = (0..count).prop_map(|node| NodeId::from_raw(raw(node)));
    let members = prop_oneof![
        Just(ArenaMembers::default()),
        (name(), name(), name()).prop_map(|(value, arena, first)| ArenaMembers { value, arena, first })
    ];
    (name(), name(), c_type(), node, members).prop_map(|(name, routine, ty, node, members)| ArenaArgument {
        name,
        routine,
        ty,
        node,
        members,
    })
}

fn label() -> impl Strategy<Value = Label> {
    (option::of(any::<i64>()), expression()).prop_map(|(value, c)| Label { value: value.map(i128::from), c })
}

fn message(count: usize) -> impl Strategy<Value = Message> {
    prop_oneof![
        Just(Message::Nothing),
        (0..TYPES).prop_map(|stub| Message::Structure(TypeStubId::from_raw(raw(stub)))),
        value(count).prop_map(Message::Value),
    ]
}

fn argument() -> impl Strategy<Value = Argument> {
    let ways = prop_oneof![Just(Way::In), Just(Way::Out), Just(Way::InOut)];
    let passing = prop_oneof![Just(Passing::Value), Just(Passing::Text), Just(Passing::FixedArray)];
    (name(), ways, passing, option::of(name()), c_type(), c_type(), option::of(name())).prop_map(
        |(name, way, passing, count, ty, passed, release)| Argument { name, way, passing, count, ty, passed, release },
    )
}

fn raised() -> impl Strategy<Value = Raised> {
    (name(), c_type(), option::of(0..TYPES)).prop_map(|(name, ty, stub)| Raised {
        repository_id: "IDL:\"E\":1.0".to_string(),
        ty,
        id: format!("ex_{name}"),
        allocate: if stub.is_some() { format!("{name}__alloc") } else { String::new() },
        stub: stub.map(|stub| TypeStubId::from_raw(raw(stub))),
    })
}

/// An operation, whose sides have the same for their messages or not.
fn operation(count: usize) -> impl Strategy<Value = Operation> {
    let messages = (message(count), message(count), option::of((message(count), message(count))));
    let parts = (vec(argument(), 0..3), option::of(argument()), vec(raised(), 0..2), option::of(arena(count)));
    let names = (name(), name(), option::of(name()), option::of(name()), any::<bool>());
    (names, option::of(label()), messages, parts).prop_map(
        |((name, server, inherited_from, lent, has), code, (request, reply, servers), parts)| {
            let (parameters, result, raises, arena) = parts;
            let (server_request, server_reply) = servers.unwrap_or_else(|| (request.clone(), reply.clone()));
            Operation {
                client: format!("{name}_1"),
                server: if has { server } else { name.clone() },
                name,
                code,
                inherited_from,
                is_oneway: has,
                result: result.map(|result| Argument { way: Way::Result, ..result }),
                parameters,
                raises,
                client_request: request,
                client_reply: reply,
                server_request,
                server_reply,
                arena,
                borrows: !has,
                lent,
            }
        },
    )
}

fn interface(count: usize) -> impl Strategy<Value = Interface> {
    let onc = option::of((name(), label(), label()));
    (name(), onc, vec(operation(count), 0..3), any::<bool>()).prop_map(|(name, onc, operations, has)| Interface {
        repository_id: format!("IDL:{name}:1.0"),
        onc: onc.map(|(name, program, version)| OncNumbers { name, program, version }),
        dispatch: format!("dispatch_{name}"),
        ancestors: vec![Ancestor { name: "A".to_string(), repository_id: "IDL:A:1.0".to_string() }],
        imported: has,
        is_local: !has,
        operations,
        name,
    })
}

fn messages(pres: &mut PresC) {
    let leaf = pres.mint.add_named("a", mint::Node::Boolean);
    let inner = pres.mint.add(mint::Node::Structure(vec![leaf]));
    let shared = pres.mint.add(mint::Node::Structure(vec![inner, inner]));
    pres.mint.add_named("b", mint::Node::Optional(shared));
    for stub in pres.interfaces.iter().flat_map(|interface| &interface.operations) {
        let operation = stub.name.clone();
        pres.mint.messages.push(mint::Message { operation, request: shared, reply: leaf });
    }
}

fn declaration() -> impl Strategy<Value = Declaration> {
    let text = "[ -~\n]{0,12}";
    let leaf = (name(), c_type(), expression(), any::<bool>(), text, 0..14usize).prop_map(
        |(name, ty, value, has, text, kind)| {
            let some = has.then(|| value.clone());
            let parameters = vec![Parameter { name: has.then(|| name.clone()), ty: ty.clone() }];
            let attributes = if has { vec![text.clone()] } else { Vec::new() };
            let linkage = if has { cast::Linkage::StaticInline } else { cast::Linkage::Plain };
            let result = ty.clone();
            let body = vec![cast::Statement::Return(some.clone())];
            let function = |body| cast::Function {
                linkage,
                attributes: attributes.clone(),
                name: name.clone(),
                result: result.clone(),
                parameters: parameters.clone(),
                variadic: has,
                body,
                ..cast::Function::default()
            };
            match kind {
                0 => Declaration::own_include("a.h"),
                1 => Declaration::system_include("b.h"),
                2 => Declaration::Define(cast::Definition { name, value: some }),
                3 => Declaration::Typedef { name, ty },
                4 => Declaration::Enumeration(cast::Enumeration {
                    tag: has.then(|| name.clone()),
                    base: has.then(|| name.clone()),
                    members: vec![(name, some)],
                }),
                5 => Declaration::Variable(cast::Variable {
                    storage: if has { cast::Storage::Static } else { cast::Storage::Automatic },
                    initial: Some(build::braces(vec![value, build::address(build::name(&name, Type::INT))])),
                    name,
                    ty,
                    thread_local: has,
                    alignment: u64::from(has) * 16,
                    ..cast::Variable::default()
                }),
                6 => Declaration::Prototype(function(Vec::new())),
                7 => Declaration::Function(function(body)),
                8 => Declaration::StaticAssert(build::equal(value, build::sizeof_type(ty)), text),
                9 => Declaration::Require(cast::Requirement { name, value: 3, otherwise: text }),
                10 => Declaration::comment(text),
                11 => Declaration::Verbatim(text),
                12 => Declaration::Undefine(name),
                _ => Declaration::Blank,
            }
        },
    );
    leaf.prop_recursive(2, 6, 3, |inner| {
        let conditional = (name(), vec(inner.clone(), 0..3), vec(inner.clone(), 0..2), any::<bool>()).prop_map(
            |(name, then, otherwise, is_defined)| {
                let condition = cast::Condition { is_defined, name };
                Declaration::Conditional(cast::Conditional { condition, then, otherwise })
            },
        );
        prop_oneof![conditional, vec(inner, 0..3).prop_map(Declaration::ExternC)]
    })
}

pub(crate) fn presentations() -> impl Strategy<Value = PresC> {
    (1usize..8).prop_flat_map(|count| {
        let stub = (name(), name(), c_type(), any::<bool>(), 0..count, any::<bool>());
        let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
        (nodes(count), vec(stub, TYPES), vec(interface(count), 0..3), flags, vec(declaration(), 0..4)).prop_map(
            |(nodes, types, interfaces, flags, header)| {
                let mut pres = PresC::default();
                pres.nodes.extend(nodes);
                for (name, routine, ty, is_array, node, imported) in types {
                    let node = NodeId::from_raw(raw(node));
                    pres.types.alloc(TypeStub { name, routine, ty, is_array, node, imported });
                }
                let operations = interfaces.iter().flat_map(|interface| &interface.operations);
                pres.arenas = operations.filter_map(|operation| operation.arena.clone()).collect();
                pres.interfaces = interfaces;
                let stub = TypeStubId::from_raw(raw(1));
                pres.number_forms.insert("frame".to_string(), vec![None, Some(NumberForm::Zigzag { bits: 32 })]);
                pres.packets.push(Packet { name: "Frame".to_string(), stub, schema: "(a \"b\")\n".to_string() });
                messages(&mut pres);
                let (by_value, caller_results, prototypes, strict) = flags;
                pres.conventions = Conventions { by_value, caller_results, prototypes };
                pres.strict_enumerations = strict;
                pres.managed_release = pres.interfaces.first().map(|first| first.name.clone()).unwrap_or_default();
                pres.prologue = header.iter().rev().cloned().collect();
                pres.header = header;
                pres
            },
        )
    })
}
