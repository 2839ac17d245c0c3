//! The functions that users call. In: a type, its coder, its place in the tables. Out: CAST: each is a call of the runtime.

use std::collections::BTreeSet;

use cast::build::{call, cast as cast_to, dereference, name, null, returns, sizeof_value, unsigned};
use cast::{Declaration, Expression, Function, Statement, Type};
use pres::{CodecFunction, TypeStub, TypeStubId};

use super::coder::{Call, Coder, routine};
use crate::links::statements::{call_statement, clear_at};
use crate::values::Values;

/// All functions of a type.
pub(super) fn of_type(
    (id, stub): (TypeStubId, &TypeStub),
    coder: &dyn Coder,
    values: &Values,
    reserved: &BTreeSet<String>,
) -> Vec<Declaration> {
    let release = coder.release(&stub.name);
    let of = OfType { coder, type_name: &stub.name, release, all: values.all(), place: values.place(id) };
    let define = |function: CodecFunction| {
        let head = function.head((&stub.name, &stub.ty), stub.is_array, &|name| reserved.contains(name));
        let body = of.body(function, &head);
        [Declaration::Blank, Declaration::Function(Function { body, ..head })]
    };
    CodecFunction::ALL.into_iter().flat_map(define).collect()
}

struct OfType<'a> {
    coder: &'a dyn Coder,
    type_name: &'a str,
    release: Option<String>,
    /// The tables, and where this type is in them.
    all: Expression,
    place: u64,
}

impl OfType<'_> {
    fn body(&self, function: CodecFunction, head: &Function) -> Vec<Statement> {
        let given: Vec<Expression> = head
            .parameters
            .iter()
            .map(|parameter| name(parameter.name.clone().unwrap_or_default(), parameter.ty.clone()))
            .collect();
        let calls =
            |routine: &str, arguments: Vec<Expression>| vec![returns(call(routine, arguments, head.result.clone()))];
        let coded = |(routine, arguments): (String, Vec<Expression>)| calls(&routine, arguments);
        let tables = || vec![self.all.clone(), unsigned(self.place)];
        match function {
            CodecFunction::Size => coded(self.coder.size(self.call(given))),
            CodecFunction::Encode => coded(self.coder.encode(self.call(given))),
            CodecFunction::Decode => coded(self.coder.decode(self.call(given))),
            CodecFunction::Free => {
                let [value] = &given[..] else { return Vec::new() };
                let untyped = cast_to(Type::Void.pointer(), value.clone());
                let release = self.release.as_deref().map(|release| call_statement(release, vec![untyped]));
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

    fn call(&self, given: Vec<Expression>) -> Call<'_> {
        let size = sizeof_value(dereference(given.first().cloned().unwrap_or_else(null)));
        let table = [self.all.clone(), unsigned(self.place)];
        Call { type_name: self.type_name, table, given, size, release: self.release() }
    }

    fn release(&self) -> Expression {
        self.release.as_deref().map_or_else(null, routine)
    }
}

fn bytes(value: Expression) -> Expression {
    cast_to(Type::CHAR.constant().pointer(), value)
}
