//! The functions that users call. In: a type, its routines, its place in the tables. Out: CAST: each is a call of the runtime.

use std::collections::BTreeSet;

use cast::build::{call, cast as cast_to, dereference, name, null, returns, sizeof_value, unsigned};
use cast::{Declaration, Expression, Function, Statement, Type};
use pres::{CodecFunction, TypeStub, TypeStubId};

use super::routines::{Names, Routines};
use crate::links::words::{call_statement, clear_at};
use crate::values::Values;

/// All functions of a type.
pub(super) fn of_type(
    (id, stub): (TypeStubId, &TypeStub),
    routines: &Routines,
    values: &Values,
    reserved: &BTreeSet<String>,
) -> Vec<Declaration> {
    let of = OfType { names: routines.names(&stub.name), all: values.all(), place: values.place(id) };
    let define = |function: CodecFunction| {
        let head = function.head((&stub.name, &stub.ty), stub.is_array, &|name| reserved.contains(name));
        let body = of.body(function, &head);
        [Declaration::Blank, Declaration::Function(Function { body, ..head })]
    };
    CodecFunction::ALL.into_iter().flat_map(define).collect()
}

struct OfType {
    names: Names,
    /// The tables, and where this type is in them.
    all: Expression,
    place: u64,
}

impl OfType {
    fn body(&self, function: CodecFunction, head: &Function) -> Vec<Statement> {
        let given: Vec<Expression> = head
            .parameters
            .iter()
            .map(|parameter| name(parameter.name.clone().unwrap_or_default(), parameter.ty.clone()))
            .collect();
        let (prefix, begin) = if self.names.swapped.is_some() { ("cdr", 1) } else { ("xdr", 0) };
        let calls =
            |routine: &str, arguments: Vec<Expression>| vec![returns(call(routine, arguments, head.result.clone()))];
        let tables = || vec![self.all.clone(), unsigned(self.place)];
        match function {
            CodecFunction::Size => {
                let [value, size] = &given[..] else { return Vec::new() };
                let from = unsigned(begin);
                calls("whittle_value_size", [tables(), vec![value.clone(), from, size.clone()]].concat())
            }
            CodecFunction::Encode => {
                calls(&format!("whittle_codec_{prefix}_encode"), [given, vec![routine(&self.names.encode)]].concat())
            }
            CodecFunction::Decode => {
                let [value, rest @ ..] = &given[..] else { return Vec::new() };
                let size = sizeof_value(dereference(value.clone()));
                let mut arguments = vec![value.clone(), size];
                arguments.extend_from_slice(rest);
                arguments.push(routine(&self.names.decode));
                arguments.extend(self.names.swapped.as_deref().map(routine));
                arguments.push(self.release());
                calls(&format!("whittle_codec_{prefix}_decode"), arguments)
            }
            CodecFunction::Free => {
                let [value] = &given[..] else { return Vec::new() };
                let untyped = cast_to(Type::Void.pointer(), value.clone());
                let release = self.names.release.as_deref().map(|release| call_statement(release, vec![untyped]));
                release.into_iter().chain([clear_at(value.clone())]).collect()
            }
            CodecFunction::Equal => {
                let [one, two] = [0, 1].map(|at| given.get(at).cloned().map_or_else(null, bytes));
                calls("whittle_value_equal", [tables(), vec![one, null(), two, null()]].concat())
            }
            CodecFunction::Copy => calls("whittle_value_copy", [tables(), given, vec![self.release()]].concat()),
            CodecFunction::Format => calls("whittle_value_format", [tables(), given].concat()),
            CodecFunction::Print => calls("whittle_value_print", [tables(), given].concat()),
        }
    }

    fn release(&self) -> Expression {
        self.names.release.as_deref().map_or_else(null, routine)
    }
}

fn routine(routine: &str) -> Expression {
    name(routine, Type::Void)
}

fn bytes(value: Expression) -> Expression {
    cast_to(Type::CHAR.constant().pointer(), value)
}
