//! What the user asked for, in plain data: the command line without its spelling.

use crate::{Destination, OutputKind};

/// One compilation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub input: Input,
    /// The files to make, in order. Without `keep_empty`, one that would hold nothing is left out.
    pub outputs: Vec<(OutputKind, Destination)>,
    pub keep_empty: bool,
    /// The header as the other files include it; `None` where it has no name (standard input).
    pub header: Option<String>,
    pub preprocessor: Preprocessor,
    pub style: Style,
    pub encoding: Encoding,
    pub link: Link,
    /// Arguments by value and several of them (rpcgen `-N`).
    pub newstyle: bool,
    /// No static results (rpcgen `-M`).
    pub thread_safe: bool,
    /// Prototypes for K&R compilers as well (rpcgen `-k`).
    pub old_c: bool,
    pub marshalling: Marshalling,
    pub server: ServerOptions,
    pub inspection: Inspection,
    /// The user asked for stubs of one side: warn where there are none, for want of a program.
    pub expects_programs: bool,
    /// Warn of types and constants that only C headers can define.
    pub warn_of_names_of_c: bool,
}

impl Request {
    /// Everything as rpcgen has it by default.
    pub fn new(input: Input) -> Self {
        let header = input.path().map(|_| OutputKind::Header.file_name(input.stem()));
        Request {
            input,
            outputs: Vec::new(),
            keep_empty: false,
            header,
            preprocessor: Preprocessor::default(),
            style: Style::Rpcgen,
            encoding: Encoding::Xdr,
            link: Link::Tirpc,
            newstyle: false,
            thread_safe: false,
            old_c: false,
            marshalling: Marshalling::default(),
            server: ServerOptions::default(),
            inspection: Inspection::default(),
            expects_programs: false,
            warn_of_names_of_c: false,
        }
    }
}

/// Where the description comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    StandardInput,
    Path(String),
}

impl Input {
    /// The path; `None` for standard input.
    pub fn path(&self) -> Option<&str> {
        match self {
            Input::StandardInput => None,
            Input::Path(path) => Some(path),
        }
    }

    /// The path without its extension, from which outputs take their names (rpcgen keeps the directory).
    pub fn stem(&self) -> &str {
        let path = self.path().unwrap_or("stdin");
        let name = path.rfind('/').map_or(0, |slash| slash + 1);
        match path[name..].rfind('.') {
            Some(dot) => &path[..name + dot],
            _ => path,
        }
    }
}

/// What reaches the C preprocessor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preprocessor {
    /// The directory that holds `cpp` (rpcgen `-Y`).
    pub directory: Option<String>,
    /// `-D`, `-U` and `-I` in the user's order, spelled as the preprocessor reads them.
    pub arguments: Vec<String>,
}

/// How C code sees the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Rpcgen,
}

/// What the bytes of a message look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Xdr,
}

/// How a message travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    Tirpc,
}

/// Which stubs to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Client,
    Server,
    Both,
}

impl Side {
    /// The files of this side, in rpcgen's order.
    pub fn outputs(self) -> &'static [OutputKind] {
        match self {
            Side::Client => &[OutputKind::Routines, OutputKind::Header, OutputKind::Client],
            Side::Server => &[OutputKind::Routines, OutputKind::Header, OutputKind::Server],
            Side::Both => &[OutputKind::Routines, OutputKind::Header, OutputKind::Client, OutputKind::Server],
        }
    }
}

/// How values become bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marshalling {
    /// Refuse enumeration values that the description does not name.
    pub strict: bool,
    /// How deep a decoded value may nest; `None` for the default.
    pub max_depth: Option<u32>,
    /// Passes left out.
    pub without_passes: Vec<String>,
}

/// What a generated server does beside dispatching.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerOptions {
    /// TI-RPC's way to make transports (rpcgen `-5`).
    pub transport_independent: bool,
    /// A server that inetd may start (rpcgen `-I`).
    pub inetd: bool,
    /// Seconds of idleness after which it ends, 0 for after each request, less for never (rpcgen `-K`); else 120.
    pub linger: Option<i64>,
    /// Errors go to syslog (rpcgen `-L`).
    pub syslog: bool,
    /// Dispatch tables in place of a dispatch routine's cases (rpcgen `-T`).
    pub tables: bool,
    /// Transports by class, `tcp` and `udp` (rpcgen `-s`); both where empty.
    pub transports: Vec<String>,
    /// Transports by network identifier (rpcgen `-n`).
    pub network_ids: Vec<String>,
    /// The arguments of one call live in one arena.
    pub arena: bool,
}

/// A tree of the pipeline that can be shown, or read back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    Tokens,
    Aoi,
    Mint,
    Pres,
    Plan,
    Cast,
    /// Of flows alone.
    Xip,
}

impl Stage {
    /// Every stage, in the order of the pipeline.
    pub const ALL: [Stage; 7] =
        [Stage::Tokens, Stage::Aoi, Stage::Mint, Stage::Pres, Stage::Plan, Stage::Cast, Stage::Xip];

    /// Those of interfaces.
    pub const OF_INTERFACES: [Stage; 6] =
        [Stage::Tokens, Stage::Aoi, Stage::Mint, Stage::Pres, Stage::Plan, Stage::Cast];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Tokens => "tokens",
            Stage::Aoi => "aoi",
            Stage::Mint => "mint",
            Stage::Pres => "pres",
            Stage::Plan => "plan",
            Stage::Cast => "cast",
            Stage::Xip => "xip",
        }
    }
}

/// Looking inside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inspection {
    /// Print this tree and write nothing.
    pub emit: Option<Stage>,
    /// Stop after this stage; nothing is written.
    pub stop_after: Option<Stage>,
    /// Print the PLAN after these passes.
    pub print_after: Vec<String>,
    /// The input is a dump of this tree.
    pub from: Option<Stage>,
}

impl Inspection {
    /// The stage after which nothing need be done.
    pub(crate) fn last(&self) -> Stage {
        self.emit.into_iter().chain(self.stop_after).min().unwrap_or(Stage::Cast)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stem(path: &str) -> String {
        Input::Path(path.into()).stem().to_owned()
    }

    #[test]
    fn outputs_are_named_after_the_input_without_its_last_extension() {
        assert_eq!(stem("b.x"), "b");
        assert_eq!(stem("sub/b.x"), "sub/b");
        assert_eq!(stem("a.b.x"), "a.b");
        assert_eq!(stem("plain"), "plain");
        assert_eq!(stem("dir.d/plain"), "dir.d/plain");
        assert_eq!(stem(".x"), "", "as rpcgen, which writes `.h`");
    }
}
