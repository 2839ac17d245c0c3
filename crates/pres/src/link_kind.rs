//! What carries the calls of styles whose operations marshal from structures: the names of run times.

use cast::Type;

/// What carries the calls of styles whose operations marshal from structures. Its run time has the headers, the structures and the functions that users see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LinkKind {
    /// ONC RPC: `whittle_onc.h`.
    #[default]
    Onc,
    /// ONC RPC by a library's `CLIENT` and `SVCXPRT`: `whittle_tirpc.h`.
    Tirpc,
    /// IIOP: `whittle_iiop.h`.
    Iiop,
    /// Messages whose first words travel in registers: `whittle_fluke.h`.
    Fluke,
    /// Mach's ports: `whittle_mach.h`.
    Mach,
    /// Nothing: values alone, and no calls: `whittle_codec.h`.
    None,
}

impl LinkKind {
    /// What all that it declares begins with, what programs include, and what generated files include.
    fn names(self) -> [&'static str; 3] {
        match self {
            LinkKind::Onc => ["whittle_onc", "whittle_onc.h", "whittle_onc_stubs.h"],
            LinkKind::Tirpc => ["whittle_tirpc", "whittle_tirpc.h", "whittle_tirpc_stubs.h"],
            LinkKind::Iiop => ["whittle_iiop", "whittle_iiop.h", "whittle_iiop_stubs.h"],
            LinkKind::Fluke => ["whittle_fluke", "whittle_fluke.h", "whittle_fluke_stubs.h"],
            LinkKind::Mach => ["whittle_mach", "whittle_mach.h", "whittle_mach_stubs.h"],
            LinkKind::None => ["whittle_codec", "whittle_codec.h", "whittle_codec.h"],
        }
    }

    /// What all that it declares begins with.
    pub fn prefix(self) -> &'static str {
        let [prefix, _, _] = self.names();
        prefix
    }

    /// What programs include.
    pub fn public_header(self) -> &'static str {
        let [_, header, _] = self.names();
        header
    }

    /// What generated files include.
    pub fn stub_header(self) -> &'static str {
        let [_, _, header] = self.names();
        header
    }

    /// Whether calls are known by the numbers of RFC 5531: a program, its version, a procedure.
    pub fn is_onc(self) -> bool {
        matches!(self, LinkKind::Onc | LinkKind::Tirpc)
    }

    /// The type of whom calls go to: one client serves several interfaces.
    pub fn client(self) -> Type {
        match self {
            LinkKind::Tirpc => Type::named("CLIENT"),
            _ => Type::structure(format!("{}_client", self.prefix())),
        }
    }

    /// The type of who serves.
    pub fn server(self) -> Type {
        match self {
            LinkKind::Tirpc => Type::named("SVCXPRT"),
            _ => Type::structure(format!("{}_server", self.prefix())),
        }
    }

    /// The structure for a reply that somebody keeps, without `struct`.
    pub fn reply(self) -> String {
        format!("{}_reply", self.prefix())
    }
}
