//! Tables to C: one array of `struct whittle_part`, the list of routines that it calls, and an entry for each type.

use std::collections::{BTreeMap, BTreeSet};

use cast::build::{add, braces, call, integer, name, null, parameter, returns, unsigned, verbatim};
use cast::{Declaration, Expression, Function, Linkage, Statement, Type, Variable};

use crate::emit::names::variable;

use super::{Number, Offset, Tables};

/// The declarations behind the routines.
pub(crate) fn declarations(tables: &Tables, reserved: &BTreeSet<String>) -> Vec<Declaration> {
    let Some(first) = tables.forms.iter().find_map(|form| form.name.clone()) else { return Vec::new() };
    let (parts, routines) = (format!("whittle_parts_xdr_{first}"), format!("whittle_routines_xdr_{first}"));
    let mut starts = Vec::new();
    let mut next = 0;
    for form in &tables.forms {
        starts.push(next);
        next += form.parts.len();
    }
    let types: BTreeMap<&str, usize> =
        tables.forms.iter().zip(&starts).filter_map(|(form, start)| Some((form.name.as_deref()?, *start))).collect();
    let layout = Layout { starts: &starts, types };
    let mut rows = Vec::new();
    for (form, start) in tables.forms.iter().zip(&starts) {
        for (index, part) in form.parts.iter().enumerate() {
            rows.push(layout.row(part, start + index));
        }
    }
    let mut declarations = vec![Declaration::Blank];
    if !tables.routines.is_empty() {
        let all = tables
            .routines
            .iter()
            .map(|routine| cast::build::cast(Type::named("xdrproc_t"), name(routine.as_str(), Type::Void)));
        declarations.push(array(&routines, Type::named("xdrproc_t"), all.collect()));
        declarations.push(Declaration::Blank);
    }
    declarations.push(array(&parts, Type::structure("whittle_part"), rows));
    for (form, start) in tables.forms.iter().zip(&starts) {
        let Some(entry) = &form.entry else { continue };
        let given = if entry.is_array { entry.ty.clone() } else { entry.ty.clone().pointer() };
        let (xdrs, value) =
            (name(variable("xdrs", reserved), Type::named("XDR").pointer()), name(variable("objp", reserved), given));
        let table = add(name(parts.as_str(), Type::Void.pointer()), integer(*start as i128));
        let called = if tables.routines.is_empty() { null() } else { name(routines.as_str(), Type::Void.pointer()) };
        let done = call("whittle_table_xdr", vec![xdrs.clone(), value.clone(), table, called], Type::INT);
        let parameters = [&xdrs, &value].map(|value| parameter(cast::print_expression(value), value.ty.clone()));
        declarations.push(Declaration::Blank);
        declarations.push(Declaration::Function(Function {
            linkage: Linkage::Plain,
            name: entry.routine.clone(),
            result: Type::named("bool_t"),
            parameters: parameters.to_vec(),
            body: vec![fits(entry), returns(done)],
            ..Function::default()
        }));
    }
    declarations
}

/// Offsets have 16 bits.
fn fits(entry: &super::Entry) -> Statement {
    let size = cast::build::less(cast::build::sizeof_type(entry.ty.clone()), unsigned(65_536));
    Statement::Expression(call("WHITTLE_ASSERT", vec![size], Type::Void))
}

fn array(name: &str, ty: Type, values: Vec<Expression>) -> Declaration {
    Declaration::Variable(Variable {
        storage: cast::Storage::Static,
        name: name.to_string(),
        ty: Type::Array(Box::new(ty.constant()), None),
        initial: Some(braces(values)),
        ..Variable::default()
    })
}

struct Layout<'a> {
    starts: &'a [usize],
    types: BTreeMap<&'a str, usize>,
}

impl Layout<'_> {
    fn row(&self, part: &super::Part, position: usize) -> Expression {
        let offset = match &part.offset {
            Offset::Known(known) => integer(i128::from(*known)),
            Offset::Member(ty, path) => {
                let text = format!("offsetof({}, {})", cast::print_type(ty), path.join("."));
                verbatim(text, Type::named("size_t"))
            }
            Offset::Form(form, back) => integer((self.starts[*form] - (position - back)) as i128),
        };
        let number = match &part.number {
            Number::Known(known) => unsigned(*known),
            Number::Value(value) => value.clone(),
            Number::Form(form) => distance(self.starts[*form], position),
            Number::Type(name) => distance(self.types.get(name.as_str()).copied().unwrap_or(position), position),
        };
        let kind = name(format!("WHITTLE_{}", part.kind), Type::INT);
        braces(vec![kind, integer(i128::from(part.owns)), offset, number])
    }
}

/// Entries from one position to another, as `number` has it.
fn distance(to: usize, from: usize) -> Expression {
    let distance = to as i128 - from as i128;
    if distance >= 0 {
        unsigned(distance as u64)
    } else {
        cast::build::cast(Type::named("uint32_t"), integer(distance))
    }
}
