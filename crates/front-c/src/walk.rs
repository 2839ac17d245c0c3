//! A walk over the expressions of a tree. In: a node and a visitor. Each function goes to what is directly below.

use cast::{CaseLabel, Designator, Expression, ExpressionKind, Statement, Variable};

/// Who is shown every expression and statement.
pub(crate) trait Walk<'t> {
    fn expression(&mut self, expression: &'t Expression);
    fn statement(&mut self, statement: &'t Statement);
}

pub(crate) fn variable<'t>(walk: &mut impl Walk<'t>, variable: &'t Variable) {
    variable.initial.iter().for_each(|value| walk.expression(value));
}

pub(crate) fn expression<'t>(walk: &mut impl Walk<'t>, expression: &'t Expression) {
    match &expression.kind {
        ExpressionKind::Unary(_, value)
        | ExpressionKind::Member(value, _)
        | ExpressionKind::Cast(value)
        | ExpressionKind::Implicit(value)
        | ExpressionKind::Compound(value)
        | ExpressionKind::VariableArgument(value)
        | ExpressionKind::SizeofValue(value) => walk.expression(value),
        ExpressionKind::Binary(_, left, right)
        | ExpressionKind::Assign(_, left, right)
        | ExpressionKind::Index(left, right)
        | ExpressionKind::Otherwise(left, right) => [left, right].into_iter().for_each(|value| walk.expression(value)),
        ExpressionKind::Conditional(condition, then, otherwise) => {
            [condition, then, otherwise].into_iter().for_each(|value| walk.expression(value));
        }
        ExpressionKind::Call(function, arguments) => {
            walk.expression(function);
            arguments.iter().for_each(|argument| walk.expression(argument));
        }
        ExpressionKind::Block(body) => body.iter().for_each(|statement| walk.statement(statement)),
        ExpressionKind::Braces(parts) => {
            for part in parts {
                part.designators.iter().for_each(|designator| bounds(walk, designator));
                walk.expression(&part.value);
            }
        }
        ExpressionKind::Integer(_)
        | ExpressionKind::Float(_)
        | ExpressionKind::Text(_)
        | ExpressionKind::Literal { .. }
        | ExpressionKind::Name(_)
        | ExpressionKind::LabelAddress(_)
        | ExpressionKind::Known { .. }
        | ExpressionKind::SizeofType(_)
        | ExpressionKind::Verbatim(_) => {}
    }
}

fn bounds<'t>(walk: &mut impl Walk<'t>, designator: &'t Designator) {
    match designator {
        Designator::Member(_) => {}
        Designator::Index(at) => walk.expression(at),
        Designator::Range(first, last) => [first, last].into_iter().for_each(|value| walk.expression(value)),
    }
}

pub(crate) fn statement<'t>(walk: &mut impl Walk<'t>, statement: &'t Statement) {
    let all = |walk: &mut _, body: &'t [Statement]| body.iter().for_each(|statement| Walk::statement(walk, statement));
    match statement {
        Statement::Expression(value) | Statement::GotoAddress(value) => walk.expression(value),
        Statement::Declare(declared) => variable(walk, declared),
        Statement::Block(body) => all(walk, body),
        Statement::If { condition, then, otherwise } => {
            walk.expression(condition);
            all(walk, then);
            all(walk, otherwise);
        }
        Statement::While { condition, body } | Statement::DoWhile { body, condition } => {
            walk.expression(condition);
            all(walk, body);
        }
        Statement::For { initial, condition, step, body } => {
            initial.iter().for_each(|initial| walk.statement(initial));
            condition.iter().chain(step).for_each(|value| walk.expression(value));
            all(walk, body);
        }
        Statement::SwitchBody { value, body } => {
            walk.expression(value);
            all(walk, body);
        }
        Statement::Switch { value, arms } => {
            walk.expression(value);
            arms.iter().for_each(|arm| all(walk, &arm.body));
        }
        Statement::Case(CaseLabel::Value(value)) => walk.expression(value),
        Statement::Case(CaseLabel::Range(first, last)) => {
            [first, last].into_iter().for_each(|value| walk.expression(value))
        }
        Statement::Return(value) => value.iter().for_each(|value| walk.expression(value)),
        Statement::Assembly { outputs, inputs, .. } => {
            outputs.iter().chain(inputs).for_each(|value| walk.expression(value));
        }
        Statement::Conditional { then, otherwise, .. } => {
            all(walk, then);
            all(walk, otherwise);
        }
        Statement::Case(CaseLabel::Default)
        | Statement::Break
        | Statement::Continue
        | Statement::Goto(_)
        | Statement::Label(_)
        | Statement::At(_)
        | Statement::Comment(_)
        | Statement::Verbatim(_)
        | Statement::Blank => {}
    }
}
