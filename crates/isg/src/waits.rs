//! Stages that wait for packets of several inports. In: a stage whose pipe says so. Out: the ports as the run time knows them, with
//! room for what waits, and the loop that calls the middle when packets have come that belong together. Source: `runtime/flow/wait.h`;
//! `docs/guides/describe-a-flow.md`.

use cast::build::{self, address, assign, call, index, member, name, not, null, when};
use cast::{Declaration, Expression, Statement, Type};
use xip::{End, Pipe, Wait, WaitPolicy};

use crate::naming;
use crate::shorthand::{boolean, members, number, object, perform, truth};
use crate::stage::{Stage, packet_type};

/// What is said of the middle in its pipe's header.
pub(crate) fn about(pipe: &Pipe, wait: &Wait) -> String {
    let ports: Vec<String> = wait.ports.iter().map(|waited| format!("self->{}", waited.port)).collect();
    let ports = match ports.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    };
    let when = match wait.policy.value {
        WaitPolicy::Pair => {
            let fields: Vec<String> = wait.ports.iter().filter_map(field).collect();
            let time = wait.within.map_or(String::new(), |within| format!(" within {}", within.value));
            format!(
                "for two packets with {} that came{time} of each other; they are at {ports}. A packet without another in that time, or behind which {} more wait, is dropped, counted as unmatched. The stage ends when one of the ports has ended and none of its packets waits.",
                fields.join(" == "),
                wait.room()
            )
        }
        WaitPolicy::Latest => format!(
            "for each packet of any port, once each has had one; the newest of each are at {ports}. The stage ends when all of the ports have ended."
        ),
        WaitPolicy::All | WaitPolicy::Any => {
            format!("for one packet of each port; they are at {ports}. The stage ends when one of the ports has ended.")
        }
    };
    let is_optional = |waited: &xip::Waited| pipe.ports.iter().any(|port| port.name == waited.port && port.optional);
    let without =
        if wait.ports.iter().any(is_optional) { " A port that no edge joins is NULL, and not waited for." } else { "" };
    format!("The middle, yours: called {when}{without} False: it wants no more.")
}

/// `self->a->number`.
fn field(waited: &xip::Waited) -> Option<String> {
    waited.field.as_ref().map(|field| format!("self->{}->{field}", waited.port))
}

/// What says whether two packets are a pair of a pipe.
pub(crate) fn match_name(pipe: &Pipe) -> String {
    format!("match_{}", pipe.name)
}

