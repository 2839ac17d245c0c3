//! How far residual registers, and the addresses of objects, are apart: what tests of one against another say, such as whether there is room between a place and an end.
//!
//! In: comparisons and differences of these, pointers moved by constants included, that have come out one way. Out: for pairs of them
//! the range of their difference; it decides later tests of the same two. Integers are compared as they are; pointers may be moved, since an
//! object does not wrap around (C11 section 6.5.6). Where paths join, what all of them know holds on. Source: Miné, "A new numerical abstract
//! domain based on difference-bound matrices" (2001).

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use core_c::{BinaryOperator, Expression, ExpressionKind, GlobalId, LocalId, PlaceBase, Shape, TypeId};

use crate::engine::Engine;
use crate::join::Incoming;
use crate::values::number::Number;

/// For two bases, the lower first: the least and the greatest that the second may be beyond the first, in bytes or units.
pub(crate) type Distances = Rc<BTreeMap<(Base, Base), Range>>;

/// What a number or an address is counted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Base {
    Register(LocalId),
    /// The address of an object of the residual function, or of a global.
    Local(LocalId),
    Global(GlobalId),
}

impl Base {
    fn renamed(self, names: &BTreeMap<LocalId, LocalId>) -> Option<Base> {
        match self {
            Base::Register(register) => names.get(&register).copied().map(Base::Register),
            other => Some(other),
        }
    }
}

pub(crate) type Range = (i128, i128);

/// So many pairs are kept.
const PAIRS: usize = 64;

const ANY: Range = (i128::MIN / 4, i128::MAX / 4);

/// A base, moved by so many bytes.
#[derive(Clone, Copy, Debug)]
struct Term {
    base: Base,
    by: i128,
}

impl Engine<'_> {
    /// Whether a comparison is true, as far as distances tell.
    pub(crate) fn truth_by_distance(
        &self,
        operator: BinaryOperator,
        sides: (&Expression, &Expression),
    ) -> Option<bool> {
        use BinaryOperator as B;
        let (least, most) = self.range_between(sides.0, sides.1)?;
        let (can_be_less, can_be_equal, can_be_greater) = (most > 0, least <= 0 && most >= 0, least < 0);
        let truth = |may_hold: bool, may_fail: bool| (may_hold != may_fail).then_some(may_hold);
        match operator {
            B::Less => truth(can_be_less, can_be_equal || can_be_greater),
            B::LessEqual => truth(can_be_less || can_be_equal, can_be_greater),
            B::Greater => truth(can_be_greater, can_be_less || can_be_equal),
            B::GreaterEqual => truth(can_be_greater || can_be_equal, can_be_less),
            B::Equal => truth(can_be_equal, can_be_less || can_be_greater),
            B::NotEqual => truth(can_be_less || can_be_greater, can_be_equal),
            _ => None,
        }
    }

    /// A comparison has come out true.
    pub(crate) fn learn_distance(&mut self, operator: BinaryOperator, (left, right): (&Expression, &Expression)) {
        use BinaryOperator as B;
        let known = self.range_between(left, right).unwrap_or(ANY);
        let range = match operator {
            B::Less => (1, ANY.1),
            B::LessEqual => (0, ANY.1),
            B::Greater => (ANY.0, -1),
            B::GreaterEqual => (ANY.0, 0),
            B::Equal => (0, 0),
            B::NotEqual => (known.0 + i128::from(known.0 == 0), known.1 - i128::from(known.1 == 0)),
            _ => return,
        };
        self.narrow_distance((left, right), range);
    }

    /// How many elements one pointer is beyond another, as far as distances tell.
    pub(crate) fn elements_between(&self, left: &Expression, right: &Expression) -> Option<Range> {
        let size = self.element_size(left.ty)?;
        // C leaves undefined what is no whole number of elements.
        let (least, most) = self.range_between(right, left)?;
        Some((least.div_euclid(size) + i128::from(least.rem_euclid(size) != 0), most.div_euclid(size)))
    }

    /// One pointer is so many elements beyond another.
    pub(crate) fn narrow_elements(&mut self, (left, right): (&Expression, &Expression), number: Number) {
        let Some(size) = self.element_size(left.ty) else { return };
        let (Some(least), Some(most)) = (number.least.checked_mul(size), number.most.checked_mul(size)) else { return };
        self.narrow_distance((right, left), (least, most));
    }

    fn narrow_distance(&mut self, (left, right): (&Expression, &Expression), (least, most): Range) {
        let (Some(a), Some(b)) = (self.term(left), self.term(right)) else { return };
        let moved = a.by - b.by;
        let (pair, range) = match a.base < b.base {
            true => ((a.base, b.base), (least + moved, most + moved)),
            false => ((b.base, a.base), (-most - moved, -least - moved)),
        };
        let known = self.state.distances.get(&pair).copied().unwrap_or(ANY);
        let both = (known.0.max(range.0), known.1.min(range.1));
        let has_room = self.state.distances.len() < PAIRS || self.state.distances.contains_key(&pair);
        if a.base != b.base && both.0 <= both.1 && both != known && has_room {
            Rc::make_mut(&mut self.state.distances).insert(pair, both);
        }
    }

    /// How far the right one is beyond the left one.
    fn range_between(&self, left: &Expression, right: &Expression) -> Option<Range> {
        let (a, b) = (self.term(left)?, self.term(right)?);
        let moved = b.by - a.by;
        if a.base == b.base {
            return Some((moved, moved));
        }
        let (least, most) = match a.base < b.base {
            true => self.state.distances.get(&(a.base, b.base)).copied()?,
            false => self.state.distances.get(&(b.base, a.base)).map(|(least, most)| (-most, -least))?,
        };
        Some((least + moved, most + moved))
    }

    fn term(&self, expression: &Expression) -> Option<Term> {
        let is_pointer = |ty| matches!(self.types.shape_of(ty), Shape::Pointer(_));
        match &expression.kind {
            ExpressionKind::Local(register) => {
                let is_integer = matches!(self.types.shape_of(expression.ty), Shape::Integer { .. });
                (is_integer || is_pointer(expression.ty)).then_some(Term { base: Base::Register(*register), by: 0 })
            }
            ExpressionKind::Address(place) => {
                let by = i128::from(self.distance_in(place)?);
                match &place.base {
                    PlaceBase::Local(local) => Some(Term { base: Base::Local(*local), by }),
                    PlaceBase::Global(global) => Some(Term { base: Base::Global(*global), by }),
                    PlaceBase::Pointee(address) => self.term(address).map(|term| Term { by: term.by + by, ..term }),
                }
            }
            ExpressionKind::Convert(inner) if is_pointer(expression.ty) && is_pointer(inner.ty) => self.term(inner),
            ExpressionKind::Offset { pointer, count, negative } => {
                let ExpressionKind::Integer(count) = count.kind else { return None };
                let by = count.checked_mul(self.element_size(pointer.ty)?)?;
                let term = self.term(pointer)?;
                let by = if *negative { term.by.checked_sub(by)? } else { term.by.checked_add(by)? };
                (by.abs() < 1 << 62).then_some(Term { by, ..term })
            }
            _ => None,
        }
    }

    fn element_size(&self, pointer: TypeId) -> Option<i128> {
        let size = self.types.size_of(self.types.element(pointer)?)?;
        (size > 0).then_some(size.into())
    }
}

