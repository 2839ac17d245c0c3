//! Packets in an encoding by tags, protobuf: a packet is a message. In: PRES_C, the packets. Out: CAST: tables of what they hold and of their
//! fields, which the run time goes by; for each packet its functions and its constant. What releases packets is made from a plan, as in
//! the other encodings.

use std::collections::BTreeSet;

use cast::Declaration;
use cast::build::null;
use pres::{PresC, TypeStubId};

use super::functions::{self, routine};
use super::ranges::Ranges;
use super::{Options, Use, constants, made};
use crate::encodings::Native;
use crate::encodings::protobuf::{Largest, Protobuf, by_fields, table};
use crate::plan::{Direction, Plan};
use crate::values::Values;

/// What stands for a message of nothing but defaults.
const LEAST: u64 = 6;

pub(super) fn packets(
    pres: &PresC,
    uses: &[Use],
    (options, reserved): (&Options, &BTreeSet<String>),
    (ranges, used): (&mut Ranges, &mut BTreeSet<String>),
    after: &mut dyn FnMut(&str, &Plan),
) -> Vec<Declaration> {
    let stubs: Vec<TypeStubId> = uses.iter().map(|of| of.packet.stub).collect();
    let values = Values::of(pres, &Protobuf, &stubs);
    let largest = Largest::of(&values, &pres.field_numbers);
    // Where a value owns storage does not depend on its encoding.
    let released = (uses, &[Direction::Release][..]);
    let (made, sections) = made(pres, (&Native, "protobuf"), released, (options, reserved), after);
    used.extend(sections);
    used.extend(["packet_protobuf_write", "packet_protobuf_read"].map(str::to_string));
    let mut declarations = values.declarations(&Protobuf);
    declarations.extend(table(&values, &pres.field_numbers));
    declarations.extend(made.declarations.iter().cloned());
    for of in uses {
        let place = values.place(of.packet.stub);
        let release = made.release(&pres.types[of.packet.stub].name);
        let releasing = release.as_deref().map_or_else(null, routine);
        let (writing, reading) = ((by_fields(place), Vec::new()), (by_fields(place), vec![releasing]));
        declarations.extend(functions::around(of, "whittle_protobuf_", writing, reading, reserved));
        let most = largest.message_at(place).map_or(u64::from(options.unbounded), |most| most.max(LEAST));
        let valid = ranges.of_packet(of.packet);
        declarations.extend(constants::encoded(pres, of, (release.as_deref(), valid.as_deref()), most, reserved));
    }
    declarations
}
