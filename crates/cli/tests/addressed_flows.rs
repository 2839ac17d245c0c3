//! Addresses on edges: the receiver listens there, the sender connects there, whatever the first port is; edges of one address come to one
//! socket. `--here`, which `whittle pipe run` says, leaves them out of account, as it does machines.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

use filetest::accounts::wait_until;
use filetest::ports::Ports;
use filetest::programs::Outcome;
use filetest::scratch::Scratch;

const SOURCE: &str = "#include \"Source.h\"
bool next(struct Source *self)
{
    static uint32_t number;
    self->a->number = self->b->number = self->c->number = ++number;
    return Source_send_a(self) && Source_send_b(self) && Source_send_c(self) && number < 100;
}
";

const SINK: &str = "#include \"Sink.h\"
bool take(struct Sink *self)
{
    (void)self;
    return true;
}
";

/// Edges to one address, and one to another.
fn folder(ports: &Ports) -> Outcome<Scratch> {
    let folder = Scratch::new("addressed-flows").map_err(|_| "no scratch folder")?;
    let (one, other) = (ports.first + 100, ports.first + 90);
    let flow = format!(
        "packet P {{ uint32 number; }}
pipe Source {{ out P a; out P b; out P c; middle next; }}
pipe Sink {{ in P a; in P b; in P c; middle take; }}
flow at {{
  Source.a -> Sink.a via tcp \"127.0.0.1:{one}\";
  Source.b -> Sink.b via tcp \"localhost:{other}\";
  Source.c -> Sink.c via tcp \"127.0.0.1:{one}\" queue 10;
}}
"
    );
    for (name, text) in [("at.spi", flow.as_str()), ("Source.c", SOURCE), ("Sink.c", SINK)] {
        fs::write(folder.path().join(name), text)?;
    }
    Ok(folder)
}

fn is_open(port: u16) -> bool {
    TcpStream::connect(("127.0.0.1", port)).is_ok()
}

/// All packets of each edge have arrived.
fn assert_arrived(table: &[u8]) {
    let table = String::from_utf8_lossy(table);
    for port in ["a", "b", "c"] {
        let edge = format!("Source.{port} -> Sink.{port}");
        let line = table.lines().find(|line| line.starts_with(&edge)).unwrap_or_default();
        let counts: Vec<u64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        assert_eq!(counts, [100, 100, 0, 0, 0, 0, 0, 0], "{table}");
    }
}

#[test]
fn ends_meet_at_the_address_of_their_edge() -> Outcome {
    let ports = Ports::take()?;
    let folder = folder(&ports)?;
    let whittle = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_whittle")).args(arguments).current_dir(folder.path()).output()
    };
    let output = whittle(&["compile", "at.spi"])?;
    assert!(output.status.success(), "{output:?}");
    let built = Command::new("make").args(["CFLAGS=-O0", "LTO="]).current_dir(folder.path()).output()?;
    assert!(built.status.success(), "{built:?}");
    let begin = |program: &str| -> Outcome<Child> {
        let mut command = Command::new(folder.path().join(program));
        command.args(["--dir", "run", "--port", &ports.first.to_string()]).current_dir(folder.path());
        Ok(command.stdin(Stdio::null()).spawn()?)
    };
    let mut sink = begin("at_Sink")?;
    let begun = wait_until("the sockets", || Ok(is_open(ports.first + 100) && is_open(ports.first + 90)));
    let elsewhere: Vec<u16> = (0..3).map(|edge| ports.first + edge).filter(|port| is_open(*port)).collect();
    let mut source = begin("at_Source")?;
    if begun.is_err() {
        sink.kill()?;
        source.kill()?;
    }
    let ended = [source.wait()?, sink.wait()?];
    begun?;
    assert!(ended.iter().all(std::process::ExitStatus::success), "{ended:?}");
    assert!(elsewhere.is_empty(), "{elsewhere:?}");
    assert_arrived(&whittle(&["pipe", "top", "run", "--once"])?.stdout);
    Ok(())
}

#[test]
fn a_flow_that_is_all_here_leaves_addresses_out_of_account() -> Outcome {
    let ports = Ports::take()?;
    let folder = folder(&ports)?;
    let _taken = TcpListener::bind(("127.0.0.1", ports.first + 100))?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_whittle"));
    command
        .args(["pipe", "run", "at.spi", "--dir", "run", "--port", &ports.first.to_string()])
        .current_dir(folder.path());
    let output = command.env("CFLAGS", "-O0").env("LTO", "").output()?;
    assert!(output.status.success(), "{output:?}");
    assert_arrived(&output.stdout);
    Ok(())
}
