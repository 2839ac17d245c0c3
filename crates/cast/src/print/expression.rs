//! Expressions, with parentheses from one precedence table (C11 section 6.5).

use super::declarator;
use super::writer::Writer;
use crate::{BinaryOperator, Designator, Expression, ExpressionKind, Initializer, Statement, UnaryOperator};

/// Binding strength, from the comma operator up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Strength(u8);

const COMMA: Strength = Strength(0);
const ASSIGNMENT: Strength = Strength(1);
const CONDITIONAL: Strength = Strength(2);
const PREFIX: Strength = Strength(14);
const POSTFIX: Strength = Strength(15);
const PRIMARY: Strength = Strength(16);

fn binary_strength(operator: BinaryOperator) -> Strength {
    use BinaryOperator::{
        Add, And, BitAnd, BitOr, BitXor, Comma, Divide, Equal, Greater, GreaterEqual, Less, LessEqual, Multiply,
        NotEqual, Or, Remainder, ShiftLeft, ShiftRight, Subtract,
    };
    match operator {
        Comma => COMMA,
        Or => Strength(3),
        And => Strength(4),
        BitOr => Strength(5),
        BitXor => Strength(6),
        BitAnd => Strength(7),
        Equal | NotEqual => Strength(8),
        Less | LessEqual | Greater | GreaterEqual => Strength(9),
        ShiftLeft | ShiftRight => Strength(10),
        Add | Subtract => Strength(11),
        Multiply | Divide | Remainder => Strength(12),
    }
}

fn strength(expression: &Expression) -> Strength {
    match &expression.kind {
        ExpressionKind::Binary(operator, ..) => binary_strength(*operator),
        ExpressionKind::Assign(..) => ASSIGNMENT,
        ExpressionKind::Conditional(..) => CONDITIONAL,
        ExpressionKind::Unary(UnaryOperator::IncrementAfter | UnaryOperator::DecrementAfter, _) => POSTFIX,
        ExpressionKind::Unary(..) | ExpressionKind::Cast(_) => PREFIX,
        ExpressionKind::SizeofType(_) | ExpressionKind::SizeofValue(_) => PREFIX,
        ExpressionKind::Call(..) | ExpressionKind::Member(..) | ExpressionKind::Index(..) => POSTFIX,
        // A negative literal is a prefix expression to C.
        ExpressionKind::Integer(text) | ExpressionKind::Float(text) if text.starts_with('-') => PREFIX,
        ExpressionKind::Integer(_) | ExpressionKind::Float(_) | ExpressionKind::Text(_) => PRIMARY,
        ExpressionKind::Name(_) | ExpressionKind::Braces(_) => PRIMARY,
        ExpressionKind::Literal { .. } | ExpressionKind::Block(_) | ExpressionKind::VariableArgument(_) => PRIMARY,
        ExpressionKind::Implicit(value) => strength(value),
        ExpressionKind::Compound(_) => POSTFIX,
        ExpressionKind::Otherwise(..) => CONDITIONAL,
        ExpressionKind::LabelAddress(_) => PREFIX,
        ExpressionKind::Known { spelling, .. } | ExpressionKind::Verbatim(spelling) => strength_of_text(spelling),
    }
}

/// How strongly text holds together that the tree does not model: a name, a constant or what looks like a call does,
/// of anything else nothing is known.
fn strength_of_text(text: &str) -> Strength {
    let is_word = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let is_operand = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte != b'(' && byte != b')');
    match text.split_once('(') {
        None if is_word(text) || text.trim_end_matches('\'').len() < text.len() => PRIMARY,
        Some((word, rest)) if is_word(word.trim_end()) && rest.strip_suffix(')').is_some_and(is_operand) => {
            if word.trim_end() == "sizeof" { PREFIX } else { POSTFIX }
        }
        _ => COMMA,
    }
}

/// The text of an expression.
pub(super) fn text(expression: &Expression) -> String {
    let mut out = String::new();
    write(&mut out, expression);
    out
}

