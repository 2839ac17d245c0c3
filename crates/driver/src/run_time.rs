//! The files of the run time: those that stand beside what is generated, and all of them, as a library is made of. In: a style and a
//! link. Out: names, and what has them. A name is one text, whoever asks for it, so that a program may have interfaces of every style:
//! each file is linked once.

use std::collections::BTreeSet;

use stubs::links::{flow, fluke, giop, mach, net, none, onc, tirpc};

use crate::{Destination, Host, Link, OutputFile, OutputKind, Report, SentOrder, Style};

/// Writes the run time of all styles and links, and of flows, without an interface.
pub fn run_time(folder: &str, host: &dyn Host) -> Report {
    let names: BTreeSet<&'static str> = RPC
        .into_iter()
        .chain(IIOP)
        .chain(OBJECTS)
        .chain(FLUKE)
        .chain(MACH)
        .chain(TIRPC)
        .chain(TIRPC_OBJECTS)
        .chain(CODEC_RPC)
        .chain(CODEC_CORBA)
        .chain(of_flows().map(|(name, _)| name))
        .collect();
    let kinds =
        names.into_iter().map(OutputKind::RunTime).chain(onc::runtime::rpc_headers().map(OutputKind::RpcHeader));
    let file = |kind: OutputKind| {
        let destination = Destination::Path(kind.file_name(&format!("{folder}/all")));
        Some(OutputFile { destination, text: text(SentOrder::Host, kind)? })
    };
    let files: Vec<OutputFile> = kinds.filter_map(file).collect();
    let mut report = Report::default();
    report.add(host.write(&files).err().map(|finding| *finding));
    report
}

const ONC: [&str; 5] = ["whittle_onc.h", "whittle_onc_stubs.h", "whittle_onc.c", "whittle_net.h", "whittle_net.c"];
const MACH: [&str; 3] = ["whittle_mach.h", "whittle_mach_stubs.h", "whittle_mach.c"];
const TIRPC: [&str; 3] = ["whittle_tirpc.h", "whittle_tirpc_stubs.h", "whittle_tirpc.c"];
const CODEC: [&str; 1] = ["whittle_codec.h"];
const CODEC_RPC: [&str; 2] = ["whittle_codec.h", "whittle_codec_rpc.h"];
const CODEC_CORBA: [&str; 2] = ["whittle_codec.h", "whittle_codec_corba.h"];
/// With what is behind <rpc/...>.
const RPC: [&str; 6] =
    ["whittle_onc.h", "whittle_onc_stubs.h", "whittle_onc.c", "whittle_rpc.c", "whittle_net.h", "whittle_net.c"];
const ORB: [&str; 5] = ["whittle_corba.h", "whittle_giop.h", "whittle_corba.c", "whittle_net.h", "whittle_net.c"];
/// CORBA's style over ONC RPC: its values are the ORB's.
const OBJECTS: [&str; 11] = [
    "whittle_onc_object.h",
    "whittle_onc_object_stubs.h",
    "whittle_onc_object.c",
    "whittle_onc.h",
    "whittle_onc_stubs.h",
    "whittle_onc.c",
    "whittle_corba.h",
    "whittle_giop.h",
    "whittle_corba.c",
    "whittle_net.h",
    "whittle_net.c",
];
/// CORBA's style over libtirpc.
const TIRPC_OBJECTS: [&str; 11] = [
    "whittle_tirpc_object.h",
    "whittle_tirpc_object_stubs.h",
    "whittle_tirpc_object.c",
    "whittle_tirpc.h",
    "whittle_tirpc_stubs.h",
    "whittle_tirpc.c",
    "whittle_corba.h",
    "whittle_giop.h",
    "whittle_corba.c",
    "whittle_net.h",
    "whittle_net.c",
];
/// The plain style's part, over the ORB.
const IIOP: [&str; 8] = [
    "whittle_iiop.h",
    "whittle_iiop_stubs.h",
    "whittle_iiop.c",
    "whittle_corba.h",
    "whittle_giop.h",
    "whittle_corba.c",
    "whittle_net.h",
    "whittle_net.c",
];

/// With the header that a kernel's own takes the place of, and with one for seL4.
const FLUKE: [&str; 6] = [
    "whittle_fluke.h",
    "whittle_fluke_stubs.h",
    "whittle_fluke.c",
    "whittle_fluke_kernel.h",
    "whittle_fluke_threads.h",
    "whittle_fluke_sel4.h",
];

