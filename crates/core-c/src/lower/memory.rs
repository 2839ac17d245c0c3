//! Which locals live in memory: those whose address may be taken.

use std::collections::BTreeSet;

use cast::{Expression, ExpressionKind, Statement, UnaryOperator};

use super::walk;

/// The names of variables whose address some expression takes, or that a text may name. Two variables of one name are
/// not distinguished, which is safe: memory is always right for a variable, a register only sometimes.
pub(super) fn addressed(body: &[Statement]) -> BTreeSet<String> {
    collect(body, &|expression| match &expression.kind {
        ExpressionKind::Unary(UnaryOperator::AddressOf, operand) => object(operand),
        // The list that `va_arg` takes from is changed by it.
        ExpressionKind::VariableArgument(list) => object(list),
        _ => None,
    })
}

/// All names in a body, and what may be names in texts.
pub(super) fn names(body: &[Statement]) -> BTreeSet<String> {
    collect(body, &|expression| match &expression.kind {
        ExpressionKind::Name(name) => Some(name.clone()),
        _ => None,
    })
}

/// What `name` finds in the expressions of a body, and all words of texts.
fn collect(body: &[Statement], name: &dyn Fn(&Expression) -> Option<String>) -> BTreeSet<String> {
    let names = std::cell::RefCell::new(BTreeSet::new());
    walk::everything(
        body,
        &mut |statement| {
            if let Statement::Assembly { text, .. } | Statement::Verbatim(text) = statement {
                names.borrow_mut().extend(words(text));
            }
        },
        &mut |expression| {
            names.borrow_mut().extend(name(expression));
            if let ExpressionKind::Verbatim(text) = &expression.kind {
                names.borrow_mut().extend(words(text));
            }
        },
    );
    names.into_inner()
}

/// The variable that an lvalue lies in.
pub(super) fn object(lvalue: &Expression) -> Option<String> {
    match &lvalue.kind {
        ExpressionKind::Name(name) => Some(name.clone()),
        ExpressionKind::Member(base, _) | ExpressionKind::Index(base, _) => object(base),
        ExpressionKind::Cast(inner) | ExpressionKind::Implicit(inner) => object(inner),
        _ => None,
    }
}

/// All words of a text that might be names.
fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '$')
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
}
