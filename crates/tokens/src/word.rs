//! Words, and what people and preprocessors write into them that no name may have.
//!
//! A preprocessor spells letters outside ASCII as C's universal character names: `xé` becomes `x\U000000e9`.

/// How long the word is that `rest` begins with; 0 where it begins with none. Letters outside ASCII belong to it, so
/// that a name with one is a single mistake.
pub(crate) fn length(rest: &str) -> usize {
    let mut length = 0;
    while let Some(character) = rest[length..].chars().next() {
        let universal = universal_name(&rest[length..]);
        length += match character {
            _ if is_word_byte_of(character) => 1,
            '$' if length > 0 => 1,
            '\\' => match universal {
                Some((_, length)) => length,
                None => break,
            },
            _ if is_foreign_letter(character) => character.len_utf8(),
            _ => break,
        };
    }
    length
}

/// True where C and every other language agree that this is a word.
pub(crate) fn is_plain(word: &str) -> bool {
    word.chars().all(is_word_byte_of)
}

/// The word as its author wrote it, before a preprocessor spelled its letters out.
pub(crate) fn as_written(word: &str) -> String {
    let mut written = String::new();
    let mut rest = word;
    while let Some(character) = rest.chars().next() {
        let (character, length) = universal_name(rest).unwrap_or((character, character.len_utf8()));
        written.push(character);
        rest = &rest[length..];
    }
    written
}

fn is_word_byte_of(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

/// Letters and digits of other alphabets, and the accents that stand behind a letter.
fn is_foreign_letter(character: char) -> bool {
    !character.is_ascii() && (character.is_alphanumeric() || ('\u{300}'..='\u{36f}').contains(&character))
}

/// The letter that `\u` and four digits, or `\U` and eight, stand for, and their length.
fn universal_name(rest: &str) -> Option<(char, usize)> {
    let digits = match rest.get(..2)? {
        "\\u" => rest.get(2..6)?,
        "\\U" => rest.get(2..10)?,
        _ => return None,
    };
    let is_hexadecimal = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let number = is_hexadecimal.then(|| u32::from_str_radix(digits, 16).ok()).flatten()?;
    Some((char::from_u32(number)?, 2 + digits.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_every_alphabet_make_one_word() {
        assert_eq!(length("abc_1 d"), 5);
        assert_eq!(length("xé漢;"), 6);
        assert_eq!(length("e\u{301};"), 3);
        assert_eq!(length("x\\U000000e9y;"), 12);
        assert_eq!(length("x$y"), 3);
        assert_eq!(length("x\\n"), 1);
        assert_eq!(length("\\u12"), 0);
        assert_eq!(length("€"), 0);
        assert!(is_plain("a_1") && !is_plain("x$"));
    }

    #[test]
    fn a_word_is_quoted_as_it_was_written() {
        assert_eq!(as_written("x\\U000000e9\\u6f22"), "xé漢");
        assert_eq!(as_written("x\\Uffffffff"), "x\\Uffffffff");
    }
}
