//! Protobuf (proto3's wire format): a record is fields with a number each, in any order, and nothing stands at a place of its own. So no
//! plan is made of a type: `runtime/include/whittle/protobuf.h` goes by the tables of values, and by one that has the field of each
//! part ([`fields`]). In: PRES_C. Out: that table, and calls of the run time. Source: protobuf.dev, "Encoding" and "Proto3".

mod coder;
mod errors;
mod fields;

use pres::{Pres, PresC, ScalarKind};
use source::Diagnostic;

use super::{ByteOrder, Encoding, Native};
use crate::links::none::coder::Maker;
use crate::plan::Word;

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

    fn order(&self) -> ByteOrder {
        ByteOrder::Host
    }
}

/// What protobuf has no form for, and numbers of fields that it does not take.
fn refused(pres: &PresC) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (_, stub) in pres.types.iter().filter(|(_, stub)| !stub.imported) {
        if has_quadruple(pres, stub.node) {
            findings.push(errors::no_quadruple(&stub.name));
        }
    }
    findings.extend(fields::refused(pres));
    findings
}

/// In the type itself, not in another that it names.
fn has_quadruple(pres: &PresC, node: pres::NodeId) -> bool {
    let mut pending = vec![node];
    let mut seen = std::collections::BTreeSet::new();
    while let Some(node) = pending.pop() {
        if !seen.insert(node.into_raw().into_u32()) {
            continue;
        }
        match &pres.nodes[node].pres {
            Pres::Direct(ScalarKind::Quadruple) => return true,
            Pres::Structure(members) => pending.extend(members.iter().map(|member| member.node)),
            Pres::Union { arms, default, .. } => {
                pending.extend(arms.iter().filter_map(|arm| arm.member.as_ref()).map(|member| member.node));
                if let pres::DefaultArm::Body(Some(member)) = default {
                    pending.push(member.node);
                }
            }
            Pres::FixedArray { element, .. }
            | Pres::CountedArray { element, .. }
            | Pres::InlineArray { element, .. } => {
                pending.push(*element);
            }
            Pres::OptionalPointer { target, .. } | Pres::Reference { target, .. } => pending.push(*target),
            _ => {}
        }
    }
    false
}
