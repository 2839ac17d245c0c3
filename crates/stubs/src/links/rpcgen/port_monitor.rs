//! Servers that live beside a port monitor: going to the background, logging there, and ending when nobody calls.
//!
//! rpcgen's own versions look into STREAMS, which Linux lacks, close a billion descriptors, and index past the end of
//! an `fd_set`; these do not.

use cast::build::{self, and, assign, call, equal, index, integer, less, member, name, null, text};
use cast::{
    BinaryOperator, Condition, Declaration, Definition, Expression, Linkage, Statement, Storage, Type, UnaryOperator,
    Variable,
};

use super::library::{self, call_statement, exit, function, ignore};
use super::names::Names;
use super::{Closedown, Main, Options, Server};

/// Whether a port monitor may start the server.
fn is_monitored(options: &Options) -> bool {
    match options.main {
        Main::None => options.is_monitored,
        Main::Portmap(_) | Main::Network(_) => false,
        Main::Inetd(_) | Main::NetworkTypes(_) | Main::NetworkIds(_) => true,
    }
}

/// The seconds without a request after which the server ends.
fn seconds(options: &Options) -> Option<u32> {
    match options.closedown {
        Closedown::Seconds(seconds) if is_monitored(options) => Some(seconds),
        _ => None,
    }
}

/// Headers for the functions here.
pub(super) fn includes(options: &Options) -> Vec<&'static str> {
    if !is_monitored(options) {
        return Vec::new();
    }
    let mut includes = vec!["fcntl.h", "unistd.h", "syslog.h"];
    if seconds(options).is_some() {
        includes.extend(["poll.h", "signal.h"]);
    }
    includes
}

/// Says `message` to whoever looks after the server.
pub(super) fn message(server: &Server, message: &str) -> Statement {
    if server.options.syslog {
        call_statement("syslog", vec![name("LOG_ERR", Type::INT), text("%s"), text(message)])
    } else if is_monitored(server.options) {
        call_statement(&server.names.own("_msgout"), vec![text(message)])
    } else {
        let stderr = name("stderr", Type::named("FILE").pointer());
        call_statement("fprintf", vec![stderr, text("%s\n"), text(message)])
    }
}

/// What a dispatch routine does first.
pub(super) fn enter(server: &Server) -> Vec<Statement> {
    seconds(server.options).map(|_| set_state(&server.names, "_SERVING")).into_iter().collect()
}

/// How a dispatch routine ends.
pub(super) fn leave(server: &Server) -> Vec<Statement> {
    if is_monitored(server.options) && server.options.closedown == Closedown::AfterEachRequest {
        return vec![exit(0)];
    }
    let served = seconds(server.options).map(|_| set_state(&server.names, "_SERVED"));
    served.into_iter().chain([Statement::Return(None)]).collect()
}

fn state_variable(names: &Names) -> Expression {
    names.value("_rpcsvcstate", Type::INT)
}

fn set_state(names: &Names, state: &str) -> Statement {
    assign(state_variable(names), constant(names, state))
}

/// A macro that [`state`] defines.
fn constant(names: &Names, usual: &str) -> Expression {
    name(names.own_macro(usual), Type::INT)
}

/// Whether a port monitor started the server.
pub(super) fn is_monitors_child(names: &Names) -> Expression {
    names.value("_rpcpmstart", Type::INT)
}

/// The kind of the socket that the monitor gave.
pub(super) fn kind(names: &Names) -> Expression {
    names.value("_rpcfdtype", Type::INT)
}

/// The variables and functions that the rest of the file uses.
pub(super) fn state(server: &Server) -> Vec<Declaration> {
    let (options, names) = (server.options, &server.names);
    if !is_monitored(options) {
        return Vec::new();
    }
    let comment = |text: &str| Declaration::comment(text);
    let define = |name: &str, value: u32| {
        Declaration::Define(Definition { name: names.own_macro(name), value: Some(integer(value)) })
    };
    let variable = |storage: Storage, name: &str, ty: Type, initial: Option<Expression>| {
        Declaration::Variable(Variable { storage, name: names.own(name), ty, initial, ..Default::default() })
    };
    let mut state = vec![Declaration::Blank];
    if let Some(seconds) = seconds(options) {
        state.push(define("_RPCSVC_CLOSEDOWN", seconds));
    }
    // They are defined where `main` is.
    let storage = if options.main == Main::None { Storage::Extern } else { Storage::Automatic };
    state.push(comment("Started by a port monitor ?"));
    state.push(variable(storage, "_rpcpmstart", Type::INT, None));
    state.push(comment("Whether Stream or Datagram ?"));
    state.push(variable(storage, "_rpcfdtype", Type::INT, None));
    if seconds(options).is_some() {
        state.push(comment("States a server can be in wrt request"));
        state.extend([define("_IDLE", 0), define("_SERVED", 1), define("_SERVING", 2)]);
        let atomic = Type::named("sig_atomic_t").volatile();
        state.push(variable(Storage::Static, "_rpcsvcstate", atomic, Some(constant(names, "_IDLE"))));
    }
    if !options.syslog {
        state.push(Declaration::Blank);
        state.push(message_function(names));
    }
    if seconds(options).is_some() && options.main != Main::None {
        state.push(Declaration::Blank);
        state.push(closedown_function(names));
    }
    state
}

