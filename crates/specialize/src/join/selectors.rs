//! Members whose numbers select what runs next or which element is meant: an interpreter's program counter, its stack's depth, a
//! state machine's state. In: a program. Out: members whose values go into an index, a `switch` or the address of a jump, however
//! they get there: by registers, other members, parameters and results. A merely counted or compared member is not among them.
//!
//! What such a member holds behind a caller's pointer is worth residual code of its own. A member is named by its name and its
//! offset: members of other structures that have both are taken for it, which costs code and is not wrong.
//! Source: binding-time improvements for interpreters in Jones, Gomard, Sestoft (1993), chapter 12.

use std::collections::{BTreeMap, BTreeSet};

use core_c::{Argument, Callee, Expression, ExpressionKind, Function, FunctionId, GlobalId, LocalId, Place, PlaceBase};
use core_c::{Program, Receiver, Shape, StatementKind, StepKind, Terminator, TypeId};

use crate::engine::Engine;
use crate::values::value::Pointer;

/// A member's name, and its offset in its structure.
pub(crate) type Member<'p> = (&'p str, u64);

/// Something that holds a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Holder<'p> {
    Local(FunctionId, LocalId),
    Global(GlobalId),
    Member(Member<'p>),
    Result(FunctionId),
}

/// What the numbers of each holder are computed from, and the holders that select.
#[derive(Debug, Default)]
struct Sources<'p> {
    of: BTreeMap<Holder<'p>, BTreeSet<Holder<'p>>>,
    selecting: BTreeSet<Holder<'p>>,
}

impl Engine<'_> {
    /// A place behind a pointer is loaded or stored: whether its number selects is remembered by where it stands, as states have it.
    pub(crate) fn note_selector(&mut self, place: &Place, pointer: Pointer) {
        // Numbers in the arguments of recursive functions are part of their variants' keys.
        if self.variant.is_some() {
            return;
        }
        if !self.is_private(pointer.object) {
            return;
        }
        let input = self.input;
        let known = self.selectors.get_or_insert_with(|| selectors(input));
        if member(place).is_some_and(|member| known.contains(&member))
            && let Ok(offset) = u64::try_from(pointer.offset)
        {
            self.selecting.insert(offset);
        }
    }
}

/// The members that select.
fn selectors(program: &Program) -> BTreeSet<Member<'_>> {
    let mut sources = Sources::default();
    let mut by_type: BTreeMap<TypeId, Vec<FunctionId>> = BTreeMap::new();
    for (id, function) in program.functions.iter().filter(|(_, function)| !function.blocks.is_empty()) {
        by_type.entry(function.ty).or_default().push(id);
    }
    for (id, function) in program.functions.iter() {
        sources.function((program, &by_type), id, function);
    }
    let mut waiting: Vec<Holder> = sources.selecting.iter().copied().collect();
    while let Some(holder) = waiting.pop() {
        let from = sources.of.get(&holder).into_iter().flatten();
        waiting.extend(from.filter(|source| sources.selecting.insert(**source)));
    }
    let member = |holder| if let Holder::Member(member) = holder { Some(member) } else { None };
    sources.selecting.into_iter().filter_map(member).collect()
}

/// The member that a place is, or of whose array it is an element.
fn member(place: &Place) -> Option<Member<'_>> {
    place.steps.iter().rev().find_map(|step| match &step.kind {
        StepKind::Field { name, offset, .. } => Some((name.as_str(), *offset)),
        StepKind::Index(_) => None,
    })
}

