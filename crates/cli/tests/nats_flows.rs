//! Flows over a NATS server, as their users have them: what was sent arrives, by a mixed way, and through the death of the
//! server. Where `nats-server` or its library is not installed, there is nothing to test.

use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use filetest::accounts::{account, wait_until};
use filetest::programs::{Outcome, free_port};
use filetest::scratch::Scratch;

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/flows")
}

/// Debian's place for it is not in everybody's path.
fn program() -> Option<&'static str> {
    let is_there = |program: &&str| {
        Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
    };
    let library = Path::new("/usr/include/nats/nats.h").is_file();
    ["nats-server", "/usr/sbin/nats-server"].into_iter().find(is_there).filter(|_| library)
}

/// A server with a store of its own; gone at the end.
struct Server {
    process: Child,
    port: u16,
    store: PathBuf,
}

impl Server {
    fn start(store: &Path, port: u16) -> Outcome<Server> {
        let program = program().ok_or("no server")?;
        let arguments = ["-js", "-a", "127.0.0.1", "-p", &port.to_string(), "-sd"];
        let mut command = Command::new(program);
        command.args(arguments).arg(store).stdout(Stdio::null()).stderr(Stdio::null());
        let server = Server { process: command.spawn()?, port, store: store.to_owned() };
        let until = Instant::now() + Duration::from_secs(120);
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(Instant::now() < until, "the server does not answer");
            sleep(Duration::from_millis(20));
        }
        Ok(server)
    }

    fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Killed, and after a while another in its place, with the same store.
    fn replaced(mut self, after: Duration) -> Outcome<Server> {
        self.process.kill()?;
        self.process.wait()?;
        sleep(after);
        Server::start(&self.store.clone(), self.port)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What the user has written.
fn folder() -> Outcome<Scratch> {
    let folder = Scratch::new("nats-flows").map_err(|_| "no scratch folder")?;
    for name in ["nats/kept.spi", "Source.c", "Clock.c", "Twice.c", "Sum.c"] {
        let path = sources().join(name);
        fs::copy(&path, folder.path().join(path.file_name().ok_or("no name")?))?;
    }
    Ok(folder)
}

/// That folder, and a server with its store in it; `None` where there is no server to be had.
fn served() -> Outcome<Option<(Scratch, Server)>> {
    if program().is_none() {
        return Ok(None);
    }
    let folder = folder()?;
    let server = Server::start(&folder.path().join("store"), free_port()?)?;
    Ok(Some((folder, server)))
}

fn begin(folder: &Path, flow: &str, url: &str) -> Outcome<Child> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_whittle"));
    command.args(["pipe", "run", "kept.spi", "--flow", flow, "--dir", &format!("run-{flow}")]);
    command.current_dir(folder).env("CC", "gcc").env("CFLAGS", "-O1 -g1 -DTICKS=400").env("NATS_URL", url);
    Ok(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?)
}

/// All that the table counts was delivered.
fn assert_delivered(output: &Output, packets: u64) {
    let text = String::from_utf8_lossy(&output.stdout);
    let edges: Vec<&str> = text.lines().filter(|line| line.contains(" -> ")).collect();
    assert!(output.status.success() && !edges.is_empty(), "{output:?}");
    for line in edges {
        let numbers: Vec<u64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        assert_eq!(numbers.get(..6), Some(&[packets, packets, 0, 0, 0, 0][..]), "{line}");
    }
}

#[test]
fn packets_go_over_a_server_and_on() -> Outcome {
    let Some((folder, server)) = served()? else { return Ok(()) };
    let output = begin(folder.path(), "mixed", &server.url())?.wait_with_output()?;
    assert_delivered(&output, 100);
    assert!(String::from_utf8_lossy(&output.stdout).contains("Sum: 100 packets, sum 7900"), "{output:?}");
    Ok(())
}

#[test]
fn nothing_is_lost_when_the_server_dies_and_comes_back() -> Outcome {
    let Some((folder, server)) = served()? else { return Ok(()) };
    let child = begin(folder.path(), "kept", &server.url())?;
    /* Built, connected, and under way. */
    let counts = || account(env!("CARGO_BIN_EXE_whittle"), folder.path(), "run-kept");
    wait_until("packets", || Ok(counts().is_ok_and(|[offered, ..]| offered > 0)))?;
    let _server = server.replaced(Duration::from_millis(300))?;
    let output = child.wait_with_output()?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("Sum: 400 packets, sum 400"), "{output:?}");
    assert_delivered(&output, 400);
    Ok(())
}

/// Programs of a flow over NATS whose packets have this range.
fn with_range(range: &str) -> Outcome<Scratch> {
    let folder = Scratch::new("nats-ranges").map_err(|_| "no scratch folder")?;
    let text = format!(
        "packet P {{ uint8 n range {range}; }}\npipe A {{ out P o rate 10/s; middle a; }}\npipe B {{ in P i; middle b; }}\nflow kinds {{ A -> B via nats; }}\n"
    );
    fs::write(folder.path().join("kinds.spi"), text)?;
    fs::write(
        folder.path().join("A.c"),
        "#include \"A.h\"\nbool a(struct A *self) { self->o->n = 1; return A_send_o(self); }\n",
    )?;
    fs::write(folder.path().join("B.c"), "#include \"B.h\"\nbool b(struct B *self) { (void)self; return true; }\n")?;
    let mut compile = Command::new(env!("CARGO_BIN_EXE_whittle"));
    let output = compile.args(["compile", "kinds.spi"]).current_dir(folder.path()).output()?;
    assert!(output.status.success(), "{output:?}");
    let built = Command::new("make").args(["CFLAGS=-O0", "LTO="]).current_dir(folder.path()).output()?;
    assert!(built.status.success(), "{built:?}");
    Ok(folder)
}

#[test]
fn what_a_stream_of_other_packets_is_of_is_said() -> Outcome {
    if program().is_none() {
        return Ok(());
    }
    let (wide, narrow) = (with_range("1 to 30")?, with_range("1 to 20")?);
    let server = Server::start(&wide.path().join("store"), free_port()?)?;
    let messages = wide.path().join("messages");
    let begin = |folder: &Scratch, name: &str, said: Stdio| -> Outcome<Child> {
        let mut command = Command::new(folder.path().join(name));
        command.args(["--dir", "run", "--nats", &server.url()]).current_dir(wide.path());
        Ok(command.stderr(said).spawn()?)
    };
    let mut sender = begin(&wide, "kinds_A", Stdio::null())?;
    // How many the server has is not in the sender's account.
    let is_sent = || -> Outcome<bool> {
        let mut top = Command::new(env!("CARGO_BIN_EXE_whittle"));
        let text = top.args(["pipe", "top", "run", "--once"]).current_dir(wide.path()).output()?.stdout;
        let text = String::from_utf8(text)?;
        let words = text.lines().find(|line| line.contains(" -> ")).unwrap_or_default().split_whitespace();
        let words: Vec<&str> = words.skip(3).collect();
        Ok(words.first().is_some_and(|offered| *offered != "0") && words.get(2) == Some(&"0"))
    };
    let sent = wait_until("packets", is_sent);
    let mut receiver = begin(&narrow, "kinds_B", fs::File::create(&messages)?.into())?;
    let expected = "of other packets: `whittle 1: kinds: A.o -> B.i: P ";
    let said = wait_until("a message", || Ok(fs::read_to_string(&messages)?.contains(expected)));
    for end in [&mut sender, &mut receiver] {
        end.kill()?;
        end.wait()?;
    }
    sent?;
    assert!(said.is_ok(), "{}", fs::read_to_string(&messages)?);
    Ok(())
}
