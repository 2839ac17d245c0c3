//! Findings on standard error, in the format that the user chose.

use std::io::IsTerminal;

use driver::Report;
use source::render;

use crate::{Ending, print};

/// How findings look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// With the lines at fault.
    #[default]
    Full,
    /// One line each.
    Short,
    /// One JSON object a line.
    Json,
}

impl Format {
    pub(crate) fn of_name(name: &str) -> Option<Format> {
        match name {
            "full" => Some(Format::Full),
            "short" => Some(Format::Short),
            "json" => Some(Format::Json),
            _ => None,
        }
    }
}

/// Prints everything that a compilation found.
pub(crate) fn show(report: &Report, format: Format) -> Ending {
    if format != Format::Json {
        print::error(&report.remarks);
    }
    let colour = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let text = match format {
        Format::Full if colour => render::full_coloured(&report.sources, &report.findings),
        Format::Full => render::full(&report.sources, &report.findings),
        Format::Short => render::short(&report.sources, &report.findings),
        Format::Json => render::json(&report.sources, &report.findings),
    };
    print::error(&text);
    if report.has_errors() { Ending::InputAtFault } else { print::output(&report.dumps) }
}
