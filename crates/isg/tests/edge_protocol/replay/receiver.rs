//! The lines of a receiver.

use super::{Line, Replay, SENDER};
use crate::model::{Message, OfReceiver, OfSender, Word};

impl Replay {
    pub(super) fn receiver_begins(&mut self, line: &Line<'_>) -> Result<(), String> {
        let page = [line.number("known")?, line.number("taken")?, line.number("skipped")?, line.number("unknown")?];
        if !self.state.receiver.is_dead {
            self.reads_to(page[1], true)?;
            if self.state.receiver.has_one && self.state.receiver.unknown == page[3] {
                self.receiver(OfReceiver::IsDone)?;
            }
            self.receiver(OfReceiver::Dies)?;
        }
        self.receiver(OfReceiver::Begins)?;
        let receiver = &self.state.receiver;
        let known = u32::from(receiver.stream != 0);
        let found = [known, receiver.taken, receiver.skipped, receiver.unknown];
        if found == page { Ok(()) } else { Err(format!("the protocol has come to {found:?}")) }
    }

    pub(super) fn is_greeted(&mut self) -> Result<(), String> {
        if self.edge.is_shared { Ok(()) } else { self.connects() }
    }

    pub(super) fn connects(&mut self) -> Result<(), String> {
        self.greetings = self.greetings.checked_sub(1).ok_or("nobody has said hello")?;
        if self.state.senders[SENDER].has_begun && !self.edge.is_shared {
            return Err("the sender has a connection, and has said where it begins".to_owned());
        }
        self.leaves()?;
        self.sender(OfSender::Connects)
    }

    pub(super) fn answers(&mut self, line: &Line<'_>) -> Result<(), String> {
        let word = Word::Answer { is_known: line.number("known")? != 0, count: line.number("count")? };
        self.reads_to(line.number("count")?, false)?;
        if self.edge.is_shared {
            // What was said stands in the ring; who claims a packet there says so with that.
            if self.edge.drops && self.edge.receiver_may(&self.state, OfReceiver::SaysTaken).is_ok() {
                self.receiver(OfReceiver::SaysTaken)?;
            }
            self.hears_taken()?;
            self.greetings = self.greetings.max(1);
            self.connects()?;
            if self.state.receiver.current.is_some() {
                self.receiver(OfReceiver::SeesEndOfConnection)?;
            }
        }
        self.receiver(OfReceiver::Answers)?;
        let said = self.state.receiver.current.as_ref().and_then(|line| line.back.back());
        if said.is_none_or(|said| *said == word) { Ok(()) } else { Err(format!("it had to answer {said:?}")) }
    }

    pub(super) fn reads_start(&mut self, line: &Line<'_>) -> Result<(), String> {
        let count = line.number("count")?;
        match self.state.receiver.front() {
            Some(Message::Start(said)) if *said == count => self.receiver(OfReceiver::Reads(1))?,
            other => return Err(format!("what comes next is {other:?}")),
        }
        let skipped = self.state.receiver.skipped;
        if skipped == line.number("skipped")? { Ok(()) } else { Err(format!("{skipped} numbers will not come")) }
    }

    /// It has taken so many; `starts`: the start may be among what it has read.
    pub(super) fn reads_to(&mut self, count: u32, starts: bool) -> Result<(), String> {
        while self.state.receiver.taken < count {
            match self.state.receiver.front() {
                Some(Message::Packets(from, to)) => {
                    let read = (to - from).min(count - self.state.receiver.taken);
                    self.receiver(OfReceiver::Reads(read))?;
                }
                Some(Message::Start(_)) if starts => self.receiver(OfReceiver::Reads(1))?,
                other => {
                    return Err(format!(
                        "it can have {} packets: what comes next is {other:?}",
                        self.state.receiver.taken
                    ));
                }
            }
        }
        Ok(())
    }

    pub(super) fn says(&mut self, count: u32) -> Result<(), String> {
        self.reads_to(count, false)?;
        let receiver = &self.state.receiver;
        if receiver.taken != count {
            return Err(format!("it has taken {}", receiver.taken));
        }
        // To nobody.
        if self.edge.receiver_may(&self.state, OfReceiver::SaysTaken).is_err() {
            return Ok(());
        }
        self.receiver(OfReceiver::SaysTaken)
    }
}
