//! What a sender does, and what becomes of it.

use super::{Edge, Line, Message, Seeded, Sender, Settling, State, Step, Word};

type Steps = Vec<(String, State, bool)>;

impl Edge {
    pub(super) fn sender_steps(&self, state: &State, n: usize, steps: &mut Steps) {
        let sender = &state.senders[n];
        let mut step = |name: &str, is_fault: bool, change: &dyn Fn(&mut State)| {
            let mut next = state.clone();
            change(&mut next);
            steps.push((format!("sender {}: {name}", n + 1), next, is_fault));
        };
        if sender.is_dead {
            step("begins again", false, &|next| next.senders[n] = next.senders[n].begun_again());
            return;
        }
        if state.deaths < self.deaths {
            step("dies", true, &|next| {
                next.deaths += 1;
                next.senders[n].is_dead = true;
                next.leave(n);
            });
        }
        // Who settles hears of a cut when it has done so.
        if sender.is_connected && sender.settles.is_none() && state.cuts < self.cuts {
            for (name, is_lost) in [("its connection is cut", false), ("its connection is cut, with all in it", true)] {
                step(name, true, &|next| {
                    next.cuts += 1;
                    if is_lost {
                        next.lines[n].iter_mut().for_each(|line| line.forth.clear());
                    }
                    next.leave(n);
                });
            }
        }
        // What the queue lets in waits, or is on its way, until the receiver has taken it.
        let freed = if self.seeded == Seeded::NoCredit { sender.next } else { sender.taken };
        if !sender.has_closed && sender.queued < self.packets && sender.queued - freed < self.queue {
            step("is offered a packet", false, &|next| {
                next.senders[n].queued += 1;
                next.senders[n].offered += 1;
            });
        }
        if !sender.has_closed && sender.faulty == 0 && n == 0 {
            step("is offered one at fault", false, &|next| {
                next.senders[n].faulty += 1;
                next.senders[n].offered += 1;
                next.senders[n].queued +=
                    u8::from(self.seeded == Seeded::NumbersFaulty && next.senders[n].queued < self.packets);
            });
        }
        if !sender.has_closed && sender.queued == self.packets {
            step("closes", false, &|next| next.senders[n].has_closed = true);
        }
        if !sender.is_connected && !sender.has_heard_end && !state.receiver.is_dead && self.has_place(state, n) {
            step("connects", false, &|next| self.connect(next, n));
        }
        if sender.has_begun {
            self.sends(sender, &mut step, n);
        }
        if sender.settles.is_some() {
            step("settles", false, &|next| self.settle(next, n));
            return;
        }
        let word = state.lines[n].as_ref().and_then(|line| line.back.front()).filter(|_| sender.is_connected);
        if let Some(word) = word {
            step(&format!("hears {word:?}"), false, &|next| {
                let word = next.lines[n].as_mut().and_then(|line| line.back.pop_front());
                if let Some(word) = word {
                    self.hears(next, n, &word);
                }
            });
        }
    }

    fn sends(&self, sender: &Sender, step: &mut Step<'_>, n: usize) {
        let credit = if self.seeded == Seeded::NoCredit { u8::MAX } else { self.queue };
        if sender.next < sender.queued && sender.next - sender.taken < credit {
            step("sends a packet", false, &|next| {
                let sender = &mut next.senders[n];
                let packet = Message::Packet(sender.next);
                sender.next += 1;
                sender.sent = sender.sent.max(sender.next);
                next.say(n, packet);
            });
        }
        if sender.has_closed && sender.next == sender.queued && !sender.has_sent_end {
            step("sends the end", false, &|next| {
                next.senders[n].has_sent_end = true;
                next.say(n, Message::End);
            });
        }
    }

    /// A new line needs one that is free: the receiver reads at most one that is older.
    fn has_place(&self, state: &State, n: usize) -> bool {
        state.lines[n].is_none() || state.older.is_none()
    }

    /// The hello: the receiver hands the connection to its stage, or says who has the edge.
    fn connect(&self, next: &mut State, n: usize) {
        let stream = u8::try_from(n + 1).unwrap_or(0);
        let receiver = &next.receiver;
        let is_held = receiver.lease != 0 && receiver.lease != stream && self.seeded != Seeded::NoLease;
        if receiver.heard_end {
            let says = receiver.stream == stream && self.seeded != Seeded::EndSaidOnce;
            if says {
                let sender = &mut next.senders[n];
                sender.has_heard_end = sender.has_closed;
            }
            return;
        }
        if is_held {
            return;
        }
        if let Some(before) = next.lines[n].take() {
            next.older = Some((stream - 1, before));
        }
        next.lines[n] = Some(Line::default());
        next.senders[n].is_connected = true;
        // One that was answered before, and not read to its end, is read on; a later one waits for that.
        if let Some(waiting) = next.receiver.pending.filter(|waiting| *waiting != stream - 1) {
            next.leave(usize::from(waiting));
        }
        let lease = next.receiver.lease;
        let holder = next.senders.get(usize::from(lease).wrapping_sub(1)).filter(|_| lease != stream);
        if holder.is_some_and(|holder| !holder.is_dead) {
            next.wrong = Some("the edge is taken from a sender that has it");
        }
        next.receiver.early = if self.seeded == Seeded::AnswersEarly { next.receiver.taken } else { 0 };
        next.receiver.pending = Some(stream - 1);
        next.receiver.lease = stream;
    }

    fn hears(&self, next: &mut State, n: usize, word: &Word) {
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
                let kept = sender.crashed.max(sender.taken.min(sender.queued));
                let begin = if self.seeded == Seeded::SendsAgain { kept } else { came.max(kept) };
                let has_nothing = came.max(self.settled(sender)) >= begin;
                sender.settles = Some(Settling { came, begin, writes: 0 });
                if has_nothing {
                    self.settle(next, n);
                }
            }
            Word::Taken(count) => {
                sender.taken = sender.taken.max(*count);
                sender.acknowledged = sender.acknowledged.max(*count);
            }
            Word::HeardEnd => sender.has_heard_end = true,
        }
    }
}

impl Sender {
    /// The page goes on; what was in memory is gone, and counts as sent.
    fn begun_again(&self) -> Sender {
        let (queued, acknowledged, spared) = (self.queued, self.acknowledged, self.spared);
        Sender {
            sent: queued,
            crashed: queued,
            taken: queued,
            next: queued,
            queued,
            acknowledged,
            spared,
            unknown: self.unknown,
            faulty: self.faulty,
            offered: self.offered,
            ..Sender::default()
        }
    }
}

impl State {
    pub(super) fn say(&mut self, n: usize, message: Message) {
        if let Some(line) = self.lines[n].as_mut() {
            line.forth.push_back(message);
        }
    }

    /// The sender has lost its connection; what is in it can still be read, if somebody does.
    pub(super) fn leave(&mut self, n: usize) {
        let sender = &mut self.senders[n];
        (sender.is_connected, sender.has_begun, sender.settles) = (false, false, None);
        let number = u8::try_from(n).ok();
        if self.receiver.pending == number {
            self.receiver.pending = None;
            self.lines[n] = None;
        } else if self.receiver.current == number && self.older.as_ref().is_none_or(|(of, _)| Some(*of) != number) {
            if let Some(line) = self.lines[n].as_mut() {
                line.is_left = true;
                line.back.clear();
            }
        } else {
            self.lines[n] = None;
        }
    }
}
