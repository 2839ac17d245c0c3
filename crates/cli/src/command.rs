//! The command line of `whittle` itself, and what each of its commands does.

use std::ffi::OsString;

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use driver::{Destination, FlowForm, FlowProduct, Input, OutputKind, Preprocessor, Request, Side, Stage};

use crate::report::Format;
use crate::{Ending, compile, explain, flows, manual, print};

/// Compile interface descriptions to C that marshals as fast as hand-written code
#[derive(Debug, Parser)]
#[command(name = "whittle", version, after_help = EXAMPLES, max_term_width = 110)]
struct Whittle {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  whittle compile directory.x --out gen      the header, routines, stubs and server of directory.x
  whittle rpcgen -N -M -h directory.x        rpcgen's flags, names and outputs
  make RPCGEN='whittle rpcgen'               an old Makefile, unchanged
  whittle check *.x                          only look for errors
  whittle specialize use.c lib.c -o fast.c   cut general C down to what use.c needs
  whittle compile directory.x --emit aoi     what the front end understood
  whittle pipe graph camera.spi > flow.svg   a picture of a flow
  whittle explain onc-014                    more about a diagnostic

Called under the name `rpcgen`, whittle is `whittle rpcgen`.
Exit status: 0 done, 1 the input is at fault, 2 the command line is.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Compile an interface description to C
    Compile(Compile),
    /// Look for errors and write nothing
    Check(Check),
    /// Everything as rpcgen does it: flags, file names, outputs (`whittle rpcgen --help` lists them)
    #[command(disable_help_flag = true)]
    Rpcgen {
        /// rpcgen's own arguments
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
        arguments: Vec<OsString>,
    },
    /// Work on flows
    #[command(subcommand)]
    Pipe(flows::Pipe),
    /// Lay out flows (`.spi`) in the one way
    Fmt(flows::Fmt),
    /// Specialize general C to what a scenario knows of its use
    Specialize(crate::specialize::Specialize),
    /// Explain a diagnostic, such as onc-014; without a code, list all
    Explain {
        /// The code, as it stands in brackets after `error`
        code: Option<String>,
    },
    /// Print completions for a shell
    Completions {
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
}

#[derive(Debug, Args)]
struct Compile {
    /// The description (`.x`, `.spi`, `.xip`); `-` for standard input
    file: String,
    #[command(flatten)]
    source: Source,
    /// The folder for the outputs, made where absent
    #[arg(long, value_name = "DIR", default_value = ".")]
    out: String,
    /// The stubs to make
    #[arg(long, value_enum, default_value_t = SideName::Both)]
    side: SideName,
    #[command(flatten)]
    code: Code,
    /// Print a tree (tokens, aoi, mint, pres, plan, cast) and write nothing
    #[arg(long, value_name = "STAGE", value_parser = stage)]
    emit: Option<Stage>,
}

#[derive(Debug, Args)]
struct Check {
    /// The descriptions (`.x`); `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    code: Code,
}

#[derive(Clone, Debug, Args)]
struct Source {
    /// A folder for `#include`; may be repeated
    #[arg(short = 'I', value_name = "DIR")]
    include: Vec<String>,
    /// Define a preprocessor symbol; may be repeated
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    define: Vec<String>,
    /// Undefine a preprocessor symbol; may be repeated
    #[arg(short = 'U', value_name = "NAME")]
    undefine: Vec<String>,
    /// How diagnostics look
    #[arg(long, value_enum, default_value_t = Format::Full, value_name = "FORMAT")]
    message_format: Format,
    /// The input is a dump of this tree (aoi, pres, plan), made with --emit
    #[arg(long, value_name = "STAGE", value_parser = stage)]
    from: Option<Stage>,
}

/// What shapes the code.
#[derive(Clone, Debug, Args)]
struct Code {
    /// How C code sees the interface
    #[arg(long, value_enum, default_value_t = StyleName::Rpcgen)]
    style: StyleName,
    /// What the bytes of a message look like
    #[arg(long, value_enum, default_value_t = EncodingName::Xdr)]
    encoding: EncodingName,
    /// How a message travels
    #[arg(long, value_enum, default_value_t = LinkName::Tirpc)]
    link: LinkName,
    /// Arguments by value, and several of them (rpcgen -N)
    #[arg(long)]
    newstyle: bool,
    /// Results in the caller's storage: safe with threads (rpcgen -M)
    #[arg(long)]
    thread_safe: bool,
    /// Refuse enumeration values that the description does not name
    #[arg(long)]
    strict: bool,
    /// How deep a decoded value may nest; lists do not count (1000)
    #[arg(long, value_name = "N")]
    max_depth: Option<u32>,
    /// The arguments of one call live in one arena on the server
    #[arg(long)]
    server_arena: bool,
    /// Leave out an optimization; may be repeated
    #[arg(long, value_name = "PASS", value_parser = driver::optional_passes())]
    no_opt: Vec<String>,
    /// Stop after this stage (aoi, pres, plan, cast) and write nothing
    #[arg(long, value_name = "STAGE", value_parser = stage)]
    stop_after: Option<Stage>,
    /// Print the plan after this pass; may be repeated
    #[arg(long, value_name = "PASS", value_parser = driver::every_pass())]
    print_after: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SideName {
    Client,
    Server,
    Both,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum StyleName {
    /// As rpcgen: `xdr_T` routines, `get_1` stubs
    Rpcgen,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum EncodingName {
    /// RFC 4506
    Xdr,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum LinkName {
    /// libtirpc's CLIENT and SVCXPRT
    Tirpc,
}

fn stage(name: &str) -> Result<Stage, String> {
    Stage::ALL.into_iter().find(|stage| stage.name() == name).ok_or_else(|| {
        let names: Vec<_> = Stage::ALL.iter().map(|stage| stage.name()).collect();
        format!("stages are {}", names.join(", "))
    })
}

/// Does what the arguments say; the first is the program's name.
pub(crate) fn run(arguments: &[OsString]) -> Ending {
    let command = match Whittle::try_parse_from(arguments) {
        Ok(whittle) => whittle.command,
        Err(answer) => return say(&answer),
    };
    match command {
        Command::Compile(compile) if flows::is_flow(&compile.file) => compile_flow(&compile),
        Command::Compile(compile) => {
            let (format, folder) = (compile.source.message_format, compile.out.clone());
            match compile_request(compile) {
                Ok(request) => seen(&request, || compile::run(&request, Some(folder), format)),
                Err(ending) => ending,
            }
        }
        Command::Check(check) => check_all(&check),
        Command::Rpcgen { arguments } => crate::run_rpcgen(&arguments),
        Command::Pipe(pipe) => flows::pipe(&pipe),
        Command::Fmt(fmt) => flows::fmt(&fmt),
        Command::Specialize(specialize) => crate::specialize::run(specialize),
        Command::Explain { code } => explain::run(code.as_deref()),
        Command::Completions { shell } => completions(shell),
        Command::Man => match manual::page(Whittle::command()) {
            Ok(page) => print::output(&String::from_utf8_lossy(&page)),
            Err(_) => Ending::InputAtFault,
        },
    }
}

/// Works, unless what the user wants to see can never be there.
fn seen(request: &Request, work: impl FnOnce() -> Ending) -> Ending {
    match driver::unseen(request) {
        None => work(),
        Some(why) => {
            print::error(&format!("error: {why}\n"));
            Ending::CommandLineAtFault
        }
    }
}

/// Checks each file; the worst ending counts.
fn check_all(check: &Check) -> Ending {
    check.files.iter().map(|file| check_one(check, file)).max().unwrap_or(Ending::Done)
}

fn check_one(check: &Check, file: &str) -> Ending {
    if flows::is_flow(file) {
        return flows::flow(file, preprocessor(&check.source), None, check.source.message_format);
    }
    match input_request(file, check.source.clone(), check.code.clone()) {
        Ok(mut request) => {
            let every = [OutputKind::Header, OutputKind::Routines, OutputKind::Client, OutputKind::Server];
            request.outputs = every.map(|kind| (kind, Destination::StandardOutput)).to_vec();
            request.inspection.stop_after.get_or_insert(Stage::Cast);
            request.warn_of_names_of_c = true;
            seen(&request, || compile::run(&request, None, check.source.message_format))
        }
        Err(ending) => ending,
    }
}

/// `compile FILE.spi`: its C, or its XML form.
fn compile_flow(compile: &Compile) -> Ending {
    if compile.side != SideName::Both {
        print::error("error: `--side` is for stubs of interfaces; a flow's programs are all made\n");
        return Ending::CommandLineAtFault;
    }
    let product = match compile.emit {
        None => FlowProduct::Code { folder: compile.out.clone() },
        Some(Stage::Xip) => FlowProduct::Form(FlowForm::Xip),
        Some(_) => {
            print::error("error: of a flow, `--emit xip` shows its XML form; there is no other tree\n");
            return Ending::CommandLineAtFault;
        }
    };
    flows::flow(&compile.file, preprocessor(&compile.source), Some(product), compile.source.message_format)
}

/// What `-I`, `-D` and `-U` say.
fn preprocessor(source: &Source) -> Preprocessor {
    let mut arguments: Vec<String> = source.include.iter().map(|folder| format!("-I{folder}")).collect();
    arguments.extend(source.define.iter().map(|symbol| format!("-D{symbol}")));
    arguments.extend(source.undefine.iter().map(|symbol| format!("-U{symbol}")));
    Preprocessor { directory: None, arguments }
}

/// Help and version go to standard output; what is wrong with a command line to standard error.
fn say(answer: &clap::Error) -> Ending {
    // Rendered by clap itself, in colour where the channel is a terminal.
    let _ = answer.print();
    if answer.use_stderr() { Ending::CommandLineAtFault } else { Ending::Done }
}

fn compile_request(compile: Compile) -> Result<Request, Ending> {
    let mut request = input_request(&compile.file, compile.source, compile.code)?;
    let side = match compile.side {
        SideName::Client => Side::Client,
        SideName::Server => Side::Server,
        SideName::Both => Side::Both,
    };
    let stem = request.input.stem();
    let name = stem.rsplit_once('/').map_or(stem, |(_, name)| name).to_owned();
    let base = if compile.out == "." { name.clone() } else { format!("{}/{name}", compile.out) };
    request.outputs = side.outputs().iter().map(|kind| (*kind, Destination::Path(kind.file_name(&base)))).collect();
    request.header = Some(OutputKind::Header.file_name(&name));
    request.inspection.emit = compile.emit;
    request.expects_programs = !matches!(compile.side, SideName::Both);
    Ok(request)
}

fn input_request(file: &str, source: Source, code: Code) -> Result<Request, Ending> {
    let input = if file == "-" { Input::StandardInput } else { Input::Path(file.to_owned()) };
    for other in [".idl", ".defs", ".c"] {
        if input.path().is_some_and(|path| path.ends_with(other)) {
            print::error(&format!("error: whittle reads `.x`, `.spi` and `.xip`, and no `{other}` yet\n"));
            return Err(Ending::CommandLineAtFault);
        }
    }
    let mut request = Request::new(input);
    let (StyleName::Rpcgen, EncodingName::Xdr, LinkName::Tirpc) = (code.style, code.encoding, code.link);
    request.preprocessor = preprocessor(&source);
    request.newstyle = code.newstyle;
    request.thread_safe = code.thread_safe;
    request.marshalling.strict = code.strict;
    request.marshalling.max_depth = code.max_depth;
    request.marshalling.without_passes = code.no_opt;
    request.server.arena = code.server_arena;
    request.inspection.stop_after = code.stop_after;
    request.inspection.print_after = code.print_after;
    request.inspection.from = source.from;
    Ok(request)
}

fn completions(shell: clap_complete::Shell) -> Ending {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Whittle::command(), "whittle", &mut text);
    print::output(&String::from_utf8_lossy(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Whittle::command().debug_assert();
    }
}
