//! Bars as SVG: a table's numbers, a group of bars for each column, one bar for each row. In: rows of text. Out: bars from zero, each
//! group with its own scale, since columns may differ in unit and size.

use std::fmt::Write;

use super::report::Table;

/// Of a group that is alone, and of one beside others.
const WIDTH: f64 = 620.0;
const NARROW: f64 = 380.0;
/// Groups beside each other.
const ACROSS: usize = 3;
/// What the names take.
const LEFT: f64 = 170.0;
/// What the numbers take.
const RIGHT: f64 = 70.0;
const BAR: f64 = 16.0;
const TITLE: f64 = 24.0;
/// More rows or columns than that are no picture.
const MOST: usize = 24;

/// The bars of a table; nothing where it has no numbers to show, or too many.
pub(crate) fn svg(table: &Table) -> String {
    let columns: Vec<(usize, &str)> = table.head.iter().map(String::as_str).enumerate().skip(1).collect();
    let groups: Vec<Group<'_>> =
        columns.iter().filter_map(|(column, title)| Group::new(table, *column, title)).collect();
    if groups.is_empty() || groups.len() > MOST || table.rows.len() > MOST {
        return String::new();
    }
    let across = groups.len().min(ACROSS);
    let wide = if across == 1 { WIDTH } else { NARROW };
    let rows = groups.chunks(ACROSS).map(|row| row.iter().map(Group::height).fold(0.0, f64::max));
    let (width, height) = (wide * across as f64, rows.clone().sum::<f64>());
    let mut out = format!("<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n");
    let mut top = 0.0;
    for (row, height) in groups.chunks(ACROSS).zip(rows) {
        for (column, group) in row.iter().enumerate() {
            group.draw(&mut out, (column as f64 * wide, top), wide);
        }
        top += height;
    }
    out.push_str("</svg>\n");
    out
}

struct Bar<'a> {
    name: &'a str,
    value: f64,
    /// The cell, as it stands there.
    shown: &'a str,
    colour: &'static str,
}

struct Group<'a> {
    title: &'a str,
    bars: Vec<Bar<'a>>,
}

impl<'a> Group<'a> {
    /// One column; none where fewer than two rows have a number there.
    fn new(table: &'a Table, column: usize, title: &'a str) -> Option<Group<'a>> {
        let bar = |row: &'a Vec<String>| {
            let shown = row.get(column)?.as_str();
            let name = row.first()?;
            Some(Bar { name, value: number(shown)?, shown, colour: colour(name) })
        };
        let bars: Vec<Bar<'a>> = table.rows.iter().filter_map(bar).collect();
        (bars.len() >= 2).then_some(Group { title, bars })
    }

    fn height(&self) -> f64 {
        TITLE + self.bars.len() as f64 * BAR
    }

    fn draw(&self, out: &mut String, (left, top): (f64, f64), wide: f64) {
        let most = self.bars.iter().map(|bar| bar.value).fold(f64::MIN_POSITIVE, f64::max);
        let begin = left + LEFT;
        let title = escaped(self.title);
        let _ = writeln!(out, "<text x=\"{begin}\" y=\"{:.1}\" font-weight=\"bold\">{title}</text>", top + 16.0);
        for (index, bar) in self.bars.iter().enumerate() {
            let y = top + TITLE + index as f64 * BAR;
            let length = bar.value / most * (wide - LEFT - RIGHT);
            let (base, weight) = (y + 11.0, if bar.name.starts_with("whittle") { "bold" } else { "normal" });
            let (name, shown, colour) = (escaped(bar.name), escaped(bar.shown), bar.colour);
            let _ = writeln!(
                out,
                "<text x=\"{}\" y=\"{base:.1}\" text-anchor=\"end\" font-weight=\"{weight}\">{name}</text>\
                 <rect x=\"{begin}\" y=\"{:.1}\" width=\"{length:.1}\" height=\"{}\" fill=\"{colour}\"/>\
                 <text x=\"{:.1}\" y=\"{base:.1}\">{shown}</text>",
                begin - 6.0,
                y + 1.0,
                BAR - 3.0,
                begin + length + 5.0,
            );
        }
    }
}

/// whittle's own stand out, and so does what it is compared with most.
fn colour(name: &str) -> &'static str {
    match name {
        own if own.starts_with("whittle") => "#c8102e",
        "rpcgen" => "#111111",
        _ => "#9aa3ad",
    }
}

/// The number that a cell begins with: `7.4x`, `12 100`, `534`; none where there is none, or less than zero.
pub(crate) fn number(cell: &str) -> Option<f64> {
    let cell = cell.trim();
    let end = cell.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ' ')).unwrap_or(cell.len());
    let digits: String = cell[..end].chars().filter(|c| *c != ' ').collect();
    digits.parse().ok()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[[&str; 3]]) -> Table {
        let row = |row: &[&str; 3]| row.map(str::to_owned).to_vec();
        let head = ["who", "TCP", "note"].map(str::to_owned).to_vec();
        Table { caption: String::new(), head, rows: rows.iter().map(row).collect() }
    }

    #[test]
    fn every_row_with_a_number_has_a_bar_from_zero() {
        let drawn = svg(&table(&[["whittle", "14.1", "fast"], ["a <b>", "28.2", ""], ["absent", "", ""]]));
        assert_eq!(drawn.matches("<rect").count(), 2);
        assert!(
            drawn.contains(">a &lt;b&gt;</text>")
                && drawn.contains("width=\"380.0\"")
                && drawn.contains("width=\"190.0\""),
            "{drawn}"
        );
        assert!(!drawn.contains("note"));
    }

    #[test]
    fn numbers_are_read_as_tables_have_them() {
        assert_eq!(number("12 100"), Some(12_100.0));
        assert_eq!(number("7.4x"), Some(7.4));
        assert_eq!(number("1.73 (1M)"), Some(1.73));
        assert_eq!(["–", "", "fast"].map(number), [None; 3]);
    }

    #[test]
    fn a_table_without_numbers_is_no_picture() {
        assert_eq!(svg(&table(&[["whittle", "yes", ""], ["a", "no", ""]])), "");
    }
}
