//! The residual function while it grows: blocks with parameters, so that each residual register is assigned once.
//! [`Residual::finish`] makes a Core C function of it: parameters that always get the same argument disappear, the
//! others become registers that are set before the jump.

use core_c::{
    Argument, Block, BlockId, Case, Expression, Function, Local, LocalId, LocalKind, Statement, Terminator, TypeId,
    Types,
};
use core_c::{ExpressionKind, StatementKind};
use la_arena::{Arena, RawIdx};
use source::Span;
use std::collections::{BTreeMap, BTreeSet};

use crate::engine::rewrite;

/// A residual block, by number.
pub(crate) type ResidualBlock = usize;

#[derive(Debug, Default)]
pub(crate) struct Residual {
    pub(crate) locals: Arena<Local>,
    pub(crate) parameters: Vec<LocalId>,
    pub(crate) blocks: Vec<Growing>,
    /// Over all blocks, for the budget.
    pub(crate) statements: usize,
    /// Registers that point to what is private from the function's beginning on.
    pub(crate) private: BTreeSet<LocalId>,
}

/// A block under construction.
#[derive(Debug, Default)]
pub(crate) struct Growing {
    pub(crate) parameters: Vec<LocalId>,
    pub(crate) statements: Vec<Statement>,
    pub(crate) end: Option<End>,
    /// Where the end stands in the source.
    pub(crate) span: Option<Span>,
}

/// How a residual block ends. Only jumps pass arguments; the targets of the others have one predecessor.
#[derive(Clone, Debug)]
pub(crate) enum End {
    Jump(ResidualBlock, Vec<LocalId>),
    Branch(Expression, ResidualBlock, ResidualBlock),
    Switch(Expression, Vec<(i128, i128, ResidualBlock)>, ResidualBlock),
    Return(Option<Argument>),
    Unreachable,
}

impl Residual {
    pub(crate) fn local(&mut self, name: &str, ty: TypeId, kind: LocalKind) -> LocalId {
        self.locals.alloc(Local { name: name.to_string(), ty, kind, alignment: 0, span: None })
    }

    pub(crate) fn block(&mut self) -> ResidualBlock {
        self.blocks.push(Growing::default());
        self.blocks.len() - 1
    }

    pub(crate) fn push(&mut self, block: ResidualBlock, statement: Statement) {
        self.statements += 1;
        self.blocks[block].statements.push(statement);
    }

    /// The finished function, with the head of `original`, and its private registers.
    pub(crate) fn finish(mut self, types: &mut Types, original: &Function) -> (Function, BTreeSet<LocalId>) {
        let replaced = self.constant_parameters();
        let follow = |local: LocalId| follow(&replaced, local);
        for block in &mut self.blocks {
            block.statements.iter_mut().for_each(|statement| rewrite::statement(statement, &follow));
            match &mut block.end {
                Some(End::Branch(value, ..) | End::Switch(value, ..)) => rewrite::expression(value, &follow),
                Some(End::Return(Some(value))) => rewrite::argument(value, &follow),
                _ => {}
            }
        }
        let blocks = self.core_blocks(types, &replaced);
        let private = self.private.iter().map(|register| follow(*register)).collect();
        let function =
            Function { parameters: self.parameters, locals: self.locals, blocks, refused: None, ..original.clone() };
        (function, private)
    }

    /// Block parameters that get one value from everywhere, and that value.
    fn constant_parameters(&self) -> BTreeMap<LocalId, LocalId> {
        let mut incoming: BTreeMap<LocalId, Vec<LocalId>> = BTreeMap::new();
        for block in &self.blocks {
            if let Some(End::Jump(target, arguments)) = &block.end {
                for (parameter, argument) in self.blocks[*target].parameters.iter().zip(arguments) {
                    incoming.entry(*parameter).or_default().push(*argument);
                }
            }
        }
        let mut replaced = BTreeMap::new();
        loop {
            let before = replaced.len();
            for (parameter, arguments) in &incoming {
                if replaced.contains_key(parameter) {
                    continue;
                }
                let mut sources: Vec<LocalId> = arguments.iter().map(|argument| follow(&replaced, *argument)).collect();
                sources.retain(|source| source != parameter);
                sources.dedup();
                if let [only] = sources[..] {
                    replaced.insert(*parameter, only);
                }
            }
            if replaced.len() == before {
                return replaced;
            }
        }
    }

