//! The presentation of flows: a packet is one C structure with everything inline, so that it can be sent as it lies.
//!
//! In: XIP, and the AOI of its imports. Out: PRES_C, whose header declares `struct T` and `T` for each packet; types of
//! imported files, of whichever language, keep rpcgen's presentation and their own header. Field by field, in the packet's order:
//!
//! | Spi | C |
//! |---|---|
//! | `uint16 w` | `uint16_t w` |
//! | `octet pix[<= 9 used n]` | `uint8_t pix[9]`; `n` stands before it and counts it |
//! | `float q[<= 9]` | `uint32_t q_count; float q[9]` |
//! | `string <= 32 name` | `char name[33]`, ends with NUL |
//! | `Point p[4]` | `struct Point p[4]` |
//!
//! A packet without fields has one byte, `nothing`. Source: Swint, Pu and others, "Infopipes: The ISL/ISG Implementation
//! Evaluation", section 3 (no copy between ports).

mod errors;
mod foreign;
mod order;
mod packets;
mod schema;

use std::collections::{BTreeMap, BTreeSet};

use cast::Declaration;
use pres::{PresC, TypeStubId};
use source::Diagnostic;
use xip::{FieldType, Known, Name, Types, Xip};

use packets::Packets;

/// Presents the packets of a checked description, and the imported types that it speaks of; those that ports carry are
/// its `packets`. The header is a list of
/// declarations, without a guard; `prologue` is left empty. Without errors among the findings the result is complete.
pub fn present(xip: &Xip, types: &Types) -> (PresC, Vec<Diagnostic>) {
    let mut findings = Vec::new();
    let mut header: Vec<Declaration> = ["stdbool.h", "stdint.h"].map(Declaration::system_include).into();
    let (mut pres, mut stubs) = (PresC::default(), BTreeMap::new());
    let mut formless = BTreeMap::new();
    for name in names(xip) {
        let Some(Known::Imported { file, aoi, definition }) = types.get(&name.text) else { continue };
        let is_new = !formless.contains_key(file);
        let without_form = formless.entry(file).or_insert_with(|| crate::rpcgen::formless(aoi));
        findings.extend(without_form.get(&definition).map(|(what, place)| errors::no_packet(name, what, *place)));
        if !is_new {
            continue;
        }
        match crate::header_of(file) {
            Ok(path) => header.push(Declaration::include(path)),
            Err(refused) => findings.push(crate::errors::not_included(&refused, Some(name.span))),
        }
        let (more, found, problems) = crate::rpcgen::imported_types(aoi, std::mem::take(&mut pres));
        pres = more;
        for (name, stub) in found {
            stubs.entry(name).or_insert(stub);
        }
        findings.extend(problems);
    }
    header.push(Declaration::Blank);
    pres.header = header;
    if findings.iter().any(Diagnostic::is_error) {
        return (pres, findings);
    }
    let mut packets = Packets { pres, stubs, findings };
    for packet in order::order(xip) {
        packets.packet(packet);
    }
    let Packets { mut pres, stubs, mut findings } = packets;
    travellers(xip, types, &mut pres, &stubs, &mut findings);
    (pres, findings)
}

/// The types of ports.
fn travellers(
    xip: &Xip,
    types: &Types,
    pres: &mut PresC,
    stubs: &BTreeMap<String, TypeStubId>,
    findings: &mut Vec<Diagnostic>,
) {
    let units = schema::units(xip);
    let mut seen = BTreeSet::new();
    for name in xip.pipes().flat_map(|pipe| &pipe.ports).map(|port| &port.ty) {
        let Some(&stub) = stubs.get(&name.text).filter(|_| seen.insert(&name.text)) else { continue };
        if let Some(routine) = foreign::foreign_routine(pres, stub) {
            findings.push(errors::foreign_routine(name, &routine));
        }
        if types.largest(&name.text).is_some_and(|bytes| bytes > u64::from(u32::MAX)) {
            findings.push(errors::too_large(name));
        }
        let schema = schema::schema(pres, &units, stub);
        pres.packets.push(pres::Packet { name: name.text.clone(), stub, schema });
    }
}

/// The names of all types that fields and ports have.
fn names(xip: &Xip) -> impl Iterator<Item = &Name> {
    let fields = xip.packets().flat_map(|packet| &packet.fields).filter_map(|field| match &field.ty {
        FieldType::Named(name) => Some(name),
        _ => None,
    });
    fields.chain(xip.pipes().flat_map(|pipe| &pipe.ports).map(|port| &port.ty))
}
