//! Reads descriptions of functions: a line each, `recv(file, data, size): writes data[size], sets errno`.
//!
//! ```text
//! line   = name "(" [ parameter { "," parameter } ] ")" ":" clause { "," clause }      "..." may stand last
//! clause = "reads" place | "writes" place | "keeps" parameter | "returns" what | "never returns" | "returns twice"
//!        | "sets errno" | "waits" | "touches nothing" | "copies" parameter "[" parameter "]" "to" parameter
//!        | "fills" parameter "[" parameter "]" "with" ( parameter | "zero" )
//! place  = parameter [ "[" ( number | parameter [ "*" number ] ) "]" ] | "anything"
//! what   = parameter | "within" parameter | "new" | "zeroed" | "outside" | "nothing" | "something"
//! ```
//!
//! `#` begins a comment. For functions that whittle computes itself, its own table says `anytime`, too.

use source::{Diagnostic, FileId, Span};

use crate::library::Entry;
use crate::{Description, Effect, Outcome, Reach, When};

/// A line's text and where it begins.
pub(crate) type Line<'a> = (usize, &'a str);

/// The lines that say something.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut start = 0;
    let lines = text.split_inclusive('\n').map(move |line| {
        let at = start;
        start += line.len();
        (at, line.split('#').next().unwrap_or_default())
    });
    lines.filter(|(_, line)| !line.trim().is_empty())
}

/// What is wrong with a line.
#[derive(Debug)]
pub(crate) enum Problem {
    /// Found where something else was expected.
    Expected(&'static str, std::ops::Range<usize>),
    /// A parameter that the function does not have.
    NoParameter(String, std::ops::Range<usize>),
}

impl Problem {
    pub(crate) fn finding(self, file: FileId) -> Diagnostic {
        let span = |range: std::ops::Range<usize>| {
            let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
            Span::new(file, offset(range.start), offset(range.end))
        };
        match self {
            Problem::Expected(what, range) => not_understood(what, span(range)),
            Problem::NoParameter(name, range) => no_parameter(&name, span(range)),
        }
    }
}

/// `effects-001`: a description of a function is not understood. Each is a line: a name, parameters, a colon, and what the function does.
fn not_understood(expected: &str, span: Span) -> Diagnostic {
    let finding = Diagnostic::error("effects-001", format!("expected {expected}")).at(span, "");
    finding.help("a function is described so: `receive(file, data, size): writes data[size], sets errno`")
}

/// `effects-002`: a description speaks of a parameter that its function does not have.
fn no_parameter(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error("effects-002", format!("the function has no parameter `{name}`")).at(span, "")
}

type Result<T> = std::result::Result<T, Problem>;

/// A function's name and what it does. Whittle's own table may say `anytime`.
pub(crate) fn line(line: Line<'_>, is_own: bool) -> Result<(String, Entry)> {
    let mut reader =
        Reader { words: words(line), at: 0, end: line.0 + line.1.trim_end().len(), parameters: Vec::new() };
    let name = reader.name("the name of a function")?;
    reader.sign("(")?;
    while !reader.takes(")") {
        let parameter = if reader.takes("...") { "...".to_owned() } else { reader.name("a parameter or `)`")? };
        reader.parameters.push(parameter);
        if !reader.takes(",") && reader.peek() != Some(")") {
            return Err(reader.expected("`,` or `)`"));
        }
    }
    reader.sign(":")?;
    let mut entry = Entry { effect: None, returns_twice: false, sets_errno: false, waits: false };
    let mut described = Description { result: Outcome::Dynamic, ..Description::remote() };
    let mut whole = None;
    loop {
        reader.clause(&mut entry, &mut described, &mut whole, is_own)?;
        if !reader.takes(",") {
            break;
        }
    }
    if reader.peek().is_some() {
        return Err(reader.expected("`,` or the end of the line"));
    }
    entry.effect = whole.or(Some(Effect::Described(described))).filter(|_| !entry.returns_twice);
    Ok((name, entry))
}

/// Words and signs, each with its place.
fn words((start, text): Line<'_>) -> Vec<(usize, &str)> {
    let mut words = Vec::new();
    let is_word = |character: char| character.is_alphanumeric() || character == '_' || character == '.';
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            _ if is_word(first) => rest.find(|character| !is_word(character)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        if !first.is_whitespace() {
            words.push((start + text.len() - rest.len(), &rest[..length]));
        }
        rest = &rest[length..];
    }
    words
}

struct Reader<'a> {
    words: Vec<(usize, &'a str)>,
    at: usize,
    /// Where the line ends.
    end: usize,
    parameters: Vec<String>,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.words.get(self.at).map(|(_, word)| *word)
    }

    fn takes(&mut self, word: &str) -> bool {
        let found = self.peek() == Some(word);
        self.at += usize::from(found);
        found
    }

    fn expected(&self, what: &'static str) -> Problem {
        let range = self.words.get(self.at).map_or(self.end..self.end, |(at, word)| *at..at + word.len());
        Problem::Expected(what, range)
    }

    fn sign(&mut self, sign: &'static str) -> Result<()> {
        let what = match sign {
            "(" => "`(`",
            ":" => "`:`",
            "]" => "`]`",
            "[" => "`[` and how much",
            "to" => "`to`",
            _ => "`with`",
        };
        if self.takes(sign) { Ok(()) } else { Err(self.expected(what)) }
    }

