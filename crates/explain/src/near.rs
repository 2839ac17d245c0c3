//! Names that are like one that nobody knows.

use std::collections::BTreeSet;

use core_c::Program;
use core_c::names::{Path, path_of_expression, path_of_place, plain};
use specialize::Trace;

/// As many are said.
const MOST: usize = 4;

/// Names in the code that was reached, the most similar one first; only such as somebody may have meant.
pub fn names_like(program: &Program, trace: &Trace, name: &str) -> Vec<String> {
    let name = name.rsplit(':').next().unwrap_or(name);
    let known = names(program, trace).into_iter().map(|known| (likeness(&known, name), known));
    let mut near: Vec<(usize, String)> =
        known.filter(|(distance, _)| *distance <= 1 + name.chars().count() / 4).collect();
    near.sort();
    near.into_iter().take(MOST).map(|(_, name)| name).collect()
}

/// The parts that the code reads or writes of what is called `name`: `config.sizes[]` of `config`.
pub fn parts_of(program: &Program, trace: &Trace, name: &str) -> Vec<String> {
    let (function, name) = match name.split_once(':') {
        Some((function, rest)) => (Some(function), rest.trim_start_matches(':')),
        None => (None, name),
    };
    let whole = Path::parse(name);
    let parts = names(program, trace).into_iter().filter(|known| whole.is_whole_of(&Path::parse(known)));
    parts.map(|part| function.map_or(part.clone(), |function| format!("{function}:{part}"))).collect()
}

/// Functions, variables, and the parts of them that the code reads or writes.
fn names(program: &Program, trace: &Trace) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for id in trace.functions.keys().copied() {
        let function = &program.functions[id];
        names.insert(plain(&function.name).to_owned());
        names.extend(function.locals.values().map(|local| plain(&local.name).to_owned()));
        for block in function.blocks.values() {
            let places = block.statements.iter().flat_map(|statement| statement.kind.places());
            names.extend(places.filter_map(|(_, place)| Some(path_of_place(program, id, place)?.spelling())));
            let statements = block.statements.iter().flat_map(|statement| statement.kind.expressions());
            for expression in statements.chain(block.end.expressions()) {
                expression.walk(&mut |part| {
                    names.extend(path_of_expression(program, id, part).map(|path| path.spelling()));
                });
            }
        }
    }
    names.remove("");
    names
}

/// How far a known name is from the one that was given; a member alone may be meant, too.
fn likeness(known: &str, given: &str) -> usize {
    let whole = distance(known, given);
    match known.rsplit_once("->") {
        Some((_, member)) => whole.min(distance(member, given)),
        None => whole,
    }
}

/// Letters to be added, left out, or replaced, or neighbours to be exchanged (Levenshtein and Damerau), upper case or
/// lower case.
fn distance(a: &str, b: &str) -> usize {
    let letters = |text: &str| text.to_lowercase().replace("->", ".").chars().collect::<Vec<char>>();
    let (a, b) = (letters(a), letters(b));
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_slip_is_one_step() {
        for (given, steps) in [("x_handy", 0), ("x_hnady", 1), ("x_handdy", 1), ("x_hand", 1), ("X_HANDY", 0), ("", 7)]
        {
            assert_eq!(distance("x_handy", given), steps, "{given}");
        }
        assert_eq!(likeness("xdrs->x_handy", "x_hady"), 1);
        assert_eq!(likeness("xdrs->x_handy", "xdrs.x_handy"), 0);
    }
}
