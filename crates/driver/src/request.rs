//! What the user asked for, in plain data: the command line without its spelling.

use front_onc::NamesOfC;
use source::Limits;
use stubs::links::options::SentOrder;

use crate::{Combination, Destination, OutputKind};

/// One compilation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub input: Input,
    pub language: Language,
    /// The files to make, in order. Without `keep_empty`, one that would hold nothing is left out.
    pub outputs: Vec<(OutputKind, Destination)>,
    pub keep_empty: bool,
    /// The header as the other files include it; `None` where it has no name (standard input).
    pub header: Option<String>,
    pub preprocessor: Preprocessor,
    /// How much the input may ask for.
    pub limits: Limits,
    pub style: Style,
    pub encoding: Encoding,
    pub link: Link,
    /// What C code is to look like, beyond the style.
    pub presentation: Shape,
    /// Only the types, for another file that uses them; what has no form is left out.
    pub types_alone: bool,
    /// Arguments by value and several of them (rpcgen `-N`).
    pub newstyle: bool,
    /// The program's number, for the first interface that states none; each further one has the next.
    pub onc_program: Option<u32>,
    /// No static results (rpcgen `-M`).
    pub thread_safe: bool,
    /// Prototypes for K&R compilers as well (rpcgen `-k`).
    pub old_c: bool,
    pub marshalling: Marshalling,
    pub server: ServerOptions,
    pub inspection: Inspection,
    /// The user asked for stubs of one side: warn where there are none, for want of a program.
    pub expects_programs: bool,
    /// What becomes of names that only C headers can define, in rpcgen's style; in the others they are errors.
    pub names_of_c: NamesOfC,
    /// Accept the numbers that rpcgen accepts, in its style.
    pub lax: bool,
}

impl Request {
    /// Everything as is usual for the input's language: rpcgen's choices, or those of CORBA's C mapping.
    pub fn new(input: Input) -> Self {
        let language = input.language();
        Request::written_in(input, language)
    }

    /// The same for an input whose ending does not tell its language.
    pub fn written_in(input: Input, language: Language) -> Self {
        let header = input.path().map(|_| OutputKind::Header.file_name(input.stem()));
        let Combination { style, encoding, link, .. } = Combination::usual(language);
        Request {
            input,
            language,
            outputs: Vec::new(),
            keep_empty: false,
            header,
            preprocessor: Preprocessor::default(),
            limits: Limits::default(),
            style,
            encoding,
            link,
            presentation: Shape::default(),
            types_alone: false,
            newstyle: false,
            onc_program: None,
            thread_safe: false,
            old_c: false,
            marshalling: Marshalling::default(),
            server: ServerOptions::default(),
            inspection: Inspection::default(),
            expects_programs: false,
            names_of_c: NamesOfC::OfHeaders,
            lax: false,
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

    /// By the path's extension.
    pub fn language(&self) -> Language {
        match self.path() {
            Some(path) if path.ends_with(".idl") => Language::Corba,
            Some(path) if path.ends_with(".defs") => Language::Mig,
            _ => Language::Onc,
        }
    }

    /// The path without its extension, from which outputs take their names (rpcgen keeps the directory).
    pub fn stem(&self) -> &str {
        stem(self.path().unwrap_or("stdin"))
    }
}

/// A path without its extension.
pub(crate) fn stem(path: &str) -> &str {
    let name = path.rfind('/').map_or(0, |slash| slash + 1);
    match path[name..].rfind('.') {
        Some(dot) => &path[..name + dot],
        _ => path,
    }
}

/// What reaches the C preprocessor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preprocessor {
    /// The directory that holds `cpp` (rpcgen `-Y`).
    pub directory: Option<String>,
    /// The program and its own arguments, where the user names them (mig's `-cc`).
    pub command: Option<Vec<String>>,
    /// `-D`, `-U` and `-I` in the user's order, spelled as the preprocessor reads them.
    pub arguments: Vec<String>,
}

/// How C code sees the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Rpcgen,
    /// The C mapping of CORBA.
    Corba,
    /// What C programmers write today.
    Plain,
}

impl Style {
    pub const ALL: [Style; 3] = [Style::Rpcgen, Style::Corba, Style::Plain];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Style::Rpcgen => "rpcgen",
            Style::Corba => "corba",
            Style::Plain => "plain",
        }
    }

    /// For `--help`.
    pub fn meaning(self) -> &'static str {
        match self {
            Style::Rpcgen => "As rpcgen: `xdr_T` routines, `get_1` stubs",
            Style::Corba => "The C mapping of CORBA: `Mail_send` stubs, servants through a POA",
            Style::Plain => "Fixed-width integers, `struct` tags, functions that return a status",
        }
    }
}

/// What presentation files and options say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// The presentation file; `None`: that beside the input, `b.pres` of `b.x`, if it is there.
    pub file: Option<String>,
    /// Statements as a presentation file has them.
    pub statements: Vec<String>,
}

/// What the bytes of a message look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Xdr,
    Cdr,
    Protobuf,
}

