//! The programs of a flow while they run. In: the programs, each with what its flow says of its death. Out: whether all went well.
//! What a first SIGINT or SIGTERM asks for, and the death of this process, is that the sources end; the programs then end by
//! themselves. Those that do not within a time are killed, and all at once where a second signal comes. A program that dies is
//! started again, or all are asked to end. Source: `docs/guides/describe-a-flow.md`.

use std::ffi::OsString;
use std::io::{ErrorKind, Read};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use driver::FlowProgram;
use signal_hook::consts::{SIGCHLD, SIGINT, SIGTERM};

use super::restarts::{Restarts, Verdict};
use crate::{Ending, errors, print};

/// Who ends a process group may have asked this process by name just before: that is one wish.
const SAME_WISH: Duration = Duration::from_millis(500);

/// Signals to this process, and the ends of others: what a supervisor waits for.
pub(super) struct Wishes {
    is_asked: Arc<AtomicBool>,
    bell: UnixStream,
}

impl Wishes {
    /// From now on, signals are reported here.
    pub(super) fn heard() -> std::io::Result<Wishes> {
        let is_asked = Arc::new(AtomicBool::new(false));
        let (bell, rung) = UnixStream::pair()?;
        for signal in [SIGINT, SIGTERM] {
            signal_hook::flag::register(signal, Arc::clone(&is_asked))?;
        }
        for signal in [SIGINT, SIGTERM, SIGCHLD] {
            signal_hook::low_level::pipe::register(signal, rung.try_clone()?)?;
        }
        Ok(Wishes { is_asked, bell })
    }

    /// Until something has happened, or the time has come.
    fn wait(&self, until: Option<Instant>) {
        let left = until.map(|until| until.saturating_duration_since(Instant::now()).max(Duration::from_millis(1)));
        let mut rung = [0; 64];
        if self.bell.set_read_timeout(left).is_err() {
            std::thread::sleep(Duration::from_millis(20));
            return;
        }
        match (&self.bell).read(&mut rung) {
            Err(problem) if !matches!(problem.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {
                std::thread::sleep(Duration::from_millis(20));
            }
            _ => {}
        }
    }
}

/// A program and its options.
type Started<'a> = (&'a FlowProgram, &'a [OsString]);

/// A program that runs, or is to run again.
struct Running<'a> {
    program: &'a FlowProgram,
    options: &'a [OsString],
    child: Option<Child>,
    /// When it is started again.
    due: Option<Instant>,
    restarts: Restarts,
    /// When it was asked to end.
    asked: Option<Instant>,
    /// It did not, and was killed.
    is_killed: bool,
}

impl Running<'_> {
    fn is_wanted(&self) -> bool {
        self.child.is_some() || self.due.is_some()
    }

    fn ask_to_end(&mut self) {
        if let Some(child) = &self.child {
            self.asked.get_or_insert_with(Instant::now);
            ask_to_end(child);
        }
    }

    /// When it is killed, if it does not end.
    fn killed_at(&self, patience: Duration) -> Option<Instant> {
        self.child.as_ref().filter(|_| !self.is_killed)?;
        self.asked?.checked_add(patience)
    }

    /// Whether it died of being asked to end: it had just begun, and did not catch signals yet. One that does takes all of this time for one wish.
    fn has_obeyed(&self, status: ExitStatus, now: Instant) -> bool {
        let soon = self.asked.is_some_and(|asked| now.saturating_duration_since(asked) <= SAME_WISH);
        soon && status.signal() == Some(SIGTERM)
    }

    /// `why` stands behind its name.
    fn kill(&mut self, why: &str) {
        if let Some(child) = self.child.as_mut().filter(|_| !self.is_killed) {
            self.is_killed = true;
            print::warn(&format!("{} {why}: it is killed (SIGKILL)", self.program.name));
            // It may have ended by itself.
            let _ = child.kill();
        }
    }
}

