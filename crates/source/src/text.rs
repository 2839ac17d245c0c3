//! A text and where its lines start.

use std::ops::Range;

/// Text with a line index. Offsets are bytes; lines are counted from 0 in here, from 1 wherever people see them.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub(crate) content: String,
    line_starts: Vec<usize>,
}

impl Text {
    pub(crate) fn new(mut content: String) -> Self {
        // Spans hold 32 bits. What lies beyond is dropped, which no interface file will ever notice.
        if u32::try_from(content.len()).is_err() {
            content.truncate(floor_boundary(&content, u32::MAX as usize));
        }
        let mut line_starts = vec![0];
        line_starts.extend(content.bytes().enumerate().filter(|&(_, byte)| byte == b'\n').map(|(at, _)| at + 1));
        Text { content, line_starts }
    }

    /// The line that holds `offset`.
    pub(crate) fn line_at(&self, offset: usize) -> usize {
        self.line_starts.partition_point(|&start| start <= offset).saturating_sub(1)
    }

    /// The bytes of a line without its end, or `None` past the last line.
    pub(crate) fn line_range(&self, line: usize) -> Option<Range<usize>> {
        let start = *self.line_starts.get(line)?;
        let end = self.line_starts.get(line + 1).map_or(self.content.len(), |next| next - 1);
        let end = if self.content[start..end].ends_with('\r') { end - 1 } else { end };
        Some(start..end)
    }

    /// `offset`, or the nearest place before it that is inside the text and between two characters.
    pub(crate) fn floor(&self, offset: u32) -> usize {
        floor_boundary(&self.content, offset as usize)
    }

    /// How many bytes behind `start` are whole characters, of `most` at most.
    pub(crate) fn beginning(&self, start: usize, most: usize) -> usize {
        floor_boundary(&self.content, start + most) - start
    }

    /// The column of `offset`, counted in characters from 1.
    pub(crate) fn column_at(&self, offset: usize) -> usize {
        let start = self.line_starts[self.line_at(offset)];
        self.content[start..offset].chars().count() + 1
    }
}

pub(crate) fn floor_boundary(content: &str, offset: usize) -> usize {
    let mut offset = offset.min(content.len());
    while !content.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::Text;

    #[test]
    fn lines_end_at_either_kind_of_line_end() {
        let text = Text::new("ab\r\nc\n".to_owned());
        assert_eq!(text.line_range(0), Some(0..2));
        assert_eq!(text.line_range(1), Some(4..5));
        assert_eq!(text.line_range(2), Some(6..6));
        assert_eq!(text.line_range(3), None);
        assert_eq!(text.line_at(4), 1);
        assert_eq!(text.floor(99), 6);
    }

    #[test]
    fn columns_count_characters() {
        let text = Text::new("x\né漢x".to_owned());
        assert_eq!(text.column_at(text.floor(7)), 3);
        assert_eq!(text.floor(3), 2, "inside a character means before it");
    }
}
