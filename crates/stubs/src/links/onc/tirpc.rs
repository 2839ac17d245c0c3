//! The run time over libtirpc's `CLIENT` and `SVCXPRT`, for styles that do not marshal by its streams. In: `runtime/tirpc/` and the
//! marshalling headers. Out: its files, and those for CORBA's style, whose values are the ORB's (`runtime/corba/tirpc/`).

use super::runtime::{MARSHALLING, TAKEN};
use crate::links::giop::runtime as giop;
use crate::links::joined::{ALONE, Part, RunTime, parts};
use crate::links::net::SHARED;

const CALLS: [Part; 5] = parts!("tirpc": "tirpc.h" "stubs.h" "message.c" "client.c" "server.c");

const OF_OBJECTS: [Part; 3] = parts!("corba/tirpc": "tirpc_object.h" "tirpc_object_stubs.h" "tirpc_object.c");

/// What clients and servers use, and programs.
pub const TIRPC: RunTime = RunTime {
    files: ["whittle_tirpc.h", "whittle_tirpc_stubs.h", "whittle_tirpc.c"],
    parts: &[&MARSHALLING, &SHARED, &CALLS],
    public: &["text.h", "tirpc.h"],
    stubs: &["stubs.h"],
    ..ALONE
};

/// CORBA's style over it.
pub const OBJECTS: RunTime = RunTime {
    files: ["whittle_tirpc_object.h", "whittle_tirpc_object_stubs.h", "whittle_tirpc_object.c"],
    parts: &[&OF_OBJECTS, &TAKEN],
    public: &["tirpc_object.h"],
    stubs: &["tirpc_object_stubs.h"],
    beginning: "#include \"whittle_net.h\"\n",
    over: &[&TIRPC, &giop::ORB],
    shows: true,
    ..ALONE
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_part_is_forgotten() {
        assert_eq!(crate::links::joined::forgotten("tirpc", &CALLS), [""; 0]);
        assert_eq!(crate::links::joined::forgotten("corba/tirpc", &OF_OBJECTS), [""; 0]);
    }
}
