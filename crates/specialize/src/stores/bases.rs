//! Objects that a residual function has to itself, and which of its registers lead there.
//!
//! In: a function, and the registers that the scenario calls private. Out: which object a place is in, as far as that can
//! be distinguished from the place alone. A register that is loaded counts only if it comes out of a private object; whatever else
//! is loaded from there may be a second pointer to the same object.

use std::collections::{BTreeMap, BTreeSet};

use core_c::graph::Graph;
use core_c::{
    Argument, BlockId, Callee, Expression, ExpressionKind, Function, LocalId, LocalKind, Place, PlaceBase, Program,
    Receiver, Shape, StatementKind, StepKind, TypeId, Types,
};

use super::ranges::Range;

/// An object of which the function knows all that happens to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Base {
    /// A variable in memory.
    Local(LocalId),
    /// What a private pointer points to.
    Pointee(LocalId),
}

pub(super) type BaseSet = BTreeSet<Base>;

/// What of these objects a place may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    /// These bytes.
    Bytes(Base, Range),
    /// Any bytes of these; of those whose address is known elsewhere, too.
    Among(BaseSet),
    /// None of them.
    Elsewhere,
}

#[derive(Debug)]
pub(super) struct Bases<'a> {
    program: &'a Program,
    /// Private registers; where each was found, if that is in the object of another.
    private: BTreeMap<LocalId, Option<(LocalId, Range)>>,
    /// Objects that registers may lead to.
    leads: BTreeMap<LocalId, BaseSet>,
}

