//! Channels: subscribers come, leave, die and come again while packets are sent, over each transport; who comes late gets the
//! declared history first, nobody misses a packet or sees one twice while subscribed, and of each edge every packet is
//! accounted for. Sources in `tests/flows/channel`. No test looks at a clock.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use filetest::accounts::wait_until;
use filetest::ports::Ports;
use filetest::programs::Outcome;
use filetest::scratch::Scratch;
use rustix::process::Signal;

/// One run of a flow: where its programs stand, and its own folder.
struct Flow<'f> {
    programs: &'f Path,
    folder: Scratch,
    ports: Ports,
    flow: &'static str,
}

impl Flow<'_> {
    fn new<'f>(programs: &'f Scratch, flow: &'static str) -> Outcome<Flow<'f>> {
        let folder = Scratch::new("channel-run").map_err(|_| "no scratch folder")?;
        Ok(Flow { programs: programs.path(), folder, ports: Ports::take()?, flow })
    }

    /// All programs of both flows.
    fn build() -> Outcome<Scratch> {
        let folder = Scratch::new("channel-flows").map_err(|_| "no scratch folder")?;
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/flows/channel");
        for file in fs::read_dir(sources)? {
            let path = file?.path();
            fs::copy(&path, folder.path().join(path.file_name().ok_or("no name")?))?;
        }
        let mut compile = Command::new(env!("CARGO_BIN_EXE_whittle"));
        compile.args(["compile", "channel.spi"]).current_dir(folder.path());
        let output = compile.output()?;
        assert!(output.status.success(), "{output:?}");
        let flags = "CFLAGS=-O1 -g1 -Wall -Wextra -Werror -fsanitize=address,undefined -fno-sanitize-recover=all";
        let output = Command::new("make").args([flags, "LTO="]).current_dir(folder.path()).output()?;
        assert!(output.status.success(), "{output:?}");
        Ok(folder)
    }

    fn printed(&self, life: &str) -> PathBuf {
        self.folder.path().join(format!("{life}.out"))
    }

    /// Begins the program of an instance; `life` names what it prints.
    fn begin(&self, instance: &str, life: &str, environment: &[(&str, &str)]) -> Outcome<Running> {
        let mut command = Command::new(self.programs.join(format!("{}_{instance}", self.flow)));
        command.args(["--dir", "run", "--port", &self.ports.first.to_string()]).current_dir(self.folder.path());
        command.envs(environment.iter().copied()).stdin(Stdio::null()).stdout(File::create(self.printed(life))?);
        command.stderr(File::create(self.folder.path().join(format!("{life}.err")))?);
        Ok(Running(command.spawn()?))
    }

    fn text(&self, life: &str) -> Outcome<String> {
        Ok(fs::read_to_string(self.printed(life))?)
    }

    fn wait_for(&self, life: &str, what: &str) -> Outcome {
        wait_until(what, || Ok(self.text(life)?.contains(what)))
    }

    /// Each edge's name, and offered, delivered, waiting, under way, dropped, faulty, unknown.
    fn accounts(&self) -> Outcome<Vec<(String, [u64; 7])>> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_whittle"));
        let output = command.args(["pipe", "top", "run", "--once"]).current_dir(self.folder.path()).output()?;
        let text = String::from_utf8(output.stdout)?;
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
struct Running(Child);

impl Running {
    fn wait(&mut self) -> Outcome<ExitStatus> {
        Ok(self.0.wait()?)
    }

