//! A function under construction: its blocks, locals and scopes.

use std::collections::{BTreeMap, BTreeSet};

use cast::Type;
use la_arena::{Arena, RawIdx};
use source::Span;

use super::jumps::{Exits, Switch};
use super::variable::{Length, in_core};
use super::{Context, Lowered, Meaning, refuse};
use crate::{
    BlockId, Expression, ExpressionKind, FunctionId, Local, LocalId, LocalKind, Place, Statement, StatementKind,
    Terminator, TypeId, Types,
};

/// A function while its statements are lowered; or, without a function, a constant initializer.
pub(super) struct Body<'c, 'a> {
    pub(super) context: &'c mut Context<'a>,
    pub(super) unit: usize,
    pub(super) function: Option<FunctionId>,
    /// Nothing can happen here: this is an initializer of static storage.
    pub(super) constant: bool,
    pub(super) locals: Arena<Local>,
    pub(super) blocks: Vec<OpenBlock>,
    /// Where statements go.
    pub(super) at: BlockId,
    /// The statement that is being lowered.
    pub(super) span: Option<Span>,
    pub(super) scopes: Vec<BTreeMap<String, Meaning>>,
    /// The names of variables that live in memory.
    pub(super) addressed: BTreeSet<String>,
    pub(super) labels: BTreeMap<String, BlockId>,
    /// The labels that a statement was seen for.
    pub(super) placed: BTreeSet<String>,
    /// The labels whose address is taken.
    pub(super) targets: BTreeSet<String>,
    /// Where `break` and `continue` go, innermost last.
    pub(super) exits: Vec<Exits>,
    pub(super) switches: Vec<Switch>,
    /// The lengths of arrays that were computed.
    pub(super) lengths: Vec<Length>,
}

/// A block that may still grow.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenBlock {
    pub(super) statements: Vec<Statement>,
    pub(super) end: Option<Terminator>,
    pub(super) span: Option<Span>,
}

impl<'c, 'a> Body<'c, 'a> {
    pub(super) fn new(context: &'c mut Context<'a>, unit: usize, function: Option<FunctionId>) -> Body<'c, 'a> {
        Body {
            context,
            unit,
            function,
            constant: function.is_none(),
            locals: Arena::default(),
            blocks: vec![OpenBlock::default()],
            at: block_id(0),
            span: None,
            scopes: vec![BTreeMap::new()],
            addressed: BTreeSet::new(),
            labels: BTreeMap::new(),
            placed: BTreeSet::new(),
            targets: BTreeSet::new(),
            exits: Vec::new(),
            switches: Vec::new(),
            lengths: Vec::new(),
        }
    }

    pub(super) fn types(&self) -> &Types {
        &self.context.program.types
    }

    pub(super) fn types_mut(&mut self) -> &mut Types {
        &mut self.context.program.types
    }

    /// A C type, as Core C has it.
    pub(super) fn ty(&mut self, ty: &Type) -> TypeId {
        match in_core(&self.types().table, ty) {
            Some(ty) => self.types_mut().intern(&ty),
            None => self.types_mut().intern(ty),
        }
    }

    /// True where nothing can happen: in an initializer of static storage.
    pub(super) fn is_constant_context(&self) -> bool {
        self.constant
    }

    /// What a name stands for here.
    pub(super) fn meaning(&self, name: &str) -> Option<Meaning> {
        let inner = self.scopes.iter().rev().find_map(|scope| scope.get(name));
        inner.or_else(|| self.context.units[self.unit].get(name)).copied()
    }

    pub(super) fn declare(&mut self, name: &str, meaning: Meaning) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_owned(), meaning);
        }
    }

    pub(super) fn emit(&mut self, kind: StatementKind) -> Lowered<()> {
        if self.is_constant_context() {
            return refuse("an initializer that is no constant");
        }
        let span = self.span;
        self.open_block().statements.push(Statement { kind, span });
        Ok(())
    }

    fn open_block(&mut self) -> &mut OpenBlock {
        let at = index(self.at);
        &mut self.blocks[at]
    }

    /// A block that nothing goes to yet.
    pub(super) fn block(&mut self) -> BlockId {
        self.blocks.push(OpenBlock::default());
        block_id(self.blocks.len() - 1)
    }

    /// Ends the current block; what follows stands in a block of its own that nothing goes to.
    pub(super) fn end(&mut self, end: Terminator) -> Lowered<()> {
        if self.is_constant_context() {
            return refuse("an initializer that is no constant");
        }
        let span = self.span;
        let block = self.open_block();
        block.end = Some(end);
        block.span = span;
        self.at = self.block();
        Ok(())
    }

    /// Control goes on in `block`, and what follows stands there.
    pub(super) fn enter(&mut self, block: BlockId) -> Lowered<()> {
        self.end(Terminator::Goto(block))?;
        self.at = block;
        Ok(())
    }

    /// A register without a name.
    pub(super) fn temporary(&mut self, ty: TypeId) -> LocalId {
        let span = self.span;
        self.locals.alloc(Local { name: String::new(), ty, kind: LocalKind::Register, alignment: 0, span })
    }

    /// An object without a name; its lifetime begins here.
    pub(super) fn temporary_object(&mut self, ty: TypeId) -> Lowered<Place> {
        let span = self.span;
        let local = self.locals.alloc(Local { name: String::new(), ty, kind: LocalKind::Memory, alignment: 0, span });
        self.emit(StatementKind::Begin { local, size: None })?;
        Ok(Place::local(local, ty))
    }

    /// Gives a register a value.
    pub(super) fn set(&mut self, local: LocalId, value: Expression) -> Lowered<()> {
        self.emit(StatementKind::Set { local, value })
    }

    /// The value as it is now, whatever happens later.
    pub(super) fn hold(&mut self, value: Expression) -> Lowered<Expression> {
        if !self.types().is_scalar(value.ty) {
            let place = self.temporary_object(value.ty)?;
            let span = value.span;
            self.emit(StatementKind::Store { place: place.clone(), value })?;
            let ty = place.ty;
            return Ok(Expression { kind: ExpressionKind::Load(Box::new(place)), ty, span });
        }
        let temporary = self.temporary(value.ty);
        let (ty, span) = (value.ty, value.span);
        self.set(temporary, value)?;
        Ok(Expression { kind: ExpressionKind::Local(temporary), ty, span })
    }

    /// What a register holds.
    pub(super) fn register(&self, local: LocalId) -> Expression {
        self.expression(ExpressionKind::Local(local), self.locals[local].ty)
    }

    pub(super) fn expression(&self, kind: ExpressionKind, ty: TypeId) -> Expression {
        Expression { kind, ty, span: self.span }
    }
}

pub(super) fn block_id(index: usize) -> BlockId {
    BlockId::from_raw(RawIdx::from(u32::try_from(index).unwrap_or(u32::MAX)))
}

pub(super) fn index(block: BlockId) -> usize {
    block.into_raw().into_u32() as usize
}
