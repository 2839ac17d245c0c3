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
mod lines;
mod message;
pub(crate) mod names;
mod prefixed;
mod release;
mod routine;
mod whole_run;
mod wide;

use std::collections::{BTreeMap, BTreeSet};

use cast::{Declaration, File, Function, Linkage, Statement, Type};
use pres::Lines;

use crate::by_calls::ByCalls;
use crate::encodings::ByteOrder;
use crate::plan::references::references;
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
    /// The user's lines among the types.
    pub lines: Lines,
    /// Names that locals must keep clear of.
    pub reserved: BTreeSet<String>,
    /// Those of them that are macros.
    pub macros: BTreeSet<String>,
    /// Those of them that the description defines.
    pub declared: BTreeSet<String>,
    /// Depth at which decoding of recursive types fails, where it is not the default.
    pub max_depth: Option<u32>,
    pub conventions: Conventions,
    /// Other files call the wanted routines.
    pub exported: bool,
    /// What marshals the types that have no routines.
    pub tables: Tables,
    /// What stands in place of all that where the library has no operations of streams.
    pub by_calls: ByCalls,
}

/// What words look like, and how much of a value is believed.
#[derive(Clone, Debug, Default)]
pub struct Conventions {
    pub order: ByteOrder,
    /// Words that stand for fewer values than they can say (booleans, numbers of 8 and 16 bits) say one of these; rpcgen's
    /// routines take what they are given.
    pub strict: bool,
    pub family: Family,
    /// What releases managed storage, where the style has any ([`pres::PresC::managed_release`]).
    pub managed_release: String,
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
    /// The same by function.
    measured: BTreeMap<String, BTreeSet<(String, u64)>>,
    prototypes: Vec<Declaration>,
    bodies: Vec<Declaration>,
    /// Where the prototypes and the functions of each type begin.
    marks: Vec<Mark>,
}

/// Where the prototypes and the functions of a type begin.
struct Mark {
    name: String,
    prototypes: usize,
    bodies: usize,
}

impl Routines {
    /// Assertions stand in the functions that rely on them, since types may be declared under conditions.
    fn measure_inside(&mut self) {
        self.assertions.clear();
        for declaration in &mut self.bodies {
            let Declaration::Function(function) = declaration else { continue };
            let Some(measured) = self.measured.get(&function.name) else { continue };
            let at = function.body.iter().take_while(|s| matches!(s, Statement::Declare(_))).count();
            let assertions = measured.iter().map(|(ty, size)| {
                let is_so = cast::build::equal(cast::build::sizeof_type(Type::named(ty)), cast::build::unsigned(*size));
                Statement::Expression(cast::build::call("WHITTLE_ASSERT", vec![is_so], Type::Void))
            });
            function.body.splice(at..at, assertions.collect::<Vec<_>>());
            self.used.insert("assert".to_string());
        }
    }

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
    let functions = Functions::of_streams(plan, &options.reserved);
    let tables = crate::tables::emitted(&options.tables);
    let is_nested = options.tables.walk().calls() || calls_by_entry(plan);
    let mut routines = routines(plan, options, &functions, &has_entry, &mut |name, used| {
        entry::entries(plan, name, is_nested, &options.reserved, &functions, used)
    });
    routines.measure_inside();
    for arena in &plan.arenas {
        routines.bodies.extend(entry::arena_entry(arena, &options.reserved, &functions, &mut routines.used));
    }
    let mut declarations: Vec<Declaration> = options
        .prologue
        .iter()
        .filter(|declaration| !matches!(declaration, Declaration::Verbatim(_)))
        .cloned()
        .collect();
    if !options.tables.is_empty() {
        routines.used.insert("table_walk".to_string());
    }
    if options.tables.walk().calls() {
        routines.used.insert("nesting".to_string());
    }
    if !routines.used.is_empty() {
        let helpers = helpers(&routines.used, !plan.arenas.is_empty(), options);
        declarations.extend(options.by_calls.runtime(helpers));
    }
    let mut own = lines::among(options, plan, &routines, &tables);
    own.iter_mut().for_each(declarations_first);
    declarations.extend(options.by_calls.among(own));
    File { declarations }
}

