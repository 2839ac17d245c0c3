//! Storms over the C of `runtime/flow`, which say what they did, and faults that are built into a copy of it. In: a transport, and what is
//! changed. Out: the first step that the protocol does not have.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{fs, thread};

use filetest::scratch::Scratch;

use crate::replay::replay;

const BLOWS: &str = "10";

/// Who waits for what a fault has lost ends here.
const PATIENCE: Duration = Duration::from_secs(40);

/// A fault of the protocol: a file, what stands there, and what it becomes.
pub(crate) struct Fault {
    pub(crate) name: &'static str,
    pub(crate) file: &'static str,
    pub(crate) from: &'static str,
    pub(crate) to: &'static str,
}

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime/flow/tests")
}

/// Where this build's objects are; the tests of this file share them.
fn build() -> String {
    format!("{}/traced", env!("CARGO_TARGET_TMPDIR"))
}

/// Tests run at the same time, and build the same objects.
static BUILDING: Mutex<()> = Mutex::new(());

fn make(words: &[String]) -> Outcome<()> {
    let _alone = BUILDING.lock().unwrap_or_else(PoisonError::into_inner);
    let mut make = Command::new("make");
    make.arg("-s").arg("-C").arg(tests()).args(["SANITIZE=", "DEFINES=-DWHITTLE_FLOW_TRACE"]);
    make.arg(format!("BUILD={}", build())).args(words);
    filetest::oracle::succeed(&mut make).map_err(|failed| failed.message().unwrap_or_default().to_owned())?;
    Ok(())
}

/// Builds a storm as it is.
pub(crate) fn made(name: &str) -> Outcome<PathBuf> {
    make(&["-j2".to_owned(), "objects".to_owned(), format!("{}/{name}", build())])?;
    Ok(Path::new(&build()).join(name))
}

/// Builds the storm, with one file changed where there is a fault.
pub(crate) fn built(fault: Option<&Fault>) -> Outcome<PathBuf> {
    let storm = made("storm_test")?;
    let Some(fault) = fault else { return Ok(storm) };
    let text = fs::read_to_string(tests().join("..").join(fault.file))?;
    if text.matches(fault.from).count() != 1 {
        return Err(format!("{}: `{}` does not stand there once", fault.file, fault.from).into());
    }
    let scratch = Scratch::new("fault")?;
    let changed = scratch.path().join(fault.file);
    fs::write(&changed, text.replace(fault.from, fault.to))?;
    let storm = format!("{}/{}.storm", build(), fault.name);
    make(&[storm.clone(), format!("INSTEAD={}", changed.display())])?;
    Ok(PathBuf::from(storm))
}

/// The storms over a transport, and what the protocol says of each. How many steps there were; or the first that is none.
pub(crate) fn follows(storm: &Path, transport: &str, seed: u64) -> Outcome<Result<usize, String>> {
    let scratch = Scratch::new("storms")?;
    let traces = scratch.path().join("traces");
    fs::create_dir(&traces)?;
    let mut storms = Command::new(storm)
        .args([&seed.to_string(), BLOWS, transport])
        .env("STORM_TRACES", &traces)
        .env("TMPDIR", scratch.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let trace = |number: usize| traces.join(format!("{number}.trace"));
    let (mut start, mut count) = (Instant::now(), 0);
    let status = loop {
        if trace(count).exists() {
            (start, count) = (Instant::now(), count + 1);
        }
        match storms.try_wait()? {
            Some(status) => break Some(status),
            None if start.elapsed() > PATIENCE => {
                storms.kill()?;
                storms.wait()?;
                break None;
            }
            None => thread::sleep(Duration::from_millis(5)),
        }
    };
    let mut steps = 0;
    for number in (0..).take_while(|number| trace(*number).exists()) {
        match replay(&fs::read_to_string(trace(number))?) {
            Ok(count) => steps += count,
            Err(why) => return Ok(Err(format!("seed {seed}, over {transport}, trace {number}: {why}"))),
        }
    }
    match status {
        Some(status) if status.success() => Ok(Ok(steps)),
        Some(status) => Err(format!("the storm itself failed ({status}), and its steps are all allowed").into()),
        None => Err("the storms did not end, and their steps are all allowed".into()),
    }
}
