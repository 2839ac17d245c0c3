//! The plain style's program for the objects of every.idl, as the peer of others: echo.idl has what it can say of them.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

use filetest::programs::{Outcome, Server, compiling, run, text};
use filetest::scratch::Scratch;

use crate::{OBJECTS, sources};

/// The bytes of a reference that is a text.
fn bytes_of(reference: &str) -> Outcome<Vec<u8>> {
    let digits = reference.strip_prefix("IOR:").ok_or("no reference")?;
    let pairs = digits.as_bytes().chunks(2).map(std::str::from_utf8);
    pairs.map(|pair| Ok(u8::from_str_radix(pair?, 16)?)).collect()
}

/// Answers whatever is asked over one connection: the object is elsewhere (CORBA 3.3 part 2, section 9.4.3).
fn forward(listener: &TcpListener, reference: &[u8]) -> Outcome {
    let (mut stream, _) = listener.accept()?;
    stream.set_read_timeout(Some(Duration::from_secs(20)))?;
    // In the order of the reference's encapsulation, whose first four bytes are that order and padding.
    let is_little = reference.first().is_some_and(|first| *first == 1);
    let word = |value: u32| if is_little { value.to_le_bytes() } else { value.to_be_bytes() };
    let body = reference.get(4..).unwrap_or_default();
    let mut head = [0; 16];
    while stream.read_exact(&mut head).is_ok() {
        let number = |at: usize| {
            let bytes = [head[at], head[at + 1], head[at + 2], head[at + 3]];
            if head[6] & 1 != 0 { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) }
        };
        let (size, id) = (usize::try_from(number(8))?, number(12));
        stream.read_exact(&mut vec![0; size - 4])?;
        let mut reply = b"GIOP\x01\x02".to_vec();
        reply.extend([u8::from(is_little), 1]);
        for value in [u32::try_from(body.len() + 12)?, id, 3, 0] {
            reply.extend(word(value));
        }
        reply.extend(body);
        stream.write_all(&reply)?;
    }
    Ok(())
}

#[test]
fn a_client_goes_where_the_object_is() -> Outcome {
    let echo = Echo::new("forwarded")?;
    let server = Server::start(&echo.program, &[])?;
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let elsewhere = format!("corbaloc:iiop:1.2@{}/elsewhere", listener.local_addr()?);
    let reference = bytes_of(&server.address)?;
    let forwarding = thread::spawn(move || forward(&listener, &reference).map_err(|error| error.to_string()));
    run(Command::new("timeout").args(["60", text(&echo.program), &elsewhere, "small"]))?;
    forwarding.join().map_err(|_| "the one that forwards failed")??;
    server.ends()
}

/// A program that serves, or calls who serves, in a folder of its own.
pub(crate) struct Echo {
    _folder: Scratch,
    program: PathBuf,
}

impl Echo {
    /// Makes one; sanitizers look on.
    ///
    /// # Errors
    ///
    /// Whoever makes it complains.
    pub(crate) fn new(name: &str) -> Outcome<Echo> {
        let (folder, direct) = (Scratch::new(&format!("corba-echo-{name}"))?, sources().join("../direct"));
        let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
        whittle.arg("compile").arg(direct.join("echo.idl")).args(["--style", "plain", "--link", "giop-tcp"]);
        run(whittle.arg("--out").arg(folder.path()))?;
        let flags = ["-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
        let compiling = || compiling("clang", &flags, folder.path(), &direct);
        let program = folder.path().join("echo");
        let mut command = compiling();
        command.arg(direct.join("echo.c")).arg("-o").arg(&program);
        for part in
            ["echo_types.c", "echo_client.c", "echo_server.c", "whittle_iiop.c", "whittle_corba.c", "whittle_net.c"]
        {
            command.arg(OBJECTS.object(compiling(), &folder.path().join(part))?);
        }
        run(&mut command)?;
        Ok(Echo { _folder: folder, program })
    }

    /// Calls everything of another's server.
    ///
    /// # Errors
    ///
    /// One of them complains.
    pub(crate) fn calls(&self, server: (&Path, &[&str]), mode: Option<&str>) -> Outcome {
        let server = Server::start(server.0, server.1)?;
        run(Command::new("timeout").arg("60").arg(&self.program).arg(&server.address).args(mode))?;
        server.ends()
    }

    /// Is called by another's client.
    ///
    /// # Errors
    ///
    /// One of them complains.
    pub(crate) fn is_called_by(&self, client: (&Path, &[&str]), mode: &str) -> Outcome {
        let server = Server::start(&self.program, &[])?;
        let mut command = Command::new("timeout");
        run(command.args(["60", text(client.0)]).args(client.1).arg(&server.address).arg(mode))?;
        server.ends()
    }
}
