//! What the paper says of marshalling, and what is wanted of whittle, beside what was measured. In: samples. Out: a section.

use super::super::plot::{self, Series};
use super::super::report::{Section, Table};
use super::super::samples::{Cell, Samples};

const TEXT: &str = "The paper's Figure 3 (section 4): Flick's stubs marshal 2 to 5 times as fast as rpcgen's for small messages, 5 \
    to 17 times for large ones. The plot shows whittle's direct stubs compared with rpcgen's, and the paper's range. \
    Today's rpcgen has inline code for the thirty words of a directory entry, and copies its string with memcpy. A \
    memcpy of the message is only 7 times as fast, so 17 cannot be reached. The table shows the goals, each in the \
    cell where it is hardest; words are integers and rectangles. Ratios are medians of ratios within rounds.";
const SMALL: u64 = 1 << 10;
const LARGE: u64 = 64 << 10;

/// A goal: `who` is at least so many times as fast as `other`.
struct Goal {
    what: &'static str,
    who: &'static str,
    other: &'static str,
    cells: &'static [&'static str],
    /// From and to, in bytes.
    sizes: (u64, u64),
    least: f64,
}

const WORDS: &[&str] = &["ints-encode", "rects-encode"];
const WORDS_DECODED: &[&str] = &["ints-decode", "rects-decode"];
const ENCODE: &[&str] = &["ints-encode", "rects-encode", "dirents-encode"];
const DECODE: &[&str] = &["ints-decode", "rects-decode", "dirents-decode"];
const MOST: u64 = u64::MAX;

const GOALS: [Goal; 19] = [
    goal("rpcgen, small, encode words (the paper: 2 to 5)", "rpcgen", WORDS, (0, SMALL - 1), 5.0),
    goal("rpcgen, small, encode entries (the paper: 2 to 5)", "rpcgen", &["dirents-encode"], (0, SMALL - 1), 5.0),
    goal("rpcgen, large, encode words (the paper: 5 to 17)", "rpcgen", WORDS, (LARGE, MOST), 17.0),
    goal("rpcgen, large, encode entries (the paper: 5 to 17)", "rpcgen", &["dirents-encode"], (LARGE, MOST), 5.0),
    counted("rpcgen, small, encode entries with counted names", (0, SMALL - 1)),
    counted("rpcgen, large, encode entries with counted names", (LARGE, MOST)),
    goal("rpcgen, small, decode words", "rpcgen", WORDS_DECODED, (0, SMALL - 1), 5.0),
    goal("rpcgen, small, decode entries", "rpcgen", &["dirents-decode"], (0, SMALL - 1), 5.0),
    goal("rpcgen, large, decode words", "rpcgen", WORDS_DECODED, (LARGE, MOST), 17.0),
    goal("rpcgen, large, decode entries", "rpcgen", &["dirents-decode"], (LARGE, MOST), 5.0),
    goal("memcpy, encode words, 16 to 256 KB", "memcpy", WORDS, (16 << 10, 256 << 10), 0.9),
    goal("memcpy, encode words, 4 MB", "memcpy", WORDS, (4 << 20, 4 << 20), 0.8),
    goal("hand, encode from 1 KB", "hand", ENCODE, (SMALL, MOST), 0.95),
    goal("hand, encode below 1 KB", "hand", ENCODE, (0, SMALL - 1), 0.75),
    goal("hand, decode from 1 KB", "hand", DECODE, (SMALL, MOST), 0.95),
    goal("hand-struct, decode words from 1 KB", "hand-struct", WORDS_DECODED, (SMALL, MOST), 0.95),
    goal("hand, decode below 1 KB", "hand", DECODE, (0, SMALL - 1), 0.75),
    in_place("hand, decode in place from 1 KB", (SMALL, MOST), 0.95),
    in_place("hand, decode in place below 1 KB", (0, SMALL - 1), 0.75),
];

