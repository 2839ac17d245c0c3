//! The routines that a file of stubs uses, in the encoding of its link. In: PRES_C and what is wanted. Out: functions, and
//! calls of them. CDR decodes in two byte orders (receiver makes right).

use cast::build::{address, assign, call, conditional, dereference, equal, member, name, null, when};
use cast::{Declaration, Expression, Statement, Type};
use pres::{Operation, PresC, TypeStubId};

use super::super::options::{After, Options, SentOrder};
use super::link::Refusals;
use super::values::received;
use super::{bytes, to, unless_null};
use crate::plan::Direction;
use crate::routines::{self, Messages, Orders, Routines, Wanted};

/// How the payloads of a link are marshalled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payloads {
    Xdr,
    /// The bodies of messages begin at a multiple of `phase` bytes.
    Cdr {
        phase: u64,
    },
    /// CDR in the machine's own order alone; bodies begin at a multiple of 8 bytes.
    Words,
    /// CDR between processes of one machine: nothing stands for the other byte order.
    Local {
        phase: u64,
    },
}

/// A routine that is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::links) struct Use {
    pub(in crate::links) stub: TypeStubId,
    pub(in crate::links) direction: Direction,
    /// It stands at the beginning of a message's body.
    pub(in crate::links) is_body: bool,
}

impl Use {
    pub(in crate::links) fn new(stub: TypeStubId, direction: Direction) -> Use {
        Use { stub, direction, is_body: false }
    }

    /// The body of a message that is sent.
    pub(in crate::links) fn body(stub: TypeStubId) -> Use {
        Use { stub, direction: Direction::Encode, is_body: true }
    }

    /// What one side needs for a message that it sends, and for one that it receives and, where it `owns` that, releases.
    pub(in crate::links) fn of_client(request: Option<TypeStubId>, reply: Option<TypeStubId>, owns: bool) -> Vec<Use> {
        let decoded = reply.map(|stub| Use::new(stub, Direction::Decode));
        let released = reply.filter(|_| owns).map(|stub| Use::new(stub, Direction::Release));
        request.map(Use::body).into_iter().chain(decoded).chain(released).collect()
    }

    /// The same of a server, which releases what it sends, too.
    pub(in crate::links) fn of_server(request: Option<TypeStubId>, reply: Option<TypeStubId>, owns: bool) -> Vec<Use> {
        let decoded = request.map(|stub| Use::new(stub, Direction::Decode));
        let released = request.filter(|_| owns).map(|stub| Use::new(stub, Direction::Release));
        let sent = reply.map(|stub| [Use::body(stub), Use::new(stub, Direction::Release)]);
        decoded.into_iter().chain(released).chain(sent.into_iter().flatten()).collect()
    }
}

/// The routines, and how they are called.
pub(in crate::links) struct Marshalling<'a> {
    pub(in crate::links) pres: &'a PresC,
    routines: Routines,
}

