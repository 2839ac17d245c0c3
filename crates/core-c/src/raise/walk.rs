//! Walks over C that is being made.

use cast::{Expression, ExpressionKind, Statement};

/// The expressions right below one.
pub(super) fn children_mut(value: &mut Expression) -> Vec<&mut Expression> {
    match &mut value.kind {
        ExpressionKind::Unary(_, inner)
        | ExpressionKind::Cast(inner)
        | ExpressionKind::Implicit(inner)
        | ExpressionKind::Compound(inner)
        | ExpressionKind::VariableArgument(inner)
        | ExpressionKind::SizeofValue(inner)
        | ExpressionKind::Member(inner, _) => vec![inner],
        ExpressionKind::Binary(_, left, right)
        | ExpressionKind::Assign(_, left, right)
        | ExpressionKind::Index(left, right)
        | ExpressionKind::Otherwise(left, right) => vec![left, right],
        ExpressionKind::Conditional(condition, then, otherwise) => vec![condition, then, otherwise],
        ExpressionKind::Call(function, arguments) => std::iter::once(&mut **function).chain(arguments).collect(),
        ExpressionKind::Braces(parts) => parts.iter_mut().map(|part| &mut part.value).collect(),
        _ => Vec::new(),
    }
}

/// As [`children_mut`].
pub(super) fn children(value: &Expression) -> Vec<&Expression> {
    match &value.kind {
        ExpressionKind::Unary(_, inner)
        | ExpressionKind::Cast(inner)
        | ExpressionKind::Implicit(inner)
        | ExpressionKind::Compound(inner)
        | ExpressionKind::VariableArgument(inner)
        | ExpressionKind::SizeofValue(inner)
        | ExpressionKind::Member(inner, _) => vec![inner],
        ExpressionKind::Binary(_, left, right)
        | ExpressionKind::Assign(_, left, right)
        | ExpressionKind::Index(left, right)
        | ExpressionKind::Otherwise(left, right) => vec![left, right],
        ExpressionKind::Conditional(condition, then, otherwise) => vec![condition, then, otherwise],
        ExpressionKind::Call(function, arguments) => std::iter::once(&**function).chain(arguments).collect(),
        ExpressionKind::Braces(parts) => parts.iter().map(|part| &part.value).collect(),
        _ => Vec::new(),
    }
}

/// An expression and all below it, outermost first.
pub(super) fn walk<'a>(value: &'a Expression, visit: &mut dyn FnMut(&'a Expression)) {
    visit(value);
    children(value).into_iter().for_each(|child| walk(child, visit));
}

/// An expression and all below it, innermost first.
pub(super) fn walk_mut(value: &mut Expression, visit: &mut dyn FnMut(&mut Expression)) {
    children_mut(value).into_iter().for_each(|child| walk_mut(child, visit));
    visit(value);
}

/// True for what neither acts nor looks through a pointer: sums of variables and numbers, and assignments of them.
pub(super) fn is_arithmetic(value: &Expression) -> bool {
    let own = match &value.kind {
        ExpressionKind::Integer(_) | ExpressionKind::Float(_) | ExpressionKind::Name(_) => true,
        ExpressionKind::Binary(..) | ExpressionKind::Cast(_) | ExpressionKind::Assign(None, ..) => true,
        ExpressionKind::Unary(operator, _) => {
            matches!(operator, cast::UnaryOperator::Negate | cast::UnaryOperator::Complement)
        }
        _ => false,
    };
    own && children(value).into_iter().all(is_arithmetic)
}

/// The lists of statements right inside one.
pub(super) fn bodies(statement: &Statement) -> Vec<&Vec<Statement>> {
    match statement {
        Statement::Block(body)
        | Statement::While { body, .. }
        | Statement::DoWhile { body, .. }
        | Statement::For { body, .. } => vec![body],
        Statement::If { then, otherwise, .. } => vec![then, otherwise],
        Statement::Switch { arms, .. } => arms.iter().map(|arm| &arm.body).collect(),
        _ => Vec::new(),
    }
}

/// As [`bodies`].
pub(super) fn bodies_mut(statement: &mut Statement) -> Vec<&mut Vec<Statement>> {
    match statement {
        Statement::Block(body)
        | Statement::While { body, .. }
        | Statement::DoWhile { body, .. }
        | Statement::For { body, .. } => vec![body],
        Statement::If { then, otherwise, .. } => vec![then, otherwise],
        Statement::Switch { arms, .. } => arms.iter_mut().map(|arm| &mut arm.body).collect(),
        _ => Vec::new(),
    }
}

/// The outermost expressions of a statement itself, not of those inside it, in the order of their evaluation.
pub(super) fn expressions(statement: &Statement) -> Vec<&Expression> {
    match statement {
        Statement::Expression(value) | Statement::Return(Some(value)) | Statement::GotoAddress(value) => vec![value],
        Statement::Declare(variable) => {
            let length = match &variable.ty {
                cast::Type::Array(_, Some(length)) => Some(&**length),
                _ => None,
            };
            length.into_iter().chain(&variable.initial).collect()
        }
        Statement::If { condition, .. } | Statement::While { condition, .. } | Statement::DoWhile { condition, .. } => {
            vec![condition]
        }
        Statement::For { initial, condition, step, .. } => {
            let initial = initial.iter().flat_map(|initial| expressions(initial));
            initial.chain(condition).chain(step).collect()
        }
        Statement::Switch { value, .. } => vec![value],
        Statement::Assembly { outputs, inputs, .. } => outputs.iter().chain(inputs).collect(),
        _ => Vec::new(),
    }
}

