//! Whether a packet is wanted, in C. In: a condition, and the fields of the packets. Out: an expression over `it`; or the one finding
//! that says which part of the condition means nothing for such packets. Why: values are compared as people mean it, not as C does:
//! a number below zero is less than one without a sign, and text is compared by its characters.

use cast::build::{self, and, binary, call, not, not_equal, or};
use cast::{BinaryOperator, Expression, ExpressionKind, Scalar, Type};
use source::{Diagnostic, Span};
use xip::filter::{Comparison, Condition, FieldPath, Term};

use super::field::{Fields, Kind};
use crate::errors;
use crate::shorthand::truth;

type Read<T> = Result<T, Box<Diagnostic>>;

/// The condition as C asks it.
pub(super) fn holds(fields: &Fields, term: &Term) -> Read<Expression> {
    let each = |terms: &[Term]| terms.iter().map(|term| holds(fields, term)).collect::<Read<Vec<_>>>();
    match &term.value {
        Condition::All(terms) => Ok(joined(each(terms)?, and)),
        Condition::Any(terms) => Ok(joined(each(terms)?, or)),
        Condition::Not(inner) => Ok(not(holds(fields, inner)?)),
        Condition::Compare(comparison, left, right) => compare(fields, *comparison, (left, right), term.span),
        Condition::Truth(_) => Err(errors::compares_no_field(term.span).into()),
        _ => match side(fields, term)? {
            Side::Truth(value) => Ok(value),
            other => Err(errors::no_truth(term.span, &other.words()).into()),
        },
    }
}

/// Whether the field of one packet has the value of that of another.
pub(super) fn same(one: (&Fields, &FieldPath), other: (&Fields, &FieldPath)) -> Read<Expression> {
    let ((left, of_one), (right, of_other)) = (one.0.value(one.1)?, other.0.value(other.1)?);
    let at = At { comparison: Comparison::Equal, span: one.1.field.span.to(other.1.field.span) };
    values(at, (left, &of_one), (right, &of_other))
}

/// One of two each, and so on: many of them do not stand deep in each other.
fn joined(mut terms: Vec<Expression>, join: fn(Expression, Expression) -> Expression) -> Expression {
    while terms.len() > 1 {
        let mut pairs = Vec::with_capacity(terms.len() / 2 + 1);
        let mut rest = terms.into_iter();
        while let Some(first) = rest.next() {
            pairs.push(match rest.next() {
                Some(second) => join(first, second),
                None => first,
            });
        }
        terms = pairs;
    }
    terms.pop().unwrap_or_else(|| truth(true))
}

/// One side of a comparison.
enum Side {
    Value(Expression, Kind),
    Truth(Expression),
    Integer(i128),
    Float(f64),
    Text(String),
    Character(char),
    /// No field: perhaps a member of an enumeration.
    Word(String, Span),
}

impl Side {
    fn words(&self) -> String {
        match self {
            Side::Value(_, kind) => kind.words(),
            Side::Truth(_) => Kind::Truth.words(),
            Side::Integer(_) | Side::Float(_) => "a number".to_owned(),
            Side::Text(_) => "a text".to_owned(),
            Side::Character(_) => "a character".to_owned(),
            Side::Word(word, _) => format!("`{word}`"),
        }
    }
}

fn side(fields: &Fields, term: &Term) -> Read<Side> {
    Ok(match &term.value {
        Condition::Field(path) if path.inwards.is_empty() && !fields.has(&path.field.text) => {
            Side::Word(path.field.text.clone(), path.field.span)
        }
        Condition::Field(path) => match fields.value(path)? {
            (value, Kind::Truth) => Side::Truth(not_equal(value, build::integer(0))),
            (value, kind) => Side::Value(value, kind),
        },
        Condition::Truth(value) => Side::Truth(truth(*value)),
        Condition::Integer(value) => Side::Integer(*value),
        Condition::Float(spelling) => Side::Float(spelling.parse().unwrap_or(0.0)),
        Condition::Text(text) => Side::Text(text.clone()),
        Condition::Character(character) => Side::Character(*character),
        Condition::All(_) | Condition::Any(_) | Condition::Not(_) | Condition::Compare(..) => {
            Side::Truth(holds(fields, term)?)
        }
    })
}

/// A comparison, and where it stands.
#[derive(Clone, Copy)]
struct At {
    comparison: Comparison,
    span: Span,
}

impl At {
    fn of(self, left: Expression, right: Expression) -> Expression {
        let operator = match self.comparison {
            Comparison::Equal => BinaryOperator::Equal,
            Comparison::NotEqual => BinaryOperator::NotEqual,
            Comparison::Less => BinaryOperator::Less,
            Comparison::AtMost => BinaryOperator::LessEqual,
            Comparison::Greater => BinaryOperator::Greater,
            Comparison::AtLeast => BinaryOperator::GreaterEqual,
        };
        binary(left, operator, right)
    }

