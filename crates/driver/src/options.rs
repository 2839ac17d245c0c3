//! The user's request in the words of each stage.

use cast::{Declaration, IncludePath};
use escape::c::Base;
use escape::make::{self, Make};
use escape::{Refused, Text};
use pres::{LinkKind, PresC};
use present::plain::Presentation;
use present::rpcgen;
use stubs::links::rpcgen::{self as calls, Closedown, Library, Main, Sources, Transport};
use stubs::marshal;

use crate::reading::Reading;
use crate::{Link, OutputKind, Request, contents};

/// The input's name without folder and extension, where C can include headers of that name.
pub(crate) fn base(request: &Request) -> Result<Base, Refused> {
    Base::new(base_name(request))
}

/// The header as the other files include it.
fn header(request: &Request) -> Result<Option<IncludePath>, Refused> {
    request.header.as_ref().map(IncludePath::new).transpose()
}

fn base_name(request: &Request) -> &str {
    let stem = request.input.stem();
    stem.rsplit_once('/').map_or(stem, |(_, name)| name)
}

pub(crate) fn presentation(request: &Request) -> Result<rpcgen::Options, Refused> {
    let mut options = rpcgen::Options::new(base(request)?);
    options.header = header(request)?;
    // Operations of the other languages have several parameters as a rule.
    options.newstyle = request.newstyle || request.language != crate::Language::Onc;
    options.program = request.onc_program;
    options.types_alone = request.types_alone;
    options.multithread = request.thread_safe;
    options.kernighan_ritchie = request.old_c;
    options.tables = request.server.tables;
    options.strict_enumerations = request.marshalling.strict;
    options.server_arena = request.server.arena;
    options.codec = request.link == Link::None;
    Ok(options)
}

pub(crate) fn corba(request: &Request) -> Result<present::corba::Options, Refused> {
    let (base, program) = (base(request)?, request.onc_program);
    let (strict_enumerations, link) =
        (request.marshalling.strict, link_kind(request.link.underlying(request.encoding)));
    Ok(present::corba::Options { base, strict_enumerations, program, link })
}

pub(crate) fn stubs(request: &Request) -> stubs::links::options::Options {
    let marshalling = &request.marshalling;
    stubs::links::options::Options {
        no_opt: marshalling.without_passes.clone(),
        max_depth: marshalling.max_depth,
        byte_order: marshalling.byte_order,
    }
}

/// What carries the calls of the plain style.
pub(crate) fn rpc_link(link: Link, pres: &PresC) -> Option<Box<dyn stubs::links::rpc::Link + '_>> {
    match link {
        Link::Onc | Link::Shm => Some(Box::new(stubs::links::onc::Onc::Whole)),
        Link::Tirpc => Some(Box::new(stubs::links::onc::Onc::Tirpc)),
        Link::GiopTcp => Some(Box::new(stubs::links::giop::Giop)),
        Link::Fluke => Some(Box::new(stubs::links::fluke::Fluke::of(pres))),
        Link::Mach => Some(Box::new(stubs::links::mach::Mach)),
        Link::None => None,
    }
}

/// What carries the calls of CORBA's style.
pub(crate) fn object_link(link: Link) -> Option<&'static dyn stubs::links::corba::Objects> {
    match link {
        Link::Onc | Link::Shm => Some(&stubs::links::onc::Onc::Whole),
        Link::GiopTcp => Some(&stubs::links::giop::Giop),
        Link::Tirpc => Some(&stubs::links::onc::Onc::Tirpc),
        Link::Mach => Some(&stubs::links::mach::Mach),
        Link::Fluke | Link::None => None,
    }
}

/// What carries the calls of rpcgen's style.
pub(crate) fn library_link(link: Link) -> Option<&'static dyn Library> {
    match link {
        Link::Onc => Some(&stubs::links::onc::Onc::Whole),
        Link::Shm => Some(&stubs::links::onc::Near),
        Link::Tirpc => Some(&stubs::links::onc::Onc::Tirpc),
        Link::Mach => Some(&stubs::links::mach::Mach),
        Link::GiopTcp | Link::Fluke | Link::None => None,
    }
}

pub(crate) fn plain(request: &Request, presentations: Vec<Presentation>) -> Result<present::plain::Options, Refused> {
    let (base, program) = (base(request)?, request.onc_program);
    let (strict_enumerations, link) =
        (request.marshalling.strict, link_kind(request.link.underlying(request.encoding)));
    Ok(present::plain::Options { base, program, strict_enumerations, presentations, link })
}

/// What programs see of a link.
fn link_kind(link: Link) -> LinkKind {
    match link {
        Link::GiopTcp => LinkKind::Iiop,
        Link::Fluke => LinkKind::Fluke,
        Link::Mach => LinkKind::Mach,
        Link::None => LinkKind::None,
        Link::Onc | Link::Shm => LinkKind::Onc,
        Link::Tirpc => LinkKind::Tirpc,
    }
}