/// As [`expressions`].
pub(super) fn expressions_mut(statement: &mut Statement) -> Vec<&mut Expression> {
    match statement {
        Statement::Expression(value) | Statement::Return(Some(value)) | Statement::GotoAddress(value) => vec![value],
        Statement::Declare(variable) => {
            let length = match &mut variable.ty {
                cast::Type::Array(_, Some(length)) => Some(&mut **length),
                _ => None,
            };
            length.into_iter().chain(&mut variable.initial).collect()
        }
        Statement::If { condition, .. } | Statement::While { condition, .. } | Statement::DoWhile { condition, .. } => {
            vec![condition]
        }
        Statement::For { initial, condition, step, .. } => {
            let initial = initial.iter_mut().flat_map(|initial| expressions_mut(initial));
            initial.chain(condition).chain(step).collect()
        }
        Statement::Switch { value, .. } => vec![value],
        Statement::Assembly { outputs, inputs, .. } => outputs.iter_mut().chain(inputs).collect(),
        _ => Vec::new(),
    }
}

/// All statements of a list, inner ones included, each before what is inside it.
pub(super) fn statements<'a>(list: &'a [Statement], visit: &mut dyn FnMut(&'a Statement)) {
    for statement in list {
        visit(statement);
        bodies(statement).into_iter().for_each(|body| statements(body, visit));
    }
}

/// As [`statements`].
pub(super) fn statements_mut(list: &mut [Statement], visit: &mut dyn FnMut(&mut Statement)) {
    for statement in list {
        visit(statement);
        bodies_mut(statement).into_iter().for_each(|body| statements_mut(body, visit));
    }
}

/// Every expression in a list of statements, outermost first.
pub(super) fn all_expressions<'a>(list: &'a [Statement], visit: &mut dyn FnMut(&'a Expression)) {
    statements(list, &mut |statement| {
        expressions(statement).into_iter().for_each(|value| walk(value, visit));
    });
}

/// An expression and all below it, initializers' and statement expressions' parts included.
pub(super) fn walk_all<'a>(value: &'a Expression, visit: &mut dyn FnMut(&'a Expression)) {
    let mut visitor = |_: &mut (), value: &'a Expression| visit(value);
    deep(value, &mut |(), _| {}, &mut visitor, &mut ());
}

/// Visits all statements and expressions of imported C, inner ones included.
pub(super) fn everything<'a, S>(
    list: &'a [Statement],
    statement: &mut dyn FnMut(&mut S, &'a Statement),
    expression: &mut dyn FnMut(&mut S, &'a Expression),
    state: &mut S,
) {
    for part in list {
        statement(state, part);
        for value in expressions(part).into_iter().chain(labels(part)) {
            deep(value, statement, expression, state);
        }
        if let Statement::For { initial: Some(initial), .. } = part {
            statement(state, initial);
        }
        for body in bodies(part) {
            everything(body, statement, expression, state);
        }
        if let Statement::SwitchBody { value, body } = part {
            deep(value, statement, expression, state);
            everything(body, statement, expression, state);
        }
    }
}

/// The values of `case` labels.
fn labels(statement: &Statement) -> Vec<&Expression> {
    match statement {
        Statement::Case(label) => case_values(label),
        Statement::Switch { arms, .. } => arms.iter().flat_map(|arm| &arm.labels).flat_map(case_values).collect(),
        _ => Vec::new(),
    }
}

fn case_values(label: &cast::CaseLabel) -> Vec<&Expression> {
    match label {
        cast::CaseLabel::Value(value) => vec![value],
        cast::CaseLabel::Range(first, last) => vec![first, last],
        cast::CaseLabel::Default => Vec::new(),
    }
}

fn deep<'a, S>(
    value: &'a Expression,
    statement: &mut dyn FnMut(&mut S, &'a Statement),
    expression: &mut dyn FnMut(&mut S, &'a Expression),
    state: &mut S,
) {
    expression(state, value);
    match &value.kind {
        ExpressionKind::Block(body) => everything(body, statement, expression, state),
        ExpressionKind::Braces(parts) => {
            for part in parts {
                for designator in &part.designators {
                    match designator {
                        cast::Designator::Member(_) => {}
                        cast::Designator::Index(at) => deep(at, statement, expression, state),
                        cast::Designator::Range(first, last) => {
                            deep(first, statement, expression, state);
                            deep(last, statement, expression, state);
                        }
                    }
                }
                deep(&part.value, statement, expression, state);
            }
        }
        _ => children(value).into_iter().for_each(|child| deep(child, statement, expression, state)),
    }
}
