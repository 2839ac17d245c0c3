//! How a sender counts what will not come any more, before it says where it begins: one write to its page after the other.

use super::{Edge, Message, Seeded, Sender, State};

impl Edge {
    /// The number below which all losses are counted.
    pub(super) fn settled(&self, sender: &Sender) -> u8 {
        let counted = if self.seeded == Seeded::SettlesTwice { 0 } else { sender.unknown };
        sender.spared + counted
    }

    /// The next write, or the start.
    pub(super) fn settle(&self, next: &mut State, n: usize) {
        let sender = &mut next.senders[n];
        let Some(mut settling) = sender.settles else { return };
        let (begin, from) = (settling.begin, settling.came.max(self.settled(sender)));
        let counts_first = self.seeded == Seeded::SettlesTwice;
        if from < begin && settling.writes < 2 {
            match (settling.writes, counts_first) {
                (0, true) | (1, false) => sender.unknown += begin - from,
                (0, false) => sender.spared = from - sender.unknown,
                _ => sender.spared = begin,
            }
            settling.writes += 1;
            sender.settles = Some(settling);
            return;
        }
        sender.settles = None;
        (sender.taken, sender.next, sender.has_begun, sender.has_sent_end) = (begin, begin, true, false);
        next.say(n, Message::Start(begin));
    }
}
