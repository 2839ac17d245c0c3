//! Pictures of text, for pages: listings in boxes, one below the other, joined by arrows. In: what a compiler printed, with what stands
//! out in it. Out: SVG that needs nothing else. A picture is made of a tool's own output by a test, so that it stays true.

use escape::Text;
use escape::xml::{self, Xml};

/// A run of characters of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    pub text: String,
    pub kind: Kind,
}

/// How a run of characters is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Plain,
    /// What the picture is about.
    Marked,
    Static,
    Both,
    Dynamic,
    Unreached,
}

/// A box with a listing.
#[derive(Clone, Debug, Default)]
pub struct Panel {
    pub title: String,
    /// Behind the title, smaller.
    pub note: String,
    pub lines: Vec<Vec<Span>>,
    /// What makes this panel of the one above it; none: it does not follow from that.
    pub made_by: Option<String>,
}

impl Panel {
    /// A listing in which some words stand out.
    pub fn listing(title: &str, note: &str, text: &str, marked: &[&str]) -> Panel {
        let lines = text.trim_end().lines().map(|line| spans(line, marked)).collect();
        Panel { title: title.to_owned(), note: note.to_owned(), lines, made_by: None }
    }

    pub fn made_by(self, what: &str) -> Panel {
        Panel { made_by: Some(what.to_owned()), ..self }
    }
}

/// A line with each of the marked words cut out.
fn spans(line: &str, marked: &[&str]) -> Vec<Span> {
    let first = marked.iter().filter_map(|word| Some((line.find(word)?, word.len()))).min();
    let Some((at, length)) = first else { return vec![Span { text: line.to_owned(), kind: Kind::Plain }] };
    let (before, rest) = line.split_at(at);
    let (word, behind) = rest.split_at(length);
    let mut found =
        vec![Span { text: before.to_owned(), kind: Kind::Plain }, Span { text: word.to_owned(), kind: Kind::Marked }];
    found.extend(spans(behind, marked));
    found.retain(|span| !span.text.is_empty());
    found
}

/// In pixels: characters, lines, what is around a box, between two that follow from each other, and between two that do not.
const CHARACTER: f64 = 7.3;
const LINE: usize = 17;
const MARGIN: usize = 14;
const PADDING: usize = 10;
const TITLE: usize = 24;
const ARROW: usize = 34;
const GAP: usize = 14;
/// Of a legend's entry.
const ENTRY: usize = 170;

const STYLE: &str = "<style>text{font:12px ui-monospace,Menlo,Consolas,monospace;fill:#222;white-space:pre}\
    .title,.note,.by{font-family:system-ui,sans-serif;font-size:13px}.title{font-weight:600}.note,.by{fill:#555}\
    .box{fill:#f7f7f5;stroke:#bbb}.arrow{stroke:#555;fill:none}\
    .marked{fill:#fde9b8}.static{fill:#d9f0d3}.both{fill:#fde9b8}.dynamic{fill:#f9c7c3}.unreached{fill:#e4e4e4}</style>\n\
    <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
    orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#555\"/></marker></defs>\n";

/// The panels from top to bottom, below a legend.
pub fn svg(panels: &[Panel], legend: &[(Kind, &str)]) -> String {
    let mut body = Text::default();
    let mut top = MARGIN;
    for (place, (kind, words)) in legend.iter().enumerate() {
        let x = MARGIN + place * ENTRY;
        background(&mut body, *kind, (x, top), 14);
        words_at(&mut body, "note", (x + 20, top + 12), words);
    }
    if !legend.is_empty() {
        top += LINE + GAP;
    }
    let longest = panels.iter().map(Panel::width).max().unwrap_or_default();
    for (place, panel) in panels.iter().enumerate() {
        top += gap(&mut body, panel, place, top);
        top += drawn(&mut body, panel, top, longest);
    }
    let picture = Text::fill(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
         {style}<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n{body}</svg>\n",
        &[
            ("width", &Text::size((longest + 2 * MARGIN).max(legend.len() * ENTRY + MARGIN))),
            ("height", &Text::size(top + MARGIN)),
            ("style", &Text::literal(STYLE)),
            ("body", &body),
        ],
    );
    picture.finish()
}

/// What is between a panel and the one above it; its height.
fn gap(body: &mut Text<Xml>, panel: &Panel, place: usize, top: usize) -> usize {
    match &panel.made_by {
        Some(what) => {
            body.add(
                "<path class=\"arrow\" d=\"M{x} {from}V{to}\" marker-end=\"url(#tip)\"/>\n",
                &[("x", &Text::size(MARGIN + 30)), ("from", &Text::size(top)), ("to", &Text::size(top + ARROW))],
            );
            words_at(body, "by", (MARGIN + 42, top + ARROW / 2 + 5), what);
            ARROW
        }
        None if place > 0 => GAP,
        None => 0,
    }
}

