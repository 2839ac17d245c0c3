//! From the tree to text.
//!
//! A form that fits the rest of its line stands on it. Otherwise its leading atoms stay beside the keyword, each
//! list that follows gets a line of its own, two columns further in, and runs of atoms fill lines like words.

use crate::Sexpr;
use std::fmt::Write;

/// The right margin; only an atom that is longer by itself crosses it.
const COLUMNS: usize = 100;

/// One form and a line end.
pub fn print(form: &Sexpr) -> String {
    print_all(std::slice::from_ref(form))
}

/// Forms one after the other, each from the start of a line.
pub fn print_all(forms: &[Sexpr]) -> String {
    let mut out = String::new();
    for form in forms {
        let mut writer = Writer { out: &mut out, column: 0 };
        writer.form(form, 0, 0);
        out.push('\n');
    }
    out
}

struct Writer<'a> {
    out: &'a mut String,
    column: usize,
}

impl Writer<'_> {
    /// Writes `form` at the present column; `closing` parentheses will follow it on the same line.
    fn form(&mut self, form: &Sexpr, indent: usize, closing: usize) {
        let room = COLUMNS.saturating_sub(self.column + closing);
        match form {
            Sexpr::List(items) if flat_width(form, room).is_none() => self.broken(items, indent, closing),
            _ => self.flat(form),
        }
    }

    /// Writes a list over several lines.
    fn broken(&mut self, items: &[Sexpr], indent: usize, closing: usize) {
        self.put("(");
        let mut on_first_line = true;
        let mut after_list = false;
        for (index, item) in items.iter().enumerate() {
            let is_list = matches!(item, Sexpr::List(_));
            let closing_here = if index + 1 == items.len() { closing + 1 } else { 0 };
            if index > 0 {
                on_first_line &= !is_list;
                let room = COLUMNS.saturating_sub(self.column + 1 + closing_here);
                let fits = flat_width(item, room).is_some();
                if fits && !is_list && (on_first_line || !after_list) {
                    self.put(" ");
                } else {
                    self.new_line(indent + 2);
                }
            }
            self.form(item, indent + 2, closing_here);
            after_list = is_list;
        }
        self.put(")");
    }

    fn flat(&mut self, form: &Sexpr) {
        let start = self.out.len();
        flat(form, self.out);
        self.column += self.out[start..].chars().count();
    }

    fn put(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.len();
    }

    fn new_line(&mut self, indent: usize) {
        self.out.push('\n');
        self.column = 0;
        for _ in 0..indent {
            self.put(" ");
        }
    }
}

/// The columns that `form` takes on one line, or `None` where that is more than `room`; stops counting there, so
/// that layout costs a constant per node.
fn flat_width(form: &Sexpr, room: usize) -> Option<usize> {
    let width = match form {
        Sexpr::Atom(word) if is_bare(word) => word.chars().count(),
        Sexpr::Atom(content) => quoted_width(content, '|', room),
        Sexpr::Text(content) => quoted_width(content, '"', room),
        Sexpr::List(items) => {
            let mut width = 2 + items.len().saturating_sub(1);
            for item in items {
                width += flat_width(item, room.checked_sub(width)?)?;
            }
            width
        }
    };
    (width <= room).then_some(width)
}

fn flat(form: &Sexpr, out: &mut String) {
    match form {
        Sexpr::Atom(word) if is_bare(word) => out.push_str(word),
        Sexpr::Atom(content) => quoted(content, '|', out),
        Sexpr::Text(content) => quoted(content, '"', out),
        Sexpr::List(items) => {
            out.push('(');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(' ');
                }
                flat(item, out);
            }
            out.push(')');
        }
    }
}

/// True when the reader takes `word` for one atom as it stands.
fn is_bare(word: &str) -> bool {
    !word.is_empty() && word.chars().all(crate::read::is_atom_character)
}

fn quoted_width(content: &str, quote: char, room: usize) -> usize {
    let mut out = String::new();
    // Nothing beyond the margin matters, and every character is at least one column wide.
    let end = content.char_indices().nth(room).map_or(content.len(), |(offset, _)| offset);
    quoted(&content[..end], quote, &mut out);
    out.chars().count()
}

fn quoted(content: &str, quote: char, out: &mut String) {
    out.push(quote);
    for character in content.chars() {
        match character {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if character == quote => {
                out.push('\\');
                out.push(quote);
            }
            _ if character.is_control() => {
                // Writing to a String cannot fail.
                let _ = write!(out, "\\u{{{:x}}}", u32::from(character));
            }
            _ => out.push(character),
        }
    }
    out.push(quote);
}

#[cfg(test)]
mod tests {
    use crate::{Sexpr, atom, list, node, number, parse, print, text};

    #[test]
    fn a_short_form_stands_on_one_line() {
        assert_eq!(print(&node("alias", [atom("x"), list([])])), "(alias x ())\n");
    }

    #[test]
    fn a_long_form_keeps_its_leading_atoms_beside_the_keyword() {
        let operation = |name: &str| node("operation", [atom(name), node("code", [number(1)])]);
        let interface = node("interface", [atom("DIRECTORY.V1"), operation(&"A".repeat(60)), operation("LIST")]);
        let expected = format!(
            "(interface DIRECTORY.V1\n  (operation {} (code 1))\n  (operation LIST (code 1)))\n",
            "A".repeat(60)
        );
        assert_eq!(print(&interface), expected);
    }

    #[test]
    fn many_atoms_fill_lines_like_words() {
        let numbers = node("members", (0..60).map(number));
        let printed = print(&numbers);
        assert_eq!(printed.lines().count(), 2);
        assert!(printed.lines().all(|line| line.len() <= 100));
    }

    #[test]
    fn what_would_not_read_back_is_quoted() {
        assert_eq!(
            print(&list([atom("a b"), atom(""), atom("|"), text("x\n\"\u{1}")])),
            "(|a b| || |\\|| \"x\\n\\\"\\u{1}\")\n"
        );
    }

    #[test]
    fn printed_random_trees_read_back() {
        let mut state = 1u64;
        for _ in 0..2000 {
            let tree = random_tree(&mut state, 6);
            let (forms, errors) = parse(&print(&tree));
            assert_eq!(errors, []);
            assert_eq!(forms, [tree]);
        }
    }

    /// A small generator of our own: this crate depends on nothing.
    fn random_tree(state: &mut u64, depth: u32) -> Sexpr {
        match (random(state) % 4, depth) {
            (0, _) | (_, 0) => atom(random_word(state)),
            (1, _) => text(random_word(state)),
            _ => list((0..random(state) % 7).map(|_| random_tree(state, depth - 1)).collect::<Vec<_>>()),
        }
    }

    fn random_word(state: &mut u64) -> String {
        let alphabet: Vec<char> = "abcXYZ019_-.@ \t\n\r\\\"|();\u{7f}\u{1}é漢".chars().collect();
        let length = random(state) % 12;
        (0..length).map(|_| alphabet[(random(state) % alphabet.len() as u64) as usize]).collect()
    }

    fn random(state: &mut u64) -> u64 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state
    }
}
