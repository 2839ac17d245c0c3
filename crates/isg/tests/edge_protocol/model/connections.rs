//! The connections between a sender and the receiver: what is said over them, and how each end loses them.

use std::mem;

use super::{Connection, Line, Message, State, Word};

impl State {
    /// Into the connection, whoever reads it still.
    pub(super) fn say(&mut self, n: usize, message: Message) {
        if self.senders[n].connection != Connection::Current {
            return;
        }
        let Some(line) = self.receiver.current.as_mut() else { return };
        match (line.forth.back_mut(), &message) {
            (Some(Message::Packets(_, before)), Message::Packets(from, to)) if *before == *from => *before = *to,
            _ => line.forth.push_back(message),
        }
    }

    /// The next word for a sender.
    pub(crate) fn word(&self, n: usize) -> Option<&Word> {
        match &self.senders[n].connection {
            Connection::Current => self.receiver.current.as_ref().and_then(|line| line.back.front()),
            Connection::Closed(words) => words.front(),
            Connection::None | Connection::Pending => None,
        }
    }

    pub(super) fn take_word(&mut self, n: usize) -> Option<Word> {
        match &mut self.senders[n].connection {
            Connection::Current => self.receiver.current.as_mut().and_then(|line| line.back.pop_front()),
            Connection::Closed(words) => words.pop_front(),
            Connection::None | Connection::Pending => None,
        }
    }

    /// The sender has lost its connection; what is in it can still be read, if somebody does.
    pub(super) fn leave(&mut self, n: usize) {
        let sender = &mut self.senders[n];
        (sender.has_begun, sender.settles) = (false, None);
        let line = match mem::take(&mut sender.connection) {
            Connection::Current => self.receiver.current.as_mut(),
            Connection::Pending => self.receiver.pending.as_mut(),
            Connection::None | Connection::Closed(_) => None,
        };
        if let Some(line) = line {
            line.is_left = true;
            line.back.clear();
        }
    }

    /// One packet that was not taken goes; those behind it have its number and the next ones.
    pub(super) fn take_back(&mut self, n: usize) {
        let sender = &mut self.senders[n];
        sender.queued -= 1;
        sender.dropped += 1;
        if sender.next <= sender.queued {
            return;
        }
        sender.next -= 1;
        sender.sent -= 1;
        if sender.connection != Connection::Current || !sender.has_begun {
            return;
        }
        let Some(line) = self.receiver.current.as_mut() else { return };
        match line.forth.pop_back() {
            Some(Message::Packets(from, to)) if from + 1 == to => {}
            Some(Message::Packets(from, to)) => line.forth.push_back(Message::Packets(from, to - 1)),
            _ => self.wrong = Some("a packet is dropped that is not there"),
        }
    }

    pub(super) fn send_back(&mut self, word: Word) {
        if let Some(line) = self.receiver.current.as_mut().filter(|line| !line.is_left) {
            line.back.push_back(word);
        }
    }

    /// Goes over to the connection that waits; what has come of the one before has been read.
    pub(super) fn answer(&mut self, is_early: bool) {
        let Some(line) = self.receiver.pending.take() else { return };
        let receiver = &mut self.receiver;
        let word = Word::Answer {
            is_known: receiver.stream == line.of + 1,
            count: if is_early { receiver.early } else { receiver.taken },
        };
        receiver.has_begun = false;
        if !line.is_left {
            self.senders[line.of].connection = Connection::Current;
        }
        self.receiver.current = Some(line);
        self.send_back(word);
        if self.receiver.heard_end {
            self.send_back(Word::HeardEnd);
        }
    }

    /// The receiver is done with a connection: its sender can still hear what was said.
    pub(super) fn hang_up(&mut self, line: Line) {
        if !line.is_left {
            self.senders[line.of].connection = Connection::Closed(line.back);
        }
    }
}
