//! PLAN to CAST, for routines with rpcgen's ABI: `bool_t xdr_T(XDR *, T *)` on any XDR stream.
//!
//! In: a plan. Out: for each type a static function per direction that passes a cursor `at` through registers, and the
//! entry that users call. Everything a stream may do slowly is in the runtime.

mod access;
mod cdr;
mod counted;
mod decode;
mod encode;
mod entry;
mod external;
mod in_place;
mod message;
pub(crate) mod names;
mod prefixed;
mod release;
mod routine;
mod whole_run;
mod wide;

use std::collections::BTreeSet;

use cast::{Declaration, File, Function, Linkage};

use crate::encodings::ByteOrder;
use crate::plan::{Direction, Op, Plan, RoutineId};
use crate::runtime;
use crate::tables::Tables;
use names::Functions;
use routine::Emitter;

/// What shapes the emitted file.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What stands before everything: comment, includes, the user's lines.
    pub prologue: Vec<Declaration>,
    /// Names that locals must keep clear of.
    pub reserved: BTreeSet<String>,
    /// Depth at which decoding of recursive types fails, where it is not the default.
    pub max_depth: Option<u32>,
    pub conventions: Conventions,
    /// Other files call the wanted routines.
    pub exported: bool,
    /// What marshals the types that have no routines.
    pub tables: Tables,
}

/// What words look like, and how much of a value is believed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Conventions {
    pub order: ByteOrder,
    /// Words that stand for fewer values than they can say (booleans, numbers of 8 and 16 bits) say one of these; rpcgen's
    /// routines take what they are given.
    pub strict: bool,
    pub family: Family,
}

/// The part of the runtime that routines call, and with it the context that goes through them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Family {
    /// Streams of libtirpc, or packets: 4 bytes to a number that is no longer, unless order and size are the machine's.
    #[default]
    Stream,
    /// Messages in CDR.
    Cdr,
    /// Messages in XDR that are memory all at once, with storage as under CDR.
    Xdr,
}

impl Family {
    /// What stands in the names of its contexts and of the runtime's routines that work on the message.
    fn prefix(self) -> &'static str {
        match self {
            Family::Stream => "",
            Family::Cdr => "cdr_",
            Family::Xdr => "xdr_",
        }
    }
}

/// Routines, and what must stand around them.
#[derive(Default)]
pub(crate) struct Routines {
    /// Sections of the runtime that they use.
    pub(crate) used: BTreeSet<String>,
    /// Types that must have a size.
    assertions: BTreeSet<(String, u64)>,
    prototypes: Vec<Declaration>,
    bodies: Vec<Declaration>,
}

impl Routines {
    /// Assertions, prototypes, and functions.
    pub(crate) fn apart(self) -> (Vec<Declaration>, Vec<Declaration>, Vec<Declaration>) {
        let assertions = self.assertions.into_iter().map(|(ty, size)| assertion(&ty, size)).collect();
        (assertions, self.prototypes, self.bodies)
    }

    /// Assertions, prototypes, functions.
    pub(crate) fn declarations(self) -> Vec<Declaration> {
        let (mut declarations, prototypes, bodies) = self.apart();
        declarations.push(Declaration::Blank);
        declarations.extend(prototypes);
        declarations.extend(bodies);
        declarations
    }
}

