//! The table by which the run time finds fields. In: the tables of values, and the numbers that the description gives. Out: constants of
//! the file, and what a call says of a type.

use cast::build::{address, braces, name, null, unsigned};
use cast::{Declaration, Expression, Storage, Type, Variable};

use super::fields::{self, Numbers};
use crate::values::Values;

const TABLE: &str = "whittle_protobuf_here";
const FIELDS: &str = "whittle_fields_here";

/// The constants; none where there are no types.
pub(crate) fn table(values: &Values, numbers: &Numbers) -> Vec<Declaration> {
    if values.types().next().is_none() {
        return Vec::new();
    }
    let rows: Vec<Expression> = fields::of(values, numbers).iter().map(fields::row).collect();
    let mut declarations = Vec::new();
    let mut fields = null();
    if !rows.is_empty() {
        let ty = Type::structure("whittle_protobuf_field").constant();
        declarations.push(constant(FIELDS, Type::Array(Box::new(ty.clone()), None), braces(rows)));
        fields = name(FIELDS, ty.pointer());
    }
    let table = Type::structure("whittle_protobuf").constant();
    declarations.push(constant(TABLE, table, braces(vec![values.all(), fields])));
    declarations.push(Declaration::Blank);
    declarations
}

/// What a call says of a type: the table, and the type's place.
pub(crate) fn by_fields(place: u64) -> Vec<Expression> {
    vec![here(), unsigned(place)]
}

pub(super) fn here() -> Expression {
    address(name(TABLE, Type::structure("whittle_protobuf")))
}

fn constant(name: &str, ty: Type, initial: Expression) -> Declaration {
    let (name, initial) = (name.to_string(), Some(initial));
    Declaration::Variable(Variable { storage: Storage::Static, name, ty, initial, ..Variable::default() })
}
