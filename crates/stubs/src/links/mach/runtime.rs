//! The run time of calls over Mach's ports, which needs of the system Mach's calls and `malloc`, and no sockets. In: `runtime/mach/`,
//! `runtime/corba/mach/`, `runtime/rpc/` and the marshalling headers. Out: their files.

use crate::links::giop::runtime as giop;
use crate::links::joined::{ALONE, Joiner, Part, RunTime, first_lines, parts};
use crate::links::onc::runtime::{RPC_OVER_ANY, TAKEN};

/// What generated code and the run time marshal with.
const MARSHALLING: [Part; 7] =
    parts!("include/whittle": "words.h" "later.h" "order.h" "cdr_order.h" "cdr_out.h" "cdr_in.h" "arena.h");

/// What is the same for all run times.
const SHARED: [Part; 4] = parts!("net": "text.h" "text.c" "version.h" "version.c");

const CALLS: [Part; 13] = parts!("mach":
    "ports.h" "stubs.h" "message.h" "answer.c" "buffer.c" "client.c" "discard.c" "lend.c" "rights.c" "run.c" "server.c" "server.h" "status.c"
);

/// What clients and servers use, and programs. What other run times have, too, a program may have of those.
pub const MACH: RunTime = RunTime {
    files: ["whittle_mach.h", "whittle_mach_stubs.h", "whittle_mach.c"],
    parts: &[&MARSHALLING, &SHARED, &CALLS],
    public: &["text.h", "ports.h"],
    stubs: &[
        "words.h",
        "later.h",
        "order.h",
        "cdr_order.h",
        "cdr_out.h",
        "cdr_in.h",
        "arena.h",
        "version.h",
        "stubs.h",
    ],
    beginning: "#pragma weak whittle_text_free\n#pragma weak whittle_runtime_version_2\n",
    ..ALONE
};

/// CORBA's style over it.
const OF_OBJECTS: [Part; 6] = parts!("corba/mach":
    "mach_object.h" "mach_object_call.c" "mach_object_reference.c" "mach_object_server.c" "mach_object_stubs.h" "object_parts.h"
);

/// CORBA's style over it, whose values are the ORB's, with or without the ORB.
pub const OBJECTS: RunTime = RunTime {
    files: ["whittle_mach_object.h", "whittle_mach_object_stubs.h", "whittle_mach_object.c"],
    parts: &[&OF_OBJECTS, &TAKEN],
    public: &["mach_object.h"],
    stubs: &["mach_object_stubs.h"],
    over: &[&MACH, &giop::ORB],
    shows: true,
    ..ALONE
};

/// Libtirpc's interface over it, and what that marshals with.
const RPC: [Part; 7] = parts!("rpc/mach":
    "mach_rpc.h" "mach_rpc_parts.h" "mach_stream.c" "mach_clnt.c" "mach_clnt_call.c" "mach_svc.c" "mach_svc_call.c"
);
const STREAMS: [Part; 2] = parts!("include/whittle": "wide.h" "xdr_out.h");

/// `whittle_mach_rpc.h`: what programs of rpcgen's style use beside `<rpc/…>`.
pub fn rpc_header() -> String {
    Joiner::new(RPC, "#include \"whittle_mach.h\"\n").with(&["mach_rpc.h"]).text
}

/// `whittle_mach_rpc.c`: what stands behind `<rpc/…>`.
pub fn rpc_source() -> String {
    let includes = "#include \"rpc/rpc.h\"\n#include \"whittle_mach_stubs.h\"\n";
    MACH.code(&(first_lines() + includes), &[&RPC, &RPC_OVER_ANY, &STREAMS])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_part_is_forgotten() {
        assert_eq!(crate::links::joined::forgotten("mach", &CALLS), [""; 0]);
        assert_eq!(crate::links::joined::forgotten("corba/mach", &OF_OBJECTS), [""; 0]);
        assert_eq!(crate::links::joined::forgotten("rpc/mach", &RPC), [""; 0]);
    }

    #[test]
    fn the_versions_symbol_may_be_there_twice() {
        let version = crate::links::net::VERSION;
        assert!(MACH.beginning.contains(&format!("#pragma weak whittle_runtime_version_{version}\n")));
    }
}
