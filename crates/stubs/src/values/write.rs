//! The tables as C. In: rows, parts, labels, names. Out: constants of the file, and the one that has them all.

use cast::build::{address, braces, cast as cast_to, name, null, text, unsigned};
use cast::{Declaration, Expression, Storage, Type, Variable};

use pres::Extent;

use super::{Chosen, Label, Part, Row, Values};
use crate::encodings::Encoding;

/// The constant that has all tables.
const ALL: &str = "whittle_values_here";

impl Values {
    /// What functions go by.
    pub(crate) fn all(&self) -> Expression {
        address(name(ALL, Type::structure("whittle_values")))
    }

    pub(crate) fn declarations(&self, encoding: &dyn Encoding) -> Vec<Declaration> {
        if self.types.is_empty() {
            return Vec::new();
        }
        let names = self.names.iter().map(|name| braces(vec![number_of(name), text(name.as_str())])).collect();
        let tables = [
            ("whittle_value_type", "whittle_types_here", self.types.iter().map(row).collect::<Vec<_>>()),
            ("whittle_value_part", "whittle_parts_here", self.parts.iter().map(part).collect()),
            ("whittle_value_label", "whittle_labels_here", self.labels.iter().map(label).collect()),
            ("whittle_value_name", "whittle_names_here", names),
        ];
        let mut declarations = Vec::new();
        let mut all = Vec::new();
        for (ty, table, rows) in tables {
            if rows.is_empty() {
                // C has no arrays of nothing.
                all.push(null());
                continue;
            }
            let of = Type::structure(ty).constant();
            declarations.push(constant(table, Type::Array(Box::new(of.clone()), None), braces(rows)));
            all.push(name(table, of.pointer()));
        }
        let ending = encoding.text_size(0) - encoding.padded(0);
        all.extend([encoding.padded(1), ending, encoding.count_alignment()].map(unsigned));
        declarations.push(constant(ALL, Type::structure("whittle_values").constant(), braces(all)));
        declarations.push(Declaration::Blank);
        declarations
    }
}

fn constant(name: &str, ty: Type, initial: Expression) -> Declaration {
    let (name, initial) = (name.to_string(), Some(initial));
    Declaration::Variable(Variable { storage: Storage::Static, name, ty, initial, ..Variable::default() })
}

fn row(row: &Row) -> Expression {
    let or_zero = |value: &Option<Expression>| value.clone().unwrap_or_else(|| unsigned(0));
    braces(vec![
        name(format!("WHITTLE_VALUE_{}", row.kind), Type::INT),
        unsigned(row.wire),
        unsigned(row.align),
        or_zero(&row.size),
        place(row.of),
        row.most.as_ref().map_or_else(|| name("UINT32_MAX", Type::named("uint32_t")), extent),
        place(row.first),
        place(row.count),
        place(row.labels),
        chosen(row.otherwise),
        or_zero(&row.count_at),
        or_zero(&row.data_at),
    ])
}

fn part(part: &Part) -> Expression {
    braces(vec![text(part.name.as_str()), part.at.clone(), place(part.ty)])
}

fn label(label: &Label) -> Expression {
    braces(vec![cast_to(Type::named("int64_t"), label.value.clone()), chosen(label.chosen)])
}

fn chosen(chosen: Chosen) -> Expression {
    match chosen {
        Chosen::Part(at) => place(at),
        Chosen::Nothing => name("WHITTLE_VALUE_NO_PART", Type::named("uint32_t")),
        Chosen::NoValue => name("WHITTLE_VALUE_NO_VALUE", Type::named("uint32_t")),
    }
}

fn number_of(enumerator: &str) -> Expression {
    cast_to(Type::named("int64_t"), name(enumerator, Type::INT))
}

/// A length or a bound, in 32 bits.
fn extent(extent: &Extent) -> Expression {
    match extent.value {
        Some(value) => unsigned(value),
        None => cast_to(Type::named("uint32_t"), extent.c.clone()),
    }
}

fn place(at: usize) -> Expression {
    unsigned(at as u64)
}
