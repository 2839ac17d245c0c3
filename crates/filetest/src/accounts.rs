//! What `whittle pipe top` says of a flow that runs, for tests that wait for something to happen: a machine with much else to do
//! may take its time. In: where the command is, and the folder of the flow's pages. Out: counters, or what was waited for in vain.

use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::programs::Outcome;

/// Longer than anything takes that is not at fault.
const PATIENCE: Duration = Duration::from_secs(180);

/// The counters of the first edge: offered, delivered, waiting, under way, dropped, faulty, unknown. `pages` stands in `folder`.
///
/// # Errors
///
/// There is no such edge yet, or its pages are being written.
pub fn account(whittle: &str, folder: &Path, pages: &str) -> Outcome<[u64; 7]> {
    let top = Command::new(whittle).args(["pipe", "top", pages, "--once"]).current_dir(folder).output()?;
    let text = String::from_utf8(top.stdout)?;
    let line = text.lines().find(|line| line.contains(" -> ")).ok_or_else(|| format!("no edge: {text}"))?;
    let words = line.rsplit_once(" -> ").map_or("", |(_, words)| words);
    let counts: Vec<u64> = words.split_whitespace().skip(1).map_while(|word| word.parse().ok()).collect();
    counts.first_chunk().copied().ok_or_else(|| format!("no counts: {line}").into())
}

/// The process that has an end of an edge, and how many have had it in this run, as the end's page says.
///
/// # Errors
///
/// The page is not there, or is being made.
pub fn holder(page: &Path) -> Outcome<(u64, u64)> {
    let page = std::fs::read(page)?;
    let number = |at: usize| Outcome::Ok(u64::from_ne_bytes(page.get(at..at + 8).ok_or("short")?.try_into()?));
    Ok((number(56)?, number(48)?))
}

/// Whether a process runs: it is there, and no zombie.
#[must_use]
pub fn is_there(process: u64) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    status.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

/// Waits until it holds; `what` is said where it never does.
///
/// # Errors
///
/// It did not come to hold in minutes, or looking failed.
pub fn wait_until(what: &str, mut holds: impl FnMut() -> Outcome<bool>) -> Outcome {
    let until = Instant::now() + PATIENCE;
    while !holds()? {
        if Instant::now() > until {
            return Err(format!("waited in vain: {what}").into());
        }
        sleep(Duration::from_millis(10));
    }
    Ok(())
}
