//! What the locals of a function are called in C.

use std::collections::{BTreeMap, BTreeSet};

use cast::Type;

use crate::graph::number;
use crate::{Callee, Expression, ExpressionKind, Function, LocalId, Place, PlaceBase, Program, StatementKind, TypeId};

/// Marks names of temporaries until [`super::finish`] numbers them in the order in which they stand.
pub(super) const TEMPORARY: char = '\u{1}';

/// One name for each local; no two are equal, and none is a name that the function uses otherwise.
pub(super) fn of_locals(program: &Program, function: &Function) -> Vec<String> {
    let mut taken = used(program, function);
    let mut next = BTreeMap::new();
    let mut names = vec![String::new(); function.locals.len()];
    // Parameters first: their names are a part of what the reader knows.
    let parameters = function.parameters.iter().copied();
    let others = function.locals.iter().map(|(id, _)| id).filter(|id| !function.parameters.contains(id));
    for local in parameters.chain(others) {
        names[number(local)] = name(&function.locals[local].name, local, &mut taken, &mut next);
    }
    names
}

fn name(source: &str, local: LocalId, taken: &mut BTreeSet<String>, next: &mut BTreeMap<String, usize>) -> String {
    let plain = plain(source);
    if plain.is_empty() {
        return format!("{TEMPORARY}{}", number(local));
    }
    let found = if taken.contains(plain) { numbered(plain, taken, next) } else { plain.to_string() };
    taken.insert(found.clone());
    found
}

/// `name_2`, `name_3`, … whichever is free.
pub(super) fn numbered(plain: &str, taken: &BTreeSet<String>, next: &mut BTreeMap<String, usize>) -> String {
    let count = next.entry(plain.to_string()).or_insert(1);
    loop {
        *count += 1;
        let candidate = format!("{plain}_{count}");
        if !taken.contains(&candidate) {
            return candidate;
        }
    }
}

/// A name without what makes it unique in the program.
pub(super) fn plain(name: &str) -> &str {
    name.split('@').next().unwrap_or(name)
}

/// The names of functions, globals and types that a function's text holds, and C's own words.
fn used(program: &Program, function: &Function) -> BTreeSet<String> {
    let mut used = Used { program, names: KEYWORDS.iter().map(ToString::to_string).collect() };
    for local in function.locals.values() {
        used.ty(local.ty);
    }
    for block in function.blocks.values() {
        for statement in &block.statements {
            if let StatementKind::Call { callee: Callee::Function(callee), .. } = &statement.kind {
                used.name(&program.functions[*callee].name);
            }
            statement.kind.places().into_iter().for_each(|(_, place)| used.place(place));
            statement.kind.expressions().into_iter().for_each(|value| used.expression(value));
        }
        block.end.expressions().into_iter().for_each(|value| used.expression(value));
        block.end.place().into_iter().for_each(|place| used.place(place));
    }
    used.names
}

/// Words that no local may be called, those that a header may define as macros among them.
const KEYWORDS: [&str; 14] = [
    "NULL", "memcpy", "memset", "asm", "typeof", "inline", "restrict", "static", "register", "auto", "volatile",
    "signed", "extern", "errno",
];

struct Used<'a> {
    program: &'a Program,
    names: BTreeSet<String>,
}

impl Used<'_> {
    fn name(&mut self, name: &str) {
        self.names.insert(plain(name).to_string());
    }

    fn ty(&mut self, ty: TypeId) {
        self.c_type(&self.program.types.get(ty).c);
    }

    fn c_type(&mut self, ty: &Type) {
        match ty {
            Type::Named(name) => self.name(name),
            Type::Pointer(to) | Type::Array(to, _) | Type::Qualified(_, to) => self.c_type(to),
            Type::Function(function) => {
                self.c_type(&function.result);
                function.parameters.iter().for_each(|parameter| self.c_type(&parameter.ty));
            }
            Type::Void | Type::Scalar(_) | Type::Tagged(..) | Type::Anonymous(_) | Type::Opaque(_) => {}
        }
    }

    fn place(&mut self, place: &Place) {
        if let PlaceBase::Global(global) = place.base {
            self.name(&self.program.globals[global].name);
        }
    }

    fn expression(&mut self, value: &Expression) {
        value.walk(&mut |part| match &part.kind {
            ExpressionKind::Function(function) => self.name(&self.program.functions[*function].name),
            ExpressionKind::Load(place) | ExpressionKind::Address(place) => self.place(place),
            ExpressionKind::Convert(_) => self.ty(part.ty),
            _ => {}
        });
    }
}
