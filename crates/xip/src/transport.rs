//! The transports, a row each: what is asked of one elsewhere is asked of its row, so that a new one is a row. In: the word of a file. Out:
//! how far it reaches, what it keeps, what it needs. Source: `docs/guides/describe-a-flow.md`; `docs/guides/add-a-transport.md`.

use crate::contract::words;

words! {
    /// What carries packets from process to process.
    Transport {
        Tcp = "tcp",
        Unix = "unix",
        /// A ring in shared memory.
        Shm = "shm",
        /// Both stages are one process, and the sender calls the receiver.
        Direct = "direct",
        /// An event channel: a stream of NATS JetStream.
        Nats = "nats",
        /// A topic of the Data Distribution Service.
        Dds = "dds",
    }
}

/// How far a transport reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Both ends are one process: nothing waits between them.
    Process,
    Machine,
    Network,
}

/// What a transport is like.
#[derive(Clone, Copy, Debug)]
pub struct TransportTraits {
    pub reach: Reach,
    /// Others than processes of this machine's user can reach what it carries: it is authenticated.
    pub is_authenticated: bool,
    /// A server keeps what was sent, so that it survives the death of either end.
    pub keeps: bool,
    /// Both ends see one memory: what is `trusted` is read in place.
    pub shares_memory: bool,
    /// Receivers may come and go while the sender goes on, each with an account of its own.
    pub has_subscribers: bool,
    /// Its connections come to a host and a port, which an edge may say.
    pub has_address: bool,
    /// The one encoding of packets that it carries; `None`: any.
    pub encodes: Option<&'static str>,
    /// Why packets do not go together; `None`: they do.
    pub alone: Option<&'static str>,
    /// What may be under way within a machine, in bytes, as the run time has it.
    pub near: u64,
    /// Why one would choose it, within a machine and beyond.
    pub why: [&'static str; 2],
}

const NEAR: u64 = 1_048_576;

/// A connection from process to process.
const STREAM: TransportTraits = TransportTraits {
    reach: Reach::Network,
    is_authenticated: true,
    keeps: false,
    shares_memory: false,
    has_subscribers: true,
    has_address: true,
    encodes: None,
    alone: None,
    near: NEAR,
    why: ["both ends are on one machine: `shm` or `unix` would copy less", "it reaches from machine to machine"],
};

impl Transport {
    /// Where the file says none.
    pub const USUAL: Transport = Transport::Tcp;

    /// Its row.
    pub const fn traits(self) -> TransportTraits {
        match self {
            Transport::Tcp => STREAM,
            Transport::Unix => TransportTraits {
                reach: Reach::Machine,
                has_address: false,
                is_authenticated: false,
                near: NEAR / 2,
                why: ["a socket within the machine"; 2],
                ..STREAM
            },
            Transport::Shm => TransportTraits {
                reach: Reach::Machine,
                has_address: false,
                is_authenticated: false,
                shares_memory: true,
                alone: Some("a packet is there as soon as it is sent"),
                why: ["a ring in memory that both processes see"; 2],
                ..STREAM
            },
            Transport::Direct => TransportTraits {
                reach: Reach::Process,
                has_address: false,
                is_authenticated: false,
                has_subscribers: false,
                alone: Some("a packet is a call"),
                why: ["the sender calls the receiver, in one process"; 2],
                ..STREAM
            },
            Transport::Nats => TransportTraits {
                keeps: true,
                has_address: false,
                has_subscribers: false,
                alone: Some("each packet is a message"),
                why: ["a server keeps what was sent until it was received"; 2],
                ..STREAM
            },
            Transport::Dds => TransportTraits {
                is_authenticated: false,
                has_address: false,
                has_subscribers: false,
                encodes: Some("cdr_native"),
                alone: Some("each packet is a sample"),
                why: ["programs that know the packets' IDL take part, too"; 2],
                ..STREAM
            },
        }
    }

    /// Whether the sender calls the receiver.
    pub fn is_call(self) -> bool {
        self.traits().reach == Reach::Process
    }
}
