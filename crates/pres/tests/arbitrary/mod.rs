//! Any PRES_C at all, sensible or not, so long as its references lead somewhere and its trees end.

use cast::{Declaration, Expression, Field, Parameter, Record, RecordKind, Scalar, TagKind, Type, build};
use pres::{
    Ancestor, ArenaArgument, ArenaMembers, Argument, Arm, Conventions, DefaultArm, Extent, InterfaceStubs, Label,
    Member, Node, NodeId, ObjectInterface, ObjectOperation, OncNumbers, OperationStub, Packet, Passing, Pres, PresC,
    Raised, ScalarKind, SequenceMembers, Storage, StubValue, TypeStub, TypeStubId, Way,
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
    let label = || (option::of(any::<i64>()), expression()).prop_map(|(v, c)| Label { value: v.map(i128::from), c });
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

fn value(count: usize) -> impl Strategy<Value = StubValue> {
    let node = move || (0..count).prop_map(|node| NodeId::from_raw(raw(node)));
    let members = prop_oneof![
        Just(ArenaMembers::default()),
        (name(), name(), name()).prop_map(|(value, arena, first)| ArenaMembers { value, arena, first })
    ];
    let arena = (name(), name(), c_type(), node(), members)
        .prop_map(|(name, routine, ty, node, members)| ArenaArgument { name, routine, ty, node, members });
    (name(), c_type(), any::<bool>(), c_type(), name(), node(), option::of(arena)).prop_map(
        |(name, ty, is_array, pointer, routine, node, arena)| StubValue {
            name,
            ty,
            is_array,
            pointer,
            routine,
            node,
            arena,
        },
    )
}

fn operation(count: usize) -> impl Strategy<Value = OperationStub> {
    let arguments = vec(value(count), 0..3);
    let code = (expression(), option::of(any::<i64>()));
    (name(), code, arguments, option::of(value(count)), option::of(value(count))).prop_map(
        |(name, (code, number), arguments, request, result)| OperationStub {
            code,
            number: number.map(i128::from),
            client: format!("{name}_1"),
            server: format!("{name}_1_svc"),
            name,
            request: if arguments.len() == 1 { arguments.first().cloned() } else { request },
            arguments,
            result,
        },
    )
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

/// An interface whose objects are called through references; each operation has all that one may have, or nothing of it.
fn object() -> impl Strategy<Value = ObjectInterface> {
    let parts = (name(), c_type(), c_type(), any::<bool>(), 0..TYPES);
    (name(), vec(parts, 0..3)).prop_map(|(object, operations)| {
        let operation = |(name, ty, passed, has, stub): (String, Type, Type, bool, usize)| {
            let stub = has.then(|| TypeStubId::from_raw(raw(stub)));
            let text = |word: &str| has.then(|| word.to_string());
            let argument = |way| Argument {
                name: name.clone(),
                way,
                passing: if has { Passing::FixedArray } else { Passing::Text },
                count: text("n"),
                ty: ty.clone(),
                passed: passed.clone(),
                release: text("f"),
            };
            let raised = Raised {
                repository_id: "IDL:\"E\":1.0".to_string(),
                ty: ty.clone(),
                id: "ex_E".to_string(),
                stub,
                allocate: text("E__alloc").unwrap_or_default(),
            };
            ObjectOperation {
                number: has.then_some(7),
                member: if has { "other".to_string() } else { name.clone() },
                client: format!("c_{name}"),
                inherited_from: text("A"),
                is_oneway: has,
                result: has.then(|| argument(Way::Result)),
                parameters: [Way::In, Way::Out, Way::InOut].map(argument).into(),
                raises: vec![raised],
                client_request: stub,
                client_reply: None,
                server_request: stub,
                server_reply: stub,
                borrows: has,
                lent: text("reply"),
                name,
            }
        };
        let is_local = operations.len() == 1;
        ObjectInterface {
            onc: is_local.then_some(OncNumbers { program: u32::MAX, version: 1 }),
            ancestors: vec![Ancestor { name: "A".to_string(), repository_id: "IDL:A:1.0".to_string() }],
            repository_id: "IDL:B:1.0".to_string(),
            imported: !is_local,
            is_local,
            operations: operations.into_iter().map(operation).collect(),
            name: object,
        }
    })
}

fn declaration() -> impl Strategy<Value = Declaration> {
    let text = "[ -~\n]{0,12}";
    let leaf = (name(), c_type(), expression(), any::<bool>(), text, 0..13usize).prop_map(
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
        let interface = (vec(operation(count), 0..3), expression(), expression());
        let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
        let more = (vec(object(), 0..2), vec(declaration(), 0..4));
        (nodes(count), vec(stub, TYPES), vec(interface, 0..2), flags, more).prop_map(
            |(nodes, types, interfaces, flags, (objects, header))| {
                let mut pres = PresC::default();
                pres.nodes.extend(nodes);
                for (name, routine, ty, is_array, node, imported) in types {
                    let node = NodeId::from_raw(raw(node));
                    pres.types.alloc(TypeStub { name, routine, ty, is_array, node, imported });
                }
                for (operations, program, version) in interfaces {
                    let arenas = operations.iter().filter_map(|stub| stub.request.as_ref()?.arena.clone());
                    pres.arenas.extend(arenas);
                    pres.interfaces.push(InterfaceStubs {
                        program_name: "P".to_string(),
                        program,
                        version_name: "V".to_string(),
                        version,
                        version_suffix: "1".to_string(),
                        dispatch: "p_1".to_string(),
                        operations,
                    });
                }
                let stub = TypeStubId::from_raw(raw(1));
                pres.packets.push(Packet { name: "Frame".to_string(), stub, schema: "(a \"b\")\n".to_string() });
                messages(&mut pres);
                let (by_value, caller_results, prototypes, strict) = flags;
                pres.conventions = Conventions { by_value, caller_results, prototypes };
                pres.strict_enumerations = strict;
                pres.objects = objects;
                pres.managed_release = pres.objects.first().map(|object| object.name.clone()).unwrap_or_default();
                pres.prologue = header.iter().rev().cloned().collect();
                pres.header = header;
                pres
            },
        )
    })
}
