//! What a receiver does, and what becomes of it.

use super::{Edge, Line, Message, Receiver, Seeded, State, Step, Word};

type Steps = Vec<(String, State, bool)>;

impl Edge {
    pub(super) fn receiver_steps(&self, state: &State, steps: &mut Steps) {
        let receiver = &state.receiver;
        let mut step = |name: &str, is_fault: bool, change: &dyn Fn(&mut State)| {
            let mut next = state.clone();
            change(&mut next);
            steps.push((format!("receiver: {name}"), next, is_fault));
        };
        if receiver.is_dead {
            step("begins", false, &|next| next.receiver = self.begun_again(&next.receiver));
            return;
        }
        if state.deaths < self.deaths && !receiver.heard_end {
            step("dies", true, &|next| {
                next.deaths += 1;
                next.receiver.is_dead = true;
                (next.receiver.current, next.receiver.pending) = (None, None);
                next.older = None;
                for n in 0..next.senders.len() {
                    next.leave(n);
                }
            });
        }
        if receiver.has_one {
            step("is done with a packet", false, &|next| {
                next.receiver.has_one = false;
                next.done += 1;
            });
        }
        match (receiver.current, receiver.pending) {
            (None, Some(_)) => step("answers", false, &|next| next.answer(self.seeded == Seeded::AnswersEarly)),
            (None, None) if receiver.lease != 0 => {
                // Who lives comes again before the lease is over.
                let holder = usize::from(receiver.lease) - 1;
                if state.senders.get(holder).is_some_and(|sender| sender.is_dead) {
                    step("the lease is over", false, &|next| next.receiver.lease = 0);
                }
            }
            _ => {}
        }
        if receiver.current.is_some() {
            self.reads(state, &mut step);
        }
    }

    fn reads(&self, state: &State, step: &mut Step<'_>) {
        let receiver = &state.receiver;
        let Some(line) = state.read() else { return };
        match line.forth.front() {
            Some(Message::Packet(_)) if receiver.has_one => {}
            Some(message) => step(&format!("reads {message:?}"), false, &|next| {
                let message = next.read_mut().and_then(|line| line.forth.pop_front());
                if let Some(message) = message {
                    self.takes(next, &message);
                }
            }),
            // Nothing more comes of a line that its sender has left, or that a newer one stands for.
            None if line.is_left || state.older.is_some() || receiver.pending.is_some() => {
                step("sees the connection's end", false, &|next| next.close());
            }
            None => {}
        }
        if receiver.has_begun && receiver.told < receiver.taken && !line.is_left && state.older.is_none() {
            step("says what it has taken", false, &|next| {
                let taken = next.receiver.taken;
                next.receiver.told = taken;
                next.tell(Word::Taken(taken));
            });
        }
    }

    fn takes(&self, next: &mut State, message: &Message) {
        let stream = next.receiver.current.map_or(0, |sender| sender + 1);
        let receiver = &mut next.receiver;
        match message {
            Message::Start(count) => {
                if receiver.stream == stream {
                    if *count < receiver.taken {
                        next.wrong = Some("what came before comes again");
                    }
                    receiver.skipped +=
                        if self.seeded == Seeded::ForgetsSkipped { 0 } else { count.saturating_sub(receiver.taken) };
                } else {
                    (receiver.stream, receiver.skipped, receiver.unknown) = (stream, *count, 0);
                    receiver.has_one = false;
                    (next.given, next.done) = (0, 0);
                }
                (receiver.taken, receiver.told, receiver.has_begun) = (*count, *count, true);
            }
            Message::Packet(number) => {
                if *number != receiver.taken {
                    next.wrong = Some("a packet comes twice, or out of order");
                }
                receiver.taken += 1;
                receiver.has_one = true;
                next.given += 1;
            }
            Message::End => {
                receiver.heard_end = true;
                next.tell(Word::HeardEnd);
            }
        }
    }

    /// The page goes on; what was in hand is unknown. Who had the edge has it still.
    fn begun_again(&self, before: &Receiver) -> Receiver {
        let lost = u8::from(before.has_one && self.seeded != Seeded::ForgetsHand);
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

impl State {
    /// The line that is read now.
    fn read(&self) -> Option<&Line> {
        let current = self.receiver.current?;
        match &self.older {
            Some((of, line)) if *of == current => Some(line),
            _ => self.lines[usize::from(current)].as_ref(),
        }
    }

    fn read_mut(&mut self) -> Option<&mut Line> {
        let current = self.receiver.current?;
        match &mut self.older {
            Some((of, line)) if *of == current => Some(line),
            _ => self.lines[usize::from(current)].as_mut(),
        }
    }

    fn tell(&mut self, word: Word) {
        if let Some(line) = self.read_mut().filter(|line| !line.is_left) {
            line.back.push_back(word);
        }
    }

    /// Goes over to the connection that waits; what has come of the one before has been read.
    fn answer(&mut self, is_early: bool) {
        let stream = self.receiver.pending.map_or(0, |sender| sender + 1);
        let (is_known, count) = (self.receiver.stream == stream, self.receiver.taken);
        let count = if is_early { self.receiver.early } else { count };
        (self.receiver.current, self.receiver.pending) = (self.receiver.pending, None);
        self.receiver.has_begun = false;
        self.tell(Word::Answer { is_known, count });
    }

    /// The line that was read is done with.
    fn close(&mut self) {
        let Some(current) = self.receiver.current.take() else { return };
        self.receiver.has_begun = false;
        if self.older.as_ref().is_some_and(|(of, _)| *of == current) {
            self.older = None;
        } else if self.receiver.pending != Some(current) {
            self.lines[usize::from(current)] = None;
            let sender = &mut self.senders[usize::from(current)];
            (sender.is_connected, sender.has_begun, sender.settles) = (false, false, None);
        }
    }
}
