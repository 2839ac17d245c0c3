//! Tables to C: for each branch of the user's conditions one array of `struct whittle_part` and the list of routines that it calls, and
//! for each type what its routine does.

use std::collections::{BTreeMap, BTreeSet};

use cast::build::{add, braces, call, integer, name, null, parameter, returns, unsigned, verbatim};
use cast::{Declaration, Expression, Function, Linkage, Type, Variable};

use crate::emit::names::variable;

use super::{Entry, Group, Number, Offset, Tables};

/// The tables in C, and what calls them.
pub(crate) struct Emitted {
    /// By branch: the lists of parts and of routines.
    pub(crate) lists: BTreeMap<usize, Vec<Declaration>>,
    /// By type: what its routine does by the table, for a stream and a value.
    calls: BTreeMap<String, Call>,
}

struct Call {
    entry: Entry,
    function: String,
    table: Expression,
    routines: Expression,
}

/// All tables of a file.
pub(crate) fn emitted(tables: &Tables) -> Emitted {
    let function = format!("{}_xdr", tables.walk().name());
    let mut emitted = Emitted { lists: BTreeMap::new(), calls: BTreeMap::new() };
    for (branch, group) in &tables.groups {
        let Some(first) = group.forms.iter().find_map(|form| form.name.clone()) else { continue };
        let (parts, routines) = (format!("whittle_parts_xdr_{first}"), format!("whittle_routines_xdr_{first}"));
        let layout = Layout::of(group);
        emitted.lists.insert(*branch, lists(group, &layout, &parts, &routines));
        for (form, start) in group.forms.iter().zip(&layout.starts) {
            let (Some(name_of_type), Some(entry)) = (&form.name, &form.entry) else { continue };
            let table = name(parts.as_str(), Type::Void.pointer());
            let call = Call {
                entry: entry.clone(),
                function: function.clone(),
                table: if *start == 0 { table } else { add(table, integer(*start as i128)) },
                routines: if group.routines.is_empty() {
                    null()
                } else {
                    name(routines.as_str(), Type::Void.pointer())
                },
            };
            emitted.calls.insert(name_of_type.clone(), call);
        }
    }
    emitted
}

impl Emitted {
    /// The walk of a type's table.
    pub(crate) fn walk(&self, type_name: &str, xdrs: &Expression, value: &Expression) -> Option<Expression> {
        let call_of = self.calls.get(type_name)?;
        let arguments = vec![xdrs.clone(), value.clone(), call_of.table.clone(), call_of.routines.clone()];
        Some(call(&call_of.function, arguments, Type::INT))
    }

    /// What users call, where the table is all that there is of a type.
    pub(crate) fn entry(&self, type_name: &str, reserved: &BTreeSet<String>) -> Vec<Declaration> {
        let Some(Call { entry, .. }) = self.calls.get(type_name) else { return Vec::new() };
        let given = if entry.is_array { entry.ty.clone() } else { entry.ty.clone().pointer() };
        let (xdrs, value) =
            (name(variable("xdrs", reserved), Type::named("XDR").pointer()), name(variable("objp", reserved), given));
        let parameters = [&xdrs, &value].map(|value| parameter(cast::print_expression(value), value.ty.clone()));
        let function = Function {
            linkage: Linkage::Plain,
            name: entry.routine.clone(),
            result: Type::named("bool_t"),
            parameters: parameters.to_vec(),
            body: self.walk(type_name, &xdrs, &value).map(returns).into_iter().collect(),
            ..Function::default()
        };
        vec![Declaration::Blank, Declaration::Function(function)]
    }
}

fn lists(group: &Group, layout: &Layout<'_>, parts: &str, routines: &str) -> Vec<Declaration> {
    let mut declarations = vec![Declaration::Blank];
    if !group.routines.is_empty() {
        let all = group
            .routines
            .iter()
            .map(|routine| cast::build::cast(Type::named("xdrproc_t"), name(routine.as_str(), Type::Void)));
        declarations.push(array(routines, Type::named("xdrproc_t"), all.collect()));
        declarations.push(Declaration::Blank);
    }
    let rows = group.forms.iter().zip(&layout.starts).flat_map(|(form, start)| {
        form.parts.iter().enumerate().map(move |(index, part)| layout.row(part, start + index))
    });
    declarations.push(array(parts, Type::structure("whittle_part"), rows.collect()));
    declarations
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
    starts: Vec<usize>,
    types: BTreeMap<&'a str, usize>,
}

impl<'a> Layout<'a> {
    fn of(group: &'a Group) -> Layout<'a> {
        let mut next = 0;
        let mut starts = Vec::new();
        for form in &group.forms {
            starts.push(next);
            next += form.parts.len();
        }
        let named = group.forms.iter().zip(&starts).filter_map(|(form, start)| Some((form.name.as_deref()?, *start)));
        let types = named.collect();
        Layout { starts, types }
    }

    fn row(&self, part: &super::Part, position: usize) -> Expression {
        let offset = match &part.offset {
            Offset::Known(known) => integer(i128::from(*known)),
            Offset::Member(ty, path) => offset_of(ty, path),
            Offset::Form(form, back) => integer((self.starts[*form] - (position - back)) as i128),
        };
        let number = match &part.number {
            Number::Known(known) => unsigned(*known),
            Number::Value(value) => value.clone(),
            Number::Offset(ty, path) => cast::build::cast(Type::named("uint32_t"), offset_of(ty, path)),
            Number::Form(form) => distance(self.starts[*form], position),
            Number::Type(name) => distance(self.types.get(name.as_str()).copied().unwrap_or(position), position),
        };
        let kind = name(format!("WHITTLE_{}", part.kind), Type::INT);
        braces(vec![kind, integer(i128::from(part.owns)), offset, number])
    }
}

fn offset_of(ty: &Type, path: &[String]) -> Expression {
    verbatim(format!("offsetof({}, {})", cast::print_type(ty), path.join(".")), Type::named("size_t"))
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
