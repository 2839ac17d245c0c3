//! What a sender does, and what becomes of it.

use std::collections::VecDeque;

use super::{Connection, Edge, Line, Message, OfSender, Seeded, Sender, Settling, State, Word};

impl Edge {
    pub(super) fn steps_of_sender(&self, state: &State, n: usize, steps: &mut Vec<(String, State, bool)>) {
        let next = state.senders[n].next;
        let all = [
            OfSender::BeginsAgain,
            OfSender::Dies,
            OfSender::LosesConnection,
            OfSender::IsOffered(1),
            OfSender::IsOfferedFaulty,
            OfSender::Drops,
            OfSender::Filters,
            OfSender::Subscribes,
            OfSender::Vacates,
            OfSender::Closes,
            OfSender::Connects,
            OfSender::Sends(1),
            OfSender::SendsEnd,
            OfSender::Forgets(next),
            OfSender::Hears,
            OfSender::Settles,
        ];
        for step in all {
            let is_fault = step == OfSender::Dies || step == OfSender::LosesConnection && self.is_cut(state, n);
            let is_bounded = match step {
                OfSender::Dies => state.deaths < self.deaths,
                OfSender::LosesConnection => !is_fault || state.cuts < self.cuts,
                // What the second sender is offered beside packets changes nothing for the first.
                OfSender::IsOfferedFaulty => n == 0 && state.senders[n].faulty < self.others,
                OfSender::Drops => n == 0 && state.senders[n].dropped < self.others,
                OfSender::Filters => state.senders[n].filtered < self.others,
                // Numbers are given again where a subscriber leaves.
                OfSender::IsOffered(_) if self.is_subscription => state.senders[n].offered < self.packets,
                OfSender::IsOffered(_) => state.senders[n].queued < self.packets,
                OfSender::Closes => state.senders[n].queued == self.packets || self.is_subscription,
                _ => true,
            };
            if is_bounded && self.sender_may(state, n, step).is_ok() {
                let mut next = state.clone();
                self.apply_of_sender(&mut next, n, step);
                steps.push((format!("sender {}: {step:?}", n + 1), next, is_fault));
            }
        }
    }

    /// Whether the loss of its connection has no other cause than the world's.
    fn is_cut(&self, state: &State, n: usize) -> bool {
        matches!(state.senders[n].connection, Connection::Current | Connection::Pending)
    }

