//! A function as it is analysed for one state that it may be called in.

use std::collections::{BTreeMap, BTreeSet};

use core_c::{BlockId, FunctionId};

use crate::cause::CauseId;
use crate::lattice::{Bits, Content, State, Store, Value};
use crate::object::StatementId;

/// A variant of a function, or of a root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariantId(pub(crate) u32);

impl VariantId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Which ways were taken where a scenario says that a condition usually holds: states on different ways are not
/// joined. 0 is the way before all such places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Way(pub(crate) u32);

/// A variant while the analysis runs.
#[derive(Clone, Debug)]
pub(crate) struct Variant {
    pub(crate) function: FunctionId,
    /// The call that led here, for functions that allocate.
    pub(crate) caller: Option<StatementId>,
    pub(crate) entry: State,
    /// Joined from several states: it serves each state that is covered by its own.
    pub(crate) general: bool,
    /// Objects whose content at entry matters, or that are changed.
    pub(crate) touched: Bits,
    /// Objects of which it matters whether they can be reached from outside; their content at entry does not matter.
    pub(crate) reached: Bits,
    /// Memory outside is written, or code runs of which nothing is known: what else can be reached from outside is no
    /// longer known after a call.
    pub(crate) hit: Option<CauseId>,
    pub(crate) ran: Option<CauseId>,
    /// Calls that lead here.
    pub(crate) used: usize,
    pub(crate) before: BTreeMap<(BlockId, Way), State>,
    /// What holds anywhere in it: for analyses that are not flow-sensitive.
    pub(crate) whole: Option<State>,
    pub(crate) whole_changed: bool,
    pub(crate) exit: Option<Exit>,
    /// Something remains to be done at run time.
    pub(crate) residual: bool,
    /// Variants to be looked at again when this one changes.
    pub(crate) users: BTreeSet<VariantId>,
    /// Who is called where.
    pub(crate) calls: BTreeMap<(StatementId, FunctionId, Way), VariantId>,
    pub(crate) open: bool,
    pub(crate) seen: bool,
}

/// What a variant leaves behind, all its returns joined.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Exit {
    pub(crate) store: StoreChange,
    pub(crate) value: Option<Value>,
    pub(crate) object: Option<Content>,
}

/// The store at the end; compared object by object.
#[derive(Clone, Debug)]
pub(crate) struct StoreChange(pub(crate) Store);

impl PartialEq for StoreChange {
    fn eq(&self, other: &StoreChange) -> bool {
        let (left, right) = (&self.0, &other.0);
        left.exposed == right.exposed
            && left.fields == right.fields
            && left.outside_written == right.outside_written
            && left.objects().eq(right.objects())
            && left.objects().all(|object| left.get(object) == right.get(object))
    }
}

/// What callers see of a variant.
pub(crate) type Outline = (Option<Exit>, [Bits; 2], [bool; 3]);

impl Variant {
    pub(crate) fn seen_from_outside(&self) -> Outline {
        let sets = [self.touched.clone(), self.reached.clone()];
        (self.exit.clone(), sets, [self.residual, self.hit.is_some(), self.ran.is_some()])
    }

    pub(crate) fn new(function: FunctionId, caller: Option<StatementId>, entry: State) -> Variant {
        Variant {
            function,
            caller,
            entry,
            general: false,
            touched: Bits::default(),
            reached: Bits::default(),
            hit: None,
            ran: None,
            used: 0,
            before: BTreeMap::new(),
            whole: None,
            whole_changed: false,
            exit: None,
            residual: false,
            users: BTreeSet::new(),
            calls: BTreeMap::new(),
            open: false,
            seen: false,
        }
    }
}
