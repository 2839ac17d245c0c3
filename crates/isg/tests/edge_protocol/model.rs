//! The protocol of an edge: senders that want it, its receiver, and the connections between them. In: how much may happen, and a
//! fault that is built in. Out: the steps of `docs/edge-protocol.md`, and crashes of either side between any two of them, lost
//! connections, and a receiver that comes late. Packet n of a sender is the n-th that it was offered. What may happen in a state
//! (`may`) and what it changes (`apply`) are asked by the search, which takes every step, and by the replay of what the C did
//! (`replay.rs`), which takes those that it is given.

use std::collections::VecDeque;

use crate::search::Protocol;

/// What is built in to see that it is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seeded {
    None,
    /// The receiver takes any sender that comes.
    NoLease,
    /// The sender sends again what the receiver has said to have.
    SendsAgain,
    /// The receiver answers a new connection before it has read the one before to its end.
    AnswersEarly,
    /// Where the receiver knows nothing of the stream, what a dead sender had sent is forgotten.
    ForgetsUnmet,
    /// The receiver does not count the numbers that will not come.
    ForgetsSkipped,
    /// A receiver that comes after a death forgets the packet that was in hand.
    ForgetsHand,
    /// The queue bounds what waits at the sender, and not what is on its way.
    NoCredit,
    /// Who has heard the end does not say so again.
    EndSaidOnce,
    /// Who has heard the end leaves a connection without an answer that had come before.
    LeavesPending,
    /// A packet at fault takes a number of the sequence.
    NumbersFaulty,
    /// A sender counts a loss, and after that up to where it has counted.
    SettlesTwice,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Message {
    Start(u32),
    /// From a number, up to another.
    Packets(u32, u32),
    End,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Word {
    Answer {
        is_known: bool,
        count: u32,
    },
    Taken(u32),
    HeardEnd,
    /// The subscriber leaves.
    Refuses,
}

/// One connection, as long as the receiver may read from it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Line {
    of: usize,
    pub(crate) forth: VecDeque<Message>,
    pub(crate) back: VecDeque<Word>,
    /// The sender does not have it any more.
    is_left: bool,
}

/// Where a sender's connection is.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Connection {
    #[default]
    None,
    /// It waits for the receiver's stage.
    Pending,
    /// The receiver reads from it.
    Current,
    /// The receiver does not have it any more; what it had said can still be heard.
    Closed(VecDeque<Word>),
}

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Sender {
    pub(crate) is_dead: bool,
    /// On its page, which outlives it.
    pub(crate) queued: u32,
    sent: u32,
    pub(crate) acknowledged: u32,
    pub(crate) spared: u32,
    pub(crate) unknown: u32,
    pub(crate) cut: u32,
    pub(crate) faulty: u32,
    pub(crate) dropped: u32,
    pub(crate) filtered: u32,
    /// What it was in fact offered.
    offered: u32,
    /// Its own: what an earlier process had, the oldest that it keeps, up to where all is taken or lost, what goes next.
    crashed: u32,
    pub(crate) kept: u32,
    pub(crate) taken: u32,
    pub(crate) next: u32,
    pub(crate) connection: Connection,
    pub(crate) settles: Option<Settling>,
    pub(crate) has_begun: bool,
    pub(crate) has_closed: bool,
    has_sent_end: bool,
    pub(crate) has_heard_end: bool,
    /// Of a channel: somebody takes packets; who took them wants no more.
    pub(crate) is_subscribed: bool,
    pub(crate) is_refused: bool,
}

/// What a sender does between the answer and its start: it writes to its page three times, and can die after each write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Settling {
    came: u32,
    pub(crate) begin: u32,
    writes: u8,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Receiver {
    pub(crate) is_dead: bool,
    /// On its page: the stream (a sender's number, from 1), and what became of its packets.
    pub(crate) stream: usize,
    pub(crate) taken: u32,
    pub(crate) skipped: u32,
    pub(crate) unknown: u32,
    pub(crate) has_one: bool,
    pub(crate) heard_end: bool,
    /// Its own.
    lease: usize,
    pub(crate) current: Option<Line>,
    pub(crate) pending: Option<Line>,
    has_begun: bool,
    /// It leaves the channel.
    pub(crate) has_refused: bool,
    pub(crate) acknowledged: u32,
    /// What had come when the connection that waits came.
    early: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct State {
    pub(crate) senders: Vec<Sender>,
    pub(crate) receiver: Receiver,
    deaths: u32,
    cuts: u32,
    leaves: u32,
    /// What the receiver's stage was given of the present stream, and of those how many it was done with; and what is wrong with it.
    given: u32,
    done: u32,
    pub(crate) wrong: Option<&'static str>,
}

pub(crate) struct Edge {
    pub(crate) senders: usize,
    pub(crate) packets: u32,
    pub(crate) queue: u32,
    pub(crate) deaths: u32,
    pub(crate) cuts: u32,
    /// What is not acknowledged is kept, to be sent again.
    pub(crate) keeps: bool,
    /// A packet that finds the queue full is dropped, or the oldest is.
    pub(crate) drops: bool,
    /// Packets stand in memory that both ends see: the receiver claims one before it counts it.
    pub(crate) is_shared: bool,
    /// Of a channel: its receivers come and go, so many times, and want some packets only.
    pub(crate) is_subscription: bool,
    pub(crate) leaves: u32,
    /// So many packets at fault, and so many dropped.
    pub(crate) others: u32,
    pub(crate) seeded: Seeded,
}

/// What a sender does, or what becomes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OfSender {
    BeginsAgain,
    Dies,
    LosesConnection,
    IsOffered(u32),
    IsOfferedFaulty,
    Drops,
    /// A packet is published that the subscriber does not want.
    Filters,
    /// Who has come takes packets from now on.
    Subscribes,
    /// Who took packets has left, or did not come again.
    Vacates,
    /// The oldest packet that was not taken, out of memory that both ends see.
    TakesBack,
    Closes,
    Connects,
    Sends(u32),
    SendsEnd,
    /// What has gone is not kept, up to a number.
    Forgets(u32),
    Hears,
    Settles,
}

