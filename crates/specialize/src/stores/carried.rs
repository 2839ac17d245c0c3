//! Parts of private objects that a loop reads and writes each round are carried in registers instead.
//!
//! In: a function and the objects that are its own. Out: the function with such parts loaded before the loop and stored at
//! its exits. Only parts that are accessed before the loop in any case are: they are there wherever the loop ends.

use std::collections::BTreeSet;

use core_c::graph::{Graph, Loops};
use core_c::{
    BinaryOperator, Block, BlockId, Expression, ExpressionKind, Function, Local, LocalId, LocalKind, Place, Program,
    Statement, StatementKind, Terminator, TypeId,
};

use super::bases::{Base, BaseSet, Bases, Spot, loads, reads};
use super::leaks::{Leaks, Manner};
use super::ranges::Range;

/// Part of an object, and how it is named.
#[derive(Clone, Debug)]
struct Part {
    base: Base,
    range: Range,
    ty: TypeId,
    place: Place,
}

impl Part {
    fn is(&self, base: Base, range: Range, ty: TypeId) -> bool {
        (self.base, self.range, self.ty) == (base, range, ty)
    }
}

/// True where something changed; the graph has changed, too, then.
pub(super) fn carry(program: &Program, function: &mut Function, bases: &Bases<'_>, leaks: &Leaks<'_>) -> bool {
    let graph = Graph::of(function);
    let loops = Loops::of(&graph);
    for round in loops.list.iter().rev() {
        let inside: BTreeSet<BlockId> = round.nodes.iter().copied().collect();
        let candidates =
            Candidates { program, function, bases, leaks, graph: &graph, header: round.header, inside: &inside };
        let Some(part) = candidates.find() else { continue };
        let start = candidates.start(&part);
        rewrite(function, bases, &part, (round.header, &inside), start);
        return true;
    }
    false
}

struct Candidates<'a> {
    program: &'a Program,
    function: &'a Function,
    bases: &'a Bases<'a>,
    leaks: &'a Leaks<'a>,
    graph: &'a Graph<Block>,
    header: BlockId,
    inside: &'a BTreeSet<BlockId>,
}

