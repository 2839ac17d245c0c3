//! A text as a C preprocessor sees it: tokens in lines, comments left out. In: a text. Out: its directives and what stands between
//! them, in one pass.

/// A name, a number, a literal or a mark, and where it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
}

impl Token<'_> {
    pub(super) fn is_name(&self) -> bool {
        self.text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
    }
}

/// A line that begins with `#`, or all lines up to the next such one.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part<'a> {
    /// Its words behind the `#`.
    Directive(Vec<Token<'a>>),
    Text(Vec<Token<'a>>),
}

/// The parts of a text.
pub(super) fn parts(text: &str) -> Vec<Part<'_>> {
    let (mut parts, mut between, mut line) = (Vec::new(), Vec::new(), Vec::new());
    let mut at = 0;
    while at < text.len() {
        let length = length(&text.as_bytes()[at..]);
        let word = text.get(at..at + length).unwrap_or("");
        if word == "\n" {
            end_line(&mut line, &mut between, &mut parts);
        } else if !is_blank(word) {
            line.push(Token { text: word, at });
        }
        at += length;
    }
    end_line(&mut line, &mut between, &mut parts);
    if !between.is_empty() {
        parts.push(Part::Text(between));
    }
    parts
}

fn end_line<'a>(line: &mut Vec<Token<'a>>, between: &mut Vec<Token<'a>>, parts: &mut Vec<Part<'a>>) {
    if line.first().is_none_or(|word| word.text != "#") {
        between.append(line);
        return;
    }
    if !between.is_empty() {
        parts.push(Part::Text(std::mem::take(between)));
    }
    parts.push(Part::Directive(line.drain(..).skip(1).collect()));
}

/// Blanks, comments, and ends of lines that a backslash takes away.
fn is_blank(word: &str) -> bool {
    word.starts_with([' ', '\t', '\r', '\\', '\x0b', '\x0c']) || word.starts_with("/*") || word.starts_with("//")
}

/// How many bytes belong together.
fn length(bytes: &[u8]) -> usize {
    let until = |found: fn(u8) -> bool| bytes.iter().position(|byte| found(*byte)).unwrap_or(bytes.len());
    match bytes {
        [b'\\', b'\n', ..] => 2,
        [b'\\', b'\r', b'\n', ..] => 3,
        [b'/', b'*', rest @ ..] => rest.windows(2).position(|pair| pair == b"*/").map_or(bytes.len(), |end| end + 4),
        [b'/', b'/', ..] => until(|byte| byte == b'\n'),
        [quote @ (b'"' | b'\''), rest @ ..] => literal(rest, *quote) + 1,
        [first, ..] if is_of_word(*first) => until(|byte| !is_of_word(byte)),
        // A letter that is not of ASCII is whole.
        [first, rest @ ..] if !first.is_ascii() => 1 + rest.iter().take_while(|byte| **byte & 0xc0 == 0x80).count(),
        _ => 1,
    }
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The bytes behind an opening quote up to the closing one, or to the end of the line.
fn literal(bytes: &[u8], quote: u8) -> usize {
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\n' => return at,
            b'\\' => at += 1,
            byte if *byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_are_apart_from_what_stands_between() {
        let text = "a /* b\n c */ \"d \\\" e\"\n# define F(x) \\\n x+1 // y\nf\u{e9}";
        let found: Vec<(bool, Vec<&str>)> = parts(text)
            .iter()
            .map(|part| match part {
                Part::Directive(words) => (true, words.iter().map(|word| word.text).collect()),
                Part::Text(words) => (false, words.iter().map(|word| word.text).collect()),
            })
            .collect();
        let expected = [
            (false, vec!["a", "\"d \\\" e\""]),
            (true, vec!["define", "F", "(", "x", ")", "x", "+", "1"]),
            (false, vec!["f", "\u{e9}"]),
        ];
        assert_eq!(found, expected);
    }
}
