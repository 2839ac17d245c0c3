//! A stage in its process: its variables, the call of its middle, and how it ends. In: a stage as it runs. Out: C; how
//! packets come to it is `drive`'s, what its middle calls is `ports`'.

use cast::build::{self, address, assign, call, equal, member, name, not_equal, null, text, when};
use cast::{Declaration, Expression, Linkage, Statement, Type, UnaryOperator};
use xip::{Direction, End, JoinPoint, Network, StageId};

use crate::naming;
use crate::process::{Drive, Running, is_fetched, is_pulled};
use crate::shorthand::{boolean, forward, function, members, object, perform, time, truth};

/// One stage of a process, with the words for its parts.
pub(crate) struct Stage<'a> {
    pub(crate) network: &'a Network<'a>,
    /// All of the process.
    stages: &'a [Running],
    /// For each link of the flow, whether its packets carry a time.
    pub(crate) stamped: &'a [bool],
    pub(crate) running: &'a Running,
    pub(crate) word: String,
}

impl<'a> Stage<'a> {
    pub(crate) fn new(
        network: &'a Network<'a>,
        (stages, stamped): (&'a [Running], &'a [bool]),
        running: &'a Running,
    ) -> Stage<'a> {
        Stage { network, stages, stamped, running, word: naming::stage(network, running.id) }
    }

    /// Another stage of the process.
    pub(crate) fn other(&self, id: StageId) -> Option<Stage<'a>> {
        // They stand in the order of their numbers.
        let place = self.stages.binary_search_by_key(&id, |stage| stage.id).ok()?;
        Some(Stage::new(self.network, (self.stages, self.stamped), &self.stages[place]))
    }

    pub(crate) fn pipe(&self) -> &'a xip::Pipe {
        self.network.stages[self.running.id.0].pipe
    }

    /// A name of this stage's own: `ended_gray`.
    pub(crate) fn own(&self, what: &str) -> String {
        format!("{what}_{}", self.word)
    }

    /// The pipe's structure.
    pub(crate) fn value(&self) -> Expression {
        name(self.own("stage"), Type::structure(self.pipe().name.text.as_str()))
    }

    /// A port's member of it.
    pub(crate) fn port(&self, end: End) -> Expression {
        let port = self.network.port(end);
        member(self.value(), port.name.text.as_str(), packet_type(self.network, end).pointer())
    }

    pub(crate) fn born(&self) -> Expression {
        name(self.own("born"), time())
    }

    pub(crate) fn ended(&self) -> Expression {
        name(self.own("ended"), boolean())
    }

    /// Whether the packets it sends carry the time of their source.
    pub(crate) fn stamps(&self) -> bool {
        self.network.links_from(self.running.id).any(|number| self.stamped[number])
    }

    /// Whether packets begin here.
    pub(crate) fn is_source(&self) -> bool {
        self.network.is_source(self.running.id)
    }

    /// Whether the time of a packet's source is to be remembered while the middle works.
    pub(crate) fn carries_time(&self) -> bool {
        self.stamps() && !self.is_source()
    }

    /// Whether the stage ends only when several have.
    fn counts_feeders(&self) -> bool {
        let running = &self.running;
        running.feeders(self.network) > 1 || (running.drive.acts() && !running.feeds_itself(self.network))
    }

    /// The routine that one of its feeders calls when no packet follows.
    pub(crate) fn leave(&self) -> Statement {
        perform(&self.own(if self.counts_feeders() { "leave" } else { "end" }), vec![])
    }

    pub(crate) fn lock(&self) -> Vec<Statement> {
        self.locking("pthread_mutex_lock")
    }

    pub(crate) fn unlock(&self) -> Vec<Statement> {
        self.locking("pthread_mutex_unlock")
    }

    fn locking(&self, function: &str) -> Vec<Statement> {
        let lock = address(name(self.own("lock"), Type::named("pthread_mutex_t")));
        if self.running.is_shared { vec![perform(function, vec![lock])] } else { Vec::new() }
    }

    /// The variables of the stage.
    pub(crate) fn variables(&self) -> Vec<Declaration> {
        let pipe = &self.pipe().name.text;
        let stage = self.network.stage(self.running.id);
        let initial = members(vec![("instance", text(stage.name.as_str()))]);
        let mut variables = vec![
            Declaration::Blank,
            Declaration::comment(format!("{}: {}", stage.name, self.describe())),
            object(self.own("stage"), Type::structure(pipe.as_str()), Some(initial)),
            object(self.own("ended"), boolean(), None),
        ];
        if self.counts_feeders() {
            let feeders = build::integer(i128::try_from(self.running.feeders(self.network)).unwrap_or(0));
            variables.push(object(self.own("feeders"), Type::INT, Some(feeders)));
        }
        if self.carries_time() {
            variables.push(object(self.own("born"), time(), None));
        }
        if self.running.is_shared {
            let initial = name("PTHREAD_MUTEX_INITIALIZER", Type::Void);
            variables.push(object(self.own("lock"), Type::named("pthread_mutex_t"), Some(initial)));
        }
        variables.extend(self.timers());
        variables.extend(self.wait_variables());
        if self.has_advice() {
            let flow = text(self.network.flow.name.text.as_str());
            let moment = members(vec![("flow", flow), ("stage", text(stage.name.as_str()))]);
            let ty = Type::structure("whittle_flow_moment").constant();
            variables.push(object(self.own("moment"), ty, Some(moment)));
        }
        variables.extend(self.forward_declarations());
        variables
    }

    fn forward_declarations(&self) -> Vec<Declaration> {
        let mut variables = Vec::new();
        for end in self.pushed_ports() {
            let parameters = self.given_parameters(end);
            variables.push(forward(boolean(), format!("give_{}", naming::end(self.network, end)), parameters));
        }
        variables.push(forward(Type::Void, self.own("end"), vec![]));
        if self.counts_feeders() {
            variables.push(forward(Type::Void, self.own("leave"), vec![]));
        }
        variables
    }

    /// Outports that somebody fetches from.
    pub(crate) fn fetched_ports(&self) -> Vec<End> {
        let links = self.network.links_from(self.running.id).map(|number| &self.network.links[number]);
        let mut ends: Vec<End> = links.filter(|link| is_fetched(self.network, link)).map(|link| link.from).collect();
        ends.dedup();
        ends
    }

    fn describe(&self) -> &'static str {
        match self.running.drive {
            Drive::Source => "a source, with a thread of its own",
            Drive::Puller => "pulls what it takes, with a thread of its own",
            Drive::Arrivals => "a thread of its own, for what arrives",
            Drive::Pushed => "called by the stages that push to it",
            Drive::Pulled => "called by the stage that pulls from it",
        }
    }

    /// Inports that somebody pushes to, each packet for a call of the middle.
    pub(crate) fn pushed_ports(&self) -> Vec<End> {
        if self.gathers().is_some() {
            return Vec::new();
        }
        let is_pushed = |end: &End| {
            let links = self.running.arriving.iter().chain(&self.running.called);
            !is_pulled(self.network, *end) && links.copied().any(|number| self.network.links[number].to == *end)
        };
        self.network.ends(self.running.id, Direction::In).into_iter().filter(is_pushed).collect()
    }

    /// Whether an inport without a packet is distinguished from one with: the only one has it until the next comes.
    pub(crate) fn has_several_inports(&self) -> bool {
        let inports = self.network.ends(self.running.id, Direction::In);
        inports.into_iter().filter(|end| !self.network.port(*end).is_polled()).count() > 1
    }

    /// The routines of the stage, but for those that its middle calls.
    pub(crate) fn routines(&self) -> Vec<Declaration> {
        let mut routines: Vec<Declaration> = self.pushed_ports().into_iter().map(|end| self.give(end)).collect();
        routines.extend(crate::replay::declarations(self));
        routines.push(self.end());
        if self.counts_feeders() {
            routines.push(self.leave_routine());
        }
        routines.extend(self.tick());
        if self.running.has_thread() {
            routines.push(self.run());
        }
        routines.extend(self.fetched_ports().into_iter().map(|end| self.fetch(end)));
        let apart = |routine| [Declaration::Blank, routine];
        routines.into_iter().flat_map(apart).collect()
    }

    /// The middle, between what aspects say before and after it; its answer is in `goes_on`.
    pub(crate) fn middle(&self, mut before: Vec<Statement>, is_new: bool) -> Vec<Statement> {
        let function = self.pipe().middle.as_ref().map_or("", |middle| middle.function.text.as_str());
        before.extend(self.advice(JoinPoint::BeforeMiddle));
        let value = call(function, vec![address(self.value())], boolean());
        let value = crate::replay::or_next(self, value);
        before.push(match is_new {
            true => build::local("goes_on", boolean(), Some(value)),
            false => assign(name("goes_on", boolean()), value),
        });
        before.extend(self.advice(JoinPoint::AfterMiddle));
        before
    }

    fn advice(&self, point: JoinPoint) -> Vec<Statement> {
        let stage = self.network.stage(self.running.id);
        let functions = stage.advice.iter().filter(|advice| advice.at == point);
        let moment = || address(name(self.own("moment"), Type::structure("whittle_flow_moment")));
        functions.map(|advice| perform(&advice.function.text, vec![moment()])).collect()
    }

    /// Whether aspects act at the middle.
    pub(crate) fn has_advice(&self) -> bool {
        !self.network.stage(self.running.id).advice.is_empty()
    }

    /// `end_gray`: no packet follows; once.
    fn end(&self) -> Declaration {
        let hook = name(format!("{}_end", self.pipe().name), Type::Void.pointer());
        let called = perform(&format!("{}_end", self.pipe().name), vec![address(self.value())]);
        let mut body = vec![when(self.ended(), vec![Statement::Return(None)]), assign(self.ended(), truth(true))];
        if !self.has_several_inports() {
            body.extend(self.pushed_ports().into_iter().map(|end| assign(self.port(end), null())));
        }
        body.push(when(not_equal(hook, null()), vec![called]));
        if self.running.is_timed && !self.running.drive.acts() {
            body.push(perform("whittle_flow_wake", vec![]));
        }
        for number in self.network.links_from(self.running.id) {
            let link = &self.network.links[number];
            if !link.is_call() {
                body.push(perform("whittle_flow_close", vec![self.sender(number)]));
            } else if !is_fetched(self.network, link) {
                body.extend(self.other(link.to.stage).map(|to| to.leave()));
            }
        }
        for number in self.running.polled.iter().copied() {
            body.push(assign(self.port(self.network.links[number].to), null()));
            body.push(perform("whittle_flow_refuse", vec![self.receiver(number)]));
        }
        // Nobody fetches what is before it any more.
        for number in self.running.called.iter().copied() {
            let link = &self.network.links[number];
            if is_fetched(self.network, link) {
                body.push(crate::ports::release(self, number, self.port(link.to)));
                body.extend(self.other(link.from.stage).map(|from| perform(&from.own("end"), vec![])));
            }
        }
        function(Linkage::Static, Type::Void, self.own("end"), vec![], body)
    }

    /// `leave_gray`: one of those that feed the stage has ended.
    fn leave_routine(&self) -> Declaration {
        let feeders = name(self.own("feeders"), Type::INT);
        let fewer = build::unary(UnaryOperator::Decrement, feeders);
        let mut body = self.lock();
        body.push(when(equal(fewer, build::integer(0)), vec![perform(&self.own("end"), vec![])]));
        body.extend(self.unlock());
        function(Linkage::Static, Type::Void, self.own("leave"), vec![], body)
    }
}

/// The C type of the packets at an end.
pub(crate) fn packet_type(network: &Network, end: End) -> Type {
    Type::named(network.port(end).ty.text.as_str())
}
