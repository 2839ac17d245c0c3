//! The link `onc`: calls of ONC RPC without a library. Stubs marshal straight into the message, behind a header that is a
//! constant but for its number.
//!
//! In: interfaces with numbers. Out: what [`rpc`](super::rpc) writes clients and servers with, and the run time that carries
//! messages (`runtime/onc`), over whichever transport an address names. Source: RFC 5531; Flick (PLDI'97) section 3.

mod objects;
pub mod runtime;

use cast::build::{address, arrow, braces, call, equal, integer, local, member, name, returns, unsigned};
use cast::{Declaration, Expression, Statement, Storage, Type, Variable};
use pres::{Carrier, ObjectInterface, ObjectOperation};

use super::rpc::{Link, Payloads, Refusals, at, by_number, bytes, dispatching, served, to};
use super::words::call_statement;

/// ONC RPC.
pub struct Onc;

fn the_call() -> Expression {
    name("_call", Type::structure("whittle_onc_call"))
}

/// `0x20000001u, 1u`: what a call or a program is known by.
fn numbers(object: &ObjectInterface) -> [Expression; 2] {
    let prefix = object.name.to_ascii_uppercase();
    ["PROGRAM", "VERSION"].map(|what| name(format!("{prefix}_{what}"), Type::named("uint32_t")))
}

fn procedure(operation: &ObjectOperation) -> Expression {
    unsigned(u64::from(operation.number.unwrap_or(0)))
}

impl Link for Onc {
    fn carrier(&self) -> Carrier {
        Carrier::Onc
    }

    fn payloads(&self) -> Payloads {
        Payloads::Xdr
    }

    fn call_variables(&self) -> Vec<Statement> {
        vec![local("_call", the_call().ty, None)]
    }

    fn call(&self) -> Expression {
        the_call()
    }

    fn send(&self, object: &ObjectInterface, operation: &ObjectOperation, encode: Option<Statement>) -> Vec<Statement> {
        let [program, version] = numbers(object);
        let client = name("client", Type::structure(Carrier::Onc.client()).pointer());
        let begin = vec![address(the_call()), client, program, version, procedure(operation)];
        let begun = local("_to", to().ty, Some(call("whittle_onc_begin", begin, to().ty)));
        [begun].into_iter().chain(encode).collect()
    }

    fn post(&self) -> Vec<Statement> {
        let posted = call_statement("whittle_onc_post", vec![address(the_call()), to()]);
        let end = vec![address(the_call()), member(the_call(), "at", bytes())];
        vec![posted, returns(call("whittle_onc_end", end, Type::INT))]
    }

    fn has_results(&self) -> Expression {
        equal(call("whittle_onc_exchange", vec![address(the_call()), to()], Type::INT), integer(0))
    }

    fn waits_for_results(&self) -> bool {
        true
    }

    fn lends(&self) -> Expression {
        call("whittle_onc_lend", vec![address(the_call())], Type::named("bool"))
    }

    /// Where it succeeded the status is 0.
    fn end(&self, _: Expression, lent: Option<Expression>) -> Expression {
        let how = if lent.is_some() { "whittle_onc_end_lent" } else { "whittle_onc_end" };
        call(how, [address(the_call()), at()].into_iter().chain(lent).collect(), Type::INT)
    }

    fn request(&self) -> Expression {
        name("_request", Type::structure("whittle_onc_request").pointer())
    }

    /// Who waits for no reply gets none (RFC 5531, section 8.4.1).
    fn refusals(&self) -> Refusals {
        Refusals { unimplemented: "whittle_onc_unknown", malformed: "whittle_onc_garbage", know_oneway: false }
    }

    fn begin_reply(&self) -> Expression {
        call("whittle_onc_reply", vec![self.request()], to().ty)
    }

    fn end_reply(&self) -> Statement {
        call_statement("whittle_onc_answer", vec![self.request(), to()])
    }

    /// A switch on the procedure's number.
    fn dispatch(&self, object: &ObjectInterface) -> Declaration {
        let served = object.operations.iter().map(|operation| {
            let served = served(operation, self.request());
            (procedure(operation), served)
        });
        by_number(object, (self.request(), number()), arms(object, served), UNKNOWN)
    }

    fn description(&self, object: &ObjectInterface) -> (Vec<Statement>, Vec<Expression>) {
        let [program, version] = numbers(object);
        let ty = Type::structure("whittle_onc_program").constant();
        let described = Statement::Declare(Variable {
            storage: Storage::Static,
            name: "_program".to_string(),
            ty: ty.clone(),
            initial: Some(braces(vec![program, version, name(dispatching(object), Type::Void)])),
            ..Variable::default()
        });
        (vec![described], vec![address(name("_program", ty))])
    }
}

const UNKNOWN: &str = "whittle_onc_unknown";

/// The number in a request.
fn number() -> Expression {
    arrow(Onc.request(), "procedure", Type::named("uint32_t"))
}

/// What is done for each procedure. Procedure 0 answers that the server is there (RFC 5531, section 12.1).
fn arms(
    object: &ObjectInterface,
    served: impl Iterator<Item = (Expression, Statement)>,
) -> Vec<(Expression, Vec<Statement>)> {
    let mut arms: Vec<(Expression, Vec<Statement>)> = Vec::new();
    if !object.operations.iter().any(|operation| operation.number == Some(0)) {
        let nothing = call_statement("whittle_onc_answer", vec![Onc.request(), Onc.begin_reply()]);
        arms.push((unsigned(0), vec![nothing]));
    }
    arms.extend(served.map(|(procedure, served)| (procedure, vec![served])));
    arms
}
