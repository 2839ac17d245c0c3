//! The C front end: translation units to typed C.
//!
//! In: preprocessed C with line markers, one text a unit. Out: a [`cast::Program`] in which every expression has its type
//! and every conversion that C makes is a node, and all findings. Declarations keep their text, so that printing the
//! program gives C that means the same. Why libclang: it knows types, layouts and constants exactly. What it does not
//! say is recovered from the text (`docs/ir/cast.md`). Source: C11 (ISO 9899:2011), GNU C's manual.

mod assertions;
mod bodies;
mod check;
mod clang;
mod declarations;
mod designators;
mod dialect;
mod errors;
mod expressions;
mod generic;
mod groups;
mod headers;
mod importer;
mod initializers;
mod lex;
mod link;
mod literals;
mod merge;
mod pragmas;
mod same;
mod statements;
mod symbols;
mod tags;
mod text;
mod types;
mod unexposed;
mod unit;
mod walk;

pub use assertions::layout_assertions;
use cast::{Program, Target, TypeTable};
use source::{Diagnostic, Limit, Limits, SourceMap, Span};

use clang::{Finding, Loading, TranslationUnit};
use importer::Question;
use text::Text;

/// A translation unit to read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// The file that was preprocessed, as the command named it.
    pub path: String,
    /// What the preprocessor made of it, line markers included.
    pub text: String,
    /// What the compiler is given beside, `-std=gnu99` or `-m32`; flags that do not change what C means may be among them.
    pub flags: Vec<String>,
}

/// Preprocessed C as text, whatever its encoding: what is no UTF-8 becomes octal escapes, which mean the same in literals,
/// where alone it matters.
pub fn text_of(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("\\{byte:03o}")));
    }
    text
}

/// The file that libclang is loaded from, and its version in its own words; or why it cannot be used.
pub fn library() -> Result<(String, String), String> {
    clang::describe()
}

/// What the importer's own recursion may take, which goes as deep as the C does.
const STACK: usize = 256 << 20;

/// Reads translation units and links them to one program. The texts become files of `sources`, in order.
pub fn import(units: &[Input], sources: &mut SourceMap) -> (Program, Vec<Diagnostic>) {
    import_within(units, sources, &Limits::default())
}

/// The same, of units that may ask for so much.
pub fn import_within(units: &[Input], sources: &mut SourceMap, limits: &Limits) -> (Program, Vec<Diagnostic>) {
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(STACK);
        match worker.spawn_scoped(scope, || import_here(units, sources, limits)) {
            Ok(running) => running.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(problem) => (Program::default(), vec![errors::no_library(&problem.to_string())]),
        }
    })
}

fn import_here(units: &[Input], sources: &mut SourceMap, limits: &Limits) -> (Program, Vec<Diagnostic>) {
    let mut findings = Vec::new();
    match clang::load() {
        Loading::Failed(reason) => return (Program::default(), vec![errors::no_library(&reason)]),
        Loading::TooOld(path) => {
            return (Program::default(), vec![errors::no_library(&format!("{path} is older than version 14"))]);
        }
        Loading::Done => {}
    }
    let mut imported = Vec::new();
    for input in units {
        let file = sources.add_preprocessed(input.path.as_str(), input.text.as_str());
        // clang makes all elements that a designator skips.
        if let Some(at) = designators::beyond(&input.text, limits.get(Limit::Memory)) {
            let at = Span::new(file, at.start, at.end);
            findings.push(limits.exceeded(Limit::Memory, Some(at)));
            continue;
        }
        // Types are walked recursively.
        if let Some(at) = designators::deep_pointer(&input.text, limits.size(Limit::Nesting)) {
            findings.push(limits.exceeded(Limit::Nesting, Some(Span::new(file, at.start, at.end))));
            continue;
        }
        let text = Text::new(file, input.text.clone());
        let arguments = arguments(&input.flags);
        let Some(Parsed { unit: parsed, mut text, content, errors }) = parse(text, &arguments) else {
            findings.push(errors::not_parsed(&input.path));
            continue;
        };
        let question = Question { content: &content, arguments: &arguments, errors: errors.len(), limits };
        for finding in errors {
            let at = finding.offset.map(|offset| text.span(&(offset..offset)));
            findings.push(errors::refused(at, &finding.message));
        }
        let tags = tags::name_records(&mut text);
        let types = TypeTable { target: target(&parsed, &input.flags), ..TypeTable::default() };
        imported.push(unit::read(&input.path, &text, question, tags, types, parsed.cursor()));
    }
    let is_refused = !findings.is_empty();
    let (program, found) = link::link(imported);
    findings.extend(found);
    findings.extend(check::check(&program));
    if is_refused {
        // What was not understood looks odd elsewhere, too.
        findings.retain(Diagnostic::is_error);
    }
    (program, findings)
}

