//! Calls back in the expressions that use them: `t = f(x); if (t)` is `if (f(x))`.
//!
//! A temporary that is set once and read once, by the very next statement, goes into it where C's freedom of evaluation
//! order inside an expression (C11 section 6.5) cannot be seen: a call goes where nothing else in the expression has an
//! effect or reads memory; a load where nothing else has an effect.

use std::collections::BTreeMap;

use cast::{Expression, ExpressionKind, Statement, Type, UnaryOperator};

use super::flow::{End, Flow, Node};
use super::{Raiser, names, types, walk};

/// What evaluating an expression does beside giving a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Effects {
    /// Calls, volatile accesses, assignments.
    pub(super) acts: bool,
    /// Looks at memory that statements may change.
    pub(super) reads: bool,
}

/// How often each temporary is set and read.
#[derive(Default)]
struct Uses {
    count: BTreeMap<String, (usize, usize)>,
}

/// Folds calls, and loads that stand between them, in every block.
pub(super) fn calls(raiser: &Raiser, flow: &mut Flow) {
    let uses = Uses::of(flow);
    for (_, node) in flow.iter_mut() {
        increments(raiser, node, &uses);
        fold_block(raiser, node, &uses);
    }
}

impl Uses {
    fn of(flow: &Flow) -> Uses {
        let mut uses = Uses::default();
        for node in flow.values() {
            for statement in &node.statements {
                walk::expressions(statement).into_iter().for_each(|value| uses.note(value));
            }
            node.end.value().into_iter().for_each(|value| uses.note(value));
        }
        uses
    }

    fn note(&mut self, value: &Expression) {
        walk::walk(value, &mut |part| {
            if let ExpressionKind::Assign(None, target, _) = &part.kind
                && let Some(name) = temporary(target)
            {
                let count = self.count.entry(name.to_string()).or_default();
                // The name itself is met, and counted as read, below.
                *count = (count.0 + 1, count.1.wrapping_sub(1));
            }
            if let Some(name) = temporary(part) {
                let count = self.count.entry(name.to_string()).or_default();
                count.1 = count.1.wrapping_add(1);
            }
        });
    }

    fn is_single(&self, name: &str) -> bool {
        self.count.get(name) == Some(&(1, 1))
    }
}

fn temporary(value: &Expression) -> Option<&str> {
    match &value.kind {
        ExpressionKind::Name(name) if name.starts_with(names::TEMPORARY) => Some(name),
        _ => None,
    }
}

/// `t = x; x = t + 1;` and what reads `t` next is that with `x++` in it.
fn increments(raiser: &Raiser, node: &mut Node, uses: &Uses) {
    for at in (1..node.statements.len()).rev() {
        let Some((name, operator, lvalue, reads)) = increment(&node.statements[at - 1], &node.statements[at]) else {
            continue;
        };
        if uses.count.get(&name) != Some(&(1, reads)) {
            continue;
        }
        let (before, after) = node.statements.split_at_mut(at + 1);
        let user = match after.first_mut() {
            Some(statement) => foldable(statement),
            None => foldable_end(&mut node.end),
        };
        let Some(user) = user else { continue };
        let is_register = matches!(&lvalue.kind, ExpressionKind::Name(register) if raiser.is_register(register));
        let mut rest = Rest::new(raiser, &name);
        rest.inside(user);
        let quiet = is_register || rest.effects == Effects::default();
        if !rest.found || rest.guarded || rest.refused || !quiet || mentions(user, &lvalue.kind) {
            continue;
        }
        let ty = lvalue.ty.clone();
        put(user, &name, Expression { ty, ..cast::build::unary(operator, lvalue) });
        before[at - 1] = Statement::Blank;
        before[at] = Statement::Blank;
    }
    node.statements.retain(|statement| *statement != Statement::Blank);
}

/// The temporary, the operator that steps, what is stepped, and how often the temporary is read in all.
fn increment(first: &Statement, second: &Statement) -> Option<(String, UnaryOperator, Expression, usize)> {
    let (target, lvalue) = assignment(first)?;
    let name = temporary(target)?;
    let (stepped, value) = assignment(second)?;
    let ExpressionKind::Binary(operator, start, step) = &value.kind else { return None };
    let operator = match operator {
        cast::BinaryOperator::Add => UnaryOperator::IncrementAfter,
        cast::BinaryOperator::Subtract => UnaryOperator::DecrementAfter,
        _ => return None,
    };
    let from_temporary = temporary(start) == Some(name);
    let is_step = super::literal::value_of(step) == Some(1) && stepped.kind == lvalue.kind;
    let starts = from_temporary || start.kind == lvalue.kind;
    let same_type = target.ty.unqualified() == lvalue.ty.unqualified();
    let count = if from_temporary { 2 } else { 1 };
    (is_step && starts && same_type).then(|| (name.to_owned(), operator, lvalue.clone(), count))
}

