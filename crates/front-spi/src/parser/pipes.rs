//! Pipes and their ports.

use super::Parser;
use crate::{errors, keywords};
use source::{Span, near_miss};
use xip::{Body, Direction, Middle, Name, Pipe, Polarity, Port, Spanned, Timer};

/// `push NAME;`, which may stand before the port.
struct Polarization {
    polarity: Spanned<Polarity>,
    port: Name,
}

impl Parser<'_> {
    /// `pipe NAME { ports, middle, polarities, body }`
    pub(super) fn pipe(&mut self) -> Option<Pipe> {
        self.cursor.bump();
        let before = self.findings.len();
        let name = self.declared_name("a name for the pipe")?;
        let opening = self.expect("{")?;
        let mut pipe =
            Pipe { name, ports: Vec::new(), middle: None, timers: Vec::new(), wait: None, body: Body::default() };
        let mut polarizations = Vec::new();
        while !self.at_end_of_body() {
            if self.pipe_statement(&mut pipe, &mut polarizations).is_none() {
                self.skip_statement();
            }
        }
        self.expect_closing(opening);
        let is_whole = self.findings.len() == before;
        for polarization in polarizations {
            self.polarize(&mut pipe, polarization, is_whole);
        }
        xip::names::pipe(&pipe, is_whole, &mut self.judgements);
        Some(pipe)
    }

    fn pipe_statement(&mut self, pipe: &mut Pipe, polarizations: &mut Vec<Polarization>) -> Option<()> {
        let start = self.cursor.peek().span;
        match self.word_of_pipe()? {
            "in" | "out" => pipe.ports.push(self.port(false)?),
            "optional" => {
                self.cursor.bump();
                pipe.ports.push(self.port(true)?);
            }
            "push" => polarizations.push(self.polarization(Polarity::Push, start)?),
            "pull" => polarizations.push(self.polarization(Polarity::Pull, start)?),
            "poll" => polarizations.push(self.polarization(Polarity::Poll, start)?),
            "every" => pipe.timers.push(self.timer()?),
            "wait" => {
                let wait = self.wait()?;
                self.say_wait(pipe, wait);
            }
            "middle" => {
                let middle = self.middle()?;
                match &pipe.middle {
                    Some(first) => {
                        let finding = errors::two_middles(middle.function.span, first.function.span, &pipe.name.text);
                        self.judgements.push(finding);
                    }
                    None => pipe.middle = Some(middle),
                }
            }
            _ => self.statement(&mut pipe.body, "pipe")?,
        }
        Some(())
    }

    /// The word that a statement of a pipe begins with; empty where it is one that flows have, too. A misspelled word
    /// looks like an instance of a pipe, or like three words; it is reported, and understood.
    fn word_of_pipe(&mut self) -> Option<&'static str> {
        let token = self.cursor.peek();
        let word = self.cursor.text(token);
        if !self.is_word(0) || !self.is_word(1) {
            let found = keywords::IN_PIPES.into_iter().find(|known| self.cursor.at(known) && !self.at_path());
            return Some(found.unwrap_or(""));
        }
        if let Some(found) = keywords::IN_PIPES.into_iter().find(|known| *known == word) {
            return Some(found);
        }
        if self.pipes.contains(word) || self.cursor.at_ahead(2, "on") || self.cursor.at_ahead(2, "of") {
            return Some("");
        }
        let is_port = self.is_word(2) && !self.cursor.at_ahead(2, "cost") && !self.cursor.at_ahead(2, "to");
        let is_said_more = self.at_any_ahead(1, &keywords::IN_PIPES[..2]) && self.is_word(3);
        let candidates: &[&'static str] = match (is_said_more, is_port) {
            (true, _) => &keywords::IN_PIPES[2..3],
            (false, true) => &keywords::IN_PIPES[..2],
            (false, false) => &keywords::IN_PIPES[3..],
        };
        if near_miss(word, candidates).is_some() {
            return self.keyword(candidates);
        }
        if is_port {
            self.report_expected("`in`, `out`, `optional` or `middle`");
            return None;
        }
        Some("")
    }

    /// `in TYPE NAME needs;`, behind `optional` where that was said.
    fn port(&mut self, optional: bool) -> Option<Port> {
        let word = self.one_of("optional", &keywords::IN_PIPES[..2])?;
        let direction = if word == "in" { Direction::In } else { Direction::Out };
        let token = self.cursor.peek();
        let word = self.cursor.text(token);
        if keywords::TYPES.contains(&word) {
            let finding = errors::plain_type_of_port(token.span, word);
            self.report(finding);
            return None;
        }
        self.refuse_type_of_others()?;
        let ty = self.name("a packet or an imported type")?;
        let is_need =
            self.cursor.at_any(&keywords::NEEDS) && !self.cursor.at_ahead(1, ";") && !self.cursor.at_ahead(1, ",");
        if is_need && !self.at_any_ahead(1, &keywords::NEEDS) {
            self.report_expected("a name for the port");
            return None;
        }
        let name = self.name("a name for the port")?;
        if self.cursor.at(",") && !self.at_any_ahead(1, &keywords::NEEDS) {
            let finding = errors::several_names(self.cursor.peek().span);
            self.report(finding);
            self.skip_statement();
            return Some(Port { direction, optional, ty, name, polarity: None, needs: Vec::new() });
        }
        self.cursor.eat(",");
        let needs = self.needs();
        self.expect_semicolon("the port");
        Some(Port { direction, optional, ty, name, polarity: None, needs })
    }

    /// `push NAME;`, `pull NAME;` or `poll NAME;`
    fn polarization(&mut self, polarity: Polarity, start: Span) -> Option<Polarization> {
        self.cursor.bump();
        let port = self.name("the name of a port")?;
        let polarity = Spanned::new(polarity, start.to(port.span));
        self.expect_semicolon("the polarity");
        Some(Polarization { polarity, port })
    }

    /// `every TIME FUNCTION;`
    fn timer(&mut self) -> Option<Timer> {
        self.cursor.bump();
        let every = self.time("the time between two calls")?;
        let function = self.name("the name of a function")?;
        self.expect_semicolon("the timer");
        Some(Timer { every, function })
    }

    /// `middle FUNCTION [cost TIME];`
    fn middle(&mut self) -> Option<Middle> {
        self.cursor.bump();
        let function = self.name("the name of a function")?;
        let mut cost = None;
        if self.cursor.at("cost") || (self.is_word(0) && !self.begins_line()) {
            if self.keyword(&["cost"]).is_some() {
                self.cursor.bump();
                cost = Some(self.time("the most time that one call takes")?);
            } else {
                self.report_expected("`;` or `cost`");
                return None;
            }
        }
        self.expect_semicolon("the middle");
        Some(Middle { function, cost })
    }

    fn polarize(&mut self, pipe: &mut Pipe, polarization: Polarization, is_whole: bool) {
        let Polarization { polarity, port: name } = polarization;
        if let Some(port) = pipe.ports.iter_mut().find(|port| port.name == name) {
            match port.polarity {
                Some(first) => {
                    self.judgements.push(errors::polarity_twice(polarity.span, first.span, &name.text));
                }
                None => port.polarity = Some(polarity),
            }
        } else if is_whole {
            let known: Vec<&str> = pipe.ports.iter().map(|port| port.name.text.as_str()).collect();
            let guess = source::near_name(&name.text, &known);
            self.judgements.push(errors::polarity_of_unknown(name.span, &name.text, &pipe.name.text, guess));
        }
    }
}