/// How programs are started.
struct Start<'a> {
    folder: &'a Path,
}

impl Start<'_> {
    fn program(&self, (program, options): Started, is_again: bool) -> std::io::Result<Child> {
        let path = self.folder.join(&program.name);
        let path = std::fs::canonicalize(&path).unwrap_or(path);
        Command::new(path).args(options).args(is_again.then_some("--again")).spawn()
    }
}

/// Starts all, and waits until all have ended. `restarts`: programs that die may be started again. `patience`: how long one that is
/// asked to end has.
pub(super) fn run(
    folder: &str,
    programs: &[(&FlowProgram, Vec<OsString>)],
    (restarts, patience): (bool, Duration),
    wishes: &Wishes,
) -> Ending {
    let start = Start { folder: Path::new(folder) };
    let mut flow =
        Supervised { start, running: Vec::new(), patience, is_ending: false, wished: None, ending: Ending::Done };
    for (program, options) in programs {
        let policy = if restarts { program.restart } else { driver::FlowRestart::NEVER };
        match flow.start.program((program, options), false) {
            Ok(child) => flow.running.push(Running {
                program,
                options,
                child: Some(child),
                due: None,
                restarts: Restarts::new(policy, Instant::now()),
                asked: None,
                is_killed: false,
            }),
            Err(problem) => {
                print::refuse(&format!("cannot start {}: {}", program.name, errors::describe(&problem)));
                flow.fail();
                break;
            }
        }
    }
    flow.wait(wishes)
}

struct Supervised<'a> {
    start: Start<'a>,
    running: Vec<Running<'a>>,
    patience: Duration,
    /// All have been asked to end.
    is_ending: bool,
    /// When a signal first asked for it.
    wished: Option<Instant>,
    ending: Ending,
}