/// What holds where paths join that share residual code from here on, of the registers of the first that may be kept.
pub(crate) fn joined(group: &[Incoming], steady: Option<&BTreeSet<LocalId>>) -> Distances {
    let Some((first, others)) = group.split_first().filter(|(first, _)| !first.state.distances.is_empty()) else {
        return Distances::default();
    };
    let all = |(pair, range): (&(Base, Base), &Range)| {
        let is_steady = |base: &Base| match base {
            Base::Register(register) => steady.is_none_or(|steady| steady.contains(register)),
            _ => true,
        };
        let joined = others.iter().try_fold(*range, |known, incoming| {
            let there = |base| counterpart(base, &first.registers, &incoming.registers);
            let other = between(&incoming.state.distances, there(pair.0)?, there(pair.1)?)?;
            Some((known.0.min(other.0), known.1.max(other.1)))
        });
        Some((*pair, joined.filter(|_| is_steady(&pair.0) && is_steady(&pair.1))?))
    };
    first.state.distances.iter().filter_map(all).collect::<BTreeMap<_, _>>().into()
}

/// True where a path that comes to code that others have begun knows all that the code was made for.
pub(crate) fn hold(made: &Distances, parameters: &[LocalId], incoming: &Incoming) -> bool {
    let given = |base| counterpart(base, parameters, &incoming.registers);
    made.iter().all(|((a, b), (least, most))| {
        let known = given(*a).zip(given(*b)).and_then(|(a, b)| between(&incoming.state.distances, a, b));
        known.is_some_and(|known| known.0 >= *least && known.1 <= *most)
    })
}

/// The same under other names.
pub(crate) fn renamed(distances: &Distances, names: &BTreeMap<LocalId, LocalId>) -> Distances {
    let named = distances.iter().filter_map(|((a, b), range)| {
        let (a, b) = (a.renamed(names)?, b.renamed(names)?);
        Some(if a < b { ((a, b), *range) } else { ((b, a), (-range.1, -range.0)) })
    });
    named.collect::<BTreeMap<_, _>>().into()
}

/// What a base is where the registers of one list have the names of another.
fn counterpart(base: Base, from: &[LocalId], to: &[LocalId]) -> Option<Base> {
    let Base::Register(register) = base else { return Some(base) };
    let place = from.iter().position(|other| *other == register)?;
    to.get(place).copied().map(Base::Register)
}

fn between(distances: &Distances, a: Base, b: Base) -> Option<Range> {
    match a < b {
        true => distances.get(&(a, b)).copied(),
        false => distances.get(&(b, a)).map(|(least, most)| (-most, -least)),
    }
}
