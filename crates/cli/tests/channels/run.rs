//! One run of a flow with channels: its programs, begun, killed and ended one by one, what they print, and the accounts. In: sources
//! of a folder of `tests/flows`. Out: [`Flow`] and [`Running`]. Why: each file of tests has flows of its own, built once.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use filetest::accounts::wait_until;
use filetest::ports::Ports;
use filetest::programs::Outcome;
use filetest::scratch::Scratch;
use rustix::process::Signal;

/// One run of a flow: where its programs stand, and its own folder.
pub(super) struct Flow<'f> {
    pub(super) programs: &'f Path,
    pub(super) folder: Scratch,
    ports: Ports,
    flow: &'static str,
}

impl Flow<'_> {
    pub(super) fn new<'f>(programs: &'f Scratch, flow: &'static str) -> Outcome<Flow<'f>> {
        let folder = Scratch::new("channel-run").map_err(|_| "no scratch folder")?;
        Ok(Flow { programs: programs.path(), folder, ports: Ports::take()?, flow })
    }

    /// All programs of a description, which has the name of its folder.
    pub(super) fn build(of: &str) -> Outcome<Scratch> {
        let folder = Flow::generate(of, |text| text)?;
        Flow::make(&folder)?;
        Ok(folder)
    }

    /// What whittle makes of a description that is changed before.
    pub(super) fn generate(of: &str, change: impl Fn(String) -> String) -> Outcome<Scratch> {
        let folder = Scratch::new("channel-flows").map_err(|_| "no scratch folder")?;
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/flows").join(of);
        for file in fs::read_dir(sources)? {
            let path = file?.path();
            fs::copy(&path, folder.path().join(path.file_name().ok_or("no name")?))?;
        }
        let description = folder.path().join(format!("{of}.spi"));
        fs::write(&description, change(fs::read_to_string(&description)?))?;
        let mut compile = Command::new(env!("CARGO_BIN_EXE_whittle"));
        compile.args(["compile", &format!("{of}.spi")]).current_dir(folder.path());
        let output = compile.output()?;
        assert!(output.status.success(), "{output:?}");
        Ok(folder)
    }

    pub(super) fn make(folder: &Scratch) -> Outcome {
        let flags = "CFLAGS=-O1 -g1 -Wall -Wextra -Werror -fsanitize=address,undefined -fno-sanitize-recover=all";
        let output = Command::new("make").args([flags, "LTO="]).current_dir(folder.path()).output()?;
        assert!(output.status.success(), "{output:?}");
        Ok(())
    }

    /// Where the first edge of the flow comes over TCP.
    pub(super) fn first_port(&self) -> u16 {
        self.ports.first
    }

    fn printed(&self, life: &str) -> PathBuf {
        self.folder.path().join(format!("{life}.out"))
    }

    /// Begins the program of an instance; `life` names what it prints.
    pub(super) fn begin(&self, instance: &str, life: &str, environment: &[(&str, &str)]) -> Outcome<Running> {
        self.begin_with(instance, life, &[], environment)
    }

    /// The same with options of the program.
    pub(super) fn begin_with(
        &self,
        instance: &str,
        life: &str,
        options: &[&str],
        environment: &[(&str, &str)],
    ) -> Outcome<Running> {
        self.begin_from(self.programs, instance, life, (options, environment))
    }

    /// The same, of programs that stand elsewhere.
    pub(super) fn begin_from(
        &self,
        programs: &Path,
        instance: &str,
        life: &str,
        (options, environment): (&[&str], &[(&str, &str)]),
    ) -> Outcome<Running> {
        let mut command = Command::new(programs.join(format!("{}_{instance}", self.flow)));
        command.args(["--dir", "run", "--port", &self.ports.first.to_string()]).args(options);
        command.current_dir(self.folder.path());
        command.envs(environment.iter().copied()).stdin(Stdio::null()).stdout(File::create(self.printed(life))?);
        command.stderr(File::create(self.folder.path().join(format!("{life}.err")))?);
        Ok(Running(command.spawn()?))
    }

    /// What a program has said.
    pub(super) fn said(&self, life: &str) -> Outcome<String> {
        Ok(fs::read_to_string(self.folder.path().join(format!("{life}.err")))?)
    }

    pub(super) fn text(&self, life: &str) -> Outcome<String> {
        Ok(fs::read_to_string(self.printed(life))?)
    }

    pub(super) fn wait_for(&self, life: &str, what: &str) -> Outcome {
        wait_until(what, || Ok(self.text(life)?.contains(what)))
    }

    /// Each edge's name, and offered, delivered, waiting, under way, dropped, faulty, unknown, filtered.
    pub(super) fn accounts(&self) -> Outcome<Vec<(String, [u64; 8])>> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_whittle"));
        let output = command.args(["pipe", "top", "run", "--once"]).current_dir(self.folder.path()).output()?;
        let text = String::from_utf8(output.stdout)?;
        assert!(!text.contains("does not balance"), "{text}");
        let line = |line: &str| {
            let (from, rest) = line.split_once(" -> ")?;
            let (to, _) = rest.split_once(' ')?;
            let counts: Vec<u64> = rest.split_whitespace().skip(1).map_while(|word| word.parse().ok()).collect();
            Some((format!("{from} -> {to}"), *counts.first_chunk()?))
        };
        Ok(text.lines().filter_map(line).collect())
    }
}

/// A program that does not outlive the test.
pub(super) struct Running(Child);

impl Running {
    pub(super) fn wait(&mut self) -> Outcome<ExitStatus> {
        Ok(self.0.wait()?)
    }

    pub(super) fn kill(&mut self) -> Outcome {
        Ok(self.0.kill()?)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub(super) fn signal(program: &Running, signal: Signal) -> Outcome {
    let process = rustix::process::Pid::from_raw(i32::try_from(program.0.id())?).ok_or("no process")?;
    Ok(rustix::process::kill_process(process, signal)?)
}

/// Asks a program to end, and sees that it does so in peace.
pub(super) fn end(flow: &Flow, mut child: Running, life: &str) -> Outcome {
    signal(&child, Signal::TERM)?;
    let status = child.wait()?;
    let said = fs::read_to_string(flow.folder.path().join(format!("{life}.err")))?;
    assert!(status.success(), "{life}: {status}: {said}");
    assert!(!said.contains("Sanitizer") && !said.contains("runtime error"), "{life}: {said}");
    Ok(())
}