/// `_msgout`: the system log, or the terminal where a server in the foreground was started by hand.
fn message_function(names: &Names) -> Declaration {
    let message = || names.value("msg", Type::CHAR.constant().pointer());
    let log = || call_statement("syslog", vec![name("LOG_ERR", Type::INT), text("%s"), message()]);
    let stderr = name("stderr", Type::named("FILE").pointer());
    let print = call_statement("fprintf", vec![stderr, text("%s\n"), message()]);
    let body = vec![Statement::Conditional {
        condition: Condition::defined("RPC_SVC_FG"),
        then: vec![build::when_else(is_monitors_child(names), vec![log()], vec![print])],
        otherwise: vec![log()],
    }];
    let parameters = vec![names.parameter("msg", Type::CHAR.constant().pointer())];
    function(Linkage::Static, Type::Void, names.own("_msgout"), parameters, body)
}

/// `closedown`: the alarm's handler ends an idle server that nobody is connected to.
fn closedown_function(names: &Names) -> Declaration {
    let mut idle = vec![
        names.local("openfd", Type::INT, Some(integer(0))),
        Statement::Blank,
        build::when(equal(kind(names), name("SOCK_DGRAM", Type::INT)), vec![exit(0)]),
    ];
    idle.push(count_connections(names));
    let few = build::binary(names.value("openfd", Type::INT), BinaryOperator::LessEqual, integer(1));
    idle.push(build::when(few, vec![exit(0)]));
    let is_state = |state: &str| equal(state_variable(names), constant(names, state));
    let body = vec![
        Statement::Expression(build::cast(Type::Void, names.value("sig", Type::INT))),
        build::when(is_state("_IDLE"), idle),
        build::when(is_state("_SERVED"), vec![set_state(names, "_IDLE")]),
    ];
    let body = body.into_iter().chain(arm(names)).collect();
    function(Linkage::Static, Type::Void, names.own("closedown"), vec![names.parameter("sig", Type::INT)], body)
}

fn count_connections(names: &Names) -> Statement {
    let at = || names.value("i", Type::INT);
    let polled = index(name("svc_pollfd", Type::structure("pollfd").pointer()), at());
    let is_open = build::not_equal(member(polled, "fd", Type::INT), build::unary(UnaryOperator::Negate, integer(1)));
    let openfd = || names.value("openfd", Type::INT);
    let count = Statement::Expression(build::unary(UnaryOperator::IncrementAfter, openfd()));
    Statement::For {
        initial: Some(Box::new(names.local("i", Type::INT, Some(integer(0))))),
        condition: Some(and(less(at(), name("svc_max_pollfd", Type::INT)), less(openfd(), integer(2)))),
        step: Some(build::unary(UnaryOperator::IncrementAfter, at())),
        body: vec![build::when(is_open, vec![count])],
    }
}

/// Lets `closedown` look after the server when the time is up.
fn arm(names: &Names) -> [Statement; 2] {
    [
        ignore("signal", vec![name("SIGALRM", Type::INT), names.value("closedown", Type::Void)]),
        ignore("alarm", vec![constant(names, "_RPCSVC_CLOSEDOWN")]),
    ]
}

/// Starts the clock of a server that a port monitor started.
pub(super) fn start_clock(server: &Server) -> Vec<Statement> {
    let names = &server.names;
    let arms = || build::when(is_monitors_child(names), arm(names).to_vec());
    seconds(server.options).map(|_| arms()).into_iter().collect()
}

/// Opens the log under the server's name.
pub(super) fn open_log(server: &Server) -> Statement {
    let facility = vec![text(&server.options.base), name("LOG_PID", Type::INT), name("LOG_DAEMON", Type::INT)];
    call_statement("openlog", facility)
}