    fn name(&mut self, what: &'static str) -> Result<String> {
        let is_name = |word: &&str| word.starts_with(|first: char| first.is_alphabetic() || first == '_');
        let name = self.peek().filter(is_name).ok_or_else(|| self.expected(what))?;
        self.at += 1;
        Ok(name.to_owned())
    }

    /// The position of a parameter.
    fn parameter(&mut self) -> Result<usize> {
        let place = self.at;
        let name = self.name("the name of a parameter")?;
        self.parameters.iter().position(|parameter| *parameter == name).ok_or_else(|| {
            let (at, word) = self.words[place];
            Problem::NoParameter(name, at..at + word.len())
        })
    }

    fn clause(
        &mut self,
        entry: &mut Entry,
        described: &mut Description,
        whole: &mut Option<Effect>,
        is_own: bool,
    ) -> Result<()> {
        let known = "what the function does: reads, writes, keeps, returns, copies, fills, waits, sets errno, never \
                     returns, returns twice, or touches nothing";
        let word = self.peek().ok_or_else(|| self.expected(known))?;
        self.at += 1;
        match word {
            "reads" => described.reads.push(self.place()?),
            "writes" => described.writes.push(self.place()?),
            "keeps" => described.keeps.push(self.parameter()?),
            "returns" if self.takes("twice") => entry.returns_twice = true,
            "returns" => described.result = self.outcome()?,
            "never" if self.takes("returns") => described.returns = false,
            "sets" if self.takes("errno") => entry.sets_errno = true,
            "touches" if self.takes("nothing") => {}
            "waits" => {
                entry.waits = true;
                described.reads.push(Reach::Exposed);
                described.writes.push(Reach::Exposed);
            }
            "anytime" if is_own => {
                described.when = When::Anytime;
                described.result = Outcome::Computed;
            }
            "copies" => {
                let (from, count) = self.bytes()?;
                self.sign("to")?;
                *whole = Some(Effect::Copy { to: self.parameter()?, from, count });
            }
            "fills" => {
                let (to, count) = self.bytes()?;
                self.sign("with")?;
                let value = if self.takes("zero") { None } else { Some(self.parameter()?) };
                *whole = Some(Effect::Fill { to, value, count });
            }
            _ => {
                self.at -= 1;
                return Err(self.expected(known));
            }
        }
        Ok(())
    }

    fn bytes(&mut self) -> Result<(usize, usize)> {
        let pointer = self.parameter()?;
        self.sign("[")?;
        let count = self.parameter()?;
        self.sign("]")?;
        Ok((pointer, count))
    }

    fn place(&mut self) -> Result<Reach> {
        if self.takes("anything") {
            return Ok(Reach::Exposed);
        }
        let pointer = self.parameter()?;
        if !self.takes("[") {
            return Ok(Reach::Pointee(pointer));
        }
        let reach = match self.number() {
            Some(size) => Reach::Fixed { pointer, size },
            None => {
                let count = self.parameter()?;
                let times = match self.takes("*") {
                    true => self.number().ok_or_else(|| self.expected("a number of bytes"))?,
                    false => 1,
                };
                Reach::Bytes { pointer, count, times }
            }
        };
        self.sign("]")?;
        Ok(reach)
    }

    fn number(&mut self) -> Option<u64> {
        let number = self.peek()?.parse().ok()?;
        self.at += 1;
        Some(number)
    }

    fn outcome(&mut self) -> Result<Outcome> {
        let words: [(&str, Outcome); 5] = [
            ("new", Outcome::Fresh { zeroed: false }),
            ("zeroed", Outcome::Fresh { zeroed: true }),
            ("outside", Outcome::Outside),
            ("nothing", Outcome::Nothing),
            ("something", Outcome::Dynamic),
        ];
        if self.takes("within") {
            return self.parameter().map(Outcome::Within);
        }
        match words.iter().find(|(word, _)| self.peek() == Some(*word)) {
            Some((_, outcome)) => {
                self.at += 1;
                Ok(*outcome)
            }
            None => self.parameter().map(Outcome::Argument),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str) -> String {
        match line((0, text), false) {
            Ok(_) => "none".to_owned(),
            Err(Problem::Expected(what, range)) => format!("{what} at {range:?}"),
            Err(Problem::NoParameter(name, range)) => format!("no {name} at {range:?}"),
        }
    }

    #[test]
    fn mistakes_are_found_where_they_are() {
        for (text, expected) in [
            ("f(a, b): reads a[b * 4], writes b[8], returns within a", "none"),
            ("f(): touches nothing", "none"),
            ("f(a, ...): reads anything, returns a", "none"),
            ("(a): reads a", "the name of a function at 0..1"),
            ("f a", "`(` at 2..3"),
            ("f(a b): reads a", "`,` or `)` at 4..5"),
            ("f(a) reads a", "`:` at 5..10"),
            ("f(a): reads b", "no b at 12..13"),
            ("f(a): reads a[", "the name of a parameter at 14..14"),
            ("f(a): reads a a", "`,` or the end of the line at 14..15"),
        ] {
            assert_eq!(problem(text), expected, "{text}");
        }
        assert!(problem("f(a): anytime").starts_with("what the function does"));
        assert!(problem("f(a):").starts_with("what the function does"));
    }
}
