//! The ORB, over the network run time (`links::net`). In: `runtime/corba/` and the marshalling headers. Out: its files, and those for the
//! plain style, over them (`runtime/corba/plain/`).

use crate::links::joined::{ALONE, Part, RunTime, first_lines, parts};
use crate::links::net::SHARED;

/// What generated code and the ORB marshal with.
const MARSHALLING: [Part; 8] = parts!("include/whittle":
    "words.h" "later.h" "order.h" "cdr_order.h" "cdr_out.h" "cdr_in.h" "cdr_value.h" "cdr_value_in.h"
);

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
const CALLS: [Part; 45] = parts!("corba/orb":
    "activate.c" "active.c" "adapter.c" "adapter.h" "answer.c" "call.c" "client.c" "connection.h" "corbaloc.c"
    "corbaname.c" "current.c" "exchange.c" "fragment.c" "framing.c" "giop.h" "initial.c" "invoke.c" "ior.c"
    "key.c" "kind.h" "listen.c" "lookup.c" "loop.c" "manager.c" "name_word.h" "object.c" "object.h" "options.c" "orb.c"
    "orb.h" "parts.h" "poa.h" "policies.c" "probe.c" "profile.c" "reference.c" "replies.c" "reply.c" "request.c"
    "send.c" "servant.c" "serve.c" "server.c" "storage.c" "wire.h"
);

/// The plain style's clients and servers.
const OF_PLAIN: [Part; 9] = parts!("corba/plain":
    "iiop.h" "iiop_call.c" "iiop_client.c" "iiop_lend.c" "iiop_parts.h" "iiop_reference.c" "iiop_server.c" "iiop_status.c"
    "iiop_stubs.h"
);

/// What clients and servers use, and programs.
pub const ORB: RunTime = RunTime {
    files: ["whittle_corba.h", "whittle_giop.h", "whittle_corba.c"],
    parts: &[&MARSHALLING, &SHARED, &TYPES, &CALLS],
    public: &["usage.h", "basic.h", "exceptions.h", "sequences.h", "any.h", "constants.h", "orb.h", "poa.h"],
    stubs: &[
        "version.h",
        "call.h",
        "account.h",
        "words.h",
        "later.h",
        "order.h",
        "cdr_order.h",
        "cdr_out.h",
        "cdr_in.h",
        "cdr_value.h",
        "cdr_value_in.h",
        "marshal.h",
        "giop.h",
        "name_word.h",
    ],
    beginning: "#include \"whittle_net.h\"\n",
    has_order: true,
    ..ALONE
};

/// References of other links, for programs without the ORB.
const WITHOUT_ORB: [Part; 1] = parts!("corba/alone": "alone.c");

/// `whittle_corba_values.c`: values and references where there is no ORB.
pub fn values_source() -> String {
    ORB.code(&(first_lines() + "#include \"whittle_giop.h\"\n"), &[&TYPES, &WITHOUT_ORB])
}

/// The plain style over it, whose programs have nothing of the C mapping of CORBA.
pub const PLAIN: RunTime = RunTime {
    files: ["whittle_iiop.h", "whittle_iiop_stubs.h", "whittle_iiop.c"],
    parts: &[&SHARED, &OF_PLAIN],
    public: &["usage.h", "iiop.h"],
    stubs: &["iiop_stubs.h"],
    beginning: "#include \"whittle_net.h\"\n",
    has_order: true,
    over: &[&ORB],
    ..ALONE
};

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_part_is_forgotten() {
        assert_eq!(crate::links::joined::forgotten("corba/types", &TYPES), [""; 0]);
        assert_eq!(crate::links::joined::forgotten("corba/orb", &CALLS), [""; 0]);
        assert_eq!(crate::links::joined::forgotten("corba/plain", &OF_PLAIN), [""; 0]);
        assert_eq!(crate::links::joined::forgotten("corba/alone", &WITHOUT_ORB), [""; 0]);
    }

    #[test]
    fn names_are_distinct() {
        let every = || [ORB.parts, &[&OF_PLAIN]].concat().concat().into_iter().map(|(name, _)| name);
        assert_eq!(every().collect::<BTreeSet<&str>>().len(), every().count());
    }
}
