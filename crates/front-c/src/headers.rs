//! Which system header each part of a preprocessed text came through: line markers say where files begin and end.

use crate::lex::Token;

/// The system header that stands for each part of a text.
pub(crate) struct Headers {
    /// Offsets from which on a header, or none, stands; in order.
    starts: Vec<(usize, Option<String>)>,
}

/// A file that is being included, and whether its marker says that it is a system header.
struct Included {
    path: String,
    is_system: bool,
}

impl Headers {
    pub(crate) fn of(content: &str, markers: &[Token]) -> Headers {
        let mut stack: Vec<Included> = Vec::new();
        let mut starts: Vec<(usize, Option<String>)> = Vec::new();
        for token in markers {
            let Some(marker) = Marker::parse(&content[token.range()]) else { continue };
            if marker.leaves {
                stack.pop();
            }
            if marker.enters || stack.is_empty() {
                stack.push(Included { path: marker.path.to_owned(), is_system: marker.is_system });
            }
            let outermost = stack.iter().find(|file| file.is_system).map(|file| as_included(&file.path));
            if starts.last().is_none_or(|(_, last)| *last != outermost) {
                starts.push((token.end, outermost));
            }
        }
        Headers { starts }
    }

    /// The system header that the outermost `#include` of the text at an offset names; `None` in the user's own files.
    pub(crate) fn at(&self, offset: usize) -> Option<&str> {
        let index = self.starts.partition_point(|(start, _)| *start <= offset).checked_sub(1)?;
        self.starts[index].1.as_deref()
    }
}

/// `# 12 "file.h" 1 3`.
struct Marker<'t> {
    path: &'t str,
    enters: bool,
    leaves: bool,
    is_system: bool,
}

impl<'t> Marker<'t> {
    fn parse(line: &'t str) -> Option<Marker<'t>> {
        let rest = line.strip_prefix('#')?.trim_start();
        let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
        rest.starts_with(|c: char| c.is_ascii_digit()).then_some(())?;
        let (_, rest) = rest.split_once('"')?;
        let (path, flags) = rest.rsplit_once('"')?;
        let has = |flag: &str| flags.split_whitespace().any(|word| word == flag);
        Some(Marker { path, enters: has("1"), leaves: has("2"), is_system: has("3") })
    }
}

/// A header's path as an `#include` names it: without the folder that compilers search for it.
fn as_included(path: &str) -> String {
    let below = path.rsplit_once("/include/").map_or(path, |(_, below)| below);
    let (folder, rest) = below.split_once('/').unwrap_or(("", below));
    // Debian's folder of one machine's headers: `x86_64-linux-gnu`.
    let is_machine = folder.split('-').count() >= 3;
    if is_machine { rest.to_owned() } else { below.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::Headers;
    use crate::lex::{Kind, tokens};

    #[test]
    fn the_outermost_system_header_stands_for_all_below_it() {
        let text = "# 0 \"a.c\"\n# 1 \"a.c\"\nint a;\n# 1 \"own.h\" 1\nint b;\n# 1 \"/usr/include/x86_64-linux-gnu/sys/types.h\" 1 3 4\n\
                    int c;\n# 9 \"/usr/include/bits/x.h\" 1 3 4\nint d;\n# 7 \"own.h\" 2\nint e;\n# 3 \"a.c\" 2\nint f;\n";
        let markers: Vec<_> = tokens(text).into_iter().filter(|token| token.kind == Kind::Directive).collect();
        let headers = Headers::of(text, &markers);
        let at = |name: &str| headers.at(text.find(&format!("int {name}")).unwrap());
        assert_eq!(["a", "b", "c", "d"].map(at), [None, None, Some("sys/types.h"), Some("sys/types.h")]);
    }
}
