//! Bytes of others, no more of them than are allowed. In: a file, or a program to run, and the most bytes. Out: at most one byte more,
//! so that whoever knows the limit sees that it is exceeded. A program that writes more is ended; one that writes nothing
//! and works on is ended by the system after 10 seconds of processor time, or at 1 GiB of memory; one that only waits, as for a pipe that
//! a description includes, is ended after a minute.

use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open, pidfd_send_signal};

/// Bytes of remarks that are kept.
const REMARKS: u64 = 1 << 20;
/// Seconds of processor time, and bytes of memory, that a preprocessor may take.
const SECONDS: u64 = 10;
const MEMORY: u64 = 1 << 30;
/// How long it may take with all that it waits for.
const WAIT: Duration = Duration::from_secs(60);

/// What a program said.
pub(super) struct Said {
    pub(super) output: Vec<u8>,
    pub(super) remarks: String,
    /// None: it was ended since it wrote too much.
    pub(super) status: Option<ExitStatus>,
}

/// All of it, or one byte more than allowed.
pub(super) fn read(from: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Runs a program with `input`, which ends when it has said more than allowed.
pub(super) fn run(command: &mut Command, input: Option<&str>, most: u64) -> io::Result<Said> {
    run_within(command, input, most, WAIT)
}

fn run_within(command: &mut Command, input: Option<&str>, most: u64, wait: Duration) -> io::Result<Said> {
    let stdin = if input.is_some() { Stdio::piped() } else { Stdio::null() };
    let mut command = restricted(command);
    // A preprocessor starts others, which end with it.
    command.process_group(0);
    let mut child = command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let pid = pid_of(&child);
    let (ended, is_ended) = channel();
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    thread::scope(|scope| {
        // A program that stops reading says why itself.
        let text = input.unwrap_or_default();
        let feeder = scope.spawn(move || stdin.map(|mut pipe| drop(pipe.write_all(text.as_bytes()))));
        let listener = scope.spawn(move || stderr.map(remarks).unwrap_or_default());
        let watch = scope.spawn(move || pid.is_some_and(|pid| end_late(pid, &is_ended, wait)));
        let output = stdout.map_or_else(|| Ok(Vec::new()), |pipe| read(pipe, most));
        let exceeded = output.as_ref().is_ok_and(|output| output.len() as u64 > most);
        if exceeded || output.is_err() {
            let _ = pid.map(|pid| kill_process_group(pid, Signal::KILL));
        }
        let status = child.wait();
        drop(ended);
        let status = status?;
        let _ = feeder.join();
        let mut remarks = listener.join().unwrap_or_default();
        if watch.join().unwrap_or_default() {
            let seconds = wait.as_secs();
            remarks += &format!(
                "it was ended after {seconds} seconds: does it wait for an included file that is a pipe or a device?\n"
            );
        }
        Ok(Said { output: output?, remarks, status: (!exceeded).then_some(status) })
    })
}

/// The beginning of what is remarked; the rest is read, so that nobody waits for room.
fn remarks(mut pipe: impl Read) -> String {
    let begin = read(&mut pipe, REMARKS).unwrap_or_default();
    let _ = io::copy(&mut pipe, &mut io::sink());
    String::from_utf8_lossy(&begin).into_owned()
}

fn pid_of(child: &Child) -> Option<Pid> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw)
}

/// Ends a process that is there after so long; whether it did.
fn end_late(pid: Pid, is_ended: &Receiver<()>, wait: Duration) -> bool {
    let Ok(process) = pidfd_open(pid, PidfdFlags::empty()) else { return false };
    let is_late = is_ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout);
    // While it is there, its number is nobody else's.
    is_late && pidfd_send_signal(process, Signal::KILL).is_ok() && {
        let _ = kill_process_group(pid, Signal::KILL);
        true
    }
}

/// The program in a shell that gives up room and time before it becomes the program: a compiler's driver starts others so soon that
/// bounds set from here may come too late for them.
fn restricted(command: &Command) -> Command {
    let mut shell = Command::new("/bin/sh");
    // Who started us may have set lower ones.
    let bounds = format!("ulimit -t {SECONDS} 2>/dev/null; ulimit -v {} 2>/dev/null; exec \"$0\" \"$@\"", MEMORY >> 10);
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
        let said = run(Command::new("cat").arg("/dev/zero"), None, 1 << 20).unwrap();
        assert_eq!((said.output.len(), said.status), ((1 << 20) + 1, None));
    }

    #[test]
    fn a_program_that_only_waits_is_ended() {
        let said = run_within(Command::new("sleep").arg("1000"), None, 1 << 20, Duration::from_millis(50)).unwrap();
        assert!(said.status.is_some_and(|status| !status.success()));
        assert!(said.remarks.contains("does it wait"), "{}", said.remarks);
    }

    #[test]
    fn a_program_is_bounded_before_it_begins() {
        let said = run(Command::new("sh").args(["-c", "ulimit -t; ulimit -v"]), None, 1 << 20).unwrap();
        assert_eq!(String::from_utf8(said.output).unwrap(), format!("{SECONDS}\n{}\n", MEMORY >> 10));
    }

    #[test]
    fn a_program_has_its_own_surroundings_within_lower_bounds() {
        let script = "ulimit -v 500000; exec \"$0\" -c 'echo \"$A\" \"$PWD\"'";
        let mut command = Command::new("sh");
        command.args(["-c", script, "sh"]).env("A", "one").current_dir("/");
        let said = run(&mut command, None, 1 << 20).unwrap();
        assert_eq!((String::from_utf8(said.output).unwrap().as_str(), said.remarks.as_str()), ("one /\n", ""));
    }

    #[test]
    fn what_a_program_starts_ends_with_it() {
        // The shell waits for what it starts, which never says enough to be ended by a closed pipe.
        let script = "sleep 1000 & yes";
        let begun = std::time::Instant::now();
        let said = run(Command::new("sh").args(["-c", script]), None, 1000).unwrap();
        assert_eq!(said.status, None);
        assert!(begun.elapsed() < WAIT / 2, "{:?}", begun.elapsed());
    }

    #[test]
    fn what_is_said_in_bounds_is_whole() {
        let said = run(&mut Command::new("cat"), Some("what is said\n"), 1 << 20).unwrap();
        assert_eq!(said.output, b"what is said\n");
        assert!(said.status.is_some_and(|status| status.success()));
    }
}
