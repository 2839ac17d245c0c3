//! The pictures of a guide. In: the guide as it ran, and the folder where it did. Out: `docs/pictures/`, compared: a picture that a
//! command of the guide wrote is that file; `binding-times.svg` is the session with `--show-binding-times`, in colours.

use std::fs;
use std::path::Path;

use filetest::golden::{self, Golden};
use filetest::picture::{self, Kind, Panel, Span};
use libtest_mimic::Failed;

const COLOURS: &str = "binding-times.svg";
const LEGEND: [(Kind, &str); 4] = [
    (Kind::Static, "computed"),
    (Kind::Both, "both"),
    (Kind::Dynamic, "left for run time"),
    (Kind::Unreached, "never reached"),
];

/// Compares the pictures that a guide shows, or, with `BLESS=1`, writes them.
pub(crate) fn check(text: &str, folder: &Path, bless: &str) -> Result<(), Failed> {
    let shown = text.split("](../pictures/").skip(1).filter_map(|rest| rest.split(')').next());
    for name in shown.filter(|name| name.ends_with(".svg")) {
        let drawn = match name {
            COLOURS => coloured(text).ok_or("no session shows binding times")?,
            _ => fs::read_to_string(folder.join(name)).map_err(|_| format!("no command of the guide writes {name}"))?,
        };
        let expectation = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures").join(name);
        let golden = Golden { input: expectation.clone(), expectation, kind: "svg".to_owned(), options: Vec::new() };
        golden::check(&golden, &drawn, bless)?;
    }
    Ok(())
}

/// The first session that shows binding times, each function in a box.
fn coloured(text: &str) -> Option<String> {
    let (_, rest) = text.split_once(" --show-binding-times\n")?;
    let (session, _) = rest.split_once("```")?;
    let mut panels: Vec<Panel> = Vec::new();
    for line in session.lines() {
        match line.split_once('|') {
            Some((number, signs)) if number.trim().is_empty() => {
                let line = panels.last_mut()?.lines.last_mut()?;
                let code: String = line.iter().map(|span| &*span.text).collect();
                *line = spans(&code, signs.strip_prefix(' ').unwrap_or(signs));
            }
            Some((_, code)) => {
                let text = code.strip_prefix(' ').unwrap_or(code).to_owned();
                panels.last_mut()?.lines.push(vec![Span { text, kind: Kind::Plain }]);
            }
            // `put, gone through 2 times`
            None => panels.extend(
                line.split_once(", gone").map(|(name, note)| Panel::listing(name, &format!("gone{note}"), "", &[])),
            ),
        }
    }
    panels.iter().any(|panel| !panel.lines.is_empty()).then(|| picture::svg(&panels, &LEGEND))
}

/// A line in pieces, by the signs below it. A blank between two signs of one kind is of that kind.
fn spans(code: &str, signs: &str) -> Vec<Span> {
    let mut signs: Vec<char> = signs.chars().collect();
    signs.resize(code.chars().count().max(signs.len()), ' ');
    for at in 1..signs.len().saturating_sub(1) {
        if signs[at] == ' ' && signs[at - 1] == signs[at + 1] {
            signs[at] = signs[at - 1];
        }
    }
    let mut found: Vec<Span> = Vec::new();
    for (character, sign) in code.chars().zip(signs) {
        let kind = match sign {
            '.' => Kind::Static,
            '&' => Kind::Both,
            '#' => Kind::Dynamic,
            '-' => Kind::Unreached,
            _ => Kind::Plain,
        };
        match found.last_mut().filter(|span| span.kind == kind) {
            Some(span) => span.text.push(character),
            None => found.push(Span { text: character.to_string(), kind }),
        }
    }
    found
}