impl<'a> Bases<'a> {
    pub(super) fn of(program: &'a Program, function: &Function, named: &BTreeSet<LocalId>) -> Bases<'a> {
        let private = parameters(function, named).into_iter().map(|register| (register, None)).collect();
        let mut bases = Bases { program, private, leads: BTreeMap::new() };
        // What is loaded from one private object may be the address of the next.
        while let Some((register, from)) = bases.next_loaded(function, named) {
            bases.private.insert(register, Some(from));
        }
        bases.leads = bases.private.keys().map(|register| (*register, [Base::Pointee(*register)].into())).collect();
        while bases.follow(function) {}
        bases
    }

    /// A private register that is loaded from a private object, once, and from where no other one is.
    fn next_loaded(&self, function: &Function, named: &BTreeSet<LocalId>) -> Option<(LocalId, (LocalId, Range))> {
        let graph = Graph::of(function);
        let statements = || function.blocks.values().flat_map(|block| &block.statements);
        let placed = function.blocks.iter().flat_map(|(id, block)| block.statements.iter().map(move |one| (id, one)));
        placed.into_iter().find_map(|(block, statement)| {
            let StatementKind::Set { local, value } = &statement.kind else { return None };
            if !named.contains(local) || self.private.contains_key(local) || function.parameters.contains(local) {
                return None;
            }
            let ExpressionKind::Load(place) = &without_conversions(value).kind else { return None };
            let Spot::Bytes(Base::Pointee(from), range) = self.spot(place) else { return None };
            let is_set_once =
                statements().filter(|statement| statement.kind.written_register() == Some(*local)).count() == 1;
            let is_first = self.held(place).is_empty() && !place.volatile;
            (is_set_once && is_first && !comes_again(&graph, block)).then_some((*local, (from, range)))
        })
    }

    /// The objects whose address a place may hold, since it was found there.
    pub(super) fn held(&self, place: &Place) -> BaseSet {
        let held = |from: LocalId, range: Range| match self.spot(place) {
            Spot::Bytes(base, read) => base == Base::Pointee(from) && read.0 < range.1 && range.0 < read.1,
            Spot::Among(bases) => bases.contains(&Base::Pointee(from)),
            Spot::Elsewhere => false,
        };
        let found = self.private.iter().filter(|(_, from)| from.is_some_and(|(from, range)| held(from, range)));
        found.map(|(register, _)| Base::Pointee(*register)).collect()
    }

    /// Finds more registers that lead to an object; true where there was one.
    fn follow(&mut self, function: &Function) -> bool {
        let mut found = false;
        for statement in function.blocks.values().flat_map(|block| &block.statements) {
            let led = match &statement.kind {
                StatementKind::Set { value, .. } => self.reached(value),
                StatementKind::LoadVolatile { place, .. } => self.held(place),
                StatementKind::Call { receiver: Some(Receiver::Register(to)), callee, arguments } => {
                    match self.may_be_address(callee, function.locals[*to].ty) {
                        true => self.handed(arguments),
                        false => continue,
                    }
                }
                _ => continue,
            };
            if let Some(local) = statement.kind.written_register().filter(|_| !led.is_empty()) {
                let known = self.leads.entry(local).or_default();
                let before = known.len();
                known.extend(led);
                found |= known.len() > before;
            }
        }
        found
    }

    /// True where a call's result may be an address that it was given: no number of the library's functions is.
    fn may_be_address(&self, callee: &Callee, result: TypeId) -> bool {
        let is_of_library = matches!(callee, Callee::Function(callee) if !self.program.functions[*callee].has_body());
        match self.program.types.shape_of(result) {
            Shape::Float { .. } => false,
            Shape::Integer { bits, .. } => {
                !is_of_library && *bits >= 8 * u32::from(self.program.types.table.target.pointer)
            }
            _ => true,
        }
    }

    /// The objects whose address is in a value, or a number made of it.
    pub(super) fn reached(&self, value: &Expression) -> BaseSet {
        match &value.kind {
            ExpressionKind::Local(local) => self.leads.get(local).cloned().unwrap_or_default(),
            ExpressionKind::Address(place) => match &place.base {
                PlaceBase::Local(local) => [Base::Local(*local)].into(),
                PlaceBase::Global(_) => BaseSet::new(),
                PlaceBase::Pointee(pointer) => self.reached(pointer),
            },
            ExpressionKind::Load(place) => self.held(place),
            ExpressionKind::Binary(operator, ..) if operator.is_comparison() => BaseSet::new(),
            _ => value.children().into_iter().flat_map(|part| self.reached(part)).collect(),
        }
    }

    /// The objects whose addresses a call is given.
    pub(super) fn handed(&self, arguments: &[Argument]) -> BaseSet {
        let given = arguments.iter().map(|argument| match argument {
            Argument::Value(value) => self.reached(value),
            Argument::Object(place) => self.held(place),
        });
        given.flatten().collect()
    }

    /// What these objects hold the only address of, and so on: who has the one can get at the other.
    pub(super) fn behind(&self, bases: &mut BaseSet) {
        loop {
            let known = bases.len();
            let inner = self.private.iter().filter_map(|(register, from)| Some((*register, from.as_ref()?.0)));
            let inner: Vec<Base> = inner
                .filter(|(_, from)| bases.contains(&Base::Pointee(*from)))
                .map(|(register, _)| Base::Pointee(register))
                .collect();
            bases.extend(inner);
            if bases.len() == known {
                return;
            }
        }
    }

    /// True where a register may lead to an object.
    pub(super) fn is_in_register(&self, base: Base) -> bool {
        self.leads.values().any(|bases| bases.contains(&base))
    }

    /// What private registers point to.
    pub(super) fn pointees(&self) -> impl Iterator<Item = Base> + '_ {
        self.private.keys().map(|register| Base::Pointee(*register))
    }

