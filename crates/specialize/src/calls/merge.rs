//! Variants with the same code become one.
//!
//! In: the residual functions. Out: the same without copies: what was known of calls made several variants, and made no difference in
//! the end. Each is compared with the calls of itself as such, so that recursive functions are equal, too; functions whose address is
//! taken stay, since they may be compared. Source: identical code folding, as linkers do it; Tallam et al., "Safe ICF: Pointer Safe and
//! Unwinding Aware Identical Code Folding in Gold" (2010).

use std::collections::{BTreeMap, BTreeSet};

use core_c::{Block, Callee, Expression, ExpressionKind, Function, FunctionId, Program, StatementKind};
use la_arena::RawIdx;

/// Removes the copies from the list, whose first one is the root, and all calls of them.
pub(crate) fn merge(program: &mut Program, made: &mut Vec<FunctionId>) {
    loop {
        let addressed = addressed(program, made);
        let mut first: BTreeMap<String, FunctionId> = BTreeMap::new();
        let mut replaced: BTreeMap<FunctionId, FunctionId> = BTreeMap::new();
        for id in made.iter().skip(1).filter(|id| !addressed.contains(id)) {
            let kept = *first.entry(code(&program.functions[*id], *id)).or_insert(*id);
            if kept != *id {
                replaced.insert(*id, kept);
            }
        }
        if replaced.is_empty() {
            return;
        }
        made.retain(|id| !replaced.contains_key(id));
        for id in made.iter() {
            for (_, block) in program.functions[*id].blocks.iter_mut() {
                callees(block, &mut |callee| *callee = replaced.get(callee).copied().unwrap_or(*callee));
            }
        }
    }
}

fn callees(block: &mut Block, visit: &mut dyn FnMut(&mut FunctionId)) {
    for statement in &mut block.statements {
        if let StatementKind::Call { callee: Callee::Function(callee), .. } = &mut statement.kind {
            visit(callee);
        }
    }
}

/// What a function does, whatever it and its variables are called and wherever that stands in the source.
fn code(function: &Function, id: FunctionId) -> String {
    let mut blocks = function.blocks.clone();
    let itself = FunctionId::from_raw(RawIdx::from(u32::MAX));
    for (_, block) in blocks.iter_mut() {
        callees(block, &mut |callee| *callee = if *callee == id { itself } else { *callee });
        block.span = None;
        for statement in &mut block.statements {
            statement.span = None;
            statement.kind.expressions_mut().into_iter().for_each(without_spans);
        }
        block.end.expressions_mut().into_iter().for_each(without_spans);
    }
    let locals: Vec<_> = function.locals.values().map(|local| (local.ty, local.kind, local.alignment)).collect();
    format!("{:?}", (function.ty, function.linkage, function.cold, &function.parameters, locals, blocks))
}

fn without_spans(value: &mut Expression) {
    value.walk_mut(&mut |part| part.span = None);
}

/// The functions whose address something takes.
fn addressed(program: &Program, made: &[FunctionId]) -> BTreeSet<FunctionId> {
    let mut found = BTreeSet::new();
    let mut look = |value: &Expression| {
        value.walk(&mut |part| {
            if let ExpressionKind::Function(function) = part.kind {
                found.insert(function);
            }
        });
    };
    for block in made.iter().flat_map(|id| program.functions[*id].blocks.values()) {
        block.statements.iter().flat_map(|statement| statement.kind.expressions()).for_each(&mut look);
        block.end.expressions().into_iter().for_each(&mut look);
    }
    program.globals.values().flat_map(|global| global.initial.iter().flatten()).for_each(|part| look(&part.value));
    found
}
