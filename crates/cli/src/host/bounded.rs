//! Bytes of others, no more of them than are allowed. In: a file, or a program to run, and the most bytes. Out: at most one byte more,
//! so that whoever knows the limit sees that it is exceeded. A program that writes more is ended; one that writes nothing
//! and works on is ended by the system after 10 seconds of processor time, or at 1 GiB of memory; one that only waits, as for a pipe that
//! a description includes, is ended after a minute. One that has reported an error and does not stop talking is ended, too: a file that includes
//! itself twice has 2^200 errors.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open, pidfd_send_signal};

/// Bytes of remarks that are kept.
const REMARKS: usize = 1 << 16;
/// Seconds of processor time that all runs over one input may take, and bytes of memory.
pub(super) const SECONDS: u64 = 10;
const MEMORY: u64 = 1 << 30;
/// How long it may take with all that it waits for.
const WAIT: Duration = Duration::from_secs(60);

/// What a program said.
pub(super) struct Said {
    pub(super) output: Vec<u8>,
    pub(super) remarks: String,
    /// None: it was ended since it wrote too much.
    pub(super) status: Option<ExitStatus>,
    /// It was ended since its errors were too many: the first of them are in the remarks.
    pub(super) is_cut: bool,
}

impl Said {
    /// How it failed, for a message; `None` where it did not, or only wrote too much.
    pub(super) fn failure(&self) -> Option<String> {
        if self.is_cut {
            return Some(format!("more than {} KiB of messages", REMARKS >> 10));
        }
        let status = self.status.filter(|status| !status.success())?;
        Some(status.to_string().replace("exit status: ", "exit code "))
    }
}

/// How much a program may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// Of what it writes.
    pub(super) bytes: u64,
    /// Of processor time.
    pub(super) seconds: u64,
}

impl Room {
    /// For so many bytes, with all the time that there is.
    pub(super) fn of(bytes: u64) -> Room {
        Room { bytes, seconds: SECONDS }
    }
}

/// The processor time that ended programs have taken, in hundredths of a second, which is what Linux counts in for others.
pub(super) fn time_of_others() -> u64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let behind_name = text.rsplit_once(") ").map_or("", |(_, rest)| rest);
    // `cutime` and `cstime`, the 16th and 17th of proc(5).
    behind_name.split(' ').skip(13).take(2).filter_map(|word| word.parse::<u64>().ok()).sum()
}

