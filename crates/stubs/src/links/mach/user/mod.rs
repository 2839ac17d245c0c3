//! The user's stub: packs the request, sends it, waits for the answer, checks it and hands its values out.

use cast::{Declaration, Expression, Function, Record, RecordKind, Statement, Type, build};
use mig::{Argument, Complexity, Content, Direction, Item, Message, Routine, Shape, TypeName};

mod receive;

use super::REPLY;
use super::descriptors::Descriptors;
use super::pack::{Leaving, Source};
use super::parameters::{self, Kind, kind};
use super::records::{reply_tag, request_tag};
use super::side::{Side, at, call, head, number, unlikely, untyped, var};
use super::unpack::Arriving;
use super::walk::{most_elements, unsigned, value_of};
use receive::{check_head, hand_out};

/// The stub of a routine.
pub(super) fn stub(routine: &Routine, side: &Side<'_>, descriptors: &mut Descriptors) -> Vec<Declaration> {
    let request = Message::request(routine, side.word());
    let leaving = Leaving { message: &request, base: "mig_in", tag: request_tag(routine), side };
    let body = if routine.is_simple {
        let mut body = variables(routine, &leaving, None);
        body.extend(leaving.items(descriptors, |item| source(&leaving, routine, item)));
        body.extend(headed(routine, &leaving));
        body.push(build::returns(sent(routine, &leaving, None)));
        body
    } else {
        call_and_answer(routine, &leaving, descriptors)
    };
    let function = Function { body, ..parameters::head(routine, side) };
    vec![Declaration::Function(function), Declaration::Blank]
}

fn call_and_answer(routine: &Routine, leaving: &Leaving<'_>, descriptors: &mut Descriptors) -> Vec<Statement> {
    let side = leaving.side;
    let reply = Message::reply(routine, side.word(), side.is_server && side.is_kernel());
    let fault = vec![build::returns(var("MIG_TYPE_ERROR"))];
    let arriving = Arriving { message: &reply, base: "mig_out", tag: reply_tag(routine), fault, side };
    let mut body = variables(routine, leaving, Some(&arriving));
    body.extend(leaving.items(descriptors, |item| source(leaving, routine, item)));
    body.extend(headed(routine, leaving));
    let size = build::sizeof_type(Type::structure(reply_tag(routine)));
    body.push(build::assign(var("mig_result"), sent(routine, leaving, Some(size))));
    body.extend(settle_reply_port(routine, side));
    body.push(is_the_answer(routine, side));
    body.extend(check_head(&arriving, descriptors));
    if reply.items.is_empty() {
        body.push(build::returns(at("mig_out", "mig_code")));
        return body;
    }
    let failed = build::not_equal(at("mig_out", "mig_code"), var("KERN_SUCCESS"));
    body.push(build::when(failed, vec![build::returns(at("mig_out", "mig_code"))]));
    body.extend(arriving.items(descriptors, |item| hand_out(item, &arriving)));
    body.push(build::returns(var("KERN_SUCCESS")));
    body
}

/// The message's room, pointers to it, and what the statements keep.
fn variables(routine: &Routine, leaving: &Leaving<'_>, arriving: Option<&Arriving<'_>>) -> Vec<Statement> {
    let room = |name: &str, tag: String| cast::Field { name: name.to_owned(), ty: Type::structure(tag) };
    let mut fields = vec![room("in", request_tag(routine))];
    let mut variables = Vec::new();
    if arriving.is_some() {
        fields.push(room("out", reply_tag(routine)));
    }
    let both = Type::Anonymous(Box::new(Record { kind: RecordKind::Union, tag: None, fields }));
    variables.push(build::local("mig_message", both, None));
    let pointer = |name: &str, member: &str, tag: String| {
        let place = build::address(build::member(var("mig_message"), member, Type::structure(&tag)));
        build::local(name, Type::structure(tag).pointer(), Some(place))
    };
    variables.push(pointer("mig_in", "in", request_tag(routine)));
    let mut own = leaving.variables();
    if let Some(arriving) = arriving {
        variables.push(pointer("mig_out", "out", reply_tag(routine)));
        variables.push(build::local("mig_result", Type::named("mach_msg_return_t"), None));
        let mut needed = arriving.variables();
        if !arriving.message.items.is_empty() && !arriving.keeps_size() {
            needed.push(build::local("mig_size", unsigned(), None));
        }
        own.extend(needed.into_iter().filter(|variable| !leaving.variables().contains(variable)));
    }
    variables.extend(own);
    let is_kept = arriving.is_some_and(|arriving| arriving.message.received != Complexity::Never);
    if leaving.keeps_kind() || is_kept {
        let initial = leaving.keeps_kind().then(|| var("TRUE"));
        variables.push(build::local("mig_simple", Type::named("boolean_t"), initial));
    }
    variables
}

