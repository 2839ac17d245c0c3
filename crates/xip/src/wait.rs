//! What a stage with several inports waits for before its middle is called. In: `wait` of a pipe. Out: the policy, and findings for
//! parts of it that do not fit each other or the pipe's ports. Source: `docs/guides/describe-a-flow.md`.

use source::{Diagnostic, near_name};

use crate::contract::words;
use crate::errors;
use crate::filter::FieldPath;
use crate::ir::{Direction, Pipe, Polarity, Port};
use crate::measure::Duration;
use crate::name::{Name, Spanned};

words! {
    /// Which packets a call of the middle is for.
    WaitPolicy {
        /// One of any port.
        Any = "any",
        /// One of each port.
        All = "all",
        /// One of any port, and the newest of each other.
        Latest = "latest",
        /// Two with the same value in a field.
        Pair = "pair",
    }
}

/// `wait POLICY (PORTS) …;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    pub policy: Spanned<WaitPolicy>,
    pub ports: Vec<Waited>,
    /// How long a packet waits for its other.
    pub within: Option<Spanned<Duration>>,
    /// How many packets of a port wait at most.
    pub most: Option<Spanned<u64>>,
}

/// One of the ports, and what of its packets is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waited {
    pub port: Name,
    pub field: Option<FieldPath>,
}

impl Wait {
    /// How many packets of a port wait at most: of the newest there is one.
    pub fn room(&self) -> u64 {
        match self.policy.value {
            WaitPolicy::Pair => self.most.map_or(16, |most| most.value),
            _ => 1,
        }
    }

    /// Whether packets are copied, to wait in the stage.
    pub fn copies(&self) -> bool {
        matches!(self.policy.value, WaitPolicy::Latest | WaitPolicy::Pair)
    }
}

impl Pipe {
    /// What its middle waits for, where that is more than a packet of any port.
    pub fn gathers(&self) -> Option<&Wait> {
        self.wait.as_deref().filter(|wait| wait.policy.value != WaitPolicy::Any)
    }
}

/// Whether packets of a port call the middle by themselves.
fn is_pushed(port: &Port) -> bool {
    port.direction == Direction::In && port.polarity.is_none_or(|polarity| polarity.value == Polarity::Push)
}

/// What a pipe waits for, against its ports. Where it is not whole, one may seem to be missing.
pub(crate) fn check(pipe: &Pipe, is_whole: bool, findings: &mut Vec<Diagnostic>) {
    let Some(wait) = &pipe.wait else { return };
    if pipe.middle.is_none() && is_whole {
        findings.push(errors::wait_without_middle(wait, &pipe.name.text));
    }
    for (place, Waited { port: name, .. }) in wait.ports.iter().enumerate() {
        if let Some(first) = wait.ports[..place].iter().find(|first| first.port == *name) {
            findings.push(errors::waited_twice(name, first.port.span));
        }
        match pipe.ports.iter().find(|port| port.name == *name) {
            None if is_whole => {
                let known: Vec<&str> =
                    pipe.ports.iter().filter(|port| is_pushed(port)).map(|port| port.name.text.as_str()).collect();
                findings.push(errors::waits_at_unknown(name, &pipe.name.text, near_name(&name.text, &known)));
            }
            Some(port) if !is_pushed(port) => findings.push(errors::never_waited_for(name, port)),
            Some(port) if port.optional && wait.policy.value == WaitPolicy::Pair => {
                findings.push(errors::pair_of_one(name, port));
            }
            _ => {}
        }
    }
    let is_pair = wait.policy.value == WaitPolicy::Pair;
    if wait.ports.len() < 2 || (is_pair && wait.ports.len() != 2) {
        findings.push(errors::waits_for_so_many(wait));
    }
    let is_said = |port: &&Port| wait.ports.iter().any(|waited| waited.port == port.name);
    let left_out = pipe.ports.iter().filter(|port| is_pushed(port) && !is_said(port));
    findings.extend(left_out.map(|port| errors::left_out_of_wait(port, wait)));
    parts(wait, is_pair, findings);
}

/// The parts that pairs have, and no other policy.
fn parts(wait: &Wait, is_pair: bool, findings: &mut Vec<Diagnostic>) {
    let word = wait.policy.value.word();
    if !is_pair {
        let fields = wait.ports.iter().filter_map(|waited| waited.field.as_ref());
        findings.extend(fields.map(|field| errors::part_of_pairs(field.field.span, "a field", word)));
        findings.extend(wait.within.map(|within| errors::part_of_pairs(within.span, "a time", word)));
        findings.extend(wait.most.map(|most| errors::part_of_pairs(most.span, "a number of packets", word)));
        return;
    }
    let without = wait.ports.iter().filter(|waited| waited.field.is_none());
    findings.extend(without.map(|waited| errors::pair_without_field(&waited.port)));
    match wait.within {
        None => findings.push(errors::pair_without_time(wait.policy.span)),
        Some(within) if within.value.microseconds() == 0 => findings.push(errors::pair_within_nothing(within.span)),
        Some(_) => {}
    }
}