/// Goes to the background, unless compiled with `RPC_SVC_FG`.
pub(super) fn daemonize(server: &Server) -> Statement {
    let names = &server.names;
    let pid = || names.value("pid", Type::named("pid_t"));
    let i = || names.value("i", Type::INT);
    let standard = |to: i32| ignore("dup2", vec![i(), integer(to)]);
    let open = |path: &str| call("open", vec![text(path), name("O_RDWR", Type::INT)], Type::INT);
    let fork = vec![
        names.local("pid", Type::named("pid_t"), Some(call("fork", vec![], Type::named("pid_t")))),
        names.local("i", Type::INT, None),
        Statement::Blank,
        build::when(less(pid(), integer(0)), vec![call_statement("perror", vec![text("cannot fork")]), exit(1)]),
        build::when(build::greater(pid(), integer(0)), vec![exit(0)]),
    ];
    let then = fork
        .into_iter()
        .chain([
            close_all(names),
            assign(i(), open("/dev/console")),
            build::when(less(i(), integer(0)), vec![assign(i(), open("/dev/null"))]),
            standard(1),
            standard(2),
            ignore("setsid", vec![]),
            open_log(server),
        ])
        .collect();
    let otherwise = if server.options.syslog { vec![open_log(server)] } else { Vec::new() };
    Statement::Conditional { condition: Condition::undefined("RPC_SVC_FG"), then, otherwise }
}

/// Closes what was inherited; where the limit is set very high, the first 65,536 will do.
fn close_all(names: &Names) -> Statement {
    let i = || names.value("i", Type::INT);
    let limit = call("getdtablesize", vec![], Type::INT);
    Statement::For {
        initial: Some(Box::new(assign(i(), integer(0)))),
        condition: Some(and(less(i(), limit), less(i(), integer(65536)))),
        step: Some(build::unary(UnaryOperator::IncrementAfter, i())),
        body: vec![ignore("close", vec![i()])],
    }
}

/// Whether descriptor 0 is a socket from a port monitor.
pub(super) fn is_started_by_monitor(names: &Names) -> Expression {
    let address = build::address(socket_address(names));
    let generic = build::cast(Type::structure("sockaddr").pointer(), address);
    let size = build::address(names.value("asize", Type::named("socklen_t")));
    equal(call("getsockname", vec![integer(0), generic, size], Type::INT), integer(0))
}

/// Of descriptor 0.
fn socket_address(names: &Names) -> Expression {
    names.value("saddr", Type::structure("sockaddr_storage"))
}

/// The address family of descriptor 0.
pub(super) fn family(names: &Names) -> Expression {
    member(socket_address(names), "ss_family", Type::named("sa_family_t"))
}

/// The variables of [`is_started_by_monitor`].
pub(super) fn monitor_locals(names: &Names) -> Vec<Statement> {
    let address = socket_address(names);
    let size = build::sizeof_value(address.clone());
    vec![names.local("saddr", address.ty, None), names.local("asize", Type::named("socklen_t"), Some(size))]
}

/// Sets `_rpcpmstart` and `_rpcfdtype` from descriptor 0.
pub(super) fn note_monitor(server: &Server) -> Vec<Statement> {
    let names = &server.names;
    let kind = kind(names);
    let size = || names.value("ssize", Type::named("socklen_t"));
    let option = vec![
        integer(0),
        name("SOL_SOCKET", Type::INT),
        name("SO_TYPE", Type::INT),
        build::address(kind.clone()),
        build::address(size()),
    ];
    let failed = equal(call("getsockopt", option, Type::INT), build::unary(UnaryOperator::Negate, integer(1)));
    vec![
        names.local("ssize", Type::named("socklen_t"), Some(build::sizeof_value(kind))),
        Statement::Blank,
        build::when(failed, vec![exit(1)]),
        assign(is_monitors_child(names), integer(1)),
        open_log(server),
    ]
}

/// The last lines of every `main`.
pub(super) fn run(server: &Server) -> Vec<Statement> {
    vec![Statement::Blank, call_statement("svc_run", vec![]), message(server, "svc_run returned"), exit(1)]
}

/// `if (value == NULL) { message; exit(1); }`
pub(super) fn required(server: &Server, value: Expression, complaint: &str) -> Statement {
    build::when(equal(value, null()), vec![message(server, complaint), exit(1)])
}

/// `if (!done) { message; exit(1); }`
pub(super) fn demanded(server: &Server, done: Expression, complaint: &str) -> Statement {
    build::when(build::not(done), vec![message(server, complaint), exit(1)])
}

/// `int main(void)`.
pub(super) fn main_function(body: Vec<Statement>) -> Vec<Declaration> {
    vec![Declaration::Blank, library::function(Linkage::Plain, Type::INT, "main", Vec::new(), body)]
}
