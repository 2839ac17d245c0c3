//! What a misspelled word was probably meant to be.

/// The one of `candidates` that is nearest to `word`, when it is near.
pub(super) fn near_miss<'a>(word: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let word = word.to_ascii_lowercase();
    let allowed = |candidate: &str| if candidate.len().min(word.len()) < 5 { 1 } else { 2 };
    let near = candidates.iter().map(|candidate| (distance(&word, candidate), *candidate));
    near.filter(|(distance, candidate)| *distance <= allowed(candidate)).min().map(|(_, candidate)| candidate)
}

/// How many letters to add, drop, change, or swap with the next one; words of very different lengths are far apart.
fn distance(word: &str, candidate: &str) -> usize {
    let (word, candidate) = (word.as_bytes(), candidate.as_bytes());
    if word.len().abs_diff(candidate.len()) > 2 {
        return usize::MAX;
    }
    let mut rows: Vec<Vec<usize>> = vec![(0..=candidate.len()).collect()];
    for (row, letter) in word.iter().enumerate() {
        let mut next = vec![row + 1];
        for (column, wanted) in candidate.iter().enumerate() {
            let changed = rows[row][column] + usize::from(letter != wanted);
            let mut least = changed.min(rows[row][column + 1] + 1).min(next[column] + 1);
            let is_swapped =
                row > 0 && column > 0 && *letter == candidate[column - 1] && word[row - 1] == *wanted;
            if is_swapped {
                least = least.min(rows[row - 1][column - 1] + 1);
            }
            next.push(least);
        }
        rows.push(next);
    }
    rows[word.len()][candidate.len()]
}

#[cfg(test)]
mod tests {
    use super::near_miss;

    #[test]
    fn slips_are_guessed_and_other_words_are_not() {
        let words = ["inport", "outport", "middle", "via"];
        assert_eq!(near_miss("import", &words), Some("inport"));
        assert_eq!(near_miss("MIDLE", &words), Some("middle"));
        assert_eq!(near_miss("vai", &words), Some("via"));
        assert_eq!(near_miss("", &words), None);
        assert_eq!(near_miss("interface", &words), None);
    }
}
