//! What stubs call the variables and functions that are theirs alone: the usual names, unless the user's header or the
//! arguments of a procedure have them.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use cast::build::{self, name};
use cast::{Expression, Parameter, Statement, Type};
use pres::{Message, Operation, PresC};

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
    /// The header's.
    file: Rc<BTreeSet<String>>,
    /// Of the structures that several arguments travel in: a macro would replace them.
    members: Rc<BTreeSet<String>>,
    /// The function's parameters.
    parameters: BTreeSet<String>,
}

impl Names {
    /// Of a file that includes the header.
    pub(super) fn of_file(pres: &PresC) -> Names {
        let operations = pres.interfaces.iter().flat_map(|interface| &interface.operations);
        let members = operations.flat_map(|operation| &operation.parameters).map(|argument| argument.name.clone());
        Names { file: Rc::new(reserved::names(pres)), members: Rc::new(members.collect()), parameters: BTreeSet::new() }
    }

    fn is_taken(&self, name: &str) -> bool {
        self.file.contains(name) || self.parameters.contains(name)
    }

    /// The name of what is usually called so.
    pub(super) fn own(&self, usual: &str) -> String {
        reserved::clear_of(usual, |name| self.is_taken(name))
    }

    /// The name of a macro.
    pub(super) fn own_macro(&self, usual: &str) -> String {
        reserved::clear_of(usual, |name| self.is_taken(name) || self.members.contains(name))
    }

    /// The names of several things, no two the same.
    pub(super) fn distinct(&self, usual: &[String]) -> Vec<String> {
        distinct(usual, |name| self.is_taken(name))
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
    pub(super) fn beside_arguments(&self, operation: &Operation) -> (Vec<String>, Names) {
        let arguments = &operation.parameters;
        let mut needed: BTreeSet<String> = NEEDED.map(str::to_string).into();
        needed.insert(self.own(TIMEOUT));
        needed.extend(arguments.iter().flat_map(|argument| words(&argument.ty)));
        for value in [&operation.client_request, &operation.client_reply].into_iter().filter_map(Message::value) {
            needed.extend(words(&value.ty).into_iter().chain([value.routine.clone()]));
        }
        let usual: Vec<String> = arguments.iter().map(|argument| argument.name.clone()).collect();
        let names = distinct(&usual, |name| self.is_taken(name) || needed.contains(name));
        let parameters = names.iter().cloned().collect();
        (names, Names { file: self.file.clone(), members: self.members.clone(), parameters })
    }
}

/// The usual names, each clear of what is taken and of all others.
fn distinct(usual: &[String], is_taken: impl Fn(&str) -> bool) -> Vec<String> {
    let mut others: BTreeMap<String, usize> = BTreeMap::new();
    usual.iter().for_each(|name| *others.entry(name.clone()).or_default() += 1);
    let mut names: Vec<String> = Vec::new();
    for name in usual {
        if let Some(count) = others.get_mut(name) {
            *count -= 1;
        }
        let is_others = |name: &str| others.get(name).is_some_and(|count| *count > 0);
        let name = reserved::clear_of(name, |name| is_taken(name) || is_others(name));
        *others.entry(name.clone()).or_default() += 1;
        names.push(name);
    }
    names
}

/// The words that a value's declaration consists of.
fn words(ty: &Type) -> Vec<String> {
    let ty = cast::print_type(ty);
    let words = ty.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    words.map(str::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_taken_gets_as_many_signs_as_it_needs() {
        let set = |names: &[&str]| Rc::new(names.iter().map(|name| name.to_string()).collect());
        let names = Names {
            file: set(&["result", "result_", "clnt"]),
            members: set(&["clnt_", "_IDLE"]),
            parameters: BTreeSet::from(["local".to_string()]),
        };
        let own = ["argument", "clnt", "local", "result"].map(|usual| names.own(usual));
        assert_eq!(own, ["argument", "clnt_", "local_", "result__"]);
        assert_eq!(["_IDLE", "clnt"].map(|usual| names.own_macro(usual)), ["_IDLE_", "clnt__"]);
    }

    #[test]
    fn of_several_names_no_two_are_the_same() {
        let usual = ["a", "a", "b", "a_", "a"].map(str::to_string);
        assert_eq!(distinct(&usual, |name| name == "b"), ["a__", "a___", "b_", "a_", "a"]);
    }
}
