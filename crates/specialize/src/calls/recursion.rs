//! Recursion that may have no end: where a residual test governs it, and when the variants of a function are too many.
//!
//! In: a call of a function that is open already. Out: whether it is unfolded once more, as for layers that each call the next one through the same
//! function; else it is called. In: a new entry of a function, with all variants that there are. Out: nothing, or knowledge that the function does
//! without, and a restart.

use core_c::{Argument, FunctionId};

use crate::calls::variants::{Entry, EntryGeneralization, FunctionVariant, differing};
use crate::engine::{Engine, Interrupt, Step};
use crate::memory::Origin;
use crate::memory::snapshots::Snapshot;
use crate::values::value::{Pointer, Value};

/// How many variants there may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    /// Of one function, made one inside the other.
    open: usize,
    /// Of one function.
    all: usize,
}

impl Default for Room {
    fn default() -> Self {
        Room { open: 32, all: 256 }
    }
}

impl Room {
    /// Less, after runs that took too long; false where there is no less.
    pub(crate) fn shrink(&mut self) -> bool {
        let known = self.open;
        (self.open, self.all) = ((self.open / 4).max(1), (self.all / 4).max(4));
        self.open < known
    }
}

/// So many calls in a row, one inside the other, show what counts them.
const COUNTED: usize = 8;

/// Calls that are unfolded one inside the other though residual tests govern them, and all of them in a run: layers are few.
const NESTED: usize = 5;
const REENTRIES: usize = 64;

impl Engine<'_> {
    /// Recursion that a residual test governs need not end here. Where each call is given another known address, as of the next layer, it may; where it
    /// does not after some calls, all begins again without. Numbers that differ are depths and precedences more often than layers.
    pub(super) fn may_reenter(&mut self, function: FunctionId, arguments: &[Argument]) -> Step<bool> {
        if self.functions.recursive.contains(&function) {
            return Ok(false);
        }
        let mut given = Vec::new();
        for argument in arguments {
            if let Argument::Value(value) = argument {
                given.push(self.evaluate(value)?);
            }
        }
        let frames = &self.state.frames;
        let Some(first) = frames.iter().position(|frame| frame.function == function) else { return Ok(true) };
        // Of what was there before it all began, and is known by name.
        let is_old = |pointer: &Pointer| match self.state.memory.get(pointer.object).map(|object| object.origin) {
            Some(Origin::Local(chain, _)) => frames[first..].iter().all(|frame| frame.chain != chain),
            origin => !matches!(origin, None | Some(Origin::Pointee(_))),
        };
        let is_given = |value: &Value| match value {
            Value::Pointer(pointer) => is_old(pointer),
            other => matches!(other, Value::Function(_)),
        };
        let is_another = |before: &[Value]| {
            let mut pairs = before.iter().zip(&given);
            before.len() == given.len() && pairs.any(|(a, b)| is_given(a) && is_given(b) && a != b)
        };
        let open = frames.iter().filter(|frame| frame.function == function);
        let (nested, are_others) = (open.clone().count(), open.clone().all(|frame| is_another(&frame.given)));
        if !are_others {
            return Ok(false);
        }
        let count = self.reentries.entry(function).or_default();
        *count += 1;
        if nested > NESTED || *count > REENTRIES {
            self.functions.recursive.insert(function);
            return Err(Interrupt::RestartAll);
        }
        Ok(true)
    }

    /// Before a new variant is begun: where there may be no end of them, something is given up.
    pub(crate) fn bound_recursion(&mut self, function: FunctionId, entries: &[Entry], snapshot: &Snapshot) -> Step<()> {
        let list = || self.functions.list.iter().filter(|variant| variant.source == function);
        let open: Vec<&FunctionVariant> = list().filter(|variant| variant.residual.is_none()).collect();
        let mut lost = counters(function, &open, entries);
        // Without one that is open, this call is not a recursive one.
        let is_full = !open.is_empty() && list().count() >= self.functions.room.all;
        if lost.is_empty() && (is_full || open.len() >= self.functions.room.open) {
            let others = list().filter(|variant| open.len() < self.functions.room.open || variant.residual.is_none());
            let differences = others.map(|variant| {
                let lost = differing(function, &variant.entries, entries);
                (cost(&lost, [&variant.entries, entries]), lost)
            });
            let nearest = differences.filter(|(_, lost)| !lost.is_empty()).min_by_key(|(cost, _)| *cost);
            let nearest = nearest.map(|(_, lost)| lost);
            // The same addresses lead to more and more.
            let grows = open.iter().any(|variant| variant.snapshot != *snapshot && variant.has_entries(entries));
            match nearest.filter(|_| !grows) {
                Some(nearest) => lost = nearest,
                None if grows => {
                    self.functions.without_snapshot.extend((0..entries.len()).map(|at| (function, at)));
                    return Err(Interrupt::RestartAll);
                }
                None => return Ok(()),
            }
        }
        if lost.is_empty() {
            return Ok(());
        }
        let known = self.functions.general.len();
        self.functions.general.extend(lost);
        if self.functions.general.len() == known {
            return self.refuse("a recursive function whose calls cannot be made alike");
        }
        Err(Interrupt::RestartAll)
    }
}

