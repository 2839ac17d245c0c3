//! Prototypes, and the attributes of functions.

use std::collections::BTreeSet;

use cast::{Declaration, ExpressionKind, Function, Linkage as Written, Parameter, Type};

use super::super::{types, walk};
use super::Declared;
use super::identifiers;
use super::needs::{Needs, locals};
use super::rename::Names;
use crate::{FunctionId, Linkage};

/// The declarations of functions that the file does not define, and of those that it uses before it defines them.
pub(super) fn prototypes(needs: &Needs, names: &Names, out: &mut Vec<Declaration>) {
    let mut heads: Vec<Function> = Vec::new();
    for id in &needs.declared {
        let function = &needs.program.functions[*id];
        let known = needs.index.functions.get(function.name.as_str());
        let is_builtin = ["__builtin_", "__sync_", "__atomic_"].iter().any(|start| function.name.starts_with(start));
        if known.and_then(|known| known.header).is_none() && !is_builtin {
            heads.push(prototype(needs, *id));
        }
    }
    let early = used_early(needs);
    for (_, function) in needs.definitions() {
        if early.contains(&function.name) {
            heads.push(without_body(function));
        }
    }
    if !heads.is_empty() && !out.is_empty() {
        out.push(Declaration::Blank);
    }
    out.extend(heads.into_iter().map(|head| Declaration::Prototype(names.function(&head))));
}

/// An old-style definition ends its head with what its parameters are, which a declaration may not have.
fn without_body(function: &Function) -> Function {
    let is_old = function.spelling.as_deref().is_some_and(|head| head.trim_end().ends_with(';'));
    let spelling = match is_old {
        true => Some(unprototyped(function.linkage, &function.result, &function.name)),
        false => function.spelling.clone(),
    };
    Function { body: Vec::new(), attributes: Vec::new(), spelling, ..function.clone() }
}

/// A declaration that says nothing of parameters.
fn unprototyped(linkage: Written, result: &Type, name: &str) -> String {
    let word = if linkage == Written::Static { "static " } else { "extern " };
    format!("{word}{} {}()", cast::print_type(result), super::super::names::plain(name))
}

/// The functions that are mentioned before their definition, or by an object.
fn used_early(needs: &Needs) -> BTreeSet<String> {
    let mut early = BTreeSet::new();
    for object in needs.objects.values() {
        if let Some(initial) = &object.variable.initial {
            walk::walk_all(initial, &mut |value| {
                if let ExpressionKind::Name(name) = &value.kind {
                    early.insert(name.clone());
                }
            });
        }
    }
    let mut done: BTreeSet<&str> = BTreeSet::new();
    for (_, function) in needs.definitions() {
        done.insert(&function.name);
        let own = locals(function);
        walk::everything(
            &function.body,
            &mut |_, _| {},
            &mut |early: &mut BTreeSet<String>, value| {
                if let ExpressionKind::Name(name) = &value.kind
                    && !own.contains(name)
                    && !done.contains(name.as_str())
                {
                    early.insert(name.clone());
                }
            },
            &mut early,
        );
    }
    early
}

/// A function's declaration without its body: as the source has it, or from its type.
pub(super) fn prototype(needs: &Needs, id: FunctionId) -> Function {
    let function = &needs.program.functions[id];
    let known = needs.index.functions.get(function.name.as_str());
    let written = known.and_then(|known| known.others.first().copied().or(known.definition.map(|(_, found)| found)));
    if let Some(written) = written.filter(|_| known.is_some_and(|known| !known.others.is_empty())) {
        return Function { body: Vec::new(), ..written.clone() };
    }
    let table = &needs.program.types.table;
    let ty = match types::resolve(table, &needs.program.types.get(function.ty).c) {
        Type::Function(ty) => (**ty).clone(),
        _ => cast::FunctionType::default(),
    };
    let linkage = if function.linkage == Linkage::Internal { Written::Static } else { Written::Extern };
    let unnamed = |parameter: &Parameter| Parameter { name: None, ty: parameter.ty.clone() };
    let made = Function {
        linkage,
        name: function.name.clone(),
        result: ty.result.clone(),
        parameters: ty.parameters.iter().map(unnamed).collect(),
        variadic: ty.variadic,
        ..Function::default()
    };
    if !ty.unprototyped {
        return made;
    }
    Function { spelling: Some(unprototyped(linkage, &ty.result, &made.name)), ..made }
}

/// What `__attribute__` says of a function in any of its declarations, as it is written; annotations are for readers of
/// C, not for compilers.
pub(super) fn attributes(known: &Declared<Function>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let definition = known.definition.map(|(_, definition)| definition);
    for function in definition.into_iter().chain(known.others.iter().copied()) {
        let spelled = spelled_attributes(function.spelling.as_deref().unwrap_or_default());
        for attribute in function.attributes.iter().cloned().chain(spelled) {
            if !found.contains(&attribute) {
                found.push(attribute);
            }
        }
    }
    found
}

fn spelled_attributes(head: &str) -> Vec<String> {
    let mut found = Vec::new();
    for word in identifiers::in_text(head) {
        if !matches!(word.text, "__attribute__" | "__attribute") {
            continue;
        }
        let rest = &head[word.range.end..];
        if let Some(length) = closing(rest).filter(|length| !rest[..*length].contains("annotate")) {
            found.push(format!("__attribute__{}", rest[..length].trim_start()));
        }
    }
    found
}

/// The length of a text up to the end of its first pair of parentheses.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(at + 1),
            b')' => depth -= 1,
            _ => {}
        }
    }
    None
}
