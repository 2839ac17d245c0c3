//! The protocol of an edge: two senders that both want it, its receiver, and the connections between them. In: how much may
//! happen, and a fault that is built in. Out: the steps of `docs/edge-protocol.md`, and crashes of either side between any two
//! of them, cut connections, and a receiver that comes late. Packet n of a sender is the n-th that it was offered.

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
    /// A packet at fault takes a number of the sequence.
    NumbersFaulty,
    /// A sender counts a loss, and after that up to where it has counted.
    SettlesTwice,
}

/// Adds a step: its name, whether it is a fault of the world, and what it changes.
type Step<'a> = dyn FnMut(&str, bool, &dyn Fn(&mut State)) + 'a;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Message {
    Start(u8),
    Packet(u8),
    End,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Word {
    Answer { is_known: bool, count: u8 },
    Taken(u8),
    HeardEnd,
}

/// One connection, as long as somebody may read from it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Line {
    forth: VecDeque<Message>,
    back: VecDeque<Word>,
    /// The sender does not have it any more.
    is_left: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Sender {
    is_dead: bool,
    /// On its page, which outlives it.
    queued: u8,
    sent: u8,
    acknowledged: u8,
    spared: u8,
    unknown: u8,
    faulty: u8,
    /// What it was in fact offered.
    offered: u8,
    /// Its own: what an earlier process had, up to where all is taken or lost, what goes next.
    crashed: u8,
    taken: u8,
    next: u8,
    is_connected: bool,
    settles: Option<Settling>,
    has_begun: bool,
    has_closed: bool,
    has_sent_end: bool,
    has_heard_end: bool,
}

/// What a sender does between the answer and its start: it writes to its page twice, and can die after each write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Settling {
    came: u8,
    begin: u8,
    writes: u8,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Receiver {
    is_dead: bool,
    /// On its page: the stream (a sender's number, from 1), and what became of its packets.
    stream: u8,
    taken: u8,
    skipped: u8,
    unknown: u8,
    has_one: bool,
    heard_end: bool,
    /// Its own.
    lease: u8,
    current: Option<u8>,
    pending: Option<u8>,
    has_begun: bool,
    told: u8,
    /// What had come when the connection that waits came.
    early: u8,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct State {
    senders: Vec<Sender>,
    receiver: Receiver,
    /// Lines that are the sender's newest, and those before them that the receiver still reads.
    lines: Vec<Option<Line>>,
    older: Option<(u8, Line)>,
    deaths: u8,
    cuts: u8,
    /// What the receiver's stage was given of the present stream; and what is wrong with it.
    given: u8,
    /// Of those, how many it was done with.
    done: u8,
    wrong: Option<&'static str>,
}

pub(crate) struct Edge {
    pub(crate) senders: usize,
    pub(crate) packets: u8,
    pub(crate) queue: u8,
    pub(crate) deaths: u8,
    pub(crate) cuts: u8,
    pub(crate) seeded: Seeded,
}

impl Protocol for Edge {
    type State = State;

    fn first(&self) -> State {
        State {
            senders: vec![Sender::default(); self.senders],
            lines: vec![None; self.senders],
            // It comes late, or never.
            receiver: Receiver { is_dead: true, ..Receiver::default() },
            ..State::default()
        }
    }

    fn steps(&self, state: &State) -> Vec<(String, State, bool)> {
        let mut steps = Vec::new();
        for n in 0..self.senders {
            self.sender_steps(state, n, &mut steps);
        }
        self.receiver_steps(state, &mut steps);
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
        let delivered = found.wrapping_sub(receiver.unknown + u8::from(receiver.has_one));
        if receiver.stream != 0 && delivered != state.done {
            return Some(format!("{delivered} are counted as delivered, and {} were", state.done));
        }
        for n in 0..self.senders {
            let on_their_way = lines_of(state, n).flat_map(|line| &line.forth);
            if on_their_way.filter(|message| matches!(message, Message::Packet(_))).count() > usize::from(self.queue) {
                return Some("more packets are on their way than the queue holds".to_owned());
            }
        }
        self.imbalance(state)
    }

    fn is_goal(&self, state: &State) -> bool {
        state.receiver.heard_end && state.senders.iter().any(|sender| sender.has_heard_end)
    }
}

fn lines_of(state: &State, n: usize) -> impl Iterator<Item = &Line> {
    let older = state.older.iter().filter(move |(of, _)| usize::from(*of) == n).map(|(_, line)| line);
    state.lines[n].iter().chain(older)
}

impl Edge {
    /// `offered = delivered + faulty + in flight + unknown`, wherever no word of a loss is on its way.
    fn imbalance(&self, state: &State) -> Option<String> {
        let receiver = &state.receiver;
        let (number, sender) = (receiver.stream.checked_sub(1)?, state.senders.get(usize::from(receiver.stream) - 1)?);
        let starts = |line: &Line| line.forth.iter().any(|message| matches!(message, Message::Start(_)));
        if lines_of(state, usize::from(number)).any(starts) || self.settled(sender) > receiver.taken {
            return None;
        }
        let in_hand = u8::from(receiver.has_one);
        let delivered = i16::from(receiver.taken) - i16::from(receiver.skipped + receiver.unknown + in_hand);
        let in_flight = i16::from(sender.queued) - i16::from(receiver.taken) + i16::from(in_hand);
        let found = delivered + in_flight + i16::from(sender.unknown + receiver.unknown + sender.faulty);
        let offered = i16::from(sender.offered);
        (found != offered).then(|| format!("{offered} were offered, and {found} are found"))
    }
}

mod receiver;
mod sender;
mod settling;
