//! `whittle specialize`: its command line, and one run of it.

use clap::Args;
use std::io::IsTerminal;

use driver::{CoreStage, Destination, Form, Limit, Picture, Questions, SpecializeRequest, Unrolling};

use crate::Ending;
use crate::bounds::Bounds;
use crate::host::Machine;
use crate::report::{self, Format};

#[derive(Debug, Args)]
pub(crate) struct Specialize {
    /// C that calls the general code with what is known; functions marked `WHITTLE_SPECIALIZE` are specialized
    #[arg(value_name = "SCENARIO.c")]
    scenario: String,
    /// The general code
    #[arg(value_name = "SOURCE.c")]
    sources: Vec<String>,
    /// The residual C; standard output where left out
    #[arg(short, long, value_name = "FILE")]
    output: Option<String>,
    /// Write a program that calls the residual functions and their originals with the same random arguments, and compares
    /// what they return, write and print
    #[arg(long, value_name = "FILE")]
    harness: Option<String>,
    /// Specialize this function, too, marked or not; may be repeated
    #[arg(long = "root", value_name = "FUNCTION")]
    roots: Vec<String>,
    /// A file that says what functions do whose source is not given: one line each, as
    /// `receive(file, data, size): writes data[size], sets errno`; may be repeated
    #[arg(long, value_name = "FILE")]
    effects: Vec<String>,
    /// Residual copies of one program point, before what varies between them is given up
    #[arg(long, value_name = "N")]
    max_variants: Option<u64>,
    /// Residual statements of one function, before what varies is given up
    #[arg(long, value_name = "N")]
    max_statements: Option<u64>,
    /// What becomes of loops that were unrolled: auto, keep (as they are), fold, or a number of iterations at a time
    #[arg(long, value_name = "HOW", value_parser = loops, default_value = "auto")]
    loops: Unrolling,
    /// Print Core C and write nothing: of the program (core), or of the residual functions (residual)
    #[arg(long, value_name = "STAGE", value_parser = stage)]
    emit: Option<CoreStage>,
    /// Say why a variable or a part of it (xdrs->x_handy), a function, or a line (xdr.c:85) is not computed away, and what
    /// the specializer gave up there; may be repeated. Without -o, no residual C is written
    #[arg(long, value_name = "NAME")]
    why: Vec<String>,
    /// Show the source by what is known when: on the terminal, as a page (html), or as a page in a file (FILE.html).
    /// Without -o, nothing is specialized
    #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "terminal",
          value_parser = picture)]
    show_binding_times: Option<Picture>,
    /// Count what is decided before run time, and what is left: tests of modes, bounds and status, calls through
    /// pointers and between layers, loops; and what the specializer gave up, by cause; with --message-format json as an object a line. Without -o, no
    /// residual C is written
    #[arg(long)]
    statistics: bool,
    /// Answer as an analysis would that does not tell this apart, to see what it buys; may be repeated
    #[arg(long, value_name = "SENSITIVITY", value_parser = clap::builder::PossibleValuesParser::new(driver::sensitivities()))]
    without: Vec<String>,
    /// How diagnostics look
    #[arg(long, value_enum, default_value_t = Format::Full, value_name = "FORMAT")]
    message_format: Format,
    #[command(flatten)]
    bounds: Bounds,
    /// For the preprocessor: `-- -I include -DNAME`
    #[arg(last = true, value_name = "CFLAGS")]
    flags: Vec<String>,
}

fn stage(name: &str) -> Result<CoreStage, String> {
    match name {
        "core" => Ok(CoreStage::Core),
        "residual" => Ok(CoreStage::Residual),
        _ => Err("stages are core, residual".to_owned()),
    }
}

fn loops(how: &str) -> Result<Unrolling, String> {
    match how {
        "auto" => Ok(Unrolling::Auto),
        "keep" => Ok(Unrolling::Keep),
        "fold" => Ok(Unrolling::Fold),
        number => {
            number.parse().map(Unrolling::Chunk).map_err(|_| "loops are auto, keep, fold, or a number".to_owned())
        }
    }
}

fn picture(how: &str) -> Result<Picture, String> {
    match how {
        "terminal" if std::io::stdout().is_terminal() && !report::is_colourless() => Ok(Picture::Colours),
        "terminal" => Ok(Picture::Signs),
        "html" => Ok(Picture::Page(Destination::StandardOutput)),
        file if is_page(file) => Ok(Picture::Page(Destination::Named(file.to_owned()))),
        _ => Err("it is shown on the terminal, as html, or in a file whose name ends in .html".to_owned()),
    }
}

fn is_page(file: &str) -> bool {
    file.ends_with(".html")
}

/// What the user asks; `-o page.html` says where a page goes.
fn questions(command: &mut Specialize) -> Questions {
    let page = command.output.take_if(|file| is_page(file));
    let mut picture = command.show_binding_times.take();
    match (page, &mut picture) {
        (Some(file), Some(Picture::Page(to @ Destination::StandardOutput))) => *to = Destination::Named(file),
        (page, _) => command.output = command.output.take().or(page),
    }
    let form = if command.message_format == Format::Json { Form::Json } else { Form::Table };
    let statistics = command.statistics.then_some(form);
    Questions {
        why: std::mem::take(&mut command.why),
        binding_times: picture,
        statistics,
        without: std::mem::take(&mut command.without),
    }
}

pub(crate) fn run(mut command: Specialize) -> Ending {
    let questions = questions(&mut command);
    let mut request = SpecializeRequest {
        scenario: command.scenario,
        sources: command.sources,
        flags: command.flags,
        roots: command.roots,
        effects: command.effects,
        output: command.output.map(Destination::Named),
        harness: command.harness,
        emit: command.emit,
        loops: command.loops,
        questions,
        ..SpecializeRequest::default()
    };
    request.limits = command.bounds.limits();
    for (limit, most) in [(Limit::Variants, command.max_variants), (Limit::Statements, command.max_statements)] {
        most.into_iter().for_each(|most| request.limits.set(limit, most));
    }
    let machine = Machine { limits: request.limits, ..Machine::default() };
    report::show(&driver::specialize(&request, &machine), command.message_format)
}
