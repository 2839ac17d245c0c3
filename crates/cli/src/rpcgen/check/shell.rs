//! Commands as a shell splits them, of scripts, recipes and strings of other languages. In: a text. Out: its simple commands, each a
//! list of words with the lines they stand on. What a shell would compute stays as it is spelled.

/// A word, without its quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) line: usize,
}

/// A simple command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Command {
    pub(super) words: Vec<Word>,
    /// Its output is the next command's input.
    pub(super) is_piped: bool,
    /// What `<` names.
    pub(super) input: Option<String>,
}

/// The commands of a text that begins at `line`. In recipes, lines that a backslash joins are one.
pub(super) fn commands(text: &str, line: usize) -> Vec<Command> {
    let mut splitter = Splitter { commands: Vec::new(), now: Command::default(), word: None, redirect: None, line };
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '\\' => match rest.next() {
                Some('\n') => splitter.line += 1,
                Some(next) => splitter.push(next),
                None => {}
            },
            '\n' => {
                splitter.end_command(false);
                splitter.line += 1;
            }
            '\'' | '"' => splitter.quoted(character, &mut rest),
            '$' if matches!(rest.peek(), Some('(' | '{')) => splitter.variable(&mut rest),
            // `$<` and `$@` are make's.
            '$' if matches!(rest.peek(), Some('<' | '@' | '^' | '?' | '*' | '+')) => {
                splitter.push('$');
                rest.next().into_iter().for_each(|mark| splitter.push(mark));
            }
            '#' if splitter.word.is_none() => while rest.next_if(|next| *next != '\n').is_some() {},
            ';' | '(' | ')' | '`' => splitter.end_command(false),
            '&' if rest.peek() == Some(&'>') => splitter.end_word(),
            '&' => splitter.end_command(false),
            '|' if rest.next_if_eq(&'|').is_some() => splitter.end_command(false),
            '|' => splitter.end_command(true),
            '<' | '>' => splitter.redirected(character),
            blank if blank.is_whitespace() => splitter.end_word(),
            other => splitter.push(other),
        }
    }
    splitter.end_command(false);
    splitter.commands
}

struct Splitter {
    commands: Vec<Command>,
    now: Command,
    word: Option<Word>,
    /// `<` or `>` before the word.
    redirect: Option<char>,
    line: usize,
}

impl Splitter {
    fn push(&mut self, character: char) {
        let line = self.line;
        self.word.get_or_insert_with(|| Word { text: String::new(), line }).text.push(character);
    }

    fn quoted(&mut self, quote: char, rest: &mut std::iter::Peekable<std::str::Chars<'_>>) {
        let line = self.line;
        self.word.get_or_insert_with(|| Word { text: String::new(), line });
        while let Some(character) = rest.next().filter(|character| *character != quote) {
            if character == '\n' {
                self.line += 1;
            }
            match character {
                '\\' if quote == '"' => rest.next().into_iter().for_each(|next| self.push(next)),
                other => self.push(other),
            }
        }
    }

    /// `$(…)` or `${…}`, to its end.
    fn variable(&mut self, rest: &mut std::iter::Peekable<std::str::Chars<'_>>) {
        self.push('$');
        let mut depth = 0;
        for character in rest.by_ref() {
            depth += match character {
                '(' | '{' => 1,
                ')' | '}' => -1,
                _ => 0,
            };
            self.push(if character == '\n' { ' ' } else { character });
            if depth == 0 {
                return;
            }
        }
    }

    fn redirected(&mut self, mark: char) {
        // `2>` redirects errors: the digit is no word.
        if self.word.as_ref().is_some_and(|word| word.text.len() == 1 && word.text.as_bytes()[0].is_ascii_digit()) {
            self.word = None;
        }
        self.end_word();
        self.redirect = Some(mark);
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        match self.redirect.take() {
            Some('<') => self.now.input = Some(word.text),
            Some(_) => {}
            None => self.now.words.push(word),
        }
    }

    fn end_command(&mut self, is_piped: bool) {
        self.end_word();
        self.redirect = None;
        let mut command = std::mem::take(&mut self.now);
        command.is_piped = is_piped;
        if !command.words.is_empty() {
            self.commands.push(command);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let shown = |command: Command| {
            let words: Vec<String> = command.words.into_iter().map(|word| word.text).collect();
            let input = command.input.map(|input| format!(" < {input}")).unwrap_or_default();
            format!("{}{input}{}", words.join(" "), if command.is_piped { " |" } else { "" })
        };
        assert_eq!(commands(text, 1).into_iter().map(shown).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn commands_are_split_as_by_a_shell() {
        check("cd a && rpcgen -h b.x; true", &["cd a", "rpcgen -h b.x", "true"]);
        check("rpcgen -c b.x | sed 's/a;b/c/' > \"b c\"", &["rpcgen -c b.x |", "sed s/a;b/c/"]);
        check("$(RPCGEN) $(if a, b) -h < b.x 2>/dev/null", &["$(RPCGEN) $(if a, b) -h < b.x"]);
        check("rpcgen -o $@ $<", &["rpcgen -o $@ $<"]);
        check("a \\\n b # c\nd `e f`", &["a b", "d", "e f"]);
    }

    #[test]
    fn what_never_ends_is_read_to_the_end() {
        check("a 'b", &["a b"]);
        check("a $(b", &["a $(b"]);
        check("a \\", &["a"]);
    }
}
