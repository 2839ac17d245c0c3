//! Lines of source with marks.

use core_c::names::plain;
use core_c::{Expression, ExpressionKind, Function, FunctionId, Program};
use source::{SourceMap, Span};
use specialize::{Construct, Count, Trace, Value, Why};

use super::Colour;
use crate::{Place, expressions, span};

/// A function as text with marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionListing {
    pub function: FunctionId,
    pub name: String,
    /// The file, as line markers name it.
    pub file: String,
    /// How often its first construct was carried out or left: once for each call that was unfolded or made apart.
    pub calls: usize,
    pub lines: Vec<Line>,
}

impl FunctionListing {
    /// Its name, and how often control came there.
    pub fn title(&self) -> String {
        format!("{}, {}", self.name, self.times())
    }

    pub(super) fn times(&self) -> String {
        match self.calls {
            1 => "gone through once".to_owned(),
            calls => format!("gone through {calls} times"),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// In the file that the text comes from, counted from 1.
    pub number: usize,
    pub text: String,
    /// Apart from each other, in order; they cover what is code.
    pub marks: Vec<Mark>,
}

/// A piece of a line, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    pub start: usize,
    pub end: usize,
    pub colour: Colour,
    /// Why it is dynamic, one step a line.
    pub why: Option<String>,
}

/// The functions that were gone through, as text with marks.
pub fn listing(program: &Program, trace: &Trace, sources: &SourceMap) -> Vec<FunctionListing> {
    let mut functions = Vec::new();
    for (id, constructs) in &trace.functions {
        let function = &program.functions[*id];
        let Some(span) = function.span else { continue };
        let first = constructs.first_key_value().map_or(Count::default(), |(_, first)| first.count);
        functions.push(FunctionListing {
            function: *id,
            name: plain(&function.name).to_owned(),
            file: sources.place(span).map_or("", |place| place.file).to_owned(),
            calls: first.computed + first.left,
            lines: lines(program, trace, sources, (*id, whole(function, span))),
        });
    }
    functions
}

/// The function's text: what its own span covers and all its code.
fn whole(function: &Function, span: Span) -> Span {
    let blocks = function.blocks.values();
    let spans =
        blocks.flat_map(|block| block.statements.iter().filter_map(|statement| statement.span).chain(block.span));
    spans.filter(|other| other.file == span.file && other.start >= span.start).fold(span, Span::to)
}

fn lines(program: &Program, trace: &Trace, sources: &SourceMap, (function, span): (FunctionId, Span)) -> Vec<Line> {
    let text = sources.text(span.file);
    let start = text[..floor(text, span.start)].rfind('\n').map_or(0, |at| at + 1);
    let end = floor(text, span.end);
    let end = text[end..].find('\n').map_or(text.len(), |at| end + at);
    let paint = paint(program, trace, function, Span::new(span.file, offset(start), offset(end)));
    let mut lines = Vec::new();
    let mut at = start;
    for line in text[start..end].split('\n') {
        let place = sources.place(Span::new(span.file, offset(at), offset(at)));
        if !line.starts_with("# ") && !line.trim().is_empty() {
            let marks = marks(line, &paint[at - start..at - start + line.len()]);
            lines.push(Line { number: place.map_or(0, |place| place.line), text: line.to_owned(), marks });
        }
        at += line.len() + 1;
    }
    lines
}

/// A byte offset that is the start of a character.
fn floor(text: &str, offset: u32) -> usize {
    let mut at = (offset as usize).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// What became of a byte of the text, and why.
type Painted<'t> = Option<(Colour, Option<&'t Why>)>;

/// Outer constructs first, so that inner ones show.
fn paint<'t>(program: &Program, trace: &'t Trace, function: FunctionId, span: Span) -> Vec<Painted<'t>> {
    let mut paint: Vec<Painted<'t>> = vec![None; (span.end - span.start) as usize];
    let mut spots: Vec<(Span, Colour, Option<&Why>)> = Vec::new();
    for (block, data) in program.functions[function].blocks.iter() {
        for at in 0..=data.statements.len() {
            let construct = trace.functions.get(&function).and_then(|constructs| constructs.get(&(block, at)));
            spots.extend(spots_of(program, (function, block, at), construct));
        }
    }
    spots.retain(|(spot, ..)| spot.file == span.file && spot.start >= span.start && spot.end <= span.end);
    // Of what has one place, the last wins: what is reached over what is not, and what is left over what is computed.
    spots.sort_by_key(|(spot, colour, _)| (std::cmp::Reverse(spot.end - spot.start), *colour));
    for (spot, colour, why) in spots {
        for byte in &mut paint[(spot.start - span.start) as usize..(spot.end - span.start) as usize] {
            *byte = Some((colour, why));
        }
    }
    paint
}

fn spots_of<'t>(
    program: &Program,
    place: Place,
    construct: Option<&'t Construct>,
) -> Vec<(Span, Colour, Option<&'t Why>)> {
    let Some(construct) = construct else {
        return span(program, place).map(|span| (span, Colour::Unreached, None)).into_iter().collect();
    };
    let mut spots = Vec::new();
    let first = || construct.values.iter().rev().flatten().find_map(|value| value.why.as_ref());
    if let Some(span) = span(program, place) {
        let colour = colour(construct.count, 0);
        spots.push((span, colour, (colour == Colour::Left).then(first).flatten()));
    }
    let mut values = construct.values.iter();
    for expression in expressions(program, place) {
        expression.walk(&mut |part| {
            let value = values.next().and_then(Option::as_ref);
            // Constants take the colour of what they stand in.
            if let (Some(span), Some(value)) = (part.span.filter(|_| !is_constant(part)), value) {
                spots.push((span, colour_of(value), value.why.as_ref()));
            }
        });
    }
    spots
}

fn colour_of(value: &Value) -> Colour {
    colour(value.count, value.places)
}

fn colour(count: Count, places: usize) -> Colour {
    match (count.computed, count.left) {
        (0, 1..) => Colour::Left,
        (_, 1..) => Colour::Both,
        _ if places > 0 => Colour::Both,
        _ => Colour::Computed,
    }
}

fn is_constant(expression: &Expression) -> bool {
    matches!(
        expression.kind,
        ExpressionKind::Integer(_) | ExpressionKind::Float(_) | ExpressionKind::Function(_) | ExpressionKind::Label(_)
    )
}

/// The marks of a line: runs of bytes of which the same is known.
fn marks(line: &str, paint: &[Painted<'_>]) -> Vec<Mark> {
    let mut marks: Vec<(usize, usize, Colour, Option<&Why>)> = Vec::new();
    for (at, painted) in paint.iter().enumerate().filter(|(at, _)| line.is_char_boundary(*at)) {
        let Some((colour, why)) = painted else { continue };
        let end = (at + 1..=line.len()).find(|end| line.is_char_boundary(*end)).unwrap_or(line.len());
        match marks.last_mut() {
            Some(last) if last.1 == at && last.2 == *colour && last.3 == *why => last.1 = end,
            _ => marks.push((at, end, *colour, *why)),
        }
    }
    let text = |why: &Why| {
        let lines = why.lines().into_iter().map(|(_, text)| text);
        lines.chain(why.help().map(|help| format!("help: {help}"))).collect::<Vec<_>>().join("\n")
    };
    marks.into_iter().map(|(start, end, colour, why)| Mark { start, end, colour, why: why.map(text) }).collect()
}
