//! What all objects and registers hold at a program point. Copies share what they have in common.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::cause::CauseId;
use crate::object::ObjectId;

use super::{Content, Value};

const PAGE: usize = 16;

/// A set of small numbers.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    pub(crate) fn holds(&self, number: usize) -> bool {
        self.0.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// True where it was not there before.
    pub(crate) fn insert(&mut self, number: usize) -> bool {
        let at = number / 64;
        if self.0.len() <= at {
            self.0.resize(at + 1, 0);
        }
        let bit = 1 << (number % 64);
        let new = self.0[at] & bit == 0;
        self.0[at] |= bit;
        new
    }

    pub(crate) fn remove(&mut self, number: usize) {
        if let Some(word) = self.0.get_mut(number / 64) {
            *word &= !(1 << (number % 64));
        }
    }

    /// True where something was added.
    pub(crate) fn add_all(&mut self, other: &Bits) -> bool {
        let mut added = false;
        for number in other.iter() {
            added |= self.insert(number);
        }
        added
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0
            .iter()
            .enumerate()
            .flat_map(|(at, word)| (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at * 64 + bit))
    }
}

type Page = [Option<Arc<Content>>; PAGE];

/// What an object holds in a store that does not mention it; none where it does not exist.
pub(crate) type Absent<'a> = &'a dyn Fn(ObjectId, &Store) -> Option<Arc<Content>>;

/// What objects hold. An object that is not in it holds what it held at the beginning, or does not exist.
#[derive(Clone, Debug, Default)]
pub(crate) struct Store {
    pages: Vec<Option<Arc<Page>>>,
    /// Objects whose address went outside.
    pub(crate) exposed: Arc<Bits>,
    /// Members, by the tag of their record and their offset, that became dynamic somewhere; only under
    /// [`crate::Structure::PerField`].
    pub(crate) fields: Arc<BTreeMap<(String, i64), CauseId>>,
    /// Something was written to memory outside: pointers there may be others than at the beginning.
    pub(crate) outside_written: bool,
}

impl Store {
    pub(crate) fn get(&self, object: ObjectId) -> Option<&Arc<Content>> {
        let at = object.0 as usize;
        self.pages.get(at / PAGE)?.as_ref()?[at % PAGE].as_ref()
    }

    pub(crate) fn set(&mut self, object: ObjectId, content: Option<Arc<Content>>) {
        let at = object.0 as usize;
        if self.pages.len() <= at / PAGE {
            self.pages.resize(at / PAGE + 1, None);
        }
        let page = self.pages[at / PAGE].get_or_insert_with(Arc::default);
        Arc::make_mut(page)[at % PAGE] = content;
    }

    /// The objects in it.
    pub(crate) fn objects(&self) -> impl Iterator<Item = ObjectId> + '_ {
        let pages = self.pages.iter().enumerate().filter_map(|(number, page)| Some((number, page.as_ref()?)));
        pages.flat_map(|(number, page)| {
            let full = page.iter().enumerate().filter(|(_, content)| content.is_some());
            full.map(move |(at, _)| ObjectId(u32::try_from(number * PAGE + at).unwrap_or(u32::MAX)))
        })
    }

    /// Adds what holds on another way; true where that changed something.
    pub(crate) fn join(&mut self, other: &Store, absent: Absent<'_>, widen: bool) -> bool {
        let mut changed = false;
        for number in 0..self.pages.len().max(other.pages.len()) {
            let (left, right) = (self.pages.get(number), other.pages.get(number));
            let (left, right) = (left.and_then(Option::as_ref), right.and_then(Option::as_ref));
            if left.is_none() && right.is_none() || left.zip(right).is_some_and(|(l, r)| Arc::ptr_eq(l, r)) {
                continue;
            }
            for at in 0..PAGE {
                let object = ObjectId(u32::try_from(number * PAGE + at).unwrap_or(u32::MAX));
                changed |= self.join_object(object, other, absent, widen);
            }
        }
        if other.outside_written && !self.outside_written {
            self.outside_written = true;
            changed = true;
        }
        if !Arc::ptr_eq(&self.exposed, &other.exposed) && *self.exposed != *other.exposed {
            changed |= Arc::make_mut(&mut self.exposed).add_all(&other.exposed);
        }
        if !Arc::ptr_eq(&self.fields, &other.fields) {
            for (field, cause) in other.fields.iter() {
                if !self.fields.contains_key(field) {
                    Arc::make_mut(&mut self.fields).insert(field.clone(), *cause);
                    changed = true;
                }
            }
        }
        changed
    }

    fn join_object(&mut self, object: ObjectId, other: &Store, absent: Absent<'_>, widen: bool) -> bool {
        let (left, right) = (self.get(object).cloned(), other.get(object).cloned());
        if left.is_none() && right.is_none() {
            return false;
        }
        let known = left.is_some();
        let left = left.or_else(|| absent(object, self));
        let right = right.or_else(|| absent(object, other));
        let joined = match (&left, &right) {
            (Some(left), Some(right)) if Arc::ptr_eq(left, right) => None,
            (Some(left), Some(right)) => {
                let joined = left.join(right, widen);
                (joined != **left).then(|| Arc::new(joined))
            }
            (None, right) => right.clone(),
            (Some(_), None) => None,
        };
        match joined {
            Some(joined) => {
                self.set(object, Some(joined));
                true
            }
            None => {
                if !known {
                    self.set(object, left);
                }
                false
            }
        }
    }
}

/// A program point's whole state.
#[derive(Clone, Debug)]
pub(crate) struct State {
    /// By the number of the local.
    pub(crate) registers: Vec<Value>,
    pub(crate) store: Store,
}

impl State {
    /// As [`Store::join`].
    pub(crate) fn join(&mut self, other: &State, absent: Absent<'_>, widen: bool) -> bool {
        let mut changed = self.store.join(&other.store, absent, widen);
        for (register, value) in self.registers.iter_mut().zip(&other.registers) {
            let joined = register.join(value, widen);
            if joined != *register {
                *register = joined;
                changed = true;
            }
        }
        changed
    }
}
