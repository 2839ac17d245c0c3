//! The commands on flows: `whittle pipe …` and `whittle fmt`, and what `check` and `compile` do with `.spi` and `.xip`.

mod claim;
mod directory;
mod environment;
mod format;
mod key;
mod ledger;
mod packets;
mod pictures;
mod restarts;
mod run;
mod show;
mod supervise;
mod tap;
mod top;

use clap::{Args, Subcommand};
use driver::{FlowProduct, FlowRequest, FlowRunTime, Input, Preprocessor};

use crate::command::RuntimeName;
use crate::common::Common;
use crate::host::Machine;
use crate::out::{Product, named_after};
use crate::{Ending, report};

pub(crate) use format::{Fmt, fmt};
use pictures::{ExplainEdges, Graph};

/// `whittle pipe …`
#[derive(Debug, Subcommand)]
pub(crate) enum Pipe {
    /// Draw a flow: machines, stages, and what holds on each edge
    Graph(Graph),
    /// Say what each edge is, and why; and what the whole may cost
    Explain(ExplainEdges),
    /// Build a flow and run all its programs on this machine
    Run(run::Run),
    /// Watch a flow that runs: rates, queues, losses and latencies of each edge
    Top(top::Top),
    /// Show packets of a flow that runs, as they pass over an edge
    Tap(tap::Tap),
    /// Print packets that were recorded
    Show(show::Show),
    /// Make the key by which a flow's processes on several machines authenticate each other
    Key(key::Key),
}

impl Pipe {
    /// The options that every subcommand has.
    pub(crate) fn common(&self) -> &Common {
        match self {
            Pipe::Graph(command) => &command.common,
            Pipe::Explain(command) => &command.common,
            Pipe::Run(command) => &command.common,
            Pipe::Top(command) => &command.common,
            Pipe::Tap(command) => &command.common,
            Pipe::Show(command) => &command.common,
            Pipe::Key(command) => &command.common,
        }
    }

    /// What it makes.
    pub(crate) fn product(&self) -> Product {
        match self {
            Pipe::Graph(command) => command.product(),
            Pipe::Explain(command) => command.product(),
            Pipe::Run(_) => Product::Files,
            Pipe::Top(_) => Product::Stream("top.txt".to_owned()),
            Pipe::Tap(command) => Product::Stream(named_after(&command.described.file, "packets.txt")),
            Pipe::Show(command) => Product::Stream(named_after(&command.recordings[0], "txt")),
            Pipe::Key(_) => Product::Own { has_dependencies: false },
        }
    }
}

/// A description, and perhaps a flow beside it.
#[derive(Debug, Args)]
pub(crate) struct Described {
    /// The flow (`.spi`, `.xip`); `-` for standard input
    file: String,
    #[command(flatten)]
    line: Line,
}

/// A flow of one line.
#[derive(Debug, Args)]
pub(crate) struct Line {
    /// Use this flow of the file's pipes, instead of the file's flows: 'Camera -> Gray via shm -> Screen'
    #[arg(long, value_name = "FLOW")]
    line: Option<String>,
}

impl Described {
    fn request(&self, common: &Common, product: Option<FlowProduct>) -> FlowRequest {
        request(&self.file, &self.line, common, product)
    }
}

fn request(file: &str, line: &Line, common: &Common, product: Option<FlowProduct>) -> FlowRequest {
    let (input, line) = (input(file), line.line.clone());
    FlowRequest { input, line, preprocessor: common.preprocessor(), limits: common.bounds.limits(), product }
}

/// Where the run time of a flow's programs is.
pub(crate) fn run_time(asked: Option<RuntimeName>) -> FlowRunTime {
    match asked {
        None | Some(RuntimeName::Beside) => FlowRunTime::Beside,
        Some(RuntimeName::Installed) => FlowRunTime::Installed,
    }
}

/// Whether a file holds a flow.
pub(crate) fn is_flow(file: &str) -> bool {
    file.ends_with(".spi") || file.ends_with(".xip")
}

fn input(file: &str) -> Input {
    if file == "-" { Input::StandardInput } else { Input::Path(file.to_owned()) }
}

/// Reads a flow, checks it, and makes of it what is asked for.
pub(crate) fn flow(file: &str, preprocessor: Preprocessor, product: Option<FlowProduct>, machine: &Machine) -> Ending {
    let request = FlowRequest { input: input(file), line: None, preprocessor, limits: machine.limits, product };
    report::show(&driver::flow(&request, machine))
}

/// Does what `whittle pipe` says.
pub(crate) fn pipe(command: &Pipe, machine: &Machine) -> Ending {
    match command {
        Pipe::Explain(command) => pictures::explain(command, machine),
        Pipe::Graph(command) => pictures::graph(command, machine),
        Pipe::Run(command) => run::run(command, machine),
        Pipe::Top(command) => top::top(command, machine),
        Pipe::Tap(command) => tap::tap(command, machine),
        Pipe::Show(command) => show::show(command, machine),
        Pipe::Key(command) => key::key(command),
    }
}
