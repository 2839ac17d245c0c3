//! Values in protobuf without a connection: the table of fields, and calls of the run time that goes by it. What releases values is
//! made from a plan, as in the other encodings.

use std::collections::BTreeSet;

use cast::build::{address, braces, name, null};
use cast::{Declaration, Expression, Storage, Type, Variable};

use super::RUN_TIME;
use super::fields::{self, Field};
use crate::links::none::After;
use crate::links::none::coder::{Call, Called, Coder, Given, decoding, routines};
use crate::plan::Direction;
use crate::routines::{Messages, Routines};
use crate::runtime;
use crate::values::Values;

const TABLE: &str = "whittle_protobuf_here";
const FIELDS: &str = "whittle_fields_here";

struct InProtobuf {
    fields: Vec<Field>,
    /// `None` where there are no types.
    values: Option<Expression>,
    release: Routines,
}

pub(super) fn make(given: &Given, values: &Values, after: After) -> Box<dyn Coder> {
    Box::new(InProtobuf {
        fields: fields::of(values, &given.pres.field_numbers),
        values: values.types().next().map(|_| values.all()),
        release: routines(given, Messages::Xdr, &[Direction::Release], after),
    })
}

impl Coder for InProtobuf {
    fn declarations(&self) -> Vec<Declaration> {
        let Some(values) = self.values.clone() else { return Vec::new() };
        let mut declarations = Vec::new();
        let mut fields = null();
        if !self.fields.is_empty() {
            let ty = Type::structure("whittle_protobuf_field").constant();
            let rows = self.fields.iter().map(fields::row).collect();
            declarations.push(constant(FIELDS, Type::Array(Box::new(ty.clone()), None), braces(rows)));
            fields = name(FIELDS, ty.pointer());
        }
        let table = Type::structure("whittle_protobuf").constant();
        declarations.push(constant(TABLE, table, braces(vec![values, fields])));
        declarations.push(Declaration::Blank);
        declarations.extend(self.release.declarations());
        declarations
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
        let table = by_fields(&call);
        ("whittle_protobuf_size".to_string(), [table, call.given].concat())
    }

    fn encode(&self, call: Call) -> Called {
        let table = by_fields(&call);
        ("whittle_protobuf_encode".to_string(), [table, call.given].concat())
    }

    fn decode(&self, call: Call) -> Called {
        let table = by_fields(&call);
        ("whittle_protobuf_decode".to_string(), [table, decoding(call, Vec::new())].concat())
    }
}

/// The table with the fields, and the place of the type.
fn by_fields(call: &Call) -> Vec<Expression> {
    let [_, place] = &call.table;
    vec![address(name(TABLE, Type::structure("whittle_protobuf"))), place.clone()]
}

fn constant(name: &str, ty: Type, initial: Expression) -> Declaration {
    let (name, initial) = (name.to_string(), Some(initial));
    Declaration::Variable(Variable { storage: Storage::Static, name, ty, initial, ..Variable::default() })
}
