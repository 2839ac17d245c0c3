//! CMake. In: names. Out: text that CMake takes for just that: no variable, list or generator expression. Source: CMake's manual,
//! cmake-language(7), cmake-generator-expressions(7) and policy CMP0037 (names of targets).

use crate::visible::line;
use crate::{Refused, Text, make};

/// The language of `CMakeLists.txt`.
#[derive(Debug)]
pub enum CMake {}

/// A file's name. Quotes would not do: generator expressions are read within them as well.
pub fn file(name: &str) -> Result<Text<CMake>, Refused> {
    make::file_name("a CMakeLists.txt", name).map(Text::escaped)
}

/// The name of a project or target: what none may have becomes `_`.
pub fn name(name: &str) -> Text<CMake> {
    let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.' | '+' | '-');
    Text::escaped(name.chars().map(|letter| if is_allowed(letter) { letter } else { '_' }).collect())
}

/// The rest of a line that begins with `#`, and not with `#[[`.
pub fn comment(text: &str) -> Text<CMake> {
    Text::escaped(line(text).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words() {
        assert_eq!(name("my flow;${x}").finish(), "my_flow___x_");
        assert!(file("$<TARGET:x>").is_err() && file("a;b").is_err());
        assert_eq!(file("ä.main.c").unwrap().finish(), "ä.main.c");
        assert_eq!(comment("a\nmessage(x)").finish(), "a\\u{a}message(x)");
    }
}
