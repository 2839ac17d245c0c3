//! The run time's C as the three files that stand beside what is generated, so that building needs no library of ours. In:
//! `runtime/onc/` and the marshalling headers. Out: `whittle_onc.h`, for programs; `whittle_onc_stubs.h`, for generated
//! code; `whittle_onc.c`, over the network run time (`links::net`). Each part stands behind those that it includes. For rpcgen's style also `<rpc/…>` and `whittle_rpc.c`
//! (`runtime/rpc/`): libtirpc's interface over that run time, so that the same programs use it.

use crate::links::giop::runtime as giop;
use crate::links::joined::{Joiner, Part, parts};
use crate::links::net::SHARED;

/// What generated code and the run time marshal with.
const MARSHALLING: [Part; 5] = parts!("include/whittle": "words.h" "order.h" "wide.h" "xdr_out.h" "xdr_in.h");

/// Clients, servers, and what they share.
const ONC: [Part; 27] = parts!("onc":
    "answer.c" "call.c" "caller.c" "client.c" "client.h" "connect.c" "datagrams.c" "datagrams.h" "duplicates.c"
    "head.c" "lend.c" "lookup.c" "onc.h" "places.c" "record.c" "refuse.c" "register.c" "reply.c" "rpcbind.c"
    "rpcbind.h" "send.c" "serve.c" "server.c" "server.h" "status.c" "stubs.h" "wire.h"
);

/// Libtirpc's interface, over the rest.
const RPC: [Part; 17] = parts!("rpc":
    "auth.c" "clnt.c" "clnt_call.c" "clnt_create.c" "clnt_errors.c" "pmap.c"
    "rpc_inner.h" "svc.c" "svc_call.c" "svc_inner.h" "svc_select.c" "xdr_file.c"
    "xdr_links.c" "xdr_memory.c" "xdr_message.c" "xdr_numbers.c" "xdr_runs.c"
);

/// CORBA's style over it.
const OBJECTS: [Part; 5] =
    parts!("corba/onc": "onc_object.h" "onc_object_stubs.h" "taken.h" "onc_object_call.c" "onc_object_server.c");

/// What programs of rpcgen's style include.
const RPC_HEADERS: [Part; 8] =
    parts!("rpc/rpc": "rpc.h" "types.h" "names.h" "xdr.h" "auth.h" "clnt.h" "svc.h" "pmap_clnt.h");

/// What programs include.
pub(in crate::links) const PUBLIC: [&str; 3] = ["usage.h", "text.h", "onc.h"];

/// What generated code includes beside that.
pub(in crate::links) const STUBS: [&str; 7] =
    ["words.h", "order.h", "xdr_out.h", "xdr_in.h", "call.h", "version.h", "stubs.h"];

fn all() -> impl Iterator<Item = Part> {
    MARSHALLING.into_iter().chain(SHARED).chain(ONC)
}

/// `whittle_onc.h`.
pub fn public_header() -> String {
    Joiner::new(all(), "").with(&PUBLIC).text
}

/// `whittle_onc_stubs.h`.
pub fn stub_header() -> String {
    Joiner::new(all(), "#include \"whittle_onc.h\"\n").without(&PUBLIC).with(&STUBS).text
}

/// `whittle_onc.c`: all parts.
pub fn source() -> String {
    let text = "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n#include \"whittle_onc_stubs.h\"\n#include \"whittle_net.h\"\n";
    Joiner::new(all(), text).without(&PUBLIC).without(&STUBS).with(&sources(&ONC)).text
}

/// `whittle_rpc.c`: what stands behind `<rpc/…>`.
pub fn rpc_source() -> String {
    let text = "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n#include \"rpc/rpc.h\"\n#include \"whittle_onc_stubs.h\"\n#include \"whittle_net.h\"\n";
    Joiner::new(all().chain(RPC), text).without(&PUBLIC).without(&STUBS).with(&sources(&RPC)).text
}

/// `whittle_onc_object.h`, for programs of CORBA's style.
pub fn object_header() -> String {
    let text = "#include \"whittle_corba.h\"\n#include \"whittle_onc.h\"\n";
    object_joiner(text).without(&PUBLIC).without(&giop::PUBLIC).with(&["onc_object.h"]).text
}

/// `whittle_onc_object_stubs.h`, for generated code of CORBA's style.
pub fn object_stub_header() -> String {
    let text = "#include \"whittle_onc_object.h\"\n#include \"whittle_giop.h\"\n#include \"whittle_onc_stubs.h\"\n";
    over_both(text).without(&["onc_object.h"]).with(&["onc_object_stubs.h"]).text
}

/// `whittle_onc_object.c`: CORBA's style over ONC RPC.
pub fn object_source() -> String {
    let text = "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n#include \"whittle_onc_object_stubs.h\"\n#include \"whittle_net.h\"\n";
    over_both(text).without(&["onc_object.h", "onc_object_stubs.h"]).with(&sources(&OBJECTS)).text
}

/// Of a file that includes the headers of both run times.
fn over_both(text: &str) -> Joiner {
    object_joiner(text).without(&PUBLIC).without(&STUBS).without(&giop::PUBLIC).without(&giop::STUBS)
}

/// Parts that both have stand once.
fn object_joiner(text: &str) -> Joiner {
    let own = || all().chain(OBJECTS);
    let others = giop::all().filter(|(name, _)| !own().any(|(known, _)| known == *name));
    Joiner::new(own().chain(others), text)
}

fn sources(parts: &[Part]) -> Vec<&'static str> {
    parts.iter().map(|(name, _)| *name).filter(|name| name.ends_with(".c")).collect()
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
        assert_eq!(crate::links::joined::forgotten("onc", &ONC), [""; 0]);
        assert_eq!(crate::links::joined::forgotten("rpc", &RPC), [""; 0]);
        assert_eq!(crate::links::joined::forgotten("corba/onc", &OBJECTS), [""; 0]);
        assert_eq!(crate::links::joined::forgotten("rpc/rpc", &RPC_HEADERS), [""; 0]);
    }
}
