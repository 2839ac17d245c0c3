//! The files of a compilation, and the way from a span to a place that a person can look up.

use crate::alignment::align;
use crate::markers::Markers;
use crate::text::Text;
use crate::{FileId, Span};
use std::collections::BTreeMap;
use std::ops::Range;

/// All text of a compilation.
///
/// A front end reads a file that was added with [`SourceMap::add`], or with [`SourceMap::add_preprocessed`] where
/// the text went through a C preprocessor (`cpp -C`). Spans are offsets in exactly that text. For preprocessed text,
/// [`SourceMap::add_original`] gives what the named files themselves say, so that diagnostics can show it.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
    originals: BTreeMap<String, Text>,
}

#[derive(Clone, Debug)]
struct SourceFile {
    name: String,
    text: Text,
    /// Of preprocessed files only.
    markers: Option<Markers>,
}

/// A place as people name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'a> {
    pub file: &'a str,
    /// Counted from 1.
    pub line: usize,
    /// In characters, counted from 1; absent where a macro hides the place within its line.
    pub column: Option<usize>,
}

/// Where a span lies in the text that people know.
pub(crate) struct Resolved<'a> {
    pub(crate) file: &'a str,
    /// Counted from 1, in `file`.
    pub(crate) line: usize,
    /// The text of `file`; of the preprocessed file where that is unknown.
    pub(crate) text: &'a Text,
    /// The line in `text`, counted from 0.
    pub(crate) line_in_text: usize,
    /// The bytes of `text`, where they are certain.
    pub(crate) range: Option<Range<usize>>,
    /// What the preprocessor made of the line, where that hides the place.
    pub(crate) expanded: Option<&'a str>,
}

impl Resolved<'_> {
    pub(crate) fn column(&self) -> Option<usize> {
        self.range.as_ref().map(|range| self.text.column_at(range.start))
    }
}

/// In lines of more bytes no column is looked for: it takes time in proportion to the line, for each finding in it.
const LONGEST_LINE: usize = 1 << 14;

impl SourceMap {
    /// No files yet.
    pub fn new() -> Self {
        SourceMap::default()
    }

    /// Adds a file as it stands on disk.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        self.push(name.into(), Text::new(text.into()), false)
    }

    /// Adds what a C preprocessor made of the file `name`, line markers and all.
    pub fn add_preprocessed(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        self.push(name.into(), Text::new(text.into()), true)
    }

    /// Says what the file `name` of a line marker holds itself.
    pub fn add_original(&mut self, name: impl Into<String>, text: impl Into<String>) {
        self.originals.insert(name.into(), Text::new(text.into()));
    }

    fn push(&mut self, name: String, text: Text, preprocessed: bool) -> FileId {
        let markers = preprocessed.then(|| Markers::of(&text));
        let id = FileId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        self.files.push(SourceFile { name, text, markers });
        id
    }

    fn file(&self, file: FileId) -> Option<&SourceFile> {
        self.files.get(file.0 as usize)
    }

    /// The name a file was added with; empty for an unknown file.
    pub fn name(&self, file: FileId) -> &str {
        self.file(file).map_or("", |file| &file.name)
    }

    /// The text that spans of `file` refer to; empty for an unknown file.
    pub fn text(&self, file: FileId) -> &str {
        self.file(file).map_or("", |file| &file.text.content)
    }

    /// What `span` covers.
    pub fn slice(&self, span: Span) -> &str {
        let Some(file) = self.file(span.file) else { return "" };
        let (start, end) = (file.text.floor(span.start), file.text.floor(span.end));
        file.text.content.get(start..end).unwrap_or("")
    }

    /// The files that the line markers of `file` name, each once, in order of their names. Those whose text a
    /// diagnostic may need are worth giving to [`SourceMap::add_original`].
    pub fn marked_files(&self, file: FileId) -> Vec<&str> {
        let markers = self.file(file).and_then(|file| file.markers.as_ref());
        let mut names: Vec<&str> = markers.into_iter().flat_map(Markers::names).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The file, as its line marker names it, that `span` was included from; `None` where it stands in the file the
    /// user named.
    pub fn included_file(&self, span: Span) -> Option<&str> {
        let file = self.file(span.file)?;
        let markers = file.markers.as_ref()?;
        let (name, _) = markers.original(file.text.line_at(file.text.floor(span.start)))?;
        let is_main = name == file.name || Some(name) == markers.main();
        (!is_main).then_some(name)
    }

    /// Where `span` starts, as people name it; `None` for an unknown file.
    pub fn place(&self, span: Span) -> Option<Place<'_>> {
        let resolved = self.resolve(span)?;
        Some(Place { file: resolved.file, line: resolved.line, column: resolved.column() })
    }

    /// The line that `span` starts on as its own file has it: before preprocessing, where that is known.
    pub fn original_line(&self, span: Span) -> Option<&str> {
        let resolved = self.resolve(span)?;
        let line = resolved.text.line_range(resolved.line_in_text)?;
        Some(&resolved.text.content[line])
    }

    pub(crate) fn resolve(&self, span: Span) -> Option<Resolved<'_>> {
        let file = self.file(span.file)?;
        let text = &file.text;
        let start = text.floor(span.start);
        let range = start..text.floor(span.end).max(start);
        let line = text.line_at(start);
        let place = file.markers.as_ref().and_then(|markers| markers.original(line));
        let Some((name, original_line)) = place else {
            let (file, range) = (&file.name, Some(range));
            return Some(Resolved { file, line: line + 1, text, line_in_text: line, range, expanded: None });
        };
        let line_in_original = original_line.saturating_sub(1);
        let known = self.originals.get(name).filter(|original| original.line_range(line_in_original).is_some());
        let Some(original) = known else {
            let (line_in_text, expanded) = (line, None);
            return Some(Resolved { file: name, line: original_line, text, line_in_text, range: None, expanded });
        };
        let range = self.original_range(file, original, range);
        let hidden = if range.is_none() { text.line_range(line) } else { None };
        let expanded = hidden.map(|line| &text.content[line]);
        let (line, text, line_in_text) = (original_line, original, line_in_original);
        Some(Resolved { file: name, line, text, line_in_text, range, expanded })
    }

    /// Where `range` of a preprocessed file lies in the file it comes from, if that is certain.
    fn original_range(&self, file: &SourceFile, original: &Text, range: Range<usize>) -> Option<Range<usize>> {
        let first = self.original_part(file, original, range.start, Some(range.end))?;
        if file.text.line_at(range.end) == file.text.line_at(range.start) {
            return Some(first);
        }
        // Over several lines: the end is looked up on its own line, and the first line will do if that fails.
        let last = self.original_part(file, original, range.end, None);
        Some(first.start..last.map_or(first.end, |last| last.start.max(first.end)))
    }

    /// Aligns the part of `start..end` on the line of `start`.
    fn original_part(
        &self,
        file: &SourceFile,
        original: &Text,
        start: usize,
        end: Option<usize>,
    ) -> Option<Range<usize>> {
        let line = file.text.line_at(start);
        let line_range = file.text.line_range(line)?;
        let (_, original_line) = file.markers.as_ref()?.original(line)?;
        let original_range = original.line_range(original_line.checked_sub(1)?)?;
        if line_range.len().max(original_range.len()) > LONGEST_LINE {
            return None;
        }
        let within = start.min(line_range.end)..end.unwrap_or(start).min(line_range.end);
        let found = align(
            &original.content[original_range.clone()],
            &file.text.content[line_range.clone()],
            within.start - line_range.start..within.end.max(within.start) - line_range.start,
        )?;
        Some(original_range.start + found.start..original_range.start + found.end)
    }
}

