//! Descriptors: as constants of a file, each once, and compared with what arrived.

use std::collections::BTreeMap;

use cast::{Declaration, Designator, Expression, ExpressionKind, Initializer, Type, build};
use mig::{Content, Deallocate, Item, Length, TypeName, Word};

use super::side::{Side, call, number, untyped, var};
use crate::links::statements::kept;

/// What a descriptor says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Form {
    name: Name,
    bits: u32,
    number: u64,
    is_inline: bool,
    pub(super) is_long: bool,
    is_deallocated: bool,
    word_bytes: u64,
}

/// The name of the type, in an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    Known(&'static str),
    Number(u32),
    Open,
}

impl Form {
    /// What the sender says of an item, or the receiver expects.
    pub(super) fn of(item: &Item<'_>, side: &Side<'_>, is_sender: bool) -> Form {
        if item.content == Content::Count {
            return Form::integer(side);
        }
        let ty = item.ty();
        let number = match ty.length {
            Length::Fixed => ty.units,
            Length::AtMost(most) => ty.units * most,
            Length::Any(most) if ty.is_inline => ty.units * most,
            Length::Any(_) => 0,
        };
        Form {
            name: match if is_sender { side.leaves_as(ty) } else { ty.received } {
                TypeName::Known(name, _) => Name::Known(name),
                TypeName::Number(value) => Name::Number(value),
                TypeName::Polymorphic => Name::Open,
            },
            bits: side.bits(ty, ty.is_inline),
            number: if ty.is_inline || ty.length == Length::Fixed { number } else { 0 },
            is_inline: ty.is_inline,
            is_long: item.is_long(),
            is_deallocated: is_sender
                && (!ty.is_inline || ty.is_right())
                && !ty.is_any()
                && ty.deallocate == Deallocate::Yes,
            word_bytes: side.word().bytes(),
        }
    }

    /// One number of 32 bits: return codes, and counts.
    pub(super) fn integer(side: &Side<'_>) -> Form {
        let name = Name::Known("MACH_MSG_TYPE_INTEGER_32");
        let word_bytes = side.word().bytes();
        Form { name, bits: 32, number: 1, is_inline: true, is_long: false, is_deallocated: false, word_bytes }
    }

    /// A name that says what it is: `mig_INTEGER_32_x4`.
    fn constant(&self) -> String {
        let name = match self.name {
            Name::Known(name) => name.trim_start_matches("MACH_MSG_TYPE_").to_owned(),
            Name::Number(value) => format!("type_{value}"),
            Name::Open => "any_right".to_owned(),
        };
        let mut text = format!("mig_{name}_{}_x{}", self.bits, self.number);
        for (is_so, word) in [(self.is_long, "long"), (!self.is_inline, "elsewhere"), (self.is_deallocated, "moved")] {
            if is_so {
                text.push('_');
                text.push_str(word);
            }
        }
        text
    }

    fn name(&self) -> Expression {
        match self.name {
            Name::Known(name) => var(name),
            Name::Number(value) => number(u64::from(value)),
            // The descriptor has eight bits for it; the right's kind is filled in with each value.
            Name::Open => number(255),
        }
    }

    /// Braces with what is not zero.
    fn initializer(&self) -> Expression {
        let is_split = self.is_long && self.word_bytes == Word::Bits32.bytes();
        let mut header = Vec::new();
        let counts = [("name", self.name()), ("size", number(u64::from(self.bits))), ("number", number(self.number))];
        if !is_split {
            header.extend(counts.iter().map(|(member, value)| set(&format!("msgt_{member}"), value.clone())));
        }
        let flags = [("inline", self.is_inline), ("longform", self.is_long), ("deallocate", self.is_deallocated)];
        let set_flags = flags.into_iter().filter(|(_, is_set)| *is_set);
        header.extend(set_flags.map(|(member, _)| set(&format!("msgt_{member}"), var("TRUE"))));
        if !self.is_long {
            return braces(header);
        }
        let mut parts = vec![set("msgtl_header", braces(header))];
        if is_split {
            parts.extend(counts.into_iter().map(|(member, value)| set(&format!("msgtl_{member}"), value)));
        }
        braces(parts)
    }

