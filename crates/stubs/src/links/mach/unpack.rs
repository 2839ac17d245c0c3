//! Messages that arrive: they are checked item by item before anything of them is used.

use cast::{Expression, Statement, build};
use mig::{Complexity, Item, Message, TypeName};

use super::descriptors::{Descriptors, Form};
use super::side::{Side, any, call, checked, head, number, untyped, var};
use super::walk::{bytes, count, descriptor_of, elements, flag, most_units, moved, unsigned};

/// A message that arrives.
pub(super) struct Arriving<'a> {
    pub(super) message: &'a Message<'a>,
    /// The pointer to it, and the tag of what it points to.
    pub(super) base: &'static str,
    pub(super) tag: String,
    /// What happens to a message that is not as it should be.
    pub(super) fault: Vec<Statement>,
    pub(super) side: &'a Side<'a>,
}

impl Arriving<'_> {
    /// Whether the kind of message is kept for the checks of items.
    pub(super) fn keeps_kind(&self) -> bool {
        self.message.received == Complexity::Perhaps
    }

    /// Whether its size is kept, for items of varying length.
    pub(super) fn keeps_size(&self) -> bool {
        !self.message.is_fixed()
    }

    /// Whether the sizes of items are kept.
    pub(super) fn keeps_delta(&self) -> bool {
        self.message.items.iter().any(|item| item.is_variable() && !self.is_last(item))
    }

    fn is_last(&self, item: &Item<'_>) -> bool {
        self.message.items.last().is_some_and(|last| last.name == item.name)
    }

    /// What is wrong with a size: of the whole, or of what has to be there at least.
    pub(super) fn wrong_size(&self, size: Expression) -> Expression {
        let least = number(self.message.least);
        if self.message.is_fixed() { build::not_equal(size, least) } else { build::less(size, least) }
    }

    /// What is wrong with the kind of message: whether it says that it holds rights or memory.
    pub(super) fn wrong_kind(&self) -> Option<Expression> {
        match self.message.received {
            Complexity::Never => Some(is_complex(self.base)),
            Complexity::Always => Some(build::not(is_complex(self.base))),
            Complexity::Perhaps => None,
        }
    }

    /// Checks each item; `then` follows the checks of one.
    pub(super) fn items(
        &self,
        descriptors: &mut Descriptors,
        mut then: impl FnMut(&Item<'_>) -> Vec<Statement>,
    ) -> Vec<Statement> {
        let mut statements = Vec::new();
        for item in &self.message.items {
            let form = Form::of(item, self.side, false);
            let mut faults = form.faults(&descriptor_of(self.base, item), item, self.side, descriptors);
            faults.extend(self.wrong_values(item));
            statements.extend(self.refuse(faults));
            if item.is_variable() {
                statements.extend(self.sizes(item));
            }
            statements.extend(then(item));
            if item.is_variable() && !self.is_last(item) {
                statements.push(moved(self.base, item, &self.tag, self.side));
            }
        }
        statements
    }

    /// What is wrong with the numbers of a descriptor that vary.
    fn wrong_values(&self, item: &Item<'_>) -> Vec<Expression> {
        let ty = item.ty();
        let mut faults = Vec::new();
        if item.content == mig::Content::Count {
            return faults;
        }
        let is_inline = || flag(self.base, item, "inline");
        if self.keeps_kind() && ty.received == TypeName::Polymorphic {
            let is_right = call("MACH_MSG_TYPE_PORT_ANY", vec![count(self.base, item, "name")]);
            faults.push(build::and(is_right, var("mig_simple")));
        }
        if self.keeps_kind() && ty.is_any() {
            faults.push(build::and(build::not(is_inline()), var("mig_simple")));
        }
        if !ty.is_variable() {
            return faults;
        }
        let first = item.argument.same_count_as.as_ref();
        if let Some(first) = first.and_then(|name| self.message.items.iter().find(|other| other.name == *name)) {
            faults.push(build::not_equal(elements(self.base, item), elements(self.base, first)));
        }
        let units = || count(self.base, item, "number");
        if ty.is_inline {
            let is_more = build::greater(units(), number(most_units(ty)));
            faults.push(if ty.is_any() { build::and(is_inline(), is_more) } else { is_more });
        }
        if ty.units > 1 {
            let rest = build::binary(units(), cast::BinaryOperator::Remainder, number(ty.units));
            faults.push(build::not_equal(rest, number(0)));
        }
        if ty.is_inline && ty.shape == mig::Shape::Text {
            faults.push(build::equal(units(), number(0)));
        }
        faults
    }

    /// Whether the message is as long as an item of varying length needs.
    fn sizes(&self, item: &Item<'_>) -> Vec<Statement> {
        let taken = bytes(self.base, item, count(self.base, item, "number"), self.side);
        let varies_later = self.message.items.iter().any(|later| later.is_variable() && later.offset > item.offset);
        let mut statements = Vec::new();
        let mut delta = taken.clone();
        if !self.is_last(item) {
            statements.push(build::assign(var("mig_delta"), taken));
            delta = var("mig_delta");
        }
        let needed = build::add(number(self.message.least), delta);
        let size = var("mig_size");
        let is_wrong =
            if varies_later { build::less(size.clone(), needed) } else { build::not_equal(size.clone(), needed) };
        statements.extend(self.refuse(vec![is_wrong]));
        if varies_later {
            statements.push(build::assign_with(size, cast::BinaryOperator::Subtract, var("mig_delta")));
        }
        statements
    }

    /// Refuses the message if one of the conditions holds.
    pub(super) fn refuse(&self, faults: Vec<Expression>) -> Option<Statement> {
        any(faults).map(|fault| build::when(checked(fault), self.fault.clone()))
    }

    /// The variables that the checks need.
    pub(super) fn variables(&self) -> Vec<Statement> {
        let mut variables = Vec::new();
        if self.keeps_size() {
            variables.push(build::local("mig_size", unsigned(), None));
        }
        if self.keeps_delta() {
            variables.push(build::local("mig_delta", unsigned(), None));
        }
        variables
    }
}

/// Whether a message says that it holds rights or memory.
pub(super) fn is_complex(base: &str) -> Expression {
    let bits = head(base, "msgh_bits");
    build::binary(bits, cast::BinaryOperator::BitAnd, build::name("MACH_MSGH_BITS_COMPLEX", untyped()))
}
