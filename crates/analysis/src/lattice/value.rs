//! What is known of a value: whether it is known at specialization time, its number where the text of the program
//! gives it, and the objects it may point to.

use std::sync::Arc;

use crate::cause::CauseId;
use crate::object::ObjectId;

use super::Offsets;

/// When a value is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum BindingTime {
    /// At specialization time.
    #[default]
    Static,
    /// An address that is a run-time address plus a distance known at specialization time. What it points to can be
    /// followed, its number cannot be known.
    Based,
    /// At run time.
    Dynamic,
}

impl BindingTime {
    pub fn is_static(self) -> bool {
        self == BindingTime::Static
    }

    pub fn is_dynamic(self) -> bool {
        self == BindingTime::Dynamic
    }
}

/// What the text of the program says of a value's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Known {
    /// Nothing was stored yet: indeterminate.
    Nothing,
    Exact(i128),
    /// Whatever it is, it is not zero: the address of an object.
    NonZero,
    /// Nothing is known of it yet.
    Any,
}

impl Known {
    pub(crate) fn join(self, other: Known) -> Known {
        use Known::{Any, Exact, NonZero, Nothing};
        match (self, other) {
            (Nothing, known) | (known, Nothing) => known,
            (left, right) if left == right => left,
            (Exact(0), _) | (_, Exact(0)) | (Any, _) | (_, Any) => Any,
            _ => NonZero,
        }
    }
}

/// The objects that a value may point to or into, in order, each once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Targets(Option<Arc<Vec<(ObjectId, Offsets)>>>);

impl Targets {
    pub(crate) fn one(object: ObjectId, offsets: Offsets) -> Targets {
        Targets(Some(Arc::new(vec![(object, offsets)])))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, (ObjectId, Offsets)> {
        self.0.as_ref().map_or(&[][..], |list| &list[..]).iter()
    }

    /// The one object there is, and where in it.
    pub(crate) fn single(&self) -> Option<(ObjectId, &Offsets)> {
        let mut all = self.iter();
        let (object, offsets) = all.next()?;
        all.next().is_none().then_some((*object, offsets))
    }

    pub(crate) fn holds(&self, object: ObjectId) -> bool {
        self.iter().any(|(target, _)| *target == object)
    }

    /// The same objects, at changed offsets.
    pub(crate) fn map(&self, change: impl Fn(ObjectId, &Offsets) -> Offsets) -> Targets {
        let list: Vec<_> = self.iter().map(|(object, offsets)| (*object, change(*object, offsets))).collect();
        Targets((!list.is_empty()).then(|| Arc::new(list)))
    }

    pub(crate) fn anywhere(&self) -> Targets {
        self.map(|_, _| Offsets::anywhere())
    }

    pub(crate) fn join(&self, other: &Targets, widen: bool) -> Targets {
        let (Some(left), Some(right)) = (&self.0, &other.0) else {
            return if self.is_empty() { other.clone() } else { self.clone() };
        };
        if Arc::ptr_eq(left, right) || left == right {
            return self.clone();
        }
        let mut list = Vec::with_capacity(left.len() + right.len());
        let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
        while let (Some((a, at)), Some((b, to))) = (left.peek(), right.peek()) {
            if a == b {
                list.push((*a, if widen { at.widened(to) } else { at.join(to) }));
                left.next();
                right.next();
            } else {
                list.extend(if a < b { left.next() } else { right.next() }.cloned());
            }
        }
        list.extend(left.cloned());
        list.extend(right.cloned());
        Targets(Some(Arc::new(list)))
    }
}

/// An abstract value. Why it is dynamic is no part of what it is: two values that differ in it are equal.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) time: BindingTime,
    pub(crate) known: Known,
    pub(crate) targets: Targets,
    pub(crate) cause: Option<CauseId>,
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        self.time == other.time && self.known == other.known && self.targets == other.targets
    }
}

impl Value {
    /// What a variable holds before anything is stored in it.
    pub(crate) fn nothing() -> Value {
        Value::of(Known::Nothing)
    }

