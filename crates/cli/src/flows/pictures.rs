//! `whittle pipe graph` and `whittle pipe explain`: descriptions as pictures and as words. In: descriptions. Out: text, or a
//! file for each.

use clap::{Args, ValueEnum};
use driver::{Destination, FlowForm, FlowProduct, Host, OutputFile};

use super::{Line, request};
use crate::common::Common;
use crate::host::Machine;
use crate::out::{self, Product, named_after};
use crate::{Ending, print, report};

#[derive(Debug, Args)]
pub(crate) struct ExplainEdges {
    /// The flows (`.spi`, `.xip`); `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    #[command(flatten)]
    line: Line,
    /// A part of an edge's name, such as `Gray.b`: only such edges
    #[arg(long, value_name = "EDGE")]
    edge: Option<String>,
    #[command(flatten)]
    pub(super) common: Common,
}

#[derive(Debug, Args)]
pub(crate) struct Graph {
    /// The flows (`.spi`, `.xip`), a picture each; `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    #[command(flatten)]
    line: Line,
    /// The language of the picture
    #[arg(long, value_enum, default_value_t = Picture::Svg)]
    format: Picture,
    #[command(flatten)]
    pub(super) common: Common,
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

impl Picture {
    fn form(self) -> FlowForm {
        match self {
            Picture::Svg => FlowForm::Svg,
            Picture::Dot => FlowForm::Dot,
            Picture::Mermaid => FlowForm::Mermaid,
        }
    }

    fn ending(self) -> &'static str {
        match self {
            Picture::Svg => "svg",
            Picture::Dot => "dot",
            Picture::Mermaid => "mmd",
        }
    }
}

impl ExplainEdges {
    pub(super) fn product(&self) -> Product {
        Product::Text(named_after(&self.files[0], "txt"))
    }

    /// The files, and the edge: `explain FILE EDGE` was its form once.
    fn parted(&self) -> (&[String], Option<&str>) {
        let is_file = |name: &str| name == "-" || super::is_flow(name) || std::path::Path::new(name).exists();
        match self.files.as_slice() {
            [files @ .., last] if self.edge.is_none() && !files.is_empty() && !is_file(last) => {
                print::note("the edge is named with `--edge` now; the old form goes with the next release");
                (files, Some(last))
            }
            files => (files, self.edge.as_deref()),
        }
    }
}

impl Graph {
    pub(super) fn product(&self) -> Product {
        match self.files.as_slice() {
            [only] => Product::Text(named_after(only, self.format.ending())),
            _ => Product::Files,
        }
    }
}

/// Says what the edges of each flow are.
pub(super) fn explain(command: &ExplainEdges, machine: &Machine) -> Ending {
    let (files, edge) = command.parted();
    let form = || FlowProduct::Form(FlowForm::Explanation(edge.map(str::to_owned)));
    let one = |file: &String| {
        let request = request(file, &command.line, &command.common, Some(form()));
        report::show(&driver::flow(&request, machine))
    };
    files.iter().map(one).max().unwrap_or(Ending::Done)
}

/// Draws each flow; several go into files of their own.
pub(super) fn graph(command: &Graph, machine: &Machine) -> Ending {
    let draw = |file: &str| {
        let product = Some(FlowProduct::Form(command.format.form()));
        driver::flow(&request(file, &command.line, &command.common, product), machine)
    };
    if let [only] = command.files.as_slice() {
        return report::show(&draw(only));
    }
    let folder = machine.folder.as_deref().unwrap_or(".");
    let mut worst = Ending::Done;
    for file in &command.files {
        let mut drawn = draw(file);
        let text = std::mem::take(&mut drawn.dumps);
        let mut ending = report::show(&drawn);
        if ending == Ending::Done {
            let path = out::within(folder, &named_after(file, command.format.ending()));
            let waits = machine.write(&[OutputFile { destination: Destination::Path(path), text }]);
            ending = waits.map_or_else(report::show_failure, |()| Ending::Done);
        }
        worst = worst.max(ending);
    }
    worst
}