/// What it costs to give knowledge up: addresses of programs, trees and functions say what is done next, numbers are data.
fn cost(lost: &[EntryGeneralization], entries: [&[Entry]; 2]) -> usize {
    const ADDRESS: usize = 64;
    let known: Vec<(Place, &Value)> = entries.into_iter().flat_map(known).collect();
    let is_address = |place: Place| {
        known.iter().any(|(at, value)| *at == place && matches!(value, Value::Pointer(_) | Value::Function(_)))
    };
    lost.iter().map(|(_, at, offset)| if is_address((*at, *offset)) { ADDRESS } else { 1 }).sum()
}

/// Numbers that have gone up or down by the same amount from call to call, beside something else that varies: depths, and room that
/// is left, as opposed to what leads the recursion.
fn counters(function: FunctionId, open: &[&FunctionVariant], entries: &[Entry]) -> Vec<EntryGeneralization> {
    let Some(first) = open.len().checked_sub(COUNTED) else { return Vec::new() };
    let calls: Vec<Vec<(Place, &Value)>> =
        open[first..].iter().map(|variant| &variant.entries[..]).chain([entries]).map(known).collect();
    let (mut counting, mut others) = (Vec::new(), 0);
    for (place, value) in calls.last().into_iter().flatten() {
        let values: Vec<Option<&Value>> =
            calls.iter().map(|call| call.iter().find(|known| known.0 == *place).map(|known| known.1)).collect();
        let steps: Vec<Option<i128>> = values.windows(2).map(|pair| step(pair[0], pair[1])).collect();
        if steps[0].is_some_and(|step| step != 0) && steps.iter().all(|step| *step == steps[0]) {
            counting.push((function, place.0, place.1));
        } else if values.iter().any(|other| *other != Some(*value)) {
            others += 1;
        }
    }
    if others > 0 { counting } else { Vec::new() }
}

/// A parameter, or an offset in what it points to.
type Place = (usize, Option<u64>);

fn known(entries: &[Entry]) -> Vec<(Place, &Value)> {
    let mut found = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        match entry {
            Entry::Known(value) => found.push(((at, None), value)),
            Entry::Pointer { cells, .. } | Entry::Structure(cells) => {
                found.extend(cells.iter().map(|(offset, cell)| ((at, Some(*offset)), &cell.value)));
            }
            Entry::Dynamic => {}
        }
    }
    found
}

fn step(before: Option<&Value>, now: Option<&Value>) -> Option<i128> {
    match (before?, now?) {
        (Value::Integer(before), Value::Integer(now)) => now.checked_sub(*before),
        _ => None,
    }
}
