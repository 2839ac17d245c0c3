//! The run time of ONC RPC without a library, over the network run time (`links::net`). In: `runtime/onc/`, `runtime/corba/onc/` and the
//! marshalling headers. Out: their files. For rpcgen's style also `<rpc/…>` and `whittle_rpc.c` (`runtime/rpc/`): libtirpc's interface over
//! that run time, so that the same programs use it.

use crate::links::giop::runtime as giop;
use crate::links::joined::{ALONE, Joiner, Part, RunTime, first_lines, parts};
use crate::links::net::SHARED;

/// What generated code and the run time marshal with.
pub(super) const MARSHALLING: [Part; 6] =
    parts!("include/whittle": "words.h" "later.h" "order.h" "wide.h" "xdr_out.h" "xdr_in.h");

/// Clients, servers, and what they share.
const CALLS: [Part; 27] = parts!("onc":
    "answer.c" "call.c" "caller.c" "client.c" "client.h" "connect.c" "datagrams.c" "datagrams.h" "duplicates.c"
    "head.c" "lend.c" "lookup.c" "onc.h" "candidates.c" "record.c" "refuse.c" "register.c" "reply.c" "rpcbind.c"
    "rpcbind.h" "send.c" "serve.c" "server.c" "server.h" "status.c" "stubs.h" "wire.h"
);

/// Libtirpc's interface, over the rest.
const RPC: [Part; 11] = parts!("rpc":
    "auth.c" "clnt.c" "clnt_call.c" "clnt_create.c" "clnt_status.c" "pmap.c"
    "rpc_inner.h" "svc.c" "svc_call.c" "svc_inner.h" "svc_select.c"
);

/// What of that interface is the same over whatever carries messages.
pub(in crate::links) const RPC_OVER_ANY: [Part; 10] = parts!("rpc":
    "auth_none.c" "clnt_by_others.c" "clnt_errors.c" "rpc_shared.h" "xdr_file.c"
    "xdr_links.c" "xdr_memory.c" "xdr_message.c" "xdr_numbers.c" "xdr_runs.c"
);

/// CORBA's style over it.
const OF_OBJECTS: [Part; 4] =
    parts!("corba/onc": "onc_object.h" "onc_object_stubs.h" "onc_object_call.c" "onc_object_server.c");

/// What that shares with the same style over other links.
pub(in crate::links) const TAKEN: [Part; 1] = parts!("corba/onc": "taken.h");

/// What programs of rpcgen's style include.
const RPC_HEADERS: [Part; 8] =
    parts!("rpc/rpc": "rpc.h" "types.h" "names.h" "xdr.h" "auth.h" "clnt.h" "svc.h" "pmap_clnt.h");

/// What clients and servers use, and programs.
pub const ONC: RunTime = RunTime {
    files: ["whittle_onc.h", "whittle_onc_stubs.h", "whittle_onc.c"],
    parts: &[&MARSHALLING, &SHARED, &CALLS],
    public: &["usage.h", "text.h", "onc.h"],
    stubs: &["words.h", "later.h", "order.h", "xdr_out.h", "xdr_in.h", "call.h", "version.h", "stubs.h"],
    beginning: "#include \"whittle_net.h\"\n",
    ..ALONE
};

/// CORBA's style over it.
pub const OBJECTS: RunTime = RunTime {
    files: ["whittle_onc_object.h", "whittle_onc_object_stubs.h", "whittle_onc_object.c"],
    parts: &[&OF_OBJECTS, &TAKEN],
    public: &["onc_object.h"],
    stubs: &["onc_object_stubs.h"],
    beginning: "#include \"whittle_net.h\"\n",
    over: &[&ONC, &giop::ORB],
    shows: true,
    ..ALONE
};

/// `whittle_rpc.c`: what stands behind `<rpc/…>`.
pub fn rpc_source() -> String {
    let includes = "#include \"rpc/rpc.h\"\n#include \"whittle_onc_stubs.h\"\n#include \"whittle_net.h\"\n";
    ONC.code(&(first_lines() + includes), &[&RPC, &RPC_OVER_ANY])
}

/// The names of the headers `<rpc/…>`.
pub fn rpc_headers() -> impl Iterator<Item = &'static str> {
    RPC_HEADERS.into_iter().map(|(name, _)| name)
}

/// A header of `<rpc/…>`; they include each other, and one has the version of the run time.
pub fn rpc_header(name: &str) -> Option<String> {
    let (_, text) = RPC_HEADERS.into_iter().find(|(known, _)| *known == name)?;
    let version = "#include \"../../net/version.h\"\n";
    let inlined = || Joiner::new(SHARED, "").with(&["version.h"]).text;
    Some(if text.contains(version) { text.replace(version, &inlined()) } else { text.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_part_is_forgotten() {
        assert_eq!(crate::links::joined::forgotten("onc", &CALLS), [""; 0]);
        assert_eq!(crate::links::joined::forgotten("rpc", &[&RPC[..], &RPC_OVER_ANY].concat()), [""; 0]);
        assert_eq!(crate::links::joined::forgotten("corba/onc", &[&OF_OBJECTS[..], &TAKEN].concat()), [""; 0]);
        assert_eq!(crate::links::joined::forgotten("rpc/rpc", &RPC_HEADERS), [""; 0]);
    }
}
