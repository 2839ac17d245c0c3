//! How a run speaks: quiet or not, in colours or not, for people or for programs. In: the common options, or, where the
//! command line cannot be read, what of them can. Out: one answer for the whole process.
//!
//! Source: no-color.org (`NO_COLOR`), bixense.com/clicolors (`CLICOLOR_FORCE`), terminfo (`TERM=dumb`).

use std::ffi::OsString;
use std::io::IsTerminal;
use std::sync::OnceLock;

use crate::report::Format;

/// When output has colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Colour {
    #[default]
    Auto,
    Always,
    Never,
}

impl Colour {
    pub(crate) fn of_name(name: &str) -> Option<Colour> {
        match name {
            "auto" => Some(Colour::Auto),
            "always" => Some(Colour::Always),
            "never" => Some(Colour::Never),
            _ => None,
        }
    }

    /// Whether a channel has colours; `variable` reads the environment.
    fn shows(self, is_terminal: bool, variable: impl Fn(&str) -> Option<OsString>) -> bool {
        let is_set = |name| variable(name).is_some_and(|value| !value.is_empty());
        match self {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto if is_set("NO_COLOR") => false,
            Colour::Auto if is_set("CLICOLOR_FORCE") && variable("CLICOLOR_FORCE").is_some_and(|v| v != "0") => true,
            Colour::Auto => is_terminal && variable("TERM").is_none_or(|name| name != "dumb"),
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Voice {
    pub(crate) is_quiet: bool,
    pub(crate) colour: Colour,
    pub(crate) format: Format,
}

static VOICE: OnceLock<Voice> = OnceLock::new();

/// Settles it; the first word counts.
pub(crate) fn set(voice: Voice) {
    let _ = VOICE.set(voice);
}

pub(crate) fn get() -> Voice {
    VOICE.get().copied().unwrap_or_default()
}

pub(crate) fn colours_errors() -> bool {
    get().colour.shows(std::io::stderr().is_terminal(), |name| std::env::var_os(name))
}

pub(crate) fn colours_output() -> bool {
    get().colour.shows(std::io::stdout().is_terminal(), |name| std::env::var_os(name))
}

/// What arguments say of it that may be wrong elsewhere.
pub(crate) fn heard(arguments: &[OsString]) -> Voice {
    let mut voice = Voice::default();
    let words: Vec<&str> = arguments.iter().map(|word| word.to_str().unwrap_or_default()).collect();
    let words = words.split(|word| *word == "--").next().unwrap_or_default();
    for (at, word) in words.iter().enumerate() {
        let (name, attached) = word.split_once('=').map_or((*word, None), |(name, value)| (name, Some(value)));
        let value = attached.or(words.get(at + 1).copied()).unwrap_or_default();
        match name {
            "--quiet" | "-q" => voice.is_quiet = true,
            "--color" => voice.colour = Colour::of_name(value).unwrap_or_default(),
            "--message-format" => voice.format = Format::of_name(value).unwrap_or_default(),
            _ => {}
        }
    }
    voice
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(colour: Colour, is_terminal: bool, variables: &[(&str, &str)], expected: bool) {
        let variable = |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into());
        assert_eq!(colour.shows(is_terminal, variable), expected);
    }

    #[test]
    fn colours_are_for_terminals_that_have_them() {
        check(Colour::Auto, true, &[("TERM", "xterm")], true);
        check(Colour::Auto, true, &[], true);
        check(Colour::Auto, false, &[("TERM", "xterm")], false);
        check(Colour::Auto, true, &[("TERM", "dumb")], false);
    }

    #[test]
    fn the_environment_decides_unless_the_command_line_does() {
        check(Colour::Auto, true, &[("NO_COLOR", "1")], false);
        check(Colour::Auto, true, &[("NO_COLOR", "")], true);
        check(Colour::Auto, false, &[("CLICOLOR_FORCE", "1")], true);
        check(Colour::Auto, false, &[("CLICOLOR_FORCE", "0")], false);
        check(Colour::Auto, false, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false);
        check(Colour::Always, false, &[("NO_COLOR", "1"), ("TERM", "dumb")], true);
        check(Colour::Never, true, &[("CLICOLOR_FORCE", "1")], false);
    }

    #[test]
    fn a_wrong_command_line_still_says_how_to_answer() {
        let heard = |text: &str| heard(&text.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(heard("compile --frob --message-format json").format, Format::Json);
        assert_eq!(heard("compile --message-format=short -q").format, Format::Short);
        assert!(heard("compile -q").is_quiet && !heard("compile -- -q").is_quiet);
        assert_eq!(heard("--color never").colour, Colour::Never);
    }
}
