//! Declarations of the file: imports, packets, flows and aspects.

use super::Parser;
use crate::{errors, keywords};
use source::near_miss;
use xip::{Advice, Aspect, Body, Field, Flow, Import, Item, JoinPoint, Packet};

impl Parser<'_> {
    /// The items up to the end of the file.
    pub(super) fn items(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        while !self.cursor.is_at_end() {
            // One semicolon too many does no harm; C programmers write them.
            if !self.cursor.eat(";") {
                items.extend(self.item());
            }
        }
        items
    }

    /// One item; `None` where there is nothing to keep. Always gets on.
    fn item(&mut self) -> Option<Item> {
        let token = self.cursor.peek();
        let mut word = self.cursor.text(token);
        let is_known = self.cursor.at_any(&keywords::DECLARATIONS);
        if !is_known
            && self.is_word(0)
            && (self.is_word(1) || self.cursor.peek_at(1).kind == tokens::TokenKind::Text)
            && let Some(guess) = near_miss(word, &keywords::DECLARATIONS)
        {
            let finding = errors::misspelled(token.span, word, guess);
            self.report(finding);
            word = guess;
        }
        let item = match word {
            "import" => self.import().map(Item::Import),
            "packet" => self.packet().map(Item::Packet),
            "pipe" => self.pipe().map(Item::Pipe),
            "flow" => self.flow().map(Item::Flow),
            "aspect" => self.aspect().map(Item::Aspect),
            _ => {
                let finding = errors::expected_declaration(token.span, &self.cursor.found());
                self.report(finding);
                None
            }
        };
        if item.is_none() {
            self.skip_declaration();
        }
        item
    }

    /// `import "FILE";`
    fn import(&mut self) -> Option<Import> {
        self.cursor.bump();
        let file = self.quoted("the name of a file")?;
        self.expect_semicolon("the import");
        Some(Import { file })
    }

    /// `packet NAME { fields }`
    fn packet(&mut self) -> Option<Packet> {
        self.cursor.bump();
        let before = self.findings.len();
        let name = self.declared_name("a name for the packet")?;
        let opening = self.expect("{")?;
        let mut fields: Vec<Field> = Vec::new();
        while !self.at_end_of_body() {
            if self.cursor.eat(";") {
                continue;
            }
            match self.field() {
                Some(field) => fields.push(field),
                None => self.skip_statement(),
            }
        }
        self.expect_closing(opening);
        let packet = Packet { name, fields };
        xip::names::packet(&packet, self.findings.len() == before, &mut self.judgements);
        Some(packet)
    }

    /// `flow NAME { body }`
    fn flow(&mut self) -> Option<Flow> {
        self.cursor.bump();
        let name = self.declared_name("a name for the flow")?;
        let opening = self.expect("{")?;
        let mut body = Body::default();
        while !self.at_end_of_body() {
            if self.statement(&mut body, "flow").is_none() {
                self.skip_statement();
            }
        }
        self.expect_closing(opening);
        xip::names::body(&body, &[], &mut self.judgements);
        Some(Flow { name, body })
    }

    /// `aspect NAME { advice }`
    fn aspect(&mut self) -> Option<Aspect> {
        self.cursor.bump();
        let name = self.declared_name("a name for the aspect")?;
        let opening = self.expect("{")?;
        let mut advice = Vec::new();
        while !self.at_end_of_body() {
            if self.cursor.eat(";") {
                continue;
            }
            match self.advice() {
                Some(piece) => advice.push(piece),
                None => self.skip_statement(),
            }
        }
        self.expect_closing(opening);
        Some(Aspect { name, advice })
    }

    /// `before middle FUNCTION;` and the like.
    fn advice(&mut self) -> Option<Advice> {
        let Some(when) = self.keyword(&["before", "after", "on"]) else {
            self.report_expected("`before`, `after` or `on`");
            return None;
        };
        self.cursor.bump();
        let points: Vec<_> = JoinPoint::ALL.into_iter().filter(|(_, [first, _])| *first == when).collect();
        let known: Vec<&'static str> = points.iter().map(|(_, [_, second])| *second).collect();
        let second = self.one_of(when, &known)?;
        let (at, _) = points.into_iter().find(|(_, [_, word])| *word == second)?;
        let function = self.name("the name of a function")?;
        self.expect_semicolon("the advice");
        Some(Advice { at, function })
    }

    /// Steps over one of `known`, which follow the word `before`. A misspelled one is reported, and understood.
    pub(super) fn one_of(&mut self, before: &str, known: &[&'static str]) -> Option<&'static str> {
        let token = self.cursor.peek();
        let word = self.cursor.text(token);
        if !self.is_word(0) {
            self.report_expected(&keywords::list(known));
            return None;
        }
        if let Some(found) = known.iter().copied().find(|candidate| *candidate == word) {
            self.cursor.bump();
            return Some(found);
        }
        let guess = near_miss(word, known);
        let finding = errors::unknown_word(token.span, before, word, known, guess);
        self.report(finding);
        self.cursor.bump();
        guess
    }
}
