//! Units to a program: names that were provisional become final.
//!
//! In: units with provisional names (`name@123`, `name@@123`). Out: one program. A type of a later unit that means the
//! same as one of an earlier unit is that one; other types and static objects of one name are distinguished as `name@2`.
//! In each function objects and labels have names of their own: a second `x` is `x@2`, as is a local `x` where the
//! function also uses an `x` of file level. So no reader of the tree needs to know about scopes.

use std::collections::{BTreeMap, BTreeSet};

use cast::{Declaration, Function, NameOf, Program, rename_declaration, rename_function};
use source::Diagnostic;

use crate::merge::Merger;
use crate::symbols;
use crate::unit::Imported;

/// Links units to a program.
pub(crate) fn link(units: Vec<Imported>) -> (Program, Vec<Diagnostic>) {
    let mut findings = Vec::new();
    let mut program = Program::default();
    let mut merger = Merger::new(units.first().map(|unit| unit.types.target).unwrap_or_default());
    let mut statics = Statics { taken: external_names(&units), count: BTreeMap::new() };
    for mut imported in units {
        findings.append(&mut imported.findings);
        let names = merger.add(imported.types);
        let mut objects: BTreeMap<String, String> = BTreeMap::new();
        for declaration in &mut imported.unit.file.declarations {
            rename_declaration(declaration, &mut |of, name| match of {
                NameOf::Typedef => set(name, names.typedefs.get(name)),
                NameOf::Tag => set(name, names.tags.get(name)),
                NameOf::Object if is_static(name) => {
                    let known = objects.entry(name.clone()).or_insert_with(|| statics.next(base(name)));
                    known.clone_into(name);
                }
                NameOf::Object | NameOf::Label => {}
            });
            if let Declaration::Function(function) | Declaration::Prototype(function) = declaration {
                name_locals(function);
            }
        }
        program.units.push(imported.unit);
    }
    program.types = merger.finish();
    findings.extend(symbols::check(&program));
    (program, findings)
}

fn set(name: &mut String, to: Option<&String>) {
    if let Some(to) = to {
        name.clone_from(to);
    }
}

/// The name as the source has it.
pub(crate) fn base(name: &str) -> &str {
    name.split('@').next().unwrap_or(name)
}

fn is_static(name: &str) -> bool {
    name.contains('@') && !name.contains("@@")
}

/// The names that all units share.
fn external_names(units: &[Imported]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for declaration in units.iter().flat_map(|imported| &imported.unit.file.declarations) {
        match declaration {
            Declaration::Function(function) | Declaration::Prototype(function) => names.insert(function.name.clone()),
            Declaration::Variable(variable) => names.insert(variable.name.clone()),
            _ => false,
        };
    }
    names.retain(|name| !name.contains('@'));
    names
}

/// Names for objects that their units keep to themselves.
struct Statics {
    taken: BTreeSet<String>,
    count: BTreeMap<String, u32>,
}

impl Statics {
    fn next(&mut self, base: &str) -> String {
        let count = self.count.entry(base.to_owned()).or_default();
        *count += 1;
        if *count == 1 && !self.taken.contains(base) {
            return base.to_owned();
        }
        *count = (*count).max(2);
        format!("{base}@{count}")
    }
}

/// Gives the objects and labels of a function their final names.
fn name_locals(function: &mut Function) {
    let mut used: BTreeSet<(NameOf, String)> = BTreeSet::new();
    let mut locals: Vec<(NameOf, String)> = Vec::new();
    rename_function(function, &mut |of, name| {
        if !name.contains("@@") {
            used.insert((of, name.clone()));
        } else if matches!(of, NameOf::Object | NameOf::Label) {
            locals.push((of, name.clone()));
        }
    });
    let mut names: BTreeMap<(NameOf, String), String> = BTreeMap::new();
    for (of, provisional) in locals {
        let key = (of, provisional);
        if names.contains_key(&key) {
            continue;
        }
        let base = base(&key.1).to_owned();
        let candidates = std::iter::once(base.clone()).chain((2..).map(|number| format!("{base}@{number}")));
        let name = candidates.into_iter().find(|name| used.insert((of, name.clone())));
        names.insert(key, name.unwrap_or(base));
    }
    rename_function(function, &mut |of, name| set(name, names.get(&(of, name.clone()))));
}
