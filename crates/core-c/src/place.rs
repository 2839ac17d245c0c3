//! Places: expressions that name an object or a part of one (C11's lvalues).

use crate::{Expression, GlobalId, LocalId, TypeId};

/// An object, or a part of one: where it starts, then the steps into it.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    pub base: PlaceBase,
    pub steps: Vec<Step>,
    /// The type of what the place holds.
    pub ty: TypeId,
    /// Accesses are effects of their own, to be kept in number and order.
    pub volatile: bool,
}

/// Where a place starts.
#[derive(Clone, Debug, PartialEq)]
pub enum PlaceBase {
    /// A local that lives in memory ([`crate::LocalKind::Memory`]).
    Local(LocalId),
    Global(GlobalId),
    /// What a pointer points to.
    Pointee(Box<Expression>),
}

/// One step into an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    pub kind: StepKind,
    /// The type of the part.
    pub ty: TypeId,
}

/// Which part.
#[derive(Clone, Debug, PartialEq)]
pub enum StepKind {
    /// A member of a structure or union; anonymous members are looked through.
    Field {
        name: String,
        /// From the start of the structure, in bytes; for a bit-field, of the first byte it touches.
        offset: u64,
        bits: Option<BitRange>,
    },
    /// An element of an array.
    Index(Box<Expression>),
}

/// A bit-field's bits, counted from the least significant bit of the byte at the step's offset (on a little-endian
/// target; from the most significant one on a big-endian target).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitRange {
    pub first: u32,
    pub width: u32,
}

impl Place {
    /// A whole local.
    pub fn local(local: LocalId, ty: TypeId) -> Place {
        Place { base: PlaceBase::Local(local), steps: Vec::new(), ty, volatile: false }
    }

    /// A whole global.
    pub fn global(global: GlobalId, ty: TypeId) -> Place {
        Place { base: PlaceBase::Global(global), steps: Vec::new(), ty, volatile: false }
    }

    /// What `pointer` points to, of type `ty`.
    pub fn pointee(pointer: Expression, ty: TypeId) -> Place {
        Place { base: PlaceBase::Pointee(Box::new(pointer)), steps: Vec::new(), ty, volatile: false }
    }

    /// The bits that the place takes, where it is a bit-field.
    pub fn bits(&self) -> Option<BitRange> {
        match self.steps.last().map(|step| &step.kind) {
            Some(StepKind::Field { bits, .. }) => *bits,
            _ => None,
        }
    }
}
