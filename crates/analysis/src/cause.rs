//! Why values are dynamic: for every first change from static to dynamic, the edge that caused it.

use std::collections::BTreeMap;

use core_c::{FunctionId, LocalId};
use source::Span;

use crate::object::{ObjectName, StatementId};
use crate::variant::VariantId;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CauseId(u32);

/// What made a value dynamic, or led a dynamic value on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// A parameter of a root that the scenario does not declare static.
    Parameter(FunctionId, usize),
    /// A part of an object that the scenario describes, and not this part as static.
    Unstated(ObjectName),
    /// A global whose value nothing says when a root starts.
    Initially(ObjectName),
    /// It was read from memory outside the program.
    Outside,
    /// A function of which nothing is known gave it, or may have changed it.
    Unknown(Option<FunctionId>),
    /// A function that runs at run time gave it, or changed it.
    External(FunctionId),
    Volatile,
    Assembly,
    /// An expression that is not modelled.
    Opaque,
    /// The address it was read from is dynamic.
    ReadThrough,
    /// It was written through a dynamic address, which may point here.
    WrittenThrough(ObjectName),
    /// Memory outside may be this object, whose address went there.
    Alias(ObjectName),
    /// The number of an address, which is not known before run time.
    Address,
    /// Whether an allocation succeeds.
    Allocation,
    /// A dynamic value was stored here.
    Stored(Subject),
    /// It was passed for a parameter, by position.
    Passed(FunctionId, usize),
    Returned(FunctionId),
    /// It may have been changed in a call.
    Within(FunctionId),
    /// A number of elements or bytes is dynamic.
    Extent,
    /// The specializer asked for it, and says why.
    Generalized(String),
    /// The sensitivity that would keep it static is switched off.
    Insensitive(Insensitivity),
}

/// What a dynamic value was stored in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    Local(FunctionId, LocalId),
    /// A part of an object, by byte offset where it is one.
    Part(ObjectName, Option<i64>),
}

/// A sensitivity that is switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Insensitivity {
    Uses,
    Returns,
    Structure,
}

/// One edge: what happened where, and to what.
#[derive(Clone, Debug)]
pub struct Cause {
    /// None for what holds from the beginning.
    pub at: Option<(VariantId, StatementId)>,
    pub span: Option<Span>,
    pub reason: Reason,
    /// What made the value dynamic that was led on.
    pub from: Option<CauseId>,
}

/// All edges of an analysis. The first one of each kind at a statement stays.
#[derive(Clone, Debug, Default)]
pub(crate) struct Causes {
    list: Vec<Cause>,
    known: BTreeMap<(Option<(VariantId, StatementId)>, Reason), CauseId>,
}

impl Causes {
    pub(crate) fn note(&mut self, cause: Cause) -> CauseId {
        let key = (cause.at, cause.reason.clone());
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let id = CauseId(u32::try_from(self.list.len()).unwrap_or(u32::MAX));
        self.known.insert(key, id);
        self.list.push(cause);
        id
    }

    /// The edge of this kind at a statement.
    pub(crate) fn find(&self, at: (VariantId, StatementId), reason: Reason) -> Option<CauseId> {
        self.known.get(&(Some(at), reason)).copied()
    }

    pub(crate) fn get(&self, id: CauseId) -> Option<&Cause> {
        self.list.get(id.0 as usize)
    }
}
