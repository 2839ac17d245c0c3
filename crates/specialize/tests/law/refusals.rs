//! Refusals that are right: what the specializer does not take, kind by kind. A refusal of another kind fails its trial;
//! too many of one kind fail the run.

use std::collections::BTreeMap;
use std::sync::Mutex;

/// A kind a line: words of the refusal, and how many programs may be refused for it.
const KINDS: &str = include_str!("refused.txt");

/// Refusals so far, by kind.
static SEEN: Mutex<BTreeMap<&str, usize>> = Mutex::new(BTreeMap::new());

fn kinds() -> impl Iterator<Item = (usize, &'static str)> {
    let kind = |line: &'static str| {
        let (words, most) = line.rsplit_once('|')?;
        Some((most.trim().parse().ok()?, words.trim()))
    };
    KINDS.lines().filter_map(kind)
}

/// Takes note of a refusal; false where it is of no known kind.
pub(crate) fn is_right(said: &str) -> bool {
    let Some((_, kind)) = kinds().find(|(_, words)| said.contains(words)) else { return false };
    if let Ok(mut seen) = SEEN.lock() {
        *seen.entry(kind).or_default() += 1;
    }
    true
}

/// How often each kind was refused, after all trials.
pub(crate) fn counted() -> Vec<String> {
    let Ok(seen) = SEEN.lock() else { return Vec::new() };
    seen.iter().map(|(words, count)| format!("{count} refused for `{words}`")).collect()
}

/// Kinds of which there were too many, after all trials.
pub(crate) fn too_many() -> Vec<String> {
    let Ok(seen) = SEEN.lock() else { return vec!["a trial panicked".to_owned()] };
    let most: BTreeMap<&str, usize> = kinds().map(|(most, words)| (words, most)).collect();
    let over = seen.iter().filter(|(words, count)| **count > most.get(*words).copied().unwrap_or(0));
    over.map(|(words, count)| format!("{count} programs were refused for `{words}`, more than expected")).collect()
}
