//! The files of the run time: those that stand beside what is generated, and all of them, as a library is made of. In: a style and a
//! link. Out: names, and what has them. A name is one text, whoever asks for it, so that a program may have interfaces of every style:
//! each file is linked once.

use std::collections::BTreeSet;

use stubs::links::joined::RunTime;
use stubs::links::onc::tirpc;
use stubs::links::{flow, fluke, giop, mach, net, none, onc};

use crate::{Destination, Host, Link, OutputFile, OutputKind, Report, SentOrder, Style};

/// Writes the run time of all styles and links, and of flows, without an interface.
pub fn run_time(folder: &str, host: &dyn Host) -> Report {
    let of_links =
        Style::ALL.into_iter().flat_map(|style| Link::ALL.into_iter().flat_map(move |link| names(style, link)));
    let names: BTreeSet<&'static str> = of_links.chain(of_flows().map(|(name, _)| name)).collect();
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

/// Those that have three files.
const RUN_TIMES: [&RunTime; 9] = [
    &onc::runtime::ONC,
    &onc::runtime::OBJECTS,
    &tirpc::TIRPC,
    &tirpc::OBJECTS,
    &giop::runtime::ORB,
    &giop::runtime::PLAIN,
    &fluke::runtime::FLUKE,
    &mach::runtime::MACH,
    &mach::runtime::OBJECTS,
];

const NET: [&str; 2] = ["whittle_net.h", "whittle_net.c"];

/// CORBA's values without the ORB, which has them, too.
const VALUES: [&str; 3] = ["whittle_corba.h", "whittle_giop.h", "whittle_corba_values.c"];

/// What a kernel has to have, which its own header takes the place of, and two that have it.
const KERNELS: [&str; 3] = ["whittle_fluke_kernel.h", "whittle_fluke_threads.h", "whittle_fluke_sel4.h"];

/// The files of flows, over the network run time.
fn of_flows() -> impl Iterator<Item = flow::runtime::NamedText> {
    flow::runtime::FOR_ALL.into_iter().chain([flow::runtime::FOR_KEYS, flow::runtime::FOR_NATS, flow::runtime::FOR_DDS])
}

/// What programs include, what generated files call, and the code.
pub(crate) fn names(style: Style, link: Link) -> Vec<&'static str> {
    let (of, beside): (&[&RunTime], &[&str]) = match (style, link) {
        (Style::Rpcgen, Link::Tirpc) => (&[], &[]),
        (Style::Corba, Link::Tirpc) => (&[&tirpc::OBJECTS, &tirpc::TIRPC, &giop::runtime::ORB], &NET),
        (Style::Plain, Link::Tirpc) => (&[&tirpc::TIRPC], &[]),
        (Style::Rpcgen, Link::None) => (&[], &["whittle_codec.h", "whittle_codec_rpc.h"]),
        (Style::Corba, Link::None) => (&[], &["whittle_codec.h", "whittle_codec_corba.h"]),
        (Style::Plain, Link::None) => (&[], &["whittle_codec.h"]),
        // With what is behind <rpc/...>.
        (Style::Rpcgen, Link::Onc | Link::Shm) => (&[&onc::runtime::ONC], &["whittle_rpc.c", NET[0], NET[1]]),
        // The values are the ORB's.
        (Style::Corba, Link::Onc | Link::Shm) => {
            (&[&onc::runtime::OBJECTS, &onc::runtime::ONC, &giop::runtime::ORB], &NET)
        }
        (_, Link::Onc | Link::Shm) => (&[&onc::runtime::ONC], &NET),
        (_, Link::Fluke) => (&[&fluke::runtime::FLUKE], &KERNELS),
        (Style::Rpcgen, Link::Mach) => (&[&mach::runtime::MACH], &["whittle_mach_rpc.h", "whittle_mach_rpc.c"]),
        (Style::Corba, Link::Mach) => (&[&mach::runtime::OBJECTS, &mach::runtime::MACH], &VALUES),
        (_, Link::Mach) => (&[&mach::runtime::MACH], &[]),
        (Style::Plain, Link::GiopTcp) => (&[&giop::runtime::PLAIN, &giop::runtime::ORB], &NET),
        (_, Link::GiopTcp) => (&[&giop::runtime::ORB], &NET),
    };
    of.iter().flat_map(|of| of.files).chain(beside.iter().copied()).collect()
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
        "whittle_corba_values.c" => giop::runtime::values_source(),
        "whittle_mach_rpc.h" => mach::runtime::rpc_header(),
        "whittle_mach_rpc.c" => mach::runtime::rpc_source(),
        "whittle_rpc.c" => onc::runtime::rpc_source(),
        "whittle_fluke_kernel.h" => fluke::runtime::KERNEL.to_owned(),
        "whittle_fluke_threads.h" => fluke::runtime::THREADS.to_owned(),
        "whittle_fluke_sel4.h" => fluke::runtime::SEL4.to_owned(),
        _ => {
            let of_flow = || of_flows().find(|(known, _)| *known == name).map(|(_, text)| text());
            return RUN_TIMES.iter().find_map(|of| of.text(name, order)).or_else(of_flow);
        }
    })
}
