//! `report.html`: one page that needs nothing else. In: sections of the benches. Out: HTML that shows pictures; each table is below its
//! picture, folded. A section without lines to draw has bars.

use std::fmt::Write;

use super::bars;

/// A table: its head, then rows whose first cell is a name.
pub(crate) struct Table {
    pub(crate) caption: String,
    pub(crate) head: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

/// What is shown under one title.
pub(super) struct Section {
    pub(super) title: String,
    /// What was measured and how, in sentences.
    pub(super) text: String,
    /// SVG.
    pub(super) plot: String,
    pub(super) tables: Vec<Table>,
}

const STYLE: &str = "\
body{font:15px/1.5 system-ui,sans-serif;max-width:76rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
h2{margin-top:2.4rem}table{border-collapse:collapse;font-size:13px;margin:.6rem 0}
summary{font-weight:600;padding:.3rem 0;cursor:pointer}svg{display:block}
th,td{padding:.15rem .6rem;border-bottom:1px solid #ddd;text-align:right;font-variant-numeric:tabular-nums}
th:first-child,td:first-child{text-align:left}tr.own{background:#fdf0f1;font-weight:600}
svg{font:11px system-ui,sans-serif}.grid{stroke:#e4e4e4}code{background:#f4f4f4;padding:.1rem .3rem}
dl{display:grid;grid-template-columns:max-content auto;gap:.1rem 1rem}dt{font-weight:600}dd{margin:0}";

/// So many tables of a section have their bars in sight.
const SHOWN: usize = 2;

/// The page.
pub(super) fn page(command: &str, facts: &[(String, String)], sections: &[Section]) -> String {
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>whittle: benches</title>\n\
         <style>{STYLE}</style>\n<h1>whittle: benches</h1>\n<p>Made by <code>{}</code>.</p>\n<dl>\n",
        escaped(command)
    );
    for (name, value) in facts {
        let _ = writeln!(out, "<dt>{}</dt><dd>{}</dd>", escaped(name), escaped(value));
    }
    out.push_str("</dl>\n");
    for section in sections {
        let _ = writeln!(out, "<h2>{}</h2>\n<p>{}</p>", escaped(&section.title), escaped(&section.text));
        out.push_str(&section.plot);
        for (index, one) in section.tables.iter().enumerate() {
            let bars = if section.plot.is_empty() { bars::svg(one) } else { String::new() };
            let is_open = section.plot.is_empty() && bars.is_empty();
            let (shown, folded) = if index < SHOWN { (bars, String::new()) } else { (String::new(), bars) };
            if !shown.is_empty() {
                let _ = writeln!(out, "<h3>{}</h3>\n{shown}", escaped(&one.caption));
            }
            table(&mut out, one, is_open, &folded);
        }
    }
    out.push_str("</html>\n");
    out
}

/// Numbers that a picture shows are folded away, and so are further pictures.
fn table(out: &mut String, table: &Table, is_open: bool, bars: &str) {
    let (open, more) = if is_open { (" open", "") } else { ("", ": the numbers") };
    let _ = writeln!(out, "<details{open}><summary>{}{more}</summary>\n{bars}<table>", escaped(&table.caption));
    let head: String = table.head.iter().map(|cell| format!("<th>{}</th>", escaped(cell))).collect();
    let _ = writeln!(out, "<tr>{head}</tr>");
    for row in &table.rows {
        let own = row.first().is_some_and(|name| name.starts_with("whittle"));
        let class = if own { " class=\"own\"" } else { "" };
        let cells: String = row.iter().map(|cell| format!("<td>{}</td>", escaped(cell))).collect();
        let _ = writeln!(out, "<tr{class}>{cells}</tr>");
    }
    out.push_str("</table></details>\n");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_is_escaped_and_own_rows_stand_out() {
        let table = Table {
            caption: "times <rpcgen>".to_string(),
            head: vec!["who".to_string()],
            rows: vec![vec!["whittle-arena".to_string()], vec!["rpcgen".to_string()]],
        };
        let section =
            Section { title: "A & B".to_string(), text: String::new(), plot: String::new(), tables: vec![table] };
        let page = page("cargo xtask bench", &[], &[section]);
        assert!(page.contains("A &amp; B") && page.contains("times &lt;rpcgen&gt;"));
        assert_eq!(page.matches("<tr class=\"own\">").count(), 1);
        assert!(page.contains("<details open><summary>times"), "a table without a picture is shown");
    }

    #[test]
    fn a_picture_stands_before_the_numbers_and_they_are_folded() {
        let row = |who: &str, size: &str| vec![who.to_string(), size.to_string()];
        let table = Table {
            caption: "bytes".to_string(),
            head: row("who", "size"),
            rows: vec![row("whittle", "401"), row("rpcgen", "352")],
        };
        let section = Section { title: String::new(), text: String::new(), plot: String::new(), tables: vec![table] };
        let page = page("", &[], &[section]);
        let (picture, numbers) = (page.find("<rect"), page.find("<details><summary>bytes"));
        assert!(picture.is_some() && picture < numbers, "{page}");
    }
}
