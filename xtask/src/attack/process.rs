//! A program that is watched: what it prints, how much memory and how many descriptors it has, how it ends. In: a command. Out: numbers.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// A child; it is killed where it is still there at the end.
pub(crate) struct Process {
    child: Child,
    lines: Receiver<String>,
    errors: Receiver<String>,
    input: Option<ChildStdin>,
}

impl Process {
    pub(crate) fn start(command: &mut Command) -> Result<Process, String> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child =
            command.spawn().map_err(|problem| format!("{}: {problem}", command.get_program().to_string_lossy()))?;
        let input = child.stdin.take();
        let lines = reader(child.stdout.take());
        let errors = reader(child.stderr.take());
        Ok(Process { child, lines, errors, input })
    }

    /// The next line within a time.
    pub(crate) fn line(&self, wait: Duration) -> Option<String> {
        self.lines.recv_timeout(wait).ok()
    }

    /// The end of its standard input: what honest clients stop at.
    pub(crate) fn end_input(&mut self) {
        self.input = None;
    }

    /// Its status, where it ends in time.
    pub(crate) fn ends_within(&mut self, wait: Duration) -> Option<ExitStatus> {
        let end = Instant::now() + wait;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < end => std::thread::sleep(Duration::from_millis(5)),
                _ => return None,
            }
        }
    }

    pub(crate) fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Asks it to stop.
    pub(crate) fn terminate(&self) {
        let _ = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
    }

    /// What it said to standard error, shortened.
    pub(crate) fn complaint(&self) -> String {
        // What it wrote before it ended may still be on its way.
        let next = || self.errors.recv_timeout(Duration::from_millis(200)).ok();
        let lines: Vec<String> = std::iter::from_fn(next).take(12).collect();
        lines.join(" | ")
    }

    /// Kilobytes in memory: now, and at most so far.
    pub(crate) fn memory(&self) -> Option<(u64, u64)> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let field = |name: &str| {
            let line = status.lines().find(|line| line.starts_with(name))?;
            line.split_whitespace().nth(1)?.parse().ok()
        };
        Some((field("VmRSS:")?, field("VmHWM:")?))
    }

    /// How many of its sockets are connected.
    pub(crate) fn connections(&self) -> usize {
        let own: Vec<String> = std::fs::read_dir(format!("/proc/{}/fd", self.child.id()))
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|entry| Some(std::fs::read_link(entry.path()).ok()?.to_string_lossy().into_owned()))
            .collect();
        let table = std::fs::read_to_string("/proc/net/tcp").unwrap_or_default();
        // The fourth field is the state (01 established, 08 the peer has closed), the tenth the inode.
        table
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>())
            .filter(|fields| fields.get(3).is_some_and(|state| ["01", "08"].contains(state)))
            .filter(|fields| fields.get(9).is_some_and(|inode| own.contains(&format!("socket:[{inode}]"))))
            .count()
    }

    pub(crate) fn descriptors(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/fd", self.child.id())).map_or(0, Iterator::count)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.is_alive() {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}

fn reader(from: Option<impl Read + Send + 'static>) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for line in from.into_iter().flat_map(|from| BufReader::new(from).lines()).map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    receiver
}
