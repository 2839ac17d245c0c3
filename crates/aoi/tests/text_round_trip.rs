//! `parse(print(x)) == x`, for AOI that no front end would ever make.

use aoi::{
    Annotation, Aoi, Constant, Definition, DefinitionId, DefinitionKind, Direction, Enumeration, EnumerationMember,
    Field, Identity, Interface, Item, Module, OncIdentity, Operation, Origin, Parameter, ReferenceType, Role,
    Structure, Type, Union, UnionCase, Value, ValueType, Verbatim,
};
use proptest::prelude::*;
use source::Span;

/// How many definitions every generated AOI has, so that any of these numbers is a good reference.
const DEFINITIONS: u32 = 6;

fn id(number: u32) -> DefinitionId {
    DefinitionId::from_raw(number.into())
}

/// Names that collide, with each other and with the words of the text form.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "a",
            "b",
            "int32",
            "string",
            "bytes",
            "true",
            "from",
            "struct",
            "void",
            "is",
            "case",
            "_",
            "state",
            "any",
            "type",
            "annotation",
            "raises",
            "local",
        ])
        .prop_map(str::to_owned),
        "[A-Za-z_][A-Za-z0-9_]{0,6}",
    ]
}

fn origin() -> impl Strategy<Value = Origin> {
    prop_oneof![3 => Just(Origin::Main), 1 => any::<String>().prop_map(Origin::Included)]
}

/// Values; members are the first of definition 0 or 1, which are enumerations.
fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        (any::<i64>(), prop::bool::ANY).prop_map(|(value, hexadecimal)| {
            let spelling = if hexadecimal { format!("{:#x}", value.unsigned_abs()) } else { value.to_string() };
            let value = if hexadecimal { value.unsigned_abs().into() } else { value.into() };
            Value::Integer { value, spelling }
        }),
        (any::<i64>(), any::<String>()).prop_map(|(value, spelling)| Value::Integer { value: value.into(), spelling }),
        any::<String>().prop_map(Value::Text),
        (0..DEFINITIONS).prop_map(|number| Value::Constant(id(number))),
        (0..2u32, 0..3usize).prop_map(|(number, member)| Value::Member { enumeration: id(number), member }),
        (name(), any::<i64>()).prop_map(|(name, value)| Value::NestedMember { name, value: value.into() }),
        any::<bool>().prop_map(Value::Boolean),
        any::<String>().prop_map(Value::Float),
        any::<String>().prop_map(Value::Fixed),
        any::<String>().prop_map(Value::WideText),
        (any::<u32>(), any::<bool>()).prop_map(|(code, is_wide)| Value::Character { code, is_wide }),
        any::<String>().prop_map(Value::External),
    ]
}

fn leaf_type() -> impl Strategy<Value = Type> {
    let bits = prop::sample::select(vec![8u8, 16, 24, 32, 64]);
    prop_oneof![
        Just(Type::Void),
        Just(Type::Boolean),
        (bits, any::<bool>(), prop_oneof![Just("int".to_owned()), any::<String>()])
            .prop_map(|(bits, signed, spelling)| Type::Integer { bits, signed, spelling }),
        prop::sample::select(vec![32u8, 64, 80, 128]).prop_map(|bits| Type::Float { bits }),
        prop::sample::select(vec![Type::Any, Type::TypeCode, Type::Object]),
        any::<bool>().prop_map(|is_wide| Type::Character { is_wide }),
        (any::<u16>(), any::<i16>()).prop_map(|(digits, scale)| Type::Fixed { digits, scale }),
        prop::option::of(value()).prop_map(|bound| Type::WideText { bound }),
        prop::option::of(value()).prop_map(|bound| Type::Text { bound }),
        prop::option::of(value()).prop_map(|bound| Type::Opaque { bound }),
        value().prop_map(|length| Type::FixedOpaque { length }),
        (0..DEFINITIONS).prop_map(|number| Type::Named(id(number))),
        any::<String>().prop_map(Type::External),
        enumeration(0).prop_map(Type::Enumeration),
    ]
}

