//! The files that one run makes: what each holds, where it goes, what it is called.

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OutputKind {
    /// Types and prototypes (`b.h`).
    Header,
    /// Marshalling routines (`b_xdr.c`).
    Routines,
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
}

impl OutputKind {
    /// The symbol that rpcgen defines while it makes such a file.
    pub fn symbol(self) -> Option<&'static str> {
        match self {
            OutputKind::Header => Some("RPC_HDR"),
            OutputKind::Routines => Some("RPC_XDR"),
            OutputKind::Client => Some("RPC_CLNT"),
            OutputKind::Server | OutputKind::ServerWithoutMain => Some("RPC_SVC"),
            OutputKind::Table => Some("RPC_TBL"),
            OutputKind::SampleClient => Some("RPC_CLIENT"),
            OutputKind::SampleServer => Some("RPC_SERVER"),
            OutputKind::Makefile => None,
        }
    }

    /// The file's name for an input of stem `base`, as rpcgen names it; `base` may hold directories.
    pub fn file_name(self, base: &str) -> String {
        match self {
            OutputKind::Header => format!("{base}.h"),
            OutputKind::Routines => format!("{base}_xdr.c"),
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

/// Where a file goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    StandardOutput,
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
