//! Lines that begin with `#`: line markers, which say where an included file begins and ends, and pragmas that make
//! repository ids (CORBA 3.3 part 1, section 14.7.5). Other pragmas are other tools' business.

use crate::errors;
use source::{Diagnostic, Span};
use tokens::Token;

/// A line that means something, and its place.
#[derive(Clone, Debug)]
pub(crate) struct Pragma<'a> {
    pub(crate) kind: PragmaKind<'a>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PragmaKind<'a> {
    /// `#pragma prefix "text"`
    Prefix(&'a str),
    /// `#pragma ID name "text"`
    Id { target: &'a str, id: &'a str },
    /// `#pragma version name 1.2`
    Version { target: &'a str, version: &'a str },
    /// An included file begins.
    FileBegins,
    /// An included file is over.
    FileEnds,
}

/// The lines that mean something, in order; malformed ones, and directives that nobody carried out, are reported.
pub(crate) fn read<'a>(text: &'a str, directives: &[Token], findings: &mut Vec<Diagnostic>) -> Vec<Pragma<'a>> {
    let mut pragmas = Vec::new();
    for token in directives {
        let span = token.span;
        let line = text.get(span.start as usize + 1..span.end as usize).unwrap_or("").trim();
        let (word, rest) = cut(line);
        match word {
            "pragma" => match pragma(rest) {
                Ok(Some(kind)) => pragmas.push(Pragma { kind, span }),
                Ok(None) => {}
                Err(expected) => findings.push(errors::malformed_pragma(span, expected)),
            },
            "include" | "define" | "undef" | "if" | "ifdef" | "ifndef" | "elif" | "else" | "endif" => {
                findings.push(errors::directive_left_over(span, word));
            }
            _ => pragmas.extend(marker(line).map(|kind| Pragma { kind, span })),
        }
    }
    pragmas
}

/// What the flags behind the file of a line marker say.
fn marker<'a>(line: &str) -> Option<PragmaKind<'a>> {
    let (_, flags) = line.rsplit_once('"')?;
    let is_marker = line.starts_with(|first: char| first.is_ascii_digit());
    let mut flags = flags.split_whitespace().filter(|_| is_marker);
    match flags.next()? {
        "1" => Some(PragmaKind::FileBegins),
        "2" => Some(PragmaKind::FileEnds),
        _ => None,
    }
}

/// A pragma's meaning, if it has one for us; else what is expected.
fn pragma(rest: &str) -> Result<Option<PragmaKind<'_>>, &'static str> {
    let (word, rest) = cut(rest);
    match word {
        "prefix" => match quoted(rest) {
            Some(prefix) => Ok(Some(PragmaKind::Prefix(prefix))),
            None => Err("`#pragma prefix \"text\"`"),
        },
        "ID" => {
            let (target, rest) = cut(rest);
            match quoted(rest) {
                Some(id) if !target.is_empty() => Ok(Some(PragmaKind::Id { target, id })),
                _ => Err("`#pragma ID name \"id\"`"),
            }
        }
        "version" => {
            let (target, rest) = cut(rest);
            let (version, _) = cut(rest);
            let is_number = |part: &str| part.parse::<u16>().is_ok() && !part.starts_with('+');
            let is_version = version.split_once('.').is_some_and(|(major, minor)| is_number(major) && is_number(minor));
            match is_version && !target.is_empty() {
                true => Ok(Some(PragmaKind::Version { target, version })),
                false => Err("`#pragma version name 1.2`"),
            }
        }
        _ => Ok(None),
    }
}

/// The first word and what follows it.
fn cut(line: &str) -> (&str, &str) {
    let line = line.trim_start();
    let end = line.find(char::is_whitespace).unwrap_or(line.len());
    (&line[..end], line[end..].trim())
}

fn quoted(rest: &str) -> Option<&str> {
    let inner = rest.strip_prefix('"')?;
    let (text, behind) = inner.split_once('"')?;
    let is_over =
        behind.trim().is_empty() || behind.trim_start().starts_with("//") || behind.trim_start().starts_with("/*");
    is_over.then_some(text)
}

#[cfg(test)]
mod tests {
    use super::{PragmaKind, marker, pragma};

    #[test]
    fn pragmas_of_repository_ids_are_read() {
        assert_eq!(pragma("prefix \"omg.org\""), Ok(Some(PragmaKind::Prefix("omg.org"))));
        assert_eq!(pragma("prefix \"\" // none"), Ok(Some(PragmaKind::Prefix(""))));
        assert_eq!(pragma("ID A::B \"X:1\""), Ok(Some(PragmaKind::Id { target: "A::B", id: "X:1" })));
        assert_eq!(pragma("version A 2.4"), Ok(Some(PragmaKind::Version { target: "A", version: "2.4" })));
        assert_eq!(pragma("once"), Ok(None));
        for line in ["prefix omg.org", "ID A", "ID \"x\"", "version A 2", "version A +1.2", "prefix \"a\" b"] {
            assert!(pragma(line).is_err(), "{line}");
        }
    }

    #[test]
    fn markers_say_where_included_files_begin_and_end() {
        assert_eq!(marker("1 \"a.idl\" 1"), Some(PragmaKind::FileBegins));
        assert_eq!(marker("7 \"b.idl\" 2 3"), Some(PragmaKind::FileEnds));
        assert_eq!(marker("7 \"b.idl\""), None);
        assert_eq!(marker("ident \"b\" 1"), None);
    }
}