/// Routines call others by what users call, `xdr_T`.
fn calls_by_entry(plan: &Plan) -> bool {
    fn calls(body: &[Op]) -> bool {
        body.iter().any(|op| matches!(op, Op::External { .. }) || op.bodies().into_iter().any(calls))
    }
    plan.routines.values().any(|routine| calls(&routine.body))
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
    let called: BTreeSet<RoutineId> =
        plan.routines.iter().flat_map(|(id, routine)| references(&routine.body, id.direction)).collect();
    for (id, routine, root) in in_order(plan) {
        if routines.marks.last().is_none_or(|mark| mark.name != root) {
            let (prototypes, bodies) = (routines.prototypes.len(), routines.bodies.len());
            routines.marks.push(Mark { name: root.to_string(), prototypes, bodies });
        }
        if id.direction == Direction::Release && !routine.owns_storage {
            continue;
        }
        let is_called = called.contains(id);
        if !is_called && !is_wanted(id) {
            continue;
        }
        let mut emitter = Emitter::new(id, routine, &options.reserved, functions, options.conventions.clone());
        let is_exported = options.exported && is_wanted(id);
        if is_exported {
            emitter.linkage = Linkage::Plain;
        }
        let function = emitter.function();
        let versions = emitter.versions(&function);
        routines.used.extend(emitter.used);
        if !emitter.assertions.is_empty() {
            routines.measured.insert(function.name.clone(), emitter.assertions.clone());
        }
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

/// C89's order in a function's body.
pub(crate) fn declarations_first(declaration: &mut Declaration) {
    if let Declaration::Function(function) = declaration {
        function.body = cast::declarations_first(std::mem::take(&mut function.body));
    }
}

/// The runtime's text. It stands behind the user's header, which brings the library's; what the header's macros would change in
/// the text has its own meaning meanwhile.
fn helpers(used: &BTreeSet<String>, arenas: bool, options: &Options) -> Vec<Declaration> {
    let comment = "What follows, up to the next comment of this kind, is whittle's runtime (MIT-0).";
    let text = runtime::sections(used, &options.tables.walk());
    let names = runtime::Names { macros: &options.macros, reserved: &options.reserved, declared: &options.declared };
    let [before, after] = runtime::meanwhile(&text, &names);
    let mut declarations = vec![Declaration::comment(comment)];
    if let Some(depth) = options.max_depth {
        let value = Some(cast::build::unsigned(u64::from(depth)));
        let define = Declaration::Define(cast::Definition { name: "WHITTLE_MAX_DEPTH".to_string(), value });
        let condition = cast::Condition::undefined("WHITTLE_MAX_DEPTH");
        declarations.push(Declaration::Conditional(cast::Conditional {
            condition,
            then: vec![define],
            otherwise: Vec::new(),
        }));
    }
    declarations.extend(before.map(Declaration::Verbatim));
    let arenas = if arenas { ARENAS } else { NO_ARENAS };
    let text = if text.contains("WHITTLE_ARENAS") { format!("{arenas}{text}") } else { text };
    declarations.push(Declaration::Verbatim(text));
    declarations.extend(after.map(Declaration::Verbatim));
    declarations.extend([Declaration::comment("whittle's runtime ends here."), Declaration::Blank]);
    declarations
}

/// Before the runtime of a file in which nothing is decoded into an arena.
const NO_ARENAS: &str = "#ifndef WHITTLE_ARENAS\n#define WHITTLE_ARENAS 0\n#endif\n";

/// Before that of another file: helpers without arenas, of a file before it, would not do.
const ARENAS: &str = "#if defined(WHITTLE_ARENAS) && !WHITTLE_ARENAS\n\
    #error \"include this file, made with --server-arena, before those made without\"\n#endif\n";

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

/// Type by type as the header declares them, with the type's name; each type's release parts come before its other routines.
fn in_order(plan: &Plan) -> Vec<(&RoutineId, &crate::plan::Routine, &str)> {
    let mut result = Vec::new();
    let mut seen = BTreeSet::new();
    for name in &plan.order {
        let prefix = format!("{name}.");
        let own = plan.routines.range(RoutineId { name: prefix.clone(), direction: Direction::Encode }..);
        let own = own.take_while(|(id, _)| id.name.starts_with(&prefix));
        result.extend(own.map(|(id, routine)| (id, routine, name.as_str())));
        for direction in [Direction::Encode, Direction::Decode, Direction::Release] {
            let id = RoutineId { name: name.clone(), direction };
            result.extend(plan.routines.get_key_value(&id).map(|(id, routine)| (id, routine, name.as_str())));
        }
    }
    seen.extend(result.iter().map(|(id, ..)| (*id).clone()));
    // Parts of structures that have a tag but no routine of their own stand before the type that they are named after.
    for (id, routine) in plan.routines.iter().filter(|(id, _)| !seen.contains(id)).collect::<Vec<_>>().into_iter().rev()
    {
        let owner =
            plan.order.iter().filter(|name| id.name.starts_with(&format!("{name}_"))).max_by_key(|name| name.len());
        let root = owner.map_or("", String::as_str);
        let at = result.iter().position(|(.., of)| *of == root).unwrap_or(0);
        result.insert(at, (id, routine, root));
    }
    result
}

/// Linkage of everything but the entries.
const INTERNAL: Linkage = Linkage::Static;
