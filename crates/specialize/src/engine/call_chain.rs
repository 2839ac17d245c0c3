//! Chains of calls: which function, called from where, called from where.

use std::collections::BTreeMap;

use core_c::{BlockId, FunctionId};

/// A chain of calls, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ChainId(pub(crate) u32);

impl ChainId {
    /// The root function itself.
    pub(crate) const ROOT: ChainId = ChainId(0);
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
pub(crate) struct CallChains {
    known: BTreeMap<(ChainId, CallSite), ChainId>,
}

impl CallChains {
    pub(crate) fn new() -> CallChains {
        CallChains { known: BTreeMap::new() }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u64 {
        self.known.len() as u64
    }

    /// The chain one call further.
    pub(crate) fn extend(&mut self, chain: ChainId, site: CallSite) -> ChainId {
        let next = ChainId(u32::try_from(self.known.len()).unwrap_or(u32::MAX - 1) + 1);
        *self.known.entry((chain, site)).or_insert(next)
    }
}
