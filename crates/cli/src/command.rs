//! The command line of `whittle` itself, and what each of its commands does.

mod arguments;
mod inapplicable;
mod inputs;
mod renamed;
mod request;

use std::ffi::OsString;

use clap::{CommandFactory, Parser, Subcommand};

use source::render;

use crate::common::Common;
use crate::host::Machine;
use crate::out::{self, Product, named_after};
use crate::report::Format;
use crate::{Ending, compile, doctor, explain, flows, manual, mig, print, rpcgen, voice};
pub(crate) use arguments::RuntimeName;
use arguments::{Check, Compile};

/// Compile interface descriptions to C that marshals as fast as hand-written code
#[derive(Debug, Parser)]
#[command(name = "whittle", version, after_help = EXAMPLES, max_term_width = 110)]
struct Whittle {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  whittle compile directory.x -o gen/        the header, routines, stubs and server of directory.x
  whittle rpcgen -N -M -h directory.x        rpcgen's flags, names and outputs
  make RPCGEN='whittle rpcgen'               an old Makefile, unchanged
  make MIG='whittle mig'                     a kernel's Makefile, unchanged
  whittle check *.x                          only look for errors
  whittle specialize use.c lib.c -o fast.c   cut general C down to what use.c needs
  whittle compile directory.x --emit aoi     what the front end understood
  whittle check --language corba -           standard input is OMG IDL
  whittle pipe graph camera.spi -o flow.svg  a picture of a flow
  whittle doctor                             which tools whittle finds, and what each is for
  whittle explain onc-014                    more about a diagnostic

Called under the name `rpcgen`, whittle is `whittle rpcgen`.
Exit status: 0 done, 1 the input or the machine is at fault, 2 the command line is.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Compile descriptions of interfaces and flows to C
    Compile(Compile),
    /// Report errors in descriptions; write no code
    Check(Check),
    /// Everything as rpcgen does it: flags, file names, outputs
    #[command(disable_help_flag = true, override_help = rpcgen::HELP)]
    Rpcgen {
        /// rpcgen's own arguments
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
        arguments: Vec<OsString>,
    },
    /// Everything as mig does it: the stubs of Mach's messages, of `.defs`
    #[command(disable_help_flag = true, override_help = mig::HELP)]
    Mig {
        /// mig's own arguments
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
        arguments: Vec<OsString>,
    },
    /// Write the run time of all styles and links, and of flows, to build libraries of it
    Runtime {
        #[command(flatten)]
        common: Common,
    },
    /// Draw, explain, run and watch flows
    #[command(subcommand)]
    Pipe(flows::Pipe),
    /// Format flows (`.spi`)
    Fmt(flows::Fmt),
    /// Specialize general C to what a scenario knows of its use
    Specialize(crate::specialize::Specialize),
    /// Explain diagnostics, such as onc-014; without a code, list all
    Explain {
        /// The codes, as they stand in brackets after `error`
        #[arg(value_name = "CODE")]
        codes: Vec<String>,
        #[command(flatten)]
        common: Common,
    },
    /// Print which front ends, styles, encodings and links go together
    Matrix {
        #[command(flatten)]
        common: Common,
    },
    /// Print the chain of steps from a description to C, and what shows each
    Passes {
        #[command(flatten)]
        common: Common,
    },
    /// Say which tools this machine has, and what each is for
    Doctor {
        #[command(flatten)]
        common: Common,
    },
    /// Print completions for a shell
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
        #[command(flatten)]
        common: Common,
    },
    /// Print a manual page, or write all of them
    Man(manual::Manual),
}

impl Command {
    /// The options that all share but `rpcgen` and `mig`.
    fn common(&self) -> Option<&Common> {
        Some(match self {
            Command::Rpcgen { .. } | Command::Mig { .. } => return None,
            Command::Compile(compile) => &compile.common,
            Command::Check(check) => &check.common,
            Command::Pipe(pipe) => pipe.common(),
            Command::Fmt(fmt) => &fmt.common,
            Command::Specialize(specialize) => &specialize.common,
            Command::Runtime { common }
            | Command::Explain { common, .. }
            | Command::Matrix { common }
            | Command::Passes { common }
            | Command::Doctor { common }
            | Command::Completions { common, .. } => common,
            Command::Man(manual) => &manual.common,
        })
    }

