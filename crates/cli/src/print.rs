//! The channels: standard output, or the file that takes its place, and standard error. A reader that went away is no
//! error of ours; a full disk is, and it is said once.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use source::render;

use crate::report::Format;
use crate::{Ending, errors, voice};

/// Where text for the user goes.
enum Sink {
    Standard,
    /// It is kept, and becomes a file in one step.
    Kept(String),
    /// It goes to this file as it comes.
    Stream(String, File),
}

static SINK: Mutex<Sink> = Mutex::new(Sink::Standard);

fn sink() -> MutexGuard<'static, Sink> {
    SINK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on, output is kept.
pub(crate) fn keep() {
    *sink() = Sink::Kept(String::new());
}

/// What was kept since [`keep`]; `None` where nothing is.
pub(crate) fn kept() -> Option<String> {
    match &mut *sink() {
        Sink::Kept(text) => Some(std::mem::take(text)),
        _ => None,
    }
}

/// From now on, output goes into a file as it comes.
pub(crate) fn stream(name: String, file: File) {
    *sink() = Sink::Stream(name, file);
}

/// Writes output.
pub(crate) fn output(text: &str) -> Ending {
    line(text);
    if has_failed() { Ending::InputAtFault } else { Ending::Done }
}

/// Writes output at once. False where nobody reads any more, or what is written cannot be kept.
pub(crate) fn line(text: &str) -> bool {
    let Err((name, problem)) = written(text) else { return true };
    if problem.kind() != ErrorKind::BrokenPipe && !FAILED.swap(true, Ordering::Relaxed) {
        refuse(&format!("cannot write to {name}: {}", errors::describe(&problem)));
    }
    false
}

/// Whether output could not be kept; that has been said.
pub(crate) fn has_failed() -> bool {
    FAILED.load(Ordering::Relaxed)
}

static FAILED: AtomicBool = AtomicBool::new(false);

fn written(text: &str) -> Result<(), (String, io::Error)> {
    match &mut *sink() {
        Sink::Standard => to_standard_output(text).map_err(|problem| ("standard output".to_owned(), problem)),
        Sink::Kept(kept) => {
            kept.push_str(text);
            Ok(())
        }
        Sink::Stream(name, file) => file.write_all(text.as_bytes()).map_err(|problem| (name.clone(), problem)),
    }
}

/// All of a text or an error, past the library's buffer: what it could not write it would try again later.
pub(crate) fn to_standard_output(text: &str) -> io::Result<()> {
    let _order = io::stdout().lock();
    let mut rest = text.as_bytes();
    while !rest.is_empty() {
        match rustix::io::write(rustix::stdio::stdout(), rest) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(count) => rest = &rest[count..],
            Err(rustix::io::Errno::INTR) => {}
            Err(problem) => return Err(problem.into()),
        }
    }
    Ok(())
}

/// Says what is wrong: an error without a code. Its parts are separated by line ends. Names in it may be anybody's:
/// what a terminal would obey is spelled.
pub(crate) fn refuse(message: &str) {
    plain("error", message);
}

/// Says what has gone wrong, and has been mended.
pub(crate) fn warn(message: &str) {
    plain("warning", message);
}

/// Says something that is good to know. `--quiet` leaves it out.
pub(crate) fn note(message: &str) {
    if !voice::get().is_quiet {
        plain("note", message);
    }
}

/// Says what goes on, for people alone.
pub(crate) fn progress(message: &str) {
    let voice = voice::get();
    if !voice.is_quiet && voice.format != Format::Json {
        error(&format!("{}\n", escape::lines(message)));
    }
}

fn plain(severity: &'static str, message: &str) {
    match voice::get().format {
        Format::Json => error(&render::json_message(severity, message, None)),
        _ => error(&format!("{severity}: {}\n", escape::lines(message))),
    }
}

/// Writes to standard error as it stands; nobody is left to hear when that fails.
pub(crate) fn error(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}