    /// With the sides changed.
    fn turned(self) -> At {
        let comparison = match self.comparison {
            Comparison::Less => Comparison::Greater,
            Comparison::Greater => Comparison::Less,
            Comparison::AtMost => Comparison::AtLeast,
            Comparison::AtLeast => Comparison::AtMost,
            same => same,
        };
        At { comparison, ..self }
    }

    /// Values without an order are the same, or not.
    fn must_be_equality(self, what: &str) -> Read<()> {
        match self.comparison {
            Comparison::Equal | Comparison::NotEqual => Ok(()),
            other => Err(errors::no_order(self.span, what, other.word()).into()),
        }
    }
}

fn compare(fields: &Fields, comparison: Comparison, (left, right): (&Term, &Term), span: Span) -> Read<Expression> {
    let at = At { comparison, span };
    let (one, other) = (side(fields, left)?, side(fields, right)?);
    // A float that is no number is not the same as itself.
    let may_differ = matches!(one, Side::Value(_, Kind::Float { .. }) | Side::Word(..));
    if matches!(left.value, Condition::Field(_)) && left.value == right.value && !may_differ {
        return Err(errors::always(span, "both sides are the same").into());
    }
    match (one, other) {
        (Side::Word(word, place), Side::Value(value, Kind::Enumeration { members }))
        | (Side::Value(value, Kind::Enumeration { members }), Side::Word(word, place)) => {
            at.must_be_equality("members of an enumeration")?;
            let Some(number) = members.get(&word) else {
                let known: Vec<&str> = members.keys().map(String::as_str).collect();
                return Err(errors::no_field(place, &word, "the enumeration", &known).into());
            };
            Ok(at.of(build::cast(Type::INT, value), literal(*number)))
        }
        (Side::Word(word, place), _) | (_, Side::Word(word, place)) => {
            let known = fields.names();
            Err(errors::no_field(place, &word, &fields.packet_name(), &known).into())
        }
        (Side::Truth(left), Side::Truth(right)) => {
            at.must_be_equality("truth values")?;
            Ok(at.of(left, right))
        }
        (Side::Value(left, one), Side::Value(right, other)) => values(at, (left, &one), (right, &other)),
        (Side::Value(value, kind), said) => with_literal(at, value, &kind, &said),
        (said, Side::Value(value, kind)) => with_literal(at.turned(), value, &kind, &said),
        (Side::Truth(_), other) | (other, Side::Truth(_)) => {
            Err(errors::different(span, &Kind::Truth.words(), &other.words(), None).into())
        }
        _ => Err(errors::compares_no_field(span).into()),
    }
}

/// Two fields.
fn values(at: At, (left, one): (Expression, &Kind), (right, other): (Expression, &Kind)) -> Read<Expression> {
    let both =
        |ty: &str| at.of(build::cast(Type::named(ty), left.clone()), build::cast(Type::named(ty), right.clone()));
    let is_number = |kind: &Kind| matches!(kind, Kind::Integer { .. } | Kind::Character | Kind::Float { .. });
    let is_large = |kind: &Kind| matches!(kind, Kind::Integer { bits: 64, signed: false, .. });
    let has_sign = |kind: &Kind| matches!(kind, Kind::Integer { signed: true, .. });
    match (one, other) {
        (Kind::Text { .. }, Kind::Text { .. }) => texts(at, left, right),
        (Kind::Enumeration { members }, Kind::Enumeration { members: others }) if members == others => {
            at.must_be_equality("members of an enumeration")?;
            Ok(at.of(build::cast(Type::INT, left), build::cast(Type::INT, right)))
        }
        (Kind::Character, Kind::Character) => Ok(at.of(byte(left), byte(right))),
        (Kind::Float { .. }, Kind::Integer { bits: 64, .. }) | (Kind::Integer { bits: 64, .. }, Kind::Float { .. }) => {
            let help = "compare each with a number: a `double` does not hold all numbers of 64 bits";
            Err(errors::different(at.span, &one.words(), &other.words(), Some(help)).into())
        }
        (Kind::Float { .. }, _) | (_, Kind::Float { .. }) if is_number(one) && is_number(other) => {
            let double = || Type::Scalar(Scalar::Double);
            Ok(at.of(build::cast(double(), left), build::cast(double(), right)))
        }
        _ if !is_number(one) || !is_number(other) || (*one == Kind::Character) != (*other == Kind::Character) => {
            Err(errors::different(at.span, &one.words(), &other.words(), None).into())
        }
        _ if !is_large(one) && !is_large(other) => Ok(both("int64_t")),
        _ if !has_sign(one) && !has_sign(other) => Ok(both("uint64_t")),
        _ => {
            let help = "compare each with a number: no number of C holds all values of both";
            Err(errors::different(at.span, &one.words(), &other.words(), Some(help)).into())
        }
    }
}

fn byte(value: Expression) -> Expression {
    build::cast(Type::Scalar(Scalar::UnsignedChar), value)
}

fn texts(at: At, left: Expression, right: Expression) -> Read<Expression> {
    at.must_be_equality("texts")?;
    Ok(at.of(call("strcmp", vec![left, right], Type::INT), build::integer(0)))
}

