//! The lines of a sender.

use super::{Line, Replay, SENDER};
use crate::model::{Connection, OfReceiver, OfSender, State, Word};

impl Replay {
    /// A new process: what is on its page is what the one before it had come to.
    pub(super) fn sender_begins(&mut self, line: &Line<'_>) -> Result<(), String> {
        if !std::mem::replace(&mut self.is_begun, true) {
            self.edge.queue = line.number("queue")?;
            self.edge.keeps = line.number("keeps")? != 0;
            self.edge.drops = line.number("drops")? != 0;
            self.edge.is_shared = line.number("shared")? != 0;
            self.edge.is_subscription = line.number("subscription")? != 0;
            return Ok(());
        }
        let of_page = |state: &State| {
            let sender = &state.senders[SENDER];
            [sender.unknown, sender.cut, sender.spared]
        };
        let losses = [line.number("unknown")?, line.number("cut")?, line.number("spared")?];
        while of_page(&self.state) != losses && self.state.senders[SENDER].settles.is_some() {
            self.sender(OfSender::Settles)?;
        }
        let acknowledged = line.number("acknowledged")?;
        if self.state.senders[SENDER].acknowledged < acknowledged {
            self.hears(acknowledged)?;
        }
        self.is_offered_beside(line)?;
        let sender = &self.state.senders[SENDER];
        let (found, said) = ([sender.acknowledged], [acknowledged]);
        if of_page(&self.state) != losses || (found != said && !self.edge.is_shared) {
            return Err(format!("the protocol has come to {:?}, {found:?}", of_page(&self.state)));
        }
        self.sender(OfSender::Dies)?;
        self.sender(OfSender::BeginsAgain)
    }

    /// What it was offered since its last step.
    pub(super) fn is_offered_beside(&mut self, line: &Line<'_>) -> Result<(), String> {
        let [queued, faulty, dropped] = [line.number("queued")?, line.number("faulty")?, line.number("dropped")?];
        while self.state.senders[SENDER].queued > queued {
            self.sender(OfSender::TakesBack)?;
        }
        self.is_offered(queued)?;
        while self.state.senders[SENDER].faulty < faulty {
            self.sender(OfSender::IsOfferedFaulty)?;
        }
        while self.state.senders[SENDER].filtered < line.number("filtered")? {
            self.sender(OfSender::Filters)?;
        }
        while self.state.senders[SENDER].dropped < dropped {
            self.sender(OfSender::Drops)?;
        }
        Ok(())
    }

    pub(super) fn is_offered(&mut self, queued: u32) -> Result<(), String> {
        let known = self.state.senders[SENDER].queued;
        if queued > known { self.sender(OfSender::IsOffered(queued - known)) } else { Ok(()) }
    }

    /// Its subscriber has left, or did not come again.
    pub(super) fn vacates(&mut self, line: &Line<'_>) -> Result<(), String> {
        let (queued, heard) = (line.number("queued")?, line.number("heard")?);
        self.is_offered(queued)?;
        if self.edge.is_shared {
            self.hears_taken()?;
            self.leaves()?;
        }
        let sender = &self.state.senders[SENDER];
        let is_refused = line.number("refused")? != 0;
        if sender.is_refused != is_refused || (is_refused && sender.acknowledged != heard) {
            return Err(format!("it had heard {}, and a refusal: {}", sender.acknowledged, sender.is_refused));
        }
        self.sender(OfSender::Vacates)
    }

    pub(super) fn greets(&mut self) -> Result<(), String> {
        let sender = &self.state.senders[SENDER];
        if sender.has_begun && !self.edge.is_shared {
            return Err("it has a connection".to_owned());
        }
        self.greetings += 1;
        if self.edge.is_shared { Ok(()) } else { self.leaves() }
    }

    /// A connection that did not come to a start is given up without a word.
    pub(super) fn leaves(&mut self) -> Result<(), String> {
        let has_one = self.state.senders[SENDER].connection != Connection::None;
        if has_one { self.sender(OfSender::LosesConnection) } else { Ok(()) }
    }

    pub(super) fn starts(&mut self, line: &Line<'_>) -> Result<(), String> {
        let count = line.number("count")?;
        let settles = |replay: &Replay| replay.state.senders[SENDER].settles;
        if settles(self).is_some_and(|settles| settles.begin < count) {
            self.sender(OfSender::Forgets(count))?;
        }
        while settles(self).is_some() {
            self.sender(OfSender::Settles)?;
        }
        let sender = &self.state.senders[SENDER];
        // The stage goes on to put packets into a ring: some may be there before its carrier says where the stream begins.
        let next = if self.edge.is_shared { sender.next.min(count.max(sender.kept)) } else { sender.next };
        let found = [next, sender.unknown, sender.cut, sender.spared];
        if !sender.has_begun || found != [count, line.number("unknown")?, line.number("cut")?, line.number("spared")?] {
            return Err(format!("it had to begin with (count, unknown, cut, spared) {found:?}"));
        }
        Ok(())
    }

    pub(super) fn sends(&mut self, to: u32) -> Result<(), String> {
        self.is_offered(to)?;
        let sender = &self.state.senders[SENDER];
        if self.edge.is_shared && !sender.has_begun {
            return Ok(()); // it stands in the ring until the stream begins again
        }
        match to.checked_sub(sender.next) {
            None => Err(format!("it goes on with {}", sender.next)),
            Some(0) => self.ends(),
            Some(count) => self.sender(OfSender::Sends(count)).and_then(|()| self.ends()),
        }
    }

    /// Over shared memory, the end stands in the ring for each connection.
    pub(super) fn ends(&mut self) -> Result<(), String> {
        let sender = &self.state.senders[SENDER];
        let is_there = self.edge.is_shared && self.has_ended && sender.has_begun && sender.next == sender.queued;
        if is_there && self.edge.sender_may(&self.state, SENDER, OfSender::SendsEnd).is_ok() {
            return self.sender(OfSender::SendsEnd);
        }
        Ok(())
    }

    /// Later words hold what earlier ones say.
    pub(super) fn hears(&mut self, count: u32) -> Result<(), String> {
        while self.state.senders[SENDER].taken < count {
            match self.state.word(SENDER) {
                Some(Word::Taken(said)) if *said <= count => self.sender(OfSender::Hears)?,
                // Who claims a packet in the ring says so with that, and may die before it counts it.
                None | Some(Word::Answer { .. }) if self.edge.is_shared && self.edge.drops => {
                    let is_answered = self.state.word(SENDER).is_some();
                    let says = self.reads_to(count, false).and_then(|()| self.receiver(OfReceiver::SaysTaken));
                    if says.is_err() || is_answered {
                        self.sender(OfSender::Forgets(count))?;
                    }
                }
                found => return Err(format!("what was said to it is {found:?}")),
            }
        }
        while self.state.word(SENDER) == Some(&Word::Taken(count)) {
            self.sender(OfSender::Hears)?;
        }
        Ok(())
    }

    pub(super) fn hears_taken(&mut self) -> Result<(), String> {
        while matches!(self.state.word(SENDER), Some(Word::Taken(_))) {
            self.sender(OfSender::Hears)?;
        }
        Ok(())
    }
}