/// All of it, or one byte more than allowed.
pub(super) fn read(from: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Runs a program with `input`, which ends when it has said more than allowed.
pub(super) fn run(command: &mut Command, input: Option<&str>, room: Room) -> io::Result<Said> {
    run_within(command, input, room, WAIT)
}

fn run_within(command: &mut Command, input: Option<&str>, room: Room, wait: Duration) -> io::Result<Said> {
    let most = room.bytes;
    let stdin = if input.is_some() { Stdio::piped() } else { Stdio::null() };
    let mut command = restricted(command, room.seconds);
    // A preprocessor starts others, which end with it.
    command.process_group(0);
    let mut child = command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let pid = pid_of(&child);
    let process = pid.and_then(|pid| Some(Process { pid, file: pidfd_open(pid, PidfdFlags::empty()).ok()? }));
    let process = process.as_ref();
    let (ended, is_ended) = channel();
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    thread::scope(|scope| {
        // A program that stops reading says why itself.
        let text = input.unwrap_or_default();
        let feeder = scope.spawn(move || stdin.map(|mut pipe| drop(pipe.write_all(text.as_bytes()))));
        let listener = scope.spawn(move || stderr.map(|pipe| remarks(pipe, || process.is_some_and(Process::end))));
        let watch = scope.spawn(move || process.is_some_and(|process| end_late(process, &is_ended, wait)));
        let output = stdout.map_or_else(|| Ok(Vec::new()), |pipe| read(pipe, most));
        let exceeded = output.as_ref().is_ok_and(|output| output.len() as u64 > most);
        if exceeded || output.is_err() {
            let _ = pid.map(|pid| kill_process_group(pid, Signal::KILL));
        }
        let status = child.wait();
        drop(ended);
        let status = status?;
        let _ = feeder.join();
        let (mut remarks, is_cut) = listener.join().ok().flatten().unwrap_or_default();
        if watch.join().unwrap_or_default() {
            let seconds = wait.as_secs();
            remarks += &format!(
                "it was ended after {seconds} seconds: does it wait for an included file that is a pipe or a device?\n"
            );
        }
        Ok(Said { output: output?, remarks, status: (!exceeded).then_some(status), is_cut })
    })
}

/// The beginning of what is remarked, with an error where there is one; whether the program was ended since there is, and more is said.
/// Warnings are read to their end, so that nobody waits for room.
fn remarks(pipe: impl Read, end: impl FnOnce() -> bool) -> (String, bool) {
    let mut pipe = BufReader::new(pipe);
    let (mut kept, mut line) = (Vec::new(), Vec::new());
    let (mut is_full, mut has_error) = (false, false);
    while pipe.by_ref().take(REMARKS as u64).read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
        let is_first_error = !has_error && is_error(&String::from_utf8_lossy(&line));
        has_error |= is_first_error;
        is_full |= kept.len() + line.len() > REMARKS;
        if !is_full || is_first_error {
            kept.extend_from_slice(&line);
        }
        line.clear();
        if is_full && has_error {
            let is_cut = end();
            let _ = io::copy(&mut pipe, &mut io::sink());
            return (String::from_utf8_lossy(&kept).into_owned(), is_cut);
        }
    }
    (String::from_utf8_lossy(&kept).into_owned(), false)
}

/// `FILE:LINE:COLUMN: error: MESSAGE`, and no line of a text that is quoted.
fn is_error(line: &str) -> bool {
    let place = line.split_once(": fatal error: ").or_else(|| line.split_once(": error: ")).map(|(place, _)| place);
    place.is_some_and(|place| {
        place.ends_with(|last: char| last.is_ascii_digit())
            && !place.starts_with(['#', ' ', '\t'])
            && !place.contains(": warning: ")
    })
}

fn pid_of(child: &Child) -> Option<Pid> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw)
}

/// A program that was started, under a name that stays its own after its end.
struct Process {
    pid: Pid,
    file: OwnedFd,
}

impl Process {
    /// Ends it and all that it started; whether it was there.
    fn end(&self) -> bool {
        // While it is there, its number is nobody else's.
        pidfd_send_signal(&self.file, Signal::KILL).is_ok() && {
            let _ = kill_process_group(self.pid, Signal::KILL);
            true
        }
    }
}

/// Ends a process that is there after so long; whether it did.
fn end_late(process: &Process, is_ended: &Receiver<()>, wait: Duration) -> bool {
    is_ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) && process.end()
}

