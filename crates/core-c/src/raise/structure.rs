//! `if`, loops and `switch` out of blocks that lead to each other.
//!
//! A block stands where its immediate dominator ends: right inside a branch where only that branch leads to it, else
//! after the dominator; what leaves a loop stands after the loop. Every such place is right, since control that does
//! not fall through gets there by `break`, `continue` or, at last, `goto`.

mod arms;
mod cycles;
mod plan;

use cast::{Statement, TypeTable, build};

use super::flow::{End, Flow, NodeId};
use super::{literal, types, walk};
use plan::Plan;

/// Where control goes by itself.
#[derive(Clone, Copy, Debug, Default)]
struct Context {
    /// The block that comes next when a statement is done.
    next: Option<NodeId>,
    /// Where `break` goes.
    breaks: Option<NodeId>,
    /// Where `continue` goes.
    continues: Option<NodeId>,
}

struct Structurer<'a> {
    table: &'a TypeTable,
    flow: &'a Flow,
    plan: Plan,
}

/// The statements of a function's body. `addressed` are the blocks whose address is taken.
pub(super) fn structure(table: &TypeTable, flow: &Flow, addressed: Vec<bool>) -> Vec<Statement> {
    let plan = Plan::of(flow, addressed);
    let mut out = Vec::new();
    if let Some((entry, _)) = flow.iter().next() {
        Structurer { table, flow, plan }.place(entry, Context::default(), &mut out);
    }
    out
}

pub(super) fn label(node: NodeId) -> String {
    super::label(crate::graph::number(node))
}

impl Structurer<'_> {
    /// A block and all that it dominates.
    fn place(&self, node: NodeId, context: Context, out: &mut Vec<Statement>) {
        let cycle = self.plan.loops.headed_by(node);
        if cycle.is_some() || self.plan.needs_label(node) {
            out.push(Statement::Label(label(node)));
        }
        if let Some(position) = cycle {
            let exits = self.plan.after_loop(position);
            let first = Context { next: exits.first().copied().or(context.next), ..context };
            self.cycle(position, first, out);
            self.sequence(exits, context, out);
        } else {
            self.inside(node, context, out);
        }
    }

    /// A block and what it dominates, loops that it heads aside.
    fn inside(&self, node: NodeId, context: Context, out: &mut Vec<Statement>) {
        let after = self.plan.after(node);
        let first = Context { next: after.first().copied().or(context.next), ..context };
        self.code(node, first, out);
        self.sequence(after, context, out);
    }

    /// Blocks that stand one after the other.
    fn sequence(&self, nodes: &[NodeId], context: Context, out: &mut Vec<Statement>) {
        for (at, node) in nodes.iter().enumerate() {
            let next = nodes.get(at + 1).copied().or(context.next);
            self.place(*node, Context { next, ..context }, out);
        }
    }

    fn code(&self, node: NodeId, context: Context, out: &mut Vec<Statement>) {
        let closed = self.plan.is_closed(node);
        out.extend(self.flow[node].statements.iter().filter(|statement| closed || !is_marker(statement)).cloned());
        match &self.flow[node].end {
            End::Goto(target) => self.go(node, *target, context, out),
            End::Branch { condition, then, otherwise } => {
                self.branch(node, condition, [*then, *otherwise], context, out);
            }
            End::Switch { value, cases, default } => self.switch(node, value, cases, *default, context, out),
            End::Return(value) => out.push(Statement::Return(value.clone())),
            End::GotoAddress { address, .. } => out.push(Statement::GotoAddress(address.clone())),
            End::Unreachable => out.extend(unreachable(out)),
        }
    }

    /// Control goes from one block to another.
    fn go(&self, from: NodeId, to: NodeId, context: Context, out: &mut Vec<Statement>) {
        if self.plan.is_inside(from, to) {
            return self.place(to, context, out);
        }
        out.extend(self.jump(to, context));
    }

    fn jump(&self, to: NodeId, context: Context) -> Option<Statement> {
        if context.next == Some(to) {
            None
        } else if context.breaks == Some(to) {
            Some(Statement::Break)
        } else if context.continues == Some(to) {
            Some(Statement::Continue)
        } else if let (true, End::Return(value)) = (self.plan.is_return(to), &self.flow[to].end) {
            Some(Statement::Return(value.clone()))
        } else {
            Some(Statement::Goto(label(to)))
        }
    }

    /// Early exits stand flat: what comes after an arm that leaves needs no `else`.
    fn branch(
        &self,
        from: NodeId,
        condition: &cast::Expression,
        [then, otherwise]: [NodeId; 2],
        context: Context,
        out: &mut Vec<Statement>,
    ) {
        let (first, second, condition) = match self.plan.prefers(self.flow, from, [then, otherwise], context.next) {
            true => (then, otherwise, condition.clone()),
            false => (otherwise, then, negated(self.table, condition.clone())),
        };
        let mut body = Vec::new();
        self.go(from, first, context, &mut body);
        if leaves(&body) {
            // A way out that comes next anyway is the shorter one to tell of.
            if let (true, true, End::Return(value)) =
                (is_long(&body), self.plan.is_return(second), &self.flow[second].end)
            {
                out.push(build::when(negated(self.table, condition), vec![Statement::Return(value.clone())]));
                return out.extend(body);
            }
            out.push(build::when(condition, body));
            return self.go(from, second, context, out);
        }
        let mut other = Vec::new();
        self.go(from, second, context, &mut other);
        if let (true, true, true, End::Return(value)) =
            (body.is_empty(), leaves(&other) && is_long(&other), self.plan.is_return(first), &self.flow[first].end)
        {
            out.push(build::when(condition, vec![Statement::Return(value.clone())]));
            return out.extend(other);
        }
        match (body.is_empty(), other.is_empty()) {
            (true, true) => out.push(Statement::Expression(build::cast(cast::Type::Void, condition))),
            (true, false) if context.next == context.continues && is_long(&other) => {
                out.push(build::when(condition, vec![Statement::Continue]));
                out.extend(other);
            }
            (true, false) => out.push(build::when(negated(self.table, condition), other)),
            (false, true) => out.push(build::when(condition, body)),
            (false, false) if leaves(&other) => {
                out.push(build::when(negated(self.table, condition), other));
                out.extend(body);
            }
            (false, false) => out.push(build::when_else(condition, body, other)),
        }
    }
}