impl<'a> Marshalling<'a> {
    pub(in crate::links) fn new(
        pres: &'a PresC,
        options: &Options,
        payloads: Payloads,
        wanted: &[Use],
        after: After,
    ) -> Marshalling<'a> {
        let (messages, phase) = match payloads {
            Payloads::Xdr => (Messages::Xdr, 1),
            Payloads::Cdr { phase } if options.byte_order == SentOrder::Host => (Messages::Cdr(Orders::Decoded), phase),
            Payloads::Cdr { phase } => (Messages::Cdr(Orders::Both), phase),
            Payloads::Local { phase } => (Messages::Cdr(Orders::One), phase),
            Payloads::Words => (Messages::Words, 8),
        };
        let want = |of: &Use| Wanted {
            name: pres.types[of.stub].name.clone(),
            direction: of.direction,
            phase: if of.is_body { phase } else { 1 },
        };
        let wanted: Vec<_> = wanted.iter().map(want).collect();
        let (no_opt, strict) = (options.no_opt.clone(), pres.strict_enumerations);
        let options = routines::Options { messages, no_opt, strict, ..routines::Options::default() };
        let routines = routines::routines(pres, &wanted, &options, &mut routines::of_usual(after));
        Marshalling { pres, routines }
    }

    pub(in crate::links) fn declarations(&self) -> Vec<Declaration> {
        self.routines.declarations()
    }

    fn name(&self, stub: TypeStubId, direction: Direction, swapped: bool) -> String {
        self.routines.name(&self.pres.types[stub].name, direction, swapped)
    }

    /// A call of the routine that encodes: `encode(…)` or, where another order than the host's may be sent,
    /// `WHITTLE_SENDS_SWAPPED ? encode_swapped(…) : encode(…)`.
    pub(in crate::links) fn encode(
        &self,
        stub: TypeStubId,
        holder: &Expression,
        at: Expression,
        value: Expression,
    ) -> Expression {
        let arguments = vec![address(member(holder.clone(), "out", Type::Void)), at, value];
        let routine =
            |swapped: bool| call(self.name(stub, Direction::Encode, swapped), arguments.clone(), Type::CHAR.pointer());
        if self.routines.messages.encodes_swapped() {
            conditional(name("WHITTLE_SENDS_SWAPPED", Type::INT), routine(true), routine(false))
        } else {
            routine(false)
        }
    }

    /// `_to = _to == NULL ? NULL : encode(&holder.out, _to, &value);`
    pub(in crate::links) fn encoded(&self, stub: TypeStubId, holder: &Expression, value: Expression) -> Statement {
        assign(to(), unless_null(to(), self.encode(stub, holder, to(), value)))
    }

    /// A call of the routine that decodes what is in the host's order, or of that for the other:
    /// `holder.swapped ? decode_swapped(…) : decode(…)`.
    pub(in crate::links) fn decode(&self, stub: TypeStubId, holder: &Expression, value: Expression) -> Expression {
        let part = |part: &str, ty: Type| member(holder.clone(), part, ty);
        let arguments = vec![address(part("in", Type::Void)), part("at", bytes()), value];
        let routine = |swapped: bool| call(self.name(stub, Direction::Decode, swapped), arguments.clone(), bytes());
        if self.routines.messages.decodes_swapped() {
            conditional(part("swapped", Type::named("bool")), routine(true), routine(false))
        } else {
            routine(false)
        }
    }

    /// The routine that releases what values hold, where they hold anything.
    pub(in crate::links) fn release(&self, stub: TypeStubId) -> Option<String> {
        let holds = self.routines.releases(&self.pres.types[stub].name);
        holds.then(|| self.name(stub, Direction::Release, false))
    }

    /// A call of it for the value at an address.
    pub(in crate::links) fn released(&self, stub: TypeStubId, value: Expression) -> Option<Statement> {
        Some(super::super::statements::call_statement(&self.release(stub)?, vec![value]))
    }

    /// Unmarshals what a server is asked, in the message where nothing of it can be replaced, else by the function `heap`.
    pub(in crate::links) fn arguments(
        &self,
        operation: &Operation,
        request: Expression,
        heap: &str,
        refusals: &Refusals,
    ) -> Vec<Statement> {
        let Some(pack) = operation.server_request.structure() else { return Vec::new() };
        let holder = dereference(request.clone());
        let mut body = Vec::new();
        if !operation.borrows {
            let input = member(holder.clone(), "in", Type::Void);
            body.push(assign(member(input.clone(), "borrow", Type::INT), name("false", Type::INT)));
            body.push(assign(member(input, "allocate", Type::Void), name(heap, Type::Void)));
        }
        let mut failed: Vec<Statement> = self.release_request(operation).into_iter().collect();
        failed.extend(refusals.refused(&refusals.malformed, operation, request));
        let decoded = self.decode(pack, &holder, address(received()));
        body.push(when(equal(decoded, null()), failed));
        body
    }

    /// What lies in the message is not released.
    pub(in crate::links) fn release_request(&self, operation: &Operation) -> Option<Statement> {
        let pack = operation.server_request.structure().filter(|_| !operation.borrows)?;
        self.released(pack, address(received()))
    }
}
