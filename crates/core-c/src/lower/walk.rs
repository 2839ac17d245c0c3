//! Visits the expressions inside C statements and expressions.

use cast::{CaseLabel, Designator, Expression, ExpressionKind, Statement};

/// Calls `visit` for each direct operand of an expression; the statements of a block are given to `inside`.
pub(super) fn operands<'a>(
    expression: &'a Expression,
    visit: &mut dyn FnMut(&'a Expression),
    inside: &mut dyn FnMut(&'a [Statement]),
) {
    match &expression.kind {
        ExpressionKind::Unary(_, a)
        | ExpressionKind::Member(a, _)
        | ExpressionKind::Cast(a)
        | ExpressionKind::Implicit(a)
        | ExpressionKind::Compound(a)
        | ExpressionKind::VariableArgument(a) => visit(a),
        ExpressionKind::Binary(_, a, b)
        | ExpressionKind::Assign(_, a, b)
        | ExpressionKind::Index(a, b)
        | ExpressionKind::Otherwise(a, b) => {
            visit(a);
            visit(b);
        }
        ExpressionKind::Conditional(a, b, c) => {
            visit(a);
            visit(b);
            visit(c);
        }
        ExpressionKind::Call(callee, arguments) => {
            visit(callee);
            arguments.iter().for_each(visit);
        }
        ExpressionKind::Braces(parts) => {
            for part in parts {
                part.designators.iter().for_each(|designator| designated(designator, visit));
                visit(&part.value);
            }
        }
        ExpressionKind::Block(statements) => inside(statements),
        // The operand of `sizeof` is not evaluated, unless its length is computed, which is refused.
        ExpressionKind::SizeofType(_)
        | ExpressionKind::SizeofValue(_)
        | ExpressionKind::Integer(_)
        | ExpressionKind::Float(_)
        | ExpressionKind::Text(_)
        | ExpressionKind::Literal { .. }
        | ExpressionKind::Name(_)
        | ExpressionKind::LabelAddress(_)
        | ExpressionKind::Known { .. }
        | ExpressionKind::Verbatim(_) => {}
    }
}

fn designated<'a>(designator: &'a Designator, visit: &mut dyn FnMut(&'a Expression)) {
    match designator {
        Designator::Member(_) => {}
        Designator::Index(index) => visit(index),
        Designator::Range(first, last) => {
            visit(first);
            visit(last);
        }
    }
}

/// Calls `visit` for every statement, inner ones and those of statement expressions included, and `look` for every
/// expression.
pub(super) fn everything<'a>(
    statements: &'a [Statement],
    visit: &mut dyn FnMut(&'a Statement),
    look: &mut dyn FnMut(&'a Expression),
) {
    for statement in statements {
        visit(statement);
        parts(statement, &mut |part| match part {
            Part::Expression(expression) => every_expression(expression, visit, look),
            Part::Body(body) => everything(body, visit, look),
        });
    }
}

fn every_expression<'a>(
    expression: &'a Expression,
    visit: &mut dyn FnMut(&'a Statement),
    look: &mut dyn FnMut(&'a Expression),
) {
    look(expression);
    let (mut found, mut bodies) = (Vec::new(), Vec::new());
    operands(expression, &mut |operand| found.push(operand), &mut |body| bodies.push(body));
    for operand in found {
        every_expression(operand, visit, look);
    }
    for body in bodies {
        everything(body, visit, look);
    }
}

enum Part<'a> {
    Expression(&'a Expression),
    Body(&'a [Statement]),
}

/// What a statement consists of.
fn parts<'a>(statement: &'a Statement, part: &mut dyn FnMut(Part<'a>)) {
    use Part::{Body, Expression as Value};
    match statement {
        Statement::Expression(value) | Statement::Return(Some(value)) | Statement::GotoAddress(value) => {
            part(Value(value));
        }
        Statement::Declare(variable) => variable.initial.iter().for_each(|initial| part(Value(initial))),
        Statement::Block(body) => part(Body(body)),
        Statement::If { condition, then, otherwise } => {
            part(Value(condition));
            part(Body(then));
            part(Body(otherwise));
        }
        Statement::While { condition, body } | Statement::DoWhile { body, condition } => {
            part(Value(condition));
            part(Body(body));
        }
        Statement::For { initial, condition, step, body } => {
            initial.iter().for_each(|initial| part(Body(std::slice::from_ref(initial))));
            condition.iter().chain(step).for_each(|value| part(Value(value)));
            part(Body(body));
        }
        Statement::Switch { value, arms } => {
            part(Value(value));
            arms.iter().for_each(|arm| part(Body(&arm.body)));
        }
        Statement::SwitchBody { value, body } => {
            part(Value(value));
            part(Body(body));
        }
        Statement::Case(CaseLabel::Value(value)) => part(Value(value)),
        Statement::Case(CaseLabel::Range(first, last)) => {
            part(Value(first));
            part(Value(last));
        }
        Statement::Assembly { outputs, inputs, .. } => {
            outputs.iter().chain(inputs).for_each(|operand| part(Value(operand)));
        }
        Statement::Conditional { then, otherwise, .. } => {
            part(Body(then));
            part(Body(otherwise));
        }
        Statement::Case(CaseLabel::Default)
        | Statement::Break
        | Statement::Continue
        | Statement::Return(None)
        | Statement::Goto(_)
        | Statement::Label(_)
        | Statement::At(_)
        | Statement::Comment(_)
        | Statement::Verbatim(_)
        | Statement::Blank => {}
    }
}