    fn product(&self) -> Product {
        match self {
            Command::Compile(compile) if compile.prints() => {
                Product::Text(named_after(&compile.files[0], compile.emit.map_or("plan", |stage| stage.name())))
            }
            Command::Compile(_) | Command::Runtime { .. } => Product::Files,
            Command::Check(check) => Product::Text(named_after(&check.files[0], "checked")),
            Command::Pipe(pipe) => pipe.product(),
            Command::Fmt(_) | Command::Specialize(_) => Product::Own { has_dependencies: true },
            Command::Explain { codes, .. } => {
                Product::Text(named_after(codes.first().map_or("errors", String::as_str), "txt"))
            }
            Command::Completions { shell, .. } => Product::Text(completions_file(*shell)),
            Command::Matrix { .. } => Product::Text("matrix.md".to_owned()),
            Command::Passes { .. } => Product::Text("passes.txt".to_owned()),
            Command::Man(manual) => manual.product(),
            Command::Rpcgen { .. } | Command::Mig { .. } | Command::Doctor { .. } => {
                Product::Stream("doctor.txt".to_owned())
            }
        }
    }
}

/// Does what the arguments say; the first is the program's name.
pub(crate) fn run(arguments: &[OsString]) -> Ending {
    let command = match Whittle::try_parse_from(arguments) {
        Ok(whittle) => whittle.command,
        Err(answer) => {
            voice::set(voice::heard(arguments));
            return say(&answer);
        }
    };
    let Some(common) = command.common() else { return run_with(&command, &mut Machine::default()) };
    voice::set(common.voice());
    renamed::remark(arguments);
    let mut machine = Machine::of(common);
    match out::prepared(common, &command.product(), &mut machine) {
        Ok(place) => {
            let ending = run_with(&command, &mut machine);
            out::finished(place, &machine, ending)
        }
        Err(ending) => ending,
    }
}

fn run_with(command: &Command, machine: &mut Machine) -> Ending {
    match command {
        Command::Compile(compile) => inputs::compile_all(compile, machine),
        Command::Check(check) => inputs::check_all(check, machine),
        Command::Rpcgen { arguments } => crate::run_rpcgen(arguments),
        Command::Mig { arguments } => crate::run_mig(arguments),
        Command::Runtime { .. } => compile::run_time(machine),
        Command::Pipe(pipe) => flows::pipe(pipe, machine),
        Command::Fmt(fmt) => flows::fmt(fmt, machine),
        Command::Specialize(specialize) => crate::specialize::run(specialize, machine),
        Command::Explain { codes, .. } => explain::run(codes),
        Command::Matrix { .. } => print::output(&driver::matrix()),
        Command::Passes { .. } => print::output(&driver::passes()),
        Command::Doctor { .. } => doctor::run(),
        Command::Completions { shell, .. } => completions(*shell),
        Command::Man(manual) => manual::run(manual, Whittle::command(), machine),
    }
}

/// Help and version go to standard output; what is wrong with a command line to standard error.
fn say(answer: &clap::Error) -> Ending {
    let text = answer.render();
    if !answer.use_stderr() {
        let text = if voice::colours_output() { text.ansi().to_string() } else { text.to_string() };
        return print::output(&text);
    }
    if voice::get().format == Format::Json {
        let text = text.to_string();
        // What is wrong comes first; how to call it right follows.
        let (message, help) = text.split_once("\n\n").unwrap_or((&text, ""));
        let message = message.strip_prefix("error: ").unwrap_or(message).trim_end();
        print::error(&render::json_message("error", message, Some(help.trim_end()).filter(|help| !help.is_empty())));
    } else {
        print::error(&if voice::colours_errors() { text.ansi().to_string() } else { text.to_string() });
    }
    Ending::CommandLineAtFault
}

fn completions(shell: clap_complete::Shell) -> Ending {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Whittle::command(), "whittle", &mut text);
    print::output(&String::from_utf8_lossy(&text))
}

/// What a shell looks for.
fn completions_file(shell: clap_complete::Shell) -> String {
    clap_complete::Generator::file_name(&shell, "whittle")
}

#[cfg(test)]
mod tests;
