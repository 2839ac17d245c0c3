//! The line markers of a C preprocessor: `# 12 "file.x" 1` says that the next line is line 12 of `file.x`.

use crate::text::Text;

/// Where the lines of a preprocessed text come from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Markers {
    /// In order of `line`.
    markers: Vec<Marker>,
}

#[derive(Clone, Debug)]
struct Marker {
    /// The first line that the marker speaks of, counted from 0 in the preprocessed text.
    line: usize,
    name: String,
    /// That line's number in `name`, counted from 1.
    original_line: usize,
}

impl Markers {
    pub(crate) fn of(text: &Text) -> Self {
        let mut markers = Vec::new();
        for (line, content) in text.content.split('\n').enumerate() {
            if let Some((original_line, name)) = parse_marker(content) {
                markers.push(Marker { line: line + 1, name, original_line });
            }
        }
        Markers { markers }
    }

    /// The file and the line, counted from 1, that a line of the preprocessed text comes from; `None` before the
    /// first marker.
    pub(crate) fn original(&self, line: usize) -> Option<(&str, usize)> {
        let marker = &self.markers[self.markers.partition_point(|marker| marker.line <= line).checked_sub(1)?];
        Some((&marker.name, marker.original_line + (line - marker.line)))
    }

    /// The file that the preprocessor was started on: the first one it names.
    pub(crate) fn main(&self) -> Option<&str> {
        self.markers.first().map(|marker| marker.name.as_str())
    }

    /// Every name, once each time a marker says it.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.markers.iter().map(|marker| marker.name.as_str())
    }
}

/// The number and the file of a line marker, also of one spelled `#line`.
fn parse_marker(line: &str) -> Option<(usize, String)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let digits = rest.len() - rest.trim_start_matches(|character: char| character.is_ascii_digit()).len();
    let number = rest[..digits].parse().ok()?;
    // A number near the limit is nonsense; adding to it must still not overflow.
    let number = std::cmp::min(number, u32::MAX as usize);
    Some((number, unquote(rest[digits..].trim_start().strip_prefix('"')?)?))
}

/// The text up to the closing quote; the preprocessor writes `\\`, `\"` and octal escapes.
fn unquote(quoted: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = quoted.bytes().peekable();
    while let Some(byte) = rest.next() {
        match byte {
            b'"' => return Some(String::from_utf8_lossy(&bytes).into_owned()),
            b'\\' => {
                let mut code = None;
                while let Some(digit) = rest.next_if(|digit| code < Some(64) && matches!(digit, b'0'..=b'7')) {
                    code = Some(code.unwrap_or(0u16) * 8 + u16::from(digit - b'0'));
                }
                match code {
                    Some(code) => bytes.extend(u8::try_from(code)),
                    None => bytes.extend(rest.next()),
                }
            }
            _ => bytes.push(byte),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Markers, parse_marker};
    use crate::text::Text;

    #[test]
    fn every_spelling_of_a_marker_is_known() {
        assert_eq!(parse_marker("# 12 \"a.x\" 1 3"), Some((12, "a.x".to_owned())));
        assert_eq!(parse_marker("#line 7 \"b \\\"q\\\" \\303\\251\""), Some((7, "b \"q\" é".to_owned())));
        assert_eq!(parse_marker("#pragma once"), None);
        assert_eq!(parse_marker("# 12"), None);
        assert_eq!(parse_marker("# 12 \"open"), None);
    }

    #[test]
    fn lines_lead_back_to_their_files() {
        let text = "# 1 \"main.x\"\na\n# 1 \"in.x\" 1\nb\nc\n# 3 \"main.x\" 2\nd".to_owned();
        let markers = Markers::of(&Text::new(text));
        assert_eq!(markers.original(0), None);
        assert_eq!(markers.original(1), Some(("main.x", 1)));
        assert_eq!(markers.original(4), Some(("in.x", 2)));
        assert_eq!(markers.original(6), Some(("main.x", 3)));
        assert_eq!(markers.main(), Some("main.x"));
    }
}
