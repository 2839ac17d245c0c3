//! Branches that are one condition become `&&` and `||` again; branches that only choose a value become `?:`.

use cast::{BinaryOperator, Expression, ExpressionKind, Statement, build};

use super::flow::{End, Flow, NodeId};
use super::{Raiser, literal, names, structure, types};
use crate::graph::number;

/// Joins what belongs together; true where something was joined.
pub(super) fn join(raiser: &Raiser, flow: &mut Flow, fixed: &[bool]) -> bool {
    let mut ways = Ways::of(flow, fixed);
    let mut joined = false;
    // Later blocks first: what they join to is there when earlier ones look.
    for node in flow.iter().map(|(node, _)| node).collect::<Vec<_>>().into_iter().rev() {
        while ways.is_reachable(node)
            && (follow(flow, node, &mut ways)
                || test(raiser, flow, node, &mut ways)
                || choice(raiser, flow, node, &mut ways))
        {
            joined = true;
        }
    }
    joined
}

/// How many edges lead to each block.
struct Ways<'a> {
    count: Vec<usize>,
    /// Blocks that are to stay on their own.
    fixed: &'a [bool],
}

impl<'a> Ways<'a> {
    fn of(flow: &Flow, fixed: &'a [bool]) -> Ways<'a> {
        let graph = super::flow::graph(flow);
        let mut count: Vec<usize> = flow.iter().map(|(node, _)| graph.predecessors(node).len()).collect();
        count.iter_mut().take(1).for_each(|entry| *entry += 1);
        Ways { count, fixed }
    }

    fn is_reachable(&self, node: NodeId) -> bool {
        self.count[number(node)] > 0
    }

    /// True for a block that one edge alone leads to, so that it can go where the edge comes from.
    fn is_single(&self, node: NodeId) -> bool {
        self.count[number(node)] == 1 && !self.fixed[number(node)]
    }

    /// An edge to a block is gone, with all that only it led to.
    fn remove(&mut self, node: NodeId) {
        self.count[number(node)] -= 1;
    }
}

/// What only one block goes to, and always, is a part of that block.
fn follow(flow: &mut Flow, node: NodeId, ways: &mut Ways) -> bool {
    let End::Goto(next) = flow[node].end else { return false };
    if next == node || !ways.is_single(next) {
        return false;
    }
    let statements = std::mem::take(&mut flow[next].statements);
    flow[node].statements.extend(statements);
    flow[node].end = std::mem::replace(&mut flow[next].end, End::Unreachable);
    ways.remove(next);
    true
}

/// A test that one way out of another test leads to, and that shares its other way out.
fn test(raiser: &Raiser, flow: &mut Flow, node: NodeId, ways: &mut Ways) -> bool {
    let End::Branch { condition, then, otherwise } = &flow[node].end else { return false };
    let (then, otherwise) = (*then, *otherwise);
    let second = |at: NodeId| match &flow[at].end {
        End::Branch { condition, then, otherwise } if ways.is_single(at) && at != node => {
            flow[at].statements.is_empty().then(|| (condition.clone(), *then, *otherwise))
        }
        _ => None,
    };
    let first = condition.clone();
    let not = |condition| structure::negated(raiser.table(), condition);
    let (inner, end, shared) =
        if let Some((inner, yes, no)) = second(then).filter(|(_, y, n)| [*y, *n].contains(&otherwise)) {
            let (inner, yes) = if no == otherwise { (inner, yes) } else { (not(inner), no) };
            (then, End::Branch { condition: chain(BinaryOperator::And, first, inner), then: yes, otherwise }, otherwise)
        } else if let Some((inner, yes, no)) = second(otherwise).filter(|(_, y, n)| [*y, *n].contains(&then)) {
            let (inner, no) = if yes == then { (inner, no) } else { (not(inner), yes) };
            (otherwise, End::Branch { condition: chain(BinaryOperator::Or, first, inner), then, otherwise: no }, then)
        } else {
            return false;
        };
    flow[node].end = end;
    flow[inner].end = End::Unreachable;
    ways.remove(inner);
    ways.remove(shared);
    true
}

/// `a && (b && c)` as people write it: `a && b && c`.
fn chain(operator: BinaryOperator, first: Expression, mut rest: Expression) -> Expression {
    let mut depth = 0;
    let mut part = &rest;
    while let Some(left) = first_of(operator, part) {
        (part, depth) = (left, depth + 1);
    }
    let mut place = &mut rest;
    for _ in 0..depth {
        let ExpressionKind::Binary(_, left, _) = &mut place.kind else { return rest };
        place = left;
    }
    let second = std::mem::replace(place, build::integer(0));
    *place = if operator == BinaryOperator::And { build::and(first, second) } else { build::or(first, second) };
    rest
}

fn first_of(operator: BinaryOperator, value: &Expression) -> Option<&Expression> {
    match &value.kind {
        ExpressionKind::Binary(inner, left, _) if *inner == operator => Some(left),
        _ => None,
    }
}

/// Two ways that only give one temporary its value, and meet again.
fn choice(raiser: &Raiser, flow: &mut Flow, node: NodeId, ways: &mut Ways) -> bool {
    let End::Branch { condition, then, otherwise } = &flow[node].end else { return false };
    let (then, otherwise) = (*then, *otherwise);
    let arm = |at: NodeId| match (&flow[at].statements[..], &flow[at].end) {
        ([Statement::Expression(set)], End::Goto(next)) if ways.is_single(at) => Some((set, *next)),
        _ => None,
    };
    let Some(((first, next), (second, also))) = arm(then).zip(arm(otherwise)) else { return false };
    let (Some((target, yes)), Some((same, no))) = (assigned(first), assigned(second)) else { return false };
    if next != also || target.kind != same.kind {
        return false;
    }
    let value = chosen(raiser, condition.clone(), yes.clone(), no.clone(), target);
    let target = target.clone();
    flow[node].statements.push(build::assign(target, value));
    flow[node].end = End::Goto(next);
    for arm in [then, otherwise] {
        flow[arm].end = End::Unreachable;
        flow[arm].statements.clear();
        ways.remove(arm);
    }
    ways.remove(next);
    true
}

/// The temporary that an expression sets, and to what.
fn assigned(value: &Expression) -> Option<(&Expression, &Expression)> {
    match &value.kind {
        ExpressionKind::Assign(None, target, value) => match &target.kind {
            ExpressionKind::Name(name) if name.starts_with(names::TEMPORARY) => Some((target, value)),
            _ => None,
        },
        _ => None,
    }
}

fn chosen(raiser: &Raiser, condition: Expression, yes: Expression, no: Expression, target: &Expression) -> Expression {
    let table = raiser.table();
    match (literal::value_of(&yes), literal::value_of(&no)) {
        (Some(1), Some(0)) => return truth(condition),
        (Some(0), Some(1)) => return truth(structure::negated(table, condition)),
        _ => {}
    }
    let [yes, no] = [yes, no].map(|value| arm_value(raiser, value, target));
    let ty = if literal::is_null(&yes) { no.ty.clone() } else { yes.ty.clone() };
    Expression { ty, ..build::conditional(condition, yes, no) }
}

/// A condition as a number, 0 or 1.
fn truth(condition: Expression) -> Expression {
    let is_truth = match &condition.kind {
        ExpressionKind::Binary(operator, ..) => operator.is_logical(),
        ExpressionKind::Unary(operator, _) => *operator == cast::UnaryOperator::Not,
        _ => false,
    };
    if is_truth { condition } else { build::not_equal(condition, build::integer(0)) }
}

/// The arms of `?:` are brought to one type (C11 section 6.5.15): that of the target.
fn arm_value(raiser: &Raiser, value: Expression, target: &Expression) -> Expression {
    let table = raiser.table();
    let alike = match (raiser.scalar(&target.ty), raiser.scalar(&value.ty)) {
        (Some(wanted), Some(given)) => {
            types::same_values(table, types::promoted(table, wanted), types::promoted(table, given))
        }
        (None, None) => {
            literal::is_null(&value) || types::compatible(table, &target.ty, &super::expression::decayed(&value))
        }
        _ => false,
    };
    if alike { value } else { build::cast(target.ty.clone(), value) }
}
