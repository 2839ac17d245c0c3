//! Tests of the C in `runtime/`, which its Makefiles build and run. In: a folder with a Makefile, a compiler, a target. Out: what
//! the first test that fails says.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use libtest_mimic::Failed;

use crate::oracle;
use crate::scratch::Scratch;

/// What removes the folders of tests that have just ended may take so long.
const PATIENCE: Duration = Duration::from_secs(10);

/// The tests of one run time.
#[derive(Clone, Copy, Debug)]
pub struct RunTime {
    /// Below the repository's root: `runtime/onc/tests`.
    pub folder: &'static str,
    /// Where to build: `CARGO_TARGET_TMPDIR` of the test.
    pub target: &'static str,
    /// Its tests may run two at a time: no port, no limit of the system's is shared.
    pub side_by_side: bool,
}

impl RunTime {
    /// Builds, and runs what the Makefile calls `target`.
    ///
    /// # Errors
    ///
    /// What does not compile, and what a test complains of.
    pub fn passes(&self, compiler: &str, target: &str) -> Result<(), Failed> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(self.folder);
        let build = format!("{}/{}-{compiler}", self.target, self.folder.replace('/', "-"));
        let temporary = Scratch::new("run-time")?;
        let make = |words: &[&str]| {
            let mut make = Command::new("make");
            make.env("TMPDIR", temporary.path());
            make.arg("-C").arg(&folder).args([format!("CC={compiler}"), format!("BUILD={build}")]).args(words);
            oracle::succeed(&mut make).map(|_| ())
        };
        // What tests share is there before them: a Makefile that calls itself would make it twice at the same time.
        make(&["-j2", "objects"])?;
        make(&[if self.side_by_side { "-j2" } else { "-j1" }, target])?;
        nothing_is_left(&temporary)
    }

    /// The same by another compiler, which takes its time: `make soak` alone has it.
    ///
    /// # Errors
    ///
    /// As [`RunTime::passes`].
    pub fn passes_in_a_soak(&self, compiler: &str, target: &str) -> Result<(), Failed> {
        if oracle::is_soak() { self.passes(compiler, target) } else { Ok(()) }
    }
}

/// Tests remove what they put among the temporary files.
fn nothing_is_left(temporary: &Scratch) -> Result<(), Failed> {
    let start = Instant::now();
    loop {
        match temporary.names() {
            names if names.is_empty() => return Ok(()),
            names if start.elapsed() > PATIENCE => return Err(format!("left behind: {}", names.join(" ")).into()),
            _ => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}
