//! Definitions of types: what a value is in a message, and its clauses about C.

use super::Parser;
use super::clauses::with_clauses;
use crate::types::{self, Builder};
use crate::{errors, keywords};
use mig::{Member, Symbol, Type, TypeName, symbol};
use source::{Limit, Span, near_name};
use tokens::TokenKind;

impl Parser<'_> {
    /// `NAME = TYPE CLAUSES`, behind `type`.
    pub(super) fn definition(&mut self) -> Option<()> {
        let (name, at) = self.name("the name of a type")?;
        self.expect("=")?;
        let ty = self.named_type(&name, at)?;
        if let Some(first) = self.types.define(&name, ty, at) {
            self.judge(errors::redefined(at, &name, first));
        }
        Some(())
    }

    /// A type and its clauses, under a name that it has in C, too.
    pub(super) fn named_type(&mut self, name: &str, at: Span) -> Option<Type> {
        let start = self.cursor.here();
        let ty = self.type_form(0)?;
        let span = self.since(start);
        let clauses = self.clauses()?;
        if ty.bytes() == 0 && !ty.is_variable() {
            self.judge(errors::number_out_of_range(span, "a size in bytes", 1, types::MOST_BYTES));
        }
        if ty.is_variable() && ty.element.user.is_empty() && ty.is_inline {
            self.judge(errors::unnamed_element(span));
        }
        if escape::keywords::is_of_c(name) && !keywords::is_type_of_c(name) {
            self.judge(errors::reserved_name(at, name, "it is a keyword of C"));
        }
        Some(with_clauses(ty, name, clauses))
    }

    /// What a value is in a message.
    fn type_form(&mut self, depth: usize) -> Option<Type> {
        let at = self.cursor.here();
        if self.options.limits.are_exceeded(Limit::Nesting, depth) {
            let finding = self.options.limits.exceeded(Limit::Nesting, Some(at));
            self.report(finding);
            return None;
        }
        if self.cursor.at("(") {
            return self.basic_in_parentheses();
        }
        if self.cursor.eat("^") {
            let ty = self.type_form(depth + 1)?;
            if !ty.is_inline {
                self.judge(errors::too_complicated(self.since(at), "a pointer to a pointer"));
            }
            return Some(self.builder().elsewhere(ty));
        }
        if self.eat_word("array") {
            return self.array(depth);
        }
        if self.eat_word("struct") {
            if self.cursor.at("{") {
                return self.structure(at, depth);
            }
            self.expect("[")?;
            let count = self.number("a number of elements", 0, types::MOST_BYTES)?;
            self.expect("]")?;
            let element = self.element(depth)?;
            return self.sized(at, self.builder().structure_of(&element, count));
        }
        if self.eat_word("c_string") {
            return self.text();
        }
        if self.cursor.peek().kind == TokenKind::Integer {
            self.report(errors::needs_bits(at, self.cursor.peek_text()));
            return None;
        }
        if symbol(self.cursor.peek_text()).is_some() {
            return self.basic_alone();
        }
        let (name, at) = self.name("a type")?;
        self.known_type(&name, at)
    }

    /// The type of this name.
    pub(super) fn known_type(&mut self, name: &str, at: Span) -> Option<Type> {
        if let Some(ty) = self.types.get(name) {
            return Some(ty);
        }
        let symbols: Vec<&str> = Symbol::all().collect();
        let names = self.types.names();
        let guess = near_name(name, &names).or_else(|| near_name(name, &symbols)).map(str::to_owned);
        self.judge(errors::unknown_type(at, name, guess.as_deref()));
        None
    }

    fn array(&mut self, depth: usize) -> Option<Type> {
        let at = self.cursor.after_previous();
        self.expect("[")?;
        let is_starred = self.cursor.eat("*");
        let is_bounded = is_starred && self.cursor.eat(":");
        let count = match is_bounded || !(is_starred || self.cursor.at("]")) {
            true => Some(self.number("a number of elements", 0, types::MOST_BYTES)?),
            false => None,
        };
        self.expect("]")?;
        let element = self.element(depth)?;
        let limit = self.any_limit;
        let builder = self.builder();
        let ty = match count {
            Some(count) if is_bounded => builder.array_at_most(&element, count),
            Some(count) => builder.array_of(&element, count),
            None => Some(builder.array_of_any(&element, limit)),
        };
        self.sized(at, ty)
    }

    /// `of TYPE`: what arrays and structures consist of.
    fn element(&mut self, depth: usize) -> Option<Type> {
        if !self.eat_word("of") {
            self.report_expected("`of`");
            return None;
        }
        let start = self.cursor.here();
        let element = self.type_form(depth + 1)?;
        if element.is_variable() || !element.is_inline {
            let what = if element.is_inline { "an array of varying length" } else { "a pointer" };
            self.judge(errors::too_complicated(self.since(start), what));
            return None;
        }
        Some(element)
    }

    fn structure(&mut self, at: Span, depth: usize) -> Option<Type> {
        self.expect("{")?;
        let mut members = Vec::new();
        while !self.cursor.at("}") {
            let start = self.cursor.here();
            let ty = self.type_form(depth + 1)?;
            if ty.is_variable() || !ty.is_inline {
                self.judge(errors::too_complicated(self.since(start), "a member of varying length, or a pointer"));
                return None;
            }
            let (name, at) = self.name("the name of a member")?;
            self.expect_semicolon("a member");
            members.push(Member { name, at, ty });
            if self.cursor.is_at_end() {
                self.report_expected("`}`");
                return None;
            }
        }
        self.expect("}")?;
        let ty = self.builder().structure(members);
        self.sized(at, ty)
    }

    fn text(&mut self) -> Option<Type> {
        let at = self.cursor.after_previous();
        self.expect("[")?;
        let is_bounded = self.cursor.eat("*");
        if is_bounded {
            self.expect(":")?;
        }
        let count = self.number("a number of characters", 1, types::MOST_BYTES)?;
        self.expect("]")?;
        let ty = self.builder().text(count, is_bounded);
        self.sized(at, Some(ty))
    }

    /// A name that says how many bits there are.
    fn basic_alone(&mut self) -> Option<Type> {
        let at = self.cursor.here();
        let (sent, received) = self.two_names()?;
        let bits = if sent.1 == 0 { received.1 } else { sent.1 };
        if bits == 0 {
            let name = self.cursor.text_of(at).to_owned();
            self.judge(errors::needs_bits(at, &name));
            return None;
        }
        Some(self.builder().basic(sent.0, received.0, bits, is_text(received.0)))
    }

    /// `(NAME, BITS FLAGS)`
    fn basic_in_parentheses(&mut self) -> Option<Type> {
        self.expect("(")?;
        let (sent, received) = self.two_names()?;
        self.expect(",")?;
        let start = self.cursor.here();
        let bits = self.number("a number of bits", 1, 65_535)?;
        let bits = u32::try_from(bits).unwrap_or_default();
        let usual = if sent.1 == 0 { received.1 } else { sent.1 };
        if usual != 0 && usual != bits {
            self.judge(errors::strange_bits(self.since(start), bits, usual));
        }
        if bits % 8 != 0 {
            self.judge(errors::number_out_of_range(self.since(start), "a multiple of 8 bits", 8, 65_528));
            return None;
        }
        let mut ty = self.builder().basic(sent.0, received.0, bits, is_text(received.0));
        let mut flags = crate::parser::arguments::Flags::default();
        self.flags(&mut flags)?;
        if let Some((deallocate, _)) = flags.deallocate {
            ty.deallocate = deallocate;
        }
        self.expect(")")?;
        Some(ty)
    }

    /// `NAME` or `NAME | NAME`: what the sender says, and what the receiver sees; with their bits, 0 where open.
    fn two_names(&mut self) -> Option<((TypeName, u32), (TypeName, u32))> {
        let start = self.cursor.here();
        let (first, first_bits, first_name) = self.one_name()?;
        if !self.cursor.eat("|") {
            return Some(((first.sent, first_bits), (first.received, first_bits)));
        }
        let (second, second_bits, second_name) = self.one_name()?;
        if first_bits != second_bits && first_bits != 0 && second_bits != 0 {
            let finding =
                errors::sizes_differ(self.since(start), (&first_name, first_bits), (&second_name, second_bits));
            self.judge(finding);
        }
        Some(((first.sent, first_bits), (second.received, second_bits)))
    }

    fn one_name(&mut self) -> Option<(Symbol, u32, String)> {
        let token = self.cursor.peek();
        let spelling = self.cursor.text(token).to_owned();
        if token.kind == TokenKind::Integer {
            let value = self.number("the number of a type", 0, 254)?;
            let number = TypeName::Number(u32::try_from(value).unwrap_or_default());
            return Some((Symbol { name: "", sent: number, received: number, bits: 0 }, 0, spelling));
        }
        let Some(known) = symbol(&spelling) else {
            let symbols: Vec<&str> = Symbol::all().collect();
            let guess = near_name(&spelling, &symbols);
            let finding =
                errors::unknown_word(self.cursor.here(), "the name of a message's type", &spelling, &[], guess);
            self.report(finding);
            return None;
        };
        self.cursor.bump();
        let is_right = known.sent.may_be_right() && known.received.may_be_right();
        let bits = if is_right { self.options.word.right_bits() } else { known.bits };
        Some((*known, bits, spelling))
    }

    fn builder(&self) -> Builder {
        Builder { word: self.options.word }
    }

    /// A type that is not too large for a message.
    fn sized(&mut self, at: Span, ty: Option<Type>) -> Option<Type> {
        if ty.is_none() {
            self.judge(errors::number_out_of_range(self.since(at), "a size in bytes", 1, types::MOST_BYTES));
        }
        ty
    }
}

fn is_text(name: TypeName) -> bool {
    name.value() == Some(12)
}
