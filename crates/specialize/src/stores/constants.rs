//! Variables that hold the same constants whenever they are read become `static const` objects.
//!
//! In: a residual function. Out: the same without the stores that built such a variable at each call. Why: an automaton, a compiled
//! pattern or a table that the specializer has computed is data; its stores would be repeated at run time, and a compiler cannot know
//! that they give the same each time. A forward analysis: what the variable holds where each block begins; each statement that may read
//! it has to find something known, and gets an object of that. Addresses may be lent to functions that only read ([`super::lent`]);
//! where registers keep one, all reads must find the same. Source: constant propagation over memory, Muchnick, "Advanced Compiler Design
//! and Implementation" (1997), 12.6, with one object as the value.

use std::collections::{BTreeMap, BTreeSet};

use core_c::graph::Graph;
use core_c::{
    Argument, BlockId, Callee, Expression, ExpressionKind, Function, FunctionId, GlobalId, Initial, LocalId, LocalKind,
    Place, PlaceBase, Program, Shape, StatementKind,
};

use super::bases::{Base, Bases, Spot};
use super::contents::{Contents, Part};
use super::{initial, lent, objects};
use crate::library::effects::Effects;
use crate::mutation;

/// Smaller variables are built by few instructions, in bytes.
const LEAST: u64 = 32;

/// Different contents that one variable may have.
const OBJECTS: usize = 8;

/// Bytes of contents over all blocks that one variable may take.
const WORK: u64 = 1 << 24;

/// The objects made for one root, and whether the address of each is taken: no other object may then be the same.
pub(crate) type Made = Vec<(GlobalId, bool)>;

/// A variable that is constant wherever it is read.
struct Found {
    local: LocalId,
    objects: Vec<Vec<Initial>>,
    /// Which of them each statement reads, by position in its block; the end of the block is the one after the last.
    reads: BTreeMap<(BlockId, usize), usize>,
    /// What builds the variable.
    building: BTreeSet<(BlockId, usize)>,
    is_addressed: bool,
}

/// Makes such objects of a function's variables.
pub(crate) fn share(program: &mut Program, effects: &Effects, id: FunctionId, made: &mut Made) {
    let function = &program.functions[id];
    let bases = Bases::of(program, function, &BTreeSet::new());
    let locals = function.locals.iter().map(|(local, _)| local);
    let found: Vec<Found> =
        locals.filter_map(|local| Variable::of(program, function, &bases, local)?.find(effects)).collect();
    let mut function = function.clone();
    let mut building = BTreeSet::new();
    for found in found {
        let Found { local, objects: contents, reads, is_addressed, .. } = found;
        let variable = (id, &function.locals[local]);
        let made_here: Vec<GlobalId> = contents
            .into_iter()
            .map(|initial| objects::object(program, variable, initial, is_addressed, made))
            .collect();
        for ((block, at), object) in reads {
            objects::rename(program, &mut function.blocks[block], at, local, made_here[object]);
        }
        building.extend(found.building);
    }
    for (id, block) in function.blocks.iter_mut() {
        let mut at = 0;
        block.statements.retain(|_| {
            at += 1;
            !building.contains(&(id, at - 1))
        });
    }
    program.functions[id] = function;
}

/// What a part is given.
enum What<'s> {
    Constant(&'s Expression),
    /// The same byte all over.
    Bytes(u8),
}

struct Variable<'a> {
    program: &'a Program,
    function: &'a Function,
    bases: &'a Bases<'a>,
    local: LocalId,
    /// In bytes.
    size: u64,
}