/// The value of a parameter: `inout` ones are passed by address.
fn given(argument: &Argument) -> Expression {
    let name = var(&argument.name);
    if argument.is_out() && !argument.ty.is_passed_by_address() { dereferenced(name) } else { name }
}

fn dereferenced(pointer: Expression) -> Expression {
    build::unary(cast::UnaryOperator::Dereference, pointer)
}

/// How many elements the caller gives, or has room for.
fn given_count(routine: &Routine, argument: &Argument) -> Expression {
    let counted = argument.same_count_as.as_deref().unwrap_or(&argument.name);
    let is_out = routine.arguments.iter().any(|other| other.name == counted && other.is_out());
    let name = var(format!("{counted}Cnt"));
    if is_out { dereferenced(name) } else { name }
}

/// The kind of right that the caller says.
fn given_kind(argument: &Argument, side: &Side<'_>) -> Option<Expression> {
    let name = var(format!("{}Poly", argument.name));
    match kind(argument, side) {
        Kind::Known => None,
        Kind::In => Some(name),
        Kind::Out => Some(dereferenced(name)),
    }
}

/// Where an item of the request comes from.
fn source(leaving: &Leaving<'_>, routine: &Routine, item: &Item<'_>) -> Source {
    let (argument, ty) = (item.argument, item.ty());
    if item.content == Content::Count {
        let room = given_count(routine, argument);
        let most = number(most_elements(ty));
        let is_less = build::less(room.clone(), most.clone());
        let store = build::assign(value_of(leaving.base, item), build::conditional(is_less, room, most));
        return Source { store: vec![store], count: None, kind: None, moves: None };
    }
    let is_counted = ty.is_variable() && ty.shape != Shape::Text;
    let count = is_counted.then(|| given_count(routine, argument));
    let moves = parameters::says_deallocate(argument, leaving.side).then(|| var(format!("{}Dealloc", argument.name)));
    let mut store = leaving.copy(item, given(argument), count.as_ref());
    if let (Some(count), true) = (&count, ty.is_inline) {
        let is_more = build::greater(count.clone(), number(most_elements(ty)));
        if ty.is_any() {
            let elsewhere = leaving.send_elsewhere(item, given(argument), moves.clone());
            store = vec![build::when_else(is_more, elsewhere, store)];
        } else {
            store.insert(0, build::when(is_more, vec![build::returns(var("MIG_ARRAY_TOO_LARGE"))]));
        }
    }
    Source { store, count, kind: given_kind(argument, leaving.side), moves }
}

/// The header of the request.
fn headed(routine: &Routine, leaving: &Leaving<'_>) -> Vec<Statement> {
    let side = leaving.side;
    let set = |member: &str, value: Expression| build::assign(head("mig_in", member), value);
    let Some(request_port) = routine.request_port() else { return Vec::new() };
    let kind_of = |argument: &Argument| match argument.ty.sent {
        TypeName::Known(name, _) => var(name),
        TypeName::Number(value) => number(u64::from(value)),
        TypeName::Polymorphic => var(format!("{}Poly", argument.name)),
    };
    let own_reply = routine.of(&[Direction::ReplyPort, Direction::UserReplyPort]);
    let (reply_port, reply_kind) = match own_reply {
        Some(port) => (port_value(var(&port.name), side), kind_of(port)),
        None if routine.is_simple => (var("MACH_PORT_NULL"), number(0)),
        None => {
            let got = call(side.run_time("mig_get_reply_port"), Vec::new());
            (port_value(got, side), var("MACH_MSG_TYPE_MAKE_SEND_ONCE"))
        }
    };
    let kinds = call("MACH_MSGH_BITS", vec![kind_of(request_port), reply_kind]);
    let complex = build::binary(var("MACH_MSGH_BITS_COMPLEX"), cast::BinaryOperator::BitOr, kinds.clone());
    let bits = match leaving.message.sent {
        Complexity::Never => kinds,
        Complexity::Always => complex,
        Complexity::Perhaps => build::conditional(var("mig_simple"), kinds, complex),
    };
    let (to, from) = side.ports();
    vec![
        set("msgh_bits", bits),
        set("msgh_size", leaving.size()),
        set(to, port_value(var(&request_port.name), side)),
        set(from, reply_port),
        set("msgh_seqno", number(0)),
        set("msgh_id", number(u64::from(routine.number))),
    ]
}

