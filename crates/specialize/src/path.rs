//! Chains of calls: which function, called from where, called from where.

use std::collections::BTreeMap;

use core_c::{BlockId, FunctionId};

/// A chain of calls, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PathId(pub(crate) u32);

impl PathId {
    /// The root function itself.
    pub(crate) const ROOT: PathId = PathId(0);
}

/// Where a call stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct CallSite {
    pub(crate) caller: FunctionId,
    pub(crate) block: BlockId,
    pub(crate) statement: usize,
    /// A call through a pointer reaches different functions.
    pub(crate) callee: FunctionId,
}

/// The chains met so far.
#[derive(Debug)]
pub(crate) struct Paths {
    known: BTreeMap<(PathId, CallSite), PathId>,
}

impl Paths {
    pub(crate) fn new() -> Paths {
        Paths { known: BTreeMap::new() }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u64 {
        self.known.len() as u64
    }

    /// The chain one call further.
    pub(crate) fn extend(&mut self, path: PathId, site: CallSite) -> PathId {
        let next = PathId(u32::try_from(self.known.len()).unwrap_or(u32::MAX - 1) + 1);
        *self.known.entry((path, site)).or_insert(next)
    }
}
