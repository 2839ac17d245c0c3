//! Old spellings of options, each kept for a release. In: the arguments. Out: a note for each that is used.
//! `docs/command-line.md` has the same table.

use std::ffi::OsString;

use crate::print;

/// An option or a value as it was, and as it is.
const RENAMED: [(&str, &str); 3] = [("--output", "--out"), ("onc-tcp", "onc"), ("onc-udp", "onc")];

/// Notes on what was renamed.
pub(super) fn remark(arguments: &[OsString]) {
    for (old, new) in RENAMED.into_iter().filter(|(old, _)| is_used(arguments, old)) {
        print::note(&format!("`{old}` is called `{new}` now; the old name goes with the next release"));
    }
}

fn is_used(arguments: &[OsString], old: &str) -> bool {
    let words = arguments.iter().take_while(|word| *word != "--").filter_map(|word| word.to_str());
    // `--output=FILE`, `--link=onc-tcp`.
    words.into_iter().any(|word| word.split('=').any(|part| part == old) && (word.starts_with("--") || word == old))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_names_are_seen_wherever_they_stand() {
        let is_used = |text: &str, old| is_used(&text.split(' ').map(OsString::from).collect::<Vec<_>>(), old);
        assert!(is_used("specialize a.c --output b.c", "--output"));
        assert!(is_used("specialize a.c --output=b.c", "--output"));
        assert!(is_used("compile a.x --link onc-udp", "onc-udp"));
        assert!(!is_used("specialize a.c -o b.c -- --output", "--output"));
        assert!(!is_used("specialize a.c --out b.c", "--output"));
    }

    #[test]
    fn the_page_has_the_same_table() {
        let page = include_str!("../../../../docs/command-line.md");
        for (old, new) in RENAMED {
            let has = |line: &&str| line.contains(&format!("`{old}`")) || line.contains(&format!("`--link {old}`"));
            let row = page.lines().filter(|line| line.starts_with('|')).find(has);
            assert!(row.is_some_and(|row| row.contains(new)), "{old}: {row:?}");
        }
    }
}
