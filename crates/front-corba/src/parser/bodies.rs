//! What stands in the braces of structures, unions, enumerations, bit sets and bit masks.

use super::Parser;
use crate::errors;
use crate::syntax::{BitField, Body, Case, Enumerator, Member, Name};
use source::Span;
use tokens::TokenKind;

impl<'a> Parser<'a> {
    /// The body of what `word` defines as `name`.
    pub(super) fn body(&mut self, word: &str, name: Name<'a>) -> Option<Body<'a>> {
        match word {
            "struct" => {
                let base = if self.cursor.eat(":") { Some(self.scoped_name("a structure")?) } else { None };
                let opening = self.expect("{")?;
                Some(Body::Structure { base, members: self.members(opening) })
            }
            "union" => self.union(name),
            "enum" => Some(Body::Enumeration(self.enumerators(name, word)?)),
            "bitmask" => Some(Body::Bitmask(self.enumerators(name, word)?)),
            _ => self.bitset(),
        }
    }

    /// `type a, b; …` up to the closing brace, which is stepped over.
    pub(super) fn members(&mut self, opening: Span) -> Vec<Member<'a>> {
        let mut members = Vec::new();
        while !self.at_end_of_body() {
            if self.eat_needless_semicolon() {
                continue;
            }
            match self.member("a name for the member") {
                Some(member) => {
                    self.expect_semicolon("the member");
                    members.push(member);
                }
                None => self.skip_definition(),
            }
        }
        self.expect_closing(opening);
        members
    }

    fn member(&mut self, what: &str) -> Option<Member<'a>> {
        let annotations = self.annotations();
        let ty = self.type_of_data("a type")?;
        let declarators = self.declarators(what)?;
        Some(Member { annotations, ty, declarators })
    }

    /// True where the list in braces can only be over.
    pub(super) fn at_end_of_body(&self) -> bool {
        self.cursor.is_at_end() || self.cursor.at("}") || self.at_outer_definition()
    }

    /// `switch (type) { cases }`
    fn union(&mut self, name: Name<'a>) -> Option<Body<'a>> {
        self.expect("switch")?;
        self.expect("(")?;
        // Annotations of the discriminant, such as `@key`, say nothing to us.
        self.annotations();
        let discriminant = self.type_of_data("a type for the discriminant")?;
        self.expect(")")?;
        let opening = self.expect("{")?;
        let mut cases = Vec::new();
        let before = self.findings.len();
        while !self.at_end_of_body() {
            if self.eat_needless_semicolon() {
                continue;
            }
            match self.case() {
                Some(case) => cases.push(case),
                None => self.skip_case(),
            }
        }
        if cases.is_empty() && self.findings.len() == before && self.cursor.at("}") {
            self.findings.push(errors::empty_body(name.span, "union", "a case"));
        }
        self.expect_closing(opening);
        Some(Body::Union { discriminant, cases })
    }

    /// Labels and a body.
    fn case(&mut self) -> Option<Case<'a>> {
        let start = self.cursor.peek().span;
        let (mut labels, mut default) = (Vec::new(), None);
        loop {
            let token = self.cursor.peek();
            if self.cursor.eat("default") {
                if default.replace(token.span).is_some() {
                    self.findings.push(errors::two_defaults(token.span, start));
                }
            } else if self.cursor.eat("case") {
                labels.push(self.expression()?);
            } else {
                break;
            }
            self.expect(":")?;
        }
        if labels.is_empty() && default.is_none() {
            self.report_expected("`case`, `default` or `}`");
            return None;
        }
        let annotations = self.annotations();
        let ty = self.type_of_data("a type for the case's body")?;
        let declarator = self.declarator("a name for the case's body")?;
        self.expect_semicolon("the case");
        let body = Member { annotations, ty, declarators: vec![declarator] };
        Some(Case { labels, default, body, span: start.to(self.cursor.after_previous()) })
    }

    /// Steps over a broken case, up to the next one.
    fn skip_case(&mut self) {
        if self.cursor.at_any(&["case", "default"]) {
            self.cursor.bump();
        }
        self.cursor.skip_until(&["case", "default", ";"]);
        self.cursor.eat(";");
    }

    /// `{ NAME, … }`
    fn enumerators(&mut self, name: Name<'a>, word: &str) -> Option<Vec<Enumerator<'a>>> {
        let opening = self.expect("{")?;
        let mut members = Vec::new();
        let before = self.findings.len();
        while !self.at_end_of_body() {
            match self.enumerator() {
                Some(member) => members.push(member),
                None => self.cursor.skip_until(&[",", ";"]),
            }
            if self.cursor.at("=") {
                let finding = errors::value_of_member(self.cursor.here());
                self.report(finding);
                self.cursor.skip_until(&[",", ";"]);
            }
            let comma = self.cursor.here();
            if self.cursor.eat(",") {
                if self.cursor.at("}") {
                    self.findings.push(errors::one_too_many(comma, ","));
                }
            } else if !self.at_end_of_body() {
                let finding = errors::missing_comma(self.cursor.after_previous(), &self.cursor.found());
                self.report(finding);
                if self.cursor.peek().kind != TokenKind::Identifier {
                    self.cursor.bump();
                }
            }
        }
        if members.is_empty() && self.findings.len() == before && self.cursor.at("}") {
            self.findings.push(errors::empty_body(name.span, word, "a name"));
        }
        self.expect_closing(opening);
        Some(members)
    }

    fn enumerator(&mut self) -> Option<Enumerator<'a>> {
        let annotations = self.annotations();
        let name = self.name("a name for the value")?;
        Some(Enumerator { annotations, name })
    }

    /// `: base { bitfield<3> a, b; bitfield<5>; }`
    fn bitset(&mut self) -> Option<Body<'a>> {
        let base = if self.cursor.eat(":") { Some(self.scoped_name("a bit set")?) } else { None };
        let opening = self.expect("{")?;
        let mut fields = Vec::new();
        while !self.at_end_of_body() {
            match self.bit_field() {
                Some(field) => {
                    self.expect_semicolon("the bit field");
                    fields.push(field);
                }
                None => self.skip_definition(),
            }
        }
        self.expect_closing(opening);
        Some(Body::Bitset { base, fields })
    }

    /// `bitfield<bits, type> name, …`; type and names may be left out.
    fn bit_field(&mut self) -> Option<BitField<'a>> {
        self.annotations();
        self.expect("bitfield")?;
        self.expect("<")?;
        let bits = self.bound()?;
        if self.cursor.eat(",") {
            // How a programming language shows the field is not for the wire.
            self.type_of_data("a type")?;
        }
        self.expect(">")?;
        let mut names = Vec::new();
        if self.cursor.peek().kind == TokenKind::Identifier {
            names.push(self.name("a name for the bit field")?);
            while self.cursor.eat(",") {
                names.push(self.name("a name for the bit field")?);
            }
        }
        Some(BitField { bits, names })
    }
}
