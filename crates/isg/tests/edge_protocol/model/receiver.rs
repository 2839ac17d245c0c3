//! What a receiver does, and what becomes of it.

use super::{Edge, Message, OfReceiver, Receiver, Seeded, State, Word};

impl Edge {
    pub(super) fn steps_of_receiver(&self, state: &State, steps: &mut Vec<(String, State, bool)>) {
        let all = [
            OfReceiver::Begins,
            OfReceiver::Dies,
            OfReceiver::IsDone,
            OfReceiver::Answers,
            OfReceiver::LeaseEnds,
            OfReceiver::Reads(1),
            OfReceiver::SeesEndOfConnection,
            OfReceiver::SaysTaken,
            OfReceiver::Refuses,
            OfReceiver::Ends,
        ];
        let receiver = &state.receiver;
        let is_cut = receiver.current.as_ref().is_some_and(|line| !line.is_left) && receiver.pending.is_none();
        let loses = receiver.current.as_ref().is_some_and(|line| !line.forth.is_empty());
        let is_packet = receiver.front().is_some_and(|message| matches!(message, Message::Packets(..)));
        for step in all {
            let (is_fault, is_bounded) = match step {
                OfReceiver::Dies => (true, state.deaths < self.deaths && !receiver.heard_end),
                // Who has heard the end releases the connection after a while.
                OfReceiver::SeesEndOfConnection if receiver.heard_end => (false, true),
                OfReceiver::SeesEndOfConnection => (is_cut || loses, !is_cut || state.cuts < self.cuts),
                // Each by itself: what its stage is done with is a step of its own.
                OfReceiver::Reads(_) => (false, !(is_packet && receiver.has_one)),
                // It may say so again, which changes nothing.
                OfReceiver::SaysTaken => (false, receiver.acknowledged < receiver.taken),
                OfReceiver::Refuses => (false, state.leaves < self.leaves),
                _ => (false, true),
            };
            if is_bounded && self.receiver_may(state, step).is_ok() {
                let mut next = state.clone();
                next.cuts += u32::from(step == OfReceiver::SeesEndOfConnection && is_fault && is_cut);
                self.apply_of_receiver(&mut next, step);
                steps.push((format!("receiver: {step:?}"), next, is_fault));
            }
        }
    }

