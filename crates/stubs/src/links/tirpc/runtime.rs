//! The run time over libtirpc's `CLIENT` and `SVCXPRT`, for styles that do not marshal by its streams. In: `runtime/tirpc/` and the
//! marshalling headers. Out: `whittle_tirpc.h`, for programs; `whittle_tirpc_stubs.h`, for generated code; `whittle_tirpc.c`; and the same
//! for CORBA's style, whose values are the ORB's (`runtime/corba/tirpc/`).

use crate::links::giop::runtime as giop;
use crate::links::joined::{Joiner, Part, parts};
use crate::links::net::SHARED;

/// What generated code and the run time marshal with.
const MARSHALLING: [Part; 5] = parts!("include/whittle": "words.h" "order.h" "wide.h" "xdr_out.h" "xdr_in.h");

const TIRPC: [Part; 5] = parts!("tirpc": "tirpc.h" "stubs.h" "message.c" "client.c" "server.c");

/// CORBA's style over it.
const OBJECTS: [Part; 3] = parts!("corba/tirpc": "tirpc_object.h" "tirpc_object_stubs.h" "tirpc_object.c");

/// What that shares with the same style over ONC RPC without a library.
const TAKEN: [Part; 1] = parts!("corba/onc": "taken.h");

/// What programs include.
const PUBLIC: [&str; 2] = ["text.h", "tirpc.h"];

fn all() -> impl Iterator<Item = Part> {
    MARSHALLING.into_iter().chain(SHARED).chain(TIRPC)
}

/// `whittle_tirpc.h`.
pub fn public_header() -> String {
    Joiner::new(all(), "").with(&PUBLIC).text
}

/// `whittle_tirpc_stubs.h`.
pub fn stub_header() -> String {
    Joiner::new(all(), "#include \"whittle_tirpc.h\"\n").without(&PUBLIC).with(&["stubs.h"]).text
}

/// `whittle_tirpc.c`: all parts.
pub fn source() -> String {
    let text = "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n#include \"whittle_tirpc_stubs.h\"\n";
    let sources = ["message.c", "client.c", "server.c"];
    Joiner::new(all(), text).without(&PUBLIC).without(&["stubs.h"]).with(&sources).text
}

/// `whittle_tirpc_object.h`, for programs of CORBA's style.
pub fn object_header() -> String {
    let text = "#include \"whittle_corba.h\"\n#include \"whittle_tirpc.h\"\n";
    object_joiner(text).without(&PUBLIC).without(&giop::PUBLIC).with(&["tirpc_object.h"]).text
}

/// `whittle_tirpc_object_stubs.h`, for generated code of CORBA's style.
pub fn object_stub_header() -> String {
    let text = "#include \"whittle_tirpc_object.h\"\n#include \"whittle_giop.h\"\n#include \"whittle_tirpc_stubs.h\"\n";
    over_both(text).without(&["tirpc_object.h"]).with(&["tirpc_object_stubs.h"]).text
}

/// `whittle_tirpc_object.c`.
pub fn object_source() -> String {
    let text = "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n#include \"whittle_tirpc_object_stubs.h\"\n#include \"whittle_net.h\"\n";
    over_both(text).without(&["tirpc_object.h", "tirpc_object_stubs.h"]).with(&["tirpc_object.c"]).text
}

/// Of a file that includes the headers of both run times.
fn over_both(text: &str) -> Joiner {
    object_joiner(text).without(&PUBLIC).without(&["stubs.h"]).without(&giop::PUBLIC).without(&giop::STUBS)
}

/// Parts that both have stand once.
fn object_joiner(text: &str) -> Joiner {
    let own = || all().chain(OBJECTS).chain(TAKEN);
    let others = giop::all().filter(|(name, _)| !own().any(|(known, _)| known == *name));
    Joiner::new(own().chain(others), text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_part_is_forgotten() {
        assert_eq!(crate::links::joined::forgotten("tirpc", &TIRPC), [""; 0]);
        assert_eq!(crate::links::joined::forgotten("corba/tirpc", &OBJECTS), [""; 0]);
    }
}
