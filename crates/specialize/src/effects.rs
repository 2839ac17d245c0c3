//! What functions do that the program does not define: the descriptions that `effects` has.

use core_c::{Argument, Expression, ExpressionKind, PlaceBase};
use effects::Library;

use crate::engine::Engine;
use crate::memory::{Background, Origin};
use crate::report::Cause;

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

    /// It may look at any variable of the program, or change it.
    pub fn sees_anything(&self, name: &str) -> bool {
        self.library.sees_anything(name)
    }
}

impl Engine<'_> {
    /// After a call of a function without a body here: forgets what it may have changed.
    pub(crate) fn changed_by(&mut self, name: &str, arguments: &[Argument]) {
        let cause = Cause::Effects(Some(name.to_owned()).filter(|name| !name.is_empty()));
        let Some(positions) = self.options.effects.writes_through(name) else { return self.clobber(&cause) };
        let mut written = Vec::new();
        for argument in positions.iter().filter_map(|position| arguments.get(*position)) {
            match argument {
                Argument::Value(value) if self.origins(value, &mut written) => {}
                _ => return self.clobber(&cause),
            }
        }
        for id in self.state.memory.ids() {
            let Some(object) = self.state.memory.get(id) else { continue };
            // `errno` is no variable of the program, but a pointer from outside may lead there.
            let is_outside = matches!(object.origin, Origin::Pointee(_)) && object.escaped && !object.isolated;
            if (is_outside || written.contains(&object.origin)) && !object.constant && !object.cells.is_empty() {
                self.lose(id, cause.clone());
                let Some(object) = self.state.memory.get_mut(id) else { continue };
                object.cells.clear();
                object.background = Background::Unknown;
            }
        }
    }

    /// The objects that a residual address may lead to; false where it may lead to others, too.
    fn origins(&self, address: &Expression, found: &mut Vec<Origin>) -> bool {
        match &address.kind {
            ExpressionKind::Integer(0) => true,
            ExpressionKind::Convert(inner) => self.origins(inner, found),
            ExpressionKind::Offset { pointer, .. } => self.origins(pointer, found),
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
                PlaceBase::Pointee(_) => false,
            },
            _ => false,
        }
    }
}
