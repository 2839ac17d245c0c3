//! Declarations: at the first assignment where everything that mentions the variable follows in the same block, else
//! at the function's top.

use std::collections::{BTreeMap, BTreeSet};

use cast::{Expression, ExpressionKind, Statement, Type, Variable};

use super::{Raiser, types, walk};
use crate::LocalKind;
use crate::graph::number;

/// Declares every local that the body mentions.
pub(super) fn declare(raiser: &Raiser, function: &mut cast::Function) {
    let (mut locals, mut constant) = (BTreeMap::new(), BTreeSet::new());
    for (id, local) in raiser.function.locals.iter() {
        let Expression { kind: ExpressionKind::Name(name), ty, .. } = raiser.local(id) else { continue };
        if !raiser.function.parameters.contains(&id) {
            if types::has_constant_parts(raiser.table(), &ty) {
                constant.insert(name.clone());
            }
            locals.insert(name, Wanted { order: number(id), ty, memory: local.kind == LocalKind::Memory });
        }
    }
    let map = Map::of(&function.body);
    let mut placer = Placer { map, locals, constant, declared: BTreeSet::new(), at: 0 };
    placer.list(&mut function.body);
    let mut top: Vec<(usize, Variable)> = Vec::new();
    for (name, wanted) in std::mem::take(&mut placer.locals) {
        if !placer.declared.contains(&name) && placer.map.named.contains(&name) {
            top.push((wanted.order, Variable { name, ty: wanted.ty, ..Variable::default() }));
        }
    }
    let unused = function.parameters.iter().filter_map(|parameter| parameter.name.as_ref());
    let unused: Vec<Expression> = unused
        .filter(|name| !placer.map.named.contains(*name))
        .map(|name| cast::build::cast(Type::Void, cast::build::name(name.clone(), Type::INT)))
        .collect();
    top.sort_by_key(|(order, _)| *order);
    if !unused.is_empty() {
        // Compilers warn of parameters that nothing mentions.
        let rest = std::mem::take(&mut function.body);
        function.body = unused.into_iter().map(Statement::Expression).chain(rest).collect();
    }
    if !top.is_empty() {
        let declarations = top.into_iter().map(|(_, variable)| Statement::Declare(variable));
        let rest = std::mem::take(&mut function.body);
        function.body = declarations.chain([Statement::Blank]).chain(rest).collect();
        join_later(&mut function.body, &placer.constant);
    }
    align(raiser, &mut function.body);
}

/// Locals are declared with the alignment that their source asks for.
fn align(raiser: &Raiser, body: &mut [Statement]) {
    let aligned = raiser.function.locals.iter().filter(|(_, local)| local.alignment > 0);
    let aligned: BTreeMap<String, u64> =
        aligned.map(|(id, local)| (raiser.names[number(id)].clone(), local.alignment)).collect();
    if aligned.is_empty() {
        return;
    }
    walk::statements_mut(body, &mut |statement| {
        if let Statement::Declare(variable) = statement
            && let Some(alignment) = aligned.get(&variable.name)
        {
            variable.alignment = *alignment;
        }
    });
}

/// A local that has to be declared.
struct Wanted {
    order: usize,
    ty: Type,
    memory: bool,
}

/// Where names, labels and jumps stand; statements are numbered in the order in which they are written.
#[derive(Default)]
struct Map {
    /// The first and the last statement that mentions each name.
    mentions: BTreeMap<String, (usize, usize)>,
    /// The names that expressions mention.
    named: BTreeSet<String>,
    /// How many declarations each name has.
    markers: BTreeMap<String, usize>,
    labels: Vec<(usize, String)>,
    /// The first and the last jump to each label.
    jumps: BTreeMap<String, (usize, usize)>,
    count: usize,
}

impl Map {
    fn of(body: &[Statement]) -> Map {
        let mut map = Map::default();
        walk::statements(body, &mut |statement| map.note(statement));
        map
    }

    fn note(&mut self, statement: &Statement) {
        let at = self.count;
        self.count += 1;
        match statement {
            Statement::Label(label) => self.labels.push((at, label.clone())),
            Statement::Goto(label) => extend(&mut self.jumps, label, at),
            Statement::Declare(variable) => {
                *self.markers.entry(variable.name.clone()).or_default() += 1;
                extend(&mut self.mentions, &variable.name, at);
            }
            _ => {}
        }
        for value in walk::expressions(statement) {
            walk::walk(value, &mut |part| self.note_expression(part, at));
        }
    }

    fn note_expression(&mut self, part: &Expression, at: usize) {
        match &part.kind {
            ExpressionKind::Name(name) => {
                extend(&mut self.mentions, name, at);
                self.named.insert(name.clone());
            }
            ExpressionKind::LabelAddress(label) => {
                extend(&mut self.jumps, label, 0);
                extend(&mut self.jumps, label, usize::MAX);
            }
            _ => {}
        }
    }

    /// True where no jump from elsewhere comes between statements `from` (itself aside) and `to`; `end` is the last
    /// statement of their block.
    fn is_closed(&self, from: usize, to: usize, end: usize) -> bool {
        let first = self.labels.partition_point(|(at, _)| *at <= from);
        self.labels[first..]
            .iter()
            .take_while(|(at, _)| *at <= to)
            .all(|(_, label)| self.jumps.get(label).is_none_or(|(earliest, latest)| *earliest > from && *latest <= end))
    }
}