impl<'p> Sources<'p> {
    fn function(
        &mut self,
        (program, by_type): (&'p Program, &BTreeMap<TypeId, Vec<FunctionId>>),
        id: FunctionId,
        function: &'p Function,
    ) {
        for (_, block) in function.blocks.iter() {
            for statement in &block.statements {
                statement.kind.expressions().into_iter().for_each(|value| self.indices(id, value));
                statement.kind.places().into_iter().for_each(|(_, place)| self.indices_of(id, place));
                match &statement.kind {
                    StatementKind::Set { local, value } => self.add(Some(Holder::Local(id, *local)), (id, value)),
                    StatementKind::Store { place, value } => self.add(holder(id, place), (id, value)),
                    StatementKind::Call { receiver, callee, arguments } => {
                        let callees = match callee {
                            Callee::Function(callee) => std::slice::from_ref(callee),
                            Callee::Pointer(pointer) => {
                                let Shape::Pointer(ty) = program.types.shape_of(pointer.ty) else { continue };
                                by_type.get(ty).map_or(&[][..], Vec::as_slice)
                            }
                        };
                        for callee in callees {
                            self.call((program, *callee), id, (receiver.as_ref(), arguments));
                        }
                    }
                    _ => {}
                }
            }
            match &block.end {
                Terminator::Switch { value, .. } | Terminator::GotoAddress { address: value, .. } => {
                    self.indices(id, value);
                    self.selecting.extend(holders(id, value));
                }
                Terminator::Branch { condition: value, .. } => self.indices(id, value),
                Terminator::Return(Some(Argument::Value(value))) => {
                    self.indices(id, value);
                    self.add(Some(Holder::Result(id)), (id, value));
                }
                _ => {}
            }
        }
    }

    fn call(
        &mut self,
        (program, callee): (&'p Program, FunctionId),
        caller: FunctionId,
        (receiver, arguments): (Option<&'p Receiver>, &'p [Argument]),
    ) {
        for (parameter, argument) in program.functions[callee].parameters.iter().zip(arguments) {
            if let Argument::Value(value) = argument {
                self.add(Some(Holder::Local(callee, *parameter)), (caller, value));
            }
        }
        let to = match receiver {
            Some(Receiver::Register(local)) => Some(Holder::Local(caller, *local)),
            Some(Receiver::Object(place)) => holder(caller, place),
            None => None,
        };
        if let Some(to) = to {
            self.of.entry(to).or_default().insert(Holder::Result(callee));
        }
    }

    /// A holder gets a value.
    fn add(&mut self, to: Option<Holder<'p>>, (function, value): (FunctionId, &'p Expression)) {
        if let Some(to) = to {
            self.of.entry(to).or_default().extend(holders(function, value));
        }
    }

    /// What the indices and addresses within an expression are computed from selects.
    fn indices(&mut self, function: FunctionId, value: &'p Expression) {
        value.walk(&mut |part| {
            if let ExpressionKind::Load(place) | ExpressionKind::Address(place) = &part.kind {
                place.expressions().into_iter().for_each(|index| self.selecting.extend(holders(function, index)));
            }
        });
    }

    fn indices_of(&mut self, function: FunctionId, place: &'p Place) {
        for index in place.expressions() {
            self.indices(function, index);
            self.selecting.extend(holders(function, index));
        }
    }
}

/// Where a place's number is held, if that has a name.
fn holder(function: FunctionId, place: &Place) -> Option<Holder<'_>> {
    match (member(place), &place.base) {
        (Some(member), _) => Some(Holder::Member(member)),
        (None, PlaceBase::Local(local)) => Some(Holder::Local(function, *local)),
        (None, PlaceBase::Global(global)) => Some(Holder::Global(*global)),
        (None, PlaceBase::Pointee(_)) => None,
    }
}

/// What a value is computed from, but not what the places of its loads are found by.
fn holders(function: FunctionId, value: &Expression) -> Vec<Holder<'_>> {
    match &value.kind {
        ExpressionKind::Local(local) => vec![Holder::Local(function, *local)],
        ExpressionKind::Load(place) => holder(function, place).into_iter().collect(),
        ExpressionKind::Address(_) => Vec::new(),
        _ => value.children().into_iter().flat_map(|child| holders(function, child)).collect(),
    }
}
