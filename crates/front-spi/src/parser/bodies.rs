//! What flows and composed pipes are made of: edges, instances and applied aspects.

use super::Parser;
use crate::{errors, keywords};
use source::{Span, near_miss};
use xip::{
    Application, Body, Channel, Edge, Flow, Instance, Item, Name, PortPath, Restart, RestartPolicy, RestartWhen,
};

impl Parser<'_> {
    /// True where the present word is the beginning of a path in an edge, whatever it is spelled like.
    pub(super) fn at_path(&self) -> bool {
        self.is_word(0) && (self.cursor.at_ahead(1, ".") || self.cursor.at_ahead(1, "->"))
    }

    /// One statement in a `place`: a flow or a pipe.
    pub(super) fn statement(&mut self, body: &mut Body, place: &str) -> Option<()> {
        if self.cursor.eat(";") {
            return Some(());
        }
        if self.at_path() {
            return self.edges(body);
        }
        if place == "flow"
            && self.cursor.at_any(&keywords::IN_PIPES[..9])
            && (self.is_word(1) || self.cursor.at("every"))
        {
            let token = self.cursor.peek();
            let finding = errors::belongs_in_pipe(token.span, self.cursor.text(token));
            self.report(finding);
            return None;
        }
        if self.is_application() {
            body.applications.push(self.application()?);
        } else if self.is_restart() {
            let start = self.cursor.bump().span;
            if place == "pipe" {
                self.report(errors::belongs_in_flow(start, "restart", "`restart always to INSTANCE;`"));
                return None;
            }
            body.restarts.push(self.restart(start)?);
        } else if self.is_channel() {
            let start = self.cursor.bump().span;
            if place == "pipe" {
                self.report(errors::belongs_in_flow(start, "channel", "`channel NAME of TYPE;`"));
                return None;
            }
            body.channels.push(self.channel()?);
        } else if self.is_word(0) && self.is_word(1) {
            body.instances.push(self.instance()?);
        } else if self.is_word(0) {
            self.cursor.bump();
            self.report_expected("`->`, `.` or a name for an instance");
            return None;
        } else {
            let statements = if place == "flow" { &keywords::IN_FLOWS[..] } else { &keywords::IN_FLOWS[..1] };
            let also = if place == "pipe" { "a port, `middle`, " } else { "" };
            self.report_expected(&format!("{also}an edge, an instance, {} or `}}`", keywords::list(statements)));
            return None;
        }
        Some(())
    }

    /// True at `apply`, misspelled or not; the misspelled one is reported.
    fn is_application(&mut self) -> bool {
        let word = self.cursor.peek_text();
        if self.cursor.at("apply") || self.pipes.contains(word) {
            return self.cursor.at("apply");
        }
        let is_like_it = self.cursor.at_ahead(2, ";") || self.cursor.at_ahead(2, "to");
        is_like_it && near_miss(word, &["apply"]).is_some() && self.keyword(&["apply"]).is_some()
    }

    /// True at `restart`, misspelled or not; the misspelled one is reported.
    fn is_restart(&mut self) -> bool {
        let word = self.cursor.peek_text();
        if !self.at_any_ahead(1, &keywords::RESTARTS) || self.pipes.contains(word) {
            return false;
        }
        self.keyword(&["restart"]).is_some()
    }

    /// True at `channel`, misspelled or not; the misspelled one is reported.
    fn is_channel(&mut self) -> bool {
        let word = self.cursor.peek_text();
        if !self.is_word(0) || !self.is_word(1) || !self.cursor.at_ahead(2, "of") || self.pipes.contains(word) {
            return false;
        }
        self.keyword(&["channel"]).is_some()
    }

    /// `channel NAME of TYPE [history N];`, behind its word.
    fn channel(&mut self) -> Option<Channel> {
        let name = self.name("a name for the channel")?;
        self.expect("of")?;
        let ty = self.name("the type of its packets")?;
        let history = if self.cursor.eat("history") { Some(self.count("a number of packets")?) } else { None };
        self.expect_semicolon("the channel");
        Some(Channel { name, ty, history })
    }

    /// `restart WHEN [within TIME] [at most N in TIME] [to INSTANCE];`, behind its word.
    fn restart(&mut self, start: Span) -> Option<Restart> {
        let mut policy = RestartPolicy::NEVER;
        policy.when = match self.one_of("restart", &keywords::RESTARTS)? {
            "on" => RestartWhen::from_word(&format!("on {}", self.one_of("on", &["failure"])?))?,
            word => RestartWhen::from_word(word)?,
        };
        let bounds = self.cursor.here();
        if self.cursor.eat("within") {
            policy.within = Some(self.time("the longest time before a program runs again")?.value);
        }
        if self.cursor.eat("at") {
            self.expect("most")?;
            let most = self.count("a number of restarts")?.value;
            self.expect("in")?;
            let time = self.time("the time for so many restarts")?;
            if time.value.amount == 0 {
                self.judgements.push(errors::zero(time.span, "a time"));
            }
            policy.most = Some((most, time.value));
        }
        if policy.when == RestartWhen::Never && (policy.within.is_some() || policy.most.is_some()) {
            self.judgements.push(errors::never_within(self.since(bounds)));
        }
        let policy = self.spanned(policy, start);
        let to = if self.cursor.eat("to") { Some(self.name("an instance")?) } else { None };
        self.expect_semicolon("the restart");
        Some(Restart { policy, to })
    }

    /// `port -> port contract;`, and in a line `-> port contract` again and again.
    fn edges(&mut self, body: &mut Body) -> Option<()> {
        let mut from = self.path()?;
        self.expect("->")?;
        loop {
            let to = self.path()?;
            if !self.is_line && self.cursor.at("->") {
                let finding = errors::chained_edge(self.cursor.peek().span);
                self.report(finding);
                return None;
            }
            let contract = self.contract();
            // What goes on leaves by the outport of the same instance.
            let next = PortPath { instance: to.instance.clone(), port: None };
            body.edges.push(Edge { from, to, contract });
            if !self.is_line || !self.cursor.eat("->") {
                break;
            }
            from = next;
        }
        self.expect_semicolon("the edge");
        Some(())
    }

    /// All of the text as a flow.
    pub(super) fn line(&mut self) -> Item {
        let name = Name::new("line", self.cursor.here());
        let mut body = Body::default();
        while !self.cursor.is_at_end() {
            let start = self.cursor.position();
            if self.statement(&mut body, "flow").is_none() {
                self.skip_statement();
            }
            if self.cursor.position() == start {
                self.cursor.bump();
            }
        }
        Item::Flow(Flow { name, body })
    }

    /// `INSTANCE.PORT` or a name alone.
    fn path(&mut self) -> Option<PortPath> {
        let instance = self.name("a pipe, an instance or a port")?;
        let port = if self.cursor.eat(".") { Some(self.name("the name of a port")?) } else { None };
        Some(PortPath { instance, port })
    }

    /// `PIPE NAME [on "NODE"];`
    fn instance(&mut self) -> Option<Instance> {
        let pipe = self.name("a pipe")?;
        let name = self.name("a name for the instance")?;
        let mut node = None;
        if self.cursor.eat("on") {
            node = Some(self.quoted("the name of a machine in quotes")?);
        }
        self.expect_semicolon("the instance");
        Some(Instance { pipe, name, node })
    }

    /// `apply ASPECT [to port];`
    fn application(&mut self) -> Option<Application> {
        self.cursor.bump();
        let aspect = self.name("the name of an aspect")?;
        let to = if self.cursor.eat("to") { Some(self.path()?) } else { None };
        self.expect_semicolon("the application");
        Some(Application { aspect, to })
    }
}