impl Encoding {
    pub const ALL: [Encoding; 3] = [Encoding::Xdr, Encoding::Cdr, Encoding::Protobuf];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Xdr => "xdr",
            Encoding::Cdr => "cdr",
            Encoding::Protobuf => "protobuf",
        }
    }

    /// For `--help`.
    pub fn meaning(self) -> &'static str {
        match self {
            Encoding::Xdr => "RFC 4506",
            Encoding::Cdr => "CORBA's common data representation",
            Encoding::Protobuf => "The wire format of proto3",
        }
    }
}

/// How a message travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    Tirpc,
    GiopTcp,
    /// ONC RPC without a library.
    Onc,
    /// The same between processes of one machine: where nobody says otherwise they meet in shared memory.
    Shm,
    /// Messages whose first words travel in registers, between threads or over a kernel that a header describes.
    Fluke,
    /// Mach's ports: typed messages, between tasks of one machine.
    Mach,
    /// Values alone: they are encoded and decoded where the program says.
    None,
}

impl Link {
    pub const ALL: [Link; 7] = [Link::Tirpc, Link::GiopTcp, Link::Onc, Link::Shm, Link::Fluke, Link::Mach, Link::None];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Link::Tirpc => "tirpc",
            Link::GiopTcp => "giop-tcp",
            Link::Onc => "onc",
            Link::Shm => "shm",
            Link::Fluke => "fluke",
            Link::Mach => "mach",
            Link::None => "none",
        }
    }

    /// The link whose stubs and run time it has in that encoding: shared memory is an address of the two others.
    #[must_use]
    pub fn underlying(self, encoding: Encoding) -> Link {
        match (self, encoding) {
            (Link::Shm, Encoding::Cdr) => Link::GiopTcp,
            _ => self,
        }
    }

    /// Names that it had.
    pub fn former_names(self) -> &'static [&'static str] {
        match self {
            Link::Onc => &["onc-tcp", "onc-udp"],
            _ => &[],
        }
    }

    /// For `--help`.
    pub fn meaning(self) -> &'static str {
        match self {
            Link::Tirpc => "libtirpc's CLIENT and SVCXPRT",
            Link::GiopTcp => "GIOP over TCP, with an ORB of whittle's beside the stubs; in the plain style, too",
            Link::None => {
                "No link: functions that encode, decode, measure, compare, copy and print values of each type; operations are left out"
            }
            Link::Onc => {
                "ONC RPC over TCP, UDP and Unix sockets, with a run time of whittle's beside the stubs; in every style"
            }
            Link::Fluke => {
                "Calls whose first words travel in registers: between threads of one process, or over a kernel that one header describes, as seL4"
            }
            Link::Mach => {
                "Messages of Mach's ports, between tasks of one machine, in its own byte order; in rpcgen's style XDR"
            }
            Link::Shm => {
                "As `onc`, or in CDR as `giop-tcp`, between processes of one machine: a `main` that is written listens in shared memory, and the plain style's header names the address"
            }
        }
    }
}

/// What an input is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// The RPC language of ONC (`.x`).
    Onc,
    /// OMG IDL (`.idl`).
    Corba,
    /// MIG's definitions (`.defs`), as far as they are data.
    Mig,
}

impl Language {
    pub const ALL: [Language; 3] = [Language::Onc, Language::Corba, Language::Mig];

    /// What its files end with.
    pub fn ending(self) -> &'static str {
        match self {
            Language::Onc => ".x",
            Language::Corba => ".idl",
            Language::Mig => ".defs",
        }
    }
}

/// Which stubs to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Client,
    Server,
    Both,
}

impl Side {
    /// The files of this side: in rpcgen's order, or as ORBit2 has them; the run time beside them, where no library has it.
    pub fn outputs(self, style: Style, link: Link) -> Vec<OutputKind> {
        use OutputKind::{Client, Codec, Common, Header, Routines, RpcHeader, RunTime, Server};
        let sides: &[OutputKind] = match self {
            _ if link == Link::None => &[],
            Side::Client => &[Client],
            Side::Server => &[Server],
            Side::Both => &[Client, Server],
        };
        let before: &[OutputKind] = match style {
            _ if link == Link::None => &[Header, Codec],
            Style::Rpcgen => &[Routines, Header],
            Style::Corba | Style::Plain => &[Header, Common],
        };
        let run_time = crate::run_time::names(style, link).into_iter().map(RunTime);
        let headers = stubs::links::onc::runtime::rpc_headers().map(RpcHeader);
        let headers = headers.filter(|_| style == Style::Rpcgen && matches!(link, Link::Onc | Link::Shm | Link::Mach));
        [before, sides].concat().into_iter().chain(run_time).chain(headers).collect()
    }
}

/// How values become bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marshalling {
    /// Refuse enumeration values that the description does not name.
    pub strict: bool,
    /// How deep a decoded value may nest; `None` for the default.
    pub max_depth: Option<u32>,
    /// Which types get tables in place of routines, in rpcgen's style.
    pub prefer: stubs::tables::Prefer,
    /// Of messages that are sent, where the link leaves a choice.
    pub byte_order: SentOrder,
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
    /// Print what each type's marshalling costs, and write nothing.
    pub sizes: bool,
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
