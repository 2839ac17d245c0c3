//! Which variant of a function serves a call: one for each state it is called in, as far as it looks at it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use core_c::{FunctionId, LocalId};

use crate::lattice::{Content, State, Value};
use crate::object::{ObjectId, StatementId, object_id};
use crate::variant::{Variant, VariantId};

use super::{Engine, number};

/// The numbers that a function was called with, cell by cell.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers {
    seen: BTreeMap<Place, BTreeSet<i128>>,
    /// Cells whose numbers are no longer told apart.
    varied: BTreeSet<Place>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Argument(LocalId),
    /// The bits from the first to the second.
    Part(ObjectId, i64, i64),
}

impl Engine<'_> {
    /// The variant for a state at entry.
    pub(super) fn matching(&mut self, function: FunctionId, site: StatementId, entry: State) -> VariantId {
        let context = self.options.sensitivities.context;
        let caller = (context && self.scan.allocating.contains(&function)).then_some(site);
        let mut entry = entry;
        self.forget_numbers(function, &mut entry);
        if let Some(found) = self.find(function, caller, &entry) {
            return found;
        }
        if self.note_numbers(function, &entry) {
            self.forget_numbers(function, &mut entry);
            if let Some(found) = self.find(function, caller, &entry) {
                return found;
            }
        }
        if !context || self.is_full(function) {
            return self.general(function, entry);
        }
        self.add(Variant::new(function, caller, entry))
    }

    fn add(&mut self, variant: Variant) -> VariantId {
        let id = VariantId(u32::try_from(self.variants.len()).unwrap_or(u32::MAX));
        self.by_function.entry(variant.function).or_default().push(id);
        self.variants.push(variant);
        self.changes += 1;
        id
    }

    fn find(&self, function: FunctionId, caller: Option<StatementId>, entry: &State) -> Option<VariantId> {
        let known = self.by_function.get(&function)?;
        let fits = |id: &&VariantId| {
            let variant = &self.variants[id.index()];
            !variant.general && variant.caller == caller && self.serves(variant, entry)
        };
        known.iter().rev().find(fits).copied()
    }

    /// True where the variant's own entry state agrees with the other one in all that it looks at.
    fn serves(&self, variant: &Variant, entry: &State) -> bool {
        if variant.entry.registers != entry.registers {
            return false;
        }
        let (mine, theirs) = (&variant.entry.store, &entry.store);
        let fields = Arc::ptr_eq(&mine.fields, &theirs.fields) || mine.fields == theirs.fields;
        let reached = |object: usize| {
            let object = object_id(object);
            mine.get(object).is_some() == theirs.get(object).is_some()
                && self.is_exposed(mine, object) == self.is_exposed(theirs, object)
        };
        let touched = |object: usize| {
            let object = object_id(object);
            match (self.content(mine, object), self.content(theirs, object)) {
                (Some(mine), Some(theirs)) => {
                    Arc::ptr_eq(&mine, &theirs)
                        || mine == theirs
                        || *mine == self.forgetful(variant.function, object, &theirs)
                }
                (mine, theirs) => mine.is_none() && theirs.is_none(),
            }
        };
        fields
            && variant.touched.iter().all(|object| reached(object) && touched(object))
            && variant.reached.iter().all(reached)
    }

    /// The variant that serves every state: its own state grows.
    fn general(&mut self, function: FunctionId, entry: State) -> VariantId {
        let known = self.by_function.get(&function).cloned().unwrap_or_default();
        let Some(id) = known.into_iter().find(|id| self.variants[id.index()].general) else {
            let caller = None;
            return self.add(Variant { general: true, ..Variant::new(function, caller, entry) });
        };
        let mut joined = self.variants[id.index()].entry.clone();
        if self.join(&mut joined, &entry, true) {
            self.variant(id).entry = joined;
            self.changes += 1;
            self.dirty.entry(id).or_default();
        }
        id
    }

    /// True where as many variants of the function are in use as are told apart.
    fn is_full(&self, function: FunctionId) -> bool {
        let most = self.options.variants_most;
        let Some(known) = self.by_function.get(&function).filter(|known| known.len() >= most) else { return false };
        known.iter().filter(|id| self.variants[id.index()].used > 0).count() >= most
    }

    /// Notes what numbers the cells hold that matter to the function; true where a cell got too many.
    fn note_numbers(&mut self, function: FunctionId, entry: &State) -> bool {
        let known = self.by_function.get(&function).cloned().unwrap_or_default();
        let mut touched = crate::lattice::Bits::default();
        for id in &known {
            touched.add_all(&self.variants[id.index()].touched);
        }
        let mut found: Vec<(Place, i128)> = Vec::new();
        let states = known.iter().map(|id| &self.variants[id.index()].entry).chain([entry]);
        for state in states {
            for parameter in &self.program.functions[function].parameters {
                let number = state.registers.get(number(*parameter)).and_then(Value::number);
                found.extend(number.map(|number| (Place::Argument(*parameter), number)));
            }
            for object in touched.iter() {
                let object = object_id(object);
                let Some(content) = state.store.get(object) else { continue };
                for segment in &content.segments {
                    let place = Place::Part(object, segment.start, segment.end);
                    found.extend(segment.value.number().map(|number| (place, number)));
                }
            }
        }
        let most = self.options.numbers_most;
        let numbers = self.numbers.entry(function).or_default();
        let before = numbers.varied.len();
        for (place, number) in found {
            let seen = numbers.seen.entry(place).or_default();
            if seen.len() <= most {
                seen.insert(number);
            }
            if seen.len() > most {
                numbers.varied.insert(place);
            }
        }
        numbers.varied.len() > before
    }

    /// Drops the numbers that are no longer told apart.
    fn forget_numbers(&self, function: FunctionId, entry: &mut State) {
        let Some(numbers) = self.numbers.get(&function) else { return };
        for place in &numbers.varied {
            match place {
                Place::Argument(local) => {
                    if let Some(register) = entry.registers.get_mut(number(*local)) {
                        *register = register.without_number();
                    }
                }
                Place::Part(object, ..) => {
                    if let Some(content) = entry.store.get(*object).cloned() {
                        let forgetful = self.forgetful(function, *object, &content);
                        if forgetful != *content {
                            entry.store.set(*object, Some(Arc::new(forgetful)));
                        }
                    }
                }
            }
        }
    }

    fn forgetful(&self, function: FunctionId, object: ObjectId, content: &Content) -> Content {
        let mut content = content.clone();
        let Some(numbers) = self.numbers.get(&function) else { return content };
        for segment in &mut content.segments {
            if numbers.varied.contains(&Place::Part(object, segment.start, segment.end)) {
                segment.value = segment.value.without_number();
            }
        }
        content
    }
}
