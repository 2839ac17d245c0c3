//! Tables of the pages, read. In: Markdown. Out: the cells of the table below a heading, for charts of the numbers that stand there.

use crate::bench::report::Table;

/// The first table below a heading whose upper left cell is this.
pub(super) fn below(text: &str, heading: &str, corner: &str) -> Option<Table> {
    let (_, rest) = text.split_once(&format!("\n{heading}\n"))?;
    let mut lines = rest.lines().map(str::trim).skip_while(|line| cells(line).is_none_or(|cells| cells[0] != corner));
    let head = cells(lines.next()?)?;
    let rows: Vec<Vec<String>> = lines.skip(1).map_while(cells).collect();
    Some(Table { caption: heading.trim_start_matches('#').trim().to_owned(), head, rows })
}

fn cells(line: &str) -> Option<Vec<String>> {
    let inner = line.strip_prefix('|')?.strip_suffix('|')?;
    Some(inner.split('|').map(|cell| cell.trim().to_owned()).collect())
}

/// `64 B`, `1 KB`, `integers, 4 MB`, `2000`: bytes, or a plain number; none for several.
pub(super) fn size(cell: &str) -> Option<f64> {
    let mut words = cell.split_whitespace().rev();
    let unit = words.next()?;
    let factor = match unit {
        "B" => 1.0,
        "KB" => 1024.0,
        "MB" => 1024.0 * 1024.0,
        number => return number.parse().ok(),
    };
    let number: f64 = words.next()?.parse().ok()?;
    let is_one_of_several = words.next().is_some_and(|word| word.ends_with("B,"));
    (!is_one_of_several).then_some(number * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_below_a_heading_is_read() {
        let text =
            "# A\n\n## B\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n|  | who |\n|---|---|\n| n | 3 |\n| m | 4 |\n\nText.\n";
        let table = below(text, "## B", "").expect("a table");
        assert_eq!((table.caption.as_str(), table.head), ("B", vec![String::new(), "who".to_owned()]));
        assert_eq!(table.rows, [["n", "3"], ["m", "4"]]);
        assert!(below(text, "## C", "").is_none());
    }

    #[test]
    fn sizes_are_read() {
        assert_eq!(["64 B", "integers, 1 KB", "2000"].map(size), [Some(64.0), Some(1024.0), Some(2000.0)]);
        assert_eq!(["64 KB, 1 MB, 4 MB", "nothing", ""].map(size), [None; 3]);
    }
}