const fn goal(
    what: &'static str,
    other: &'static str,
    cells: &'static [&'static str],
    sizes: (u64, u64),
    least: f64,
) -> Goal {
    Goal { what, who: "whittle", other, cells, sizes, least }
}

/// As the paper has it (section 2): the caller tells how long a text is.
const fn counted(what: &'static str, sizes: (u64, u64)) -> Goal {
    Goal { what, who: "whittle-counted", other: "rpcgen", cells: &["dirents-encode"], sizes, least: 5.0 }
}

const fn in_place(what: &'static str, sizes: (u64, u64), least: f64) -> Goal {
    Goal { what, who: "whittle-in-place", other: "hand-in-place", cells: DECODE, sizes, least }
}

/// The section.
pub(super) fn section(samples: &Samples) -> Section {
    let head = ["times as fast as", "wanted", "least", "at", "most", "reached"].map(str::to_string).into();
    let rows = GOALS.iter().filter_map(|goal| row(goal, samples)).collect();
    let tables = vec![Table { caption: "goals".to_string(), head, rows }];
    let plot = plot::svg(&lines(samples), "times as fast as rpcgen");
    Section { title: "marshal: the paper's claims, and the goals".to_string(), text: TEXT.to_string(), plot, tables }
}

/// One goal, with the cell in which it is hardest.
fn row(goal: &Goal, samples: &Samples) -> Option<Vec<String>> {
    let is_meant = |cell: &&Cell| {
        goal.cells.contains(&cell.workload.as_str()) && (goal.sizes.0..=goal.sizes.1).contains(&cell.size)
    };
    let mut ratios: Vec<(f64, &Cell)> = samples
        .cells()
        .filter(is_meant)
        .filter_map(|cell| Some((samples.speed_up(cell, goal.who, goal.other)?, cell)))
        .collect();
    ratios.sort_by(|one, other| one.0.total_cmp(&other.0));
    let ((least, cell), (most, _)) = (ratios.first()?, ratios.last()?);
    let place = format!("{}, {}", cell.workload, plot::bytes(cell.size));
    let reached = if *least >= goal.least { "yes" } else { "no" };
    let number = |value: f64| format!("{value:.2}");
    Some(vec![goal.what.to_string(), number(goal.least), number(*least), place, number(*most), reached.to_string()])
}

/// whittle over rpcgen, and the paper's range.
fn lines(samples: &Samples) -> Vec<Series> {
    let ours = |workload: &str| {
        let cells = samples.cells().filter(|cell| cell.workload == format!("{workload}-encode"));
        let points = cells
            .filter_map(|cell| Some((cell.size as f64, samples.speed_up(cell, "whittle", super::BASE)?)))
            .collect();
        Series { name: format!("whittle, {workload}"), points }
    };
    let paper = |name: &str, small: f64, large: f64| {
        let points = [(64.0, small), (SMALL as f64, small), (LARGE as f64, large), (4_194_304.0, large)];
        Series { name: format!("paper, {name}"), points: points.into() }
    };
    let mut series: Vec<Series> = ["ints", "rects", "dirents"].map(ours).into();
    series.retain(|series| !series.points.is_empty());
    series.extend([paper("least", 2.0, 5.0), paper("most", 5.0, 17.0)]);
    series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_is_judged_where_it_is_hardest() {
        let mut samples = Samples::default();
        for (size, time) in [(16 << 10, 10.0), (64 << 10, 12.0), (1 << 20, 99.0)] {
            let cell = Cell { workload: "ints-encode".to_string(), size };
            samples.add(cell.clone(), "memcpy", 0, 10.0);
            samples.add(cell, "whittle", 0, time);
        }
        let goal = goal("memcpy", "memcpy", WORDS, (16 << 10, 256 << 10), 0.9);
        let row = row(&goal, &samples).expect("measured");
        assert_eq!(row[1..], ["0.90", "0.83", "ints-encode, 64K", "1.00", "no"].map(str::to_string));
    }
}
