//! `--byte-order`: messages are sent in the order that was asked for, header and all, whatever the machine's; both are received.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use filetest::programs::{Outcome, Server, free_port, is_installed, text};

use crate::{build, compiled, peers, sources, talk};

/// Of a message: whether its header says little-endian, and whether the size behind that is right in the order it says.
fn is_little(mut stream: TcpStream) -> Outcome<bool> {
    stream.set_read_timeout(Some(Duration::from_secs(20)))?;
    let mut header = [0; 12];
    stream.read_exact(&mut header)?;
    if !header.starts_with(b"GIOP\x01") {
        return Err(format!("no message: {header:?}").into());
    }
    let is_little = header[6] & 1 != 0;
    let size = [header[8], header[9], header[10], header[11]];
    let size = if is_little { u32::from_le_bytes(size) } else { u32::from_be_bytes(size) };
    let mut body = vec![0; usize::try_from(size)?];
    stream.read_exact(&mut body)?;
    Ok(is_little)
}

/// What this client sends first.
fn client_sends_little(client: &[&str]) -> Outcome<bool> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let reference = format!("corbaloc:iiop:1.2@{}/key", listener.local_addr()?);
    let [program, leading @ ..] = client else { return Err("no client".into()) };
    let mut command = Command::new("timeout");
    command.args(["60", program]).args(leading).arg(reference);
    let mut running = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let (stream, _) = listener.accept()?;
    drop(listener);
    let found = is_little(stream);
    running.wait()?;
    found
}

/// What this server answers to a LocateRequest in each order.
fn server_sends_little(server: &Path) -> Outcome<[bool; 2]> {
    let port = free_port()?;
    let endpoint = format!("giop:tcp:127.0.0.1:{port}");
    let _server = Server::start(server, &["-ORBEndPoint", &endpoint])?;
    let asks = |message: &[u8]| {
        let mut stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.write_all(message)?;
        is_little(stream)
    };
    let big = asks(b"GIOP\x01\x02\0\x03\0\0\0\x0f\0\0\0\x07\0\0\0\0\0\0\0\x03key")?;
    let little = asks(b"GIOP\x01\x02\x01\x03\x0f\0\0\0\x07\0\0\0\0\0\0\0\x03\0\0\0key")?;
    Ok([big, little])
}

#[test]
fn messages_go_in_the_order_that_was_asked_for() -> Outcome {
    let plain = compiled("corba-byte-order-host", &[])?;
    let server = build(plain.path(), "gcc", &["-O1"], "server", "server")?;
    let client = build(plain.path(), "gcc", &["-O1"], "client", "client")?;
    let little_here = cfg!(target_endian = "little");
    assert_eq!(client_sends_little(&[text(&client)])?, little_here);
    assert_eq!(server_sends_little(&server)?, [little_here; 2]);
    let echo = crate::plain::Echo::new("byte-order")?;
    let checked = ["-g1", "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover"];
    for (order, is_little) in [("big", false), ("little", true)] {
        let flags: &[&str] = if is_little == little_here { &["-O0"] } else { &checked };
        let folder = compiled(&format!("corba-byte-order-{order}-asked"), &["--byte-order", order])?;
        let ordered_server = build(folder.path(), "gcc", flags, "server", "server")?;
        let ordered_client = build(folder.path(), "clang", &["-O0"], "client", "client")?;
        assert_eq!(client_sends_little(&[text(&ordered_client)])?, is_little, "{order}");
        assert_eq!(server_sends_little(&ordered_server)?, [is_little; 2], "{order}");
        talk((&ordered_server, &[]), (&[text(&ordered_client)], &[]), None)?;
        talk((&ordered_server, &[]), (&[text(&client)], &[]), None)?;
        talk((&server, &[]), (&[text(&ordered_client)], &["-ORBMaxFragment", "4096"]), None)?;
        echo.calls((&ordered_server, &[]), None)?;
        echo.is_called_by((&ordered_client, &["-ORBMaxFragment", "4096"]), "plain")?;
    }
    Ok(())
}

#[test]
fn omniorb_understands_the_other_order() -> Outcome {
    if !is_installed("omniidl") || !Path::new("/usr/include/omniORB4/CORBA.h").is_file() {
        return Ok(());
    }
    let other = if cfg!(target_endian = "little") { "big" } else { "little" };
    let folder = compiled("corba-byte-order-omniorb", &["--byte-order", other])?;
    let server = build(folder.path(), "gcc", &["-O1"], "server", "server")?;
    let client = build(folder.path(), "gcc", &["-O1"], "client", "client")?;
    let [omni_server, omni_client] = peers(folder.path())?;
    for (version, mode) in [("1.2", None), ("1.1", Some("small")), ("1.0", Some("narrow"))] {
        let limit = ["-ORBmaxGIOPVersion", version];
        talk((&server, &[]), (&[text(&omni_client)], &limit), mode).map_err(|error| format!("{version}: {error}"))?;
        talk((&omni_server, &limit), (&[text(&client)], &[]), mode).map_err(|error| format!("{version}: {error}"))?;
    }
    Ok(())
}

#[test]
fn it_holds_on_a_big_endian_machine() -> Outcome {
    if !is_installed("s390x-linux-gnu-gcc") || !is_installed("qemu-s390x") {
        return Ok(());
    }
    let plain = compiled("corba-byte-order-s390x", &[])?;
    let server = build(plain.path(), "gcc", &["-O1"], "server", "server")?;
    for (order, is_little) in [("big", false), ("little", true)] {
        let folder = compiled(&format!("corba-byte-order-s390x-{order}"), &["--byte-order", order])?;
        let client = build(folder.path(), "s390x-linux-gnu-gcc", &["-O1", "-static"], "client", "client")?;
        let command = ["qemu-s390x", text(&client)];
        assert_eq!(client_sends_little(&command)?, is_little, "{order}");
        talk((&server, &[]), (&command, &[]), None)?;
    }
    Ok(())
}

/// Stubs for one order and an ORB for another are no program.
#[test]
fn orders_do_not_mix() -> Outcome {
    let (plain, big) =
        (compiled("corba-byte-order-mixed", &[])?, compiled("corba-byte-order-big", &["--byte-order", "big"])?);
    std::fs::copy(plain.path().join("whittle_corba.c"), big.path().join("whittle_corba.c"))?;
    let problem = build(big.path(), "gcc", &["-O0"], "client", "client").err().ok_or("they were linked")?.to_string();
    assert!(problem.contains("whittle_call_begin_big_endian"), "{problem}");
    Ok(())
}

#[test]
fn where_there_is_no_choice_it_is_refused() -> Outcome {
    let refused = |command: &str, file: &Path, more: &[&str], words: &str| -> Outcome {
        let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
        let output = whittle.arg(command).arg(file).args(["--byte-order", "big"]).args(more).output()?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains(words), "{}: {said}", file.display());
        Ok(())
    };
    refused("compile", &sources().join("directory.x"), &[], "XDR has one byte order")?;
    refused("check", &sources().join("every.idl"), &["--style", "rpcgen"], "XDR has one byte order")?;
    let flow = sources().join("../flows/all.spi");
    refused("compile", &flow, &[], "each of its edges")?;
    refused("check", &flow, &[], "each of its edges")
}
