//! A line on the terminal that says how far a long run is. In: what the specializer counts. Out: one line on standard error that is
//! written anew several times a second, and removed at the end; nothing off terminals, nothing with `--quiet`.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use driver::Progress;

use crate::report::Format;
use crate::{print, voice};

/// Runs that are shorter show nothing.
const PATIENCE: Duration = Duration::from_secs(2);

/// Between two lines.
const PAUSE: Duration = Duration::from_millis(250);

/// The line, as long as this lives.
pub(crate) struct Shown {
    /// Dropped first, which ends the thread.
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Shown {
    pub(crate) fn begin(progress: &Arc<Progress>) -> Shown {
        let voice = voice::get();
        // A line that is written anew takes a terminal that can remove one.
        let is_terminal = std::io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|name| name != "dumb");
        if voice.is_quiet || voice.format == Format::Json || !is_terminal {
            return Shown { end: None, thread: None };
        }
        let (end, ended) = mpsc::channel();
        let progress = Arc::clone(progress);
        let show = move || {
            let begun = Instant::now();
            let mut wait = PATIENCE;
            while ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                let (function, steps) = progress.now();
                print::error(&format!("\r\x1b[K{}", line(&function, steps, begun.elapsed())));
                wait = PAUSE;
            }
            if wait == PAUSE {
                print::error("\r\x1b[K");
            }
        };
        Shown { end: Some(end), thread: std::thread::Builder::new().spawn(show).ok() }
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Short enough for one line of a terminal, whatever the function is called.
fn line(function: &str, steps: u64, time: Duration) -> String {
    let seconds = time.as_secs();
    if function.is_empty() {
        return format!("reading C, {seconds} s");
    }
    let name: String = function.chars().take(40).collect();
    format!("specializing {}: {steps} steps, {seconds} s", escape::lines(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_is_done_and_for_how_long() {
        let time = Duration::from_millis(12_900);
        assert_eq!(line("root", 1_234_567, time), "specializing root: 1234567 steps, 12 s");
        assert_eq!(line("", 0, time), "reading C, 12 s");
        assert!(line(&"f".repeat(4000), u64::MAX, time).len() < 100);
    }
}