    /// Where a place is.
    pub(super) fn spot(&self, place: &Place) -> Spot {
        let start = match &place.base {
            PlaceBase::Global(_) => return Spot::Elsewhere,
            PlaceBase::Local(local) => Some((Base::Local(*local), 0)),
            PlaceBase::Pointee(pointer) => self.pointed_to(pointer),
        };
        let start = start.filter(|_| place.bits().is_none());
        let bytes = start.and_then(|(base, start)| Some((base, extent(&self.program.types, place, start)?)));
        match (bytes, &place.base) {
            (Some((base, range)), _) => Spot::Bytes(base, range),
            (None, PlaceBase::Pointee(pointer)) => Spot::Among(self.reached(pointer)),
            (None, PlaceBase::Local(local)) => Spot::Among([Base::Local(*local)].into()),
            (None, PlaceBase::Global(_)) => Spot::Elsewhere,
        }
    }

    pub(super) fn pointed_to(&self, pointer: &Expression) -> Option<(Base, i128)> {
        match &pointer.kind {
            ExpressionKind::Local(local) => self.private.contains_key(local).then_some((Base::Pointee(*local), 0)),
            ExpressionKind::Convert(inner) if self.program.types.element(inner.ty).is_some() => self.pointed_to(inner),
            ExpressionKind::Address(place) => match self.spot(place) {
                Spot::Bytes(base, (start, _)) => Some((base, start)),
                _ => None,
            },
            ExpressionKind::Offset { pointer, count, negative } => {
                let ExpressionKind::Integer(count) = count.kind else { return None };
                let size =
                    self.program.types.element(pointer.ty).and_then(|element| self.program.types.size_of(element))?;
                let (base, start) = self.pointed_to(pointer)?;
                let by = count.checked_mul(i128::from(size))?;
                Some((base, if *negative { start.checked_sub(by)? } else { start.checked_add(by)? }))
            }
            _ => None,
        }
    }
}

/// Private parameters that keep their value.
fn parameters(function: &Function, named: &BTreeSet<LocalId>) -> Vec<LocalId> {
    let is_set = |local: LocalId| {
        let mut statements = function.blocks.values().flat_map(|block| &block.statements);
        statements.any(|statement| statement.kind.written_register() == Some(local))
    };
    let is_register = |local: &LocalId| function.locals[*local].kind == LocalKind::Register;
    let parameters = function.parameters.iter().copied().filter(|local| named.contains(local));
    parameters.filter(|local| is_register(local) && !is_set(*local)).collect()
}

/// True where a block may be executed more than once.
fn comes_again(graph: &Graph, block: BlockId) -> bool {
    let mut seen = BTreeSet::new();
    let mut open: Vec<BlockId> = graph.successors(block).collect();
    while let Some(next) = open.pop() {
        if seen.insert(next) {
            open.extend(graph.successors(next));
        }
    }
    seen.contains(&block)
}

fn without_conversions(value: &Expression) -> &Expression {
    match &value.kind {
        ExpressionKind::Convert(inner) => without_conversions(inner),
        _ => value,
    }
}

/// The bytes of a place in an object where it starts at `start`.
fn extent(types: &Types, place: &Place, start: i128) -> Option<Range> {
    let mut at = start;
    for step in &place.steps {
        at = at.checked_add(match &step.kind {
            StepKind::Field { offset, .. } => i128::from(*offset),
            StepKind::Index(index) => {
                let ExpressionKind::Integer(index) = index.kind else { return None };
                index.checked_mul(i128::from(types.size_of(step.ty)?))?
            }
        })?;
    }
    Some((at, at.checked_add(i128::from(types.size_of(place.ty)?))?))
}

/// The places that an expression loads from.
pub(super) fn loads<'a>(value: &'a Expression, look: &mut dyn FnMut(&'a Place)) {
    value.walk(&mut |part| {
        if let ExpressionKind::Load(place) = &part.kind {
            look(place);
        }
    });
}

/// The places that a statement reads, calls' and assemblies' effects aside.
pub(super) fn reads<'a>(statement: &'a StatementKind, look: &mut dyn FnMut(&'a Place)) {
    statement.expressions().into_iter().for_each(|value| loads(value, look));
    let read = statement.places().into_iter().filter(|(access, _)| *access == core_c::Access::Read);
    read.for_each(|(_, place)| look(place));
}
