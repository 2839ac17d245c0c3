//! The commands on flows: `whittle pipe …` and `whittle fmt`, and what `check` and `compile` do with `.spi` and `.xip`.

mod directory;
mod environment;
mod key;
mod ledger;
mod packets;
mod run;
mod show;
mod tap;
mod top;

use clap::{Args, Subcommand, ValueEnum};
use driver::{
    Destination, FlowForm, FlowProduct, FlowRequest, FlowRunTime, Host, Input, Limits, OutputFile, Preprocessor, Report,
};

use crate::bounds::Bounds;
use crate::command::RuntimeName;
use crate::host::Machine;
use crate::report::{self, Format};
use crate::{Ending, print};

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
    /// Make the key by which a flow's processes on several machines know each other
    Key(key::Key),
}

/// A description, and perhaps a flow beside it.
#[derive(Debug, Args)]
pub(crate) struct Described {
    /// The flow (`.spi`, `.xip`); `-` for standard input
    file: String,
    /// A flow of the file's pipes, in place of the file's flows: 'Camera -> Gray via shm -> Screen'
    #[arg(long, value_name = "FLOW")]
    line: Option<String>,
    /// How diagnostics look
    #[arg(long, value_enum, default_value_t = Format::Full, value_name = "FORMAT")]
    message_format: Format,
    #[command(flatten)]
    bounds: Bounds,
}

impl Described {
    fn request(&self, product: Option<FlowProduct>) -> FlowRequest {
        let (input, line) = (input(&self.file), self.line.clone());
        FlowRequest { input, line, preprocessor: Preprocessor::default(), limits: self.bounds.limits(), product }
    }

    fn show(&self, form: FlowForm) -> Ending {
        let request = self.request(Some(FlowProduct::Form(form)));
        let machine = Machine { limits: request.limits, ..Machine::default() };
        report::show(&driver::flow(&request, &machine), self.message_format)
    }
}

#[derive(Debug, Args)]
pub(crate) struct ExplainEdges {
    #[command(flatten)]
    described: Described,
    /// A part of an edge's name, such as `Gray.b`: only such edges
    edge: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Graph {
    #[command(flatten)]
    described: Described,
    /// The language of the picture
    #[arg(long, value_enum, default_value_t = Picture::Svg)]
    format: Picture,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Picture {
    /// A picture, for browsers
    Svg,
    /// Graphviz's language
    Dot,
    /// Mermaid's language, for Markdown pages
    Mermaid,
}

/// `whittle fmt`
#[derive(Debug, Args)]
pub(crate) struct Fmt {
    /// The flows (`.spi`), changed in place; `-` formats standard input to standard output
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Change nothing; say which files would be changed, and fail where there is one
    #[arg(long)]
    check: bool,
    /// How diagnostics look
    #[arg(long, value_enum, default_value_t = Format::Full, value_name = "FORMAT")]
    message_format: Format,
    #[command(flatten)]
    bounds: Bounds,
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
pub(crate) fn flow(
    file: &str,
    (preprocessor, limits): (Preprocessor, Limits),
    product: Option<FlowProduct>,
    format: Format,
) -> Ending {
    let folder = match &product {
        Some(FlowProduct::Code { folder, .. }) => Some(folder.clone()),
        _ => None,
    };
    let request = FlowRequest { input: input(file), line: None, preprocessor, limits, product };
    report::show(&driver::flow(&request, &Machine { folder, limits, ..Machine::default() }), format)
}

/// Does what `whittle pipe` says.
pub(crate) fn pipe(command: &Pipe) -> Ending {
    match command {
        Pipe::Explain(explain) => explain.described.show(FlowForm::Explanation(explain.edge.clone())),
        Pipe::Graph(graph) => graph.described.show(match graph.format {
            Picture::Svg => FlowForm::Svg,
            Picture::Dot => FlowForm::Dot,
            Picture::Mermaid => FlowForm::Mermaid,
        }),
        Pipe::Run(command) => run::run(command),
        Pipe::Top(command) => top::top(command),
        Pipe::Tap(command) => tap::tap(command),
        Pipe::Show(command) => show::show(command),
        Pipe::Key(command) => key::key(command),
    }
}

/// Formats each file; the worst ending counts.
pub(crate) fn fmt(fmt: &Fmt) -> Ending {
    fmt.files.iter().map(|file| format_one(fmt, file)).max().unwrap_or(Ending::Done)
}

fn format_one(fmt: &Fmt, file: &str) -> Ending {
    if file.ends_with(".xip") || file.ends_with(".x") {
        print::complain(&format!("error: {file}: whittle formats `.spi` files\n"));
        return Ending::CommandLineAtFault;
    }
    let (formatted, report) = driver::format_flow(&input(file), fmt.bounds.limits(), &Machine::default());
    let ending = report::show(&report, fmt.message_format);
    let Some(text) = formatted else { return ending.max(Ending::InputAtFault) };
    let is_same = report.sources.text(source::FileId(0)) == text;
    match (fmt.check, file) {
        (true, _) if is_same => Ending::Done,
        (true, _) => {
            print::complain(&format!("{file} is not formatted: whittle fmt {file}\n"));
            Ending::InputAtFault
        }
        (false, "-") => print::output(&text),
        (false, _) if is_same => Ending::Done,
        (false, _) => replace(file, text, fmt.message_format),
    }
}

/// Writes over the file that was read.
fn replace(file: &str, text: String, format: Format) -> Ending {
    let output = OutputFile { destination: Destination::Named(file.to_owned()), text };
    match Machine::default().write(&[output]) {
        Ok(()) => Ending::Done,
        Err(failure) => {
            let mut report = Report::default();
            report.add([*failure]);
            report::show(&report, format)
        }
    }
}