    /// Why a step is none that the protocol has here.
    pub(crate) fn receiver_may(&self, state: &State, step: OfReceiver) -> Result<(), &'static str> {
        let receiver = &state.receiver;
        let needs = |holds: bool, why: &'static str| if holds { Ok(()) } else { Err(why) };
        if step == OfReceiver::Begins {
            return needs(receiver.is_dead, "its process lives");
        }
        needs(!receiver.is_dead, "its process is dead")?;
        match step {
            OfReceiver::Begins | OfReceiver::Dies => Ok(()),
            OfReceiver::IsDone => needs(receiver.has_one, "it has no packet in hand"),
            OfReceiver::Answers => {
                needs(receiver.pending.is_some(), "no connection waits")?;
                needs(receiver.current.is_none(), "the connection before has not been read to its end")?;
                needs(!receiver.heard_end || self.seeded != Seeded::LeavesPending, "it has heard the end")
            }
            // Who lives comes again before the lease is over.
            OfReceiver::LeaseEnds => {
                let holder = receiver.lease.checked_sub(1).and_then(|holder| state.senders.get(holder));
                needs(holder.is_some_and(|sender| sender.is_dead), "its holder lives")?;
                needs(receiver.current.is_none() && receiver.pending.is_none(), "its holder is connected")
            }
            OfReceiver::Reads(_) if receiver.has_refused => Err("it wants no more"),
            OfReceiver::Reads(_) if receiver.heard_end => Err("it has heard the end"),
            OfReceiver::Reads(count) => match receiver.front() {
                None => Err("nothing has come"),
                Some(Message::Packets(from, to)) => {
                    needs(receiver.has_begun, "it does not know where the stream begins")?;
                    needs(to - from >= count, "so many have not come")
                }
                Some(_) => needs(count == 1, "packets have not come"),
            },
            OfReceiver::Refuses => {
                needs(self.is_subscription, "the edge is no channel's")?;
                needs(!receiver.has_refused && !receiver.heard_end, "it has said so, or has heard the end")
            }
            OfReceiver::Ends => {
                needs(receiver.has_refused || (self.is_subscription && receiver.heard_end), "it goes on")
            }
            OfReceiver::SeesEndOfConnection => needs(receiver.current.is_some(), "it has no connection"),
            OfReceiver::SaysTaken => {
                let hears = receiver.current.as_ref().is_some_and(|line| !line.is_left);
                needs(hears && receiver.has_begun, "nobody would hear it")
            }
        }
    }

    pub(crate) fn apply_of_receiver(&self, next: &mut State, step: OfReceiver) {
        let receiver = &mut next.receiver;
        match step {
            OfReceiver::Begins => next.receiver = self.begun_again(&next.receiver),
            OfReceiver::Dies | OfReceiver::Ends => {
                next.deaths += u32::from(step == OfReceiver::Dies);
                receiver.is_dead = true;
                for line in [receiver.current.take(), receiver.pending.take()].into_iter().flatten() {
                    next.hang_up(line);
                }
            }
            OfReceiver::IsDone => {
                receiver.has_one = false;
                next.done += 1;
            }
            OfReceiver::Refuses => {
                next.leaves += 1;
                next.done += u32::from(receiver.has_one);
                (receiver.has_one, receiver.has_refused, receiver.acknowledged) = (false, true, receiver.taken);
                let taken = receiver.taken;
                if receiver.has_begun {
                    next.send_back(Word::Taken(taken));
                    next.send_back(Word::Refuses);
                }
            }
            OfReceiver::Answers => next.answer(self.seeded == Seeded::AnswersEarly),
            OfReceiver::LeaseEnds => receiver.lease = 0,
            OfReceiver::Reads(count) => self.read(next, count),
            OfReceiver::SeesEndOfConnection => {
                receiver.has_begun = false;
                if let Some(line) = receiver.current.take() {
                    next.hang_up(line);
                }
            }
            OfReceiver::SaysTaken => {
                receiver.acknowledged = receiver.taken;
                next.send_back(Word::Taken(next.receiver.taken));
            }
        }
    }

    fn read(&self, next: &mut State, count: u32) {
        let receiver = &mut next.receiver;
        let Some(line) = receiver.current.as_mut() else { return };
        let stream = line.of + 1;
        if let Some(Message::Packets(from, to)) = line.forth.front_mut() {
            let first = *from;
            *from += count;
            if *from == *to {
                line.forth.pop_front();
            }
            if first != receiver.taken {
                next.wrong = Some("a packet comes twice, or out of order");
            }
            next.done += count - 1 + u32::from(receiver.has_one);
            next.given += count;
            receiver.taken += count;
            receiver.has_one = true;
            return;
        }
        match line.forth.pop_front() {
            Some(Message::Start(count)) => self.begin_at(next, stream, count),
            Some(Message::End) => {
                next.receiver.heard_end = true;
                if next.receiver.acknowledged < next.receiver.taken {
                    next.receiver.acknowledged = next.receiver.taken;
                    next.send_back(Word::Taken(next.receiver.taken));
                }
                next.send_back(Word::HeardEnd);
            }
            Some(Message::Packets(..)) | None => {}
        }
    }

    fn begin_at(&self, next: &mut State, stream: usize, count: u32) {
        let receiver = &mut next.receiver;
        if receiver.stream == stream {
            if count < receiver.taken {
                next.wrong = Some("what came before comes again");
            }
            let forgets = self.seeded == Seeded::ForgetsSkipped;
            receiver.skipped += if forgets { 0 } else { count.saturating_sub(receiver.taken) };
        } else {
            (receiver.stream, receiver.skipped, receiver.unknown) = (stream, count, 0);
            receiver.has_one = false;
            (next.given, next.done) = (0, 0);
        }
        (receiver.taken, receiver.acknowledged, receiver.has_begun) = (count, count, true);
    }

    /// The page goes on; what was in hand is unknown. Who had the edge has it still.
    fn begun_again(&self, before: &Receiver) -> Receiver {
        let lost = u32::from(before.has_one && self.seeded != Seeded::ForgetsHand);
        Receiver {
            stream: before.stream,
            taken: before.taken,
            skipped: before.skipped,
            unknown: before.unknown + lost,
            heard_end: before.heard_end,
            lease: before.stream,
            ..Receiver::default()
        }
    }
}

impl Receiver {
    /// What is to be read next.
    pub(crate) fn front(&self) -> Option<&Message> {
        self.current.as_ref()?.forth.front()
    }
}
