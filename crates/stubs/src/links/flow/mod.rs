//! Packets of flows: a constant `struct whittle_flow_type` for each packet and encoding that travel together, and the functions
//! that it names.
//!
//! In: PRES_C, as `present::flow` makes it, and which packets travel in which encodings. Out: one C file. A packet whose
//! memory is what travels has no marshalling code: only `used`, which says how much of it there is, and `valid`, which
//! looks at booleans and ranges. All others are encoded and decoded, over memory that is all there, by the same walk and passes as
//! everything else. Source: Swint, Pu and others, "Infopipes: The ISL/ISG Implementation Evaluation", section 3 (one
//! structure per port, no copy); `docs/guides/describe-a-flow.md`.

mod constants;
mod fingerprint;
mod functions;
mod in_place;
mod layout;
mod ranges;
pub mod runtime;
mod tagged;

use std::collections::BTreeSet;

use cast::{Declaration, File, Storage, Type, Variable};
use pres::{Packet, PresC};
use source::Diagnostic;

use super::sizes::Sizes;
use crate::encodings::{ByteOrder, Encoding, protobuf};
use crate::lower::images::Images;
use crate::plan::references::needed;
use crate::plan::{Direction, Plan, RoutineId};
use crate::{emit, lower, passes, reserved};

pub use fingerprint::fingerprint;

/// No encoding aligns to more.
const LARGEST_ALIGNMENT: u64 = 8;

/// A packet and an encoding that it travels in.
#[derive(Clone, Copy)]
pub struct Use<'a> {
    pub packet: &'a Packet,
    pub encoding: &'static dyn Encoding,
}

/// What shapes the file.
#[derive(Clone, Debug)]
pub struct Options {
    /// Names of passes that are switched off.
    pub no_opt: Vec<String>,
    /// The depth at which decoding of recursive types fails; `None`: the runtime's 1,000.
    pub max_depth: Option<u32>,
    /// What the files that the prologue includes declare beside the types: nothing here is called so.
    pub reserved: BTreeSet<String>,
    /// What packets whose type has no bound may take on the wire, in bytes. Larger ones are at fault.
    pub unbounded: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options { no_opt: Vec::new(), max_depth: None, reserved: BTreeSet::new(), unbounded: 1 << 20 }
    }
}

/// The constant for a packet in an encoding: `whittle_Frame_native`.
pub fn constant(packet: &str, encoding: &str) -> String {
    format!("whittle_{packet}_{encoding}")
}

/// The schema beside it, a text that tools read: `whittle_Frame_native_schema`. Its lines are S-expressions: the encoding,
/// the packet, the types that it speaks of.
pub fn schema_constant(packet: &str, encoding: &str) -> String {
    format!("{}_schema", constant(packet, encoding))
}

/// The declarations of the constants and the schemas, for a header. They need `struct whittle_flow_type`.
pub fn declarations(uses: &[Use]) -> Vec<Declaration> {
    let external = |name: String, ty: Type| {
        Declaration::Variable(Variable { storage: Storage::Extern, name, ty, ..Variable::default() })
    };
    let both = |of: &Use| {
        let (packet, encoding) = (of.packet.name.as_str(), of.encoding.name());
        let text = Type::Array(Box::new(Type::CHAR.constant()), None);
        let schema = external(schema_constant(packet, encoding), text);
        [external(constant(packet, encoding), Type::structure("whittle_flow_type").constant()), schema]
    };
    distinct(uses).iter().flat_map(both).collect()
}

