//! Who was compared, as the paper's Table 3 has it. In: what this machine says of versions. Out: a section.

use super::super::machine::first_line;
use super::super::report::{Section, Table};
use super::super::workshop::pkg_config;
use super::Context;

const TEXT: &str = "The compilers of this report, as the paper's Table 3 lists its own (Sun's rpcgen, PowerRPC, ORBeline, ILU, MIG, \
    and Flick with each of them). The commercial ones of then are no longer sold; what a user would choose today \
    replaces them.";

/// Compiler, origin, IDL, encoding, transport, and what pkg-config knows its library by.
const COMPILERS: [[&str; 6]; 11] = [
    ["rpcgen", "Sun (rpcsvc-proto)", "ONC", "XDR", "ONC/TCP, UDP (libtirpc)", "libtirpc"],
    ["whittle, rpcgen's style", "here", "ONC, CORBA", "XDR", "ONC/TCP, UDP (libtirpc)", "libtirpc"],
    ["whittle, plain style", "here", "ONC, CORBA", "XDR", "ONC/TCP, UDP, Unix sockets", ""],
    ["whittle, CORBA's C mapping", "here", "CORBA, ONC", "CDR", "GIOP/TCP", ""],
    ["omniidl", "AT&T Cambridge (omniORB)", "CORBA", "CDR", "GIOP/TCP", "omniORB4"],
    ["protoc", "Google", "protobuf", "protobuf", "none of its own", "protobuf"],
    ["protoc-c", "protobuf-c", "protobuf", "protobuf", "none of its own", "libprotobuf-c"],
    ["capnp", "Sandstorm", "Cap'n Proto", "Cap'n Proto", "Cap'n Proto RPC (not measured here)", "capnp"],
    ["flatc", "Google", "FlatBuffers", "FlatBuffers", "none of its own", "flatbuffers"],
    ["idlc (the bench drop-in)", "Eclipse (Cyclone DDS)", "OMG IDL", "XCDR", "RTPS", "CycloneDDS"],
    ["by hand", "bench/peers", "none", "XDR", "none", ""],
];

/// The section.
pub(super) fn section(context: &Context) -> Section {
    let own = first_line(&context.whittle.display().to_string(), &["--version"]);
    let row = |[compiler, origin, idl, encoding, transport, package]: &[&str; 6]| {
        let version = match (*package, compiler.starts_with("whittle")) {
            (_, true) => own.clone(),
            ("", false) => String::new(),
            _ => pkg_config("--modversion", package).map_or("absent".to_string(), |words| words.join(" ")),
        };
        let words = [compiler, origin, idl, encoding, transport].map(|word| word.to_string());
        words.into_iter().chain([version]).collect()
    };
    let head = ["compiler", "origin", "IDL", "encoding", "transport", "version"].map(str::to_string).into();
    let table = Table { caption: "Table 3".to_string(), head, rows: COMPILERS.iter().map(row).collect() };
    Section {
        title: "marshal: who was compared".to_string(),
        text: TEXT.to_string(),
        plot: String::new(),
        tables: vec![table],
    }
}