    fn kill(&mut self) -> Outcome {
        Ok(self.0.kill()?)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn signal(program: &Running, signal: Signal) -> Outcome {
    let process = rustix::process::Pid::from_raw(i32::try_from(program.0.id())?).ok_or("no process")?;
    Ok(rustix::process::kill_process(process, signal)?)
}

/// Asks a program to end, and sees that it does so in peace.
fn end(flow: &Flow, mut child: Running, life: &str) -> Outcome {
    signal(&child, Signal::TERM)?;
    let status = child.wait()?;
    let said = fs::read_to_string(flow.folder.path().join(format!("{life}.err")))?;
    assert!(status.success(), "{life}: {status}: {said}");
    assert!(!said.contains("Sanitizer") && !said.contains("runtime error"), "{life}: {said}");
    Ok(())
}

/// Nothing was missed between two packets, nor came twice or altered.
fn assert_whole(flow: &Flow, life: &str) -> Outcome {
    let text = flow.text(life)?;
    assert!(text.starts_with("begins at") && !text.contains("gap") && !text.contains("altered"), "{life}: {text}");
    Ok(())
}

/// Built once: building takes longer than all else.
#[test]
fn channels() -> Outcome {
    let programs = Flow::build()?;
    subscribers_come_and_go_and_every_packet_is_accounted_for(&programs)?;
    who_comes_late_gets_the_declared_history_and_nobody_is_waited_for(&programs)?;
    several_senders_give_to_all_who_subscribe(&programs)
}

fn subscribers_come_and_go_and_every_packet_is_accounted_for(programs: &Scratch) -> Outcome {
    let flow = Flow::new(programs, "weather")?;
    let sensor = flow.begin("north", "north", &[])?;
    for instance in ["tcp", "unix", "shm"] {
        let life = |number: u32| format!("{instance}{number}");
        let leaves = flow.begin(instance, &life(1), &[("LEAVE", "100")])?.wait()?;
        assert!(leaves.success(), "{instance}: {leaves}");
        assert!(flow.text(&life(1))?.contains("took 100"), "{instance}");
        let mut dies = flow.begin(instance, &life(2), &[])?;
        flow.wait_for(&life(2), "begins at")?;
        dies.kill()?;
        dies.wait()?;
        let ends = flow.begin(instance, &life(3), &[])?;
        flow.wait_for(&life(3), "begins at")?;
        end(&flow, ends, &life(3))?;
        for number in 1..4 {
            assert_whole(&flow, &life(number))?;
        }
    }
    end(&flow, sensor, "north")?;
    let accounts = flow.accounts()?;
    assert_eq!(accounts.len(), 3, "{accounts:?}");
    for (edge, [offered, delivered, waiting, under_way, dropped, faulty, unknown]) in accounts {
        assert!(delivered > 100 && unknown <= 1 && (waiting, under_way, faulty) == (0, 0, 0), "{edge}: {offered}");
        assert_eq!(offered, delivered + dropped + unknown, "{edge}");
    }
    Ok(())
}

fn who_comes_late_gets_the_declared_history_and_nobody_is_waited_for(programs: &Scratch) -> Outcome {
    let flow = Flow::new(programs, "weather")?;
    let sensor = flow.begin("north", "north", &[("MOST", "20")])?;
    flow.wait_for("north", "sent")?;
    for instance in ["tcp", "shm", "unix"] {
        let status = flow.begin(instance, instance, &[("LEAVE", "5")])?.wait()?;
        assert!(status.success(), "{instance}: {status}");
        assert_eq!(flow.text(instance)?, "begins at 15\ntook 5\n", "{instance}");
    }
    end(&flow, sensor, "north")
}

fn several_senders_give_to_all_who_subscribe(programs: &Scratch) -> Outcome {
    let flow = Flow::new(programs, "counts")?;
    let left = flow.begin("left", "left", &[])?;
    let right = flow.begin("right", "right", &[])?;
    for instance in ["tcp", "unix", "shm"] {
        for (life, leave) in [("1", "50"), ("2", "300")] {
            let life = format!("{instance}{life}");
            let status = flow.begin(instance, &life, &[("LEAVE", leave)])?.wait()?;
            let text = flow.text(&life)?;
            assert!(status.success() && text.contains("hears ") && !text.contains("again"), "{life}: {text}");
        }
        let both = flow.begin(instance, instance, &[])?;
        flow.wait_for(instance, "hears 0")?;
        flow.wait_for(instance, "hears 1")?;
        end(&flow, both, instance)?;
    }
    end(&flow, left, "left")?;
    end(&flow, right, "right")?;
    let accounts = flow.accounts()?;
    assert_eq!(accounts.len(), 6, "{accounts:?}");
    for (edge, [offered, others @ ..]) in accounts {
        assert_eq!(offered, others.iter().sum::<u64>(), "{edge}");
    }
    Ok(())
}