/// The text of an expression as one item of a list, or as an initial value.
pub(super) fn item_text(expression: &Expression) -> String {
    let mut out = String::new();
    write_at(&mut out, expression, ASSIGNMENT);
    out
}

/// The text of an expression where only `least` and stronger may stand without parentheses.
fn write_at(out: &mut String, expression: &Expression, least: Strength) {
    if strength(expression) < least {
        out.push('(');
        write(out, expression);
        out.push(')');
    } else {
        write(out, expression);
    }
}

fn write(out: &mut String, expression: &Expression) {
    match &expression.kind {
        ExpressionKind::Integer(text)
        | ExpressionKind::Float(text)
        | ExpressionKind::Verbatim(text)
        | ExpressionKind::Literal { spelling: text, .. }
        | ExpressionKind::Known { spelling: text, .. } => out.push_str(text),
        ExpressionKind::Name(name) => out.push_str(declarator::spelled(name)),
        ExpressionKind::Text(bytes) => out.push_str(&escape::c::quoted(bytes)),
        ExpressionKind::Unary(operator, operand) => unary(out, *operator, operand),
        ExpressionKind::Binary(operator, left, right) => binary(out, *operator, left, right),
        ExpressionKind::Assign(operator, target, value) => assign(out, *operator, target, value),
        ExpressionKind::Conditional(condition, then, otherwise) => choose(out, condition, Some(then), otherwise),
        ExpressionKind::Call(function, arguments) => {
            write_at(out, function, POSTFIX);
            list(out, "(", arguments.iter(), ")");
        }
        ExpressionKind::Member(base, name) => member(out, base, name),
        ExpressionKind::Index(base, at) => {
            write_at(out, base, POSTFIX);
            list(out, "[", std::iter::once(&**at), "]");
        }
        ExpressionKind::Cast(value) => {
            out.push('(');
            out.push_str(&declarator::declare(&expression.ty, ""));
            out.push(')');
            write_at(out, value, PREFIX);
        }
        ExpressionKind::Implicit(value) => write(out, value),
        ExpressionKind::Compound(value) => {
            out.push_str(&format!("({})", declarator::declare(&expression.ty, "")));
            write(out, value);
        }
        ExpressionKind::Block(body) => block(out, body),
        ExpressionKind::Otherwise(value, otherwise) => choose(out, value, None, otherwise),
        ExpressionKind::LabelAddress(label) => out.push_str(&format!("&&{}", declarator::spelled(label))),
        ExpressionKind::VariableArgument(list) => {
            out.push_str("__builtin_va_arg(");
            write_at(out, list, ASSIGNMENT);
            out.push_str(&format!(", {})", declarator::declare(&expression.ty, "")));
        }
        ExpressionKind::SizeofType(ty) => {
            out.push_str(&format!("sizeof({})", declarator::declare(ty, "")));
        }
        ExpressionKind::SizeofValue(value) => {
            out.push_str("sizeof(");
            write(out, value);
            out.push(')');
        }
        ExpressionKind::Braces(parts) => braces(out, parts),
    }
}

fn braces(out: &mut String, parts: &[Initializer]) {
    out.push_str("{ ");
    for (at, part) in parts.iter().enumerate() {
        out.push_str(if at == 0 { "" } else { ", " });
        designators(out, &part.designators);
        write_at(out, &part.value, ASSIGNMENT);
    }
    out.push_str(" }");
}

/// `.member[2] = `
fn designators(out: &mut String, steps: &[Designator]) {
    for step in steps {
        match step {
            Designator::Member(name) => out.push_str(&format!(".{name}")),
            Designator::Index(at) => out.push_str(&format!("[{}]", text(at))),
            Designator::Range(first, last) => out.push_str(&format!("[{} ... {}]", text(first), text(last))),
        }
    }
    out.push_str(if steps.is_empty() { "" } else { " = " });
}

