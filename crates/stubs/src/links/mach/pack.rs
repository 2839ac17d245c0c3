//! Messages that leave: descriptors and values, item by item.

use cast::{BinaryOperator, Expression, Statement, Type, build};
use mig::{Complexity, Content, Deallocate, Item, Length, Message, Shape, TypeName};

use super::descriptors::{Descriptors, Form};
use super::side::{Side, call, number, untyped, var};
use super::walk::{bytes, count, descriptor_of, flag, most_elements, moved, times, unsigned, value_of};

/// Where the parts of a value come from.
pub(super) struct Source {
    /// How the value gets into the message; nothing where it is there.
    pub(super) store: Vec<Statement>,
    /// How many elements there are, where that varies.
    pub(super) count: Option<Expression>,
    /// Which kind of right it is, where the description leaves it open.
    pub(super) kind: Option<Expression>,
    /// Whether memory beside the message leaves with it, where the description leaves that open.
    pub(super) moves: Option<Expression>,
}

/// A message that leaves.
pub(super) struct Leaving<'a> {
    pub(super) message: &'a Message<'a>,
    pub(super) base: &'static str,
    pub(super) tag: String,
    pub(super) side: &'a Side<'a>,
}

impl Leaving<'_> {
    /// Whether it turns out with the values whether it holds rights or memory.
    pub(super) fn keeps_kind(&self) -> bool {
        self.message.sent == Complexity::Perhaps
    }

    fn is_last(&self, item: &Item<'_>) -> bool {
        self.message.items.last().is_some_and(|last| last.name == item.name)
    }

    pub(super) fn keeps_delta(&self) -> bool {
        self.message.items.iter().any(|item| item.is_variable() && !self.is_last(item))
    }

    /// The items in their order. `mig_size` is the whole's size afterwards, where it varies.
    pub(super) fn items(&self, descriptors: &mut Descriptors, source: impl Fn(&Item<'_>) -> Source) -> Vec<Statement> {
        let mut statements = Vec::new();
        let mut is_first = true;
        for item in &self.message.items {
            let constant = descriptors.constant(Form::of(item, self.side, true));
            statements.push(build::assign(descriptor_of(self.base, item), var(constant)));
            let source = source(item);
            statements.extend(source.store);
            if item.content == Content::Value {
                statements.extend(self.particulars(item, source.count, source.kind, source.moves));
            }
            if item.is_variable() {
                statements.extend(self.sizes(item, is_first));
                is_first = false;
            }
        }
        statements
    }

    /// What a descriptor says of this value alone.
    fn particulars(
        &self,
        item: &Item<'_>,
        elements: Option<Expression>,
        kind: Option<Expression>,
        moves: Option<Expression>,
    ) -> Vec<Statement> {
        let ty = item.ty();
        let mut statements = Vec::new();
        if let Some(elements) = elements {
            statements.push(build::assign(count(self.base, item, "number"), times(ty.units, elements)));
        }
        if self.side.leaves_as(ty) == TypeName::Polymorphic
            && let Some(kind) = kind
        {
            if self.keeps_kind() {
                let is_right = call("MACH_MSG_TYPE_PORT_ANY", vec![kind.clone()]);
                statements.push(build::when(is_right, vec![build::assign(var("mig_simple"), var("FALSE"))]));
            }
            statements.push(build::assign(count(self.base, item, "name"), kind));
        }
        if !ty.is_inline
            && let Some(moves) = moves
        {
            statements.push(build::assign(flag(self.base, item, "deallocate"), moves));
        }
        statements
    }

    /// What follows stands where this item ends.
    fn sizes(&self, item: &Item<'_>, is_first: bool) -> Vec<Statement> {
        let mut statements = Vec::new();
        let mut taken = bytes(self.base, item, count(self.base, item, "number"), self.side);
        if !self.is_last(item) {
            statements.push(build::assign(var("mig_delta"), taken));
            taken = var("mig_delta");
        }
        statements.push(if is_first {
            build::assign(var("mig_size"), build::add(number(self.message.least), taken))
        } else {
            build::assign_with(var("mig_size"), BinaryOperator::Add, taken)
        });
        if !self.is_last(item) {
            statements.push(moved(self.base, item, &self.tag, self.side));
        }
        statements
    }

    /// The message's size, once its items are there.
    pub(super) fn size(&self) -> Expression {
        if self.message.is_fixed() { number(self.message.most) } else { var("mig_size") }
    }

    /// The variables that packing needs.
    pub(super) fn variables(&self) -> Vec<Statement> {
        let mut variables = Vec::new();
        if !self.message.is_fixed() {
            variables.push(build::local("mig_size", unsigned(), None));
        }
        if self.keeps_delta() {
            variables.push(build::local("mig_delta", unsigned(), None));
        }
        variables
    }

    /// Copies a value that stands elsewhere in C into the message. `count` is the number of elements, where that varies.
    pub(super) fn copy(&self, item: &Item<'_>, value: Expression, elements: Option<&Expression>) -> Vec<Statement> {
        let ty = item.ty();
        let place = value_of(self.base, item);
        if !ty.is_inline {
            return vec![build::assign(place, value)];
        }
        if ty.shape == Shape::Text {
            return self.copy_text(item, place, value);
        }
        if ty.shape == Shape::Value && !ty.is_variable() {
            let is_widened = self.side.is_widened(ty) && ty.units == 1;
            let place = if is_widened { build::member(place, "name", untyped()) } else { place };
            return vec![build::assign(place, value)];
        }
        let place = if ty.is_any() { build::member(place, "data", untyped()) } else { place };
        vec![self.copy_array(item, place, value, elements)]
    }

    /// Copies elements; rights become as wide as the kernel's.
    pub(super) fn copy_array(
        &self,
        item: &Item<'_>,
        place: Expression,
        value: Expression,
        elements: Option<&Expression>,
    ) -> Statement {
        let ty = item.ty();
        let elements = elements.cloned();
        let copied = if self.side.is_widened(ty) {
            let rights = elements.map_or_else(|| number(ty.units), |elements| times(ty.units, elements));
            call("mig_widen", vec![place, value, rights])
        } else {
            let bytes = elements.map_or_else(|| number(ty.bytes()), |elements| times(ty.bytes(), elements));
            call("memcpy", vec![place, value, bytes])
        };
        Statement::Expression(copied)
    }

    fn copy_text(&self, item: &Item<'_>, place: Expression, value: Expression) -> Vec<Statement> {
        let most = match item.ty().length {
            Length::Fixed => item.ty().bytes(),
            _ => most_elements(item.ty()),
        };
        let copied = call(self.side.run_time("mig_strncpy"), vec![place, value, number(most)]);
        if item.ty().length == Length::Fixed {
            return vec![Statement::Expression(build::cast(Type::Void, copied))];
        }
        // The zero at the end is counted, where there is room for it.
        let length = count(self.base, item, "number");
        let is_shorter = build::less(length.clone(), number(most));
        let one_more = build::assign_with(length.clone(), BinaryOperator::Add, number(1));
        vec![build::assign(length, copied), build::when(is_shorter, vec![one_more])]
    }

    /// Sends an array of any length from where it is.
    pub(super) fn send_elsewhere(
        &self,
        item: &Item<'_>,
        value: Expression,
        moves: Option<Expression>,
    ) -> Vec<Statement> {
        let ty = item.ty();
        let mut statements = vec![build::assign(flag(self.base, item, "inline"), var("FALSE"))];
        match (ty.deallocate, moves) {
            (Deallocate::Yes, _) => statements.push(build::assign(flag(self.base, item, "deallocate"), var("TRUE"))),
            (Deallocate::Asked, Some(moves)) => {
                statements.push(build::assign(flag(self.base, item, "deallocate"), moves));
            }
            _ => {}
        }
        let beside = self.side.bits(ty, false);
        if beside != ty.bits {
            statements.push(build::assign(count(self.base, item, "size"), number(u64::from(beside))));
        }
        let place = build::member(value_of(self.base, item), "elsewhere", untyped());
        statements.push(build::assign(place, value));
        if self.keeps_kind() {
            statements.push(build::assign(var("mig_simple"), var("FALSE")));
        }
        statements
    }
}