/// The files of flows, over the network run time.
fn of_flows() -> impl Iterator<Item = flow::runtime::NamedText> {
    flow::runtime::FOR_ALL.into_iter().chain([flow::runtime::FOR_KEYS, flow::runtime::FOR_NATS])
}

/// What programs include, what generated files call, and the code.
pub(crate) fn names(style: Style, link: Link) -> &'static [&'static str] {
    match (style, link) {
        (Style::Rpcgen, Link::Tirpc) => &[],
        (Style::Corba, Link::Tirpc) => &TIRPC_OBJECTS,
        (Style::Plain, Link::Tirpc) => &TIRPC,
        (Style::Rpcgen, Link::None) => &CODEC_RPC,
        (Style::Corba, Link::None) => &CODEC_CORBA,
        (Style::Plain, Link::None) => &CODEC,
        (Style::Rpcgen, Link::Onc | Link::Shm) => &RPC,
        (Style::Corba, Link::Onc | Link::Shm) => &OBJECTS,
        (_, Link::Onc | Link::Shm) => &ONC,
        (_, Link::Fluke) => &FLUKE,
        (_, Link::Mach) => &MACH,
        (Style::Plain, Link::GiopTcp) => &IIOP,
        (_, Link::GiopTcp) => &ORB,
    }
}

/// What such a file holds; messages are sent in this byte order, where the link leaves a choice.
pub(crate) fn text(order: SentOrder, kind: OutputKind) -> Option<String> {
    let name = match kind {
        OutputKind::RunTime(name) => name,
        OutputKind::RpcHeader(name) => return onc::runtime::rpc_header(name),
        _ => return None,
    };
    Some(match name {
        "whittle_codec.h" => none::header(),
        "whittle_codec_rpc.h" => none::rpc_header(),
        "whittle_codec_corba.h" => none::corba_header(),
        "whittle_net.h" => net::header(),
        "whittle_net.c" => net::source(),
        "whittle_onc.h" => onc::runtime::public_header(),
        "whittle_onc_stubs.h" => onc::runtime::stub_header(),
        "whittle_onc.c" => onc::runtime::source(),
        "whittle_onc_object.h" => onc::runtime::object_header(),
        "whittle_onc_object_stubs.h" => onc::runtime::object_stub_header(),
        "whittle_onc_object.c" => onc::runtime::object_source(),
        "whittle_rpc.c" => onc::runtime::rpc_source(),
        "whittle_fluke.h" => fluke::runtime::public_header(),
        "whittle_fluke_stubs.h" => fluke::runtime::stub_header(),
        "whittle_fluke.c" => fluke::runtime::source(),
        "whittle_fluke_kernel.h" => fluke::runtime::KERNEL.to_owned(),
        "whittle_fluke_threads.h" => fluke::runtime::THREADS.to_owned(),
        "whittle_fluke_sel4.h" => fluke::runtime::SEL4.to_owned(),
        "whittle_tirpc.h" => tirpc::runtime::public_header(),
        "whittle_tirpc_stubs.h" => tirpc::runtime::stub_header(),
        "whittle_tirpc.c" => tirpc::runtime::source(),
        "whittle_tirpc_object.h" => tirpc::runtime::object_header(),
        "whittle_tirpc_object_stubs.h" => tirpc::runtime::object_stub_header(),
        "whittle_tirpc_object.c" => tirpc::runtime::object_source(),
        "whittle_mach.h" => mach::runtime::public_header(),
        "whittle_mach_stubs.h" => mach::runtime::stub_header(),
        "whittle_mach.c" => mach::runtime::source(),
        "whittle_corba.h" => giop::runtime::public_header(),
        "whittle_giop.h" => giop::runtime::stub_header(),
        "whittle_corba.c" => giop::runtime::source(order),
        "whittle_iiop.h" => giop::runtime::plain_public_header(),
        "whittle_iiop_stubs.h" => giop::runtime::plain_stub_header(),
        "whittle_iiop.c" => giop::runtime::plain_source(order),
        _ => return of_flows().find(|(known, _)| *known == name).map(|(_, text)| text()),
    })
}
