//! Last touches: labels that nobody jumps to go, temporaries and labels are numbered as they stand, `x = x + 1` is
//! `x++`, and a `return;` at the end says nothing.

use std::collections::{BTreeMap, BTreeSet};

use cast::{BinaryOperator, Expression, ExpressionKind, Statement, UnaryOperator};

use super::names::TEMPORARY;
use super::walk;

/// Drops what says nothing, and gives loops that count their heads.
pub(super) fn clean(body: &mut Vec<Statement>) {
    let used = used_labels(body);
    drop_labels(body, &used);
    while body.last() == Some(&Statement::Return(None)) {
        body.pop();
    }
    start_loops(body);
}

/// `i = 0; for (; i < n; i++)` is `for (i = 0; i < n; i++)`.
fn start_loops(list: &mut Vec<Statement>) {
    for at in 0..list.len() {
        let (before, after) = list.split_at_mut(at);
        if let (Some(start), Statement::For { initial: initial @ None, step: Some(step), .. }) =
            (before.last_mut(), &mut after[0])
            && assigned_name(start).is_some_and(|name| steps(step, name))
        {
            *initial = Some(Box::new(std::mem::replace(start, Statement::Blank)));
        }
        walk::bodies_mut(&mut after[0]).into_iter().for_each(start_loops);
    }
    list.retain(|statement| *statement != Statement::Blank);
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
        if let Statement::Switch { arms, .. } = statement {
            arms.iter_mut().for_each(open_falls);
        }
    });
    number(function);
}

fn used_labels(body: &[Statement]) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    walk::statements(body, &mut |statement| {
        if let Statement::Goto(label) = statement {
            used.insert(label.clone());
        }
    });
    walk::all_expressions(body, &mut |value| {
        if let ExpressionKind::LabelAddress(label) = &value.kind {
            used.insert(label.clone());
        }
    });
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

/// `x = x + y` as `x += y`, and `x += 1` as `x++`.
fn shorten(value: &mut Expression) {
    let ExpressionKind::Assign(None, target, assigned) = &mut value.kind else { return };
    let ExpressionKind::Binary(operator, left, right) = &assigned.kind else { return };
    if operator.is_logical() || *operator == BinaryOperator::Comma || left.kind != target.kind || acts(target) {
        return;
    }
    let one = matches!(&right.kind, ExpressionKind::Integer(text) if text == "1");
    value.kind = match operator {
        BinaryOperator::Add if one => ExpressionKind::Unary(UnaryOperator::IncrementAfter, target.clone()),
        BinaryOperator::Subtract if one => ExpressionKind::Unary(UnaryOperator::DecrementAfter, target.clone()),
        operator => ExpressionKind::Assign(Some(*operator), target.clone(), right.clone()),
    };
}

fn acts(value: &Expression) -> bool {
    let mut found = false;
    walk::walk(value, &mut |part| found |= matches!(part.kind, ExpressionKind::Call(..)));
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
