//! Marked lines for a terminal.

use std::fmt::Write;

use super::{Colour, FunctionListing, Line};

/// How colours are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Escape sequences.
    Ansi,
    /// A line of signs below each line.
    Plain,
}

/// All listings, with a legend.
pub fn terminal(listings: &[FunctionListing], style: Style) -> String {
    let mut out = String::new();
    for colour in Colour::ALL {
        match style {
            Style::Ansi => writeln!(out, "{}{}{RESET}", escape(colour), colour.name()),
            Style::Plain => writeln!(out, "{} {}", sign(colour), colour.name()),
        }
        .ok();
    }
    for function in listings {
        let _ = writeln!(out, "\n{}", function.title());
        function.lines.iter().for_each(|line| write_line(&mut out, line, style));
    }
    out
}

const RESET: &str = "\u{1b}[0m";

fn escape(colour: Colour) -> &'static str {
    match colour {
        Colour::Computed => "\u{1b}[32m",
        Colour::Both => "\u{1b}[33m",
        Colour::Left => "\u{1b}[1;31m",
        Colour::Unreached => "\u{1b}[2m",
    }
}

fn sign(colour: Colour) -> char {
    match colour {
        Colour::Computed => '.',
        Colour::Both => '&',
        Colour::Left => '#',
        Colour::Unreached => '-',
    }
}

fn write_line(out: &mut String, line: &Line, style: Style) {
    let _ = write!(out, "{:>5} | ", line.number);
    match style {
        Style::Ansi => {
            let mut at = 0;
            for mark in &line.marks {
                out.push_str(&line.text[at..mark.start]);
                let _ = write!(out, "{}{}{RESET}", escape(mark.colour), &line.text[mark.start..mark.end]);
                at = mark.end;
            }
            out.push_str(&line.text[at..]);
            out.push('\n');
        }
        Style::Plain => {
            let _ = writeln!(out, "{}", line.text);
            if line.marks.is_empty() {
                return;
            }
            let mut signs = String::new();
            for (at, character) in line.text.char_indices() {
                let mark = line.marks.iter().find(|mark| (mark.start..mark.end).contains(&at));
                signs.push(match mark {
                    _ if character == '\t' => '\t',
                    Some(mark) if !character.is_whitespace() => sign(mark.colour),
                    _ => ' ',
                });
            }
            let _ = writeln!(out, "      | {}", signs.trim_end());
        }
    }
}