fn assignment(statement: &Statement) -> Option<(&Expression, &Expression)> {
    match statement {
        Statement::Expression(Expression { kind: ExpressionKind::Assign(None, target, value), .. }) => {
            Some((target, value))
        }
        _ => None,
    }
}

fn mentions(value: &Expression, kind: &ExpressionKind) -> bool {
    let mut found = false;
    walk::walk(value, &mut |part| found |= part.kind == *kind);
    found
}

/// From the last statement up, so that what was folded into a statement can take more.
fn fold_block(raiser: &Raiser, node: &mut Node, uses: &Uses) {
    for at in (0..node.statements.len()).rev() {
        let Some((name, effects)) = candidate(raiser, &node.statements[at], uses) else { continue };
        let (before, after) = node.statements.split_at_mut(at + 1);
        let user = match after.first_mut() {
            Some(statement) => foldable(statement),
            None => foldable_end(&mut node.end),
        };
        let Some(user) = user else { continue };
        if !allows(raiser, user, &name, effects) {
            continue;
        }
        let taken = std::mem::replace(&mut before[at], Statement::Blank);
        if let Statement::Expression(Expression { kind: ExpressionKind::Assign(_, target, value), .. }) = taken {
            put(user, &name, retyped(raiser, *value, &target.ty));
        }
    }
    node.statements.retain(|statement| *statement != Statement::Blank);
}

/// What the conversion of an assignment made of a value, as a cast where the type says more than C's promotions.
fn retyped(raiser: &Raiser, value: Expression, ty: &Type) -> Expression {
    let table = raiser.table();
    let alike = match (raiser.scalar(ty), raiser.scalar(&value.ty)) {
        (Some(to), Some(from)) => {
            let promoted = |scalar| types::promoted(table, scalar);
            types::holds_all(table, to, from) && types::same_values(table, promoted(to), promoted(from))
        }
        _ => types::compatible(table, ty, &value.ty),
    };
    if alike { value } else { cast::build::cast(ty.clone(), value) }
}

fn candidate(raiser: &Raiser, statement: &Statement, uses: &Uses) -> Option<(String, Effects)> {
    let (target, value) = assignment(statement)?;
    let name = temporary(target).filter(|name| uses.is_single(name))?;
    Some((name.to_string(), effects(raiser, value)))
}

/// The expression of a statement that its operands are in.
fn foldable(statement: &mut Statement) -> Option<&mut Expression> {
    match statement {
        Statement::Expression(value) => Some(value),
        _ => None,
    }
}

fn foldable_end(end: &mut End) -> Option<&mut Expression> {
    end.value_mut()
}

/// True where a value with these effects may stand in `user` in place of `name`.
fn allows(raiser: &Raiser, user: &Expression, name: &str, effects: Effects) -> bool {
    let mut rest = Rest::new(raiser, name);
    rest.outermost(user);
    if !rest.found || rest.refused {
        return false;
    }
    if effects.acts {
        return !rest.guarded && rest.effects == Effects::default();
    }
    !effects.reads || !rest.effects.acts
}

/// What an expression does around one name.
struct Rest<'a> {
    raiser: &'a Raiser<'a>,
    name: &'a str,
    found: bool,
    /// The name is not always evaluated.
    guarded: bool,
    /// It stands where only an object may.
    refused: bool,
    effects: Effects,
}