/// GNU C's statement expression; the lines inside are the statement printer's.
fn block(out: &mut String, body: &[Statement]) {
    let mut inner = Writer::default();
    inner.indent();
    super::statement::statements(&mut inner, body);
    out.push_str(&format!("({{\n{}}})", inner.finish()));
}

fn assign(out: &mut String, operator: Option<BinaryOperator>, target: &Expression, value: &Expression) {
    write_at(out, target, PREFIX);
    out.push_str(&format!(" {}= ", operator.map_or("", BinaryOperator::spelling)));
    write_at(out, value, ASSIGNMENT);
}

/// `a ? b : c`, or GNU C's `a ?: c`.
fn choose(out: &mut String, condition: &Expression, then: Option<&Expression>, otherwise: &Expression) {
    write_at(out, condition, Strength(3));
    out.push_str(" ?");
    if let Some(then) = then {
        out.push(' ');
        write_at(out, then, CONDITIONAL);
        out.push(' ');
    }
    out.push_str(": ");
    write_at(out, otherwise, CONDITIONAL);
}

fn list<'a>(out: &mut String, open: &str, parts: impl Iterator<Item = &'a Expression>, close: &str) {
    out.push_str(open);
    for (at, part) in parts.enumerate() {
        out.push_str(if at == 0 { "" } else { ", " });
        write_at(out, part, ASSIGNMENT);
    }
    out.push_str(close);
}

fn member(out: &mut String, base: &Expression, name: &str) {
    if let ExpressionKind::Unary(UnaryOperator::Dereference, pointer) = &base.kind {
        write_at(out, pointer, POSTFIX);
        out.push_str("->");
    } else {
        write_at(out, base, POSTFIX);
        out.push('.');
    }
    out.push_str(name);
}

fn unary(out: &mut String, operator: UnaryOperator, operand: &Expression) {
    let (before, after) = match operator {
        UnaryOperator::Negate => ("-", ""),
        UnaryOperator::Not => ("!", ""),
        UnaryOperator::Complement => ("~", ""),
        UnaryOperator::AddressOf => ("&", ""),
        UnaryOperator::Dereference => ("*", ""),
        UnaryOperator::Increment => ("++", ""),
        UnaryOperator::Decrement => ("--", ""),
        UnaryOperator::IncrementAfter => ("", "++"),
        UnaryOperator::DecrementAfter => ("", "--"),
    };
    out.push_str(before);
    let start = out.len();
    write_at(out, operand, if after.is_empty() { PREFIX } else { POSTFIX });
    // `- -x` and `& &x` must not run together.
    if !before.is_empty() && out[start..].starts_with(['-', '+', '&']) && out[..start].ends_with(['-', '+', '&']) {
        out.insert(start, ' ');
    }
    out.push_str(after);
}

/// Mixtures that compilers warn about, or readers misread, get parentheses that C does not ask for.
fn wants_parentheses(outer: BinaryOperator, operand: &Expression) -> bool {
    use BinaryOperator::{And, BitAnd, BitOr, BitXor, Or, ShiftLeft, ShiftRight};
    let inner = match &operand.kind {
        ExpressionKind::Implicit(value) => return wants_parentheses(outer, value),
        ExpressionKind::Binary(inner, ..) => inner,
        _ => return false,
    };
    match outer {
        Or => *inner == And,
        BitAnd | BitOr | BitXor | ShiftLeft | ShiftRight => *inner != outer,
        And => false,
        // `a < b < c` is no chain.
        outer => outer.is_logical() && inner.is_logical(),
    }
}

fn binary(out: &mut String, operator: BinaryOperator, left: &Expression, right: &Expression) {
    let least = binary_strength(operator);
    for (operand, least) in [(left, least), (right, Strength(least.0 + 1))] {
        if std::ptr::eq(operand, right) {
            if operator != BinaryOperator::Comma {
                out.push(' ');
            }
            out.push_str(operator.spelling());
            out.push(' ');
        }
        let least = if wants_parentheses(operator, operand) { PRIMARY } else { least };
        write_at(out, operand, least);
    }
}
