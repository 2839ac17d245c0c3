//! Initializers of C11 section 6.7.9, most of them the standard's own examples.

use crate::{
    Bits, Designator, Expression, ExpressionKind, FieldLayout, Initializer, Layout, RecordKind, Scalar, TagKind, Type,
    TypeTable, build, print_expression, resolve_initializer,
};

fn field(name: &str, ty: Type, offset: u64) -> FieldLayout {
    FieldLayout { name: (!name.is_empty()).then(|| name.to_owned()), ty, offset, bits: None }
}

fn record(types: &mut TypeTable, kind: RecordKind, tag: &str, size: u64, fields: Vec<FieldLayout>) -> Type {
    let layout =
        Layout { kind, size: Some(size), alignment: 4, fields, declaration: crate::TypeDeclaration::default() };
    types.records.insert(tag.to_owned(), layout);
    let kind = if kind == RecordKind::Union { TagKind::Union } else { TagKind::Struct };
    Type::Tagged(kind, tag.to_owned())
}

/// `struct point { int x, y; }`, and `struct box { struct point a; int n[3]; union { int i; char c; }; }`.
fn types() -> (TypeTable, Type, Type) {
    let mut types = TypeTable::default();
    let point = vec![field("x", Type::INT, 0), field("y", Type::INT, 32)];
    let point = record(&mut types, RecordKind::Struct, "point", 8, point);
    let choice = vec![field("i", Type::INT, 0), field("c", Type::CHAR, 0)];
    let choice = record(&mut types, RecordKind::Union, "@1", 4, choice);
    let array = Type::INT.array(build::integer(3));
    let fields = vec![field("a", point.clone(), 0), field("n", array, 64), field("", choice, 160)];
    let boxed = record(&mut types, RecordKind::Struct, "box", 24, fields);
    (types, point, boxed)
}

fn item(value: Expression) -> Initializer {
    Initializer { designators: Vec::new(), value }
}

fn at(designators: Vec<Designator>, value: Expression) -> Initializer {
    Initializer { designators, value }
}

fn member(name: &str) -> Designator {
    Designator::Member(name.to_owned())
}

fn index(at: i128) -> Designator {
    Designator::Index(build::integer(at))
}

fn braces(list: Vec<Initializer>) -> Expression {
    Expression { kind: ExpressionKind::Braces(list), ty: Type::Void, span: None }
}

fn ints(values: &[i128]) -> Vec<Initializer> {
    values.iter().map(|value| item(build::integer(*value))).collect()
}

/// `offset=value` of each part, and the size.
fn shown(types: &TypeTable, ty: &Type, initial: &Expression) -> String {
    match resolve_initializer(types, ty, initial) {
        Ok(resolved) => {
            let parts: Vec<String> =
                resolved.parts.iter().map(|part| format!("{}={}", part.offset, print_expression(part.value))).collect();
            format!("{} of {}", parts.join(" "), resolved.size)
        }
        Err(problem) => format!("{problem:?}"),
    }
}

#[test]
fn braces_may_be_there_or_not() {
    let (types, _, boxed) = types();
    let nested = braces(vec![item(braces(ints(&[1, 2]))), item(braces(ints(&[3]))), item(braces(ints(&[4])))]);
    assert_eq!(shown(&types, &boxed, &nested), "0=1 4=2 8=3 20=4 of 24");
    assert_eq!(shown(&types, &boxed, &braces(ints(&[1, 2, 3, 4, 5, 6]))), "0=1 4=2 8=3 12=4 16=5 20=6 of 24");
    assert_eq!(shown(&types, &boxed, &braces(ints(&[1, 2, 3, 4, 5, 6, 7]))), "0=1 4=2 8=3 12=4 16=5 20=6 of 24");
    let mixed = braces(vec![item(braces(ints(&[1]))), item(build::integer(2))]);
    assert_eq!(shown(&types, &boxed, &mixed), "0=1 8=2 of 24");
}

#[test]
fn designators_jump_and_what_follows_goes_on_from_there() {
    let (types, _, boxed) = types();
    let mut list = vec![at(vec![member("n"), index(1)], build::integer(1))];
    list.extend(ints(&[2, 3]));
    list.push(at(vec![member("a"), member("y")], build::integer(4)));
    list.extend(ints(&[5]));
    assert_eq!(shown(&types, &boxed, &braces(list)), "12=1 16=2 20=3 4=4 8=5 of 24");
    let inside_anonymous = braces(vec![at(vec![member("c")], build::integer(7))]);
    assert_eq!(shown(&types, &boxed, &inside_anonymous), "20=7 of 24");
}

