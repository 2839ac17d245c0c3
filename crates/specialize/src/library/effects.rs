//! What functions do that the program does not define: the descriptions that `effects` has.

use std::collections::BTreeSet;

use core_c::{Argument, Expression, ExpressionKind, LocalId, PlaceBase};
use effects::Library;

use crate::engine::Engine;
use crate::memory::{Background, Origin};
use crate::mutation;
use crate::report::Cause;
use crate::values::value::ObjectId;

/// Effects of external functions, by name; of all others the worst is assumed.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    library: Library,
}

impl Effects {
    /// The functions that a library describes.
    pub fn new(library: Library) -> Effects {
        Effects { library }
    }

    /// Changes no memory.
    pub fn is_pure(&self, name: &str) -> bool {
        self.library.changes_nothing(name)
    }

    /// May be done here, where what it is given is known.
    pub fn may_be_computed(&self, name: &str) -> bool {
        self.library.may_be_computed(name)
    }

    /// Writes nothing through its arguments.
    pub fn only_reads(&self, name: &str) -> bool {
        self.library.only_reads(name)
    }

    /// May return more than once.
    pub fn returns_twice(&self, name: &str) -> bool {
        self.library.returns_twice(name)
    }

    pub fn never_returns(&self, name: &str) -> bool {
        self.library.never_returns(name)
    }

    /// It returns once, and keeps no argument.
    pub fn comes_back(&self, name: &str) -> bool {
        self.library.comes_back(name)
    }

    /// The arguments through which it writes; none where it may change anything that it can reach.
    pub fn writes_through(&self, name: &str) -> Option<Vec<usize>> {
        self.library.writes_through(name)
    }

    /// The arguments through which it writes, and that say how many bytes, where it does nothing else.
    pub fn fills(&self, name: &str) -> Option<(usize, usize)> {
        self.library.fills(name)
    }

    /// It may look at any variable of the program, or change it.
    pub fn sees_anything(&self, name: &str) -> bool {
        self.library.sees_anything(name)
    }
}

/// An object, and its first byte that an address may lead to that is moved by an unknown distance.
pub(crate) type Moved = Option<(ObjectId, u64)>;

