//! How packets come to a middle. In: a stage as it runs. Out: `give_…` for each inport that is pushed to, `run_…` where the
//! stage has a thread, `fetch_…` for each outport that is pulled from. Why: the middle is the same wherever its packets
//! come from. Source: Koster and others, "Thread Transparency in Information Flow Middleware".

use cast::build::{self, address, and, assign, call, equal, name, not, not_equal, null, parameter, returns, when};
use cast::{Declaration, Expression, Linkage, Statement, SwitchArm, Type};
use xip::{Direction, End};

use crate::naming;
use crate::process::Drive;
use crate::replay;
use crate::shorthand::{boolean, function, number, perform, time, truth};
use crate::stage::{Stage, packet_type};

impl Stage<'_> {
    /// `give_gray_a`: a packet for an inport.
    pub(crate) fn give(&self, end: End) -> Declaration {
        let packet = name("packet", packet_type(self.network, end).constant().pointer());
        let mut work = vec![assign(self.port(end), packet.clone())];
        let mut body = Vec::new();
        if self.carries_time() {
            work.push(assign(self.born(), name("born", time())));
        } else {
            body.push(Statement::Expression(build::cast(Type::Void, name("born", time()))));
        }
        let ends_elsewhere = self.may_end_elsewhere();
        let mut work = self.middle(work, !ends_elsewhere);
        if self.has_several_inports() {
            work.push(assign(self.port(end), null()));
        }
        work.push(when(not(goes_on()), vec![perform(&self.own("end"), vec![])]));
        let call = name("call", Type::structure("whittle_flow_call").pointer());
        let is_called = self.is_called(end);
        body.extend(self.lock());
        if !ends_elsewhere {
            body.extend(work);
        } else {
            body.push(build::local("goes_on", boolean(), Some(not(self.ended()))));
            if is_called {
                work.push(perform("whittle_flow_taken", vec![call.clone()]));
                body.push(build::when_else(goes_on(), work, vec![perform("whittle_flow_not_taken", vec![call])]));
            } else {
                body.push(when(goes_on(), work));
            }
        }
        body.extend(self.unlock());
        body.push(returns(goes_on()));
        let parameters = self.given_parameters(end);
        function(Linkage::Static, boolean(), format!("give_{}", naming::end(self.network, end)), parameters, body)
    }

    /// Whether the stage may have ended when it is given a packet: nothing but its own loop gives it one otherwise.
    fn may_end_elsewhere(&self) -> bool {
        self.running.drive != Drive::Arrivals || !self.running.called.is_empty()
    }

    /// `run_gray`: what the stage's thread does.
    pub(crate) fn run(&self) -> Declaration {
        if !self.running.drive.acts() {
            return function(Linkage::Static, Type::Void, self.own("run"), vec![], self.ring());
        }
        let mut body = replay::or_replayed(self, self.rounds(None));
        let arriving = self.running.arriving.iter();
        body.extend(arriving.map(|number| perform("whittle_flow_refuse", vec![self.receiver(*number)])));
        body.extend(self.running.feeds_itself(self.network).then(|| self.leave()));
        function(Linkage::Static, Type::Void, self.own("run"), vec![], body)
    }

    /// `fetch_gray_b`: the next packet of an outport, for the stage that pulls it; NULL when there is none.
    pub(crate) fn fetch(&self, end: End) -> Declaration {
        let pointer = packet_type(self.network, end).constant().pointer();
        let ready = name(format!("ready_{}", naming::end(self.network, end)), pointer.clone());
        let is_missing = equal(ready.clone(), null());
        let mut body = vec![assign(ready.clone(), null())];
        body.extend(self.rounds(Some(is_missing.clone())));
        body.push(when(is_missing, vec![perform(&self.own("end"), vec![])]));
        body.push(returns(ready));
        function(Linkage::Static, pointer, format!("fetch_{}", naming::end(self.network, end)), vec![], body)
    }

    /// The middle, again and again, while `condition` holds too.
    fn rounds(&self, condition: Option<Expression>) -> Vec<Statement> {
        if let (Some(wait), None) = (self.gathers(), &condition) {
            return self.wait_rounds(wait);
        }
        let pushed = !self.pushed_ports().is_empty();
        match self.running.arriving.as_slice() {
            [number] if pushed && !self.running.is_timed => self.for_each_of_one(*number, condition),
            several @ [_, ..] if pushed => self.for_each_of_several(several, condition),
            _ => self.again_and_again(condition),
        }
    }

    /// The address of what receives from a link.
    pub(crate) fn sender(&self, number: usize) -> Expression {
        address(name(format!("out_{}", naming::link(self.network, number)), Type::structure("whittle_flow_sender")))
    }

    pub(crate) fn receiver(&self, number: usize) -> Expression {
        address(name(format!("in_{}", naming::link(self.network, number)), Type::structure("whittle_flow_receiver")))
    }

    fn again_and_again(&self, condition: Option<Expression>) -> Vec<Statement> {
        let mut body = Vec::new();
        let mut round = Vec::new();
        if let Some(rate) = self.steady_rate().filter(|_| self.running.drive == Drive::Source) {
            body.push(build::local("due", time(), Some(build::integer(0))));
            let due = address(name("due", time()));
            let mut pace = vec![due, number(rate), number(1_000_000_000)];
            if self.running.is_timed {
                pace.push(self.ticked());
                let paced = call("whittle_flow_pace_until", pace, boolean());
                round.push(Statement::While { condition: not(paced), body: vec![] });
            } else {
                round.push(perform("whittle_flow_pace", pace));
            }
        } else if self.running.is_timed {
            round.push(perform(&self.own("tick"), vec![]));
        }
        let mut round = self.middle(round, true);
        round.push(when(not(goes_on()), vec![perform(&self.own("end"), vec![])]));
        let wanted = if self.is_source() { Some(call("whittle_flow_goes_on", vec![], boolean())) } else { None };
        let conditions = [Some(not(self.ended())), condition, wanted];
        let condition = conditions.into_iter().flatten().reduce(and).unwrap_or_else(|| truth(true));
        body.push(Statement::While { condition, body: round });
        body
    }

    /// Packets in a second that the source gives, where the flow says so.
    fn steady_rate(&self) -> Option<u64> {
        let ends = self.network.ends(self.running.id, Direction::Out);
        let needs = ends.into_iter().flat_map(|end| self.network.needs(end));
        let steady = needs.filter_map(|need| match &need.value {
            xip::Need::Rate { relation: xip::Relation::Exactly, rate } => rate.items(),
            _ => None,
        });
        steady.min().filter(|rate| *rate > 0)
    }

    fn for_each_of_one(&self, number: usize, condition: Option<Expression>) -> Vec<Statement> {
        let to = self.network.links[number].to;
        let packet = name("packet", packet_type(self.network, to).constant().pointer());
        let run = name("run", Type::structure("whittle_flow_run"));
        let run_and_receiver = vec![address(run.clone()), self.receiver(number)];
        let received = call("whittle_flow_run_next", run_and_receiver, Type::Void.pointer());
        let more = not_equal(build::assignment(packet.clone(), received), null());
        let body = vec![when(not(self.given(number, packet.clone())), vec![Statement::Break])];
        let condition = condition.into_iter().chain([more]).reduce(and).unwrap_or_else(|| truth(true));
        let zeroed = build::braces(vec![build::integer(0)]);
        vec![
            build::local("run", run.ty.clone(), Some(zeroed)),
            build::local("packet", packet.ty, None),
            Statement::While { condition, body },
            perform("whittle_flow_done", vec![self.receiver(number)]),
        ]
    }

    /// Hands a packet to the middle.
    fn given(&self, number: usize, packet: Expression) -> Expression {
        let to = self.network.links[number].to;
        let born = match self.stamped[number] {
            true => call("whittle_flow_born", vec![self.receiver(number)], time()),
            false => build::integer(0),
        };
        let nobody = self.is_called(to).then(null);
        let arguments = [packet, born].into_iter().chain(nobody).collect();
        call(format!("give_{}", naming::end(self.network, to)), arguments, boolean())
    }

    /// Whether stages of this process push to an inport.
    pub(crate) fn is_called(&self, end: End) -> bool {
        self.running.called.iter().any(|link| self.network.links[*link].to == end)
    }

    /// What `give_…` takes: a packet, the time of its source, and what counts the call, where it is one.
    pub(crate) fn given_parameters(&self, end: End) -> Vec<cast::Parameter> {
        let pointer = packet_type(self.network, end).constant().pointer();
        let call = parameter("call", Type::structure("whittle_flow_call").pointer());
        let call = self.is_called(end).then_some(call);
        [parameter("packet", pointer), parameter("born", time())].into_iter().chain(call).collect()
    }

    fn for_each_of_several(&self, arriving: &[usize], condition: Option<Expression>) -> Vec<Statement> {
        let pointer = Type::structure("whittle_flow_receiver").pointer();
        let count = number(arriving.len() as u64);
        let receivers = build::braces(arriving.iter().map(|number| self.receiver(*number)).collect());
        let which = name("which", Type::named("size_t"));
        let packet = name("packet", Type::Void.constant().pointer());
        let among = name("receivers", pointer.clone());
        let (received, more) = if self.running.is_timed {
            let waiting = vec![among.clone(), count.clone(), self.ticked(), address(which.clone())];
            let received = call("whittle_flow_receive_until", waiting, Type::Void);
            let over = call("whittle_flow_is_over", vec![among, count.clone()], boolean());
            (received, Some(not(over)))
        } else {
            (call("whittle_flow_receive_any", vec![among, count.clone(), address(which.clone())], Type::Void), None)
        };
        let came = not_equal(build::assignment(packet.clone(), received), null());
        let is_timed = more.is_some();
        let more = more.into_iter().fold(came, build::or);
        let arm = |(place, link): (usize, &usize)| SwitchArm {
            labels: vec![cast::CaseLabel::Value(number(place as u64))],
            body: vec![
                assign(goes_on(), self.given(*link, packet.clone())),
                perform("whittle_flow_done", vec![self.receiver(*link)]),
                Statement::Break,
            ],
        };
        let arms = arriving.iter().enumerate().map(arm).collect();
        let switch = Statement::Switch { value: which, arms };
        let body = vec![
            build::local("goes_on", boolean(), Some(truth(is_timed))),
            if is_timed { when(not_equal(packet.clone(), null()), vec![switch]) } else { switch },
            when(not(goes_on()), vec![Statement::Break]),
        ];
        let condition = condition.into_iter().chain([more]).reduce(and).unwrap_or_else(|| truth(true));
        vec![
            build::local("receivers", pointer.constant().array(count), Some(receivers)),
            build::local("packet", packet.ty, None),
            build::local("which", Type::named("size_t"), Some(build::integer(0))),
            Statement::While { condition, body },
        ]
    }
}

fn goes_on() -> Expression {
    name("goes_on", boolean())
}