/// The file of marshalling routines.
pub fn emit(plan: &Plan, options: &Options) -> File {
    let has_entry = |id: &RoutineId| {
        plan.routine(&id.name, Direction::Encode).is_some_and(|routine| !routine.entry.is_empty())
            || arena_routine(plan, id)
    };
    let functions = Functions::new(plan, &options.reserved);
    let mut routines = routines(plan, options, &functions, &has_entry, &mut |name, used| {
        entry::entries(plan, name, &options.reserved, &functions, used)
    });
    for arena in &plan.arenas {
        routines.bodies.extend(entry::arena_entry(arena, &options.reserved, &functions, &mut routines.used));
    }
    let mut declarations = Vec::new();
    let mut prologue = options.prologue.as_slice();
    if let [notice @ Declaration::Comment(_), rest @ ..] = prologue {
        declarations.extend([notice.clone(), Declaration::Blank]);
        prologue = rest;
    }
    if !options.tables.is_empty() {
        routines.used.insert("table_walk".to_string());
    }
    if !routines.used.is_empty() {
        declarations.extend(helpers(&routines.used, options.max_depth));
    }
    declarations.extend_from_slice(prologue);
    declarations.push(Declaration::Blank);
    declarations.extend(routines.declarations());
    declarations.extend(crate::tables::declarations(&options.tables, &options.reserved));
    File { declarations }
}

/// The routines that are wanted, and those that they call, type by type; `entries` says what follows those of a type.
pub(crate) fn routines(
    plan: &Plan,
    options: &Options,
    functions: &Functions,
    is_wanted: &dyn Fn(&RoutineId) -> bool,
    entries: &mut dyn FnMut(&str, &mut BTreeSet<String>) -> Vec<Declaration>,
) -> Routines {
    let mut routines = Routines::default();
    let called = called(plan);
    for (id, routine) in in_order(plan) {
        if id.direction == Direction::Release && !routine.owns_storage {
            continue;
        }
        let is_called = called.contains(&(id.name.clone(), id.direction));
        if !is_called && !is_wanted(id) {
            continue;
        }
        let mut emitter = Emitter::new(id, routine, &options.reserved, functions, options.conventions);
        let is_exported = options.exported && is_wanted(id);
        if is_exported {
            emitter.linkage = Linkage::Plain;
        }
        let function = emitter.function();
        let versions = emitter.versions(&function);
        routines.used.extend(emitter.used);
        routines.assertions.extend(emitter.assertions);
        if is_called || is_exported {
            routines.prototypes.push(Declaration::Prototype(Function { body: Vec::new(), ..function.clone() }));
        }
        routines.bodies.push(Declaration::Blank);
        routines.bodies.extend(versions.unwrap_or_else(|| vec![Declaration::Function(function)]));
        if id.direction == Direction::Release || !owns(plan, &id.name) && id.direction == Direction::Decode {
            routines.bodies.extend(entries(&id.name, &mut routines.used));
        }
    }
    routines
}

/// The runtime's text. It stands before the user's header, whose macros may have any name.
fn helpers(used: &BTreeSet<String>, max_depth: Option<u32>) -> Vec<Declaration> {
    let comment = "What follows, up to the next include of yours, is whittle's runtime (MIT-0).";
    let mut declarations = vec![Declaration::comment(comment), Declaration::system_include("rpc/rpc.h")];
    if let Some(depth) = max_depth {
        let value = Some(cast::build::unsigned(u64::from(depth)));
        declarations.push(Declaration::Define(cast::Definition { name: "WHITTLE_MAX_DEPTH".to_string(), value }));
    }
    declarations.extend([Declaration::Verbatim(runtime::sections(used)), Declaration::Blank]);
    declarations
}

/// The runtime's text for packets, which needs no library's header.
pub(crate) fn packet_helpers(text: String, max_depth: Option<u32>) -> Vec<Declaration> {
    let comment = "What follows, up to the next include of yours, is whittle's runtime (MIT-0).";
    let depth = max_depth.map(|depth| {
        let value = Some(cast::build::unsigned(u64::from(depth)));
        Declaration::Define(cast::Definition { name: "WHITTLE_MAX_DEPTH".to_string(), value })
    });
    let text = [Declaration::Verbatim(text), Declaration::Blank];
    std::iter::once(Declaration::comment(comment)).chain(depth).chain(text).collect()
}

