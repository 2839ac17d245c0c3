//! The transports in C, a row each: what the run time calls one, what its processes name, and what they are linked with. In: a transport.
//! Out: words of C. Source: `runtime/flow/edge.h`, `runtime/flow/flow.h`; `docs/guides/add-a-transport.md`.

use xip::{Link, Transport};

use crate::build_files::Need;

/// A transport in C.
pub(crate) struct InC {
    /// Of `enum whittle_flow_transport`.
    pub(crate) constant: &'static str,
    /// The member of `struct whittle_flow_process` that has what carries it, and that.
    pub(crate) channel: Option<(&'static str, &'static str)>,
    /// The parts of the run time, and the libraries, that it needs.
    pub(crate) needs: &'static [Need],
}

/// The row of the transport that carries a link.
pub(crate) fn of(link: &Link) -> InC {
    let plain = |constant| InC { constant, channel: None, needs: &[] };
    match link.contract.carrier() {
        Transport::Tcp => InC { needs: &[Need::Keys], ..plain("WHITTLE_FLOW_TCP") },
        Transport::Unix => plain("WHITTLE_FLOW_UNIX"),
        Transport::Shm => plain("WHITTLE_FLOW_SHM"),
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
