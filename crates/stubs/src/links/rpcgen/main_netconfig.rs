//! `main` for transport-independent RPC (`-5`): transports by class (`-s`) or by name (`-n`), registered with rpcbind.

use cast::build::{self, and, assign, call, integer, name, null, text};
use cast::{Declaration, Expression, Statement, Type};
use pres::Interface;

use super::library::{self, exit, ignore};
use super::names::Names;
use super::port_monitor::{self, demanded, required};
use super::{Main, Server};

/// The function, for `Main::NetworkTypes` and `Main::NetworkIds`.
pub(super) fn main(server: &Server) -> Vec<Declaration> {
    let names = &server.names;
    let mut body = port_monitor::monitor_locals(names);
    if let Main::NetworkIds(_) = server.options.main {
        body.push(names.local("nconf", netconfig(), None));
        body.push(names.local("transp", library::transport(), None));
    }
    body.push(Statement::Blank);
    body.push(build::when_else(
        and(port_monitor::is_started_by_monitor(names), is_internet(names)),
        started(server),
        vec![port_monitor::daemonize(server)],
    ));
    match &server.options.main {
        Main::NetworkTypes(types) => types.iter().for_each(|class| body.extend(create(server, class))),
        Main::NetworkIds(ids) => ids.iter().for_each(|id| body.extend(listen(server, id))),
        _ => {}
    }
    body.extend(port_monitor::run(server));
    port_monitor::main_function(body)
}

/// The function, for `Main::Network`.
pub(super) fn foreground(server: &Server, network: &str) -> Vec<Declaration> {
    let mut body = create(server, network);
    body.extend(port_monitor::run(server));
    port_monitor::main_function(body)
}

fn netconfig() -> Type {
    Type::structure("netconfig").pointer()
}

/// A server may well be started with some other socket as its standard input.
fn is_internet(names: &Names) -> Expression {
    let is = |word: &str| build::equal(port_monitor::family(names), name(word, Type::INT));
    build::or(is("AF_INET"), is("AF_INET6"))
}

/// Serves on descriptor 0, which a port monitor has bound and registered.
fn started(server: &Server) -> Vec<Statement> {
    let mut body = port_monitor::note_monitor(server);
    let handle = vec![integer(0), null(), null(), integer(0), integer(0)];
    body.insert(1, server.names.local("started", library::transport(), None));
    let started = || server.names.value("started", library::transport());
    body.push(assign(started(), call("svc_tli_create", handle, library::transport())));
    body.push(required(server, started(), "cannot create server handle"));
    for interface in &server.pres.interfaces {
        let complaint = format!("unable to register ({}).", super::title(interface));
        body.push(demanded(server, register(interface, started(), null()), &complaint));
    }
    body.extend(port_monitor::start_clock(server));
    body.push(library::call_statement("svc_run", vec![]));
    body.push(exit(1));
    body
}

fn register(interface: &Interface, transport: Expression, nconf: Expression) -> Expression {
    let dispatch = name(&interface.dispatch, Type::Void);
    let [program, version] = interface.numbers();
    let arguments = vec![transport, program, version, dispatch, nconf];
    call("svc_reg", arguments, Type::named("bool_t"))
}

/// All versions on all transports of a class.
fn create(server: &Server, class: &str) -> Vec<Statement> {
    let one = |interface: &Interface| {
        let dispatch = name(&interface.dispatch, Type::Void);
        let [program, version] = interface.numbers();
        let arguments = vec![dispatch, program, version, text(class)];
        let complaint = format!("unable to create ({}) for {class}.", super::title(interface));
        demanded(server, call("svc_create", arguments, Type::INT), &complaint)
    };
    server.pres.interfaces.iter().map(one).collect()
}

/// All versions on the transport of one name.
fn listen(server: &Server, id: &str) -> Vec<Statement> {
    let nconf = || server.names.value("nconf", netconfig());
    let transp = || server.names.value("transp", library::transport());
    let any = vec![name("RPC_ANYFD", Type::INT), nconf(), null(), integer(0), integer(0)];
    let mut body = vec![
        Statement::Blank,
        assign(nconf(), call("getnetconfigent", vec![text(id)], netconfig())),
        required(server, nconf(), &format!("cannot find {id} netid.")),
        assign(transp(), call("svc_tli_create", any, library::transport())),
        required(server, transp(), &format!("cannot create {id} service.")),
    ];
    for interface in &server.pres.interfaces {
        let [program, version] = interface.numbers();
        let complaint = format!("unable to register ({}, {id}).", super::title(interface));
        body.push(ignore("rpcb_unset", vec![program, version, nconf()]));
        body.push(demanded(server, register(interface, transp(), nconf()), &complaint));
    }
    body.push(library::call_statement("freenetconfigent", vec![nconf()]));
    body
}