/// A layout that runs rely on; true in every C ABI in use, and checked.
fn assertion(ty: &str, size: u64) -> Declaration {
    let actual = cast::build::sizeof_type(cast::Type::named(ty));
    let message = format!("{ty} is a run of words");
    Declaration::StaticAssert(cast::build::equal(actual, cast::build::unsigned(size)), message)
}

/// Whether an arena's entry calls the routine.
fn arena_routine(plan: &Plan, id: &RoutineId) -> bool {
    plan.arenas.iter().any(|arena| {
        arena.routine == id.name
            && (id.direction == Direction::Decode || id.direction == Direction::Release && arena.on_heap)
    })
}

fn owns(plan: &Plan, name: &str) -> bool {
    plan.routine(name, Direction::Release).is_some_and(|routine| routine.owns_storage)
}

/// Type by type as the header declares them; each type's release parts come before its other routines.
fn in_order(plan: &Plan) -> Vec<(&RoutineId, &crate::plan::Routine)> {
    let mut result = Vec::new();
    let part_prefix = |name: &str| format!("{name}.");
    let mut seen = BTreeSet::new();
    for name in &plan.order {
        let prefix = part_prefix(name);
        let own = plan.routines.range(RoutineId { name: prefix.clone(), direction: Direction::Encode }..);
        result.extend(own.take_while(|(id, _)| id.name.starts_with(&prefix)));
        for direction in [Direction::Encode, Direction::Decode, Direction::Release] {
            let id = RoutineId { name: name.clone(), direction };
            result.extend(plan.routines.get_key_value(&id));
        }
    }
    seen.extend(result.iter().map(|(id, _)| (*id).clone()));
    // Parts of structures that have a tag but no routine of their own.
    let rest: Vec<_> = plan.routines.iter().filter(|(id, _)| !seen.contains(id)).collect();
    rest.into_iter().chain(result).collect()
}

/// Routines that other routines refer to.
fn called(plan: &Plan) -> BTreeSet<(String, Direction)> {
    let mut found = BTreeSet::new();
    plan.routines.iter().for_each(|(id, routine)| refers(&routine.body, id.direction, &mut found));
    found
}

/// The routines that operations refer to.
fn refers(body: &[Op], direction: Direction, found: &mut BTreeSet<(String, Direction)>) {
    for op in body {
        match op {
            Op::Call { routine, .. } => {
                found.insert((routine.clone(), direction));
            }
            Op::Items { storage, .. }
            | Op::Optional { storage, .. }
            | Op::Again { storage, .. }
            | Op::Allocate { storage, .. }
            | Op::External { storage, .. } => {
                let released = storage.owner.iter().map(|(_, name)| name).chain(&storage.item);
                found.extend(released.map(|name| (name.clone(), Direction::Release)));
            }
            _ => {}
        }
        op.bodies().into_iter().for_each(|body| refers(body, direction, found));
    }
}

/// The names of the routines that operations refer to, behind those that are there.
pub(crate) fn mentions(body: &[Op], direction: Direction, names: &mut Vec<String>) {
    let mut found = BTreeSet::new();
    refers(body, direction, &mut found);
    names.extend(found.into_iter().map(|(name, _)| name));
}

/// The plan without the routines that none of the wanted ones needs.
pub(crate) fn needed(mut plan: Plan, is_wanted: &dyn Fn(&RoutineId) -> bool) -> Plan {
    let mut open: Vec<RoutineId> = plan.routines.keys().filter(|id| is_wanted(id)).cloned().collect();
    let mut needed = BTreeSet::new();
    while let Some(id) = open.pop() {
        let Some(routine) = plan.routines.get(&id).filter(|_| needed.insert(id.clone())) else { continue };
        let mut found = BTreeSet::new();
        refers(&routine.body, id.direction, &mut found);
        open.extend(found.into_iter().map(|(name, direction)| RoutineId { name, direction }));
    }
    plan.routines.retain(|id, _| needed.contains(id));
    plan
}

/// Linkage of everything but the entries.
const INTERNAL: Linkage = Linkage::Static;
