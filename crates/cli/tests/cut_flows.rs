//! A flow between two machines (network namespaces), while the way between them is cut, a process is stopped, and processes
//! are killed and started again. In the end every packet is accounted for, and a living receiver missed none.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::Duration;

use filetest::accounts::{self, wait_until};
use filetest::programs::Outcome;
use filetest::scratch::Scratch;

/// Two namespaces and a way between them; gone at the end.
struct Machines {
    names: [String; 2],
}

fn ip(words: &str) -> bool {
    let quiet = || Stdio::null();
    Command::new("ip")
        .args(words.split_whitespace())
        .stdout(quiet())
        .stderr(quiet())
        .status()
        .is_ok_and(|s| s.success())
}

impl Machines {
    /// `None` where namespaces cannot be made.
    fn new() -> Option<Machines> {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let number = format!("{}-{}", std::process::id(), MADE.fetch_add(1, Ordering::Relaxed));
        let machines = Machines { names: [format!("whittle-a-{number}"), format!("whittle-b-{number}")] };
        let [a, b] = &machines.names;
        let steps = [
            format!("netns add {a}"),
            format!("netns add {b}"),
            format!("-n {a} link add way type veth peer name way netns {b}"),
            format!("-n {a} address add 10.77.31.1/24 dev way"),
            format!("-n {b} address add 10.77.31.2/24 dev way"),
            format!("-n {a} link set way up"),
            format!("-n {b} link set way up"),
            format!("-n {a} link set lo up"),
            format!("-n {b} link set lo up"),
        ];
        steps.iter().all(|step| ip(step)).then_some(machines)
    }

    fn start(&self, machine: usize, folder: &Path, program: &str, output: &str) -> Outcome<Child> {
        let file = fs::File::options().append(true).create(true).open(folder.join(output))?;
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.names[machine]]).arg(folder.join(program)).arg("--dir").arg("ledger");
        command.arg("--key").arg(folder.join("flow.key"));
        Ok(command.current_dir(folder).stdout(file.try_clone()?).stderr(file).spawn()?)
    }

    fn cut(&self, is_up: bool) -> bool {
        ip(&format!("-n {} link set way {}", self.names[0], if is_up { "up" } else { "down" }))
    }
}

impl Drop for Machines {
    fn drop(&mut self) {
        for name in &self.names {
            ip(&format!("netns delete {name}"));
        }
    }
}

fn signal(child: &Child, name: &str) -> Outcome {
    // `ip netns exec` becomes the program.
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status()?.success());
    Ok(())
}

fn built() -> Outcome<Scratch> {
    let folder = Scratch::new("cut-flows").map_err(|_| "no scratch folder")?;
    let sources: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/flows/cut");
    for name in ["cut.spi", "Feed.c", "Drain.c"] {
        fs::copy(sources.join(name), folder.path().join(name))?;
    }
    let whittle =
        Command::new(env!("CARGO_BIN_EXE_whittle")).args(["compile", "cut.spi"]).current_dir(folder.path()).output()?;
    assert!(whittle.status.success(), "{whittle:?}");
    let key = Command::new(env!("CARGO_BIN_EXE_whittle")).args(["pipe", "key"]).current_dir(folder.path()).output()?;
    assert!(key.status.success(), "{key:?}");
    let make = Command::new("make").args(["-s", "CC=gcc"]).current_dir(folder.path()).output()?;
    assert!(make.status.success(), "{make:?}");
    Ok(folder)
}

fn account(folder: &Path) -> Outcome<[u64; 7]> {
    accounts::account(env!("CARGO_BIN_EXE_whittle"), folder, "ledger")
}

/// Waits until the flow has begun.
fn begins(folder: &Path) -> Outcome {
    wait_until("packets", || Ok(account(folder).is_ok_and(|[_, delivered, ..]| delivered > 0)))
}

/// Waits until more packets have been delivered than there were; the flow is alive. Who has just begun has no counters yet.
fn goes_on(folder: &Path) -> Outcome {
    let mut before = None;
    wait_until("more packets", || {
        let Ok([_, delivered, ..]) = account(folder) else { return Ok(false) };
        Ok(delivered > before.get_or_insert(delivered).saturating_add(1000))
    })
}

fn said(folder: &Path, file: &str) -> String {
    fs::read_to_string(folder.join(file)).unwrap_or_default()
}

#[test]
fn what_is_cut_stopped_and_killed_is_accounted_for() -> Outcome {
    let Some(machines) = Machines::new() else { return Ok(()) };
    let scratch = built()?;
    let folder = scratch.path();
    let mut drain = machines.start(1, folder, "cut_drain", "drain.txt")?;
    let mut feed = machines.start(0, folder, "cut_Feed", "feed.txt")?;
    begins(folder)?;
    goes_on(folder)?;
    assert!(machines.cut(false));
    sleep(Duration::from_millis(300));
    assert!(machines.cut(true));
    goes_on(folder)?;
    for child in [&drain, &feed] {
        signal(child, "-STOP")?;
        sleep(Duration::from_millis(200));
        signal(child, "-CONT")?;
        goes_on(folder)?;
    }
    // The receiver dies: what it had in hand is unknown, all else comes to the next one.
    signal(&drain, "-KILL")?;
    drain.wait()?;
    drain = machines.start(1, folder, "cut_drain", "drain.txt")?;
    goes_on(folder)?;
    // The sender dies: what it had not sent yet is unknown.
    signal(&feed, "-KILL")?;
    feed.wait()?;
    feed = machines.start(0, folder, "cut_Feed", "feed.txt")?;
    goes_on(folder)?;
    fs::write(folder.join("enough"), "")?;
    let (feed, drain) = (feed.wait()?, drain.wait()?);
    let [offered, delivered, waiting, under_way, dropped, faulty, unknown] = account(folder)?;
    let output = format!("{}\n{}", said(folder, "feed.txt"), said(folder, "drain.txt"));
    assert_eq!(offered, delivered + waiting + under_way + dropped + faulty + unknown, "{output}");
    assert_eq!((waiting, under_way, dropped), (0, 0, 0), "{output}");
    assert!(delivered > 5000, "{output}");
    // Both ends ended by themselves; that packets are unknown is said where it is known.
    assert!(drain.code().is_some() && feed.code().is_some(), "{output}");
    Ok(())
}

#[test]
fn a_cut_alone_loses_nothing() -> Outcome {
    let Some(machines) = Machines::new() else { return Ok(()) };
    let scratch = built()?;
    let folder = scratch.path();
    let mut drain = machines.start(1, folder, "cut_drain", "drain.txt")?;
    let mut feed = machines.start(0, folder, "cut_Feed", "feed.txt")?;
    begins(folder)?;
    goes_on(folder)?;
    for _ in 0..2 {
        assert!(machines.cut(false));
        sleep(Duration::from_millis(200));
        assert!(machines.cut(true));
        goes_on(folder)?;
    }
    fs::write(folder.join("enough"), "")?;
    assert!(feed.wait()?.success() && drain.wait()?.success());
    let text = said(folder, "drain.txt");
    assert!(text.contains("missing 0, repeated 0"), "{text}");
    let [offered, delivered, ..] = account(folder)?;
    assert_eq!(offered, delivered);
    Ok(())
}
