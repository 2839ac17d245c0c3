//! Bytes of others, no more of them than are allowed. In: a file, or a program to run, and the most bytes. Out: at most one byte more,
//! so that whoever knows the limit sees that it is exceeded. A program that writes more is ended; one that writes nothing
//! and works on is ended by the system after 20 seconds of processor time, or at 4 GiB of memory.

use std::io::{self, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;

use rustix::process::{Pid, Resource, Rlimit, prlimit};

/// Bytes of remarks that are kept.
const REMARKS: u64 = 1 << 20;
/// Seconds of processor time, and bytes of memory, that a preprocessor may take.
const SECONDS: u64 = 20;
const MEMORY: u64 = 4 << 30;

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
    let stdin = if input.is_some() { Stdio::piped() } else { Stdio::null() };
    let mut child = command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    restrict(&child);
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    thread::scope(|scope| {
        // A program that stops reading says why itself.
        let text = input.unwrap_or_default();
        let feeder = scope.spawn(move || stdin.map(|mut pipe| drop(pipe.write_all(text.as_bytes()))));
        let listener = scope.spawn(move || stderr.map(remarks).unwrap_or_default());
        let output = stdout.map_or_else(|| Ok(Vec::new()), |pipe| read(pipe, most));
        let exceeded = output.as_ref().is_ok_and(|output| output.len() as u64 > most);
        if exceeded || output.is_err() {
            let _ = child.kill();
        }
        let status = child.wait()?;
        let _ = feeder.join();
        let remarks = listener.join().unwrap_or_default();
        Ok(Said { output: output?, remarks, status: (!exceeded).then_some(status) })
    })
}

/// The beginning of what is remarked; the rest is read, so that nobody waits for room.
fn remarks(mut pipe: impl Read) -> String {
    let begin = read(&mut pipe, REMARKS).unwrap_or_default();
    let _ = io::copy(&mut pipe, &mut io::sink());
    String::from_utf8_lossy(&begin).into_owned()
}

fn restrict(child: &Child) {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    for (resource, most) in [(Resource::Cpu, SECONDS), (Resource::As, MEMORY)] {
        // One that has ended already needs none.
        let _ = pid.map(|pid| prlimit(Some(pid), resource, Rlimit { current: Some(most), maximum: Some(most) }));
    }
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
    fn what_is_said_in_bounds_is_whole() {
        let said = run(&mut Command::new("cat"), Some("what is said\n"), 1 << 20).unwrap();
        assert_eq!(said.output, b"what is said\n");
        assert!(said.status.is_some_and(|status| status.success()));
    }
}
