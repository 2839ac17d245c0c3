//! The command `whittle`: reads the command line, lets `driver` work, prints what it found.
//!
//! In: arguments, files. Out: files, diagnostics on standard error, an exit status: 0 done, 1 the input or the machine
//! is at fault, 2 the command line is (1 under rpcgen's name, as rpcgen has it). Called under the name `rpcgen`, it is
//! `whittle rpcgen`. This crate alone reads and writes files, prints, and starts programs.

mod bounds;
mod command;
mod common;
mod compile;
mod compile_commands;
mod doctor;
mod errors;
mod explain;
mod flows;
mod host;
mod manual;
mod mig;
mod out;
mod print;
mod progress;
mod report;
mod rpcgen;
mod specialize;
mod voice;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

/// Trees of many small nodes are built and freed: this halves the time that large files take.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How the command ends, the worse the greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Ending {
    Done,
    InputAtFault,
    CommandLineAtFault,
}

impl From<Ending> for ExitCode {
    fn from(ending: Ending) -> ExitCode {
        match ending {
            Ending::Done => ExitCode::SUCCESS,
            Ending::InputAtFault => ExitCode::from(1),
            Ending::CommandLineAtFault => ExitCode::from(2),
        }
    }
}

/// What walks trees does so recursively, and a limit says how deep trees are. Only what is used of it takes memory.
const STACK: usize = 1 << 30;

fn main() -> ExitCode {
    let worker = std::thread::Builder::new().stack_size(STACK);
    match worker.spawn(run).map(std::thread::JoinHandle::join) {
        Ok(Ok(ending)) => ending.into(),
        // A panic has said what it is.
        Ok(Err(_)) => ExitCode::from(101),
        // Where memory is that short, the system's own stack has to do.
        Err(_) => run().into(),
    }
}

fn run() -> Ending {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let name = arguments.first().and_then(|path| Path::new(path).file_name()).unwrap_or_default();
    if name == "rpcgen" || name == "whittle-rpcgen" {
        return run_rpcgen(&arguments[1..]);
    }
    if name == "mig" || name == "whittle-mig" {
        return run_mig(&arguments[1..]);
    }
    match arguments.get(1) {
        Some(word) if word == "mig" => run_mig(&arguments[2..]),
        // Its flags are rpcgen's, whatever stands among them.
        Some(word) if word == "rpcgen" => run_rpcgen(&arguments[2..]),
        _ => command::run(&arguments),
    }
}

fn run_rpcgen(arguments: &[OsString]) -> Ending {
    let words: Vec<String> = arguments.iter().map(|argument| argument.to_string_lossy().into_owned()).collect();
    match rpcgen::parse(&words) {
        Ok(rpcgen::Command::Help) => print::output(rpcgen::HELP),
        Ok(rpcgen::Command::Version) => print::output(rpcgen::VERSION),
        Ok(rpcgen::Command::Compile(request, shared)) => {
            voice::set(shared.voice);
            let machine = host::Machine::new(request.limits, shared.depfile, shared.if_changed);
            let ending = compile::run(&request, &machine);
            out::finished(None, &machine, ending)
        }
        Ok(rpcgen::Command::CheckTree(asked)) => rpcgen::check_tree(&asked),
        Err(rpcgen::Misuse(message)) => {
            voice::set(voice::heard(arguments));
            misused(&message);
            let is_whittles = words.iter().any(|word| word == "--check" || word.starts_with("--check="));
            // Else rpcgen's own status.
            if is_whittles { Ending::CommandLineAtFault } else { Ending::InputAtFault }
        }
    }
}

fn run_mig(arguments: &[OsString]) -> Ending {
    let words: Vec<String> = arguments.iter().map(|argument| argument.to_string_lossy().into_owned()).collect();
    match mig::parse(&words) {
        Ok(mig::Command::Help) => print::output(mig::HELP),
        Ok(mig::Command::Version) => print::output(mig::VERSION),
        Ok(mig::Command::Compile(requests)) => {
            let machine = host::Machine::new(source::Limits::default(), None, false);
            let ending = requests.iter().map(|request| report::show(&driver::mig(request, &machine))).max();
            out::finished(None, &machine, ending.unwrap_or(Ending::Done))
        }
        Err(mig::Misuse(message)) => {
            print::refuse(&message);
            print::error("`whittle mig --help` says what there is\n");
            Ending::InputAtFault
        }
    }
}

/// What is wrong with rpcgen's command line; where that is empty, the synopsis says it all.
fn misused(message: &str) {
    if voice::get().format == report::Format::Json {
        let said = if message.is_empty() { "these arguments make no command of rpcgen's" } else { message };
        print::error(&source::render::json_message("error", said, Some(rpcgen::SYNOPSIS)));
        return;
    }
    if !message.is_empty() {
        print::refuse(message);
    }
    print::error(rpcgen::SYNOPSIS);
}