/// Draws a box; its height.
fn drawn(body: &mut Text<Xml>, panel: &Panel, top: usize, width: usize) -> usize {
    let height = TITLE + panel.lines.len() * LINE + PADDING;
    body.add(
        "<rect class=\"box\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"6\"/>\n",
        &[
            ("x", &Text::size(MARGIN)),
            ("y", &Text::size(top)),
            ("width", &Text::size(width)),
            ("height", &Text::size(height)),
        ],
    );
    words_at(body, "title", (MARGIN + PADDING, top + 17), &panel.title);
    let behind = MARGIN + PADDING + panel.title.chars().count() * 8 + 14;
    words_at(body, "note", (behind, top + 17), &panel.note);
    for (number, line) in panel.lines.iter().enumerate() {
        let y = top + TITLE + (number + 1) * LINE - 4;
        let mut column = 0;
        for span in line {
            let x = MARGIN + PADDING + across(column);
            let length = span.text.chars().count();
            if span.kind != Kind::Plain {
                background(body, span.kind, (x, y - 12), across(length));
            }
            column += length;
        }
        // The blanks that a line begins with are distance, whatever a viewer makes of blanks.
        let text: String = line.iter().map(|span| &*span.text).collect();
        let indented = text.chars().take_while(|character| *character == ' ').count();
        code_at(body, (MARGIN + PADDING + across(indented), y), text.trim());
    }
    height
}

fn background(body: &mut Text<Xml>, kind: Kind, (x, y): (usize, usize), width: usize) {
    let class = match kind {
        Kind::Plain => "plain",
        Kind::Marked => "marked",
        Kind::Static => "static",
        Kind::Both => "both",
        Kind::Dynamic => "dynamic",
        Kind::Unreached => "unreached",
    };
    body.add(
        "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"16\"/>\n",
        &[
            ("class", &Text::literal(class)),
            ("x", &Text::size(x)),
            ("y", &Text::size(y)),
            ("width", &Text::size(width)),
        ],
    );
}

fn words_at(body: &mut Text<Xml>, class: &'static str, (x, y): (usize, usize), words: &str) {
    text(body, class, (x, y), words, Text::default());
}

/// A line of a listing. Its width is given, so that backgrounds fit in whatever font a viewer has.
fn code_at(body: &mut Text<Xml>, place: (usize, usize), words: &str) {
    let width = Text::size(across(words.chars().count()));
    let stretch = Text::fill(" textLength=\"{width}\" lengthAdjust=\"spacingAndGlyphs\"", &[("width", &width)]);
    text(body, "code", place, words, stretch);
}

fn text(body: &mut Text<Xml>, class: &'static str, (x, y): (usize, usize), words: &str, more: Text<Xml>) {
    body.add(
        "<text class=\"{class}\" x=\"{x}\" y=\"{y}\"{more}>{words}</text>\n",
        &[
            ("class", &Text::literal(class)),
            ("x", &Text::size(x)),
            ("y", &Text::size(y)),
            ("more", &more),
            ("words", &xml::shown(words)),
        ],
    );
}

fn across(characters: usize) -> usize {
    (characters as f64 * CHARACTER).round() as usize
}

impl Panel {
    fn width(&self) -> usize {
        let length = |line: &Vec<Span>| line.iter().map(|span| span.text.chars().count()).sum::<usize>();
        let head = self.title.chars().count() * 8 + 14 + self.note.chars().count() * 7;
        let lines = self.lines.iter().map(|line| across(length(line))).max().unwrap_or_default();
        lines.max(head) + 2 * PADDING
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marked_words_are_cut_out_of_a_line() {
        let found = spans("(ensure 4) a (ensure 8)", &["(ensure 4)", "(ensure 8)"]);
        let shown: Vec<_> = found.iter().map(|span| (&*span.text, span.kind == Kind::Marked)).collect();
        assert_eq!(shown, [("(ensure 4)", true), (" a ", false), ("(ensure 8)", true)]);
    }

    #[test]
    fn a_picture_has_every_panel_and_its_arrow() {
        let panels = [
            Panel::listing("one", "first", "a < b\n  c\n", &["c"]),
            Panel::listing("two", "", "d\n", &[]).made_by("a pass"),
        ];
        let drawn = svg(&panels, &[(Kind::Static, "static")]);
        assert!(drawn.contains(">a &lt; b</text>") && drawn.contains(">a pass</text>"), "{drawn}");
        assert_eq!(drawn.matches("class=\"box\"").count(), 2);
        assert_eq!(drawn.matches("class=\"marked\"").count(), 1);
        assert_eq!(drawn.matches("class=\"static\"").count(), 1);
        assert_eq!(drawn.matches("marker-end").count(), 1);
    }
}
