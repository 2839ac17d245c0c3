//! C expressions in the text form. Names and numbers of type `int` are bare; others carry their type. What interfaces never
//! make is kept as C text.

use cast::build;
use cast::{BinaryOperator, Designator, Expression, ExpressionKind, Initializer, Type, UnaryOperator};
use sexpr::{Cursor, Sexpr, atom, node};

use super::c_types::{read_type, write_type};

const UNARY: [(&str, UnaryOperator); 5] = [
    ("minus", UnaryOperator::Negate),
    ("not", UnaryOperator::Not),
    ("complement", UnaryOperator::Complement),
    ("address", UnaryOperator::AddressOf),
    ("at", UnaryOperator::Dereference),
];

const BINARY: [BinaryOperator; 18] = [
    BinaryOperator::Multiply,
    BinaryOperator::Divide,
    BinaryOperator::Remainder,
    BinaryOperator::Add,
    BinaryOperator::Subtract,
    BinaryOperator::ShiftLeft,
    BinaryOperator::ShiftRight,
    BinaryOperator::Less,
    BinaryOperator::LessEqual,
    BinaryOperator::Greater,
    BinaryOperator::GreaterEqual,
    BinaryOperator::Equal,
    BinaryOperator::NotEqual,
    BinaryOperator::BitAnd,
    BinaryOperator::BitXor,
    BinaryOperator::BitOr,
    BinaryOperator::And,
    BinaryOperator::Or,
];

/// Words that read as numbers stand for themselves; other words are names.
fn is_number(word: &str) -> bool {
    word.trim_start_matches('-').starts_with(|first: char| first.is_ascii_digit())
}

/// An expression as a form.
pub fn write_expression(expression: &Expression) -> Sexpr {
    let form = write_kind(expression);
    if expression.ty == Type::INT { form } else { node("typed", [write_type(&expression.ty), form]) }
}

fn write_kind(expression: &Expression) -> Sexpr {
    let all = |head: &str, parts: &[&Expression]| node(head, parts.iter().map(|part| write_expression(part)));
    match &expression.kind {
        ExpressionKind::Integer(spelling) if is_number(spelling) => atom(spelling),
        ExpressionKind::Name(name) if !is_number(name) => atom(name),
        ExpressionKind::Verbatim(text) => node("c", [sexpr::text(text)]),
        ExpressionKind::Text(text) => node("text", [sexpr::text(text)]),
        ExpressionKind::Unary(operator, of) => match UNARY.iter().find(|(_, known)| known == operator) {
            Some((word, _)) => all(word, &[of]),
            None => as_c(expression),
        },
        ExpressionKind::Binary(operator, left, right) if BINARY.contains(operator) => {
            all(operator.spelling(), &[left, right])
        }
        ExpressionKind::Conditional(condition, then, otherwise) => all("if", &[condition, then, otherwise]),
        ExpressionKind::Call(function, arguments) => {
            node("call", std::iter::once(&**function).chain(arguments).map(write_expression))
        }
        ExpressionKind::Member(of, name) => node("member", [write_expression(of), atom(name)]),
        ExpressionKind::Index(of, at) => all("index", &[of, at]),
        ExpressionKind::Cast(of) => all("cast", &[of]),
        ExpressionKind::SizeofType(ty) => node("sizeof-type", [write_type(ty)]),
        ExpressionKind::SizeofValue(of) => all("sizeof", &[of]),
        ExpressionKind::Compound(of) => all("compound", &[of]),
        ExpressionKind::Braces(parts) => match parts.iter().map(write_initializer).collect::<Option<Vec<_>>>() {
            Some(parts) => node("braces", parts),
            None => as_c(expression),
        },
        _ => as_c(expression),
    }
}

fn as_c(expression: &Expression) -> Sexpr {
    node("c", [sexpr::text(cast::print_expression(expression))])
}

/// `(for STEP… VALUE)`, without steps the value alone.
fn write_initializer(part: &Initializer) -> Option<Sexpr> {
    let value = write_expression(&part.value);
    if part.designators.is_empty() {
        return Some(value);
    }
    let step = |step: &Designator| match step {
        Designator::Member(name) => Some(node("member", [atom(name)])),
        Designator::Index(at) => Some(node("index", [write_expression(at)])),
        Designator::Range(..) => None,
    };
    let steps = part.designators.iter().map(step).collect::<Option<Vec<_>>>()?;
    Some(node("for", steps.into_iter().chain([value])))
}

/// An expression from its form.
pub fn read_expression(form: &Sexpr) -> Option<Expression> {
    if let Some(mut parts) = Cursor::of(form, "typed") {
        let ty = read_type(parts.form()?)?;
        return Some(Expression { ty, ..read_expression(parts.form()?)? });
    }
    if let Some(word) = form.as_atom() {
        return Some(if is_number(word) { build::spelled(word, Type::INT) } else { build::name(word, Type::INT) });
    }
    let mut parts = Cursor::new(form.as_list()?);
    let kind = read_kind(parts.atom()?, &mut parts)?;
    parts.is_at_end().then_some(Expression { kind, ty: Type::INT, span: None })
}

fn read_kind(head: &str, parts: &mut Cursor) -> Option<ExpressionKind> {
    if let Some((_, operator)) = UNARY.iter().find(|(word, _)| *word == head) {
        return Some(ExpressionKind::Unary(*operator, next(parts)?));
    }
    if let Some(operator) = BINARY.into_iter().find(|operator| operator.spelling() == head) {
        return Some(ExpressionKind::Binary(operator, next(parts)?, next(parts)?));
    }
    Some(match head {
        "c" => ExpressionKind::Verbatim(parts.text()?.to_string()),
        "text" => ExpressionKind::Text(parts.text()?.to_string()),
        "if" => ExpressionKind::Conditional(next(parts)?, next(parts)?, next(parts)?),
        "call" => ExpressionKind::Call(next(parts)?, rest(parts, read_expression)?),
        "member" => ExpressionKind::Member(next(parts)?, parts.atom()?.to_string()),
        "index" => ExpressionKind::Index(next(parts)?, next(parts)?),
        "cast" => ExpressionKind::Cast(next(parts)?),
        "sizeof-type" => ExpressionKind::SizeofType(read_type(parts.form()?)?),
        "sizeof" => ExpressionKind::SizeofValue(next(parts)?),
        "compound" => ExpressionKind::Compound(next(parts)?),
        "braces" => ExpressionKind::Braces(rest(parts, read_initializer)?),
        _ => return None,
    })
}

fn next(parts: &mut Cursor) -> Option<Box<Expression>> {
    Some(Box::new(read_expression(parts.form()?)?))
}

/// All that is left, each read by `read`.
pub(super) fn rest<T>(parts: &mut Cursor, read: fn(&Sexpr) -> Option<T>) -> Option<Vec<T>> {
    let all = std::iter::from_fn(|| parts.form());
    all.map(read).collect()
}

fn read_initializer(form: &Sexpr) -> Option<Initializer> {
    let Some(mut parts) = Cursor::of(form, "for") else {
        return Some(Initializer { designators: Vec::new(), value: read_expression(form)? });
    };
    let mut designators = Vec::new();
    loop {
        if let Some(mut member) = parts.list("member") {
            designators.push(Designator::Member(member.atom()?.to_string()));
        } else if let Some(mut index) = parts.list("index") {
            designators.push(Designator::Index(read_expression(index.form()?)?));
        } else {
            return Some(Initializer { designators, value: read_expression(parts.form()?)? });
        }
    }
}
