//! Options that are only for interfaces, given with a flow, and forms of code that do not go together. In: what the command
//! line says. Out: the words of the refusal: an option that is passed over in silence would be taken for obeyed.

use driver::{Encoding, Link, Request, SentOrder, Style};

use super::words::{Code, EncodingName, LinkName, Source, StyleName};
use crate::flows;

/// Why these options cannot be obeyed for these files; `None` where they can. Flows are told by their endings.
pub(super) fn interfaces(files: &[String], source: &Source, code: &Code) -> Option<String> {
    let flow = files.iter().find(|file| flows::is_flow(file))?;
    let given = [
        (source.language.is_some(), "--language", "its ending says what it is written in"),
        (source.from.is_some(), "--from", "it is read as text or as XML"),
        (code.style.is_some(), "--style", "its packets have one form in C"),
        (code.encoding.is_some(), "--encoding", "each of its edges says `encode xdr`, `cdr` or `native`"),
        (code.link.is_some(), "--link", "each of its edges says `via tcp` and the like"),
        (!code.present.is_empty(), "--present", "its packets have one form in C"),
        (code.presentation.is_some(), "--presentation", "its packets have one form in C"),
        (code.newstyle, "--newstyle", "it has no stubs"),
        (code.onc_program.is_some(), "--onc-program", "it has no stubs"),
        (code.thread_safe, "--thread-safe", "it has no stubs"),
        (code.lax, "--lax", "it has no such choice"),
        (code.strict, "--strict", "it has no such choice"),
        (code.max_depth.is_some(), "--max-depth", "how deep its packets may nest is fixed"),
        (code.byte_order.is_some(), "--byte-order", "each of its edges says how packets are encoded"),
        (code.server_arena, "--server-arena", "it has no stubs"),
        (code.prefer.is_some(), "--prefer", "its packets have routines of their own"),
        (code.sizes, "--sizes", "its packets have routines of their own"),
        (!code.no_opt.is_empty(), "--no-opt", "its packets are always optimized"),
        (code.stop_after.is_some(), "--stop-after", "it has no such stages"),
        (!code.print_after.is_empty(), "--print-after", "it has no such stages"),
    ];
    let (_, option, why) = given.into_iter().find(|(is_given, ..)| *is_given)?;
    Some(format!("`{option}` is for interfaces, and {flow} is a flow: {why}"))
}

/// Why `--runtime` cannot be obeyed; `None` where it can.
pub(super) fn run_time(request: &Request, is_installed: bool) -> Option<&'static str> {
    if request.link == Link::Tirpc {
        return Some("`--runtime` is for `--link onc` and `--link giop-tcp`; over `tirpc` the run time is libtirpc");
    }
    let order = request.marshalling.byte_order;
    (is_installed && order != SentOrder::Host).then_some(
        "`--byte-order` goes with `--runtime beside`: an installed run time sends in the byte order of its host",
    )
}

/// Why an encoding or a link does not go with a style; `None` where all go together.
pub(super) fn companions(style: Style, encoding: Encoding, link: Link) -> Option<String> {
    let links = style.links();
    if let Some(other) = links.iter().find(|other| other.encoding() == encoding).filter(|_| links.contains(&link)) {
        let [wanted, asked] = [*other, link].map(link_name);
        let name = encoding_name(encoding);
        return (link.encoding() != encoding)
            .then(|| format!("`--encoding {name}` goes with `--link {wanted}`, and not with `--link {asked}`"));
    }
    let (option, wanted) = if links.contains(&link) && encoding != link.encoding() {
        match encoding {
            Encoding::Xdr => ("--encoding xdr", Style::Rpcgen),
            Encoding::Cdr => ("--encoding cdr", Style::Corba),
        }
    } else if !links.contains(&link) {
        match link {
            Link::Tirpc => ("--link tirpc", Style::Rpcgen),
            Link::GiopTcp => ("--link giop-tcp", Style::Corba),
            Link::Onc => ("--link onc", Style::Plain),
        }
    } else {
        return None;
    };
    let (name, other) = (style_name(wanted), style_name(style));
    Some(format!(
        "`{option}` goes with `--style {name}`, and not with `--style {other}`: its functions are made for {}",
        words_of(style)
    ))
}

/// What a style's functions are made for.
fn words_of(style: Style) -> &'static str {
    match style {
        Style::Rpcgen => "XDR, and the links `tirpc` and `onc`",
        Style::Corba => "CDR, and the link `giop-tcp`",
        Style::Plain => "XDR over the link `onc`, and CDR over the link `giop-tcp`",
    }
}

fn style_name(style: Style) -> &'static str {
    match style {
        Style::Rpcgen => "rpcgen",
        Style::Corba => "corba",
        Style::Plain => "plain",
    }
}

fn link_name(link: Link) -> &'static str {
    match link {
        Link::Tirpc => "tirpc",
        Link::GiopTcp => "giop-tcp",
        Link::Onc => "onc",
    }
}

fn encoding_name(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Xdr => "xdr",
        Encoding::Cdr => "cdr",
    }
}

/// What the user calls a style.
pub(super) fn style(name: StyleName) -> Style {
    match name {
        StyleName::Rpcgen => Style::Rpcgen,
        StyleName::Corba => Style::Corba,
        StyleName::Plain => Style::Plain,
    }
}

/// What the user calls an encoding.
pub(super) fn encoding(name: EncodingName) -> Encoding {
    match name {
        EncodingName::Xdr => Encoding::Xdr,
        EncodingName::Cdr => Encoding::Cdr,
    }
}

/// What the user calls a link.
pub(super) fn link(name: LinkName) -> Link {
    match name {
        LinkName::Tirpc => Link::Tirpc,
        LinkName::GiopTcp => Link::GiopTcp,
        LinkName::Onc => Link::Onc,
    }
}
