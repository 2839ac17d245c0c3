//! Where everything is known, nothing is left but constants and effects, or the specializer says what it gave up: each
//! residual program of a known one has no test and no loop, but for loops that were computed round by round and
//! rolled again, or it comes with generalizations. Their causes are counted over the run.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use crate::worker::Residual;

/// Of a hundred residual programs, so many are nothing but constants and effects, at least.
const PERCENT: usize = 70;

/// Fewer programs say nothing.
const ENOUGH: usize = 60;

/// What tests begin with.
const TESTS: [&str; 3] = ["if (", "switch (", "goto "];

/// What loops begin with.
const LOOPS: [&str; 2] = ["for (", "while ("];

/// What was seen so far.
#[derive(Default)]
struct Seen {
    all: usize,
    plain: usize,
    /// Programs by the causes of what they hold beyond constants and effects.
    causes: BTreeMap<String, usize>,
}

static SEEN: Mutex<Option<Seen>> = Mutex::new(None);

/// Takes note of what is left of a program of which everything is known; what is wrong with it, if anything is.
pub(crate) fn judge(residual: &Residual) -> Option<String> {
    let reached = reached(&residual.text);
    let control: Vec<&str> = reached.iter().flat_map(|body| body.lines()).filter(|line| is_control(line)).collect();
    let loops = control.iter().filter(|line| LOOPS.iter().any(|word| line.contains(word))).count();
    let is_plain = loops == control.len() && loops <= residual.rolled;
    let causes: BTreeSet<&str> = residual.given_up.iter().filter_map(|line| line.split(':').next()).collect();
    let mut seen = SEEN.lock().ok()?;
    let seen = seen.get_or_insert_default();
    seen.all += 1;
    seen.plain += usize::from(is_plain);
    if is_plain {
        return None;
    }
    causes.iter().for_each(|cause| *seen.causes.entry((*cause).to_owned()).or_default() += 1);
    let first = control.first().map_or("", |line| line.trim());
    causes.is_empty().then(|| format!("`{first}` stays though all is known, and no generalization is reported"))
}

fn is_control(line: &str) -> bool {
    TESTS.iter().chain(&LOOPS).any(|word| line.contains(word))
}

/// The bodies of `main` and of what it calls. Other functions are for other files, and stand as they stood.
fn reached(text: &str) -> Vec<&str> {
    let mut bodies: BTreeMap<&str, &str> = BTreeMap::new();
    let mut head = "";
    for (at, _) in text.match_indices('\n').filter(|(at, _)| text[at + 1..].starts_with("{\n")) {
        head = text[..at].rsplit('\n').next().unwrap_or(head);
        let end = text[at..].find("\n}").map_or(text.len(), |end| at + end);
        if let Some(name) = head.split('(').next().and_then(|front| front.trim_end().rsplit([' ', '*']).next()) {
            bodies.insert(name, &text[at..end]);
        }
    }
    let (mut waiting, mut seen, mut found) = (vec!["main"], BTreeSet::new(), Vec::new());
    while let Some(name) = waiting.pop() {
        if let (Some(body), true) = (bodies.get(name), seen.insert(name)) {
            let words = body.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
            waiting.extend(words.filter(|word| bodies.contains_key(word)));
            found.push(*body);
        }
    }
    found
}

/// What is said after all trials, and whether it is an error.
pub(crate) fn verdict() -> Option<(String, bool)> {
    let seen = SEEN.lock().ok()?;
    let seen = seen.as_ref().filter(|seen| seen.all > 0)?;
    let mut causes: Vec<(&String, &usize)> = seen.causes.iter().collect();
    causes.sort_by_key(|(cause, count)| (std::cmp::Reverse(**count), *cause));
    let causes: Vec<String> = causes.iter().map(|(cause, count)| format!("{cause} in {count}")).collect();
    let (plain, all) = (seen.plain, seen.all);
    let rest = if causes.is_empty() { String::new() } else { format!("; in the others: {}", causes.join(", ")) };
    let text = format!("{plain} of {all} residual programs of known ones are nothing but constants and effects{rest}");
    Some((text, all >= ENOUGH && plain * 100 < all * PERCENT))
}
