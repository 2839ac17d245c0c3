//! Flows whose packets are messages of protobuf: programs that only `protoc-c` and libnats made read an edge beside its receiver, and write
//! one in place of its sender. `running_flows.rs` and `tapping_flows.rs` have such flows over the other transports.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use filetest::accounts::wait_until;
use filetest::oracle;
use filetest::programs::{Outcome, free_port, is_installed, run};
use filetest::scratch::Scratch;

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/flows/protobuf")
}

/// Debian's place for it is not in everybody's path.
fn server_program() -> Option<&'static str> {
    let library = Path::new("/usr/include/nats/nats.h").is_file();
    let there = ["nats-server", "/usr/sbin/nats-server"].into_iter().find(|program| is_installed(program));
    there.filter(|_| library && is_installed("protoc-c"))
}

/// A server with a store of its own; gone at the end.
struct Server {
    process: Child,
    url: String,
}

impl Server {
    fn start(program: &str, store: &Path) -> Outcome<Server> {
        let port = free_port()?;
        let mut command = Command::new(program);
        command.args(["-js", "-a", "127.0.0.1", "-p", &port.to_string(), "-sd"]).arg(store);
        let process = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        let server = Server { process, url: format!("nats://127.0.0.1:{port}") };
        wait_until("the server", || Ok(TcpStream::connect(("127.0.0.1", port)).is_ok()))?;
        Ok(server)
    }

    fn begin(&self, folder: &Path, program: &str, arguments: &[&str]) -> Outcome<Child> {
        let mut command = Command::new(folder.join(program));
        command.args(arguments).current_dir(folder).env("NATS_URL", &self.url);
        Ok(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The flow's programs, and the peers, built.
fn build(folder: &Path) -> Outcome {
    for file in fs::read_dir(sources())? {
        let path = file?.path();
        fs::copy(&path, folder.join(path.file_name().ok_or("no name")?))?;
    }
    run(Command::new(env!("CARGO_BIN_EXE_whittle")).args(["compile", "weather.spi", "-o", "."]).current_dir(folder))?;
    let flags = "CFLAGS=-O1 -g1 -Wall -Wextra -Werror -fsanitize=address,undefined -fno-sanitize-recover=all";
    let programs = ["weather_Station", "weather_Board"];
    run(Command::new("make").args(["-s", "CC=gcc", flags]).args(programs).current_dir(folder))?;
    run(Command::new("protoc-c").args(["--c_out=.", "reading.proto"]).current_dir(folder))?;
    for peer in ["reader", "writer"] {
        let mut building = Command::new("gcc");
        building.args(["-O1", "-Wno-deprecated-declarations", "-o", peer, &format!("{peer}.c"), "reading.pb-c.c"]);
        run(building.args(["-lprotobuf-c", "-lnats", "-lcrypto"]).current_dir(folder))?;
    }
    Ok(())
}

/// What a program printed, once it has ended well.
fn said(child: Child) -> Outcome<String> {
    let output = child.wait_with_output()?;
    assert!(output.status.success(), "{output:?}");
    Ok(String::from_utf8(output.stdout)?)
}

/// Of the one edge: offered, delivered, waiting, under way, dropped, faulty.
fn counts(folder: &Path, directory: &str) -> Outcome<Vec<String>> {
    let mut top = Command::new(env!("CARGO_BIN_EXE_whittle"));
    let output: Output = top.args(["pipe", "top", directory, "--once"]).current_dir(folder).output()?;
    let text = String::from_utf8(output.stdout)?;
    let line = text.lines().find_map(|line| line.strip_prefix("Station.r -> Board.r")).ok_or("no line")?;
    Ok(line.split_whitespace().take(6).map(str::to_string).collect())
}

#[test]
fn programs_that_know_the_messages_read_and_write_an_edge() -> Outcome {
    let Some(program) = server_program() else {
        assert!(!oracle::in_ci(), "nats-server, libnats or protobuf-c is not installed (make deps)");
        return Ok(());
    };
    let folder = Scratch::new("protobuf-flows")?;
    let here = folder.path();
    build(here)?;
    let server = Server::start(program, &here.join("store"))?;
    let mut reader = server.begin(here, "reader", &[])?;
    let mut output = BufReader::new(reader.stdout.take().ok_or("no output")?);
    let mut line = String::new();
    output.read_line(&mut line)?;
    assert_eq!(line, "reader: ready\n");
    let sender = server.begin(here, "weather_Station", &["--here", "--dir", "read"])?;
    let receiver = server.begin(here, "weather_Board", &["--here", "--dir", "read"])?;
    said(sender)?;
    assert_eq!(said(receiver)?, "Board: 200 readings, 0 wrong\n");
    line.clear();
    output.read_to_string(&mut line)?;
    assert_eq!(line, "reader: 200 readings, 0 wrong\n");
    assert!(reader.wait()?.success());
    let receiver = server.begin(here, "weather_Board", &["--here", "--dir", "written"])?;
    said(server.begin(here, "writer", &["written/key"])?)?;
    assert_eq!(said(receiver)?, "Board: 100 readings, 0 wrong\n");
    assert_eq!(counts(here, "written")?, ["0", "100", "0", "elsewhere", "0", "2"]);
    Ok(())
}
