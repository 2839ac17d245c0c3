//! What carries the calls of styles whose operations marshal from structures: the names of run times.

use cast::Type;

/// What carries the calls of styles whose operations marshal from structures. Its run time has the headers, the structures and the functions that users see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Carrier {
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
    Nothing,
}

impl Carrier {
    /// What all that it declares begins with.
    pub fn prefix(self) -> &'static str {
        match self {
            Carrier::Onc => "whittle_onc",
            Carrier::Tirpc => "whittle_tirpc",
            Carrier::Iiop => "whittle_iiop",
            Carrier::Fluke => "whittle_fluke",
            Carrier::Mach => "whittle_mach",
            Carrier::Nothing => "whittle_codec",
        }
    }

    /// What programs include.
    pub fn public_header(self) -> &'static str {
        match self {
            Carrier::Onc => "whittle_onc.h",
            Carrier::Tirpc => "whittle_tirpc.h",
            Carrier::Iiop => "whittle_iiop.h",
            Carrier::Fluke => "whittle_fluke.h",
            Carrier::Mach => "whittle_mach.h",
            Carrier::Nothing => "whittle_codec.h",
        }
    }

    /// What generated files include.
    pub fn stub_header(self) -> &'static str {
        match self {
            Carrier::Onc => "whittle_onc_stubs.h",
            Carrier::Tirpc => "whittle_tirpc_stubs.h",
            Carrier::Iiop => "whittle_iiop_stubs.h",
            Carrier::Fluke => "whittle_fluke_stubs.h",
            Carrier::Mach => "whittle_mach_stubs.h",
            Carrier::Nothing => "whittle_codec.h",
        }
    }

    /// Whether calls are known by the numbers of RFC 5531: a program, its version, a procedure.
    pub fn is_onc(self) -> bool {
        matches!(self, Carrier::Onc | Carrier::Tirpc)
    }

    /// The type of whom calls go to: one client serves several interfaces.
    pub fn client(self) -> Type {
        match self {
            Carrier::Tirpc => Type::named("CLIENT"),
            _ => Type::structure(format!("{}_client", self.prefix())),
        }
    }

    /// The type of who serves.
    pub fn server(self) -> Type {
        match self {
            Carrier::Tirpc => Type::named("SVCXPRT"),
            _ => Type::structure(format!("{}_server", self.prefix())),
        }
    }

    /// The structure for a reply that somebody keeps, without `struct`.
    pub fn reply(self) -> String {
        format!("{}_reply", self.prefix())
    }
}
