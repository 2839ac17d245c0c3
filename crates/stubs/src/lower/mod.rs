//! PRES to PLAN: one walk over the nodes of every type, for every direction and every encoding.
//!
//! In: PRES_C and an encoding. Out: PLAN as stub compilers always wrote it, a check before each item; the passes
//! make it fast. Source: Flick (PLDI'97) section 2.3.

mod at_most_one;
pub(crate) mod facts;
pub(crate) mod images;
mod inline;
mod walk;

use pres::{Pres, PresC};

use crate::encodings::Encoding;
use crate::plan::{ArenaEntry, Direction, Op, Place, Plan, Routine, RoutineId};
use facts::Facts;
use walk::{ReleasePart, Walk};

/// Routines of every type of `pres`, in each direction.
pub fn lower(pres: &PresC, encoding: &dyn Encoding, strict: bool) -> Plan {
    let facts = Facts::new(pres, encoding);
    let mut plan = Plan::default();
    for (_, stub) in pres.types.iter() {
        plan.order.push(stub.name.clone());
        for direction in [Direction::Encode, Direction::Decode, Direction::Release] {
            let root = Place::root(stub.ty.clone());
            let mut walk = Walk::new(pres, encoding, &facts, (&stub.name, direction), strict, root.clone());
            let body = walk.node(stub.node, &root);
            let routine = Routine {
                // The routines of included types are written where their file's are.
                entry: if stub.imported { String::new() } else { stub.routine.clone() },
                is_array: stub.is_array,
                is_alias: !matches!(pres.nodes[stub.node].pres, Pres::Structure(_) | Pres::Union { .. }),
                ..routine(stub.ty.clone(), facts.owns_storage(stub.node), body)
            };
            plan.routines.insert(RoutineId { name: stub.name.clone(), direction }, routine);
            for part in walk.parts {
                let id = RoutineId { name: part.name.clone(), direction: Direction::Release };
                plan.routines.insert(id, release_part(pres, encoding, &facts, part));
            }
        }
    }
    for arena in &pres.arenas {
        arena_argument(pres, encoding, &facts, arena, &mut plan);
    }
    plan
}

/// The routines of an argument that is decoded into an arena: decode, and release in case storage is the heap's.
fn arena_argument(
    pres: &PresC,
    encoding: &dyn Encoding,
    facts: &Facts<'_>,
    arena: &pres::ArenaArgument,
    plan: &mut Plan,
) {
    for direction in [Direction::Decode, Direction::Release] {
        let root = Place::root(arena.ty.clone());
        let mut walk =
            Walk::new(pres, encoding, facts, (&arena.name, direction), pres.strict_enumerations, root.clone());
        let body = walk.node(arena.node, &root);
        let routine = Routine { is_alias: true, ..routine(arena.ty.clone(), facts.owns_storage(arena.node), body) };
        plan.routines.insert(RoutineId { name: arena.name.clone(), direction }, routine);
    }
    plan.arenas.push(ArenaEntry {
        structure: arena.name.clone(),
        entry: arena.routine.clone(),
        routine: arena.name.clone(),
        on_heap: facts.has_external(arena.node),
        members: arena.members.clone(),
    });
}

/// The routine that releases what hangs on one pointer of an object.
fn release_part(pres: &PresC, encoding: &dyn Encoding, facts: &Facts<'_>, part: ReleasePart) -> Routine {
    let root = Place::root(part.ty.clone());
    let mut walk = Walk::new(pres, encoding, facts, (&part.name, Direction::Release), false, root);
    let body = walk.node(part.node, &part.place);
    routine(part.ty, true, body)
}

/// A routine that no pass has seen, and that only others call.
fn routine(ty: cast::Type, owns_storage: bool, body: Vec<Op>) -> Routine {
    Routine {
        entry: String::new(),
        ty,
        is_array: false,
        is_alias: false,
        owns_storage,
        is_recursive: false,
        is_loop: false,
        is_internal: false,
        is_wide: false,
        entry_phase: 1,
        body,
    }
}
