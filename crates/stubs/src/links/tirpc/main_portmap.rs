//! `main` as SunOS 4.1 had it: sockets for UDP and TCP, registered with the port mapper; with `-I` also for inetd.

use cast::build::{self, assign, call, equal, integer, local, name, null, or};
use cast::{Declaration, Expression, Statement, Type};
use pres::{InterfaceStubs, PresC};

use super::port_monitor::{self, demanded, required};
use super::words::{self, exit, ignore};
use super::{Main, Options, Transport};

/// The function, for `Main::Portmap` and `Main::Inetd`.
pub(super) fn main(pres: &PresC, options: &Options) -> Vec<Declaration> {
    let body = match &options.main {
        Main::Inetd(transports) => inetd(pres, options, transports),
        Main::Portmap(transports) => plain(pres, options, transports),
        _ => return Vec::new(),
    };
    port_monitor::main_function(body)
}

fn transp() -> Expression {
    name("transp", words::transport())
}

fn plain(pres: &PresC, options: &Options, transports: &[Transport]) -> Vec<Statement> {
    let mut body = vec![local("transp", words::transport(), None), Statement::Blank];
    if options.syslog {
        body.push(port_monitor::open_log(options));
    }
    body.extend(pres.interfaces.iter().map(unset));
    for transport in transports {
        body.push(Statement::Blank);
        body.push(create(*transport, name("RPC_ANYSOCK", Type::INT)));
        body.extend(register(pres, options, *transport, name(protocol(*transport), Type::INT)));
    }
    body.extend(port_monitor::run(options));
    body
}

fn inetd(pres: &PresC, options: &Options, transports: &[Transport]) -> Vec<Statement> {
    let sock = || name("sock", Type::INT);
    let mut body = vec![
        local("transp", words::transport(), Some(null())),
        local("sock", Type::INT, None),
        local("proto", Type::INT, Some(integer(0))),
    ];
    body.extend(port_monitor::monitor_locals());
    body.push(Statement::Blank);
    let family =
        build::member(name("saddr", Type::structure("sockaddr_storage")), "ss_family", Type::named("sa_family_t"));
    let foreign = build::not_equal(family, name("AF_INET", Type::INT));
    let mut started = port_monitor::note_monitor(options);
    // The check stands after the declaration that `note_monitor` begins with.
    started.insert(2, build::when(foreign, vec![exit(1)]));
    started.push(assign(sock(), integer(0)));
    let mut alone = vec![port_monitor::daemonize(options), assign(sock(), name("RPC_ANYSOCK", Type::INT))];
    alone.extend(pres.interfaces.iter().map(unset));
    body.push(build::when_else(port_monitor::is_started_by_monitor(), started, alone));
    for transport in transports {
        body.push(Statement::Blank);
        body.push(inetd_transport(pres, options, *transport));
    }
    body.push(Statement::Blank);
    body.push(required(options, transp(), "could not create a handle"));
    body.extend(port_monitor::start_clock(options));
    body.extend(port_monitor::run(options));
    body
}

fn inetd_transport(pres: &PresC, options: &Options, transport: Transport) -> Statement {
    let kind = || name("_rpcfdtype", Type::INT);
    let wanted = match transport {
        Transport::Udp => "SOCK_DGRAM",
        Transport::Tcp => "SOCK_STREAM",
    };
    let proto = || name("proto", Type::INT);
    let by_hand = build::not(name("_rpcpmstart", Type::INT));
    let mut body = vec![create(transport, name("sock", Type::INT))];
    let mut registered = register(pres, options, transport, proto());
    registered.insert(1, build::when(by_hand, vec![assign(proto(), name(protocol(transport), Type::INT))]));
    body.extend(registered);
    build::when(or(equal(kind(), integer(0)), equal(kind(), name(wanted, Type::INT))), body)
}

fn unset(interface: &InterfaceStubs) -> Statement {
    ignore("pmap_unset", vec![interface.program.clone(), interface.version.clone()])
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

fn create(transport: Transport, sock: Expression) -> Statement {
    let created = match transport {
        Transport::Udp => call("svcudp_create", vec![sock], words::transport()),
        Transport::Tcp => call("svctcp_create", vec![sock, integer(0), integer(0)], words::transport()),
    };
    assign(transp(), created)
}

/// Checks the handle, then registers every version for it.
fn register(pres: &PresC, options: &Options, transport: Transport, protocol: Expression) -> Vec<Statement> {
    let word = word(transport);
    let mut body = vec![required(options, transp(), &format!("cannot create {word} service."))];
    for interface in &pres.interfaces {
        let arguments = vec![
            transp(),
            interface.program.clone(),
            interface.version.clone(),
            name(&interface.dispatch, Type::Void),
            protocol.clone(),
        ];
        let (program, version) = (&interface.program_name, &interface.version_name);
        let complaint = format!("unable to register ({program}, {version}, {word}).");
        body.push(demanded(options, call("svc_register", arguments, Type::named("bool_t")), &complaint));
    }
    body
}
