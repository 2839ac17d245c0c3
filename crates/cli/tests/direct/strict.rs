//! One enumeration that takes its own numbers alone: what a presentation file says of it holds for all that is sent and received, over
//! either link, whatever the other side takes.

use std::path::PathBuf;
use std::process::Command;

use filetest::programs::{CHECKED, Outcome, Server, run};

use crate::{build_of, compiled, iiop};

#[test]
fn one_enumeration_may_be_strict() -> Outcome {
    let mut folders = Vec::new();
    let mut made = |link: &str, is_strict: bool| -> Outcome<PathBuf> {
        let usual = ["--presentation", "/dev/null"];
        let options = if is_strict { &[] } else { &usual[..] };
        let name = format!("strict-{link}-{is_strict}");
        let folder = compiled(&name, "strict.x", &[&["--link", link], options].concat())?;
        let program = match link {
            "onc" => build_of(folder.path(), "gcc", &CHECKED, "strict", "strict"),
            _ => iiop::build(folder.path(), "clang", &iiop::LIGHT, "strict", "strict"),
        };
        folders.push(folder);
        program
    };
    for link in ["onc", "giop-tcp"] {
        let (strict, loose) = (made(link, true)?, made(link, false)?);
        for (server, client, word) in [(&strict, &loose, Some("loose")), (&loose, &strict, None)] {
            let server = Server::start(server, &[])?;
            run(Command::new("timeout").arg("60").arg(client).arg(&server.address).args(word))
                .map_err(|error| format!("{link}: {error}"))?;
            server.ends()?;
        }
    }
    Ok(())
}