fn ty() -> BoxedStrategy<Type> {
    let nested = leaf_type().prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            (inner.clone(), value()).prop_map(|(element, length)| Type::Array { element: Box::new(element), length }),
            (inner.clone(), prop::option::of(value()))
                .prop_map(|(element, bound)| Type::Sequence { element: Box::new(element), bound }),
            inner.clone().prop_map(|element| Type::Optional(Box::new(element))),
            structure(inner.clone()).prop_map(Type::Structure),
            union(inner).prop_map(Type::Union),
        ]
    });
    nested.boxed()
}

fn field(ty: impl Strategy<Value = Type>) -> impl Strategy<Value = Field> {
    (name(), ty).prop_map(|(name, ty)| Field { name, ty, span: Span::default() })
}

fn structure(ty: impl Strategy<Value = Type>) -> impl Strategy<Value = Structure> {
    prop::collection::vec(field(ty), 0..4).prop_map(|fields| Structure { fields })
}

fn union(ty: impl Strategy<Value = Type> + Clone) -> impl Strategy<Value = Union> {
    let body = || prop::option::of(field(ty.clone()));
    let case = (prop::collection::vec(value(), 0..3), body());
    let cases = prop::collection::vec(case, 0..4);
    (field(ty.clone()), cases, prop::option::of(body()), any::<usize>()).prop_map(
        |(discriminant, cases, default, position)| {
            let span = Span::default();
            let cases: Vec<_> = cases.into_iter().map(|(labels, body)| UnionCase { labels, body, span }).collect();
            let default = default.map(|body| Box::new(UnionCase { labels: Vec::new(), body, span }));
            let default_position = if default.is_some() { position % (cases.len() + 1) } else { cases.len() };
            Union { discriminant: Box::new(discriminant), cases, default, default_position }
        },
    )
}

fn enumeration(least: usize) -> impl Strategy<Value = Enumeration> {
    let number = prop_oneof![Just(None), any::<i64>().prop_map(|number| Some(i128::from(number)))];
    let member = (name(), prop::option::of(value()), number).prop_map(|(name, explicit, value)| EnumerationMember {
        name,
        explicit,
        value,
        span: Span::default(),
    });
    prop::collection::vec(member, least..5).prop_map(|members| Enumeration { members })
}

fn value_type() -> impl Strategy<Value = ValueType> {
    (references(), references(), structure(ty()), any::<[bool; 3]>()).prop_map(|(bases, supports, state, flags)| {
        let [is_abstract, is_custom, is_truncatable] = flags;
        ValueType { bases, supports, state: state.fields, is_abstract, is_custom, is_truncatable }
    })
}

fn references() -> impl Strategy<Value = Vec<DefinitionId>> {
    prop::collection::vec((0..DEFINITIONS).prop_map(id), 0..3)
}

fn scope() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(name(), 0..3)
}

fn repository_id() -> impl Strategy<Value = Option<String>> {
    prop::option::of(any::<String>())
}

fn annotations() -> impl Strategy<Value = Vec<Annotation>> {
    let parameters = prop::collection::vec((name(), value()), 0..3);
    let span = Span::default();
    let annotation = (name(), parameters).prop_map(move |(name, parameters)| Annotation { name, parameters, span });
    prop::collection::vec(annotation, 0..3)
}

/// The first two definitions are enumerations, so that members can be referred to.
fn definition(position: u32) -> BoxedStrategy<Definition> {
    let kind = if position < 2 {
        enumeration(3).prop_map(DefinitionKind::Enumeration).boxed()
    } else {
        prop_oneof![
            (value(), prop::option::of(ty())).prop_map(|(value, ty)| DefinitionKind::Constant(Constant { value, ty })),
            structure(ty()).prop_map(DefinitionKind::Exception),
            (any::<bool>(), any::<bool>()).prop_map(|(is_local, is_abstract)| {
                DefinitionKind::Reference(ReferenceType { is_local, is_abstract })
            }),
            value_type().prop_map(DefinitionKind::Value),
            ty().prop_map(DefinitionKind::ValueBox),
            Just(DefinitionKind::Native),
            structure(ty()).prop_map(DefinitionKind::Structure),
            union(ty()).prop_map(DefinitionKind::Union),
            enumeration(0).prop_map(DefinitionKind::Enumeration),
            ty().prop_map(DefinitionKind::Alias),
        ]
        .boxed()
    };
    (name(), scope(), repository_id(), annotations(), kind, origin())
        .prop_map(|(name, scope, repository_id, annotations, kind, origin)| {
            let definition = Definition::new(name, kind, Span::default(), origin);
            Definition { scope, repository_id, annotations, ..definition }
        })
        .boxed()
}

