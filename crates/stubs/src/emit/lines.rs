//! The user's `%` lines among the routines. In: lines, and routines by type. Out: the routines of each type behind the lines that
//! stand before it.
//!
//! Prototypes stand before all routines, but those of types under a condition: these stand before the first routine under it.

use std::collections::BTreeSet;

use cast::Declaration;
use pres::Lines;

use super::{Mark, Routines};

/// Lines, prototypes and routines in order.
pub(super) fn among(lines: &Lines, routines: Routines) -> Vec<Declaration> {
    let Routines { prototypes, bodies, marks, .. } = routines;
    let branch = |name: &str| lines.branches.get(name).copied().unwrap_or(0);
    let of_branch = |wanted: usize| {
        let of = |(at, mark): (usize, &Mark)| {
            let end = marks.get(at + 1).map_or(prototypes.len(), |next| next.prototypes);
            (branch(&mark.name) == wanted).then(|| prototypes.get(mark.prototypes..end).unwrap_or(&[]))
        };
        marks.iter().enumerate().filter_map(of).flatten().cloned().collect::<Vec<_>>()
    };
    let mut result = of_branch(0);
    let mut begun = BTreeSet::from([0]);
    let mut placed: BTreeSet<&str> = BTreeSet::new();
    for (at, mark) in marks.iter().enumerate() {
        if let Some(texts) = lines.before.get(&mark.name).filter(|_| placed.insert(&mark.name)) {
            result.extend(verbatim(texts));
        }
        if begun.insert(branch(&mark.name)) {
            result.extend(of_branch(branch(&mark.name)));
        }
        let end = marks.get(at + 1).map_or(bodies.len(), |next| next.bodies);
        result.extend_from_slice(bodies.get(mark.bodies..end).unwrap_or(&[]));
    }
    // Lines before types that have no routines here.
    let others = lines.before.iter().filter(|(name, _)| !placed.contains(name.as_str()));
    result.extend(others.flat_map(|(_, texts)| verbatim(texts)));
    result.extend(verbatim(&lines.last));
    result
}

fn verbatim(texts: &[String]) -> impl Iterator<Item = Declaration> + '_ {
    texts.iter().map(|text| Declaration::Verbatim(text.clone()))
}
