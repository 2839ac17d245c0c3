//! `main` as SunOS 4.1 had it: sockets for UDP and TCP, registered with the port mapper; with `-I` also for inetd.

use cast::build::{self, assign, call, equal, integer, name, null, or};
use cast::{Declaration, Expression, Statement, Type};
use pres::Interface;

use super::library::{self, exit, ignore};
use super::port_monitor::{self, demanded, required};
use super::{Main, Server, Transport};

/// The function, for `Main::Portmap` and `Main::Inetd`.
pub(super) fn main(server: &Server) -> Vec<Declaration> {
    let body = match &server.options.main {
        Main::Inetd(transports) => inetd(server, transports),
        Main::Portmap(transports) => plain(server, transports),
        _ => return Vec::new(),
    };
    port_monitor::main_function(body)
}

fn transp(server: &Server) -> Expression {
    server.names.value("transp", library::transport())
}

fn plain(server: &Server, transports: &[Transport]) -> Vec<Statement> {
    let mut body = vec![server.names.local("transp", library::transport(), None), Statement::Blank];
    if server.options.syslog {
        body.push(port_monitor::open_log(server));
    }
    body.extend(server.pres.interfaces.iter().map(unset));
    for transport in transports {
        body.push(Statement::Blank);
        body.push(create(server, *transport, name("RPC_ANYSOCK", Type::INT)));
        body.extend(register(server, *transport, name(protocol(*transport), Type::INT)));
    }
    body.extend(port_monitor::run(server));
    body
}

fn inetd(server: &Server, transports: &[Transport]) -> Vec<Statement> {
    let names = &server.names;
    let sock = || names.value("sock", Type::INT);
    let mut body = vec![
        names.local("transp", library::transport(), Some(null())),
        names.local("sock", Type::INT, None),
        names.local("proto", Type::INT, Some(integer(0))),
    ];
    body.extend(port_monitor::monitor_locals(names));
    body.push(Statement::Blank);
    let foreign = build::not_equal(port_monitor::family(names), name("AF_INET", Type::INT));
    let mut started = port_monitor::note_monitor(server);
    // The check stands after the declaration that `note_monitor` begins with.
    started.insert(2, build::when(foreign, vec![exit(1)]));
    started.push(assign(sock(), integer(0)));
    let mut alone = vec![port_monitor::daemonize(server), assign(sock(), name("RPC_ANYSOCK", Type::INT))];
    alone.extend(server.pres.interfaces.iter().map(unset));
    body.push(build::when_else(port_monitor::is_started_by_monitor(names), started, alone));
    for transport in transports {
        body.push(Statement::Blank);
        body.push(inetd_transport(server, *transport));
    }
    body.push(Statement::Blank);
    body.push(required(server, transp(server), "could not create a handle"));
    body.extend(port_monitor::start_clock(server));
    body.extend(port_monitor::run(server));
    body
}

fn inetd_transport(server: &Server, transport: Transport) -> Statement {
    let names = &server.names;
    let kind = || port_monitor::kind(names);
    let wanted = match transport {
        Transport::Udp => "SOCK_DGRAM",
        Transport::Tcp => "SOCK_STREAM",
    };
    let proto = || names.value("proto", Type::INT);
    let by_hand = build::not(port_monitor::is_monitors_child(names));
    let mut body = vec![create(server, transport, names.value("sock", Type::INT))];
    let mut registered = register(server, transport, proto());
    registered.insert(1, build::when(by_hand, vec![assign(proto(), name(protocol(transport), Type::INT))]));
    body.extend(registered);
    build::when(or(equal(kind(), integer(0)), equal(kind(), name(wanted, Type::INT))), body)
}

fn unset(interface: &Interface) -> Statement {
    ignore("pmap_unset", interface.numbers().to_vec())
}

fn word(transport: Transport) -> &'static str {
    match transport {
        Transport::Udp => "udp",
        Transport::Tcp => "tcp",
    }
}

fn protocol(transport: Transport) -> &'static str {
    match transport {
        Transport::Udp => "IPPROTO_UDP",
        Transport::Tcp => "IPPROTO_TCP",
    }
}

fn create(server: &Server, transport: Transport, sock: Expression) -> Statement {
    let created = match transport {
        Transport::Udp => call("svcudp_create", vec![sock], library::transport()),
        Transport::Tcp => call("svctcp_create", vec![sock, integer(0), integer(0)], library::transport()),
    };
    assign(transp(server), created)
}

/// Checks the handle, then registers every version for it.
fn register(server: &Server, transport: Transport, protocol: Expression) -> Vec<Statement> {
    let word = word(transport);
    let mut body = vec![required(server, transp(server), &format!("cannot create {word} service."))];
    for interface in &server.pres.interfaces {
        let [program, version] = interface.numbers();
        let dispatch = name(&interface.dispatch, Type::Void);
        let arguments = vec![transp(server), program, version, dispatch, protocol.clone()];
        let complaint = format!("unable to register ({}, {word}).", super::title(interface));
        body.push(demanded(server, call("svc_register", arguments, Type::named("bool_t")), &complaint));
    }
    body
}