impl Engine<'_> {
    /// After a call of a function without a body here: forgets what it may have changed. `moved` is of each argument where an address
    /// that is moved by an unknown distance comes from.
    pub(crate) fn changed_by(&mut self, name: &str, arguments: &[Argument], moved: &[Moved]) {
        let cause = Cause::Effects(Some(name.to_owned()).filter(|name| !name.is_empty()));
        let Some(positions) = self.options.effects.writes_through(name) else { return self.clobber(&cause) };
        let range = self.filled_by(name, arguments, moved);
        let mut written = Vec::new();
        for (at, argument) in positions.iter().filter_map(|at| Some((*at, arguments.get(*at)?))) {
            match (argument, self.origin_of(moved.get(at))) {
                (_, Some(origin)) => written.push(origin),
                (Argument::Value(value), None) if self.origins(value, &mut written) => {}
                _ => return self.clobber(&cause),
            }
        }
        for id in written.iter().filter_map(|origin| self.state.memory.find(*origin)).collect::<Vec<_>>() {
            self.written_within(id, range);
        }
        for id in self.state.memory.ids() {
            let Some(object) = self.state.memory.get(id) else { continue };
            // `errno` is no variable of the program, but a pointer from outside may lead there.
            let is_outside = matches!(object.origin, Origin::Pointee(_)) && object.escaped && !object.isolated;
            if (is_outside || written.contains(&object.origin)) && !object.constant && !object.cells.is_empty() {
                if let (Some((offset, size)), false) = (range, is_outside) {
                    if let Some(object) = self.state.memory.get_mut(id) {
                        object.forget(offset, size);
                        object.overwritten(offset, size, None);
                    }
                    continue;
                }
                self.lose(id, cause.clone());
                let Some(object) = self.state.memory.get_mut(id) else { continue };
                object.cells.clear();
                object.elements.clear();
                object.background = Background::Unknown;
            }
        }
    }

    /// The declared object that a moved address leads into.
    fn origin_of(&self, moved: Option<&Moved>) -> Option<Origin> {
        let (object, _) = (*moved?)?;
        let origin = self.state.memory.get(object)?.origin;
        (!matches!(origin, Origin::Pointee(_))).then_some(origin)
    }

    /// The bytes that `memcpy` and its kin may write of the object that they are given: none before the address, or before the array that
    /// it is moved in.
    fn filled_by(&self, name: &str, arguments: &[Argument], moved: &[Moved]) -> Option<(u64, u64)> {
        let (to, count) = self.options.effects.fills(name)?;
        let known = |at: usize| if let Argument::Value(value) = arguments.get(at)? { Some(value) } else { None };
        let (address, count) = (known(to)?, known(count)?);
        let rest = |from: u64| (from, u64::MAX - from);
        match (self.displacement(address).map(u64::try_from), &count.kind) {
            (Some(Ok(from)), ExpressionKind::Integer(size)) => Some((from, u64::try_from(*size).ok()?)),
            (Some(Ok(from)), _) => Some(rest(from)),
            _ => self.array_of(address).or((*moved.get(to)?).map(|(_, from)| from)).map(rest),
        }
    }

    /// Where the array begins that a register leads into, in the object that it is part of.
    fn array_of(&self, address: &Expression) -> Option<u64> {
        match &address.kind {
            ExpressionKind::Convert(inner) => self.array_of(inner),
            ExpressionKind::Local(register) => {
                let id = self.state.memory.find(Origin::Pointee(*register))?;
                Some(self.state.memory.get(id)?.within?.slot.array.from)
            }
            _ => None,
        }
    }

    /// How far from the beginning of its object a residual address leads.
    fn displacement(&self, address: &Expression) -> Option<i64> {
        match &address.kind {
            ExpressionKind::Local(register) => self.private_pointee(*register).map(|_| 0),
            ExpressionKind::Convert(inner) => self.displacement(inner),
            ExpressionKind::Offset { pointer, count, negative: false } => {
                let ExpressionKind::Integer(count) = count.kind else { return None };
                let element = self.types.size_of(self.types.element(pointer.ty)?)?;
                self.displacement(pointer)?
                    .checked_add(i64::try_from(count).ok()?.checked_mul(element.try_into().ok()?)?)
            }
            ExpressionKind::Address(place) => {
                let start = match &place.base {
                    PlaceBase::Pointee(address) => self.displacement(address)?,
                    _ => 0,
                };
                start.checked_add(self.distance_in(place)?)
            }
            _ => None,
        }
    }

    /// A function that keeps no argument has come back: what it was lent is reached from nowhere else, if it was not before.
    pub(crate) fn take_back(
        &mut self,
        name: &str,
        (lent, moved): (&[Argument], &[Moved]),
        before: &BTreeSet<ObjectId>,
    ) {
        let effects = &self.options.effects;
        if !effects.comes_back(name) || effects.writes_through(name).is_none() {
            return;
        }
        let mut origins: Vec<Origin> = moved.iter().filter_map(|moved| self.origin_of(Some(moved))).collect();
        for argument in lent {
            if let Argument::Value(value) = argument {
                self.origins(value, &mut origins);
            }
        }
        for origin in origins {
            let id = self.state.memory.find(origin).filter(|id| !before.contains(id) || mutation::forgets("lent"));
            if let Some(id) = id {
                self.mark_escaped(id, false);
            }
        }
    }

    /// What a register of the residual program points to the start of, where nothing else leads there.
    fn private_pointee(&self, register: LocalId) -> Option<Origin> {
        (!self.derived.contains_key(&register) && self.leads_to_private(register)).then_some(Origin::Pointee(register))
    }

    /// The objects that a residual address may lead to; false where it may lead to others, too.
    fn origins(&self, address: &Expression, found: &mut Vec<Origin>) -> bool {
        match &address.kind {
            ExpressionKind::Integer(0) => true,
            ExpressionKind::Convert(inner) => self.origins(inner, found),
            ExpressionKind::Offset { pointer, .. } => self.origins(pointer, found),
            ExpressionKind::Local(register) => {
                let origin = self.derived.get(register).copied().or_else(|| self.private_pointee(*register));
                found.extend(origin);
                origin.is_some()
            }
            ExpressionKind::Address(place) => match place.base {
                PlaceBase::Global(global) => {
                    found.push(Origin::Global(global));
                    true
                }
                PlaceBase::Local(local) => {
                    let origin = self.places.iter().find(|(_, place)| **place == local);
                    found.extend(origin.map(|(origin, _)| *origin));
                    origin.is_some()
                }
                PlaceBase::Pointee(ref address) => self.origins(address, found),
            },
            _ => false,
        }
    }
}