/// A unit as clang has read it, and what it finds wrong.
struct Parsed {
    unit: TranslationUnit,
    text: Text,
    content: String,
    errors: Vec<Finding>,
}

/// Has clang read a text; once more without the functions of system headers that it finds fault with.
fn parse(text: Text, arguments: &[String]) -> Option<Parsed> {
    let read = |text: Text| {
        let content = dialect::for_clang(&text);
        let unit = TranslationUnit::parse(&content, arguments)?;
        let errors = unit.findings().into_iter().filter(|finding| finding.is_error).collect();
        Some(Parsed { unit, text, content, errors })
    };
    let parsed = read(text)?;
    let faults = parsed.errors.iter().filter_map(|finding| finding.offset);
    match bodies::without(&parsed.text, faults) {
        Some(shorter) => read(Text::new(parsed.text.file, shorter)),
        None => Some(parsed),
    }
}

/// clang's command line. What compilers only warn about is no matter here, whichever of them warns; of the user's flags
/// those count that change what C means.
fn arguments(flags: &[String]) -> Vec<String> {
    const WHOLE: [&str; 13] = [
        "-ansi",
        "-m32",
        "-m64",
        "-mx32",
        "-funsigned-char",
        "-fsigned-char",
        "-fshort-enums",
        "-fno-short-enums",
        "-fshort-wchar",
        "-fms-extensions",
        "-fgnu89-inline",
        "-ffreestanding",
        "-fno-builtin",
    ];
    const BEGINNINGS: [&str; 4] = ["-std=", "--target=", "-fpack-struct", "-mlong-double-"];
    let counts = |flag: &&String| {
        WHOLE.contains(&flag.as_str()) || BEGINNINGS.iter().any(|beginning| flag.starts_with(beginning))
    };
    let fixed = ["-x", "cpp-output", "-std=gnu17", "-Wno-everything", "-ferror-limit=0"];
    fixed.into_iter().map(str::to_owned).chain(flags.iter().filter(counts).cloned()).collect()
}

/// What the machine says of C's own types.
fn target(parsed: &TranslationUnit, _flags: &[String]) -> Target {
    let (triple, pointer_bits) = parsed.target();
    let pointer = u8::try_from(pointer_bits / 8).unwrap_or(8);
    let machine = triple.split('-').next().unwrap_or("");
    let big = ["s390x", "powerpc", "powerpc64", "mips", "mips64", "sparc", "sparcv9", "armeb", "aarch64_be"];
    let char_signed = !["arm", "aarch64", "s390x", "powerpc", "riscv"].iter().any(|start| machine.starts_with(start));
    Target { little_endian: !big.contains(&machine), pointer, long: pointer, char_signed }
}

#[cfg(test)]
mod tests {
    use super::text_of;

    #[test]
    fn bytes_that_are_no_utf8_become_escapes() {
        assert_eq!(text_of(b"\"\xffA\xc3\xa9\""), "\"\\377Aé\"");
    }
}
