//! What an edge promises, and what a port needs.

use source::Span;

use crate::address::Address;
use crate::filter::Term;
use crate::measure::{Duration, Rate};
use crate::name::{Name, Spanned};
use crate::transport::Transport;

/// What the file says of an edge. What it does not say has defaults: `via tcp`, `deliver reliable`, a queue of 1 MB that blocks;
/// an edge that drops is `best_effort`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contract {
    pub transport: Option<Spanned<Transport>>,
    /// Where the receiver listens, `host:port`; without it, both follow from the receiver's machine and the flow's first port.
    pub address: Option<Spanned<String>>,
    /// Shared memory is read in place: both ends are of the same user and build.
    pub trusted: Option<Spanned<()>>,
    pub queue: Option<Spanned<Queue>>,
    pub full: Option<Spanned<WhenFull>>,
    pub delivery: Option<Spanned<Delivery>>,
    pub batch: Option<Spanned<Batch>>,
    pub faulty: Option<Spanned<WhenFaulty>>,
    /// The name of an encoding; without it, the machine's own between equal machines.
    pub encoding: Option<Name>,
    /// Of a subscription: the fields that it wants of a channel's packets; all, where nothing is said.
    pub select: Option<Spanned<Vec<Name>>>,
    /// Of a subscription: which of a channel's packets it wants; all, where nothing is said.
    pub filter: Option<Term>,
    pub needs: Vec<Spanned<Need>>,
}

impl Contract {
    /// Where the receiver listens, as the file says it.
    pub fn at(&self) -> Option<Address<'_>> {
        self.address.as_ref().and_then(|address| Address::of(&address.value))
    }

    /// What becomes of packets that find the queue full.
    pub fn when_full(&self) -> WhenFull {
        self.full.map_or(WhenFull::Block, |full| full.value)
    }

    /// What is delivered.
    pub fn delivers(&self) -> Delivery {
        let drops = self.when_full() != WhenFull::Block;
        let default = if drops { Delivery::BestEffort } else { Delivery::Reliable };
        self.delivery.map_or(default, |delivery| delivery.value)
    }

    /// What carries the packets.
    pub fn transport(&self) -> Transport {
        self.transport.map_or(Transport::USUAL, |transport| transport.value)
    }

    /// How packets are encoded: as the file says, or as what carries them does; `None`: as they lie.
    pub fn encodes(&self) -> Option<&str> {
        self.encoding.as_ref().map(|encoding| encoding.text.as_str()).or(self.transport().traits().encodes)
    }

    /// Whether only the newest packet counts: an earlier one that was not taken is replaced.
    pub fn keeps_latest(&self) -> bool {
        self.when_full() == WhenFull::Latest
    }

    /// How much may be between the two middles; four packets, where the file says nothing and they are more.
    pub fn room(&self) -> Queue {
        if self.keeps_latest() {
            return Queue { count: LATEST_ROOM, unit: QueueUnit::Items };
        }
        self.queue.map_or(Queue { count: 1_048_576, unit: QueueUnit::Bytes }, |queue| queue.value)
    }

    /// The place that says the transport, or else `otherwise`.
    pub fn transport_span(&self, otherwise: Span) -> Span {
        self.transport.map_or(otherwise, |transport| transport.span)
    }
}

/// Packets of a `latest` edge that may be on their way; the newest waits behind them.
pub const LATEST_ROOM: u64 = 4;

macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $name {
            $($(#[$variant_meta])* $variant),+
        }

        impl $name {
            /// All, with how Spi and XIP write them.
            pub const ALL: &'static [($name, &'static str)] = &[$(($name::$variant, $word)),+];

            /// The one that is written so.
            pub fn from_word(word: &str) -> Option<$name> {
                Self::ALL.iter().find(|(_, written)| *written == word).map(|(found, _)| *found)
            }

            /// How it is written.
            pub fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $word),+
                }
            }
        }
    };
}

pub(crate) use words;

words! {
    /// What arrives of what was sent; later ones promise more.
    Delivery {
        /// May drop, counted.
        BestEffort = "best_effort",
        /// Nothing is lost while both processes live, across reconnection.
        Reliable = "reliable",
        /// Survives the death of either, at least once.
        Durable = "durable",
    }
}

words! {
    /// What becomes of a packet that finds the queue full.
    WhenFull {
        /// The sender waits.
        Block = "block",
        DropOldest = "oldest",
        DropNewest = "newest",
        /// It replaces what has not been taken: no queue, and nobody waits.
        Latest = "latest",
    }
}

words! {
    /// What a packet does that is no value of its type; it is not sent, and counted.
    WhenFaulty {
        /// The flow goes on.
        Skip = "skip",
        /// The process ends, with a status.
        Stop = "stop",
    }
}

words! {
    /// What a queue's bound counts.
    QueueUnit { Items = "items", Bytes = "bytes" }
}

words! {
    /// How a rate binds.
    Relation {
        /// `rate 30/s`, `rate = 30/s`: so many, steadily.
        Exactly = "=",
        AtMost = "<=",
    }
}

/// How much may wait on an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Queue {
    pub count: u64,
    pub unit: QueueUnit,
}

/// How many packets travel together at most, and how long the first one may wait for the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batch {
    pub items: u64,
    pub within: Option<Duration>,
}

/// A quality of service that a port asks for, or that is asked for on an edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Need {
    Rate {
        relation: Relation,
        rate: Rate,
    },
    /// Everything on the way here is at least so.
    Delivery(Delivery),
    /// Packets arrive in the order in which they were sent.
    Ordered,
    /// From the source to here; a guarantee, unless it is said what happens otherwise.
    Deadline {
        within: Duration,
        otherwise: Option<Otherwise>,
    },
    /// Among what waits, greater goes first.
    Priority(u64),
}

/// What happens to packets that are late.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Otherwise {
    Drop,
    Call(Name),
}
