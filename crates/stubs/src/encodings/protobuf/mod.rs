//! Protobuf (proto3's wire format): a record is fields with a number each, in any order, and nothing stands at a place of its own. So no
//! plan is made of a type: `runtime/include/whittle/protobuf.h` goes by the tables of values, and by one that has the field of each
//! part ([`fields`]). In: PRES_C. Out: that table, and calls of the run time. Source: protobuf.dev, "Encoding" and "Proto3".

mod coder;
mod errors;
mod fields;
mod largest;
mod shown;
mod table;

pub use self::shown::Fields;
pub(crate) use largest::Largest;
pub(crate) use table::{by_fields, table};

use pres::{PresC, ScalarKind, TypeStubId};
use source::Diagnostic;

use super::{ByteOrder, Encoding, Native};
use crate::links::none::coder::Maker;
use crate::plan::Word;
use crate::values::Values;

/// The headers of the run time, behind those of values.
pub(crate) const RUN_TIME: &[&str] = &[
    include_str!("../../../../../runtime/include/whittle/protobuf.h"),
    include_str!("../../../../../runtime/include/whittle/protobuf_put.h"),
    include_str!("../../../../../runtime/include/whittle/protobuf_out.h"),
    include_str!("../../../../../runtime/include/whittle/protobuf_take.h"),
    include_str!("../../../../../runtime/include/whittle/protobuf_absent.h"),
    include_str!("../../../../../runtime/include/whittle/protobuf_field.h"),
    include_str!("../../../../../runtime/include/whittle/protobuf_in.h"),
];

/// What `--link none` makes of it.
pub(crate) const MAKER: Maker =
    Maker { name: "protobuf", encoding: |_| Box::new(Protobuf), refused, make: coder::make };

/// How many bytes a number can say; how many it takes depends on the number.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Protobuf;

impl Encoding for Protobuf {
    fn name(&self) -> &'static str {
        "protobuf"
    }

    fn goes_by_place(&self) -> bool {
        false
    }

    fn scalar_size(&self, kind: ScalarKind) -> u64 {
        Native.scalar_size(kind)
    }

    fn count_size(&self) -> u64 {
        1
    }

    fn padded(&self, length: u64) -> u64 {
        length
    }

    /// Nothing but numbers with a point lies as in memory, and their lists have a tag.
    fn run_word(&self, _: ScalarKind) -> Option<Word> {
        None
    }

    /// Messages are the same on all machines.
    fn order(&self) -> ByteOrder {
        ByteOrder::Network
    }
}

/// What protobuf has no form for, and numbers of fields that it does not take, in the types of this file.
fn refused(pres: &PresC) -> Vec<Diagnostic> {
    let own: Vec<_> = pres.types.iter().filter(|(_, stub)| !stub.imported).map(|(id, _)| id).collect();
    refused_of(pres, &own)
}

/// The same in these types, and in all that they hold.
pub(crate) fn refused_of(pres: &PresC, stubs: &[TypeStubId]) -> Vec<Diagnostic> {
    let values = Values::of(pres, &Protobuf, stubs);
    let mut findings = Vec::new();
    for (place, name) in values.types().enumerate().filter_map(|(place, (_, name))| Some((place, name?))) {
        if has_quadruple(&values, place) {
            findings.push(placed(errors::no_quadruple(name), pres, name, ""));
        }
    }
    findings.extend(fields::refused(&values, pres));
    findings.extend(forms_refused(&values, pres));
    findings
}

/// Members that do not have the form that is said of them.
fn forms_refused(values: &Values, pres: &PresC) -> Vec<Diagnostic> {
    let has = |part: usize| values.form(values.parts()[part].ty);
    let wrong = values.said(&pres.number_forms).into_iter().filter(|said| has(said.part) != Some(said.form));
    let wrong: Vec<_> = wrong.collect();
    let finding = |(of, member, form)| placed(errors::no_such_form(of, member, form), pres, of, member);
    wrong.iter().map(|said| finding((&said.of, &values.parts()[said.part].name, said.form))).collect()
}

/// The finding, where the description has what it is about.
fn placed(finding: Diagnostic, pres: &PresC, of: &str, member: &str) -> Diagnostic {
    match pres.place(of, member) {
        Some(place) => finding.at(place, ""),
        None => finding,
    }
}

/// In the type itself, not in another that it names.
fn has_quadruple(values: &Values, place: usize) -> bool {
    let (mut pending, mut seen) = (vec![place], std::collections::BTreeSet::new());
    while let Some(at) = pending.pop() {
        let (row, name) = values.at(at);
        if row.kind == "RAW" {
            return true;
        }
        if seen.insert(at) && (at == place || name.is_none()) {
            pending.extend(values.inside(row));
        }
    }
    false
}
