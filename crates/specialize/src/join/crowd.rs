//! What makes states many where paths meet at the head of a loop. In: the states. Out: cells that are given up, so that few are left.
//!
//! Numbers that are made of the paths that led here, such as sums, counters and sets of bits, multiply with each round, each by itself; an interpreter's
//! program counter takes the same few values again, and says much of what else is known.

use std::collections::{BTreeMap, BTreeSet};

use crate::engine::state::State;
use crate::join::differences::{each_cell, each_number};
use crate::join::generalize::CellName;

/// What is another value in most of the states.
pub(crate) fn varying(states: &[&State]) -> Vec<CellName> {
    let mut values: BTreeMap<CellName, BTreeSet<String>> = BTreeMap::new();
    for state in states {
        each_cell(state, &mut |cell, value| {
            values.entry(cell).or_default().insert(value);
        });
    }
    values.into_iter().filter(|(_, seen)| seen.len() > states.len() / 2).map(|(cell, _)| cell).collect()
}

/// Numbers that multiply the states, and take values that they had in no round before; those first that depend least on the others.
pub(crate) fn multiplying(states: &[&State], before: &[&State]) -> Vec<CellName> {
    let mut table = Table::of(states);
    table.take_new(states, before);
    let mut given_up = Vec::new();
    let mut left = table.count(None);
    while left > 1 {
        let counts = table.numbers.iter().map(|column| (table.count(Some(*column)), *column));
        let Some((count, column)) = counts.min().filter(|(count, _)| *count < left) else { break };
        left = count;
        table.numbers.remove(&column);
        table.without.insert(column);
        given_up.push(table.cells[column]);
    }
    given_up
}

/// The states as rows, and the cells that are not the same in all of them as columns.
struct Table {
    cells: Vec<CellName>,
    rows: Vec<Vec<usize>>,
    /// Columns of numbers that have not been given up, and those that have.
    numbers: BTreeSet<usize>,
    without: BTreeSet<usize>,
}

impl Table {
    fn of(states: &[&State]) -> Table {
        let mut columns: BTreeMap<CellName, BTreeMap<String, usize>> = BTreeMap::new();
        let mut found: Vec<BTreeMap<CellName, usize>> = Vec::new();
        let mut numbers: BTreeSet<CellName> = BTreeSet::new();
        for state in states {
            let mut row = BTreeMap::new();
            each_cell(state, &mut |cell, value| {
                let values = columns.entry(cell).or_default();
                let next = values.len() + 1;
                row.insert(cell, *values.entry(value).or_insert(next));
            });
            each_number(state, &mut |cell, _| {
                numbers.insert(cell);
            });
            found.push(row);
        }
        let is_one = |cell: &CellName| {
            let mut values = found.iter().map(|row| row.get(cell));
            let first = values.next();
            values.all(|value| Some(value) == first)
        };
        let cells: Vec<CellName> = columns.keys().filter(|cell| !is_one(cell)).copied().collect();
        let row = |row: &BTreeMap<CellName, usize>| {
            cells.iter().map(|cell| row.get(cell).copied().unwrap_or_default()).collect()
        };
        let rows = found.iter().map(row).collect();
        let numbers = (0..cells.len()).filter(|at| numbers.contains(&cells[*at])).collect();
        Table { cells, rows, numbers, without: BTreeSet::new() }
    }

    /// Leaves those numbers that are new.
    fn take_new(&mut self, states: &[&State], before: &[&State]) {
        let mut known: BTreeSet<(CellName, i128)> = BTreeSet::new();
        for state in before {
            each_number(state, &mut |cell, number| {
                known.insert((cell, number));
            });
        }
        let mut new: BTreeSet<CellName> = BTreeSet::new();
        for state in states {
            each_number(state, &mut |cell, number| {
                if !known.contains(&(cell, number)) {
                    new.insert(cell);
                }
            });
        }
        self.numbers.retain(|column| new.contains(&self.cells[*column]));
    }

    /// How many states there are without one column more.
    fn count(&self, without: Option<usize>) -> usize {
        let is_left = |column: &usize| Some(*column) != without && !self.without.contains(column);
        let left: Vec<usize> = (0..self.cells.len()).filter(is_left).collect();
        let seen: BTreeSet<Vec<usize>> =
            self.rows.iter().map(|row| left.iter().map(|column| row[*column]).collect()).collect();
        seen.len()
    }
}