/// A field and what the condition says.
fn with_literal(at: At, value: Expression, kind: &Kind, said: &Side) -> Read<Expression> {
    match (kind, said) {
        (Kind::Integer { .. }, Side::Integer(number)) => {
            may_differ(at, kind, *number)?;
            Ok(at.of(value, literal(*number)))
        }
        (Kind::Integer { .. }, Side::Float(number)) => {
            may_come_near(at, kind, *number)?;
            Ok(at.of(build::cast(Type::Scalar(Scalar::Double), value), fraction(at, *number, 64)?))
        }
        (Kind::Float { bits }, Side::Integer(number)) => Ok(at.of(value, fraction(at, *number as f64, *bits)?)),
        (Kind::Float { bits }, Side::Float(number)) => Ok(at.of(value, fraction(at, *number, *bits)?)),
        (Kind::Character, Side::Integer(number)) => {
            may_differ(at, kind, *number)?;
            Ok(at.of(byte(value), literal(*number)))
        }
        (Kind::Character | Kind::Integer { bits: 8, .. }, Side::Character(character)) => {
            let code = i128::from(u32::from(*character));
            if code > 127 {
                return Err(
                    errors::always(at.span, "a character of a packet is one byte, and this one takes several").into()
                );
            }
            may_differ(at, kind, code)?;
            Ok(at.of(if *kind == Kind::Character { byte(value) } else { value }, literal(code)))
        }
        (Kind::Text { most }, Side::Text(text)) => {
            if text.contains('\0') {
                return Err(errors::always(at.span, "no text of a packet holds NUL").into());
            }
            if most.is_some_and(|most| text.len() as u64 > most) {
                return Err(errors::always(at.span, "the text is longer than the field may be").into());
            }
            texts(at, value, build::text(text.as_str()))
        }
        (Kind::Enumeration { members }, _) => {
            let names: Vec<&str> = members.keys().take(8).map(String::as_str).collect();
            let help = format!("name one of its members: {}", names.join(", "));
            Err(errors::different(at.span, &kind.words(), &said.words(), Some(&help)).into())
        }
        _ => Err(errors::different(at.span, &kind.words(), &said.words(), None).into()),
    }
}

/// The least and the greatest value of a field.
fn range(kind: &Kind) -> (i128, i128) {
    match kind {
        Kind::Integer { most: Some(most), .. } => (0, i128::from(*most)),
        Kind::Integer { bits, signed: true, .. } => (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1),
        Kind::Integer { bits, .. } => (0, (1_i128 << bits) - 1),
        _ => (0, 255),
    }
}

/// A comparison that comes out the same for all values of a field is a mistake.
fn may_differ(at: At, kind: &Kind, number: i128) -> Read<()> {
    let (least, most) = range(kind);
    let may_differ = match at.comparison {
        Comparison::Equal | Comparison::NotEqual => (least..=most).contains(&number),
        Comparison::Less | Comparison::AtLeast => least < number && number <= most,
        Comparison::Greater | Comparison::AtMost => least <= number && number < most,
    };
    if may_differ { Ok(()) } else { Err(same_for_all(at, kind)) }
}

/// The same for a number with a fraction, beside whole ones.
fn may_come_near(at: At, kind: &Kind, number: f64) -> Read<()> {
    let (least, most) = range(kind);
    // Greater ones are rounded up, so that nothing is refused that may differ.
    let (least, most) = (least as f64, most as f64);
    let may_differ = match at.comparison {
        Comparison::Equal | Comparison::NotEqual => number.fract() == 0.0 && (least..=most).contains(&number),
        Comparison::Less | Comparison::AtLeast => least < number && number <= most,
        Comparison::Greater | Comparison::AtMost => least <= number && number < most,
    };
    if may_differ { Ok(()) } else { Err(same_for_all(at, kind)) }
}

fn same_for_all(at: At, kind: &Kind) -> Box<Diagnostic> {
    let (least, most) = range(kind);
    let what = if matches!(kind, Kind::Integer { most: Some(_), .. }) { "the count" } else { "the field" };
    errors::always(at.span, &format!("{what} is a whole number from {least} to {most}")).into()
}

fn literal(number: i128) -> Expression {
    match u64::try_from(number) {
        Ok(large) if i64::try_from(number).is_err() => build::unsigned(large),
        // C has no literal for the least number.
        _ if number == i128::from(i64::MIN) => build::subtract(build::integer(number + 1), build::integer(1)),
        _ => build::integer(number),
    }
}

/// A number as C writes it for a field of so many bits.
fn fraction(at: At, number: f64, bits: u8) -> Read<Expression> {
    if bits == 32 {
        let narrow = number as f32;
        if !narrow.is_finite() {
            return Err(errors::always(at.span, "the field holds no number so large").into());
        }
        return Ok(written(format!("{narrow:?}f"), Scalar::Float));
    }
    Ok(written(format!("{number:?}"), Scalar::Double))
}

fn written(spelling: String, scalar: Scalar) -> Expression {
    Expression { kind: ExpressionKind::Float(spelling), ty: Type::Scalar(scalar), span: None }
}
