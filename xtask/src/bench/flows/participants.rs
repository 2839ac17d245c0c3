//! Who takes part: names, and what each is started with.

/// How a program's ends are named on its command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A flow that whittle compiles; its edges are carried by this.
    Flow(&'static str),
    /// The same over TCP, authenticated; the others over TCP are not, as nobody else's is.
    KeyedFlow,
    /// `address:port` with this before it.
    Ports(&'static str),
    /// Paths of sockets with this before them.
    Paths(&'static str),
    /// Calls over UDP: packets of 8 KB at most.
    Datagrams,
    /// A server between them.
    Nats,
    /// They find each other.
    Dds,
}

/// One of those that are measured side by side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Participant {
    /// In tables.
    pub(super) name: &'static str,
    /// The file in `bench/flows`, without `.c`; for flows, the description's name.
    pub(super) program: &'static str,
    pub(super) kind: Kind,
}

const fn one(name: &'static str, program: &'static str, kind: Kind) -> Participant {
    Participant { name, program, kind }
}

pub(super) const TWO: [Participant; 17] = [
    one("whittle", "two", Kind::Flow("tcp")),
    one("whittle-keyed", "two", Kind::KeyedFlow),
    one("whittle-unix", "two", Kind::Flow("unix")),
    one("whittle-shm", "two", Kind::Flow("shm")),
    one("whittle-direct", "direct", Kind::Flow("direct")),
    one("hand", "hand", Kind::Ports("")),
    one("hand-batched", "hand_batched", Kind::Ports("")),
    one("hand-unix", "hand", Kind::Paths("")),
    one("hand-batched-unix", "hand_batched", Kind::Paths("")),
    one("rpcgen-tcp", "rpc", Kind::Ports("")),
    one("rpcgen-udp", "rpc", Kind::Datagrams),
    one("zmq", "zmq", Kind::Ports("tcp://")),
    one("zmq-ipc", "zmq", Kind::Paths("ipc://")),
    one("nng", "nng", Kind::Ports("tcp://")),
    one("nng-ipc", "nng", Kind::Paths("ipc://")),
    one("nats", "nats", Kind::Nats),
    one("cyclone", "cyclone", Kind::Dds),
];

pub(super) const THREE: [Participant; 9] = [
    one("whittle", "three", Kind::Flow("tcp")),
    one("hand", "hand", Kind::Ports("")),
    one("hand-batched", "hand_batched", Kind::Ports("")),
    one("rpcgen-tcp", "rpc", Kind::Ports("")),
    one("rpcgen-udp", "rpc", Kind::Datagrams),
    one("zmq", "zmq", Kind::Ports("tcp://")),
    one("nng", "nng", Kind::Ports("tcp://")),
    one("nats", "nats", Kind::Nats),
    one("cyclone", "cyclone", Kind::Dds),
];

pub(super) const APART: [Participant; 5] = [
    one("whittle", "two", Kind::Flow("tcp")),
    one("hand", "hand", Kind::Ports("")),
    one("hand-batched", "hand_batched", Kind::Ports("")),
    one("rpcgen-tcp", "rpc", Kind::Ports("")),
    one("zmq", "zmq", Kind::Ports("tcp://")),
];