#[cfg(test)]
mod tests {
    use super::{Place, SourceMap};
    use crate::{FileId, Span};

    fn span_of(map: &SourceMap, file: FileId, needle: &str) -> Span {
        let start = map.text(file).find(needle).unwrap();
        Span::new(file, start as u32, (start + needle.len()) as u32)
    }

    #[test]
    fn a_plain_file_gives_line_and_column() {
        let mut map = SourceMap::new();
        let file = map.add("a.x", "int a;\n  int b;\n");
        assert_eq!(map.place(span_of(&map, file, "b")), Some(Place { file: "a.x", line: 2, column: Some(7) }));
        assert_eq!(map.included_file(span_of(&map, file, "b")), None);
        assert_eq!(map.slice(span_of(&map, file, "b;")), "b;");
        assert_eq!(map.place(Span::new(FileId(9), 0, 0)), None);
    }

    #[test]
    fn a_preprocessed_file_leads_back_through_its_markers() {
        let mut map = SourceMap::new();
        let text = "# 0 \"a.x\"\n# 1 \"a.x\"\nint a;\n# 1 \"b.x\" 1\nint b<10> c;\n# 3 \"a.x\" 2\nint d;\n";
        let file = map.add_preprocessed("a.x", text);
        map.add_original("b.x", "int   b<MAX>   c;\n");
        assert_eq!(map.place(span_of(&map, file, "a;")), Some(Place { file: "a.x", line: 1, column: None }));
        assert_eq!(map.place(span_of(&map, file, "c")), Some(Place { file: "b.x", line: 1, column: Some(16) }));
        assert_eq!(map.place(span_of(&map, file, "10")), Some(Place { file: "b.x", line: 1, column: None }));
        assert_eq!(map.included_file(span_of(&map, file, "c")), Some("b.x"));
        assert_eq!(map.included_file(span_of(&map, file, "d;")), None);
        assert_eq!(map.marked_files(file), ["a.x", "b.x"]);
    }

    #[test]
    fn spans_outside_the_text_are_harmless() {
        let mut map = SourceMap::new();
        let file = map.add_preprocessed("a.x", "# 9 \"a.x\"");
        map.add_original("a.x", "");
        assert!(map.place(Span::new(file, 500, 7)).is_some());
        assert_eq!(map.slice(Span::new(file, 500, 7)), "");
    }
}