/// The C file that defines the constants. It begins with the prologue of `pres`, which must include the header of the types
/// and that of `struct whittle_flow_type`; what the runtime adds stands before these includes. `after` sees the plan of each
/// encoding, as lowered (`lower`) and after each pass, by the encoding's and the pass's names.
pub fn packets(pres: &PresC, uses: &[Use], options: &Options, after: &mut dyn FnMut(&str, &str, &Plan)) -> File {
    let uses = distinct(uses);
    let images = Images::of(pres);
    let mut reserved = reserved::names(pres);
    reserved.extend(options.reserved.iter().cloned());
    let mut used = BTreeSet::from(["attributes".to_string()]);
    let mut layouts = layout::Layouts::new(&images, &reserved);
    let mut ranges = ranges::Ranges::new(pres, &reserved);
    let mut bodies = Vec::new();
    let (in_place, encoded): (Vec<_>, Vec<_>) = uses
        .iter()
        .map(|of| (*of, in_place::in_place(pres, &images, of)))
        .partition(|(_, in_place)| in_place.is_some());
    let mut counted = BTreeSet::new();
    for (of, in_place) in in_place.iter().filter_map(|(of, in_place)| Some((of, in_place.as_ref()?))) {
        let in_range = ranges.of_packet(of.packet);
        // What lies in memory is the same for all encodings that leave it as it is.
        if counted.insert(&of.packet.name) {
            layouts.assert(pres, of.packet.stub, in_place);
            bodies.extend(functions::in_place(
                pres,
                of.packet,
                (in_place, in_range.as_deref()),
                &mut layouts,
                &mut used,
            ));
        }
        let valid = functions::valid(of.packet, in_place, in_range, &reserved);
        bodies.extend(constants::in_place(pres, of, in_place, valid.as_deref(), &layouts));
    }
    for encoding in crate::encodings::ALL {
        let here: Vec<Use> =
            encoded.iter().map(|(of, _)| *of).filter(|of| of.encoding.name() == encoding.name()).collect();
        if here.is_empty() {
            continue;
        }
        let mut after = |pass: &str, plan: &Plan| after(encoding.name(), pass, plan);
        let shaped = (options, &reserved);
        bodies.extend(if encoding.goes_by_place() {
            routines(pres, encoding, &here, shaped, (&mut ranges, &mut used), &mut after)
        } else {
            tagged::packets(pres, &here, shaped, (&mut ranges, &mut used), &mut after)
        });
    }
    let mut declarations = Vec::new();
    let mut prologue = pres.prologue.as_slice();
    if let [notice @ Declaration::Comment(_), rest @ ..] = prologue {
        declarations.extend([notice.clone(), Declaration::Blank]);
        prologue = rest;
    }
    declarations.extend(emit::packet_helpers(crate::runtime::packet_sections(&used), options.max_depth));
    declarations.extend_from_slice(prologue);
    declarations.push(Declaration::Blank);
    declarations.extend(layouts.declarations());
    declarations.extend(ranges.declarations());
    declarations.extend(bodies);
    File { declarations }
}

/// Whether a packet is sent as it lies in memory, without being encoded.
pub fn is_in_place(pres: &PresC, of: &Use) -> bool {
    in_place::in_place(pres, &Images::of(pres), of).is_some()
}

/// What a packet's encoding cannot say of it.
pub fn refused(pres: &PresC, of: &Use) -> Vec<Diagnostic> {
    if of.encoding.goes_by_place() { Vec::new() } else { protobuf::refused_of(pres, &[of.packet.stub]) }
}

/// Each once, in order.
fn distinct<'a>(uses: &[Use<'a>]) -> Vec<Use<'a>> {
    let mut seen = BTreeSet::new();
    let is_new = |of: &&Use| seen.insert((of.packet.name.clone(), of.encoding.name()));
    uses.iter().filter(is_new).copied().collect()
}

/// The routines of packets: the plan they are made of, their names, their C.
struct Made {
    plan: Plan,
    functions: emit::names::Functions,
    declarations: Vec<Declaration>,
}

impl Made {
    fn name(&self, type_name: &str, direction: Direction) -> String {
        self.functions.name(&RoutineId { name: type_name.to_string(), direction })
    }