impl<'a> Rest<'a> {
    fn new(raiser: &'a Raiser<'a>, name: &'a str) -> Rest<'a> {
        Rest { raiser, name, found: false, guarded: false, refused: false, effects: Effects::default() }
    }

    /// The last thing a statement does, after its operands, is none of theirs.
    fn outermost(&mut self, value: &Expression) {
        match &value.kind {
            ExpressionKind::Assign(None, target, inner) => {
                self.lvalue(target);
                if matches!(inner.kind, ExpressionKind::Call(..)) {
                    return self.outermost(inner);
                }
                self.inside(inner);
            }
            ExpressionKind::Call(function, arguments) => {
                self.inside(function);
                arguments.iter().for_each(|argument| self.inside(argument));
            }
            _ => self.inside(value),
        }
    }

    /// What is evaluated to find an object, which is not looked into.
    fn lvalue(&mut self, value: &Expression) {
        match &value.kind {
            // Only an object with a name of its own has an address.
            ExpressionKind::Name(name) => self.refused |= name == self.name,
            ExpressionKind::Member(base, _) => self.lvalue(base),
            _ => self.below(value),
        }
    }

    /// The parts of an access, of which only the whole looks at memory.
    fn below(&mut self, value: &Expression) {
        match &value.kind {
            ExpressionKind::Member(base, _) => self.part(base),
            ExpressionKind::Index(base, index) => {
                match types::resolve(self.raiser.table(), &base.ty) {
                    Type::Array(..) => self.part(base),
                    _ => self.inside(base),
                }
                self.inside(index);
            }
            _ => walk::children(value).into_iter().for_each(|child| self.inside(child)),
        }
    }

    fn part(&mut self, value: &Expression) {
        match &value.kind {
            ExpressionKind::Name(name) => self.found |= name == self.name,
            ExpressionKind::Member(..) | ExpressionKind::Index(..) => self.below(value),
            ExpressionKind::Unary(UnaryOperator::Dereference, pointer) => self.inside(pointer),
            _ => self.inside(value),
        }
    }

    fn inside(&mut self, value: &Expression) {
        match &value.kind {
            ExpressionKind::Name(name) if name == self.name => self.found = true,
            ExpressionKind::Binary(cast::BinaryOperator::And | cast::BinaryOperator::Or, first, second) => {
                self.inside(first);
                self.guarded(&[second]);
            }
            ExpressionKind::Conditional(condition, then, otherwise) => {
                self.inside(condition);
                self.guarded(&[then, otherwise]);
            }
            ExpressionKind::Unary(UnaryOperator::AddressOf, lvalue) => self.lvalue(lvalue),
            _ => {
                self.effects = join(self.effects, own_effects(self.raiser, value));
                self.below(value);
            }
        }
    }

    fn guarded(&mut self, parts: &[&Expression]) {
        let before = self.found;
        parts.iter().for_each(|part| self.inside(part));
        self.guarded |= self.found && !before;
    }
}

fn join(left: Effects, right: Effects) -> Effects {
    Effects { acts: left.acts || right.acts, reads: left.reads || right.reads }
}

/// What an expression does, its parts included.
pub(super) fn effects(raiser: &Raiser, value: &Expression) -> Effects {
    let mut whole = Rest::new(raiser, "");
    whole.inside(value);
    whole.effects
}

fn own_effects(raiser: &Raiser, value: &Expression) -> Effects {
    use ExpressionKind::{Assign, Block, Call, Index, Member, Name, Unary, VariableArgument, Verbatim};
    let access = || {
        let volatile = types::qualifiers(raiser.table(), &value.ty).volatile;
        let whole = !matches!(types::resolve(raiser.table(), &value.ty), Type::Array(..) | Type::Function(_));
        Effects { acts: volatile && whole, reads: whole }
    };
    match &value.kind {
        Name(name) if raiser.is_register(name) => Effects::default(),
        Name(name) if name == "NULL" => Effects::default(),
        Name(_) | Member(..) | Index(..) | Unary(UnaryOperator::Dereference, _) => access(),
        Unary(
            UnaryOperator::Increment
            | UnaryOperator::Decrement
            | UnaryOperator::IncrementAfter
            | UnaryOperator::DecrementAfter,
            _,
        ) => Effects { acts: true, reads: true },
        // Text with holes for values.
        Call(function, _) if matches!(function.kind, Verbatim(_)) => Effects::default(),
        Assign(..) | Call(..) | Block(_) | VariableArgument(_) => Effects { acts: true, reads: true },
        _ => Effects::default(),
    }
}

fn put(user: &mut Expression, name: &str, value: Expression) {
    let mut value = Some(value);
    walk::walk_mut(user, &mut |part| {
        if matches!(&part.kind, ExpressionKind::Name(found) if found == name)
            && let Some(value) = value.take()
        {
            *part = value;
        }
    });
}