pub(crate) fn none(request: &Request) -> stubs::links::none::Options {
    let marshalling = &request.marshalling;
    stubs::links::none::Options {
        no_opt: marshalling.without_passes.clone(),
        max_depth: marshalling.max_depth,
        encoding: request.encoding.name(),
    }
}

/// What files begin with where the input is a dump, which does not tell.
pub(crate) fn prologue(request: &Request) -> Result<Vec<Declaration>, Refused> {
    let header = header(request)?.map(Declaration::include);
    Ok(header.into_iter().chain([Declaration::Blank]).collect())
}

pub(crate) fn marshalling(request: &Request) -> marshal::Options {
    let marshalling = &request.marshalling;
    marshal::Options {
        no_opt: marshalling.without_passes.clone(),
        max_depth: marshalling.max_depth,
        prefer: marshalling.prefer,
    }
}

/// The stubs of rpcgen's style.
pub(crate) fn calls(request: &Request, kind: OutputKind) -> calls::Options {
    let server = &request.server;
    let mut options = calls::Options::new(base_name(request));
    let network = library_link(request.link).and_then(Library::network);
    options.syslog = server.syslog;
    options.closedown = match server.linger {
        None => Closedown::Seconds(120),
        Some(0) => Closedown::AfterEachRequest,
        Some(seconds) => u32::try_from(seconds).map_or(Closedown::Never, Closedown::Seconds),
    };
    options.is_monitored = server.inetd;
    options.main = match kind {
        OutputKind::ServerWithoutMain => Main::None,
        _ if !server.network_ids.is_empty() => Main::NetworkIds(server.network_ids.clone()),
        _ if server.transports.is_empty()
            && let Some(network) = network =>
        {
            Main::Network(network)
        }
        _ if server.transport_independent => Main::NetworkTypes(server.transports.clone()),
        _ if server.inetd => Main::Inetd(transports(&server.transports)),
        _ => Main::Portmap(transports(&server.transports)),
    };
    options
}

/// Both where none is named.
fn transports(names: &[String]) -> Vec<Transport> {
    if names.is_empty() {
        return vec![Transport::Udp, Transport::Tcp];
    }
    names.iter().map(|name| if name == "udp" { Transport::Udp } else { Transport::Tcp }).collect()
}

/// A sample Makefile names the files that the input gives; beside other files the samples, too.
pub(crate) fn makefile_sources(request: &Request, reading: &Reading) -> Sources {
    Sources {
        routines: contents::has(reading, (request.style, request.link), OutputKind::Routines),
        stubs: contents::has(reading, (request.style, request.link), OutputKind::Client),
        samples: request.outputs.len() > 1,
    }
}

/// The flags that make the same stubs again.
pub(crate) fn rpcgen_flags(request: &Request) -> Result<Text<Make>, Refused> {
    let server = &request.server;
    let letters = [
        (request.newstyle, "-N"),
        (request.thread_safe, "-M"),
        (request.old_c, "-k"),
        (server.transport_independent, "-5"),
        (server.inetd, "-I"),
        (server.syslog, "-L"),
        (server.tables, "-T"),
    ];
    let mut flags: Vec<String> = letters.iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| (*flag).into()).collect();
    flags.extend(server.linger.iter().flat_map(|seconds| ["-K".to_owned(), seconds.to_string()]));
    flags.extend(server.arena.then(|| "--server-arena".to_string()));
    flags.extend(request.lax.then(|| "--lax".to_string()));
    flags.extend(request.marshalling.strict.then(|| "--strict".to_string()));
    flags.extend(request.marshalling.max_depth.iter().flat_map(|depth| ["--max-depth".to_owned(), depth.to_string()]));
    flags.extend(request.marshalling.without_passes.iter().flat_map(|pass| ["--no-opt".to_owned(), pass.clone()]));
    flags.extend(request.preprocessor.arguments.iter().flat_map(|argument| preprocessor_flag(argument)));
    let words = flags.iter().map(|flag| make::argument(flag)).collect::<Result<Vec<_>, _>>()?;
    Ok(Text::join(&words, " "))
}

/// What the command calls the preprocessor's own flag: `-I` is another one of rpcgen's.
fn preprocessor_flag(argument: &str) -> Vec<String> {
    match (argument.strip_prefix("-I"), argument.strip_prefix("-U")) {
        (Some(directory), _) => vec!["--include".to_owned(), directory.to_owned()],
        (_, Some(name)) => vec!["--undefine".to_owned(), name.to_owned()],
        _ => vec![argument.to_string()],
    }
}

/// The passes that can be left out.
pub fn optional_passes() -> Vec<&'static str> {
    stubs::passes::PASSES.iter().filter(|pass| !pass.required).map(|pass| pass.name).collect()
}

/// What the plan can be printed after: its making, and every pass.
pub fn every_pass() -> Vec<&'static str> {
    std::iter::once("lower").chain(stubs::passes::PASSES.iter().map(|pass| pass.name)).collect()
}
