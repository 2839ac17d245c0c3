//! Moves operations from one routine into another: the value they work on becomes an object of the new routine,
//! and their local variables get names that are free there.

use std::collections::BTreeSet;

use super::{Access, Count, Op, Place, Step, Storage};

/// `body` of a routine whose value is `value` in the routine that takes it in; `fresh` names its locals anew.
pub(crate) fn transplant(body: &[Op], value: &Place, fresh: &dyn Fn(&str) -> String) -> Vec<Op> {
    let mover = Mover { value, fresh };
    body.iter().map(|op| mover.op(op.clone())).collect()
}

/// The local variables that operations declare.
#[derive(Clone, Debug, Default)]
pub(crate) struct Locals {
    pub(crate) words: BTreeSet<String>,
    /// Each has a pointer to its item beside it (`item_name`).
    pub(crate) indices: BTreeSet<String>,
}

impl Locals {
    /// Those of a body and of the bodies inside it.
    pub(crate) fn of(body: &[Op]) -> Locals {
        let mut locals = Locals::default();
        locals.collect(body);
        locals
    }

    fn collect(&mut self, body: &[Op]) {
        for op in body {
            match op {
                Op::Chunk { parts, .. } => {
                    let words = parts.iter().filter_map(|part| match &part.access {
                        Access::Local(name) => Some(name.clone()),
                        _ => None,
                    });
                    self.words.extend(words);
                }
                Op::Loop { index, .. } | Op::Items { index, .. } => {
                    self.indices.insert(index.clone());
                }
                _ => {}
            }
            op.bodies().into_iter().for_each(|body| self.collect(body));
        }
    }
}

struct Mover<'a> {
    value: &'a Place,
    fresh: &'a dyn Fn(&str) -> String,
}

impl Mover<'_> {
    fn place(&self, place: &Place) -> Place {
        let mut moved = place.clone();
        for step in &mut moved.steps {
            if let Step::Element(index) = step {
                *index = (self.fresh)(index);
            }
        }
        if place.variable == "v" {
            moved.seen_from(self.value)
        } else {
            moved.variable = (self.fresh)(&place.variable);
            moved
        }
    }

    fn count(&self, count: &Count) -> Count {
        match count {
            Count::Value(place) => Count::Value(self.place(place)),
            Count::Local(name) => Count::Local((self.fresh)(name)),
            other => other.clone(),
        }
    }

    fn access(&self, access: &Access) -> Access {
        let mut moved = access.clone();
        match &mut moved {
            Access::Scalar { place, .. }
            | Access::Copy { place, .. }
            | Access::Order { place, .. }
            | Access::Flag(place) => *place = self.place(place),
            Access::Count(count) => *count = self.count(count),
            Access::Local(name) => *name = (self.fresh)(name),
            Access::Zero { .. } => {}
        }
        moved
    }

    fn storage(&self, storage: &mut Storage) {
        if let Some((owner, _)) = &mut storage.owner {
            *owner = self.place(owner);
        }
    }

    fn op(&self, op: Op) -> Op {
        let mut moved = op.map_bodies(&mut |body| body.into_iter().map(|op| self.op(op)).collect());
        match &mut moved {
            Op::Ensure(_) | Op::Owe(_) | Op::Pay(_) => {}
            Op::Align { when, .. } => *when = when.as_ref().map(|count| self.count(count)),
            Op::Ahead { index, .. } => *index = (self.fresh)(index),
            Op::Claim { flag, .. } => flag.iter_mut().for_each(|flag| *flag = (self.fresh)(flag)),
            Op::Chunk { parts, .. } => parts.iter_mut().for_each(|part| part.access = self.access(&part.access)),
            Op::External { place, storage, .. } => {
                *place = self.place(place);
                self.storage(storage);
            }
            Op::Aggregate { place, .. } | Op::Call { place, .. } => {
                *place = self.place(place);
            }
            Op::Order { place, count, .. } | Op::Bytes { place, length: count } => {
                *place = self.place(place);
                *count = self.count(count);
            }
            Op::Text { place, counted, length, .. } => {
                *place = self.place(place);
                *counted = counted.as_ref().map(|place| self.place(place));
                *length = length.as_deref().map(self.fresh);
            }
            Op::CountedBytes { data, length, count } | Op::CountedOrder { data, length, count, .. } => {
                *data = self.place(data);
                *length = self.place(length);
                *count = (self.fresh)(count);
            }
            Op::Check { count, data, .. } => {
                *count = self.count(count);
                *data = data.as_ref().map(|place| self.place(place));
            }
            Op::Loop { index, count, over, .. } => {
                *index = (self.fresh)(index);
                *count = self.count(count);
                over.data = self.place(&over.data);
            }
            Op::Items { index, count, data, length, storage, .. } => {
                self.storage(storage);
                *index = (self.fresh)(index);
                *count = (self.fresh)(count);
                *data = self.place(data);
                *length = self.place(length);
            }
            Op::Optional { pointer, counted, flag, storage, .. }
            | Op::Again { pointer, counted, flag, storage, .. } => {
                self.storage(storage);
                *pointer = self.place(pointer);
                *counted = counted.as_ref().map(|place| self.place(place));
                *flag = flag.as_deref().map(self.fresh);
            }
            Op::Switch { value, .. } | Op::Member { value, .. } => *value = self.place(value),
            Op::Allocate { pointer, storage, .. } => {
                self.storage(storage);
                *pointer = self.place(pointer);
            }
            Op::Capacity { maximum, release, count } => {
                *maximum = self.place(maximum);
                *release = self.place(release);
                *count = (self.fresh)(count);
            }
            Op::Free { pointer, when, .. } => {
                *pointer = self.place(pointer);
                *when = when.as_ref().map(|place| self.place(place));
            }
        }
        moved
    }
}