impl Candidates<'_> {
    /// A part that the loop stores, and accesses in no other way.
    fn find(&self) -> Option<Part> {
        let blocks = || self.inside.iter().map(|node| (*node, &self.function.blocks[*node]));
        let enters = self.graph.predecessors(self.header).any(|before| !self.inside.contains(&before));
        if !enters || blocks().any(|(_, block)| matches!(block.end, Terminator::GotoAddress { .. })) {
            return None;
        }
        let stored = blocks().flat_map(|(_, block)| &block.statements).filter_map(|statement| self.stored(statement));
        let mut parts: Vec<Part> = Vec::new();
        for part in stored {
            if !parts.iter().any(|known| known.is(part.base, part.range, part.ty)) {
                parts.push(part);
            }
        }
        parts.retain(|part| self.is_open(part));
        parts.into_iter().find(|part| !blocks().any(|(id, block)| self.is_seen(part, id, block)))
    }

    fn stored(&self, statement: &Statement) -> Option<Part> {
        let StatementKind::Store { place, .. } = &statement.kind else { return None };
        match self.bases.spot(place) {
            Spot::Bytes(base, range) if !place.volatile => {
                Some(Part { base, range, ty: place.ty, place: place.clone() })
            }
            _ => None,
        }
    }

    /// True where the loop may load the part before its first round, and store it after its last: it has been accessed
    /// before, and is the scenario's private object or has been stored.
    fn is_open(&self, part: &Part) -> bool {
        let is_part = |place: &Place| match self.bases.spot(place) {
            Spot::Bytes(base, range) => (base, range) == (part.base, part.range),
            _ => false,
        };
        let mut above = self.graph.dominator(self.header);
        while let Some(block) = above {
            for statement in &self.function.blocks[block].statements {
                let mut is_read = false;
                if matches!(part.base, Base::Pointee(_)) {
                    reads(&statement.kind, &mut |place| is_read |= is_part(place));
                }
                if is_read || matches!(&statement.kind, StatementKind::Store { place, .. } if is_part(place)) {
                    return true;
                }
            }
            above = self.graph.dominator(block);
        }
        false
    }

    /// True where a block accesses the part in a way that registers do not serve.
    fn is_seen(&self, part: &Part, id: BlockId, block: &Block) -> bool {
        let mut leaked = self.leaks.before(id);
        for statement in &block.statements {
            let before = leaked.clone();
            self.leaks.add(&statement.kind, &mut leaked);
            if self.is_seen_by(part, &statement.kind, &before, &leaked) {
                return true;
            }
        }
        let mut found = false;
        let mut look = |place: &Place| found |= self.is_other(part, place, &leaked);
        block.end.expressions().into_iter().for_each(|value| loads(value, &mut look));
        block.end.place().into_iter().for_each(&mut look);
        found
    }

    fn is_seen_by(&self, part: &Part, statement: &StatementKind, before: &BaseSet, after: &BaseSet) -> bool {
        let mut found = false;
        let mut look = |place: &Place| found |= self.is_other(part, place, before);
        match statement {
            StatementKind::Set { .. } | StatementKind::Store { .. } => {}
            StatementKind::Call { callee, .. } => {
                let may_end = self.leaks.manner(callee) == Manner::Unknown && matches!(part.base, Base::Pointee(_));
                if may_end || self.leaks.touched(statement, after).contains(&part.base) {
                    return true;
                }
            }
            StatementKind::Assembly { .. } => return true,
            StatementKind::Begin { local, .. } => return part.base == Base::Local(*local),
            StatementKind::Copy { .. } | StatementKind::Zero { .. } | StatementKind::LoadVolatile { .. } => {
                for (_, place) in statement.places() {
                    if self.is_near(part, place, before) {
                        return true;
                    }
                }
            }
        }
        let is_volatile = statement.places().into_iter().any(|(_, place)| place.volatile);
        reads(statement, &mut look);
        statement.places().into_iter().for_each(|(_, place)| look(place));
        found || (is_volatile && before.contains(&part.base))
    }

    /// True for a place that may share a byte with the part and is not the part itself.
    fn is_other(&self, part: &Part, place: &Place, leaked: &BaseSet) -> bool {
        match self.bases.spot(place) {
            Spot::Bytes(base, range) if part.is(base, range, place.ty) && !place.volatile => false,
            _ => self.is_near(part, place, leaked),
        }
    }

    fn is_near(&self, part: &Part, place: &Place, leaked: &BaseSet) -> bool {
        match self.bases.spot(place) {
            Spot::Bytes(base, range) => base == part.base && range.0 < part.range.1 && part.range.0 < range.1,
            Spot::Among(bases) => bases.contains(&part.base) || leaked.contains(&part.base),
            Spot::Elsewhere => false,
        }
    }

    /// What the part holds where the loop begins: what was stored last or is tested for, if that is plain to see.
    fn start(&self, part: &Part) -> Expression {
        let load = Expression { kind: ExpressionKind::Load(Box::new(part.place.clone())), ty: part.ty, span: None };
        let outside = |block: &BlockId| !self.inside.contains(block);
        let mut entering = self.graph.predecessors(self.header).filter(outside);
        let (Some(block), None) = (entering.next(), entering.next()) else { return load };
        self.last(part, block).unwrap_or(load)
    }

    /// What the part holds where a block ends.
    fn last(&self, part: &Part, mut block: BlockId) -> Option<Expression> {
        let mut set: Vec<LocalId> = Vec::new();
        let mut tests: Vec<(LocalId, &Expression)> = Vec::new();
        loop {
            let statements = &self.function.blocks[block].statements;
            let leaked = self.leaks.along(block, statements);
            for (at, statement) in statements.iter().enumerate().rev() {
                let found = match &statement.kind {
                    StatementKind::Store { place, value } if self.is_it(part, place) => Some(value),
                    StatementKind::Set { local, value } if self.is_load(part, value) => {
                        tests.iter().find(|(tested, _)| tested == local).map(|(_, value)| *value)
                    }
                    _ => None,
                };
                if let Some(value) = found {
                    return self.still(value, &set, part.ty);
                }
                if !self.is_left_alone(part, &statement.kind, &leaked[at], &leaked[at + 1]) {
                    return None;
                }
                if let Some(written) = statement.kind.written_register() {
                    set.push(written);
                    // What was tested is what was set here.
                    tests.retain(|(tested, _)| *tested != written);
                }
            }
            let mut before = self.graph.predecessors(block);
            let only = before.next().filter(|_| before.next().is_none())?;
            tests.extend(self.tested(only, block).filter(|(local, _)| !set.contains(local)));
            block = only;
        }
    }

    fn is_it(&self, part: &Part, place: &Place) -> bool {
        match self.bases.spot(place) {
            Spot::Bytes(base, range) => part.is(base, range, place.ty) && !place.volatile,
            _ => false,
        }
    }

    fn is_load(&self, part: &Part, value: &Expression) -> bool {
        matches!(&value.kind, ExpressionKind::Load(place) if self.is_it(part, place))
    }

    /// A register and what it is equal to where a test leads from one block to the next.
    fn tested(&self, from: BlockId, to: BlockId) -> Option<(LocalId, &Expression)> {
        let Terminator::Branch { condition, then, otherwise } = &self.function.blocks[from].end else { return None };
        let ExpressionKind::Binary(operator, left, right) = &condition.kind else { return None };
        let is_equal = match operator {
            BinaryOperator::Equal => *then == to && *otherwise != to,
            BinaryOperator::NotEqual => *otherwise == to && *then != to,
            _ => false,
        };
        let (ExpressionKind::Local(local), true) = (&self.address(left).kind, is_equal) else { return None };
        Some((*local, right))
    }

    /// A pointer without conversions to other types of pointers.
    fn address<'e>(&self, value: &'e Expression) -> &'e Expression {
        let is_pointer = |value: &Expression| self.program.types.element(value.ty).is_some();
        match &value.kind {
            ExpressionKind::Convert(inner) if is_pointer(value) && is_pointer(inner) => self.address(inner),
            _ => value,
        }
    }

    /// A value as one of a type, where it is still what it was and the types are as good as one.
    fn still(&self, value: &Expression, set: &[LocalId], ty: TypeId) -> Option<Expression> {
        let has_changed = value.any(&mut |one| match &one.kind {
            ExpressionKind::Local(local) => set.contains(local),
            ExpressionKind::Load(_) => true,
            _ => false,
        });
        if has_changed || value.ty == ty {
            return (!has_changed).then(|| value.clone());
        }
        let types = &self.program.types;
        let is_pointer = |ty: TypeId| types.element(ty).is_some();
        if is_pointer(ty) && is_pointer(value.ty) {
            return Some(Expression { kind: ExpressionKind::Convert(Box::new(value.clone())), ty, span: None });
        }
        (types.shape_of(ty) == types.shape_of(value.ty) && matches!(value.kind, ExpressionKind::Integer(_)))
            .then(|| Expression { ty, ..value.clone() })
    }

    fn is_left_alone(&self, part: &Part, statement: &StatementKind, before: &BaseSet, after: &BaseSet) -> bool {
        match statement {
            // Whether it comes back does not matter here, nor who reads.
            StatementKind::Call { .. } => !self.leaks.touched(statement, after).contains(&part.base),
            StatementKind::Set { .. } => true,
            StatementKind::Store { place, .. } => !self.is_near(part, place, before),
            _ => !self.is_seen_by(part, statement, before, after),
        }
    }
}

