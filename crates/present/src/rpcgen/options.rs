//! What shapes the declarations.

use cast::IncludePath;
use escape::c::Base;

/// The choices that show in declarations and stubs, named after rpcgen's flags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The header's file name without its folder and `.h`: `dir` gives the guard `_DIR_H_RPCGEN`.
    pub base: Base,
    /// The header as the C files include it; `None` for `<rpc/rpc.h>`, as rpcgen does for its standard input.
    pub header: Option<IncludePath>,
    /// `-N`: several arguments, by value.
    pub newstyle: bool,
    /// `-M`: no static results.
    pub multithread: bool,
    /// `-k`: no prototypes.
    pub kernighan_ritchie: bool,
    /// `-T`: dispatch tables.
    pub tables: bool,
    /// Definitions of included files count as the main file's, as rpcgen sees them; else their headers are included.
    pub included: bool,
    /// Numbers outside their enumeration are errors.
    pub strict_enumerations: bool,
    /// The program's number, for interfaces of languages that state none: the first one's; each further one has the next.
    pub program: Option<u32>,
    /// Only the types, and of those what has a form: another file uses some of them.
    pub types_alone: bool,
    /// Arguments of one call live in one arena on the server.
    pub server_arena: bool,
    /// Values alone, which no link carries: no programs, and nothing of an RPC library's.
    pub codec: bool,
}

impl Options {
    /// rpcgen's own choices for `base.x`.
    pub fn new(base: impl Into<Base>) -> Options {
        let base = base.into();
        let header = Some(base.header(".h"));
        Options {
            base,
            header,
            newstyle: false,
            multithread: false,
            kernighan_ritchie: false,
            tables: false,
            included: true,
            strict_enumerations: false,
            program: None,
            types_alone: false,
            server_arena: false,
            codec: false,
        }
    }
}
