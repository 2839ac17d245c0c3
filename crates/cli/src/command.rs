//! The command line of `whittle` itself, and what each of its commands does.

mod only;
mod request;
mod words;

use std::ffi::OsString;

use clap::{CommandFactory, Parser, Subcommand};
use driver::{Destination, FlowForm, FlowProduct, Request, Side, Stage};

use crate::{Ending, compile, explain, flows, manual, print};
use request::{compile_request, input_request, preprocessor};
pub(crate) use words::RuntimeName;
use words::{Check, Compile, SideName};

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
  whittle check --language corba -           standard input is OMG IDL
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
    /// Write the run time of all styles and links, and of flows, to build libraries of it
    Runtime {
        /// The folder for it, made where absent
        #[arg(long, value_name = "DIR", default_value = ".")]
        out: String,
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
        /// The shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Print a manual page, or write all of them
    Man(manual::Manual),
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
        Command::Runtime { out } => compile::run_time(&out),
        Command::Pipe(pipe) => flows::pipe(&pipe),
        Command::Fmt(fmt) => flows::fmt(&fmt),
        Command::Specialize(specialize) => crate::specialize::run(specialize),
        Command::Explain { code } => explain::run(code.as_deref()),
        Command::Completions { shell } => completions(shell),
        Command::Man(manual) => manual::run(&manual, Whittle::command()),
    }
}

/// Works, unless what the user wants to see can never be there.
fn seen(request: &Request, work: impl FnOnce() -> Ending) -> Ending {
    match driver::unseen(request) {
        None => work(),
        Some(why) => {
            print::complain(&format!("error: {why}\n"));
            Ending::CommandLineAtFault
        }
    }
}

/// Checks each file; the worst ending counts.
fn check_all(check: &Check) -> Ending {
    if let Some(why) = only::interfaces(&check.files, &check.source, &check.code) {
        print::complain(&why);
        return Ending::CommandLineAtFault;
    }
    check.files.iter().map(|file| check_one(check, file)).max().unwrap_or(Ending::Done)
}

fn check_one(check: &Check, file: &str) -> Ending {
    if flows::is_flow(file) {
        return flows::flow(
            file,
            (preprocessor(&check.source), check.source.bounds.limits()),
            None,
            check.source.message_format,
        );
    }
    match input_request(file, check.source.clone(), check.code.clone()) {
        Ok(mut request) => {
            let every = Side::Both.outputs(request.style, request.link);
            request.outputs = every.into_iter().map(|kind| (kind, Destination::StandardOutput)).collect();
            request.inspection.stop_after.get_or_insert(Stage::Cast);
            request.warn_of_names_of_c = true;
            seen(&request, || compile::run(&request, None, check.source.message_format))
        }
        Err(ending) => ending,
    }
}

/// `compile FILE.spi`: its C, or its XML form.
fn compile_flow(compile: &Compile) -> Ending {
    if let Some(why) = only::interfaces(std::slice::from_ref(&compile.file), &compile.source, &compile.code) {
        print::complain(&why);
        return Ending::CommandLineAtFault;
    }
    if compile.side != SideName::Both {
        print::complain("error: `--side` is for stubs of interfaces; a flow's programs are all made\n");
        return Ending::CommandLineAtFault;
    }
    let product = match compile.emit {
        None => FlowProduct::Code { folder: compile.out.clone(), run_time: flows::run_time(compile.runtime) },
        Some(Stage::Xip) => FlowProduct::Form(FlowForm::Xip),
        Some(_) => {
            print::complain("error: of a flow, `--emit xip` shows its XML form; there is no other tree\n");
            return Ending::CommandLineAtFault;
        }
    };
    {
        let read_with = (preprocessor(&compile.source), compile.source.bounds.limits());
        flows::flow(&compile.file, read_with, Some(product), compile.source.message_format)
    }
}

/// Help and version go to standard output; what is wrong with a command line to standard error.
fn say(answer: &clap::Error) -> Ending {
    // Rendered by clap itself, in colour where the channel is a terminal.
    let _ = answer.print();
    if answer.use_stderr() { Ending::CommandLineAtFault } else { Ending::Done }
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