fn rewrite(
    function: &mut Function,
    bases: &Bases<'_>,
    part: &Part,
    (header, inside): (BlockId, &BTreeSet<BlockId>),
    start: Expression,
) {
    let local = Local { name: String::new(), ty: part.ty, kind: LocalKind::Register, alignment: 0, span: None };
    let register = function.locals.alloc(local);
    let is_part = |place: &Place| match bases.spot(place) {
        Spot::Bytes(base, range) => part.is(base, range, place.ty),
        _ => false,
    };
    let load = |value: &mut Expression| {
        value.walk_mut(&mut |one| {
            if matches!(&one.kind, ExpressionKind::Load(place) if is_part(place)) {
                one.kind = ExpressionKind::Local(register);
            }
        });
    };
    for id in inside {
        let block = &mut function.blocks[*id];
        for statement in &mut block.statements {
            statement.kind.expressions_mut().into_iter().for_each(load);
            if let StatementKind::Store { place, value } = &statement.kind
                && is_part(place)
            {
                statement.kind = StatementKind::Set { local: register, value: value.clone() };
            }
        }
        block.end.expressions_mut().into_iter().for_each(load);
    }
    enter(function, (header, inside), StatementKind::Set { local: register, value: start });
    let value = Expression { kind: ExpressionKind::Local(register), ty: part.ty, span: None };
    leave(function, inside, &StatementKind::Store { place: part.place.clone(), value });
}

/// Does something on the way into a loop.
fn enter(function: &mut Function, (header, inside): (BlockId, &BTreeSet<BlockId>), kind: StatementKind) {
    let before = added(function, kind, header);
    for (id, block) in function.blocks.iter_mut() {
        if !inside.contains(&id) && id != before {
            block.end.targets_mut().into_iter().filter(|target| **target == header).for_each(|target| *target = before);
        }
    }
}

/// Does something on each path out of a loop.
fn leave(function: &mut Function, inside: &BTreeSet<BlockId>, kind: &StatementKind) {
    for id in inside {
        for at in 0..function.blocks[*id].end.targets().len() {
            let target = function.blocks[*id].end.targets()[at];
            if !inside.contains(&target) {
                let after = added(function, kind.clone(), target);
                *function.blocks[*id].end.targets_mut()[at] = after;
            }
        }
    }
}

/// A new block that does one thing and goes on.
fn added(function: &mut Function, kind: StatementKind, target: BlockId) -> BlockId {
    let statements = vec![Statement { kind, span: None }];
    function.blocks.alloc(Block { statements, end: Terminator::Goto(target), span: None })
}
