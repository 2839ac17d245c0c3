//! Lines, indentation, and the folding of long lines.

use super::folding::fold_point;

/// The column that folded lines stay under where they can.
const WIDTH: usize = 110;

/// No line is longer than this that holds more than one word.
const MOST: usize = 120;

/// What a line has at least, however deep it stands.
const LEAST: usize = 40;

/// Lines that stand deeper are indented like this one, and its further lines by one level more.
const DEEPEST: usize = (MOST - LEAST) / 4 - 1;

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
        fold(&mut self.out, &"    ".repeat(self.depth.min(DEEPEST)), text);
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

/// A line behind its indentation, and what of it has to stand on further lines.
fn fold(out: &mut String, indent: &str, text: &str) {
    let mut rest = text;
    let mut prefix = indent.to_owned();
    while prefix.len() + rest.chars().count() > WIDTH {
        let room = |width: usize| width.saturating_sub(prefix.len()).max(LEAST);
        let must = rest.chars().count() > room(MOST);
        let Some(at) = fold_point(rest, room(WIDTH), must) else { break };
        out.push_str(&prefix);
        out.push_str(rest[..at].trim_end());
        out.push('\n');
        rest = rest[at..].trim_start();
        prefix = format!("{indent}    ");
    }
    out.push_str(&prefix);
    out.push_str(rest);
    out.push('\n');
}

/// Lines as somebody wrote them, those that are much too long folded. There are no comments in them.
pub(super) fn fold_long(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let code = line.trim_start();
        if line.chars().count() > MOST && !code.starts_with('#') {
            fold(&mut out, &line[..line.len() - code.len()], code);
        } else {
            out.push_str(line);
            out.push('\n');
        }
    }
    out.truncate(out.len() - usize::from(!text.ends_with('\n') && !out.is_empty()));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_stands_deep_is_folded_all_the_same() {
        let mut writer = Writer { depth: 40, ..Writer::default() };
        writer.line("call(first_argument_of_some_length, second_argument_of_some_length, third_argument);");
        let written = writer.finish();
        assert!(written.lines().count() > 1 && written.lines().all(|line| line.len() <= MOST), "{written}");
    }

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let mut writer = Writer { depth: 1, ..Writer::default() };
        writer.line(text);
        let written = writer.finish();
        assert_eq!(written.lines().collect::<Vec<_>>(), expected);
        assert_eq!(written.split_whitespace().collect::<String>(), text.split_whitespace().collect::<String>());
    }

    #[test]
    fn any_operator_will_do_where_a_line_is_much_too_long() {
        let term = |table: usize| format!("crc_table[{table}][(t5 >> {table}) & 255]");
        let text = format!("z_crc_t crc = {} ^ {} ^ {} ^ {};", term(11), term(12), term(13), term(14));
        let first = format!("    z_crc_t crc = {} ^ {}", term(11), term(12));
        check(&text, &[&first, &format!("        ^ {} ^ {};", term(13), term(14))]);
    }

    #[test]
    fn operators_that_bind_less_are_folded_first() {
        let [left, right] = ["n".repeat(40), "m".repeat(30)];
        let text = format!("x = {left} + {left} * 2 << {right};");
        check(&text, &[&format!("    x = {left} + {left} * 2"), &format!("        << {right};")]);
    }

    #[test]
    fn a_long_word_stands_alone() {
        let name = "n".repeat(130);
        check(&format!("int x = {name};"), &["    int x =", &format!("        {name};")]);
        check(&format!("f({name}, 1);"), &["    f(", &format!("        {name},"), "        1);"]);
        check(&format!("x = \"{name} + 1\";"), &["    x =", &format!("        \"{name} + 1\";")]);
    }

    #[test]
    fn of_written_lines_only_those_that_are_much_too_long_are_folded() {
        let names = ["n".repeat(50), "m".repeat(50), "o".repeat(50)].join(", ");
        let text = format!("enum e {{\n  {names}\n}};");
        let folded = format!("enum e {{\n  {}\n      {}\n}};", &names[..103], &names[104..]);
        assert_eq!(fold_long(&text), folded);
        assert_eq!(fold_long(&folded), folded);
        assert_eq!(fold_long(""), "");
    }

    #[test]
    fn what_follows_two_slashes_stays_on_its_line() {
        let text = format!("x; // {}", "word ".repeat(30));
        check(text.trim_end(), &[&format!("    {}", text.trim_end())]);
    }
}
