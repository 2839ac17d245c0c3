//! The user's `%` lines among the routines. In: lines, routines and tables by type. Out: the routines of each type behind the lines
//! that stand before it.
//!
//! Prototypes and tables stand before all routines, but those of types under a condition: these stand before the first routine
//! under it.

use std::collections::{BTreeMap, BTreeSet};

use super::{Mark, Options, Routines};
use crate::plan::{Direction, Plan};
use crate::tables::Emitted;
use cast::Declaration;

/// Lines, prototypes, tables and routines, type by type in the order of the header.
pub(super) fn among(options: &Options, plan: &Plan, routines: &Routines, tables: &Emitted) -> Vec<Declaration> {
    let lines = &options.lines;
    let Routines { prototypes, bodies, marks, .. } = routines;
    let branch = |name: &str| lines.branches.get(name).copied().unwrap_or(0);
    let of_branch = |wanted: usize| {
        let of = |(at, mark): (usize, &Mark)| {
            let end = marks.get(at + 1).map_or(prototypes.len(), |next| next.prototypes);
            (branch(&mark.name) == wanted).then(|| prototypes.get(mark.prototypes..end).unwrap_or(&[]))
        };
        let prototypes = marks.iter().enumerate().filter_map(of).flatten();
        prototypes.chain(tables.lists.get(&wanted).into_iter().flatten()).cloned().collect::<Vec<_>>()
    };
    let mut result = of_branch(0);
    let mut begun = BTreeSet::from([0]);
    let (mut placed, mut entered): (BTreeSet<&str>, BTreeSet<&str>) = Default::default();
    let has_table_alone =
        |name: &str| plan.routine(name, Direction::Encode).is_none_or(|routine| routine.entry.is_empty());
    for (name, of_type) in by_type(&plan.order, bodies, marks) {
        if let Some(texts) = lines.before.get(name).filter(|_| placed.insert(name)) {
            result.extend(verbatim(texts));
        }
        let mut declarations = of_type.to_vec();
        if has_table_alone(name) && entered.insert(name) {
            declarations.extend(tables.entry(name, &options.reserved));
        }
        if !declarations.is_empty() && begun.insert(branch(name)) {
            result.extend(of_branch(branch(name)));
        }
        result.extend(declarations);
    }
    // Lines before types that are not of this file.
    let others = lines.before.iter().filter(|(name, _)| !placed.contains(name.as_str()));
    result.extend(others.flat_map(|(_, texts)| verbatim(texts)));
    result.extend(verbatim(&lines.last));
    result
}

/// The routines of each type, none for those that have none, and those of no type first.
fn by_type<'a>(order: &'a [String], bodies: &'a [Declaration], marks: &'a [Mark]) -> Vec<(&'a str, &'a [Declaration])> {
    let mut of_names: BTreeMap<&str, Vec<&[Declaration]>> = BTreeMap::new();
    for (at, mark) in marks.iter().enumerate() {
        let end = marks.get(at + 1).map_or(bodies.len(), |next| next.bodies);
        of_names.entry(&mark.name).or_default().push(bodies.get(mark.bodies..end).unwrap_or(&[]));
    }
    let mut types = Vec::new();
    for name in order {
        match of_names.remove(name.as_str()) {
            Some(own) => types.extend(own.into_iter().map(|own| (name.as_str(), own))),
            None => types.push((name.as_str(), &[][..])),
        }
    }
    let others = of_names.into_iter().flat_map(|(name, own)| own.into_iter().map(move |own| (name, own)));
    others.chain(types).collect()
}

fn verbatim(texts: &[String]) -> impl Iterator<Item = Declaration> + '_ {
    texts.iter().map(|text| Declaration::Verbatim(text.clone()))
}
