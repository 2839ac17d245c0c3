//! What the XML parser says of text that is no XML, in our words and at our places.

use roxmltree::Error;
use source::{Diagnostic, FileId, Span};

use super::errors;

/// The finding for a parser's error.
pub(super) fn finding(text: &str, file: FileId, error: &Error) -> Diagnostic {
    let at = place(text, file, error);
    match error {
        Error::UnexpectedCloseTag(expected, found, _) => errors::wrong_closing_tag(at, expected, found),
        Error::UnclosedRootNode | Error::UnexpectedEndOfStream => errors::unclosed(end(text, file)),
        Error::NoRootNode => errors::no_element(Span::new(file, 0, 0)),
        Error::DuplicatedAttribute(name, _) => errors::attribute_twice(at, name),
        Error::UnknownEntityReference(name, _) => errors::unknown_entity(at, name),
        Error::MalformedEntityReference(_) => errors::unknown_entity(at, ""),
        Error::InvalidAttributeValue(_) | Error::InvalidChar(b'"' | b'\'', b'<', _) => errors::tag_in_attribute(at),
        Error::DtdDetected => errors::document_type(Span::new(file, 0, 0)),
        Error::NodesLimitReached | Error::AttributesLimitReached | Error::NamespacesLimitReached => {
            errors::too_large(Span::new(file, 0, 0), "1000000 elements, texts and comments")
        }
        Error::NonXmlChar(found, _) => {
            let help = format!("in an attribute, write `\\u{{{:x}}}`", u32::from(*found));
            errors::malformed(at, &what(error), Some(help))
        }
        other => errors::malformed(at, &what(other), None),
    }
}

fn what(error: &Error) -> String {
    let character = |byte: u8| char::from(byte).escape_default().to_string();
    match error {
        Error::UnknownNamespace(prefix, _) => format!("expected a declaration `xmlns:{prefix}` for this prefix"),
        Error::DuplicatedNamespace(..) => "expected one declaration of a namespace, found two".to_owned(),
        Error::UnexpectedDeclaration(_) => "expected `<?xml …?>` at the start of the file alone".to_owned(),
        Error::InvalidName(_) => "expected a name".to_owned(),
        Error::NonXmlChar(found, _) => {
            format!("expected a character that XML can hold, found `{}`", found.escape_default())
        }
        Error::InvalidChar(expected, found, _) => {
            format!("expected `{}`, found `{}`", character(*expected), character(*found))
        }
        Error::InvalidChar2(expected, found, _) => format!("expected {expected}, found `{}`", character(*found)),
        Error::InvalidString(expected, _) => format!("expected `{expected}`"),
        Error::InvalidComment(_) => "expected no `--` inside a comment".to_owned(),
        Error::InvalidCharacterData(_) => "expected `]]&gt;` for `]]>`".to_owned(),
        Error::UnknownToken(_) => "expected an element or a comment".to_owned(),
        _ => "expected another name for a prefix or a namespace".to_owned(),
    }
}

/// The parser counts rows and characters from 1; its finding without a place is at the start.
fn place(text: &str, file: FileId, error: &Error) -> Span {
    let position = error.pos();
    let row = usize::try_from(position.row).unwrap_or(1).max(1);
    let line_start: usize = text.split_inclusive('\n').take(row - 1).map(str::len).sum();
    let column = usize::try_from(position.col).unwrap_or(1).max(1);
    let line = &text[line_start..];
    let start = line_start + line.char_indices().nth(column - 1).map_or(line.len(), |(at, _)| at);
    let rest = &text[start..];
    let is_closing_tag = matches!(error, Error::UnexpectedCloseTag(..));
    let tag = is_closing_tag.then(|| rest.find('>').map(|end| end + 1)).flatten();
    let length = tag.unwrap_or_else(|| rest.chars().next().map_or(0, char::len_utf8));
    Span::new(file, offset(start), offset(start + length))
}

/// Behind the last character that is no blank.
fn end(text: &str, file: FileId) -> Span {
    let end = offset(text.trim_end().len());
    Span::new(file, end, end)
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
