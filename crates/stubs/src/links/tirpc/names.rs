//! What stubs call the variables and functions that are theirs alone: the usual names, unless the user's header or the
//! arguments of a procedure have them.

use std::collections::BTreeSet;

use cast::build::{self, name};
use cast::{Expression, Parameter, Statement, Type};
use pres::{OperationStub, PresC, StubValue};

use crate::reserved;

/// What the functions refer to that have an argument's name for a parameter.
const NEEDED: [&str; 11] = [
    "CLIENT",
    "NULL",
    "RPC_SUCCESS",
    "TRUE",
    "bool_t",
    "caddr_t",
    "clnt_call",
    "memcpy",
    "memset",
    "xdr_void",
    "xdrproc_t",
];
/// The variable that holds the client's timeout.
pub(super) const TIMEOUT: &str = "TIMEOUT";

/// Names that are taken, in one file or one function.
pub(super) struct Names {
    taken: BTreeSet<String>,
    /// Of the structures that several arguments travel in: a macro would replace them.
    members: BTreeSet<String>,
}

impl Names {
    /// Of a file that includes the header.
    pub(super) fn of_file(pres: &PresC) -> Names {
        let operations = pres.interfaces.iter().flat_map(|interface| &interface.operations);
        let members = operations.flat_map(|operation| &operation.arguments).map(|argument| argument.name.clone());
        Names { taken: reserved::names(pres), members: members.collect() }
    }

    /// The name of what is usually called so.
    pub(super) fn own(&self, usual: &str) -> String {
        reserved::clear_of(usual, &self.taken)
    }

    /// The name of a macro.
    pub(super) fn own_macro(&self, usual: &str) -> String {
        reserved::clear_of(usual, &self.taken.union(&self.members).cloned().collect())
    }

    /// The names of several things, no two the same.
    pub(super) fn distinct(&self, usual: &[String]) -> Vec<String> {
        distinct(usual, &self.taken)
    }

    /// A variable, where it is used.
    pub(super) fn value(&self, usual: &str, ty: Type) -> Expression {
        name(self.own(usual), ty)
    }

    /// The declaration of a variable.
    pub(super) fn local(&self, usual: &str, ty: Type, initial: Option<Expression>) -> Statement {
        build::local(self.own(usual), ty, initial)
    }

    /// A parameter.
    pub(super) fn parameter(&self, usual: &str, ty: Type) -> Parameter {
        build::parameter(self.own(usual), ty)
    }

    /// Names for a function that has a parameter for each argument: the parameters', their own unless they would hide
    /// what the function needs, and what the function may call its variables.
    pub(super) fn beside_arguments(&self, operation: &OperationStub) -> (Vec<String>, Names) {
        let arguments = &operation.arguments;
        let mut taken = self.taken.clone();
        taken.extend(NEEDED.map(str::to_string));
        taken.insert(self.own(TIMEOUT));
        for value in arguments.iter().chain(&operation.request).chain(&operation.result) {
            taken.extend(words(value));
        }
        let usual: Vec<String> = arguments.iter().map(|argument| argument.name.clone()).collect();
        let names = distinct(&usual, &taken);
        let taken = self.taken.iter().chain(&names).cloned().collect();
        (names, Names { taken, members: self.members.clone() })
    }
}

/// The usual names, each clear of what is taken and of all others.
fn distinct(usual: &[String], taken: &BTreeSet<String>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (at, name) in usual.iter().enumerate() {
        let others = usual[at + 1..].iter().chain(&names);
        names.push(reserved::clear_of(name, &taken.iter().chain(others).cloned().collect()));
    }
    names
}

/// The words that a value's declaration and its marshalling consist of.
fn words(value: &StubValue) -> Vec<String> {
    let ty = cast::print_type(&value.ty);
    let words = ty.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    words.map(str::to_string).chain([value.routine.clone()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_taken_gets_as_many_signs_as_it_needs() {
        let set = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
        let names = Names { taken: set(&["result", "result_", "clnt"]), members: set(&["clnt_", "_IDLE"]) };
        assert_eq!(["argument", "clnt", "result"].map(|usual| names.own(usual)), ["argument", "clnt_", "result__"]);
        assert_eq!(["_IDLE", "clnt"].map(|usual| names.own_macro(usual)), ["_IDLE_", "clnt__"]);
    }
}
