//! Loops: `for (;;)` first, then `while`, `do` or `for` where the body has that form.

use cast::{BinaryOperator, Expression, ExpressionKind, Statement, TypeTable};

use super::super::flow::{End, NodeId};
use super::super::{literal, types, walk};
use super::{Context, Structurer, label, negated};

impl Structurer<'_> {
    /// The loop at a position; `context.next` is what comes after it.
    pub(super) fn cycle(&self, position: usize, context: Context, out: &mut Vec<Statement>) {
        let foot = self.foot(position);
        let statement = foot
            .and_then(|foot| self.with_foot(position, foot, context))
            .unwrap_or_else(|| self.plain(position, context));
        out.push(statement);
    }

    fn body(&self, position: usize, continues: NodeId, context: Context) -> Vec<Statement> {
        let header = self.plan.loops.list[position].header;
        let mut body = Vec::new();
        let context = Context { next: Some(header), breaks: context.next, continues: Some(continues) };
        self.inside(header, context, &mut body);
        body
    }

    fn plain(&self, position: usize, context: Context) -> Statement {
        let header = self.plan.loops.list[position].header;
        let mut body = self.body(position, header, context);
        let has_continue = continues(&body);
        if let Some(condition) = head_test(self.table, &mut body) {
            if !has_continue && let Some(step) = counting_step(&condition, &mut body) {
                return Statement::For { initial: None, condition: Some(condition), step: Some(step), body };
            }
            return Statement::While { condition, body };
        }
        if !has_continue && let Some(condition) = foot_test(self.table, &mut body) {
            return Statement::DoWhile { body, condition };
        }
        Statement::For { initial: None, condition: None, step: None, body }
    }

    /// The one block that leads back, where `continue` may lead to it: a step, or a test at the foot.
    fn foot(&self, position: usize) -> Option<NodeId> {
        let cycle = &self.plan.loops.list[position];
        let [foot] = cycle.latches[..] else { return None };
        let several = self.plan.graph.predecessors(foot).len() > 1;
        (foot != cycle.header && several && self.plan.after(foot).is_empty()).then_some(foot)
    }

    /// The loop with `continue` leading to its foot; none where the foot does not come out as the loop's last part.
    fn with_foot(&self, position: usize, foot: NodeId, context: Context) -> Option<Statement> {
        let mut body = self.body(position, foot, context);
        let at = body.iter().position(|statement| *statement == Statement::Label(label(foot)))?;
        if matches!(self.flow[foot].end, End::Branch { .. }) {
            if !self.flow[foot].statements.is_empty() || body.len() != at + 2 {
                return None;
            }
            let condition = foot_test(self.table, &mut body)?;
            return Some(Statement::DoWhile { body, condition });
        }
        let steps: Option<Vec<Expression>> = body[at + 1..].iter().map(as_step).collect();
        let step = steps?.into_iter().reduce(|left, right| cast::build::binary(left, BinaryOperator::Comma, right))?;
        body.truncate(at);
        let condition = head_test(self.table, &mut body)?;
        // The foot may still be jumped to from inside a `switch`: then its label ends the body.
        body.push(Statement::Label(label(foot)));
        Some(Statement::For { initial: None, condition: Some(condition), step: Some(step), body })
    }
}

fn as_step(statement: &Statement) -> Option<Expression> {
    match statement {
        Statement::Expression(value) => Some(value.clone()),
        _ => None,
    }
}

/// Takes `if (condition) break;` from the front of a body; what is left is done while the result holds. The condition
/// may take up an assignment before it: `while ((c = next()) != 0)`.
fn head_test(table: &TypeTable, body: &mut Vec<Statement>) -> Option<Expression> {
    if let [Statement::Expression(set), Statement::If { condition, then, otherwise }, _, ..] = &body[..]
        && *then == [Statement::Break]
        && otherwise.is_empty()
        && let Some(condition) = taking_up(table, negated(table, condition.clone()), set)
    {
        body.drain(..2);
        return Some(condition);
    }
    let Some(Statement::If { then, otherwise, .. }) = body.first() else { return None };
    let breaks = |list: &[Statement]| list == [Statement::Break];
    if !(breaks(then) && otherwise.is_empty()) {
        return None;
    }
    match body.remove(0) {
        Statement::If { condition, .. } => Some(negated(table, condition)),
        _ => None,
    }
}

/// A comparison of a variable with a constant, with the variable's assignment in its place.
fn taking_up(table: &TypeTable, condition: Expression, set: &Expression) -> Option<Expression> {
    let ExpressionKind::Assign(None, target, _) = &set.kind else { return None };
    let ExpressionKind::Name(name) = &target.kind else { return None };
    let is_it = |value: &Expression| matches!(&value.kind, ExpressionKind::Name(found) if found == name);
    match condition.kind {
        ExpressionKind::Binary(operator, left, right)
            if operator.is_logical() && is_it(&left) && is_constant(&right) =>
        {
            Some(cast::build::binary(set.clone(), operator, *right))
        }
        ExpressionKind::Name(_) if is_it(&condition) => {
            let is_pointer = types::pointee(table, &condition.ty).is_some();
            let zero = if is_pointer { cast::build::null() } else { cast::build::integer(0) };
            Some(cast::build::not_equal(set.clone(), zero))
        }
        _ => None,
    }
}

fn is_constant(value: &Expression) -> bool {
    literal::value_of(value).is_some() || literal::is_null(value)
}

/// Takes `if (condition) break;` from the end of a body.
fn foot_test(table: &TypeTable, body: &mut Vec<Statement>) -> Option<Expression> {
    let Some(Statement::If { then, otherwise, .. }) = body.last() else { return None };
    if *then != [Statement::Break] || !otherwise.is_empty() {
        return None;
    }
    match body.pop() {
        Some(Statement::If { condition, .. }) => Some(negated(table, condition)),
        _ => None,
    }
}

/// Takes `i = i + …` out of the assignments at the end of a body whose condition looks at `i`.
fn counting_step(condition: &Expression, body: &mut Vec<Statement>) -> Option<Expression> {
    for at in (1..body.len()).rev() {
        let Statement::Expression(Expression { kind: ExpressionKind::Assign(None, target, value), .. }) = &body[at]
        else {
            return None;
        };
        let ExpressionKind::Name(name) = &target.kind else { return None };
        if mentions(condition, name) && mentions(value, name) {
            let is_free = |later: &Statement| {
                walk::expressions(later).into_iter().all(|later| walk::is_arithmetic(later) && !mentions(later, name))
            };
            let stays = at + 1 == body.len() || walk::is_arithmetic(value) && body[at + 1..].iter().all(is_free);
            if !stays {
                return None;
            }
            return match body.remove(at) {
                Statement::Expression(step) => Some(step),
                _ => None,
            };
        }
    }
    None
}

fn mentions(value: &Expression, name: &str) -> bool {
    let mut found = false;
    walk::walk(value, &mut |part| found |= matches!(&part.kind, ExpressionKind::Name(other) if other == name));
    found
}

/// True where some `continue` in a body is the loop's own.
fn continues(body: &[Statement]) -> bool {
    body.iter().any(|statement| match statement {
        Statement::Continue => true,
        Statement::While { .. } | Statement::DoWhile { .. } | Statement::For { .. } => false,
        other => walk::bodies(other).into_iter().any(|body| continues(body)),
    })
}
