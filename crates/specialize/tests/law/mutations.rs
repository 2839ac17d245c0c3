//! Does the suite notice? The specializer forgets one duty at a time (feature `mutations`), and some trial must fail.
//! These trials are there only with the feature: `cargo test -p specialize --features mutations --test law mutation`.

use std::process::Command;

use libtest_mimic::{Failed, Trial};

/// Each duty, and what becomes of programs where it is forgotten.
const DUTIES: [(&str, &str); 33] = [
    ("call", "memory that unknown code can reach is taken to be unchanged by calls"),
    ("own-store", "a store to an unknown place of an object leaves what is known of it"),
    ("other-store", "a store through a pointer leaves what is known of other objects"),
    ("callers", "a store through any pointer leaves what is known of the function's own objects"),
    ("escape", "an object whose address residual code has is taken for private"),
    ("materialize", "an object that the residual program gets does not get its content"),
    ("expose", "what a residual object points to is not there"),
    ("begin-again", "a jump back makes another object of a local that somebody still knows"),
    ("overlap", "a store leaves older cells that it overlaps"),
    ("join", "paths join whose states differ"),
    ("exit", "what a function that calls itself changes is taken to be as it was at its entry"),
    ("retained", "an address that a function that calls itself has kept is taken to be known to its caller alone"),
    ("extent", "a store at an unknown index of an array leaves the array's items as they were"),
    (
        "lent",
        "what a function was lent that keeps nothing is taken to be reached from nowhere else, though it was before",
    ),
    ("elements", "what all elements of an array have in common holds on where another type is written there"),
    ("within", "a store through an address inside an object leaves what is known of it by other addresses"),
    ("private", "what the scenario says is private is taken to be reached through the pointer itself alone"),
    ("snapshot", "what a recursive function writes in a caller's object that it was to look at only is lost"),
    ("rename", "after a meeting, the registers of one way stand for those of all"),
    ("link", "static variables of the general code are copied"),
    ("own-static", "a function's own static variable is another one where it is called"),
    ("identity", "objects and functions that are compared by their addresses are copied"),
    ("bounds", "a pointer into an array is moved as an index of the array"),
    ("padding", "what lies between members is not copied"),
    ("move", "memory that is moved over itself is written before it is read"),
    ("length", "a comparison of so many characters compares all"),
    ("sign", "the result of a comparison is taken to be its sign, whatever is done with it"),
    ("constant-object", "a variable that is read with different contents is one constant object"),
    (
        "borrow",
        "functions are taken to write nothing through addresses of variables that hold constants, and to keep none",
    ),
    ("alignment", "a string is taken to be aligned where it is not"),
    ("numbers", "where paths join, what one of them knows of numbers holds on"),
    ("trace", "statements in the residual code are reported as computed"),
    ("constructor", "variables are taken to hold their initial values after constructors"),
];

/// What is tried, the quickest first.
const KINDS: [&str; 10] =
    ["case", "linked", "machines", "owned", "contexts", "conditions", "library", "csmith", "torture", "divided"];

/// A trial for each duty; none without the feature, and none in the runs that these trials start.
pub(crate) fn trials() -> Vec<Trial> {
    if !cfg!(feature = "mutations") || std::env::var_os("WHITTLE_MUTATION").is_some() {
        return Vec::new();
    }
    let trial = |(duty, what)| Trial::test(format!("mutation: {duty}"), move || notice(duty, what));
    DUTIES.into_iter().map(trial).collect()
}

fn notice(duty: &str, what: &str) -> Result<(), Failed> {
    for kind in KINDS {
        let mut run = Command::new(std::env::current_exe()?);
        run.args(["--test-threads", "1", kind]).env("WHITTLE_MUTATION", duty);
        let output = run.output()?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let noticed: Vec<&str> =
            said.lines().filter(|line| line.trim_end().ends_with("FAILED")).filter_map(name_of).collect();
        if !noticed.is_empty() {
            eprintln!("{duty} ({what}): noticed by {}", noticed.join(", "));
            return Ok(());
        }
    }
    Err(format!("nothing notices where {what}").into())
}

/// The trial in a line `test NAME ... FAILED`.
fn name_of(line: &str) -> Option<&str> {
    Some(line.strip_prefix("test ")?.split(" ... ").next()?.trim())
}
