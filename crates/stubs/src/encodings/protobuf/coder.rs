//! Values in protobuf without a connection: the table of fields, and calls of the run time that goes by it. What releases values is
//! made from a plan, as in the other encodings.

use std::collections::BTreeSet;

use cast::{Declaration, Expression};

use super::{RUN_TIME, table};
use crate::links::none::After;
use crate::links::none::coder::{Call, Called, Coder, Given, decoding, routines};
use crate::plan::Direction;
use crate::routines::{Messages, Routines};
use crate::runtime;
use crate::values::Values;

struct InProtobuf {
    table: Vec<Declaration>,
    release: Routines,
}

pub(super) fn make(given: &Given, values: &Values, after: After) -> Box<dyn Coder> {
    Box::new(InProtobuf {
        table: table(values, &given.pres.field_numbers),
        release: routines(given, Messages::Xdr, &[Direction::Release], after),
    })
}

impl Coder for InProtobuf {
    fn declarations(&self) -> Vec<Declaration> {
        self.table.iter().cloned().chain(self.release.declarations()).collect()
    }

    fn used(&self) -> BTreeSet<String> {
        self.release.used.iter().cloned().chain(["protobuf_out", "protobuf_in"].map(str::to_string)).collect()
    }

    fn headers(&self) -> [&'static [&'static str]; 2] {
        [runtime::XDR, RUN_TIME]
    }

    fn release(&self, type_name: &str) -> Option<String> {
        self.release.releases(type_name).then(|| self.release.name(type_name, Direction::Release, false))
    }

    fn size(&self, call: Call) -> Called {
        ("whittle_protobuf_size".to_string(), [in_table(&call), call.given].concat())
    }

    fn encode(&self, call: Call) -> Called {
        ("whittle_protobuf_encode".to_string(), [in_table(&call), call.given].concat())
    }

    fn decode(&self, call: Call) -> Called {
        let table = in_table(&call);
        ("whittle_protobuf_decode".to_string(), [table, decoding(call, Vec::new())].concat())
    }
}

fn in_table(call: &Call) -> Vec<Expression> {
    let [_, place] = &call.table;
    vec![super::table::here(), place.clone()]
}