    fn ty(&self) -> Type {
        descriptor_type(self.is_long)
    }

    /// Why the descriptor `found` is not what is expected, as conditions of which none may hold. What varies is left out.
    pub(super) fn faults(
        &self,
        found: &Expression,
        item: &Item<'_>,
        side: &Side<'_>,
        descriptors: &mut Descriptors,
    ) -> Vec<Expression> {
        let ty = item.ty();
        let is_value = item.content == Content::Value;
        let is_open = self.name == Name::Open;
        // The kernel's rights may be marked as moved.
        let is_marked = is_value && ty.is_right() && side.is_kernel();
        let is_split = self.is_long && self.word_bytes == Word::Bits32.bytes();
        let is_fixed = !is_value || (!ty.is_variable() && ty.is_inline);
        if is_fixed && !is_open && !is_marked && !is_split {
            let whole = if self.is_long { member(found, "msgtl_header") } else { found.clone() };
            let constant = var(descriptors.constant(*self));
            let expected = if self.is_long { member(&constant, "msgtl_header") } else { constant };
            return vec![call("mig_differ", vec![whole, expected])];
        }
        let flag =
            |name: &str| if self.is_long { member(&member(found, "msgtl_header"), name) } else { member(found, name) };
        let count = |name: &str| member(found, &format!("{}_{name}", if self.is_long { "msgtl" } else { "msgt" }));
        let truth = |is_so: bool| var(if is_so { "TRUE" } else { "FALSE" });
        let mut faults = Vec::new();
        if !(is_value && ty.is_any()) {
            faults.push(build::not_equal(flag("msgt_inline"), truth(self.is_inline)));
        }
        faults.push(build::not_equal(flag("msgt_longform"), truth(self.is_long)));
        if !is_open {
            faults.push(build::not_equal(count("name"), self.name()));
        }
        let (inside, beside) = (side.bits(ty, true), side.bits(ty, false));
        faults.push(if is_value && ty.is_any() && inside != beside {
            let expected =
                build::conditional(flag("msgt_inline"), number(u64::from(inside)), number(u64::from(beside)));
            build::not_equal(count("size"), expected)
        } else {
            build::not_equal(count("size"), number(u64::from(self.bits)))
        });
        if is_value && !ty.is_variable() {
            faults.push(build::not_equal(count("number"), number(self.number)));
        }
        faults
    }
}

/// `mach_msg_type_t` or its long form.
pub(super) fn descriptor_type(is_long: bool) -> Type {
    Type::named(if is_long { "mach_msg_type_long_t" } else { "mach_msg_type_t" })
}

fn member(base: &Expression, name: &str) -> Expression {
    build::member(base.clone(), name, untyped())
}

fn set(name: &str, value: Expression) -> Initializer {
    Initializer { designators: vec![Designator::Member(name.to_owned())], value }
}

fn braces(parts: Vec<Initializer>) -> Expression {
    Expression { kind: ExpressionKind::Braces(parts), ty: Type::Void, span: None }
}

/// The descriptors that a file uses.
#[derive(Default)]
pub(super) struct Descriptors {
    used: BTreeMap<String, Form>,
}

impl Descriptors {
    /// The constant's name.
    pub(super) fn constant(&mut self, form: Form) -> String {
        let name = form.constant();
        self.used.insert(name.clone(), form);
        name
    }

    pub(super) fn declarations(self) -> Vec<Declaration> {
        let mut declarations: Vec<Declaration> = self
            .used
            .into_iter()
            .map(|(name, form)| Declaration::Variable(kept(name, form.ty().constant(), Some(form.initializer()))))
            .collect();
        if !declarations.is_empty() {
            declarations.push(Declaration::Blank);
        }
        declarations
    }
}