impl<'a> Variable<'a> {
    fn of(program: &'a Program, function: &'a Function, bases: &'a Bases<'a>, id: LocalId) -> Option<Variable<'a>> {
        let local = &function.locals[id];
        let size = program.types.size_of(local.ty)?;
        let is_plain = local.kind == LocalKind::Memory && !function.parameters.contains(&id);
        let is_small = size.checked_mul(function.blocks.len() as u64).is_some_and(|work| work <= WORK);
        (is_plain && size >= LEAST && is_small).then_some(Variable { program, function, bases, local: id, size })
    }

    /// What it holds wherever it is read; none where that is not constant.
    fn find(&self, effects: &Effects) -> Option<Found> {
        let base = Base::Local(self.local);
        let own = |kind: &StatementKind| self.own_write(kind).is_some();
        if !lent::is_only_read(self.program, effects, self.function, (self.bases, base), &own) {
            return None;
        }
        let before = self.before()?;
        let (mut objects, mut reads, mut building) = (Vec::new(), BTreeMap::new(), BTreeSet::new());
        for (id, start) in before {
            let block = &self.function.blocks[id];
            let mut contents = start;
            for (at, statement) in block.statements.iter().enumerate() {
                if self.builds(&statement.kind) {
                    building.insert((id, at));
                } else if self.reads(&statement.kind) {
                    reads.insert((id, at), number(&mut objects, &contents)?);
                }
                self.step(&statement.kind, &mut contents)?;
            }
            let in_value = block.end.expressions().into_iter().any(|value| self.is_mentioned(value));
            if in_value || block.end.place().is_some_and(|place| self.is_of(place)) {
                reads.insert((id, block.statements.len()), number(&mut objects, &contents)?);
            }
        }
        let is_single = objects.len() == 1 || !self.bases.is_in_register(base);
        let ty = self.function.locals[self.local].ty;
        let initial = objects.iter().map(|contents| initial::of(&self.program.types, ty, contents.held()?));
        let objects: Vec<Vec<Initial>> = initial.collect::<Option<_>>()?;
        let is_addressed = objects::is_addressed(self.function, self.local);
        (is_single && !objects.is_empty()).then_some(Found {
            local: self.local,
            objects,
            reads,
            building,
            is_addressed,
        })
    }

    /// What it holds where each block begins that is reached.
    fn before(&self) -> Option<BTreeMap<BlockId, Contents>> {
        let graph = Graph::of(self.function);
        let mut work: Vec<BlockId> = graph.order().take(1).collect();
        let mut before: BTreeMap<BlockId, Contents> = work.iter().map(|entry| (*entry, Contents::default())).collect();
        while let Some(block) = work.pop() {
            let mut contents = before.get(&block)?.clone();
            for statement in &self.function.blocks[block].statements {
                self.step(&statement.kind, &mut contents)?;
            }
            for next in graph.successors(block) {
                let met = before.get(&next).map_or_else(|| contents.clone(), |known| known.meet(&contents));
                if before.get(&next) != Some(&met) {
                    before.insert(next, met);
                    work.push(next);
                }
            }
        }
        Some(before)
    }

    /// Goes over a statement; none where what it leaves cannot be followed.
    fn step(&self, kind: &StatementKind, contents: &mut Contents) -> Option<()> {
        if matches!(kind, StatementKind::Begin { local, .. } if *local == self.local) {
            *contents = Contents::default();
        }
        let Some((part, what)) = self.own_write(kind) else { return Some(()) };
        let part = part.filter(|part| part.is_within(self.size))?;
        let is_followed = match what {
            What::Constant(value) => contents.put(&self.program.types, part, value),
            What::Bytes(byte) => contents.fill(part, byte, self.size),
        };
        is_followed.then_some(())
    }

    fn builds(&self, kind: &StatementKind) -> bool {
        matches!(kind, StatementKind::Begin { local, .. } if *local == self.local) || self.own_write(kind).is_some()
    }

    /// What a statement gives part of the variable that does nothing else; without the part where that is computed at run time.
    fn own_write<'s>(&self, kind: &'s StatementKind) -> Option<(Option<Part>, What<'s>)> {
        let (place, what) = match kind {
            StatementKind::Store { place, value } if is_constant(self.program, value) => (place, What::Constant(value)),
            StatementKind::Zero { place } => (place, What::Bytes(0)),
            StatementKind::Call { receiver: None, callee: Callee::Function(callee), arguments } => {
                return self.filled(&self.program.functions[*callee], arguments);
            }
            _ => return None,
        };
        let types = &self.program.types;
        let part = match self.bases.spot(place) {
            Spot::Bytes(base, range) if base == Base::Local(self.local) => Part::bytes(range, place.ty),
            _ if self.is_of(place) => Part::of(types, place),
            _ => return None,
        };
        (!place.volatile).then_some((part, what))
    }

    /// `memset` of part of it.
    fn filled(&self, callee: &Function, arguments: &[Argument]) -> Option<(Option<Part>, What<'static>)> {
        let is_it = matches!(callee.name.as_str(), "memset" | "__builtin_memset") && !callee.has_body();
        let [Argument::Value(to), Argument::Value(byte), Argument::Value(count)] = arguments else { return None };
        let (base, start) = self.bases.pointed_to(to).filter(|_| is_it)?;
        let (ExpressionKind::Integer(byte), ExpressionKind::Integer(count)) = (&byte.kind, &count.kind) else {
            return None;
        };
        let part = Part::bytes((start, start.checked_add(*count)?), self.function.locals[self.local].ty);
        (base == Base::Local(self.local)).then_some((part, What::Bytes(byte.to_le_bytes()[0])))
    }

    fn is_of(&self, place: &Place) -> bool {
        place.base == PlaceBase::Local(self.local)
    }

    /// True where a statement may look at it, or at its address, through which calls may read it.
    fn reads(&self, kind: &StatementKind) -> bool {
        kind.expressions().into_iter().any(|value| self.is_mentioned(value))
            || kind.places().into_iter().any(|(_, place)| self.is_of(place))
    }

    /// True where a value is loaded from it, is its address, or is made of that.
    fn is_mentioned(&self, value: &Expression) -> bool {
        let leads = |value: &Expression| self.bases.reached(value).contains(&Base::Local(self.local));
        value.any(&mut |part| match &part.kind {
            ExpressionKind::Load(place) | ExpressionKind::Address(place) => match &place.base {
                PlaceBase::Local(local) => *local == self.local,
                PlaceBase::Pointee(pointer) => leads(pointer),
                PlaceBase::Global(_) => false,
            },
            ExpressionKind::Local(_) => leads(part),
            _ => false,
        })
    }
}

/// The number of what is read, among what other reads find; none where paths differ in it, or there are too many.
fn number(objects: &mut Vec<Contents>, now: &Contents) -> Option<usize> {
    now.held()?;
    let is_it = |known: &Contents| known == now || mutation::forgets("constant-object");
    let known = objects.iter().position(is_it);
    if known.is_none() {
        objects.push(now.clone());
    }
    known.or((objects.len() <= OBJECTS).then_some(objects.len() - 1))
}

/// True for what an initial value may be.
fn is_constant(program: &Program, value: &Expression) -> bool {
    match &value.kind {
        ExpressionKind::Integer(_) | ExpressionKind::Float(_) | ExpressionKind::Function(_) => true,
        ExpressionKind::Address(place) => {
            let fixed = place.expressions().into_iter().all(|e| matches!(e.kind, ExpressionKind::Integer(_)));
            matches!(place.base, PlaceBase::Global(global) if !program.globals[global].thread_local) && fixed
        }
        ExpressionKind::Convert(inner) => {
            let is_pointer = |ty| matches!(program.types.shape_of(ty), Shape::Pointer(_));
            is_pointer(value.ty) && is_pointer(inner.ty) && is_constant(program, inner)
        }
        _ => false,
    }
}
