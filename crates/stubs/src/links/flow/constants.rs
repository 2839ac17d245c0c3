//! The constants `struct whittle_flow_type`, and the schemas beside them.

use std::collections::BTreeSet;

use cast::build::{name, sizeof_type};
use cast::{Declaration, Designator, Expression, ExpressionKind, Initializer, Type, Variable};
use pres::PresC;

use super::functions::{coding_name, name_of};
use super::in_place::{InPlace, type_name};
use super::layout::{Layouts, offset_of};
use super::{Use, constant, fingerprint, schema_constant};

/// Of a packet that travels as it lies.
pub(super) fn in_place(
    pres: &PresC,
    of: &Use,
    in_place: &InPlace,
    valid: Option<&str>,
    layouts: &Layouts,
) -> Vec<Declaration> {
    let ty = &pres.types[of.packet.stub].ty;
    let fixed = match &in_place.counted {
        Some(counted) => offset_of(ty, &counted.array.name, counted.fixed),
        None => sizeof_type(ty.clone()),
    };
    let mut values = vec![("fixed", fixed)];
    if in_place.counted.is_some() {
        values.push(("used", name(name_of("used", of.packet, layouts.reserved), Type::Void)));
    }
    values.extend(valid.map(|valid| ("valid", name(valid, Type::Void))));
    both(pres, of, values)
}

/// Of a packet that is encoded, to at most `largest` bytes; with the functions that release it and that look at it, where there are such.
pub(super) fn encoded(
    pres: &PresC,
    of: &Use,
    (release, valid): (Option<&str>, Option<&str>),
    largest: u64,
    reserved: &BTreeSet<String>,
) -> Vec<Declaration> {
    let mut values = vec![
        ("largest", cast::build::unsigned(largest.min(u64::from(u32::MAX)))),
        ("encode", name(coding_name("write", of, reserved), Type::Void)),
        ("decode", name(coding_name("read", of, reserved), Type::Void)),
    ];
    values.extend(release.map(|release| ("release", name(release, Type::Void))));
    values.extend(valid.map(|valid| ("valid", name(valid, Type::Void))));
    both(pres, of, values)
}

fn both(pres: &PresC, of: &Use, values: Vec<(&str, Expression)>) -> Vec<Declaration> {
    let (packet, encoding) = (of.packet.name.as_str(), of.encoding.name());
    let ty = &pres.types[of.packet.stub].ty;
    let mut all = vec![
        ("name", cast::build::text(packet)),
        ("fingerprint", distinguished(of)),
        ("size", sizeof_type(ty.clone())),
        ("alignment", alignment_of(ty)),
        ("schema", name(schema_constant(packet, encoding), Type::CHAR.constant().pointer())),
    ];
    all.extend(values);
    let schema = Type::Array(Box::new(Type::CHAR.constant()), None);
    let schema_text = cast::build::text(fingerprint::text(of.packet, of.encoding));
    vec![
        object(schema_constant(packet, encoding), schema, schema_text),
        Declaration::Blank,
        object(constant(packet, encoding), Type::structure("whittle_flow_type").constant(), structure(all)),
        Declaration::Blank,
    ]
}

/// The fingerprint; words in the machine's order are another encoding on a machine with the other order.
fn distinguished(of: &Use) -> Expression {
    let [little, big] = [false, true].map(|is_big| {
        let number = fingerprint(of.packet, of.encoding, is_big);
        cast::build::spelled(format!("0x{number:016x}ull"), Type::named("uint64_t"))
    });
    if little == big {
        return little;
    }
    cast::build::conditional(name("WHITTLE_BIG_ENDIAN", Type::INT), big, little)
}

/// `__alignof__(T)`, which C99 has, too.
fn alignment_of(ty: &Type) -> Expression {
    let kind = ExpressionKind::Verbatim(format!("__alignof__({})", type_name(ty)));
    Expression { kind, ty: Type::named("size_t"), span: None }
}

fn structure(values: Vec<(&str, Expression)>) -> Expression {
    let part = |(member, value): (&str, Expression)| Initializer {
        designators: vec![Designator::Member(member.to_string())],
        value,
    };
    let kind = ExpressionKind::Braces(values.into_iter().map(part).collect());
    Expression { kind, ty: Type::structure("whittle_flow_type"), span: None }
}

fn object(name: String, ty: Type, initial: Expression) -> Declaration {
    Declaration::Variable(Variable { name, ty, initial: Some(initial), ..Variable::default() })
}
