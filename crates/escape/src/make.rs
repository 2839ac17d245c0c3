//! Makefiles, and the shell behind their recipes. In: names of files, arguments. Out: text that `make` and `sh` take for just
//! that. Source: POSIX.1-2017, make and section 2.2 of the shell (quoting); GNU make's manual, 2.1 and 3.1.1.
//!
//! A target's name goes through several readers: `make` as it reads the rule, its functions on lists, and the shell once `$@` and
//! `$^` stand in a recipe. No quoting suits them all, so that a name is made of letters that mean nothing to any.

use crate::visible::{is_deceptive, line};
use crate::{Refused, Text};

/// The language of Makefiles.
#[derive(Debug)]
pub enum Make {}

/// A name of a file or target, alone or within a list, in a rule, a variable or a recipe.
pub fn word(name: &str) -> Result<Text<Make>, Refused> {
    file_name("a Makefile", name).map(Text::escaped)
}

/// A name that neither `make` nor a shell, a compiler's command line or CMake sees anything else in.
pub(crate) fn file_name(target: &'static str, name: &str) -> Result<String, Refused> {
    let refused = |character| Err(Refused::new(target, name, character));
    match name.chars().next() {
        None => return refused(None),
        // An option, a file of arguments, a home folder.
        Some(first @ ('-' | '@' | '~')) => return refused(Some(first)),
        Some(_) => {}
    }
    let is_plain = |letter: char| {
        letter.is_ascii_alphanumeric()
            || matches!(letter, '_' | '-' | '.' | '/' | '+' | ',' | '@')
            || (!letter.is_ascii() && letter != '\u{fffd}' && !letter.is_whitespace() && !is_deceptive(letter))
    };
    match name.chars().find(|letter| !is_plain(*letter)) {
        Some(letter) => refused(Some(letter)),
        None => Ok(name.to_owned()),
    }
}

/// A name of a file in a rule that only says what depends on what, as compilers write them (`gcc -MD`): no recipe and no
/// shell ever sees it.
pub fn dependency(name: &str) -> Result<Text<Make>, Refused> {
    if let Some(wrong) = name.chars().find(|letter| matches!(letter, '\n' | '\r' | '\0' | '\u{fffd}')) {
        return Err(Refused::new("a dependency file", name, Some(wrong)));
    }
    let mut out = String::new();
    let mut backslashes = 0;
    for letter in name.chars() {
        match letter {
            '$' => out.push_str("$$"),
            // Backslashes before a blank, and nowhere else, are halved.
            ' ' | '\t' => out.extend(std::iter::repeat_n('\\', backslashes + 1).chain([letter])),
            '#' | ':' => out.extend(['\\', letter]),
            other => out.push(other),
        }
        backslashes = if letter == '\\' { backslashes + 1 } else { 0 };
    }
    Ok(Text::escaped(out))
}

/// The same before the colon of a rule, where `%` would make a pattern.
pub fn target(name: &str) -> Result<Text<Make>, Refused> {
    dependency(name).map(|text| Text::escaped(text.finish().replace('%', "\\%")))
}

/// The rest of a line that begins with `#`.
pub fn comment(text: &str) -> Text<Make> {
    // A backslash at its end would take the next line in; blanks behind one are overlooked by some.
    let shown = line(text);
    let text = if shown.trim_end().ends_with('\\') { format!("{}.", shown.trim_end()) } else { shown.into_owned() };
    Text::escaped(text)
}

/// One argument of a command, within the value of a variable that a recipe uses.
pub fn argument(text: &str) -> Result<Text<Make>, Refused> {
    if let Some(wrong) = text.chars().find(|letter| matches!(letter, '\n' | '\r' | '\0' | '\u{fffd}')) {
        return Err(Refused::new("a Makefile", text, Some(wrong)));
    }
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_-./+,@=:%^".contains(letter);
    if !text.is_empty() && text.chars().all(is_plain) {
        return Ok(Text::escaped(text.to_owned()));
    }
    let mut out = String::from("'");
    let mut backslashes = 0;
    for letter in text.chars() {
        match letter {
            // The shell knows no escape between such quotes.
            '\'' => out.push_str("'\\''"),
            '$' => out.push_str("$$"),
            // Backslashes before this sign, and nowhere else, are halved.
            '#' => out.push_str(&format!("{}\\#", "\\".repeat(backslashes))),
            other => out.push(other),
        }
        backslashes = if letter == '\\' { backslashes + 1 } else { 0 };
    }
    out.push('\'');
    Ok(Text::escaped(out))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_means_nothing_else() {
        assert_eq!(word("sub/Gräfin-1.main.o").unwrap().finish(), "sub/Gräfin-1.main.o");
        let hostile =
            ["$(shell x)", "a b", "a\nb", "a:b", "a#b", "a%b", "`x`", "a;b", "a\\", "-o", "@x", "~x", "", "a*", "a'b"];
        for name in hostile {
            assert!(word(name).is_err(), "{name}");
        }
    }

    #[test]
    fn a_dependency_is_one_name() {
        let escaped = |text| dependency(text).unwrap().finish();
        assert_eq!(escaped("gen/b_xdr.c"), "gen/b_xdr.c");
        assert_eq!(escaped("a b$c#d"), "a\\ b$$c\\#d");
        assert_eq!(escaped("a\\ b\\c"), "a\\\\\\ b\\c");
        assert_eq!(escaped("a%b"), "a%b");
        assert_eq!(target("a%b").unwrap().finish(), "a\\%b");
        assert!(dependency("a\nb").is_err());
    }

    #[test]
    fn an_argument_is_quoted_for_the_shell_and_for_make() {
        let quoted = |text| argument(text).unwrap().finish();
        assert_eq!(quoted("-DA=1"), "-DA=1");
        assert_eq!(quoted("$(shell touch x)"), "'$$(shell touch x)'");
        assert_eq!(quoted("a'b#\\#"), "'a'\\''b\\#\\\\\\#'");
        assert!(argument("a\nb").is_err());
    }

    #[test]
    fn a_comment_ends_with_its_line() {
        assert_eq!(comment("a\nb: ; touch x").finish(), "a\\u{a}b: ; touch x");
        assert_eq!(comment("a\\").finish(), "a\\.");
    }
}
