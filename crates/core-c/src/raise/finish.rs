//! Last touches: labels that nobody jumps to go, temporaries and labels are numbered as they stand, `x = x + 1` is
//! `x++`, and a `return;` at the end says nothing.

use std::collections::{BTreeMap, BTreeSet};

use cast::{BinaryOperator, Expression, ExpressionKind, Statement, UnaryOperator};

use super::names::TEMPORARY;
use super::{structure, truth, walk};
use crate::holes;

/// Drops what says nothing, and gives loops that count their heads.
pub(super) fn clean(body: &mut Vec<Statement>) {
    let used = used_labels(body);
    drop_labels(body, &used);
    drop_unreached(body);
    while body.last() == Some(&Statement::Return(None)) {
        body.pop();
    }
    start_loops(body);
}

/// What stands behind a statement that leaves, and has no label, is never reached.
fn drop_unreached(list: &mut Vec<Statement>) {
    let mut reached = true;
    list.retain(|statement| {
        reached |= has_label(statement);
        let kept = reached;
        reached &= !structure::leaves(std::slice::from_ref(statement));
        kept
    });
    for statement in list {
        walk::bodies_mut(statement).into_iter().for_each(drop_unreached);
    }
}

fn has_label(statement: &Statement) -> bool {
    let mut found = false;
    walk::statements(std::slice::from_ref(statement), &mut |inner| found |= matches!(inner, Statement::Label(_)));
    found
}

/// `i = 0; for (; i < n; i++)` is `for (i = 0; i < n; i++)`.
fn start_loops(list: &mut Vec<Statement>) {
    for at in 0..list.len() {
        let (before, after) = list.split_at_mut(at);
        if let Statement::For { initial: initial @ None, step: Some(step), .. } = &mut after[0]
            && let Some(start) = start_of(before, step)
        {
            *initial = Some(Box::new(std::mem::replace(start, Statement::Blank)));
        }
        walk::bodies_mut(&mut after[0]).into_iter().for_each(start_loops);
    }
    list.retain(|statement| *statement != Statement::Blank);
}

/// The assignment to the variable that a loop steps, where only sums for other variables come between.
fn start_of<'s>(before: &'s mut [Statement], step: &Expression) -> Option<&'s mut Statement> {
    let last = before.len().checked_sub(1)?;
    for at in (0..=last).rev() {
        let name = assigned_name(&before[at])?.to_owned();
        if steps(step, &name) {
            let (start, later) = before[at..].split_first_mut()?;
            let moves = later.iter().all(|other| passes(start, &name, other));
            return (at == last || moves).then_some(start);
        }
    }
    None
}

/// True where two assignments may change places.
fn passes(start: &Statement, name: &str, other: &Statement) -> bool {
    let Some(set) = assigned_name(other) else { return false };
    let is_free = |statement: &Statement, name: &str| {
        walk::expressions(statement).into_iter().all(|value| walk::is_arithmetic(value) && !mentions(value, name))
    };
    is_free(other, name) && is_free(start, set)
}

fn mentions(value: &Expression, name: &str) -> bool {
    let mut found = false;
    walk::walk(value, &mut |part| found |= matches!(&part.kind, ExpressionKind::Name(other) if other == name));
    found
}

fn assigned_name(statement: &Statement) -> Option<&str> {
    match statement {
        Statement::Expression(value) => set_name(value),
        _ => None,
    }
}

fn set_name(value: &Expression) -> Option<&str> {
    match &value.kind {
        ExpressionKind::Assign(None, target, _) => match &target.kind {
            ExpressionKind::Name(name) => Some(name),
            _ => None,
        },
        _ => None,
    }
}

/// True where the first step of a loop is that of a variable.
fn steps(step: &Expression, name: &str) -> bool {
    match &step.kind {
        ExpressionKind::Binary(BinaryOperator::Comma, first, _) => steps(first, name),
        _ => set_name(step) == Some(name),
    }
}

/// See above.
pub(super) fn finish(function: &mut cast::Function) {
    walk::statements_mut(&mut function.body, &mut |statement| {
        walk::expressions_mut(statement).into_iter().for_each(|value| walk::walk_mut(value, &mut shorten));
        match statement {
            Statement::Expression(value) | Statement::For { step: Some(value), .. } => step_after(value),
            _ => {}
        }
        if let Statement::Switch { arms, .. } = statement {
            arms.iter_mut().for_each(open_falls);
        }
        truth::spell(statement);
    });
    number(function);
}

/// Text with holes takes what goes into them, when everything has its name.
pub(super) fn fill(function: &mut cast::Function) {
    walk::statements_mut(&mut function.body, &mut fill_holes);
}

fn fill_holes(statement: &mut Statement) {
    walk::expressions_mut(statement).into_iter().for_each(|value| walk::walk_mut(value, &mut fill_hole));
    if let Statement::Assembly { text, outputs, inputs, .. } = statement {
        let values: Vec<String> = outputs.iter().chain(&*inputs).map(cast::print_expression).collect();
        *text = holes::fill(text, &values);
    }
}

fn fill_hole(value: &mut Expression) {
    let ExpressionKind::Call(function, operands) = &value.kind else { return };
    let ExpressionKind::Verbatim(text) = &function.kind else { return };
    // Calls in C of others have no holes.
    if !operands.is_empty() && !text.contains('⟨') {
        return;
    }
    let values: Vec<String> = operands.iter().map(operand).collect();
    value.kind = ExpressionKind::Verbatim(holes::fill(text, &values));
}

/// The text of an operand, in parentheses where it is more than a word.
fn operand(value: &Expression) -> String {
    let text = cast::print_expression(value);
    let is_word = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'));
    if is_word { text } else { format!("({text})") }
}

