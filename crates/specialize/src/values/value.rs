//! Values at specialization time: known, or standing in the residual program.

use core_c::{BlockId, Expression, ExpressionKind, FunctionId, GlobalId, LocalId, TypeId};

use crate::engine::call_chain::ChainId;

/// An object of the specialization-time memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ObjectId(pub(crate) u32);

/// Numbers from here on belong to globals, so that one global has one number in all runs.
const GLOBALS: u32 = 1 << 31;

/// Numbers from here to there belong to what a variant has a snapshot of.
const SNAPSHOTS: u32 = 1 << 30;

impl ObjectId {
    pub(crate) fn of_global(global: GlobalId) -> ObjectId {
        ObjectId(GLOBALS | u32::from(global.into_raw()))
    }

    pub(crate) fn of_snapshot(number: usize) -> ObjectId {
        ObjectId(SNAPSHOTS | u32::try_from(number).unwrap_or(SNAPSHOTS - 1))
    }

    pub(crate) fn snapshot(self) -> Option<usize> {
        (SNAPSHOTS..GLOBALS).contains(&self.0).then(|| (self.0 - SNAPSHOTS) as usize)
    }

    pub(crate) fn global(self) -> Option<GlobalId> {
        (self.0 >= GLOBALS).then(|| GlobalId::from_raw((self.0 - GLOBALS).into()))
    }
}

/// An address: an object and a displacement, in bytes. The object's own address may be known only to the residual
/// program, so that `buffer + 4` stays computable on an unknown buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Pointer {
    pub(crate) object: ObjectId,
    pub(crate) offset: i64,
    /// The member array that it was taken in, where that is not all of the object: it does not leave it (C11 section 6.5.6).
    pub(crate) array: Option<Bytes>,
}

impl Pointer {
    /// An object's own address.
    pub(crate) fn to(object: ObjectId) -> Pointer {
        Pointer { object, offset: 0, array: None }
    }

    /// The same so many bytes on; who leaves the array, by a cast to `char *` say, may be anywhere in the object.
    pub(crate) fn moved(self, by: i64) -> Option<Pointer> {
        let offset = self.offset.checked_add(by)?;
        Some(Pointer { offset, array: self.array.filter(|array| array.reach(offset)), ..self })
    }
}

/// Bytes of an object, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Bytes {
    pub(crate) from: u64,
    pub(crate) size: u64,
}

impl Bytes {
    /// True where some byte is one of both.
    pub(crate) fn meets(self, other: Bytes) -> bool {
        self.from < other.from.saturating_add(other.size) && other.from < self.from.saturating_add(self.size)
    }

    /// True of an offset among them, or right behind.
    fn reach(self, offset: i64) -> bool {
        u64::try_from(offset).is_ok_and(|offset| offset >= self.from && offset - self.from <= self.size)
    }
}

/// What a register or a cell of memory holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    /// An integer or a null pointer, in the range of its type.
    Integer(i128),
    /// The bits of a binary32 or binary64.
    Float(u64),
    /// An address, also after conversion to an integer as wide as a pointer.
    Pointer(Pointer),
    Function(FunctionId),
    /// A label of a function.
    Label(FunctionId, BlockId),
    /// A list of variable arguments: the call whose arguments they are, and the number of the next one.
    Arguments(ChainId, usize),
    /// A register of the residual program, assigned once.
    Dynamic(LocalId),
    /// A residual expression that no register holds yet; never in memory or in a register.
    Tree(Box<Expression>),
    /// Indeterminate: reading it is left to the residual program.
    Undefined,
}

impl Value {
    /// True for what the specializer can compute with.
    pub(crate) fn is_known(&self) -> bool {
        !matches!(self, Value::Dynamic(_) | Value::Tree(_) | Value::Undefined)
    }

    pub(crate) fn pointer(&self) -> Option<Pointer> {
        if let Value::Pointer(pointer) = self { Some(*pointer) } else { None }
    }

    pub(crate) fn tree(kind: ExpressionKind, ty: TypeId) -> Value {
        Value::Tree(Box::new(Expression { kind, ty, span: None }))
    }
}