/// A port as headers have it: the kernel's are pointers.
fn port_value(port: Expression, side: &Side<'_>) -> Expression {
    if side.is_kernel() { build::cast(Type::named("mach_port_t"), port) } else { port }
}

/// The call that sends the request and, with room for an answer, waits for it.
fn sent(routine: &Routine, leaving: &Leaving<'_>, room: Option<Expression>) -> Expression {
    let side = leaving.side;
    let message = build::address(at("mig_in", "mig_head"));
    let result = Type::named("mach_msg_return_t");
    if side.is_kernel() {
        let function = if room.is_some() { "mach_msg_rpc_from_kernel" } else { "mach_msg_send_from_kernel" };
        let arguments = [Some(message), Some(leaving.size()), room].into_iter().flatten().collect();
        return build::call(side.run_time(function), arguments, result);
    }
    let or = |left, right| build::binary(left, cast::BinaryOperator::BitOr, right);
    let spelled = |words: &Vec<String>| words.iter().map(var_or_number).reduce(or);
    let mut options = var("MACH_SEND_MSG");
    if room.is_some() {
        options = or(options, var("MACH_RCV_MSG"));
    }
    match routine.of(&[Direction::MessageOption]) {
        Some(argument) => options = or(options, var(&argument.name)),
        None => {
            let given = routine.message_option.as_ref().and_then(spelled);
            options = or(options, given.unwrap_or_else(|| var("MACH_MSG_OPTION_NONE")));
        }
    }
    let wait = match (routine.of(&[Direction::WaitTime]), &routine.wait_time) {
        (Some(argument), _) => Some(var(&argument.name)),
        // A message that nobody answers waits as long as its options say.
        (None, Some(words)) if room.is_some() => spelled(words),
        _ => None,
    };
    if wait.is_some() && room.is_some() {
        options = or(options, var("MACH_RCV_TIMEOUT"));
    }
    let port = if room.is_some() { head("mig_in", side.ports().1) } else { var("MACH_PORT_NULL") };
    let arguments = vec![
        message,
        options,
        leaving.size(),
        room.unwrap_or_else(|| number(0)),
        port,
        wait.unwrap_or_else(|| var("MACH_MSG_TIMEOUT_NONE")),
        var("MACH_PORT_NULL"),
    ];
    build::call(side.run_time("mach_msg"), arguments, result)
}

/// A word of an expression that only C understands.
fn var_or_number(word: &String) -> Expression {
    let is_number = word.starts_with(|first: char| first.is_ascii_digit());
    if is_number { build::spelled(word, untyped()) } else { var(word) }
}

/// The reply port goes back to the run time, if it is the run time's.
fn settle_reply_port(routine: &Routine, side: &Side<'_>) -> Vec<Statement> {
    let failed = build::not_equal(var("mig_result"), var("MACH_MSG_SUCCESS"));
    let give_up = build::returns(var("mig_result"));
    if routine.of(&[Direction::ReplyPort, Direction::UserReplyPort]).is_some() {
        return vec![build::when(failed, vec![give_up])];
    }
    vec![
        build::when(failed, vec![release_reply_port(side), give_up]),
        Statement::Expression(call(side.run_time("mig_put_reply_port"), vec![head("mig_in", side.ports().1)])),
    ]
}

fn release_reply_port(side: &Side<'_>) -> Statement {
    Statement::Expression(call(side.run_time("mig_dealloc_reply_port"), vec![head("mig_in", side.ports().1)]))
}

/// Whether what came is the answer to this request.
fn is_the_answer(routine: &Routine, side: &Side<'_>) -> Statement {
    let id = || head("mig_out", "msgh_id");
    let is_other = build::not_equal(id(), number(u64::from(routine.number + REPLY)));
    let is_dead = build::equal(id(), var("MACH_NOTIFY_SEND_ONCE"));
    build::when(
        unlikely(is_other),
        vec![
            build::when(is_dead, vec![build::returns(var("MIG_SERVER_DIED"))]),
            release_reply_port(side),
            build::returns(var("MIG_REPLY_MISMATCH")),
        ],
    )
}
