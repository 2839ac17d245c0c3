//! The transports in C, a row each: what the run time calls one, what its processes name, and what they are linked with. In: a transport.
//! Out: words of C. Source: `runtime/flow/edge.h`, `runtime/flow/flow.h`; `docs/guides/add-a-transport.md`.

use xip::{Link, Transport};

use crate::build_files::Need;

/// What connections of a transport come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Socket {
    /// A TCP port.
    Port,
    /// A socket in the flow's directory.
    Local,
}

/// A transport in C.
pub(crate) struct InC {
    /// Of `enum whittle_flow_transport`.
    pub(crate) constant: &'static str,
    /// What its connections come to; `None`: it makes none.
    pub(crate) socket: Option<Socket>,
    /// The member of `struct whittle_flow_process` that has what carries it, and that.
    pub(crate) channel: Option<(&'static str, &'static str)>,
    /// The parts of the run time, and the libraries, that it needs.
    pub(crate) needs: &'static [Need],
}

/// The row of the transport that carries a link.
pub(crate) fn of(link: &Link) -> InC {
    let plain = |constant| InC { constant, socket: None, channel: None, needs: &[] };
    match link.contract.transport() {
        Transport::Tcp => InC { socket: Some(Socket::Port), needs: &[Need::Keys], ..plain("WHITTLE_FLOW_TCP") },
        Transport::Unix => InC { socket: Some(Socket::Local), ..plain("WHITTLE_FLOW_UNIX") },
        Transport::Shm => InC { socket: Some(Socket::Local), ..plain("WHITTLE_FLOW_SHM") },
        Transport::Direct => plain("WHITTLE_FLOW_DIRECT"),
        Transport::Nats => {
            let channel = Some(("nats", "whittle_flow_nats"));
            InC { channel, needs: &[Need::Nats, Need::Keys], ..plain("WHITTLE_FLOW_NATS") }
        }
        Transport::Dds => {
            let channel = Some(("dds", "whittle_flow_dds"));
            InC { channel, needs: &[Need::Dds], ..plain("WHITTLE_FLOW_DDS") }
        }
    }
}
