//! Contracts of edges, and what ports need.

use super::Parser;
use crate::{errors, keywords};
use source::{Span, near_miss};
use tokens::TokenKind;
use xip::filter::Condition;
use xip::{
    Batch, Contract, Delivery, Name, Need, Otherwise, Queue, QueueUnit, Relation, Spanned, Transport, WhenFaulty,
    WhenFull,
};

impl Parser<'_> {
    /// The clauses behind an edge, in any order.
    pub(super) fn contract(&mut self) -> Contract {
        let mut contract = Contract::default();
        self.clauses(&keywords::CLAUSES, |parser, word, start| parser.clause(word, start, &mut contract));
        contract
    }

    /// What stands behind a port, in any order.
    pub(super) fn needs(&mut self) -> Vec<Spanned<Need>> {
        let mut needs = Vec::new();
        self.clauses(&keywords::NEEDS, |parser, word, start| {
            let need = parser.need(word, start)?;
            parser.add_need(&mut needs, need);
            Some(())
        });
        needs
    }

    /// Clauses that begin with one of `known`, up to where they can only be over. A comma may stand between them.
    fn clauses(&mut self, known: &[&'static str], mut parse: impl FnMut(&mut Self, &str, Span) -> Option<()>) {
        while !self.at_end_of_clauses(known) {
            if self.value_alone(known) {
                continue;
            }
            let start = self.cursor.position();
            let place = self.cursor.peek().span;
            let word = self.clause_word(known);
            let parsed = word.and_then(|word| {
                self.cursor.bump();
                parse(self, word, place)
            });
            if parsed.is_none() {
                self.skip_clause(known, start);
            } else if self.cursor.eat(",") && self.at_end_of_clauses(known) {
                self.report_clause(known);
            }
        }
    }

    fn report_clause(&mut self, known: &[&str]) {
        let finding = errors::expected_clause(self.cursor.here(), known, &self.cursor.found());
        self.report(finding);
    }

    /// The word that a clause begins with.
    fn clause_word(&mut self, known: &[&'static str]) -> Option<&'static str> {
        let found = self.keyword(known);
        if found.is_none() {
            self.report_clause(known);
        }
        found
    }

    /// Steps over a value whose clause's word is missing, and says which one.
    fn value_alone(&mut self, known: &[&'static str]) -> bool {
        let token = self.cursor.peek();
        let word = self.cursor.text(token);
        let is_for_edge = known.contains(&"via");
        let meant = if Transport::from_word(word).is_some() && is_for_edge {
            "via"
        } else if Delivery::from_word(word).is_some() && is_for_edge {
            "deliver"
        } else if keywords::NEEDED.contains(&word) {
            "needs"
        } else if matches!(word, "oldest" | "newest") && is_for_edge {
            "drop"
        } else {
            return false;
        };
        let finding = errors::missing_keyword(token.span, word, &format!("{meant} {word}"));
        self.report(finding);
        self.cursor.bump();
        true
    }

    /// The rest of the clause that begins with `word`.
    fn clause(&mut self, word: &str, start: Span, contract: &mut Contract) -> Option<()> {
        match word {
            "via" => self.via(start, contract)?,
            "trusted" => self.findings.push(errors::trusted_alone(start)),
            "queue" => {
                let queue = self.queue()?;
                let queue = self.spanned(queue, start);
                self.say(&mut contract.queue, queue, "the queue's bound");
            }
            "block" | "drop" | "latest" => {
                let full = match word {
                    "block" => WhenFull::Block,
                    "latest" => WhenFull::Latest,
                    _ => WhenFull::from_word(self.one_of("drop", &["oldest", "newest"])?)?,
                };
                let full = self.spanned(full, start);
                self.say(&mut contract.full, full, "what happens when the queue is full");
            }
            "deliver" => {
                let delivery = Delivery::from_word(self.one_of("deliver", &Delivery::ALL.each_word())?)?;
                let delivery = self.spanned(delivery, start);
                self.say(&mut contract.delivery, delivery, "the delivery");
            }
            "faulty" => {
                let faulty = WhenFaulty::from_word(self.one_of("faulty", &WhenFaulty::ALL.each_word())?)?;
                let faulty = self.spanned(faulty, start);
                self.say(&mut contract.faulty, faulty, "what happens to a faulty packet");
            }
            "batch" => {
                let batch = self.batch()?;
                let batch = self.spanned(batch, start);
                self.say(&mut contract.batch, batch, "the batch");
            }
            "select" => {
                let fields = self.fields()?;
                let fields = self.spanned(fields, start);
                self.say(&mut contract.select, fields, "`select`");
            }
            "where" => {
                let filter = self.condition()?;
                self.say(&mut contract.filter, filter, "which packets are wanted");
            }
            "encode" => {
                let encoding = self.name("the name of an encoding")?;
                match &contract.encoding {
                    Some(first) => {
                        self.judgements.push(errors::said_twice(encoding.span, first.span, "the encoding"));
                    }
                    None => contract.encoding = Some(encoding),
                }
            }
            _ => {
                let need = self.need(word, start)?;
                self.add_need(&mut contract.needs, need);
            }
        }
        Some(())
    }

    /// A transport, and what it is asked for: where connections come to, and whether memory is trusted.
    fn via(&mut self, start: Span, contract: &mut Contract) -> Option<()> {
        let transport = self.transport()?;
        let transport = self.spanned(transport, start);
        self.say(&mut contract.transport, transport, "the transport");
        if self.cursor.peek().kind == TokenKind::Text {
            let address = self.quoted("an address, `host:port`, in quotes")?;
            match &contract.address {
                Some(first) => self.judgements.push(errors::said_twice(address.span, first.span, "the address")),
                None => contract.address = Some(address),
            }
        }
        if self.cursor.at("trusted") {
            let span = self.cursor.bump().span;
            self.say(&mut contract.trusted, Spanned::new((), span), "`trusted`");
        }
        Some(())
    }

    /// Keeps what is said first.
    fn say<T>(&mut self, slot: &mut Option<Spanned<T>>, said: Spanned<T>, what: &str) {
        match slot {
            Some(first) => self.judgements.push(errors::said_twice(said.span, first.span, what)),
            None => *slot = Some(said),
        }
    }

    fn transport(&mut self) -> Option<Transport> {
        let token = self.cursor.peek();
        let word = self.cursor.text(token);
        let known = Transport::ALL.each_word();
        let found = Transport::from_word(word).filter(|_| self.is_word(0));
        let is_missing =
            !self.is_word(0) || self.at_end_of_clauses(&keywords::CLAUSES) || keywords::CLAUSES.contains(&word);
        if found.is_none() && is_missing {
            self.report_expected(&format!("a transport: {}", keywords::list(&known)));
            return None;
        }
        let guess = near_miss(word, &known);
        if found.is_none() {
            let finding = errors::unknown_transport(token.span, word, &known, guess);
            self.report(finding);
        }
        self.cursor.bump();
        // An unknown one stands for any, so that what follows is still understood.
        Some(found.or_else(|| guess.and_then(Transport::from_word)).unwrap_or(Transport::USUAL))
    }

    /// What a subscriber wants of the packets.
    fn condition(&mut self) -> Option<Spanned<Condition>> {
        match xip::filter::parse(&mut self.cursor, &keywords::CLAUSES) {
            Ok(term) => Some(term),
            Err(finding) => {
                self.report(*finding);
                None
            }
        }
    }

    /// `a, b`: fields that a subscriber wants. A comma goes on with them, so that fields may be called like clauses.
    fn fields(&mut self) -> Option<Vec<Name>> {
        const WHAT: &str = "the name of a field of the channel's packet";
        let mut fields = vec![self.name(WHAT)?];
        while self.cursor.eat(",") {
            fields.push(self.name(WHAT)?);
        }
        if self.cursor.at_any(&[".", "["]) {
            self.report_expected("`,` or another clause: a field is selected as a whole");
            return None;
        }
        Some(fields)
    }

    fn queue(&mut self) -> Option<Queue> {
        let count = self.number("a bound of the queue")?.value;
        let unit = QueueUnit::from_word(self.cursor.peek_text()).filter(|_| self.is_word(0));
        if unit.is_some() {
            self.cursor.bump();
        }
        Some(Queue { count, unit: unit.unwrap_or(QueueUnit::Items) })
    }

    fn batch(&mut self) -> Option<Batch> {
        let items = self.number("a size of the batch")?.value;
        let mut within = None;
        if self.cursor.eat("within") {
            within = Some(self.time("the time that the first item of a batch waits")?.value);
        }
        Some(Batch { items, within })
    }

    /// The rest of the need that begins with `word`.
    fn need(&mut self, word: &str, start: Span) -> Option<Spanned<Need>> {
        let need = match word {
            "rate" => {
                let relation = if self.cursor.eat("<=") { Relation::AtMost } else { Relation::Exactly };
                if relation == Relation::Exactly {
                    self.cursor.eat("=");
                }
                Need::Rate { relation, rate: self.rate()? }
            }
            "needs" => match self.one_of("needs", &keywords::NEEDED)? {
                "ordered" => Need::Ordered,
                word => Need::Delivery(Delivery::from_word(word)?),
            },
            "deadline" => {
                let within = self.time("a deadline")?.value;
                Need::Deadline { within, otherwise: self.otherwise()? }
            }
            _ => Need::Priority(self.number("a priority")?.value),
        };
        Some(self.spanned(need, start))
    }

    /// Nothing, `else drop` or `else call FUNCTION`; the outer option is for failure.
    #[expect(clippy::option_option, reason = "the two ways to have none differ: not said, and a mistake")]
    fn otherwise(&mut self) -> Option<Option<Otherwise>> {
        if !self.cursor.eat("else") {
            return Some(None);
        }
        Some(Some(match self.one_of("else", &["drop", "call"])? {
            "drop" => Otherwise::Drop,
            _ => Otherwise::Call(self.name("the name of a function")?),
        }))
    }

    /// Keeps the first need of each kind; rates in items and rates in bytes are two kinds.
    fn add_need(&mut self, needs: &mut Vec<Spanned<Need>>, need: Spanned<Need>) {
        match needs.iter().find(|known| kind(&known.value) == kind(&need.value)) {
            Some(first) => {
                let what = kind(&need.value);
                self.judgements.push(errors::said_twice(need.span, first.span, what));
            }
            None => needs.push(need),
        }
    }
}

fn kind(need: &Need) -> &'static str {
    match need {
        Need::Rate { rate, .. } if rate.bytes().is_some() => "the rate in bytes",
        Need::Rate { .. } => "the rate",
        Need::Delivery(_) => "the delivery that is needed",
        Need::Ordered => "`needs ordered`",
        Need::Deadline { .. } => "the deadline",
        Need::Priority(_) => "the priority",
    }
}

/// The words of a table of words and their meanings.
trait EachWord {
    fn each_word(&self) -> Vec<&'static str>;
}

impl<T> EachWord for [(T, &'static str)] {
    fn each_word(&self) -> Vec<&'static str> {
        self.iter().map(|(_, word)| *word).collect()
    }
}