/// What the receiver does, or what becomes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OfReceiver {
    Begins,
    Dies,
    IsDone,
    Answers,
    LeaseEnds,
    /// A message, or so many packets, each of which it is done with before it takes the next.
    Reads(u32),
    SeesEndOfConnection,
    SaysTaken,
    /// A subscriber wants no more.
    Refuses,
    /// And its process ends.
    Ends,
}

impl Protocol for Edge {
    type State = State;

    fn first(&self) -> State {
        State {
            senders: vec![Sender::default(); self.senders],
            // It comes late, or never.
            receiver: Receiver { is_dead: true, ..Receiver::default() },
            ..State::default()
        }
    }

    fn steps(&self, state: &State) -> Vec<(String, State, bool)> {
        let mut steps = Vec::new();
        for n in 0..self.senders {
            self.steps_of_sender(state, n, &mut steps);
        }
        self.steps_of_receiver(state, &mut steps);
        steps
    }

    fn objection(&self, state: &State) -> Option<String> {
        if let Some(wrong) = state.wrong {
            return Some(wrong.to_owned());
        }
        let receiver = &state.receiver;
        let found = receiver.taken.wrapping_sub(receiver.skipped);
        if receiver.stream != 0 && found != state.given {
            return Some(format!("{found} are counted as come, and {} have", state.given));
        }
        let delivered = found.wrapping_sub(receiver.unknown + u32::from(receiver.has_one));
        if receiver.stream != 0 && delivered != state.done {
            return Some(format!("{delivered} are counted as delivered, and {} were", state.done));
        }
        for n in 0..self.senders {
            let on_their_way: u32 = state.lines_of(n).flat_map(|line| &line.forth).map(Message::packets).sum();
            if on_their_way > self.queue {
                return Some("more packets are on their way than the queue holds".to_owned());
            }
        }
        self.imbalance(state)
    }

    fn is_goal(&self, state: &State) -> bool {
        let is_vacant = |sender: &Sender| self.is_subscription && sender.has_closed && !sender.is_subscribed;
        let heard = state.receiver.heard_end && state.senders.iter().any(|sender| sender.has_heard_end);
        heard || state.senders.iter().any(is_vacant)
    }
}

impl Message {
    fn packets(&self) -> u32 {
        if let Message::Packets(from, to) = self { to - from } else { 0 }
    }
}

impl State {
    fn lines_of(&self, n: usize) -> impl Iterator<Item = &Line> {
        self.receiver.current.iter().chain(&self.receiver.pending).filter(move |line| line.of == n)
    }
}

impl Edge {
    /// `offered = delivered + dropped + faulty + in flight + unknown`, wherever no word of a loss is on its way.
    fn imbalance(&self, state: &State) -> Option<String> {
        let receiver = &state.receiver;
        let (number, sender) = (receiver.stream.checked_sub(1)?, state.senders.get(receiver.stream - 1)?);
        let starts = |line: &Line| line.forth.iter().any(|message| matches!(message, Message::Start(_)));
        if state.lines_of(number).any(starts) || self.settled(sender) > receiver.taken {
            return None;
        }
        let in_hand = u32::from(receiver.has_one);
        let delivered = i64::from(receiver.taken) - i64::from(receiver.skipped + receiver.unknown + in_hand);
        let in_flight = i64::from(sender.queued) - i64::from(receiver.taken) + i64::from(in_hand);
        let lost = sender.unknown + sender.cut + receiver.unknown + sender.faulty + sender.dropped + sender.filtered;
        let found = delivered + in_flight + i64::from(lost);
        let offered = i64::from(sender.offered);
        (found != offered).then(|| format!("{offered} were offered, and {found} are found"))
    }
}

mod connections;
mod receiver;
mod sender;
mod settling;