impl<'a> Stage<'a> {
    /// What its middle waits for, where that is more than a packet of any port.
    pub(crate) fn gathers(&self) -> Option<&'a Wait> {
        self.pipe().gathers()
    }

    /// The ports that it waits at, each with the links that lead there: those that have any.
    fn gathered(&self, wait: &Wait) -> Vec<(End, Vec<usize>)> {
        let ports = self.pipe().ports.iter();
        let place = |waited: &xip::Waited| ports.clone().position(|port| port.name == waited.port);
        let ends = wait.ports.iter().filter_map(place).map(|port| End { stage: self.running.id, port });
        let links =
            |end: End| self.running.arriving.iter().copied().filter(move |link| self.network.links[*link].to == end);
        ends.map(|end| (end, links(end).collect::<Vec<usize>>())).filter(|(_, links)| !links.is_empty()).collect()
    }

    fn waiting(&self) -> Expression {
        name(self.own("wait"), Type::structure("whittle_flow_wait"))
    }

    /// `receivers_join`, `ports_join`, `wait_join`, and the room of each port.
    pub(crate) fn wait_variables(&self) -> Vec<Declaration> {
        let Some(wait) = self.gathers() else { return Vec::new() };
        let gathered = self.gathered(wait);
        let links: Vec<usize> = gathered.iter().flat_map(|(_, links)| links.iter().copied()).collect();
        let pointer = || Type::structure("whittle_flow_receiver").pointer();
        let array = |element: Type| Type::Array(Box::new(element), None);
        let all = self.own("receivers");
        let receivers = build::braces(links.iter().map(|link| self.receiver(*link)).collect());
        let mut variables = vec![object(all.as_str(), array(pointer().constant()), Some(receivers))];
        if wait.policy.value == WaitPolicy::All {
            variables.push(object(self.own("lacking"), pointer().array(number(links.len() as u64)), None));
        }
        let (mut ports, mut first) = (Vec::new(), 0);
        for (end, links) in &gathered {
            let at = index(name(all.as_str(), pointer().pointer()), number(first));
            let mut parts = vec![("receivers", address(at)), ("count", number(links.len() as u64))];
            if wait.copies() {
                variables.extend(self.room(*end, wait, &mut parts));
            }
            ports.push(members(parts));
            first += links.len() as u64;
        }
        variables.push(object(
            self.own("ports"),
            array(Type::structure("whittle_flow_port")),
            Some(build::braces(ports)),
        ));
        let mut parts = vec![
            ("ports", name(self.own("ports"), Type::Void)),
            ("count", number(gathered.len() as u64)),
            ("receivers", name(all, Type::Void)),
            ("receiver_count", number(first)),
        ];
        match wait.policy.value {
            WaitPolicy::All => parts.push(("lacking", name(self.own("lacking"), Type::Void))),
            WaitPolicy::Pair => {
                let within = wait.within.map_or(0, |within| within.value.microseconds().saturating_mul(1000));
                // A time that is no time of the clock: the longest that is one.
                parts.push(("within", number(within.min(u64::MAX / 4))));
                parts.push(("match", name(match_name(self.pipe()), Type::Void)));
            }
            WaitPolicy::Any | WaitPolicy::Latest => {}
        }
        variables.push(object(self.own("wait"), Type::structure("whittle_flow_wait"), Some(members(parts))));
        variables
    }

    /// Where packets of a port wait.
    fn room(&self, end: End, wait: &Wait, parts: &mut Vec<(&'static str, Expression)>) -> [Declaration; 2] {
        let (word, most) = (naming::end(self.network, end), || number(wait.room()));
        let packet = packet_type(self.network, end);
        let (room, kept) = (format!("room_{word}"), format!("kept_{word}"));
        parts.push(("room", name(room.as_str(), Type::Void)));
        parts.push(("kept", name(kept.as_str(), Type::Void)));
        parts.push(("size", build::sizeof_type(packet.clone())));
        parts.push(("most", most()));
        let kept_type = Type::structure("whittle_flow_kept").array(most());
        [object(room, packet.array(most()), None), object(kept, kept_type, None)]
    }

    /// Waits, and calls the middle, until nothing comes any more.
    pub(crate) fn wait_rounds(&self, wait: &Wait) -> Vec<Statement> {
        let what = format!("whittle_flow_wait_{}", wait.policy.value.word());
        let until = if self.running.is_timed { self.ticked() } else { build::unsigned(u64::MAX) };
        let has_come = call(what, vec![address(self.waiting()), until], boolean());
        let goes_on = || name("goes_on", boolean());
        let gathered = self.gathered(wait);
        let mut before = Vec::new();
        for (place, (end, _)) in gathered.iter().enumerate() {
            let port =
                index(name(self.own("ports"), Type::structure("whittle_flow_port").pointer()), number(place as u64));
            before.push(assign(self.port(*end), member(port, "packet", Type::Void.constant().pointer())));
        }
        if self.carries_time() {
            let one_clock = truth(self.network.is_on_one_machine);
            let born =
                call("whittle_flow_wait_born", vec![address(self.waiting()), one_clock], crate::shorthand::time());
            before.push(assign(self.born(), born));
        }
        let mut work = self.middle(before, true);
        work.extend(gathered.iter().map(|(end, _)| assign(self.port(*end), null())));
        work.push(when(not(goes_on()), vec![perform(&self.own("end"), vec![]), Statement::Break]));
        let rounds = if self.running.is_timed {
            let is_over = member(self.waiting(), "over", boolean());
            Statement::While { condition: not(is_over), body: vec![when(has_come, work)] }
        } else {
            Statement::While { condition: has_come, body: work }
        };
        vec![rounds, perform("whittle_flow_wait_end", vec![address(self.waiting())])]
    }
}
