//! How a sender counts what will not come any more, before it says where it begins: one write to its page after the other.

use super::{Edge, Message, Seeded, Sender, State};

impl Edge {
    /// The number below which all losses are counted.
    pub(super) fn settled(&self, sender: &Sender) -> u32 {
        let counted = if self.seeded == Seeded::SettlesTwice { 0 } else { sender.unknown + sender.cut };
        sender.spared + counted
    }

    /// The next write, or the start.
    pub(super) fn settle(&self, next: &mut State, n: usize) {
        let sender = &mut next.senders[n];
        let Some(mut settling) = sender.settles else { return };
        let (begin, from) = (settling.begin, settling.came.max(self.settled(sender)));
        let counts_first = self.seeded == Seeded::SettlesTwice;
        if from < begin && settling.writes < 3 {
            // What an earlier process had is unknown, the rest was cut off with a connection.
            let theirs = sender.crashed.min(begin).saturating_sub(from);
            match (settling.writes, counts_first) {
                (0, true) | (1, false) => sender.unknown += theirs,
                (1, true) => sender.cut += begin - from - theirs,
                (0, false) => sender.spared = from - sender.unknown - sender.cut,
                (_, true) => sender.spared = begin,
                (_, false) => sender.cut += begin - from,
            }
            settling.writes += 1;
            sender.settles = Some(settling);
            return;
        }
        sender.settles = None;
        (sender.taken, sender.next, sender.kept) = (begin, begin, begin);
        (sender.has_begun, sender.has_sent_end) = (true, false);
        next.say(n, Message::Start(begin));
    }
}