    pub(crate) fn exact(number: i128) -> Value {
        Value::of(Known::Exact(number))
    }

    /// Something that the specializer will know.
    pub(crate) fn any() -> Value {
        Value::of(Known::Any)
    }

    pub(crate) fn of(known: Known) -> Value {
        Value { time: BindingTime::Static, known, targets: Targets::default(), cause: None }
    }

    pub(crate) fn address(object: ObjectId, offsets: Offsets) -> Value {
        Value { targets: Targets::one(object, offsets), ..Value::of(Known::NonZero) }
    }

    pub(crate) fn dynamic(cause: CauseId, targets: Targets) -> Value {
        Value { time: BindingTime::Dynamic, known: Known::Any, targets, cause: Some(cause) }
    }

    /// A run-time address that leads to a known object.
    pub(crate) fn based(cause: CauseId, object: ObjectId) -> Value {
        let targets = Targets::one(object, Offsets::at(0));
        Value { time: BindingTime::Based, known: Known::Any, targets, cause: Some(cause) }
    }

    pub(crate) fn is_static(&self) -> bool {
        self.time.is_static()
    }

    pub(crate) fn is_dynamic(&self) -> bool {
        self.time.is_dynamic()
    }

    /// The number, where the program's text gives it and it is no address.
    pub(crate) fn number(&self) -> Option<i128> {
        match self.known {
            Known::Exact(number) if self.is_static() && self.targets.is_empty() => Some(number),
            _ => None,
        }
    }

    /// Whether it is zero, where that is known already.
    pub(crate) fn truth(&self) -> Option<bool> {
        match self.known {
            Known::Exact(number) if self.is_static() => Some(number != 0),
            Known::NonZero if !self.is_dynamic() => Some(true),
            _ => None,
        }
    }

    /// Dynamic, for a reason.
    #[must_use]
    pub(crate) fn made_dynamic(&self, cause: CauseId) -> Value {
        if self.is_dynamic() { self.clone() } else { Value::dynamic(cause, self.targets.clone()) }
    }

    /// The same, its number forgotten.
    #[must_use]
    pub(crate) fn without_number(&self) -> Value {
        match self.known {
            Known::Exact(_) => Value { known: Known::Any, ..self.clone() },
            _ => self.clone(),
        }
    }

    /// A part of it, or what it is a part of: no number is known.
    #[must_use]
    pub(crate) fn blurred(&self) -> Value {
        let known = match self.known {
            Known::Exact(number) if number != 0 => Known::Any,
            Known::NonZero => Known::Any,
            known => known,
        };
        Value { known, ..self.clone() }
    }

    /// What holds where either may be.
    pub(crate) fn join(&self, other: &Value, widen: bool) -> Value {
        let targets = self.targets.join(&other.targets, widen);
        let time = self.time.max(other.time);
        let known = if time.is_dynamic() { Known::Any } else { self.known.join(other.known) };
        let cause = if self.time == time && self.cause.is_some() { self.cause } else { other.cause };
        Value { time, known, targets, cause }
    }

    /// What the bytes of both together are.
    pub(crate) fn beside(&self, other: &Value) -> Value {
        let mut whole = self.blurred().join(&other.blurred(), false);
        if self.known != other.known {
            whole.known = Known::Any;
        }
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_numbers_are_no_number_but_still_static() {
        let both = Value::exact(0).join(&Value::exact(1), false);
        assert_eq!((both.time, both.known), (BindingTime::Static, Known::Any));
        assert_eq!(Value::exact(2).join(&Value::exact(1), false).truth(), Some(true));
    }

    #[test]
    fn what_was_never_set_takes_the_other_value() {
        assert_eq!(Value::nothing().join(&Value::exact(7), false).number(), Some(7));
    }

    #[test]
    fn bytes_beside_each_other_are_zero_only_together() {
        assert_eq!(Value::exact(0).beside(&Value::exact(0)).number(), Some(0));
        assert_eq!(Value::exact(0).beside(&Value::nothing()).number(), None);
    }
}