    fn core_blocks(&mut self, types: &mut Types, replaced: &BTreeMap<LocalId, LocalId>) -> Arena<Block> {
        let id = |number: usize| BlockId::from_raw(RawIdx::from(u32::try_from(number).unwrap_or(u32::MAX)));
        let mut blocks = Arena::new();
        let ends: Vec<Option<End>> = self.blocks.iter().map(|block| block.end.clone()).collect();
        for (number, end) in ends.into_iter().enumerate() {
            let mut statements = std::mem::take(&mut self.blocks[number].statements);
            let end = match end {
                Some(End::Jump(target, arguments)) => {
                    let copies = self.copies(target, &arguments, replaced);
                    statements.extend(self.in_order(copies));
                    Terminator::Goto(id(target))
                }
                Some(End::Branch(condition, then, otherwise)) => {
                    Terminator::Branch { condition, then: id(then), otherwise: id(otherwise) }
                }
                Some(End::Switch(value, cases, default)) => {
                    let case = |(first, last, target)| Case { first, last, target: id(target) };
                    Terminator::Switch { value, cases: cases.into_iter().map(case).collect(), default: id(default) }
                }
                Some(End::Return(value)) => Terminator::Return(value),
                Some(End::Unreachable) | None => Terminator::Unreachable,
            };
            let span = self.blocks[number].span.filter(|_| !matches!(end, Terminator::Goto(_)));
            let mut block = Block { statements, end, span };
            core_c::traps::cut(types, &mut block);
            blocks.alloc(block);
        }
        blocks
    }

    /// What a jump has to assign: parameter, argument.
    fn copies(
        &self,
        target: ResidualBlock,
        arguments: &[LocalId],
        replaced: &BTreeMap<LocalId, LocalId>,
    ) -> Vec<(LocalId, LocalId)> {
        let parameters = self.blocks[target].parameters.iter().zip(arguments);
        parameters
            .filter(|(parameter, _)| !replaced.contains_key(parameter))
            .map(|(parameter, argument)| (*parameter, follow(replaced, *argument)))
            .filter(|(parameter, argument)| parameter != argument)
            .collect()
    }

    /// Assignments that happen at once, as assignments in an order; a cycle is broken by a temporary.
    fn in_order(&mut self, mut copies: Vec<(LocalId, LocalId)>) -> Vec<Statement> {
        let mut out = Vec::new();
        while !copies.is_empty() {
            let free = copies.iter().position(|(to, _)| copies.iter().all(|(_, from)| from != to));
            if let Some(at) = free {
                let (to, from) = copies.remove(at);
                out.push(self.set(to, from));
            } else {
                let (_, from) = copies[0];
                let ty = self.locals[from].ty;
                let name = self.locals[from].name.clone();
                let kept = self.local(&name, ty, LocalKind::Register);
                out.push(self.set(kept, from));
                copies.iter_mut().filter(|copy| copy.1 == from).for_each(|copy| copy.1 = kept);
            }
        }
        out
    }

    fn set(&self, to: LocalId, from: LocalId) -> Statement {
        let value = Expression { kind: ExpressionKind::Local(from), ty: self.locals[from].ty, span: None };
        Statement { kind: StatementKind::Set { local: to, value }, span: None }
    }
}

fn follow(replaced: &BTreeMap<LocalId, LocalId>, mut local: LocalId) -> LocalId {
    while let Some(next) = replaced.get(&local) {
        local = *next;
    }
    local
}
