//! From what the command line says to a request. In: options. Out: the request, or a refusal that was printed.

use driver::{
    Asked, Combination, Destination, Encoding, Input, Language, Link, OutputKind, Preprocessor, Request, SentOrder,
    Shape, Side, Style,
};

use super::arguments::{ByteOrderName, Code, Compile, LanguageName, RuntimeName, SideName, Source};
use super::inapplicable;
use crate::common::Common;
use crate::{Ending, out, print};

/// What `-I`, `-D` and `-U` say.
pub(super) fn preprocessor(common: &Common, source: &Source) -> Preprocessor {
    let mut arguments = common.include_flags();
    arguments.extend(source.define.iter().map(|symbol| format!("-D{symbol}")));
    arguments.extend(source.undefine.iter().map(|symbol| format!("-U{symbol}")));
    Preprocessor { arguments, ..Preprocessor::default() }
}

/// What is to be done for one file of several; outputs go into `folder`.
pub(super) fn compile_request(compile: &Compile, file: &str, folder: &str) -> Result<Request, Ending> {
    let mut request = input_request(file, &compile.common, compile.source.clone(), compile.code.clone())?;
    let installed = compile.runtime == Some(RuntimeName::Installed);
    if let Some(why) = compile.runtime.and_then(|_| inapplicable::run_time(&request, installed)) {
        print::refuse(why);
        return Err(Ending::CommandLineAtFault);
    }
    if request.link == Link::None && compile.side != SideName::Both {
        print::refuse("`--side` is for links; without one there are values alone, of no side");
        return Err(Ending::CommandLineAtFault);
    }
    let side = match compile.side {
        SideName::Client => Side::Client,
        SideName::Server => Side::Server,
        SideName::Both => Side::Both,
    };
    let stem = request.input.stem();
    let name = stem.rsplit_once('/').map_or(stem, |(_, name)| name).to_owned();
    let base = out::within(folder, &name);
    let (style, link) = (request.style, request.link.underlying(request.encoding));
    let destination = |kind: OutputKind| Destination::Path(kind.file_name_in(style, &base));
    let kinds = side.outputs(style, link).into_iter().filter(|kind| !(installed && kind.is_run_time()));
    request.outputs = kinds.map(|kind| (kind, destination(kind))).collect();
    request.header = Some(OutputKind::Header.file_name(&name));
    request.inspection.emit = compile.emit;
    request.expects_programs = !matches!(compile.side, SideName::Both);
    Ok(request)
}

pub(super) fn input_request(file: &str, common: &Common, source: Source, code: Code) -> Result<Request, Ending> {
    let input = if file == "-" { Input::StandardInput } else { Input::Path(file.to_owned()) };
    if input.path().is_some_and(|path| path.ends_with(".c")) {
        print::refuse(&format!(
            "{file}: descriptions end in `.x`, `.idl`, `.defs`, `.spi` or `.xip`, and C is for `specialize`"
        ));
        return Err(Ending::CommandLineAtFault);
    }
    let language = source.language.map_or(input.language(), |language| match language {
        LanguageName::Onc => Language::Onc,
        LanguageName::Corba => Language::Corba,
        LanguageName::Mig => Language::Mig,
    });
    let mut request = Request::written_in(input, language);
    let form = form(&request, &code)?;
    (request.style, request.encoding, request.link) = (form.style, form.encoding, form.link);
    request.presentation = Shape { file: code.presentation, statements: code.present };
    request.preprocessor = preprocessor(common, &source);
    request.limits = common.bounds.limits();
    request.newstyle = code.newstyle;
    request.onc_program = code.onc_program;
    request.thread_safe = code.thread_safe;
    request.lax = code.lax;
    request.marshalling.strict = code.strict;
    request.marshalling.max_depth = code.max_depth;
    request.marshalling.without_passes = code.no_opt;
    request.marshalling.prefer = code.prefer.unwrap_or_default();
    request.marshalling.byte_order = match code.byte_order {
        None | Some(ByteOrderName::Host) => SentOrder::Host,
        Some(ByteOrderName::Big) => SentOrder::Big,
        Some(ByteOrderName::Little) => SentOrder::Little,
    };
    request.server.arena = code.server_arena;
    request.inspection.stop_after = code.stop_after;
    request.inspection.print_after = code.print_after;
    request.inspection.sizes = code.sizes;
    request.inspection.from = source.from;
    Ok(request)
}

/// Style, encoding and link: what the user says, and what goes with it.
fn form(request: &Request, code: &Code) -> Result<Combination, Ending> {
    let asked = Asked { style: code.style, encoding: code.encoding, link: code.link };
    let form = Combination::of(request.language, asked).map_err(|why| {
        print::refuse(&why);
        Ending::CommandLineAtFault
    })?;
    let (style, link) = (form.style, form.link.underlying(form.encoding));
    let of_others = [
        (!code.present.is_empty(), "--present", &[Style::Plain][..], "plain"),
        (code.presentation.is_some(), "--presentation", &[Style::Plain], "plain"),
        (code.lax, "--lax", &[Style::Rpcgen], "rpcgen"),
        (code.newstyle, "--newstyle", &[Style::Rpcgen], "rpcgen"),
        (code.thread_safe, "--thread-safe", &[Style::Rpcgen], "rpcgen"),
        (code.server_arena, "--server-arena", &[Style::Rpcgen], "rpcgen"),
    ];
    let refused = of_others.iter().find(|(is_given, _, styles, _)| *is_given && !styles.contains(&style));
    if let Some((_, option, _, names)) = refused {
        print::refuse(&format!("`{option}` is for `--style {names}`; this style leaves no choice there"));
        return Err(Ending::CommandLineAtFault);
    }
    let is_numbered = style == Style::Rpcgen || !matches!(link, Link::GiopTcp | Link::Fluke | Link::Mach);
    if code.onc_program.is_some() && !is_numbered {
        print::refuse(match link {
            Link::Mach => "`--onc-program` is for `--link onc`; over Mach an interface is known by its port",
            _ => "`--onc-program` is for `--link onc`; objects are known by references",
        });
        return Err(Ending::CommandLineAtFault);
    }
    if code.byte_order.is_some() && link != Link::GiopTcp {
        print::refuse(match link {
            Link::None if form.encoding == Encoding::Cdr => {
                "`--byte-order` is for `--link giop-tcp`; values alone have the byte order of their host, and say so"
            }
            Link::Fluke => {
                "`--byte-order` is for `--link giop-tcp`; over `fluke` both sides are on one machine, and have its order"
            }
            Link::Mach => {
                "`--byte-order` is for `--link giop-tcp`; messages between tasks of one machine have its byte order"
            }
            _ => {
                "`--byte-order` is for `--link giop-tcp`; XDR has one byte order, most significant byte first, and protobuf the other"
            }
        });
        return Err(Ending::CommandLineAtFault);
    }
    Ok(form)
}
