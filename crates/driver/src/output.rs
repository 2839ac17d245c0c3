//! The files that one run makes: what each holds, where it goes, what it is called.

use crate::Style;

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OutputKind {
    /// Types and prototypes (`b.h`).
    Header,
    /// Marshalling routines (`b_xdr.c`).
    Routines,
    /// What encodes, decodes and handles values, without a link (`b_codec.c`).
    Codec,
    /// Client stubs (`b_clnt.c`).
    Client,
    /// The dispatch routine and `main` (`b_svc.c`).
    Server,
    /// The dispatch routine without `main`.
    ServerWithoutMain,
    /// Dispatch tables (`b_tbl.i`).
    Table,
    /// A client to start from (`b_client.c`).
    SampleClient,
    /// A server's procedures to start from (`b_server.c`).
    SampleServer,
    /// A Makefile to start from (`Makefile.b`).
    Makefile,
    /// What both sides share, where no library has it (`b-common.c`, `b_types.c`).
    Common,
    /// A file of the run time, by its name (`whittle_corba.h`): see `run_time`.
    RunTime(&'static str),
    /// A header of the RPC library's, as the run time has it (`rpc/rpc.h`).
    RpcHeader(&'static str),
}

impl OutputKind {
    /// Whether it is a part of the run time, which an installed library may be in place of.
    pub fn is_run_time(self) -> bool {
        matches!(self, OutputKind::RunTime(_) | OutputKind::RpcHeader(_))
    }

    /// The symbol that rpcgen defines while it makes such a file.
    pub fn symbol(self) -> Option<&'static str> {
        match self {
            OutputKind::Header => Some("RPC_HDR"),
            OutputKind::Routines | OutputKind::Codec => Some("RPC_XDR"),
            OutputKind::Client => Some("RPC_CLNT"),
            OutputKind::Server | OutputKind::ServerWithoutMain => Some("RPC_SVC"),
            OutputKind::Table => Some("RPC_TBL"),
            OutputKind::SampleClient => Some("RPC_CLIENT"),
            OutputKind::SampleServer => Some("RPC_SERVER"),
            OutputKind::Makefile | OutputKind::Common | OutputKind::RunTime(_) | OutputKind::RpcHeader(_) => None,
        }
    }

    /// The file's name for an input of stem `base`, as rpcgen names it, or ORBit2; `base` may hold directories.
    pub fn file_name_in(self, style: Style, base: &str) -> String {
        match (style, self) {
            (Style::Corba, OutputKind::Client) => format!("{base}-stubs.c"),
            (Style::Corba, OutputKind::Server) => format!("{base}-skels.c"),
            (Style::Plain, OutputKind::Common) => format!("{base}_types.c"),
            (Style::Plain, OutputKind::Client) => format!("{base}_client.c"),
            (Style::Plain, OutputKind::Server) => format!("{base}_server.c"),
            _ => self.file_name(base),
        }
    }

    /// The same in rpcgen's style.
    pub fn file_name(self, base: &str) -> String {
        match self {
            OutputKind::Common => format!("{base}-common.c"),
            OutputKind::RunTime(name) => beside(base, name),
            OutputKind::RpcHeader(name) => beside(base, &format!("rpc/{name}")),
            OutputKind::Header => format!("{base}.h"),
            OutputKind::Routines => format!("{base}_xdr.c"),
            OutputKind::Codec => format!("{base}_codec.c"),
            OutputKind::Client => format!("{base}_clnt.c"),
            OutputKind::Server | OutputKind::ServerWithoutMain => format!("{base}_svc.c"),
            OutputKind::Table => format!("{base}_tbl.i"),
            OutputKind::SampleClient => format!("{base}_client.c"),
            OutputKind::SampleServer => format!("{base}_server.c"),
            OutputKind::Makefile => match base.rsplit_once('/') {
                Some((directory, name)) => format!("{directory}/Makefile.{name}"),
                None => format!("Makefile.{base}"),
            },
        }
    }
}

/// A file of that name in the folder of `base`.
fn beside(base: &str, name: &str) -> String {
    match base.rsplit_once('/') {
        Some((directory, _)) => format!("{directory}/{name}"),
        None => name.to_owned(),
    }
}

/// Where a file goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    StandardOutput,
    /// A file that the command line names: it may be a link or a device.
    Named(String),
    /// A file whose name follows from the input's: links are not followed.
    Path(String),
    /// A file that is the user's from then on: it is written where there is none.
    Once(String),
    /// A file that is left as it is where it holds the same already, so that nothing is built anew for it.
    WhereChanged(String),
}

/// A finished file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputFile {
    pub destination: Destination,
    pub text: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_makefile_lies_beside_its_input() {
        assert_eq!(OutputKind::Makefile.file_name("b"), "Makefile.b");
        assert_eq!(OutputKind::Makefile.file_name("sub/b"), "sub/Makefile.b");
    }
}
