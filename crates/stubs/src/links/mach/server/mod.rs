//! The server's stub: checks a request, calls the server's function with what is in it, and packs the answer.

mod answer;
mod locals;
mod pass;

use cast::{Declaration, Expression, Function, Linkage, Statement, Type, build};
use mig::{Argument, Content, Item, Length, Message, Routine, Shape};

use super::descriptors::Descriptors;
use super::pack::Leaving;
use super::records::{reply_tag, request_tag};
use super::side::{Side, at, call, head, number, untyped, var};
use super::translate::destroyed;
use super::unpack::{Arriving, is_complex};
use super::walk::{self, flag, times, value_of};

/// What a stub knows of its routine.
pub(super) struct Stub<'a> {
    pub(super) routine: &'a Routine,
    pub(super) request: &'a Message<'a>,
    pub(super) reply: &'a Message<'a>,
    pub(super) side: &'a Side<'a>,
}

/// The function that serves a request.
pub(super) fn stub(routine: &Routine, side: &Side<'_>, descriptors: &mut Descriptors) -> Vec<Declaration> {
    let request = Message::request(routine, side.word());
    let reply = Message::reply(routine, side.word(), side.is_server && side.is_kernel());
    let stub = Stub { routine, request: &request, reply: &reply, side };
    let message = Type::named("mach_msg_header_t").pointer();
    let function = Function {
        linkage: Linkage::Static,
        name: format!("_X{}", routine.name),
        parameters: vec![build::parameter("mig_request", message.clone()), build::parameter("mig_reply", message)],
        body: stub.body(descriptors),
        ..Function::default()
    };
    vec![Declaration::Function(function), Declaration::Blank]
}

