//! Programs that tests build and run: commands whose complaints are the failure, and servers that say where they are. Beside
//! [`crate::oracle`], for tests whose failure is any error.

use std::error::Error;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};

/// How a test ends.
pub type Outcome<T = ()> = Result<T, Box<dyn Error>>;

/// What makes a compiler's sanitizers look on. Nothing is optimized away from under their eyes, and compilers take a fifth of the time; what
/// only optimizers see is built without them.
pub const CHECKED: [&str; 4] = ["-g1", "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

/// Runs a command to its end.
///
/// # Errors
///
/// It cannot be started, or does not end well: what it said.
pub fn run(command: &mut Command) -> Outcome {
    let output = command.output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{command:?}: {}\n{said}", output.status).into());
    }
    Ok(())
}

/// Whether the machine has a program.
pub fn is_installed(program: &str) -> bool {
    Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// A compiler that says all it can of generated code, which stands in `folder`; the tests' own is in `sources`.
pub fn compiling(compiler: &str, flags: &[&str], folder: &Path, sources: &Path) -> Command {
    let mut command = Command::new(compiler);
    command.args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-pthread"]).args(flags);
    command.arg("-I").arg(folder).arg("-I").arg(sources);
    command
}

/// A path as a word of a command line.
pub fn text(path: &Path) -> &str {
    path.to_str().unwrap_or_default()
}

/// A port of this machine that nobody has, below those that the system hands out: no connection is given it by itself before
/// who learns of it listens there, or while that one is away.
///
/// # Errors
///
/// All that are tried are taken.
pub fn free_port() -> Outcome<u16> {
    static GIVEN: AtomicU16 = AtomicU16::new(0);
    let first = u16::try_from(std::process::id() % 2000)?;
    let mut ports = (0..600).map(|_| 30_000 + first + GIVEN.fetch_add(1, Ordering::Relaxed));
    Ok(ports.find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok()).ok_or("no port is free")?)
}

/// A server; killed at the end where it is still there.
pub struct Server {
    process: Child,
    /// Its first line: where it is.
    pub address: String,
}

impl Server {
    /// Starts one, and waits until it has said where it is.
    ///
    /// # Errors
    ///
    /// It cannot be started.
    pub fn start(program: &Path, arguments: &[&str]) -> Outcome<Server> {
        let mut process = Command::new(program).args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
        let mut address = String::new();
        BufReader::new(process.stdout.take().ok_or("no output")?).read_line(&mut address)?;
        Ok(Server { process, address: address.trim().to_owned() })
    }

    /// Waits for one that was asked to end.
    ///
    /// # Errors
    ///
    /// It ends with a complaint (of a sanitizer's, say).
    pub fn ends(mut self) -> Outcome {
        let status = self.process.wait()?;
        if status.success() { Ok(()) } else { Err(format!("the server: {status}").into()) }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
