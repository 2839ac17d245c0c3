//! Lines, indentation, and the folding of long lines.

/// The column that folded lines stay under where they can.
const WIDTH: usize = 110;

/// What a line has at least, however deep it stands.
const LEAST: usize = 40;

/// Collects lines.
#[derive(Default)]
pub(super) struct Writer {
    out: String,
    depth: usize,
    /// Heads of functions are written as rpcgen writes them.
    pub(super) heads_as_rpcgen: bool,
}

impl Writer {
    pub(super) fn as_rpcgen() -> Writer {
        Writer { heads_as_rpcgen: true, ..Writer::default() }
    }

    pub(super) fn finish(self) -> String {
        self.out
    }

    pub(super) fn indent(&mut self) {
        self.depth += 1;
    }

    pub(super) fn outdent(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// A line at the present depth, folded after commas and before operators where it is long.
    ///
    /// Text of several lines, which holds a block, is indented as a whole; pragmas in it stay at column 0.
    pub(super) fn line(&mut self, text: &str) {
        for line in text.split('\n') {
            if line.starts_with('#') { self.raw(line) } else { self.folded(line) }
        }
    }

    fn folded(&mut self, text: &str) {
        let indent = "    ".repeat(self.depth);
        let mut rest = text;
        let mut prefix = indent.clone();
        while prefix.len() + rest.chars().count() > WIDTH {
            let Some(at) = fold_point(rest, WIDTH.saturating_sub(prefix.len()).max(LEAST)) else { break };
            self.out.push_str(&prefix);
            self.out.push_str(rest[..at].trim_end());
            self.out.push('\n');
            rest = rest[at..].trim_start();
            prefix = format!("{indent}    ");
        }
        self.out.push_str(&prefix);
        self.out.push_str(rest);
        self.out.push('\n');
    }

    /// A line that must stand as it is, at column 0.
    pub(super) fn raw(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// A line one level to the left: labels of `switch` and `goto`.
    pub(super) fn label(&mut self, text: &str) {
        let depth = self.depth;
        self.outdent();
        self.line(text);
        self.depth = depth;
    }

    pub(super) fn blank(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }
}

/// Where to fold `text` so that its first part has at most `room` columns: at the last place of the least nesting.
fn fold_point(text: &str, room: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut depth, mut quote, mut best): (usize, Option<u8>, Option<(usize, usize)>) = (0, None, None);
    let mut at = 0;
    while at < bytes.len().min(room) {
        let byte = bytes[at];
        match quote {
            Some(_) if byte == b'\\' => at += 1,
            Some(open) if byte == open => quote = None,
            Some(_) => {}
            None => match byte {
                b'"' | b'\'' => quote = Some(byte),
                b'(' | b'{' | b'[' => depth += 1,
                b')' | b'}' | b']' => depth = depth.saturating_sub(1),
                _ => {
                    let after_comma = byte == b' ' && at > 0 && bytes[at - 1] == b',';
                    let before_operator =
                        byte == b' ' && [" && ", " || ", " ? ", " | "].iter().any(|op| text[at..].starts_with(op));
                    if at > 0 && (after_comma || before_operator) && best.is_none_or(|(_, least)| depth <= least) {
                        best = Some((at + 1, depth));
                    }
                }
            },
        }
        at += 1;
    }
    best.map(|(at, _)| at).filter(|at| *at < text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_stands_deep_is_folded_all_the_same() {
        let mut writer = Writer { depth: 40, ..Writer::default() };
        writer.line("call(first_argument_of_some_length, second_argument_of_some_length, third_argument);");
        assert_eq!(writer.finish().lines().count(), 3);
    }
}