    /// The routine that releases what a packet owns, if it owns anything.
    fn release(&self, type_name: &str) -> Option<String> {
        let owns = self.plan.routine(type_name, Direction::Release).is_some_and(|routine| routine.owns_storage);
        owns.then(|| self.name(type_name, Direction::Release))
    }
}

/// The routines of these packets in these directions, by the places that an encoding gives; `ending` ends their names.
fn made(
    pres: &PresC,
    (encoding, ending): (&dyn Encoding, &str),
    (uses, directions): (&[Use], &[Direction]),
    (options, reserved): (&Options, &BTreeSet<String>),
    after: &mut dyn FnMut(&str, &Plan),
) -> (Made, BTreeSet<String>) {
    let mut plan = lower::lower(pres, encoding, false);
    let names: BTreeSet<&str> = uses.iter().map(|of| pres.types[of.packet.stub].name.as_str()).collect();
    let is_wanted = |id: &RoutineId| names.contains(id.name.as_str()) && directions.contains(&id.direction);
    let family = family(encoding);
    for (id, routine) in &mut plan.routines {
        // These are no routines for libtirpc's streams.
        routine.entry.clear();
        routine.is_internal = !is_wanted(id);
        if family == emit::Family::Cdr {
            routine.body = crate::message::without_owners(std::mem::take(&mut routine.body));
            // Packets begin at position 0.
            routine.entry_phase = if is_wanted(id) { LARGEST_ALIGNMENT } else { 1 };
        }
    }
    after("lower", &plan);
    let plan = needed(passes::optimize(plan, &options.no_opt, after), &is_wanted);
    let functions = emit::names::Functions::ending(&plan, reserved, &format!("_{ending}"));
    let emitting = emit::Options {
        reserved: reserved.clone(),
        conventions: emit::Conventions {
            order: encoding.order(),
            strict: true,
            family,
            ..emit::Conventions::default()
        },
        ..emit::Options::default()
    };
    let routines = emit::routines(&plan, &emitting, &functions, &is_wanted, &mut |_, _| Vec::new());
    let (used, declarations) = (routines.used.clone(), routines.declarations());
    (Made { plan, functions, declarations }, used)
}

fn family(encoding: &dyn Encoding) -> emit::Family {
    if encoding.count_alignment() > 1 { emit::Family::Cdr } else { emit::Family::Stream }
}

/// The routines of all packets in one encoding, and their constants.
fn routines(
    pres: &PresC,
    encoding: &'static dyn Encoding,
    uses: &[Use],
    (options, reserved): (&Options, &BTreeSet<String>),
    (ranges, used): (&mut ranges::Ranges, &mut BTreeSet<String>),
    after: &mut dyn FnMut(&str, &Plan),
) -> Vec<Declaration> {
    let all = [Direction::Encode, Direction::Decode, Direction::Release];
    let (made, sections) = made(pres, (encoding, encoding.name()), (uses, &all), (options, reserved), after);
    used.extend(sections);
    let mut declarations = made.declarations.clone();
    let sizes = Sizes::of(pres, encoding);
    let is_stream = family(encoding) == emit::Family::Stream;
    for of in uses {
        used.extend(if is_stream { ["write", "read"] } else { ["cdr_write", "cdr_read"] }.map(str::to_string));
        let stub = &pres.types[of.packet.stub];
        let names = functions::Coding {
            encode: made.name(&stub.name, Direction::Encode),
            decode: made.name(&stub.name, Direction::Decode),
            release: made.release(&stub.name),
            is_host: is_stream.then_some(encoding.order() == ByteOrder::Host),
        };
        declarations.extend(functions::coding(of, &names, reserved));
        let largest = sizes.largest(of.packet.stub).unwrap_or(u64::from(options.unbounded));
        let valid = ranges.of_packet(of.packet);
        let looks = (names.release.as_deref(), valid.as_deref());
        declarations.extend(constants::encoded(pres, of, looks, largest, reserved));
    }
    declarations
}
