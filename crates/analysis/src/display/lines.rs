//! Lines of source with marks.

use core_c::{Function, FunctionId, LocalKind, Program};
use source::{SourceMap, Span};

use crate::actions::is_plain;
use crate::lattice::BindingTime;
use crate::object::{StatementId, plain};
use crate::tables::Analysis;
use crate::uses::Uses;
use crate::variant::VariantId;

use super::Colour;

/// A function in all its variants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionListing {
    pub function: FunctionId,
    pub name: String,
    /// The file, as line markers name it.
    pub file: String,
    pub variants: Vec<VariantListing>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantListing {
    pub variant: VariantId,
    /// How it is called: its parameters, each with when it is known.
    pub title: String,
    /// As many states that it is called in are alike.
    pub states: usize,
    pub lines: Vec<Line>,
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

/// The functions that were looked into, as text with marks.
pub fn listing(program: &Program, analysis: &Analysis, sources: &SourceMap) -> Vec<FunctionListing> {
    let mut functions = Vec::new();
    for id in analysis.functions() {
        let function = &program.functions[id];
        let Some(span) = function.span else { continue };
        let variants = analysis.variants_of(id).map(|variant| VariantListing {
            variant,
            title: title(analysis, variant, function),
            states: analysis.variants[&variant].states,
            lines: lines(program, analysis, sources, variant, whole(function, span)),
        });
        functions.push(FunctionListing {
            function: id,
            name: plain(&function.name).to_owned(),
            file: sources.place(span).map_or("", |place| place.file).to_owned(),
            variants: variants.collect(),
        });
    }
    functions
}

/// How a variant is called.
fn title(analysis: &Analysis, variant: VariantId, function: &Function) -> String {
    let parameters = function.parameters.iter().enumerate().map(|(position, parameter)| {
        let local = &function.locals[*parameter];
        let time = match analysis.parameter_time(variant, position) {
            _ if local.kind == LocalKind::Memory => "in memory",
            Some(BindingTime::Static) => "static",
            Some(BindingTime::Based) => "a known place",
            _ => "dynamic",
        };
        format!("{}: {time}", plain(&local.name))
    });
    parameters.collect::<Vec<_>>().join(", ")
}

/// The function's text: what its own span covers and all its code.
fn whole(function: &Function, span: Span) -> Span {
    let blocks = function.blocks.values();
    let spans =
        blocks.flat_map(|block| block.statements.iter().filter_map(|statement| statement.span).chain(block.span));
    spans.filter(|other| other.file == span.file && other.start >= span.start).fold(span, Span::to)
}

fn lines(program: &Program, analysis: &Analysis, sources: &SourceMap, variant: VariantId, span: Span) -> Vec<Line> {
    let text = sources.text(span.file);
    let start = text[..floor(text, span.start)].rfind('\n').map_or(0, |at| at + 1);
    let end = floor(text, span.end);
    let end = text[end..].find('\n').map_or(text.len(), |at| end + at);
    let paint = paint(program, analysis, variant, Span::new(span.file, offset(start), offset(end)));
    let mut lines = Vec::new();
    let mut at = start;
    for line in text[start..end].split('\n') {
        let place = sources.place(Span::new(span.file, offset(at), offset(at)));
        if !line.starts_with("# ") && !line.trim().is_empty() {
            let marks = marks(line, &paint[at - start..at - start + line.len()], analysis, program);
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

/// What is known of a byte of the text.
type Painted = Option<(Colour, Option<crate::CauseId>)>;

/// Outer constructs first, so that inner ones show.
fn paint(program: &Program, analysis: &Analysis, variant: VariantId, span: Span) -> Vec<Painted> {
    let mut paint: Vec<Painted> = vec![None; (span.end - span.start) as usize];
    let table = &analysis.variants[&variant];
    let function = &program.functions[table.function];
    let mut spots: Vec<(Span, Colour, Option<crate::CauseId>)> = Vec::new();
    for (block, data) in function.blocks.iter() {
        for index in 0..=data.statements.len() {
            let at = StatementId { function: table.function, block, index };
            spots.extend(spots_of(program, analysis, variant, at));
        }
    }
    spots.retain(|(spot, ..)| spot.file == span.file && spot.start >= span.start && spot.end <= span.end);
    // Of what has one place, the last wins: what is reached over what is not, and the later time over the earlier.
    spots.sort_by_key(|(spot, colour, _)| (std::cmp::Reverse(spot.end - spot.start), *colour));
    for (spot, colour, cause) in spots {
        for byte in &mut paint[(spot.start - span.start) as usize..(spot.end - span.start) as usize] {
            *byte = Some((colour, cause));
        }
    }
    paint
}

fn spots_of(
    program: &Program,
    analysis: &Analysis,
    variant: VariantId,
    at: StatementId,
) -> Vec<(Span, Colour, Option<crate::CauseId>)> {
    let block = &program.functions[at.function].blocks[at.block];
    let (span, expressions) = match block.statements.get(at.index) {
        Some(statement) => (statement.span, statement.kind.expressions()),
        None => (block.span, block.end.expressions()),
    };
    let Some(record) = analysis.record(variant, at) else {
        return span.map(|span| (span, Colour::Unreached, None)).into_iter().collect();
    };
    let mut spots = Vec::new();
    let cause = record.values.iter().rev().find(|value| value.is_dynamic()).and_then(|value| value.cause);
    if let Some(span) = span {
        let uses = analysis.uses(variant, at).unwrap_or_default();
        let effect = match (record.effect, record.remains) {
            (BindingTime::Dynamic, _) => Colour::Dynamic,
            (_, true) => Colour::Both,
            _ if uses.both() => Colour::Both,
            _ => Colour::Static,
        };
        spots.push((span, effect, cause.filter(|_| effect == Colour::Dynamic)));
    }
    let asked = analysis.uses.occurrences.get(&(variant, at));
    let mut number = 0;
    for expression in expressions {
        expression.walk(&mut |part| {
            // Constants take the colour of what they stand in.
            let uses = asked.and_then(|asked| asked.get(number)).copied().unwrap_or(Uses::STATIC);
            if let Some(span) = part.span.filter(|_| !is_plain(part)) {
                let value = &record.values[number];
                let colour = match value.time {
                    BindingTime::Dynamic => Colour::Dynamic,
                    _ if uses.both() => Colour::Both,
                    _ => Colour::Static,
                };
                spots.push((span, colour, value.cause.filter(|_| colour == Colour::Dynamic)));
            }
            number += 1;
        });
    }
    spots
}

/// The marks of a line: runs of bytes of which the same is known.
fn marks(line: &str, paint: &[Painted], analysis: &Analysis, program: &Program) -> Vec<Mark> {
    let mut marks: Vec<(usize, usize, Colour, Option<crate::CauseId>)> = Vec::new();
    for (at, painted) in paint.iter().enumerate().filter(|(at, _)| line.is_char_boundary(*at)) {
        let Some((colour, cause)) = painted else { continue };
        let end = (at + 1..=line.len()).find(|end| line.is_char_boundary(*end)).unwrap_or(line.len());
        match marks.last_mut() {
            Some(last) if last.1 == at && last.2 == *colour && last.3 == *cause => last.1 = end,
            _ => marks.push((at, end, *colour, *cause)),
        }
    }
    let why = |cause: crate::CauseId| {
        let blame = analysis.blame(program, cause);
        let steps = blame.steps.iter().map(|step| step.text.clone());
        steps.chain(blame.suggestion.map(|help| format!("help: {help}"))).collect::<Vec<_>>().join("\n")
    };
    marks.into_iter().map(|(start, end, colour, cause)| Mark { start, end, colour, why: cause.map(why) }).collect()
}
