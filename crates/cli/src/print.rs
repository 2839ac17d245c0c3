//! The two channels. A reader that went away is no error of ours; a full disk is.

use std::io::{ErrorKind, Write};

use crate::Ending;

/// Writes to standard output.
pub(crate) fn output(text: &str) -> Ending {
    let mut channel = std::io::stdout().lock();
    match channel.write_all(text.as_bytes()).and_then(|()| channel.flush()) {
        Err(problem) if problem.kind() != ErrorKind::BrokenPipe => {
            complain(&format!("cannot write to standard output: {problem}\n"));
            Ending::InputAtFault
        }
        _ => Ending::Done,
    }
}

/// Writes a line to standard output at once. False where nobody reads any more, or what is written cannot be kept.
pub(crate) fn line(text: &str) -> bool {
    let mut channel = std::io::stdout().lock();
    match channel.write_all(text.as_bytes()).and_then(|()| channel.flush()) {
        Ok(()) => true,
        Err(problem) => {
            if problem.kind() != ErrorKind::BrokenPipe {
                error(&format!("cannot write to standard output: {problem}\n"));
            }
            false
        }
    }
}

/// Says what is wrong. Names in it may be anybody's: what a terminal would obey is spelled.
pub(crate) fn complain(text: &str) {
    error(&escape::lines(text));
}

/// Writes to standard error as it stands; nobody is left to hear when that fails.
pub(crate) fn error(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}