fn used_labels(body: &[Statement]) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    walk::statements(body, &mut |statement| {
        if let Statement::Goto(label) = statement {
            used.insert(label.clone());
        }
    });
    walk::everything(
        body,
        &mut |_: &mut BTreeSet<String>, _| {},
        &mut |used, value| {
            if let ExpressionKind::LabelAddress(label) = &value.kind {
                used.insert(label.clone());
            }
        },
        &mut used,
    );
    used
}

fn drop_labels(list: &mut Vec<Statement>, used: &BTreeSet<String>) {
    list.retain(|statement| !matches!(statement, Statement::Label(label) if !used.contains(label)));
    for statement in list {
        walk::bodies_mut(statement).into_iter().for_each(|body| drop_labels(body, used));
    }
}

/// What gcc knows as meant to fall into the next arm stands right before that arm's label.
fn open_falls(arm: &mut cast::SwitchArm) {
    let declares = arm.body.iter().any(|statement| matches!(statement, Statement::Declare(_)));
    if declares && matches!(arm.body.last(), Some(Statement::Comment(_))) {
        let comment = arm.body.pop();
        let body = std::mem::take(&mut arm.body);
        arm.body = std::iter::once(Statement::Block(body)).chain(comment).collect();
    }
}

/// A value that nobody looks at may as well be the old one.
fn step_after(value: &mut Expression) {
    match &mut value.kind {
        ExpressionKind::Unary(operator @ UnaryOperator::Increment, _) => *operator = UnaryOperator::IncrementAfter,
        ExpressionKind::Unary(operator @ UnaryOperator::Decrement, _) => *operator = UnaryOperator::DecrementAfter,
        ExpressionKind::Binary(BinaryOperator::Comma, left, right) => {
            step_after(left);
            step_after(right);
        }
        _ => {}
    }
}

/// `x = x + y` as `x += y`, and `x += 1` as `++x`.
fn shorten(value: &mut Expression) {
    let ExpressionKind::Assign(None, target, assigned) = &mut value.kind else { return };
    let ExpressionKind::Binary(operator, left, right) = &assigned.kind else { return };
    if operator.is_logical() || *operator == BinaryOperator::Comma || left.kind != target.kind || acts(target) {
        return;
    }
    let one = matches!(&right.kind, ExpressionKind::Integer(text) if text == "1");
    value.kind = match operator {
        BinaryOperator::Add if one => ExpressionKind::Unary(UnaryOperator::Increment, target.clone()),
        BinaryOperator::Subtract if one => ExpressionKind::Unary(UnaryOperator::Decrement, target.clone()),
        operator => ExpressionKind::Assign(Some(*operator), target.clone(), right.clone()),
    };
}

fn acts(value: &Expression) -> bool {
    let mut found = false;
    walk::walk(value, &mut |part| {
        found |= match &part.kind {
            ExpressionKind::Call(..) | ExpressionKind::Assign(..) => true,
            ExpressionKind::Unary(operator, _) => {
                matches!(operator, UnaryOperator::IncrementAfter | UnaryOperator::DecrementAfter)
            }
            _ => false,
        };
    });
    found
}

/// Gives temporaries and labels their final names.
fn number(function: &mut cast::Function) {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let parameters = function.parameters.iter().filter_map(|parameter| parameter.name.clone());
    taken.extend(parameters);
    walk::statements(&function.body, &mut |statement| {
        if let Statement::Declare(variable) = statement {
            taken.insert(variable.name.clone());
        }
    });
    walk::all_expressions(&function.body, &mut |value| {
        if let ExpressionKind::Name(name) = &value.kind {
            taken.insert(name.clone());
        }
    });
    let mut names = Numbers { taken, known: BTreeMap::new(), temporaries: 0, labels: 0 };
    for parameter in &mut function.parameters {
        parameter.name.iter_mut().for_each(|name| names.rename(name));
    }
    walk::statements_mut(&mut function.body, &mut |statement| {
        if let Statement::Label(label) = statement {
            names.rename(label);
        }
    });
    walk::statements_mut(&mut function.body, &mut |statement| names.statement(statement));
}

struct Numbers {
    taken: BTreeSet<String>,
    known: BTreeMap<String, String>,
    temporaries: usize,
    labels: usize,
}

impl Numbers {
    fn statement(&mut self, statement: &mut Statement) {
        match statement {
            Statement::Goto(label) | Statement::Label(label) => self.rename(label),
            Statement::Declare(variable) => self.rename(&mut variable.name),
            Statement::For { initial: Some(initial), .. } => {
                if let Statement::Declare(variable) = &mut **initial {
                    self.rename(&mut variable.name);
                }
            }
            _ => {}
        }
        for value in walk::expressions_mut(statement) {
            walk::walk_mut(value, &mut |part| {
                if let ExpressionKind::Name(name) | ExpressionKind::LabelAddress(name) = &mut part.kind {
                    self.rename(name);
                }
            });
        }
    }

    fn rename(&mut self, name: &mut String) {
        if !name.starts_with(TEMPORARY) {
            return;
        }
        if let Some(known) = self.known.get(name) {
            *name = known.clone();
            return;
        }
        let (letter, count) = match name.starts_with(&format!("{TEMPORARY}L")) {
            true => ('L', &mut self.labels),
            false => ('t', &mut self.temporaries),
        };
        let new = loop {
            *count += 1;
            let candidate = format!("{letter}{count}");
            if !self.taken.contains(&candidate) {
                break candidate;
            }
        };
        self.known.insert(std::mem::replace(name, new.clone()), new);
    }
}
