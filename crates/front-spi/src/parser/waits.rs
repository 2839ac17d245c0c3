//! What a stage with several inports waits for.

use super::Parser;
use crate::{errors, keywords};
use xip::filter::{FieldPath, Step};
use xip::{Pipe, Spanned, Wait, WaitPolicy, Waited};

impl Parser<'_> {
    /// `wait POLICY (PORT, …) [within TIME] [at most N];`
    pub(super) fn wait(&mut self) -> Option<Wait> {
        let start = self.cursor.bump().span;
        let policy = WaitPolicy::from_word(self.one_of("wait", &keywords::WAITS)?)?;
        let policy = Spanned::new(policy, self.since(start));
        self.expect("(")?;
        let mut ports = vec![self.waited()?];
        while self.cursor.eat(",") {
            ports.push(self.waited()?);
        }
        self.expect(")")?;
        let mut wait = Wait { policy, ports, within: None, most: None };
        if self.cursor.eat("within") {
            wait.within = Some(self.time("the time that a packet waits for its other")?);
        }
        if self.cursor.eat("at") {
            self.expect("most")?;
            wait.most = Some(self.count("a number of packets that wait")?);
        }
        self.expect_semicolon("what the stage waits for");
        Some(wait)
    }

    /// `PORT`, or `PORT.FIELD` and members inside the field.
    fn waited(&mut self) -> Option<Waited> {
        let port = self.name("the name of an inport")?;
        if !self.cursor.eat(".") {
            return Some(Waited { port, field: None });
        }
        let mut field = FieldPath { field: self.name("the name of a field")?, inwards: Vec::new() };
        while self.cursor.eat(".") {
            field.inwards.push(Step::Member(self.name("the name of a member")?));
        }
        Some(Waited { port, field: Some(field) })
    }

    /// A pipe waits for one thing.
    pub(super) fn say_wait(&mut self, pipe: &mut Pipe, wait: Wait) {
        match &pipe.wait {
            Some(first) => {
                let finding = errors::said_twice(wait.policy.span, first.policy.span, "what the stage waits for");
                self.judgements.push(finding);
            }
            None => pipe.wait = Some(Box::new(wait)),
        }
    }
}
