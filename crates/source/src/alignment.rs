//! Finding a token of a preprocessed line in the line it was made from.
//!
//! A preprocessor squeezes blanks and expands macros. The blanks are of no matter: the token's place is the one
//! with as many other characters before it. A macro is: only where the text up to the token, or the text from the
//! token on, stands unexpanded is the place certain, and only then is one given.

use std::ops::Range;

/// The bytes of `original` that hold what `range` holds of `preprocessed`, if that is certain.
pub(crate) fn align(original: &str, preprocessed: &str, range: Range<usize>) -> Option<Range<usize>> {
    let old: Vec<(usize, char)> = inked(original).collect();
    let new: Vec<(usize, char)> = inked(preprocessed).collect();
    let before = new.partition_point(|&(offset, _)| offset < range.start);
    let through = new.partition_point(|&(offset, _)| offset < range.end).max(before);

    let unexpanded_so_far = old.len() >= through && same(&old[..through], &new[..through]);
    if unexpanded_so_far {
        return place(&old, before, through);
    }
    let after = new.len() - before;
    let unexpanded_from_here = old.len() >= after && same(&old[old.len() - after..], &new[before..]);
    if unexpanded_from_here {
        let first = old.len() - after;
        return place(&old, first, first + (through - before));
    }
    None
}

/// The characters that leave ink on paper, with their places.
fn inked(line: &str) -> impl Iterator<Item = (usize, char)> {
    let mut spelled_to = 0;
    line.char_indices().filter_map(move |(offset, character)| {
        if offset < spelled_to || character.is_whitespace() {
            return None;
        }
        let spelled = spelled_out(&line[offset..]);
        spelled_to = offset + if spelled.is_some() { SPELLED.len() } else { 0 };
        Some((offset, spelled.unwrap_or(character)))
    })
}

/// How a preprocessor spells a letter outside ASCII.
const SPELLED: &str = "\\U00000000";

fn spelled_out(rest: &str) -> Option<char> {
    let digits =
        rest.strip_prefix("\\U")?.get(..8).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
    char::from_u32(u32::from_str_radix(digits, 16).ok()?)
}

fn same(left: &[(usize, char)], right: &[(usize, char)]) -> bool {
    left.iter().zip(right).all(|(left, right)| left.1 == right.1)
}

/// From the first to the last of the characters `first..past`; behind the one before them where there are none.
fn place(line: &[(usize, char)], first: usize, past: usize) -> Option<Range<usize>> {
    let end_of = |index: usize| line.get(index).map(|&(offset, character)| offset + character.len_utf8());
    if first == past {
        let end = match first.checked_sub(1) {
            Some(previous) => end_of(previous)?,
            None => 0,
        };
        return Some(end..end);
    }
    Some(line.get(first)?.0..end_of(past - 1)?)
}

#[cfg(test)]
mod tests {
    use super::align;

    fn found(original: &'static str, preprocessed: &str, token: &str) -> Option<&'static str> {
        let start = preprocessed.find(token).unwrap();
        align(original, preprocessed, start..start + token.len()).map(|range| &original[range])
    }

    #[test]
    fn squeezed_blanks_do_not_matter() {
        assert_eq!(found("  int\t  x<MAX>;", "  int x<MAX>;", "x"), Some("x"));
    }

    #[test]
    fn text_before_or_after_a_macro_is_found_and_the_macro_is_not() {
        assert_eq!(found("int   x<MAX>   y;", "int x<10> y;", "x"), Some("x"));
        assert_eq!(found("int   x<MAX>   y;", "int x<10> y;", "y"), Some("y"));
        assert_eq!(found("int   x<MAX>   y;", "int x<10> y;", "10"), None);
        assert_eq!(found("A x B", "1 x 2", "x"), None);
    }

    #[test]
    fn letters_that_were_spelled_out_are_found() {
        assert_eq!(found("int  xé;  y", "int x\\U000000e9; y", "x\\U000000e9"), Some("xé"));
        assert_eq!(found("int  xé;  y", "int x\\U000000e9; y", "y"), Some("y"));
        assert_eq!(found("a \\U0000 b", "a \\U0000 b", "b"), Some("b"));
    }

    #[test]
    fn an_empty_range_stands_behind_the_character_before_it() {
        assert_eq!(align("int   x  }", "int x }", 5..5), Some(7..7));
        assert_eq!(align("  x", "x", 0..0), Some(0..0));
    }
}