impl Stub<'_> {
    fn body(&self, descriptors: &mut Descriptors) -> Vec<Statement> {
        let (routine, side) = (self.routine, self.side);
        let fault = vec![build::assign(self.code(), var("MIG_BAD_ARGUMENTS")), Statement::Return(None)];
        let arriving = Arriving { message: self.request, base: "mig_in", tag: request_tag(routine), fault, side };
        let reply_type =
            if routine.is_simple { Type::named("mig_reply_header_t") } else { Type::structure(reply_tag(routine)) };
        let leaving = Leaving { message: self.reply, base: "mig_out", tag: reply_tag(routine), side };
        let mut body = self.variables(&arriving, &leaving, &reply_type);
        body.extend(self.check_head(&arriving));
        body.extend(arriving.items(descriptors, |_| Vec::new()));
        body.extend(self.finish_request());
        body.extend(self.locals());
        body.push(self.call());
        body.extend(self.release_memory());
        body.extend(routine.arguments.iter().filter_map(|argument| destroyed(argument, side)));
        let ports = self.release_rights();
        if self.reply.items.is_empty() && ports.is_empty() {
            return body;
        }
        let failed = build::not_equal(self.code(), var("KERN_SUCCESS"));
        body.push(build::when(failed, vec![Statement::Return(None)]));
        body.extend(ports);
        if !self.reply.items.is_empty() {
            body.extend(self.answer(&leaving, descriptors));
        }
        body
    }

    /// Where the return code goes.
    pub(super) fn code(&self) -> Expression {
        at("mig_out", if self.routine.is_simple { "RetCode" } else { "mig_code" })
    }

    fn variables(&self, arriving: &Arriving<'_>, leaving: &Leaving<'_>, reply_type: &Type) -> Vec<Statement> {
        let point = |name: &str, ty: Type, from: &str| {
            build::local(name, ty.clone().pointer(), Some(build::cast(ty.pointer(), var(from))))
        };
        let mut variables = Vec::new();
        let request = Type::structure(request_tag(self.routine));
        variables.push(point("mig_in", request, "mig_request"));
        variables.push(point("mig_out", reply_type.clone(), "mig_reply"));
        let mut own = arriving.variables();
        own.extend(leaving.variables().into_iter().filter(|variable| !arriving.variables().contains(variable)));
        variables.extend(own);
        if arriving.keeps_kind() || leaving.keeps_kind() {
            variables.push(build::local("mig_simple", Type::named("boolean_t"), None));
        }
        variables
    }

    /// Size and kind of the request.
    fn check_head(&self, arriving: &Arriving<'_>) -> Vec<Statement> {
        let mut statements = Vec::new();
        let mut size = head("mig_in", "msgh_size");
        if arriving.keeps_size() {
            statements.push(build::assign(var("mig_size"), size));
            size = var("mig_size");
        }
        if arriving.keeps_kind() {
            statements.push(build::assign(var("mig_simple"), build::not(is_complex("mig_in"))));
        }
        let faults = [Some(arriving.wrong_size(size)), arriving.wrong_kind()].into_iter().flatten().collect();
        statements.extend(arriving.refuse(faults));
        statements
    }

    /// Text ends where it has to, and rights are as narrow as names.
    fn finish_request(&self) -> Vec<Statement> {
        let mut statements = Vec::new();
        for item in self.values(self.request) {
            let ty = item.ty();
            if !ty.is_inline {
                continue;
            }
            if ty.shape == Shape::Text {
                let end = match ty.length {
                    Length::Fixed => number(ty.bytes().saturating_sub(1)),
                    _ => build::subtract(walk::count("mig_in", item, "number"), number(1)),
                };
                statements.push(build::assign(build::index(value_of("mig_in", item), end), number(0)));
            }
            let is_array = ty.is_variable() || ty.units > 1;
            if self.side.is_widened(ty) && is_array {
                statements.push(self.narrowed(item));
            }
        }
        statements
    }

    /// Names of rights stand one after the other then, where the wider ones stood.
    fn narrowed(&self, item: &Item<'_>) -> Statement {
        let ty = item.ty();
        let place = value_of("mig_in", item);
        let place = if ty.is_any() { build::member(place, "data", untyped()) } else { place };
        let rights = if ty.is_variable() { walk::count("mig_in", item, "number") } else { number(ty.units) };
        let to = build::cast(self.side.element_type_or_port(ty).pointer(), place.clone());
        let narrow = Statement::Expression(call("mig_narrow", vec![to, place, rights]));
        if ty.is_any() { build::when(flag("mig_in", item, "inline"), vec![narrow]) } else { narrow }
    }

    pub(super) fn values<'b>(&self, message: &'b Message<'b>) -> impl Iterator<Item = &'b Item<'b>> {
        message.items.iter().filter(|item| item.content == Content::Value)
    }

    pub(super) fn requested(&self, argument: &Argument) -> Option<&Item<'_>> {
        self.request.items.iter().find(|item| item.content == Content::Value && item.argument.name == argument.name)
    }

    pub(super) fn answered(&self, argument: &Argument) -> Option<&Item<'_>> {
        self.reply.items.iter().find(|item| item.argument.name == argument.name)
    }

    /// Memory that came with the request is the stub's to release, unless the function was given it.
    fn release_memory(&self) -> Vec<Statement> {
        let mut statements = Vec::new();
        let is_released = |item: &&Item<'_>| item.ty().is_any() && !item.argument.is_server_copy;
        for item in self.values(self.request).filter(is_released) {
            let address = build::cast(
                Type::named("vm_offset_t"),
                build::member(value_of("mig_in", item), "elsewhere", untyped()),
            );
            let element = u64::from(self.side.bits(item.ty(), false)) / 8;
            let size = times(element, walk::count("mig_in", item, "number"));
            let release = call(self.side.run_time("mig_deallocate"), vec![address, size]);
            let is_elsewhere = build::not(flag("mig_in", item, "inline"));
            let succeeded = build::equal(self.code(), var("KERN_SUCCESS"));
            statements.push(build::when(build::and(succeeded, is_elsewhere), vec![Statement::Expression(release)]));
        }
        statements
    }

    /// The kernel's function saw what a right was translated to; the right itself is released here.
    fn release_rights(&self) -> Vec<Statement> {
        if !self.side.is_kernel() {
            return Vec::new();
        }
        let is_send = |item: &&Item<'_>| {
            let ty = item.ty();
            ty.intran.is_some() && ty.received.value() == Some(17) && ty.is_inline && !ty.is_variable() && ty.units == 1
        };
        let release = |item: &Item<'_>| {
            let right = value_of("mig_in", item);
            let released = call(self.side.run_time("ipc_port_release_send"), vec![right.clone()]);
            build::when(call("IP_VALID", vec![right]), vec![Statement::Expression(released)])
        };
        self.values(self.request).filter(is_send).map(release).collect()
    }
}