    /// Why a step is none that the protocol has here.
    pub(crate) fn sender_may(&self, state: &State, n: usize, step: OfSender) -> Result<(), &'static str> {
        let sender = &state.senders[n];
        let needs = |holds: bool, why: &'static str| if holds { Ok(()) } else { Err(why) };
        if step == OfSender::BeginsAgain {
            return needs(sender.is_dead, "its process lives");
        }
        needs(!sender.is_dead, "its process is dead")?;
        // What the queue lets in waits, or is on its way, until the receiver has taken it; one more may stand before it.
        let freed = if self.seeded == Seeded::NoCredit { sender.next } else { sender.taken };
        let credit = if self.seeded == Seeded::NoCredit { u32::MAX } else { self.queue };
        match step {
            OfSender::BeginsAgain | OfSender::Dies => Ok(()),
            OfSender::LosesConnection => {
                needs(sender.connection != Connection::None, "it has no connection")?;
                needs(sender.settles.is_none(), "it settles")
            }
            OfSender::IsOffered(count) => {
                needs(!sender.has_closed, "it has closed")?;
                needs(sender.is_subscribed || !self.is_subscription, "nobody subscribes")?;
                needs(sender.queued + count <= freed.saturating_add(self.queue).saturating_add(1), "the queue is full")
            }
            OfSender::IsOfferedFaulty => needs(!sender.has_closed, "it has closed"),
            OfSender::Drops => needs(self.drops && !sender.has_closed, "the edge drops none"),
            OfSender::Filters => needs(sender.is_subscribed && !sender.has_closed, "nobody subscribes"),
            OfSender::Subscribes => {
                needs(self.is_subscription && !sender.is_subscribed, "somebody subscribes already")?;
                needs(sender.has_begun, "it has not said where it begins")
            }
            OfSender::Vacates => {
                needs(self.is_subscription, "the edge is no channel's")?;
                let is_gone = sender.is_subscribed && sender.connection == Connection::None;
                needs(sender.is_refused || is_gone, "its subscriber is there")
            }
            OfSender::TakesBack => needs(self.drops && sender.queued > sender.taken, "nothing is there to be dropped"),
            OfSender::Closes => needs(!sender.has_closed, "it has closed"),
            OfSender::Connects => {
                needs(sender.connection == Connection::None, "it has a connection")?;
                needs(!sender.has_heard_end, "it has heard the end")?;
                needs(!sender.is_refused, "its subscriber has left")?;
                needs(!state.receiver.is_dead, "the receiver is dead")
            }
            OfSender::Sends(count) => {
                needs(sender.has_begun, "it has not said where it begins")?;
                needs(sender.next + count <= sender.queued, "so many were not offered")?;
                needs(sender.next + count - sender.taken <= credit, "its queue holds no more between the two middles")
            }
            OfSender::SendsEnd => {
                needs(sender.has_begun, "it has not said where it begins")?;
                needs(sender.has_closed, "it has not closed")?;
                needs(!sender.has_sent_end, "it has sent the end")?;
                needs(sender.next == sender.queued, "packets wait")
            }
            OfSender::Forgets(to) => {
                let is_claimed = self.is_shared && self.drops && to == sender.kept + 1;
                needs(!self.keeps || is_claimed, "it keeps what is not acknowledged")?;
                needs(to > sender.kept && to <= sender.next, "so much has not gone")
            }
            OfSender::Hears => {
                needs(sender.settles.is_none(), "it settles")?;
                needs(state.word(n).is_some(), "nothing has been said to it")
            }
            OfSender::Settles => needs(sender.settles.is_some(), "there is nothing to settle"),
        }
    }

    pub(crate) fn apply_of_sender(&self, next: &mut State, n: usize, step: OfSender) {
        let sender = &mut next.senders[n];
        match step {
            OfSender::BeginsAgain => *sender = sender.begun_again(),
            OfSender::Dies => {
                next.deaths += 1;
                next.leave(n);
                next.senders[n].is_dead = true;
            }
            OfSender::LosesConnection => {
                next.cuts += u32::from(self.is_cut(next, n));
                next.leave(n);
            }
            OfSender::IsOffered(count) => {
                sender.queued += count;
                sender.offered += count;
            }
            OfSender::IsOfferedFaulty => {
                sender.faulty += 1;
                sender.offered += 1;
                sender.queued += u32::from(self.seeded == Seeded::NumbersFaulty);
            }
            OfSender::Drops => {
                sender.dropped += 1;
                sender.offered += 1;
            }
            OfSender::Filters => {
                sender.filtered += 1;
                sender.offered += 1;
            }
            OfSender::Subscribes => sender.is_subscribed = true,
            OfSender::Vacates => {
                next.leave(n);
                next.senders[n].vacate(self.is_shared);
            }
            OfSender::TakesBack => next.take_back(n),
            OfSender::Closes => sender.has_closed = true,
            OfSender::Connects => self.connect(next, n),
            OfSender::Sends(count) => {
                let from = sender.next;
                sender.next += count;
                sender.sent = sender.sent.max(sender.next);
                next.say(n, Message::Packets(from, from + count));
            }
            OfSender::SendsEnd => {
                sender.has_sent_end = true;
                next.say(n, Message::End);
            }
            OfSender::Forgets(to) => {
                sender.kept = to;
                // In memory that both see, who has claimed it says so with that.
                sender.taken = if self.is_shared { sender.taken.max(to) } else { sender.taken };
            }
            OfSender::Hears => {
                if let Some(word) = next.take_word(n) {
                    self.hear(next, n, &word);
                }
            }
            OfSender::Settles => self.settle(next, n),
        }
    }

    /// The hello: the receiver hands the connection to its stage, or says who has the edge.
    fn connect(&self, next: &mut State, n: usize) {
        let stream = n + 1;
        let receiver = &mut next.receiver;
        let is_held = receiver.lease != 0 && receiver.lease != stream && self.seeded != Seeded::NoLease;
        if receiver.heard_end {
            // Nobody but the carrier answers any more.
            if receiver.stream == stream && self.seeded != Seeded::EndSaidOnce {
                let words = [Word::Answer { is_known: true, count: receiver.taken }, Word::HeardEnd];
                next.senders[n].connection = Connection::Closed(VecDeque::from(words));
            }
            return;
        }
        // Who leaves takes no connection any more.
        if is_held || receiver.has_refused {
            return;
        }
        let holder = receiver.lease.checked_sub(1).filter(|holder| *holder != n && *holder < next.senders.len());
        if holder.is_some_and(|holder| !next.senders[holder].is_dead) {
            next.wrong = Some("the edge is taken from a sender that has it");
        }
        receiver.early = if self.seeded == Seeded::AnswersEarly { receiver.taken } else { 0 };
        receiver.lease = stream;
        let before = receiver.pending.replace(Line { of: n, ..Line::default() });
        if let Some(before) = before.filter(|before| !before.is_left) {
            next.senders[before.of].connection = Connection::Closed(VecDeque::new());
        }
        next.senders[n].connection = Connection::Pending;
    }

    fn hear(&self, next: &mut State, n: usize, word: &Word) {
        let sender = &mut next.senders[n];
        match word {
            Word::Answer { is_known, count } => {
                let forgets = self.seeded == Seeded::ForgetsUnmet && !is_known;
                let came = if *is_known {
                    *count
                } else if forgets {
                    sender.crashed.max(sender.acknowledged)
                } else {
                    sender.acknowledged
                };
                let kept = sender.crashed.max(sender.kept.min(sender.queued));
                let begin = if self.seeded == Seeded::SendsAgain { kept } else { came.max(kept) };
                sender.settles = Some(Settling { came, begin, writes: 0 });
                if came.max(self.settled(sender)) >= begin {
                    self.settle(next, n);
                }
            }
            Word::Taken(count) => {
                sender.taken = sender.taken.max(*count);
                sender.acknowledged = sender.acknowledged.max(*count);
                sender.kept = sender.kept.max(*count);
            }
            Word::HeardEnd => sender.has_heard_end = sender.has_closed,
            Word::Refuses => sender.is_refused = true,
        }
    }
}

impl Sender {
    /// Who left said what it had taken, and numbers behind that are given again; of one that did not come again, those that were sent stay.
    fn vacate(&mut self, is_shared: bool) {
        let sent = if is_shared { self.queued } else { self.sent };
        let next = if self.is_refused { self.acknowledged } else { sent };
        self.dropped += self.queued - next;
        (self.queued, self.sent, self.kept, self.taken, self.next) = (next, next, next, next, next);
        (self.is_subscribed, self.is_refused) = (false, false);
    }

    /// The page goes on; what was in memory is gone, and counts as sent.
    fn begun_again(&self) -> Sender {
        let queued = self.queued;
        Sender {
            queued,
            acknowledged: self.acknowledged,
            spared: self.spared,
            unknown: self.unknown,
            cut: self.cut,
            faulty: self.faulty,
            dropped: self.dropped,
            filtered: self.filtered,
            offered: self.offered,
            sent: queued,
            crashed: queued,
            kept: queued,
            taken: queued,
            next: queued,
            ..Sender::default()
        }
    }
}
