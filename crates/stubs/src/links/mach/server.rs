//! The server's stub: checks a request, calls the server's function with what is in it, and packs the answer.

use cast::{Declaration, Expression, Function, Linkage, Statement, Type, build};
use mig::{Argument, Complexity, Content, Direction, Item, Length, Message, Routine, Shape, TypeName};

use super::descriptors::Descriptors;
use super::pack::{Leaving, Source};
use super::parameters::{self, Kind, kind};
use super::records::{reply_tag, request_tag};
use super::side::{Side, at, call, head, number, untyped, var};
use super::translate::{self, destroyed, translated_in, translated_out};
use super::unpack::{Arriving, is_complex};
use super::walk::{elements, flag, most_elements, times, value_of};

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
    fn code(&self) -> Expression {
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
                    _ => build::subtract(super::walk::count("mig_in", item, "number"), number(1)),
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
        let rights = if ty.is_variable() { super::walk::count("mig_in", item, "number") } else { number(ty.units) };
        let to = build::cast(self.side.element_type_or_port(ty).pointer(), place.clone());
        let narrow = Statement::Expression(call("mig_narrow", vec![to, place, rights]));
        if ty.is_any() { build::when(flag("mig_in", item, "inline"), vec![narrow]) } else { narrow }
    }

    fn values<'b>(&self, message: &'b Message<'b>) -> impl Iterator<Item = &'b Item<'b>> {
        message.items.iter().filter(|item| item.content == Content::Value)
    }

    fn requested(&self, argument: &Argument) -> Option<&Item<'_>> {
        self.request.items.iter().find(|item| item.content == Content::Value && item.argument.name == argument.name)
    }

    fn answered(&self, argument: &Argument) -> Option<&Item<'_>> {
        self.reply.items.iter().find(|item| item.argument.name == argument.name)
    }

    /// Whether the server's function writes the argument where the answer has it.
    fn is_in_place(&self, argument: &Argument) -> bool {
        let item = self.answered(argument);
        argument.direction == Direction::Out
            && argument.ty.outtran.is_none()
            && item.is_some_and(|item| item.shift == 0 && !item.ty().is_any())
    }

    /// Variables for what the function needs and no message has.
    fn locals(&self) -> Vec<Statement> {
        let mut locals = Vec::new();
        for argument in self.routine.arguments.iter().filter(|argument| parameters::is_seen(argument, self.side)) {
            locals.extend(self.value_local(argument));
            if argument.is_out() && parameters::has_count(argument) {
                locals.extend(self.count_local(argument));
            }
            if kind(argument, self.side) == Kind::Out {
                let told = (argument.direction == Direction::InOut && argument.ty.received == TypeName::Polymorphic)
                    .then(|| self.requested(argument).map(|item| super::walk::count("mig_in", item, "name")))
                    .flatten();
                locals.push(build::local(translate::kind_local(argument), Type::named("mach_msg_type_name_t"), told));
            }
            if argument.is_out() && parameters::says_deallocate(argument, self.side) {
                let name = translate::moves_local(argument);
                locals.push(build::local(name, Type::named("boolean_t"), Some(var("FALSE"))));
            }
        }
        locals
    }

    /// A variable for a value: translated, written before it has its place, or to be released after the call.
    fn value_local(&self, argument: &Argument) -> Vec<Statement> {
        let (ty, name) = (&argument.ty, translate::local(argument));
        let function_type = self.side.function_type(ty);
        if argument.direction == Direction::Out {
            if self.is_in_place(argument) {
                return Vec::new();
            }
            let Some(item) = self.answered(argument) else { return Vec::new() };
            if ty.is_any() {
                return self.any_local(argument, item);
            }
            let ty = match ty.length {
                Length::AtMost(most) if ty.is_inline => self.side.element_type(ty).array(number(most)),
                _ => function_type,
            };
            return vec![build::local(name, ty, None)];
        }
        if !translate::needs_local(argument) {
            return Vec::new();
        }
        let Some(given) = self.given(argument) else { return Vec::new() };
        vec![build::local(name, function_type, Some(translated_in(argument, given, self.side)))]
    }

    /// Room for an array of any length: the answer's own where it has a fixed place.
    fn any_local(&self, argument: &Argument, item: &Item<'_>) -> Vec<Statement> {
        let ty = &argument.ty;
        let element = self.side.element_type(ty);
        let mut locals = Vec::new();
        let room = if item.shift == 0 {
            build::cast(element.clone().pointer(), build::member(value_of("mig_out", item), "data", untyped()))
        } else {
            let name = translate::room_local(argument);
            locals.push(build::local(&name, element.clone().array(number(most_elements(ty))), None));
            var(name)
        };
        let pointer = self.side.function_type(ty);
        locals.push(build::local(translate::local(argument), pointer, Some(room)));
        locals
    }

    fn count_local(&self, argument: &Argument) -> Vec<Statement> {
        let name = translate::count_local(argument);
        let ty = &argument.ty;
        let initial = match self.requested(argument) {
            Some(item) => Some(elements("mig_in", item)),
            None if ty.is_inline => Some(number(most_elements(ty))),
            None => None,
        };
        let mut statements = vec![build::local(&name, Type::named("mach_msg_type_number_t"), initial)];
        if argument.has_count_in
            && let Some(item) = self
                .request
                .items
                .iter()
                .find(|item| item.content == Content::Count && item.argument.name == argument.name)
        {
            let asked = value_of("mig_in", item);
            let is_less = build::less(asked.clone(), var(&name));
            statements.push(build::when(is_less, vec![build::assign(var(&name), asked)]));
        }
        statements
    }

    /// An argument as the request has it.
    pub(super) fn given(&self, argument: &Argument) -> Option<Expression> {
        let (request_port, reply_port) = self.side.ports();
        let port = |member: &str| {
            let value = head("mig_in", member);
            if self.side.is_kernel() { build::cast(Type::named("ipc_port_t"), value) } else { value }
        };
        match argument.direction {
            Direction::RequestPort => return Some(port(request_port)),
            Direction::ReplyPort | Direction::ServerReplyPort => return Some(port(reply_port)),
            Direction::Sequence => return Some(head("mig_in", "msgh_seqno")),
            _ => {}
        }
        let item = self.requested(argument)?;
        let (ty, place) = (item.ty(), value_of("mig_in", item));
        if !ty.is_inline {
            return Some(place);
        }
        let element = |place: Expression| {
            if !self.side.is_widened(ty) {
                return place;
            }
            build::cast(self.side.element_type_or_port(ty).pointer(), place)
        };
        Some(match ty.length {
            Length::Any(_) => build::conditional(
                flag("mig_in", item, "inline"),
                element(build::member(place.clone(), "data", untyped())),
                build::member(place, "elsewhere", untyped()),
            ),
            _ if ty.is_variable() || ty.units > 1 && self.side.is_widened(ty) => element(place),
            Length::Fixed if self.side.is_widened(ty) => build::member(place, "name", untyped()),
            _ => place,
        })
    }

    /// The call of the server's function.
    fn call(&self) -> Statement {
        let seen = self.routine.arguments.iter().filter(|argument| parameters::is_seen(argument, self.side));
        let arguments = seen.flat_map(|argument| self.passed(argument)).collect();
        let function = self.side.function(&self.routine.name);
        build::assign(self.code(), build::call(function, arguments, parameters::result()))
    }

    fn passed(&self, argument: &Argument) -> Vec<Expression> {
        let mut passed: Vec<Expression> = self.passed_value(argument).into_iter().collect();
        match kind(argument, self.side) {
            Kind::Known => {}
            Kind::Out => passed.push(build::address(var(translate::kind_local(argument)))),
            Kind::In => passed.extend(self.told_kind(argument)),
        }
        if parameters::has_count(argument) {
            passed.extend(match argument.is_out() {
                true => Some(build::address(var(translate::count_local(argument)))),
                false => self.requested(argument).map(|item| elements("mig_in", item)),
            });
        }
        if parameters::says_deallocate(argument, self.side) {
            passed.push(build::address(var(translate::moves_local(argument))));
        }
        if argument.is_server_copy {
            passed.extend(self.requested(argument).map(|item| flag("mig_in", item, "inline")));
        }
        passed
    }

    /// Which kind of right came: those of the header's ports are in its bits.
    fn told_kind(&self, argument: &Argument) -> Option<Expression> {
        let is_swapped = self.side.is_kernel();
        let function = match argument.direction {
            Direction::RequestPort if is_swapped => "MACH_MSGH_BITS_REMOTE",
            Direction::RequestPort => "MACH_MSGH_BITS_LOCAL",
            Direction::ReplyPort | Direction::ServerReplyPort if is_swapped => "MACH_MSGH_BITS_LOCAL",
            Direction::ReplyPort | Direction::ServerReplyPort => "MACH_MSGH_BITS_REMOTE",
            _ => return self.requested(argument).map(|item| super::walk::count("mig_in", item, "name")),
        };
        Some(call(function, vec![head("mig_in", "msgh_bits")]))
    }

    fn passed_value(&self, argument: &Argument) -> Option<Expression> {
        let ty = &argument.ty;
        let by_address = |value: Expression| if ty.is_passed_by_address() { value } else { build::address(value) };
        if argument.direction == Direction::Out {
            if !self.is_in_place(argument) {
                return Some(by_address(var(translate::local(argument))));
            }
            let item = self.answered(argument)?;
            let place = value_of("mig_out", item);
            return Some(if !self.side.is_widened(ty) {
                by_address(place)
            } else if ty.is_variable() || ty.units > 1 {
                build::cast(self.side.element_type_or_port(ty).pointer(), place)
            } else {
                build::address(build::member(place, "name", untyped()))
            });
        }
        if translate::needs_local(argument) {
            let local = var(translate::local(argument));
            return Some(if argument.is_out() { by_address(local) } else { local });
        }
        let given = self.given(argument)?;
        if argument.is_out() {
            return Some(by_address(given));
        }
        Some(translated_in(argument, given, self.side))
    }

    /// Memory that came with the request is the stub's to release, unless the function was told of it.
    fn release_memory(&self) -> Vec<Statement> {
        let mut statements = Vec::new();
        let is_released = |item: &&Item<'_>| item.ty().is_any() && !item.argument.is_server_copy;
        for item in self.values(self.request).filter(is_released) {
            let address = build::cast(
                Type::named("vm_offset_t"),
                build::member(value_of("mig_in", item), "elsewhere", untyped()),
            );
            let element = u64::from(self.side.bits(item.ty(), false)) / 8;
            let size = times(element, super::walk::count("mig_in", item, "number"));
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

    /// The answer's items, its size and its kind.
    fn answer(&self, leaving: &Leaving<'_>, descriptors: &mut Descriptors) -> Vec<Statement> {
        let mut statements = Vec::new();
        if leaving.keeps_kind() {
            statements.push(build::assign(var("mig_simple"), var("TRUE")));
        }
        statements.extend(leaving.items(descriptors, |item| self.source(leaving, item)));
        statements.push(build::assign(head("mig_out", "msgh_size"), leaving.size()));
        let mark = build::assign_with(
            head("mig_out", "msgh_bits"),
            cast::BinaryOperator::BitOr,
            var("MACH_MSGH_BITS_COMPLEX"),
        );
        match self.reply.sent {
            Complexity::Never => {}
            Complexity::Always => statements.push(mark),
            Complexity::Perhaps => statements.push(build::when(build::not(var("mig_simple")), vec![mark])),
        }
        statements
    }

    /// Where an item of the answer comes from.
    fn source(&self, leaving: &Leaving<'_>, item: &Item<'_>) -> Source {
        let (argument, ty) = (item.argument, item.ty());
        let is_counted = ty.is_variable() && ty.shape != Shape::Text;
        let counted = argument.same_count_as.as_deref().unwrap_or(&argument.name);
        let count = is_counted.then(|| var(format!("mig_count_{counted}")));
        let kind = (kind(argument, self.side) == Kind::Out).then(|| var(translate::kind_local(argument)));
        let moves = parameters::says_deallocate(argument, self.side).then(|| var(translate::moves_local(argument)));
        let mut store = self.stored(leaving, item, count.as_ref(), moves.clone());
        store.extend(self.circle(item, kind.as_ref()));
        Source { store, count, kind, moves }
    }

    fn stored(
        &self,
        leaving: &Leaving<'_>,
        item: &Item<'_>,
        count: Option<&Expression>,
        moves: Option<Expression>,
    ) -> Vec<Statement> {
        let (argument, ty) = (item.argument, item.ty());
        let local = var(translate::local(argument));
        if argument.direction == Direction::InOut {
            return self.sent_back(leaving, item, count);
        }
        if ty.is_any() {
            let place = build::member(value_of("mig_out", item), "data", untyped());
            let (room, copy) = if item.shift > 0 {
                (var(translate::room_local(argument)), Some(leaving.copy_array(item, place, local.clone(), count)))
            } else if self.side.is_widened(ty) {
                (place.clone(), Some(leaving.copy_array(item, place, local.clone(), count)))
            } else {
                (place, None)
            };
            let room = build::cast(self.side.element_type(ty).pointer(), room);
            let is_elsewhere = build::not_equal(local.clone(), room);
            let elsewhere = leaving.send_elsewhere(item, local, moves);
            return vec![match copy {
                Some(copy) => build::when_else(is_elsewhere, elsewhere, vec![copy]),
                None => build::when(is_elsewhere, elsewhere),
            }];
        }
        if !self.is_in_place(argument) {
            return leaving.copy(item, translated_out(argument, local), count);
        }
        let place = value_of("mig_out", item);
        if ty.shape == Shape::Text && ty.is_variable() {
            let length = build::add(call("strlen", vec![place]), number(1));
            return vec![build::assign(super::walk::count("mig_out", item, "number"), length)];
        }
        if self.side.is_widened(ty) && (ty.is_variable() || ty.units > 1) {
            let names = build::cast(self.side.element_type_or_port(ty).pointer(), place.clone());
            return vec![leaving.copy_array(item, place, names, count)];
        }
        Vec::new()
    }

    /// An `inout` argument goes back from where the request has it.
    fn sent_back(&self, leaving: &Leaving<'_>, item: &Item<'_>, count: Option<&Expression>) -> Vec<Statement> {
        let (argument, ty) = (item.argument, item.ty());
        if translate::needs_local(argument) {
            return leaving.copy(item, translated_out(argument, var(translate::local(argument))), count);
        }
        match self.given(argument) {
            // As a whole: the right, and what fills it up.
            Some(_) if self.side.is_widened(ty) && !ty.is_variable() && ty.units == 1 => {
                let place = self.requested(argument).map(|item| value_of("mig_in", item));
                place.map(|place| build::assign(value_of("mig_out", item), place)).into_iter().collect()
            }
            Some(given) => leaving.copy(item, given, count),
            None => Vec::new(),
        }
    }

    /// A right to receive that travels to itself would never be released.
    fn circle(&self, item: &Item<'_>, kind: Option<&Expression>) -> Option<Statement> {
        let ty = item.ty();
        let name = self.side.leaves_as(ty);
        let is_known = name.value() == Some(16);
        if !self.side.is_kernel() || !(is_known || name == TypeName::Polymorphic) || ty.is_variable() {
            return None;
        }
        let port = Type::named("ipc_port_t");
        let right = build::cast(port.clone(), value_of("mig_out", item));
        let to = build::cast(port, build::arrow(var("mig_request"), self.side.ports().1, untyped()));
        let valid = |right: &Expression| call("IP_VALID", vec![right.clone()]);
        let check = call(self.side.run_time("ipc_port_check_circularity"), vec![right.clone(), to.clone()]);
        let mut conditions = vec![valid(&to), valid(&right), check];
        if let (false, Some(kind)) = (is_known, kind) {
            conditions.insert(0, build::equal(kind.clone(), var("MACH_MSG_TYPE_PORT_RECEIVE")));
        }
        let mark = build::assign_with(
            build::arrow(var("mig_reply"), "msgh_bits", untyped()),
            cast::BinaryOperator::BitOr,
            var("MACH_MSGH_BITS_CIRCULAR"),
        );
        conditions.into_iter().reduce(build::and).map(|condition| build::when(condition, vec![mark]))
    }
}