fn extend(map: &mut BTreeMap<String, (usize, usize)>, name: &str, at: usize) {
    match map.get_mut(name) {
        Some((first, last)) => (*first, *last) = ((*first).min(at), (*last).max(at)),
        None => {
            map.insert(name.to_string(), (at, at));
        }
    }
}

struct Placer {
    map: Map,
    locals: BTreeMap<String, Wanted>,
    /// Those that have constant members.
    constant: BTreeSet<String>,
    declared: BTreeSet<String>,
    /// The number of the next statement.
    at: usize,
}

impl Placer {
    fn list(&mut self, list: &mut Vec<Statement>) {
        let end = self.at + count(list) - 1.min(count(list));
        for statement in list.iter_mut() {
            let at = self.at;
            self.at += 1;
            self.statement(statement, at, end);
            walk::bodies_mut(statement).into_iter().for_each(|body| self.list(body));
        }
        join_initial(list);
        join_later(list, &self.constant);
        list.retain(|statement| *statement != Statement::Blank);
    }

    fn statement(&mut self, statement: &mut Statement, at: usize, end: usize) {
        match statement {
            Statement::Expression(_) => self.assignment(statement, at, end),
            Statement::For { initial: Some(initial), body, .. } => {
                let end = at + count(body);
                self.assignment(initial, at, end);
            }
            Statement::Declare(variable) if variable.storage == cast::Storage::Static => {}
            Statement::Declare(variable) if !self.keeps(&variable.name, at, end) => {
                *statement = Statement::Blank;
            }
            Statement::Declare(variable) => {
                self.declared.insert(variable.name.clone());
            }
            _ => {}
        }
    }

    /// True where a local may be declared where its lifetime begins.
    fn keeps(&self, name: &str, at: usize, end: usize) -> bool {
        self.map.markers.get(name) == Some(&1) && self.map.named.contains(name) && self.covers(name, at, end)
    }

    fn covers(&self, name: &str, at: usize, end: usize) -> bool {
        let Some((first, last)) = self.map.mentions.get(name).copied() else { return false };
        first == at && last <= end && self.map.is_closed(at, last, end)
    }

    /// Turns `x = value` into the declaration of `x` where that is its first mention.
    fn assignment(&mut self, statement: &mut Statement, at: usize, end: usize) {
        let Statement::Expression(Expression { kind: ExpressionKind::Assign(None, target, value), span, .. }) =
            statement
        else {
            return;
        };
        let ExpressionKind::Name(name) = &target.kind else { return };
        let Some(wanted) = self.locals.get(name) else { return };
        if wanted.memory || self.declared.contains(name) || mentions(value, name) || !self.covers(name, at, end) {
            return;
        }
        let (name, ty) = (name.clone(), wanted.ty.clone());
        self.declared.insert(name.clone());
        let initial = Some((**value).clone());
        *statement = Statement::Declare(Variable { name, ty, initial, span: *span, ..Variable::default() });
    }
}

/// What has constant members cannot be assigned: it is declared where it gets its value.
fn join_later(list: &mut [Statement], constant: &BTreeSet<String>) {
    for at in 0..list.len() {
        let (before, after) = list.split_at_mut(at + 1);
        let Some(Statement::Declare(variable)) = before.last() else { continue };
        if variable.initial.is_some() || !constant.contains(&variable.name) {
            continue;
        }
        let variable = variable.clone();
        let Some(place) = after.iter().position(|statement| names(statement, &variable.name)) else { continue };
        let mut joined = [Statement::Declare(variable), std::mem::replace(&mut after[place], Statement::Blank)];
        join_initial(&mut joined);
        let [declaration, rest] = joined;
        if rest == Statement::Blank {
            (after[place], before[at]) = (declaration, Statement::Blank);
        } else {
            after[place] = rest;
        }
    }
}

/// True where a statement, or one inside it, mentions a name.
fn names(statement: &Statement, name: &str) -> bool {
    let mut found = false;
    walk::all_expressions(std::slice::from_ref(statement), &mut |value| found |= mentions(value, name));
    found
}

fn mentions(value: &Expression, name: &str) -> bool {
    let mut found = false;
    walk::walk(value, &mut |part| found |= matches!(&part.kind, ExpressionKind::Name(other) if other == name));
    found
}

/// The number of statements of a list, inner ones included.
fn count(list: &[Statement]) -> usize {
    let mut found = 0;
    walk::statements(list, &mut |_| found += 1);
    found
}

/// `int x; x = 1;` is `int x = 1;`.
fn join_initial(list: &mut [Statement]) {
    for at in 1..list.len() {
        let (before, after) = list.split_at_mut(at);
        let Some(Statement::Declare(variable)) = before.last_mut() else { continue };
        let Statement::Expression(Expression { kind: ExpressionKind::Assign(None, target, value), span, .. }) =
            &after[0]
        else {
            continue;
        };
        let is_it = matches!(&target.kind, ExpressionKind::Name(name) if *name == variable.name);
        if is_it && variable.initial.is_none() && !mentions(value, &variable.name) {
            (variable.initial, variable.span) = (Some((**value).clone()), *span);
            after[0] = Statement::Blank;
        }
    }
}
