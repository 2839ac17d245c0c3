//! The link `onc`: calls of ONC RPC without a library. Stubs marshal straight into the message, behind a header that is a
//! constant but for its number.
//!
//! The same over libtirpc's `CLIENT` and `SVCXPRT` is the link `tirpc` of all styles but rpcgen's: there the library has the header.
//!
//! In: interfaces with numbers. Out: what [`rpc`](super::rpc) writes clients and servers with, and the run time that carries
//! messages (`runtime/onc`), over whichever transport an address names. Source: RFC 5531; Flick (PLDI'97) section 3.

mod objects;
pub mod runtime;

use cast::build::{address, arrow, braces, call, equal, integer, local, member, name, returns, unsigned};
use cast::{Declaration, Expression, Statement, Storage, Type, Variable};
use pres::{Carrier, Interface, Operation};

use super::rpc::{self, Link, Payloads, Refusals, at, by_number, bytes, served, to};
use super::words::call_statement;

/// ONC RPC, by either of two run times, whose functions are the same but for what their names begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Onc {
    /// Ours, `runtime/onc`.
    Whole,
    /// `runtime/tirpc`, over libtirpc.
    Tirpc,
}

impl Onc {
    /// The run time's name of something: `whittle_onc_begin`.
    fn own(self, what: &str) -> String {
        format!("{}_{what}", rpc::Link::carrier(&self).prefix())
    }

    fn the_call(self) -> Expression {
        name("_call", Type::structure(self.own("call")))
    }

    fn program(self) -> Type {
        Type::structure(self.own("program")).constant()
    }

    /// `static const struct whittle_onc_program _program = {0x20000001u, 1u, dispatch_dir};`
    fn described(self, object: &Interface) -> (Statement, Expression) {
        let [program, version] = object.numbers();
        let described = Statement::Declare(Variable {
            storage: Storage::Static,
            name: "_program".to_string(),
            ty: self.program(),
            initial: Some(braces(vec![program, version, name(&object.dispatch, Type::Void)])),
            ..Variable::default()
        });
        (described, address(name("_program", self.program())))
    }

    /// The number in a request.
    fn number(self) -> Expression {
        arrow(Link::request(&self), "procedure", Type::named("uint32_t"))
    }

    /// What is done for each procedure. Procedure 0 answers that the server is there (RFC 5531, section 12.1).
    fn arms(
        self,
        object: &Interface,
        served: impl Iterator<Item = (Expression, Statement)>,
    ) -> Vec<(Expression, Vec<Statement>)> {
        let mut arms: Vec<(Expression, Vec<Statement>)> = Vec::new();
        if !object.has_procedure_0() {
            let nothing = vec![Link::request(&self), Link::begin_reply(&self)];
            arms.push((unsigned(0), vec![call_statement(&self.own("answer"), nothing)]));
        }
        arms.extend(served.map(|(procedure, served)| (procedure, vec![served])));
        arms
    }
}

impl Link for Onc {
    fn carrier(&self) -> Carrier {
        match self {
            Onc::Whole => Carrier::Onc,
            Onc::Tirpc => Carrier::Tirpc,
        }
    }

    fn payloads(&self) -> Payloads {
        Payloads::Xdr
    }

    fn call_variables(&self) -> Vec<Statement> {
        vec![local("_call", self.the_call().ty, None)]
    }

    fn call(&self) -> Expression {
        self.the_call()
    }

    fn send(&self, object: &Interface, operation: &Operation, encode: Option<Statement>) -> Vec<Statement> {
        let [program, version] = object.numbers();
        let client = name("client", self.carrier().client().pointer());
        let begin = vec![address(self.the_call()), client, program, version, operation.procedure()];
        let begun = local("_to", to().ty, Some(call(self.own("begin"), begin, to().ty)));
        [begun].into_iter().chain(encode).collect()
    }

    fn post(&self) -> Vec<Statement> {
        let posted = call_statement(&self.own("post"), vec![address(self.the_call()), to()]);
        let end = vec![address(self.the_call()), member(self.the_call(), "at", bytes())];
        vec![posted, returns(call(self.own("end"), end, Type::INT))]
    }

    fn has_results(&self) -> Expression {
        equal(call(self.own("exchange"), vec![address(self.the_call()), to()], Type::INT), integer(0))
    }

    fn waits_for_results(&self) -> bool {
        true
    }

    fn lends(&self) -> Expression {
        call(self.own("lend"), vec![address(self.the_call())], Type::named("bool"))
    }

    /// Where it succeeded the status is 0.
    fn end(&self, _: Expression, lent: Option<Expression>) -> Expression {
        let how = if lent.is_some() { "end_lent" } else { "end" };
        call(self.own(how), [address(self.the_call()), at()].into_iter().chain(lent).collect(), Type::INT)
    }

    fn request(&self) -> Expression {
        name("_request", Type::structure(self.own("request")).pointer())
    }

    /// Who waits for no reply gets none (RFC 5531, section 8.4.1).
    fn refusals(&self) -> Refusals {
        let (unimplemented, malformed) = match self {
            Onc::Whole => ("whittle_onc_unknown", "whittle_onc_garbage"),
            Onc::Tirpc => ("whittle_tirpc_unknown", "whittle_tirpc_garbage"),
        };
        Refusals { unimplemented, malformed, know_oneway: false }
    }

    fn begin_reply(&self) -> Expression {
        call(self.own("reply"), vec![self.request()], to().ty)
    }

    fn end_reply(&self) -> Statement {
        call_statement(&self.own("answer"), vec![self.request(), to()])
    }

    /// A switch on the procedure's number.
    fn dispatch(&self, object: &Interface) -> Declaration {
        let served = object.operations.iter().map(|operation| {
            let served = served(operation, self.request());
            (operation.procedure(), served)
        });
        by_number(object, (self.request(), self.number()), self.arms(object, served), self.refusals().unimplemented)
    }

    fn description(&self, object: &Interface) -> (Vec<Statement>, Vec<Expression>) {
        let (described, given) = self.described(object);
        (vec![described], vec![given])
    }
}
