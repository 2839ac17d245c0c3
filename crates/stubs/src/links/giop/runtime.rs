//! The ORB's C as the three files that stand beside what is generated, so that building needs no library of ours. In:
//! `runtime/corba/` and the marshalling headers. Out: `whittle_corba.h`, for programs; `whittle_giop.h`, for generated
//! code; `whittle_corba.c`, which stands on `whittle_net.c` (`links/net.rs`). Each part stands behind those that it includes. For the plain style `runtime/corba/plain/` as
//! three more over them: `whittle_iiop.h`, which has nothing of the C mapping of CORBA, `whittle_iiop_stubs.h`, `whittle_iiop.c`.

use cast::Declaration;

use crate::links::joined::{Joiner, Part, parts};
use crate::links::net::SHARED;
use crate::links::options::SentOrder;

/// What generated code and the ORB marshal with.
const MARSHALLING: [Part; 5] = parts!("include/whittle": "words.h" "order.h" "cdr_order.h" "cdr_out.h" "cdr_in.h");

/// Values.
const TYPES: [Part; 47] = parts!("corba/types":
    "account.c" "account.h" "any.c" "any.h" "basic.h" "charge.h" "choice.c" "constants.c" "constants.h"
    "decimal.c" "decimal.h" "environment.c" "equivalence.c" "exceptions.h" "fixed.c" "fixed.h" "fixed_wire.c"
    "graph.c" "graph.h" "layout.c" "long_double.c" "marshal.h" "memory.c" "numbers.h" "operations.c" "operations.h"
    "place.h" "reader.h" "seen.c" "seen.h" "sending.h" "sequence_types.h" "sequences.c" "sequences.h" "spares.h" "strings.c"
    "typecode.h" "typecode_in.c" "typecode_out.c" "typecode_read.c" "value.h" "value_copy.c" "value_equal.c"
    "value_in.c" "value_out.c" "value_release.c" "wide.c"
);

/// Objects, connections, messages.
const ORB: [Part; 45] = parts!("corba/orb":
    "activate.c" "active.c" "adapter.c" "adapter.h" "answer.c" "call.c" "client.c" "connection.h" "corbaloc.c"
    "corbaname.c" "current.c" "exchange.c" "fragment.c" "framing.c" "giop.h" "initial.c" "invoke.c" "ior.c"
    "key.c" "kind.h" "listen.c" "lookup.c" "loop.c" "manager.c" "name_word.h" "object.c" "object.h" "options.c" "orb.c"
    "orb.h" "parts.h" "poa.h" "policies.c" "probe.c" "profile.c" "reference.c" "replies.c" "reply.c" "request.c"
    "send.c" "servant.c" "serve.c" "server.c" "storage.c" "wire.h"
);

/// The plain style's clients and servers.
const PLAIN: [Part; 9] = parts!("corba/plain":
    "iiop.h" "iiop_call.c" "iiop_client.c" "iiop_lend.c" "iiop_parts.h" "iiop_reference.c" "iiop_server.c" "iiop_status.c"
    "iiop_stubs.h"
);

/// What programs include.
pub(in crate::links) const PUBLIC: [&str; 8] =
    ["usage.h", "basic.h", "exceptions.h", "sequences.h", "any.h", "constants.h", "orb.h", "poa.h"];

/// What generated code includes beside that.
pub(in crate::links) const STUBS: [&str; 11] = [
    "version.h",
    "call.h",
    "account.h",
    "words.h",
    "order.h",
    "cdr_order.h",
    "cdr_out.h",
    "cdr_in.h",
    "marshal.h",
    "giop.h",
    "name_word.h",
];

/// `whittle_corba.h`.
pub fn public_header() -> String {
    Joiner::new(all(), "").with(&PUBLIC).text
}

/// `whittle_giop.h`.
pub fn stub_header() -> String {
    Joiner::new(all(), "#include \"whittle_corba.h\"\n").without(&PUBLIC).with(&STUBS).text
}

/// `whittle_corba.c`: all parts.
pub fn source(order: SentOrder) -> String {
    let text = beginning(order, "whittle_giop.h");
    Joiner::new(all(), &text).without(&PUBLIC).without(&STUBS).with(&sources(&TYPES)).with(&sources(&ORB)).text
}

/// `whittle_iiop.h`.
pub fn plain_public_header() -> String {
    Joiner::new(SHARED.into_iter().chain(PLAIN), "").with(&["usage.h", "iiop.h"]).text
}

/// `whittle_iiop_stubs.h`.
pub fn plain_stub_header() -> String {
    let text = "#include \"whittle_iiop.h\"\n#include \"whittle_giop.h\"\n";
    plain_joiner(text).with(&["iiop_stubs.h"]).text
}

/// `whittle_iiop.c`: what the plain style has over the ORB.
pub fn plain_source(order: SentOrder) -> String {
    let text = beginning(order, "whittle_iiop_stubs.h");
    plain_joiner(&text).without(&["iiop_stubs.h"]).with(&sources(&PLAIN)).text
}

/// Of a file that includes the ORB's headers, and the plain style's for programs.
fn plain_joiner(text: &str) -> Joiner {
    Joiner::new(all().chain(PLAIN), text).without(&PUBLIC).without(&STUBS).without(&["iiop.h"])
}

fn sources(parts: &[Part]) -> Vec<&'static str> {
    parts.iter().map(|(name, _)| *name).filter(|name| name.ends_with(".c")).collect()
}

fn beginning(order: SentOrder, header: &'static str) -> String {
    let mut text = "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n".to_string();
    let order = order.definition().map(|(name, value)| {
        let value = Some(cast::build::name(value, cast::Type::INT));
        Declaration::Define(cast::Definition { name: name.to_string(), value })
    });
    let lines: Vec<Declaration> =
        order.into_iter().chain([header, "whittle_net.h"].map(Declaration::own_include)).collect();
    text.push_str(&cast::print_declarations(&lines));
    text
}

pub(in crate::links) fn all() -> impl Iterator<Item = Part> {
    MARSHALLING.into_iter().chain(SHARED).chain(TYPES).chain(ORB)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_part_is_forgotten() {
        assert_eq!(crate::links::joined::forgotten("corba/types", &TYPES), [""; 0]);
        assert_eq!(crate::links::joined::forgotten("corba/orb", &ORB), [""; 0]);
        assert_eq!(crate::links::joined::forgotten("corba/plain", &PLAIN), [""; 0]);
    }

    #[test]
    fn names_are_distinct() {
        let every = || all().chain(PLAIN).map(|(name, _)| name);
        assert_eq!(every().collect::<BTreeSet<&str>>().len(), every().count());
    }
}