/// A condition that holds where the given one does not.
pub(super) fn negated(table: &TypeTable, condition: cast::Expression) -> cast::Expression {
    use cast::{BinaryOperator, ExpressionKind, UnaryOperator};
    let swapped = |operator, is_number: bool| match operator {
        BinaryOperator::Equal => Some(BinaryOperator::NotEqual),
        BinaryOperator::NotEqual => Some(BinaryOperator::Equal),
        // Of numbers that are no numbers, neither holds.
        BinaryOperator::Less if is_number => Some(BinaryOperator::GreaterEqual),
        BinaryOperator::LessEqual if is_number => Some(BinaryOperator::Greater),
        BinaryOperator::Greater if is_number => Some(BinaryOperator::LessEqual),
        BinaryOperator::GreaterEqual if is_number => Some(BinaryOperator::Less),
        _ => None,
    };
    match condition.kind {
        ExpressionKind::Unary(UnaryOperator::Not, inner) => *inner,
        ExpressionKind::Binary(BinaryOperator::And, left, right) => {
            build::or(negated(table, *left), negated(table, *right))
        }
        ExpressionKind::Binary(BinaryOperator::Or, left, right) => {
            build::and(negated(table, *left), negated(table, *right))
        }
        ExpressionKind::Binary(operator, left, right) => {
            let ordered = !is_float(table, &left.ty) && !is_float(table, &right.ty);
            match swapped(operator, ordered) {
                Some(swapped) => build::binary(*left, swapped, *right),
                None => build::not(build::binary(*left, operator, *right)),
            }
        }
        kind => build::not(cast::Expression { kind, ..condition }),
    }
}

fn is_float(table: &TypeTable, ty: &cast::Type) -> bool {
    types::scalar(table, ty).is_some_and(|scalar| types::integer(table, scalar).is_none())
}

/// The blocks whose address is taken, by their own statements or by static objects.
pub(super) fn addressed(flow: &Flow, statics: &[Statement]) -> Vec<bool> {
    let mut labels = std::collections::BTreeSet::new();
    let own = flow.values().flat_map(|node| node.statements.iter().flat_map(walk::expressions).chain(node.end.value()));
    for value in own.chain(statics.iter().flat_map(walk::expressions)) {
        walk::walk_all(value, &mut |part| {
            if let cast::ExpressionKind::LabelAddress(label) = &part.kind {
                labels.insert(label.clone());
            }
        });
    }
    flow.iter().map(|(node, _)| labels.contains(&label(node))).collect()
}

/// True for the beginning of a lifetime that may be moved to the function's beginning: what points to the object may
/// be used where the block of its declaration has ended. An array whose length is computed stays.
fn is_marker(statement: &Statement) -> bool {
    let is_computed = |ty: &cast::Type| match ty {
        cast::Type::Array(_, Some(length)) => literal::value_of(length).is_none(),
        _ => false,
    };
    matches!(statement, Statement::Declare(variable) if !is_computed(&variable.ty))
}

/// True for what is easier to read flat than inside an `if`.
fn is_long(list: &[Statement]) -> bool {
    let mut count = 0;
    walk::statements(list, &mut |_| count += 1);
    count > 4
}

/// True where control does not come to the end of a list.
pub(super) fn leaves(list: &[Statement]) -> bool {
    match list.last() {
        Some(Statement::Return(_) | Statement::Goto(_) | Statement::GotoAddress(_)) => true,
        Some(Statement::Break | Statement::Continue) => true,
        Some(Statement::If { then, otherwise, .. }) => leaves(then) && leaves(otherwise),
        Some(Statement::Expression(value)) => never_returns(value),
        _ => false,
    }
}

/// Calls that C's own library and its compilers know not to come back. Names that C leaves to programs are not among them.
fn never_returns(value: &cast::Expression) -> bool {
    const NAMES: [&str; 6] = ["abort", "exit", "_Exit", "longjmp", "__builtin_unreachable", "__builtin_trap"];
    match &value.kind {
        cast::ExpressionKind::Call(function, _) => {
            matches!(&function.kind, cast::ExpressionKind::Name(name) if NAMES.contains(&name.as_str()))
        }
        _ => false,
    }
}

fn unreachable(before: &[Statement]) -> Option<Statement> {
    if leaves(before) {
        return None;
    }
    let call = build::call("__builtin_unreachable", Vec::new(), cast::Type::Void);
    Some(Statement::Expression(call))
}
