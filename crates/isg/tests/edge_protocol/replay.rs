//! What the C did, held against the protocol. In: the lines that `runtime/flow/trace.c` wrote, of all processes of an edge. Out: the first
//! line that is no step that the model allows where the edge is then. What a line does not say, the model does in its place, as far as it
//! allows it: that packets were offered and read, and that a process died where it begins again. Over shared memory a connection only leads
//! to the ring, which both ends go on with without it: there the model changes connections when the receiver answers.

use crate::model::{Edge, Message, OfReceiver, OfSender, Seeded, State, Word};
use crate::search::Protocol;

/// One sender, one receiver.
const SENDER: usize = 0;

/// Lines that an objection shows before its own.
const LINES_BEFORE: usize = 12;

pub(crate) struct Replay {
    edge: Edge,
    state: State,
    is_begun: bool,
    /// Greetings that the sender has sent, and the receiver has not seen.
    greetings: u32,
    has_ended: bool,
}

/// A line: its words, and what they say.
struct Line<'a> {
    words: Vec<&'a str>,
}

impl Line<'_> {
    fn number(&self, name: &str) -> Result<u32, String> {
        let value = self.words.iter().find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
        let value = value.ok_or_else(|| format!("the line has no `{name}`"))?;
        let number: u64 = value.parse().map_err(|_| format!("`{name}={value}` is no number"))?;
        Ok(u32::try_from(number).unwrap_or(u32::MAX))
    }
}

/// How many lines fit the protocol; or the first that does not, and why.
pub(crate) fn replay(trace: &str) -> Result<usize, String> {
    let edge = Edge {
        senders: 1,
        packets: u32::MAX,
        queue: u32::MAX,
        deaths: u32::MAX,
        cuts: u32::MAX,
        keeps: true,
        drops: false,
        is_shared: false,
        is_subscription: false,
        leaves: u32::MAX,
        others: u32::MAX,
        seeded: Seeded::None,
    };
    let mut replay = Replay { state: edge.first(), edge, is_begun: false, greetings: 0, has_ended: false };
    let mut count = 0;
    for (at, text) in trace.lines().enumerate() {
        let line = Line { words: text.split_whitespace().collect() };
        let before =
            || trace.lines().skip(at.saturating_sub(LINES_BEFORE)).take(LINES_BEFORE.min(at)).collect::<Vec<_>>();
        let objection = |why: String| format!("line {}: `{text}`: {why}; before it: {}", at + 1, before().join(" | "));
        replay.step(&line).map_err(objection)?;
        if let Some(why) = replay.edge.objection(&replay.state) {
            return Err(objection(why));
        }
        count += 1;
    }
    Ok(count)
}

impl Replay {
    fn step(&mut self, line: &Line<'_>) -> Result<(), String> {
        match line.words.as_slice() {
            ["sender", "begins", ..] => self.sender_begins(line),
            ["sender", "says", "hello"] => self.greets(),
            ["sender", "hears", "answer", ..] => {
                let word = Word::Answer { is_known: line.number("known")? != 0, count: line.number("count")? };
                self.expects(&word)?;
                self.sender(OfSender::Hears)
            }
            ["sender", "starts", ..] => self.starts(line),
            ["sender", "sends", "end"] => {
                self.has_ended = true;
                if self.edge.is_shared { self.ends() } else { self.sender(OfSender::SendsEnd) }
            }
            ["sender", "sends", ..] => self.sends(line.number("to")?),
            ["sender", "forgets", ..] => {
                let to = line.number("to")?;
                if to <= self.state.senders[SENDER].kept { Ok(()) } else { self.sender(OfSender::Forgets(to)) }
            }
            ["sender", "filters"] => self.sender(OfSender::Filters),
            ["sender", "subscribes"] => self.sender(OfSender::Subscribes),
            ["sender", "vacates", ..] => self.vacates(line),
            ["sender", "hears", "refusal"] => {
                self.hears_taken()?;
                self.expects(&Word::Refuses)?;
                self.sender(OfSender::Hears)
            }
            ["receiver", "refuses", ..] => {
                self.reads_to(line.number("taken")?, false)?;
                self.receiver(OfReceiver::Refuses)
            }
            ["sender", "takes", "back"] => self.sender(OfSender::TakesBack),
            ["sender", "hears", "end"] => {
                self.hears_taken()?;
                self.expects(&Word::HeardEnd)?;
                self.sender(OfSender::Hears)
            }
            ["sender", "hears", ..] => self.hears(line.number("count")?),
            ["sender", "closes", ..] => {
                self.is_offered(line.number("queued")?)?;
                self.sender(OfSender::Closes)
            }
            ["sender" | "receiver", "loses", ..] if self.edge.is_shared => Ok(()),
            ["sender", "loses", "connection"] => self.sender(OfSender::LosesConnection),
            ["receiver", "begins", ..] => self.receiver_begins(line),
            ["receiver", "is", "greeted"] => self.is_greeted(),
            ["receiver", "answers", "late", ..] => {
                self.connects()?;
                if self.state.receiver.heard_end { Ok(()) } else { Err("it has not heard the end".to_owned()) }
            }
            ["receiver", "answers", ..] => self.answers(line),
            ["receiver", "reads", "start", ..] => self.reads_start(line),
            ["receiver", "reads", "end", ..] => {
                self.reads_to(line.number("taken")?, false)?;
                match self.state.receiver.front() {
                    Some(Message::End) => self.receiver(OfReceiver::Reads(1)),
                    other => Err(format!("what comes next is {other:?}")),
                }
            }
            ["receiver", "says", ..] => self.says(line.number("count")?),
            ["receiver", "loses", ..] => {
                self.reads_to(line.number("taken")?, false)?;
                self.receiver(OfReceiver::SeesEndOfConnection)
            }
            _ => Err("the protocol has no such step".to_owned()),
        }
    }

    fn sender(&mut self, step: OfSender) -> Result<(), String> {
        self.edge.sender_may(&self.state, SENDER, step).map_err(|why| format!("the sender: {step:?}: {why}"))?;
        self.edge.apply_of_sender(&mut self.state, SENDER, step);
        Ok(())
    }

    fn receiver(&mut self, step: OfReceiver) -> Result<(), String> {
        self.edge.receiver_may(&self.state, step).map_err(|why| format!("the receiver: {step:?}: {why}"))?;
        self.edge.apply_of_receiver(&mut self.state, step);
        Ok(())
    }

    /// The next word for the sender.
    fn expects(&self, word: &Word) -> Result<(), String> {
        let found = self.state.word(SENDER);
        if found == Some(word) { Ok(()) } else { Err(format!("what was said to it is {found:?}")) }
    }
}

mod receiver;
mod sender;
