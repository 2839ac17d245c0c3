//! rpcgen's clients and servers over every link, written once: in rpcgen's place, with the same files, functions and messages. They
//! call libtirpc's interface, `CLIENT` and `SVCXPRT`, so that authentication, rpcbind and IPv6 come from the library everyone uses, or from
//! what stands in its place. A link is a value of [`Library`].
//!
//! In: PRES_C in rpcgen's style, a link. Out: the files beside the header and the marshalling. Source: rpcgen(1);
//! rpc_svc_create(3t); RFC 5531.

mod client;
mod library;
mod link;
mod main_netconfig;
mod main_portmap;
mod makefile;
mod names;
mod port_monitor;
mod sample;
mod server;
mod table;

pub use client::client_file;
pub use link::Library;
pub use makefile::{Sources, makefile};
pub use sample::{client_sample, server_sample};
pub use server::server_file;
pub use table::table_file;

use cast::{Declaration, File};
use pres::{Interface, PresC};

/// What shapes the stubs, named after rpcgen's flags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The name of the input without folder and suffix: servers log under it.
    pub base: String,
    pub main: Main,
    /// `-I` with `-m`: a port monitor may start the server, whose `main` the user writes.
    pub is_monitored: bool,
    /// `-K`: when a server that a port monitor started ends.
    pub closedown: Closedown,
    /// `-L`: the server's errors go to the system log alone.
    pub syslog: bool,
}

impl Options {
    /// rpcgen's own choices for `base.x`.
    pub fn new(base: impl Into<String>) -> Options {
        let main = Main::Portmap(vec![Transport::Udp, Transport::Tcp]);
        Options { base: base.into(), main, is_monitored: false, closedown: Closedown::Seconds(120), syslog: false }
    }
}

/// The server's `main`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Main {
    /// `-m`: the user writes it.
    None,
    /// `-b`: stays in the foreground, registers with the port mapper.
    Portmap(Vec<Transport>),
    /// `-I`: as `Portmap`, in the background, or started by inetd.
    Inetd(Vec<Transport>),
    /// `-5`, with `-s`: classes of transports, found at run time; `netpath` where none is named.
    NetworkTypes(Vec<String>),
    /// `-5 -n`: single transports by their name in `/etc/netconfig`.
    NetworkIds(Vec<String>),
    /// Whittle's own: stays in the foreground, and serves on the network that the link is.
    Network(&'static str),
}

/// One of the port mapper's two transports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    Udp,
    Tcp,
}

/// When a server that a port monitor started ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closedown {
    /// `-K -1`.
    Never,
    /// `-K 0`.
    AfterEachRequest,
    /// After so many seconds without a request.
    Seconds(u32),
}

/// What all parts of the server's file work with.
struct Server<'a> {
    pres: &'a PresC,
    options: &'a Options,
    link: &'a dyn Library,
    names: names::Names,
}

/// What messages to users call a version: `DIRECTORY, DIRECTORY_V1`.
fn title(interface: &Interface) -> String {
    let program = interface.onc.as_ref().map_or("", |onc| &onc.name);
    format!("{program}, {}", interface.name)
}

/// A file that begins as all do, with system headers after its own.
fn file(pres: &PresC, system: &[&'static str], rest: Vec<Declaration>) -> File {
    let mut declarations = pres.prologue.clone();
    let is_head = |of: &Declaration| matches!(of, Declaration::Include(_) | Declaration::Undefine(_));
    let own = declarations.iter().rposition(is_head).map_or(0, |at| at + 1);
    let includes = system.iter().map(|path| Declaration::system_include(path));
    declarations.splice(own..own, includes);
    declarations.extend(rest);
    declarations.iter_mut().for_each(crate::emit::declarations_first);
    super::statements::file(declarations)
}