/// The program in a shell that gives up room and time before it becomes the program: a compiler's driver starts others so soon that
/// bounds set from here may come too late for them.
fn restricted(command: &Command, seconds: u64) -> Command {
    let mut shell = Command::new("/bin/sh");
    // Who started us may have set lower ones.
    let bounds = format!("ulimit -t {seconds} 2>/dev/null; ulimit -v {} 2>/dev/null; exec \"$0\" \"$@\"", MEMORY >> 10);
    shell.arg("-c").arg(bounds).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    if let Some(folder) = command.get_current_dir() {
        shell.current_dir(folder);
    }
    shell
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_without_end_is_read_in_part() {
        let file = std::fs::File::open("/dev/zero").unwrap();
        assert_eq!(read(file, 1000).unwrap().len(), 1001);
    }

    #[test]
    fn a_program_without_end_is_ended() {
        let said = run(Command::new("cat").arg("/dev/zero"), None, Room::of(1 << 20)).unwrap();
        assert_eq!((said.output.len(), said.status), ((1 << 20) + 1, None));
    }

    #[test]
    fn a_program_that_only_waits_is_ended() {
        let said =
            run_within(Command::new("sleep").arg("1000"), None, Room::of(1 << 20), Duration::from_millis(50)).unwrap();
        assert!(said.status.is_some_and(|status| !status.success()));
        assert!(said.remarks.contains("does it wait"), "{}", said.remarks);
    }

    /// What a script of the shell says.
    fn script(text: &str) -> Said {
        run(Command::new("sh").args(["-c", text]), None, Room::of(1 << 20)).unwrap()
    }

    #[test]
    fn a_program_whose_errors_have_no_end_is_ended() {
        let said = script("yes 'a.x:1:15: error: once more' >&2");
        assert!(said.is_cut && said.remarks.len() <= REMARKS, "{}", said.remarks.len());
        assert!(said.remarks.lines().all(|line| line == "a.x:1:15: error: once more"));
        assert_eq!(said.failure().as_deref(), Some("more than 64 KiB of messages"));
    }

    #[test]
    fn an_error_behind_many_warnings_is_kept() {
        let said = script("yes 'a.x:1:1: warning: an error: b' | head -9999 >&2; yes 'a b.x:1:15: fatal error: c' >&2");
        assert!(said.is_cut && said.remarks.len() <= REMARKS + 30, "{}", said.remarks.len());
        assert_eq!(said.remarks.lines().last(), Some("a b.x:1:15: fatal error: c"));
    }

    #[test]
    fn warnings_are_no_failure_however_many_they_are() {
        let said = script("yes 'a.x:1:1: warning: #warning b.x:1:1: error: c' | head -100000 >&2; echo done");
        assert_eq!((said.is_cut, said.failure(), said.output.as_slice()), (false, None, &b"done\n"[..]));
        assert!(said.remarks.len() <= REMARKS, "{}", said.remarks.len());
    }

    #[test]
    fn the_time_of_others_is_counted() {
        let before = time_of_others();
        let said = run(Command::new("sh").args(["-c", "while :; do :; done"]), None, Room { bytes: 1, seconds: 1 });
        assert!(said.unwrap().failure().is_some());
        // Linux bounds by the ticks that it saw and counts by the clock: on a loaded machine they differ.
        assert!(time_of_others() >= before + 50, "{before} {}", time_of_others());
    }

    #[test]
    fn a_program_is_bounded_before_it_begins() {
        let said = run(Command::new("sh").args(["-c", "ulimit -t; ulimit -v"]), None, Room::of(1 << 20)).unwrap();
        assert_eq!(String::from_utf8(said.output).unwrap(), format!("{SECONDS}\n{}\n", MEMORY >> 10));
    }

    #[test]
    fn a_program_has_its_own_surroundings_within_lower_bounds() {
        let script = "ulimit -v 500000; exec \"$0\" -c 'echo \"$A\" \"$PWD\"'";
        let mut command = Command::new("sh");
        command.args(["-c", script, "sh"]).env("A", "one").current_dir("/");
        let said = run(&mut command, None, Room::of(1 << 20)).unwrap();
        assert_eq!((String::from_utf8(said.output).unwrap().as_str(), said.remarks.as_str()), ("one /\n", ""));
    }

    #[test]
    fn what_a_program_starts_ends_with_it() {
        // The shell waits for what it starts, which never says enough to be ended by a closed pipe.
        let script = "sleep 1000 & yes";
        let begun = std::time::Instant::now();
        let said = run(Command::new("sh").args(["-c", script]), None, Room::of(1000)).unwrap();
        assert_eq!(said.status, None);
        assert!(begun.elapsed() < WAIT / 2, "{:?}", begun.elapsed());
    }

    #[test]
    fn what_is_said_in_bounds_is_whole() {
        let said = run(&mut Command::new("cat"), Some("what is said\n"), Room::of(1 << 20)).unwrap();
        assert_eq!(said.output, b"what is said\n");
        assert!(said.status.is_some_and(|status| status.success()));
    }
}