#[test]
fn an_array_without_length_is_as_long_as_its_initializer() {
    let (types, point, _) = types();
    let open = |element: Type| Type::Array(Box::new(element), None);
    let list = braces(vec![
        at(vec![index(5)], build::integer(1)),
        item(build::integer(2)),
        at(vec![index(1)], build::integer(3)),
    ]);
    assert_eq!(shown(&types, &open(Type::INT), &list), "20=1 24=2 4=3 of 28");
    assert_eq!(shown(&types, &open(point), &braces(ints(&[1, 2, 3]))), "0=1 4=2 8=3 of 16");
    let range = Designator::Range(build::integer(1), build::integer(3));
    let list = braces(vec![at(vec![range], build::integer(9)), item(build::integer(8))]);
    assert_eq!(shown(&types, &open(Type::Scalar(Scalar::Short)), &list), "2=9 4=9 6=9 8=8 of 10");
}

#[test]
fn a_string_fills_an_array_of_characters() {
    let (types, ..) = types();
    let bytes = b"ab\0".to_vec();
    let ty = Type::CHAR.array(build::integer(3));
    let text =
        Expression { kind: ExpressionKind::Literal { spelling: "\"ab\"".into(), bytes }, ty: ty.clone(), span: None };
    let open = Type::Array(Box::new(Type::CHAR), None);
    assert_eq!(shown(&types, &open, &text), "0=\"ab\" of 3");
    assert_eq!(shown(&types, &open, &braces(vec![item(text.clone())])), "0=\"ab\" of 3");
    let rows = Type::Array(Box::new(Type::CHAR.array(build::integer(4))), None);
    assert_eq!(shown(&types, &rows, &braces(vec![item(text.clone()), item(text.clone())])), "0=\"ab\" 4=\"ab\" of 8");
    let pointers = Type::Array(Box::new(Type::CHAR.pointer()), None);
    assert_eq!(shown(&types, &pointers, &braces(vec![item(text)])), "0=\"ab\" of 8");
}

#[test]
fn the_last_value_of_a_place_wins() {
    let (types, point, boxed) = types();
    let list = braces(vec![
        at(vec![member("a"), member("x")], build::integer(1)),
        at(vec![member("a")], braces(vec![at(vec![member("y")], build::integer(2))])),
        at(vec![member("a"), member("y")], build::integer(3)),
    ]);
    assert_eq!(shown(&types, &boxed, &list), "4=3 of 24");
    let value = build::name("p", point);
    let list = braces(vec![item(value), item(braces(vec![])), at(vec![member("a"), member("y")], build::integer(3))]);
    assert_eq!(shown(&types, &boxed, &list), "0=p 4=3 of 24");
}

#[test]
fn bit_fields_keep_their_bits_and_padding_is_skipped() {
    let mut types = TypeTable::default();
    let bits = |name: &str, offset, width| FieldLayout { bits: Some(width), ..field(name, Type::INT, offset) };
    let fields = vec![bits("a", 0, 3), bits("", 3, 6), bits("b", 9, 5)];
    let flags = record(&mut types, RecordKind::Struct, "flags", 4, fields);
    let list = braces(ints(&[1, 2]));
    let resolved = resolve_initializer(&types, &flags, &list).unwrap();
    let places: Vec<_> = resolved.parts.iter().map(|part| (part.offset, part.bits)).collect();
    assert_eq!(places, [(0, Some(Bits { first: 0, width: 3 })), (1, Some(Bits { first: 1, width: 5 }))]);
}

#[test]
fn a_flexible_array_adds_to_the_size() {
    let mut types = TypeTable::default();
    let fields = vec![field("n", Type::INT, 0), field("rest", Type::Array(Box::new(Type::CHAR), None), 32)];
    let flexible = record(&mut types, RecordKind::Struct, "flexible", 4, fields);
    let list = braces(vec![item(build::integer(1)), item(braces(ints(&[2, 3, 4])))]);
    assert_eq!(shown(&types, &flexible, &list), "0=1 4=2 5=3 6=4 of 7");
}

#[test]
fn scalars_may_have_braces_and_nonsense_is_refused() {
    let (types, _, boxed) = types();
    assert_eq!(shown(&types, &Type::INT, &braces(ints(&[4]))), "0=4 of 4");
    assert_eq!(shown(&types, &Type::INT, &braces(vec![])), " of 4");
    let nowhere = braces(vec![at(vec![member("z")], build::integer(1))]);
    assert_eq!(shown(&types, &boxed, &nowhere), "UnknownPlace");
    let unknown = Type::structure("nobody");
    assert_eq!(shown(&types, &unknown, &braces(ints(&[1]))), format!("UnknownType({unknown:?})"));
    let endless = Designator::Range(build::integer(0), build::integer(i128::from(u64::MAX)));
    let list = braces(vec![at(vec![endless], build::integer(1))]);
    assert_eq!(shown(&types, &Type::Array(Box::new(Type::INT), None), &list), format!("TooLong({})", u64::MAX));
}
