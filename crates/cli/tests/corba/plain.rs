//! The plain style's program for the objects of every.idl, as the peer of others: echo.idl has what it can say of them.

use std::path::{Path, PathBuf};
use std::process::Command;

use filetest::programs::{Outcome, Server, compiling, run, text};
use filetest::scratch::Scratch;

use crate::{OBJECTS, sources};

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
        let flags = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
        let compiling = || compiling("clang", &flags, folder.path(), &direct);
        let program = folder.path().join("echo");
        let mut command = compiling();
        command.arg(direct.join("echo.c")).arg("-o").arg(&program);
        for part in ["echo_types.c", "echo_client.c", "echo_server.c", "whittle_iiop.c"] {
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
