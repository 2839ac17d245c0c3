//! `%` lines that end with a backslash and go on in lines without `%`.
//!
//! Some files write a macro for the C compiler so (`nis.x` of the C library does). A preprocessor takes the
//! backslashes away and leaves the lines, so that only the original text shows what belongs together.

use source::{Diagnostic, SourceMap, Span};
use tokens::{Token, TokenKind};

/// Makes verbatim tokens of the lines that go on from verbatim lines, and drops what was found wrong in them.
pub(crate) fn join(map: &SourceMap, text: &str, tokens: Vec<Token>, findings: &mut Vec<Diagnostic>) -> Vec<Token> {
    let mut joined: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut swallowed_to = 0;
    for token in tokens {
        if token.span.start < swallowed_to && token.kind != TokenKind::End {
            continue;
        }
        joined.push(token);
        if token.kind == TokenKind::Verbatim {
            let mut line = token.span;
            while goes_on(map, line) {
                let Some(next) = next_line(text, line) else { break };
                // A line with a `%` of its own speaks for itself.
                if text[next.start as usize..next.end as usize].trim_start().starts_with('%') {
                    break;
                }
                joined.push(Token { kind: TokenKind::Verbatim, span: next });
                swallowed_to = next.end;
                line = next;
            }
            let lines = Span::new(token.span.file, token.span.end, swallowed_to);
            findings.retain(|finding| !finding.primary.as_ref().is_some_and(|label| is_within(label.span, lines)));
        }
    }
    joined
}

/// What a verbatim token stands for: without its `%`, and with the backslash that a preprocessor took away.
pub(crate) fn verbatim_text(map: &SourceMap, line: &str, span: Span) -> String {
    let mut text = line.strip_prefix('%').unwrap_or(line).to_owned();
    if goes_on(map, span) && !text.trim_end().ends_with('\\') {
        text.push_str(" \\");
    }
    text
}

fn goes_on(map: &SourceMap, line: Span) -> bool {
    map.original_line(line).is_some_and(|original| original.trim_end().ends_with('\\'))
}

/// The line after the one that `line` ends on, if there is one.
fn next_line(text: &str, line: Span) -> Option<Span> {
    let end = line.end as usize;
    let start = end + text.get(end..)?.find('\n')? + 1;
    let length = text[start..].find('\n').unwrap_or(text.len() - start);
    let offset = |offset: usize| u32::try_from(offset).ok();
    Some(Span::new(line.file, offset(start)?, offset(start + length)?))
}

fn is_within(span: Span, lines: Span) -> bool {
    span.file == lines.file && lines.start <= span.start && span.start < lines.end
}

#[cfg(test)]
mod tests {
    use crate::{Options, parse};
    use source::SourceMap;

    fn verbatim_lines(map: &SourceMap, file: source::FileId) -> Vec<String> {
        let (aoi, findings) = parse(map, file, &Options::default());
        assert_eq!(findings, []);
        let text = |item: &aoi::Item| match item {
            aoi::Item::Verbatim(line) => Some(line.text.clone()),
            _ => None,
        };
        aoi.items.iter().filter_map(text).collect()
    }

    const ORIGINAL: &str = "%#define A (1 +\\\n   'x' + \\\n   2)\nconst B = 3;\n%#define C\\\n%  4\n";

    #[test]
    fn lines_that_go_on_are_verbatim_to_their_end() {
        let mut map = SourceMap::new();
        let file = map.add("a.x", ORIGINAL);
        let expected = ["#define A (1 +\\", "   'x' + \\", "   2)", "#define C\\", "  4"];
        assert_eq!(verbatim_lines(&map, file), expected);
    }

    #[test]
    fn backslashes_that_a_preprocessor_took_away_come_back() {
        let mut map = SourceMap::new();
        let text = "# 1 \"a.x\"\n%#define A (1 +\n    'x' +\n    2)\nconst B = 3;\n%#define C\n%  4\n";
        let file = map.add_preprocessed("a.x", text);
        map.add_original("a.x", ORIGINAL);
        let expected = ["#define A (1 + \\", "    'x' + \\", "    2)", "#define C \\", "  4"];
        assert_eq!(verbatim_lines(&map, file), expected);
    }
}
