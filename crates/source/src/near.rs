//! The known word that a writer probably meant.

/// Names that a name is compared with. A file of many names may have as many errors, and each name compared with each error is too much.
pub const COMPARED: usize = 1000;

/// The one of `candidates` that `word` is probably a misspelling of; the case counts for nothing.
pub fn near_miss<'a>(word: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let lower = word.to_ascii_lowercase();
    let allowed = if lower.len() < 5 { 1 } else { 2 };
    let letters_of_word = letters(word);
    // Each change of a letter takes one away and puts another one there.
    let may_be_near = |candidate: &str| {
        candidate.len().abs_diff(lower.len()) <= allowed
            && (letters_of_word ^ letters(candidate)).count_ones() as usize <= 2 * allowed
    };
    let far = |candidate: &&str| match may_be_near(candidate) {
        true => distance(&lower, &candidate.to_ascii_lowercase()),
        false => usize::MAX,
    };
    candidates.iter().take(COMPARED).copied().filter(|candidate| far(candidate) <= allowed).min_by_key(far)
}

/// The one of `names` that was probably meant; names of a letter or two are like too many others.
pub fn near_name<'a>(name: &str, names: &[&'a str]) -> Option<&'a str> {
    near_miss(name, names).filter(|found| found.len() > 2)
}

/// The letters of a word, as a set: far less work than a distance.
fn letters(word: &str) -> u64 {
    word.bytes().fold(0, |letters, byte| letters | 1 << (byte.to_ascii_lowercase() & 63))
}

/// How many letters to add, drop, change or swap with their neighbour to get from one word to the other; words of
/// very different lengths are just far apart.
fn distance(left: &str, right: &str) -> usize {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    if left.len().abs_diff(right.len()) > 2 {
        return usize::MAX;
    }
    let mut before_last = vec![0; right.len() + 1];
    let mut last: Vec<usize> = (0..=right.len()).collect();
    for row in 1..=left.len() {
        let mut current = vec![row; right.len() + 1];
        for column in 1..=right.len() {
            let changed = usize::from(left[row - 1] != right[column - 1]);
            let mut least = (last[column - 1] + changed).min(last[column] + 1).min(current[column - 1] + 1);
            let swapped =
                row > 1 && column > 1 && left[row - 1] == right[column - 2] && left[row - 2] == right[column - 1];
            if swapped {
                least = least.min(before_last[column - 2] + 1);
            }
            current[column] = least;
        }
        before_last = std::mem::replace(&mut last, current);
    }
    last[right.len()]
}

#[cfg(test)]
mod tests {
    use super::near_miss;

    const DECLARATIONS: [&str; 6] = ["const", "typedef", "struct", "union", "enum", "program"];

    #[test]
    fn misspelled_words_are_guessed_and_others_are_not() {
        assert_eq!(near_miss("sturct", &DECLARATIONS), Some("struct"));
        assert_eq!(near_miss("Typdef", &DECLARATIONS), Some("typedef"));
        assert_eq!(near_miss("enmu", &DECLARATIONS), Some("enum"));
        assert_eq!(near_miss("interface", &DECLARATIONS), None);
        assert_eq!(near_miss("x", &DECLARATIONS), None);
    }
}