fn operation() -> impl Strategy<Value = Operation> {
    let direction = prop::sample::select(vec![Direction::In, Direction::Out, Direction::InOut]);
    let parameter = (prop::option::of(name()), direction, ty()).prop_map(|(name, direction, ty)| Parameter {
        name,
        direction,
        ty,
        span: Span::default(),
    });
    let role = prop::sample::select(vec![Role::Plain, Role::Getter, Role::Setter]);
    let parts = (name(), value(), role, any::<bool>(), prop::collection::vec(parameter, 0..3), ty());
    let contexts = prop::collection::vec(any::<String>(), 0..3);
    (parts, references(), contexts, annotations()).prop_map(|(parts, raises, contexts, annotations)| {
        let (name, code, role, is_oneway, parameters, result) = parts;
        let operation = Operation::new(name, code, parameters, result, Span::default());
        Operation { role, is_oneway, raises, contexts, annotations, ..operation }
    })
}

fn interface() -> impl Strategy<Value = Interface> {
    let onc = (name(), value(), value()).prop_map(|(program_name, program, version)| OncIdentity {
        program_name,
        program,
        version,
    });
    let parts = (name(), prop::option::of(onc), prop::collection::vec(operation(), 0..3), origin());
    let reference = prop::option::of((0..DEFINITIONS).prop_map(id));
    (parts, scope(), repository_id(), reference, references(), annotations()).prop_map(
        |(parts, scope, corba, reference, bases, annotations)| {
            let (name, onc, operations, origin) = parts;
            let identity = Identity { onc, corba };
            let interface = Interface::new(name, identity, operations, Span::default(), origin);
            Interface { scope, reference, bases, annotations, ..interface }
        },
    )
}

fn other_item() -> impl Strategy<Value = Item> {
    prop_oneof![
        interface().prop_map(Item::Interface),
        (any::<String>(), origin()).prop_map(|(text, origin)| Item::Verbatim(Verbatim {
            text,
            span: Span::default(),
            origin
        })),
    ]
}

/// Items between definitions, some definitions inside a module, and perhaps the last one listed nowhere.
fn whole() -> impl Strategy<Value = Aoi> {
    let definitions: Vec<_> = (0..DEFINITIONS).map(definition).collect();
    (definitions, prop::collection::vec(other_item(), 0..4), name(), any::<bool>()).prop_map(
        |(definitions, others, module, unlisted)| {
            let mut aoi = Aoi::default();
            aoi.definitions.extend(definitions);
            let listed = if unlisted { DEFINITIONS - 1 } else { DEFINITIONS };
            let item = |number| Item::Definition(id(number));
            let inner = Module { name: module, items: (2..4).map(item).collect(), span: Span::default() };
            aoi.items.extend((0..2).map(item));
            aoi.items.push(Item::Module(inner));
            aoi.items.extend(others);
            aoi.items.extend((4..listed).map(item));
            aoi
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_printed_reads_back(aoi in whole()) {
        let printed = aoi::text::print(&aoi);
        let (read, errors) = aoi::text::parse(&printed);
        prop_assert_eq!(errors, vec![], "{}", printed);
        prop_assert_eq!(read, aoi, "{}", printed);
    }

    #[test]
    fn no_text_is_too_strange_to_read(text in "[()\"|a-f0-9 .#]{0,60}", head in prop::sample::select(vec![
        "const", "struct", "union", "enum", "alias", "interface", "module", "unlisted", "verbatim", "exception",
        "reference", "value", "box", "native",
    ])) {
        let (aoi, _) = aoi::text::parse(&format!("({head} {text}"));
        aoi::verify(&aoi);
        aoi::text::print(&aoi);
    }
}
