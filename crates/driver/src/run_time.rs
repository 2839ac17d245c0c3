//! The files of the run time that stand beside what is generated. In: a style and a link. Out: names, and what has them. A name is one
//! text, whoever asks for it, so that a program may have interfaces of every style: each file is linked once.

use stubs::links::{giop, net, onc};

use crate::{Link, Request, Style};

const ONC: [&str; 5] = ["whittle_onc.h", "whittle_onc_stubs.h", "whittle_onc.c", "whittle_net.h", "whittle_net.c"];
/// With what is behind <rpc/...>.
const RPC: [&str; 6] =
    ["whittle_onc.h", "whittle_onc_stubs.h", "whittle_onc.c", "whittle_rpc.c", "whittle_net.h", "whittle_net.c"];
const ORB: [&str; 5] = ["whittle_corba.h", "whittle_giop.h", "whittle_corba.c", "whittle_net.h", "whittle_net.c"];
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

/// What programs include, what generated files call, and the code.
pub(crate) fn names(style: Style, link: Link) -> &'static [&'static str] {
    match (style, link) {
        (_, Link::Tirpc) => &[],
        (Style::Rpcgen, Link::Onc) => &RPC,
        (_, Link::Onc) => &ONC,
        (Style::Plain, Link::GiopTcp) => &IIOP,
        (_, Link::GiopTcp) => &ORB,
    }
}

/// The file of that name.
pub(crate) fn text(request: &Request, name: &str) -> Option<String> {
    let order = request.marshalling.byte_order;
    Some(match name {
        "whittle_net.h" => net::header(),
        "whittle_net.c" => net::source(),
        "whittle_onc.h" => onc::runtime::public_header(),
        "whittle_onc_stubs.h" => onc::runtime::stub_header(),
        "whittle_onc.c" => onc::runtime::source(),
        "whittle_rpc.c" => onc::runtime::rpc_source(),
        "whittle_corba.h" => giop::runtime::public_header(),
        "whittle_giop.h" => giop::runtime::stub_header(),
        "whittle_corba.c" => giop::runtime::source(order),
        "whittle_iiop.h" => giop::runtime::plain_public_header(),
        "whittle_iiop_stubs.h" => giop::runtime::plain_stub_header(),
        "whittle_iiop.c" => giop::runtime::plain_source(order),
        _ => return None,
    })
}
