//! Where the stages of a flow stand in a picture: in columns from source to sink, in rows as their sources stand.
//! In: a network. Out: a column and a row for each stage. Edges of a cycle that lead back are drawn backwards.

use std::collections::BTreeMap;

use crate::network::{Network, StageId};

/// A stage's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) column: usize,
    pub(super) row: usize,
}

/// A place for each stage, by its number.
pub(super) fn layout(network: &Network) -> Vec<Cell> {
    let columns = columns(network);
    let mut next_row: BTreeMap<usize, usize> = BTreeMap::new();
    let mut cells = vec![Cell { column: 0, row: 0 }; network.stages.len()];
    let mut order: Vec<usize> = (0..network.stages.len()).collect();
    order.sort_by_key(|stage| columns[*stage]);
    for stage in order {
        let column = columns[stage];
        let before = network.links_into(StageId(stage)).map(|link| network.links[link].from.stage.0);
        let wanted = before.filter(|from| columns[*from] < column).map(|from| cells[from].row).min().unwrap_or(0);
        let row = next_row.get(&column).copied().unwrap_or(0).max(wanted);
        next_row.insert(column, row + 1);
        cells[stage] = Cell { column, row };
    }
    cells
}

/// The longest way from a source to each stage, in links. Stages on cycles, and behind them, follow in their order.
fn columns(network: &Network) -> Vec<usize> {
    let mut columns = vec![None; network.stages.len()];
    let rest = (0..network.stages.len()).map(StageId);
    for stage in network.in_order(|link| !link.is_control).into_iter().chain(rest) {
        if columns[stage.0].is_some() {
            continue;
        }
        let before = network.links_into(stage).map(|link| network.links[link].from.stage.0);
        columns[stage.0] = Some(before.filter_map(|from| columns[from]).map(|column| column + 1).max().unwrap_or(0));
    }
    columns.into_iter().map(Option::unwrap_or_default).collect()
}
