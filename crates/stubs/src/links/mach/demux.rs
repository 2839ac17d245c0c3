//! How a request finds its stub: a table by number, a function that hands requests out, and one that only looks.

use cast::{Declaration, Expression, Function, Linkage, Statement, Storage, Type, UnaryOperator, Variable, build};
use mig::Subsystem;

use super::REPLY;
use super::descriptors::{Descriptors, Form};
use super::side::{Side, call, number, untyped, var};

/// The table's name.
fn table_name(subsystem: &Subsystem) -> String {
    format!("{}_server_routines", subsystem.name)
}

/// The stubs in the order of their numbers; 0 for a number that none has.
pub(super) fn table(subsystem: &Subsystem) -> Vec<Declaration> {
    let row = |routine: &Option<mig::Routine>| match routine {
        Some(routine) => var(format!("_X{}", routine.name)),
        None => number(0),
    };
    let mut rows: Vec<Expression> = subsystem.routines.iter().map(row).collect();
    if rows.is_empty() {
        rows.push(number(0));
    }
    let table = Variable {
        name: table_name(subsystem),
        ty: Type::Array(Box::new(Type::named("mig_routine_t")), None),
        initial: Some(build::braces(rows)),
        ..Variable::default()
    };
    vec![Declaration::Variable(table), Declaration::Blank]
}

/// The declaration of the table, and the function that looks a request's stub up: 0 where there is none.
pub(super) fn look_up(subsystem: &Subsystem) -> Vec<Declaration> {
    let table = Variable {
        storage: Storage::Extern,
        name: table_name(subsystem),
        ty: Type::Array(Box::new(Type::named("mig_routine_t")), None),
        ..Variable::default()
    };
    let id = build::subtract(build::arrow(var("mig_request"), "msgh_id", untyped()), number(u64::from(subsystem.base)));
    let at = var("mig_at");
    let last = number((subsystem.routines.len().max(1) - 1) as u64);
    let is_outside = build::or(build::less(at.clone(), number(0)), build::greater(at.clone(), last));
    let body = vec![
        build::local("mig_at", Type::INT, Some(id)),
        build::when(is_outside, vec![build::returns(number(0))]),
        build::returns(build::index(var(table_name(subsystem)), at)),
    ];
    let function = Function {
        linkage: Linkage::StaticInline,
        name: format!("{}_server_routine", subsystem.name),
        result: Type::named("mig_routine_t"),
        parameters: vec![build::parameter("mig_request", Type::named("mach_msg_header_t").constant().pointer())],
        body,
        ..Function::default()
    };
    vec![Declaration::Variable(table), Declaration::Blank, Declaration::Function(function)]
}

/// The function that serves a request: FALSE where no routine has its number.
pub(super) fn function(side: &Side<'_>, descriptors: &mut Descriptors) -> Vec<Declaration> {
    let subsystem = side.subsystem;
    let message = Type::named("mach_msg_header_t").pointer();
    let request = |member: &str| build::arrow(var("mig_request"), member, untyped());
    let set = |member: &str, value: Expression| {
        build::assign(build::member(build::arrow(var("mig_out"), "Head", untyped()), member, untyped()), value)
    };
    let reply = Type::named("mig_reply_header_t").pointer();
    let (_, reply_port) = side.ports();
    let kind = call("MACH_MSGH_BITS_REMOTE", vec![request("msgh_bits")]);
    let constant = descriptors.constant(Form::integer(side));
    let first = number(u64::from(subsystem.base));
    let at = var("mig_at");
    let last = number((subsystem.routines.len().max(1) - 1) as u64);
    let routine = || build::index(var(table_name(subsystem)), at.clone());
    let is_outside = build::or(build::less(at.clone(), number(0)), build::greater(at.clone(), last));
    let is_missing = build::or(is_outside, build::equal(routine(), number(0)));
    let out = |member: &str| build::arrow(var("mig_out"), member, untyped());
    let stub = build::unary(UnaryOperator::Dereference, routine());
    let body = vec![
        build::local("mig_out", reply.clone(), Some(build::cast(reply, var("mig_reply")))),
        build::local("mig_at", Type::INT, Some(build::subtract(request("msgh_id"), first))),
        Statement::Blank,
        set("msgh_bits", call("MACH_MSGH_BITS", vec![kind, number(0)])),
        set("msgh_size", build::sizeof_value(build::unary(UnaryOperator::Dereference, var("mig_out")))),
        set("msgh_remote_port", request(reply_port)),
        set("msgh_local_port", var("MACH_PORT_NULL")),
        set("msgh_seqno", number(0)),
        set("msgh_id", build::add(request("msgh_id"), number(u64::from(REPLY)))),
        build::assign(out("RetCodeType"), var(constant)),
        build::when(is_missing, vec![build::assign(out("RetCode"), var("MIG_BAD_ID")), build::returns(var("FALSE"))]),
        Statement::Expression(build::call_through(stub, vec![var("mig_request"), var("mig_reply")], Type::Void)),
        build::returns(var("TRUE")),
    ];
    let function = Function {
        attributes: vec!["mig_external".to_owned()],
        name: subsystem.demux.clone().unwrap_or_else(|| format!("{}_server", subsystem.name)),
        result: Type::named("boolean_t"),
        parameters: vec![build::parameter("mig_request", message.clone()), build::parameter("mig_reply", message)],
        body,
        ..Function::default()
    };
    vec![
        Declaration::Prototype(Function { body: Vec::new(), ..function.clone() }),
        Declaration::Function(function),
        Declaration::Blank,
    ]
}
