//! `whittle pipe key`: the key of a flow on several machines. In: a name. Out: a file with 32 random bytes as hexadecimal
//! digits, that its user alone may read. It is the one output that is no function of the input. Source:
//! `runtime/net/keys.c`, which reads it.

use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use clap::Args;

use crate::common::Common;
use crate::{Ending, errors, out, print};

const BYTES: usize = 32;

#[derive(Debug, Args)]
pub(crate) struct Key {
    /// The file to make, as -o names it; one that is there is not replaced
    #[arg(value_name = "FILE", conflicts_with = "out")]
    file: Option<String>,
    #[command(flatten)]
    pub(super) common: Common,
}

/// The usual name of a key.
const USUAL: &str = "flow.key";

pub(super) fn key(command: &Key) -> Ending {
    let asked = command.common.out.as_deref().or(command.file.as_deref()).unwrap_or(USUAL);
    if asked == "-" {
        print::refuse("a key is a file that its user alone may read: name one with -o");
        return Ending::CommandLineAtFault;
    }
    let single = out::single(Some(asked), USUAL);
    let folder = single.as_ref().and_then(|single| single.folder.clone());
    let path = single.map_or_else(|| USUAL.to_owned(), |single| single.path);
    match folder.map_or(Ok(()), std::fs::create_dir_all).and_then(|()| made(Path::new(&path))) {
        Ok(()) => Ending::Done,
        Err(problem) => {
            let help = match problem.kind() {
                std::io::ErrorKind::AlreadyExists => {
                    "name another file, or remove it first: every process of the flow must then have the new one"
                }
                _ => "name a file in a directory that you may write to",
            };
            print::refuse(&format!("{path} cannot be made: {}: {help}", errors::describe(&problem)));
            Ending::InputAtFault
        }
    }
}

fn made(path: &Path) -> std::io::Result<()> {
    let mut bytes = [0_u8; BYTES];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    let mut line: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    line.push('\n');
    // Nothing that is there is followed or written to: `create_new` is `O_EXCL`.
    let mut file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    let written = file.write_all(line.as_bytes()).and_then(|()| file.sync_all());
    written.inspect_err(|_| drop(std::fs::remove_file(path)))
}