impl Supervised<'_> {
    /// Waits for all. A signal to this process is handed on; a program that fails for good ends the others.
    fn wait(mut self, wishes: &Wishes) -> Ending {
        while self.running.iter().any(Running::is_wanted) {
            if wishes.is_asked.swap(false, Ordering::Relaxed) {
                self.is_wished();
            }
            (0..self.running.len()).for_each(|at| self.look(at));
            (0..self.running.len()).for_each(|at| self.ask_unfed(at));
            self.kill_overdue();
            let (running, patience) = (self.running.iter(), self.patience);
            let due = running.flat_map(|running| [running.due, running.killed_at(patience)]).flatten().min();
            if self.running.iter().any(Running::is_wanted) && !wishes.is_asked.load(Ordering::Relaxed) {
                wishes.wait(due);
            }
        }
        self.ending
    }

    /// A signal has come: the first asks all to end, a second one, or one to a flow that is ending already, is obeyed at once.
    fn is_wished(&mut self) {
        let now = Instant::now();
        if self.wished.is_some_and(|first| now.saturating_duration_since(first) <= SAME_WISH) {
            return;
        }
        self.wished.get_or_insert(now);
        if !self.is_ending {
            self.ask_all();
            return;
        }
        self.ending = Ending::InputAtFault;
        for running in &mut self.running {
            running.kill("has not ended before this signal came");
        }
    }

    fn kill_overdue(&mut self) {
        let now = Instant::now();
        for running in &mut self.running {
            if running.killed_at(self.patience).is_some_and(|due| due <= now) {
                self.ending = Ending::InputAtFault;
                running.kill(&format!("was asked to end {} s ago", self.patience.as_secs()));
            }
        }
    }

    /// What has become of one program.
    fn look(&mut self, at: usize) {
        let now = Instant::now();
        let running = &mut self.running[at];
        match running.child.as_mut().map(Child::try_wait) {
            Some(Ok(Some(status))) => {
                running.child = None;
                self.has_ended(at, status, now);
            }
            Some(Err(_)) => running.child = None,
            _ if running.due.is_some_and(|due| due <= now) => {
                running.due = None;
                match self.start.program((running.program, running.options), true) {
                    Ok(child) => {
                        running.restarts.began(now);
                        running.child = Some(child);
                    }
                    Err(problem) => {
                        let (name, why) = (&running.program.name, errors::describe(&problem));
                        print::refuse(&format!(
                            "cannot start {name} again: {why}; the rest of the flow is asked to end"
                        ));
                        self.fail();
                    }
                }
            }
            _ => {}
        }
    }

    fn has_ended(&mut self, at: usize, status: ExitStatus, now: Instant) {
        let how = format!("{} {}", self.running[at].program.name, how_it_ended(status));
        let has_failed = !status.success() && !self.running[at].has_obeyed(status, now);
        if self.running[at].is_killed {
            return;
        }
        let verdict = if self.is_ending {
            Verdict::Leave
        } else if self.is_fed(at) {
            self.running[at].restarts.ended(has_failed, now)
        } else {
            Verdict::NothingToDo
        };
        match verdict {
            Verdict::Again(pause) => {
                self.running[at].due = Some(now + pause);
                let when = match pause.as_millis() {
                    0 => String::new(),
                    pause => format!(" in {pause} ms"),
                };
                print::warn(&format!("{how}; it is started again{when}"));
            }
            Verdict::TooOften(count) if has_failed => {
                let often = if count == 1 { "once".to_owned() } else { format!("{count} times") };
                let why = "as often as the flow allows";
                self.gives_up(&format!("{how}; it was started again {often}, {why}"));
            }
            Verdict::NothingToDo if has_failed && self.running[at].restarts.is_meant(has_failed) => {
                self.gives_up(&format!("{how}, and nobody is left who sends to it"));
            }
            _ if has_failed => self.gives_up(&how),
            _ => {}
        }
    }

    /// Whether there is anything for a program to do, were it started again.
    fn is_fed(&self, at: usize) -> bool {
        let feeders = &self.running[at].program.fed_by;
        let is_there =
            |name: &String| self.running.iter().any(|other| other.program.name == *name && other.is_wanted());
        feeders.is_empty() || feeders.iter().any(is_there)
    }

    /// One that took a dead one's place does not know what that had heard of the end: it is asked to end when nobody sends any more.
    fn ask_unfed(&mut self, at: usize) {
        if !self.is_fed(at) && self.running[at].restarts.is_again() && self.running[at].asked.is_none() {
            self.running[at].ask_to_end();
        }
    }

    fn gives_up(&mut self, why: &str) {
        print::refuse(&format!("{why}; the rest of the flow is asked to end"));
        self.fail();
    }

    /// Who is ending already is not asked once more: that would cut it short. A user may.
    fn fail(&mut self) {
        self.ending = Ending::InputAtFault;
        if !self.is_ending {
            self.ask_all();
        }
    }

    fn ask_all(&mut self) {
        self.is_ending = true;
        for running in &mut self.running {
            running.due = None;
            running.ask_to_end();
        }
    }
}

fn how_it_ended(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("ended with status {code}"),
        (None, Some(signal)) => {
            let name = signal_hook::low_level::signal_name(signal).map(|name| format!(" ({name})"));
            format!("was killed by signal {signal}{}", name.unwrap_or_default())
        }
        (None, None) => format!("ended: {status}"),
    }
}

fn ask_to_end(child: &Child) {
    let Ok(number) = i32::try_from(child.id()) else { return };
    if let Some(process) = rustix::process::Pid::from_raw(number) {
        // It may have ended by itself.
        let _ = rustix::process::kill_process(process, rustix::process::Signal::TERM);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_a_program_ended_is_a_sentence() {
        for (raw, said) in [
            (0x100, "ended with status 1"),
            (6, "was killed by signal 6 (SIGABRT)"),
            (0x80 | 11, "was killed by signal 11 (SIGSEGV)"),
        ] {
            assert_eq!(how_it_ended(ExitStatus::from_raw(raw)), said);
        }
    }
}
