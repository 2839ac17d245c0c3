//! `whittle specialize`: its command line, and one run of it.

use clap::Args;

use driver::{CoreStage, Destination, Form, Host, Limit, OutputFile, Picture, Questions, SpecializeRequest, Unrolling};

use crate::common::Common;
use crate::compile_commands;
use crate::host::Machine;
use crate::report::{self, Format};
use crate::{Ending, out, progress, voice};

#[derive(Debug, Args)]
pub(crate) struct Specialize {
    /// C that calls the general code with what is known; functions marked `WHITTLE_SPECIALIZE` are specialized
    #[arg(value_name = "SCENARIO.c")]
    scenario: String,
    /// The general code
    #[arg(value_name = "SOURCE.c")]
    sources: Vec<String>,
    /// Write a program that calls the residual functions and their originals with the same random arguments, and compares
    /// what they return, write and print
    #[arg(long, value_name = "FILE")]
    harness: Option<String>,
    /// Specialize this function, marked or not, and no other; may be repeated
    #[arg(long = "root", value_name = "FUNCTION")]
    roots: Vec<String>,
    /// A file that says what functions do whose source is not given: one line each, as
    /// `receive(file, data, size): writes data[size], sets errno`; may be repeated
    #[arg(long, value_name = "FILE")]
    effects: Vec<String>,
    /// At most N specialized copies of one program point; then values that differ between them count as unknown
    #[arg(long, value_name = "N")]
    max_variants: Option<u64>,
    /// At most N statements in one specialized function; then values that vary count as unknown
    #[arg(long, value_name = "N")]
    max_statements: Option<u64>,
    /// Residual code may be N times as large as the code that it is made of; where it would be larger, fewer cases are distinguished,
    /// and if that does not help, the function is refused. Up to 4000 statements are always allowed
    #[arg(long, value_name = "N", default_value_t = driver::MAX_GROWTH)]
    max_growth: u32,
    /// Take at most so many seconds, shared by the functions of the scenario. When half of a function's time is gone, values that
    /// vary count as unknown, so that it ends; a function that does not is an error, and nothing is written. Without the option,
    /// no clock decides anything
    #[arg(long, value_name = "SECONDS")]
    time_limit: Option<u64>,
    /// Unrolled loops: auto, keep (leave them unrolled), fold (roll them up again), or N iterations at a time
    #[arg(long, value_name = "HOW", value_parser = loops, default_value = "auto")]
    loops: Unrolling,
    /// Say by `#line` where the statements of residual code come from, so that debuggers and compilers' findings lead to the
    /// general code
    #[arg(long)]
    line_directives: bool,
    /// Let residual code share static variables of the general code: for each SOURCE.c of which it does, SOURCE.shared.c is
    /// written beside the residual code, to be compiled in the source's place
    #[arg(long)]
    share_statics: bool,
    /// Fail where nothing of a function is decided before run time
    #[arg(long)]
    require_benefit: bool,
    /// Print Core C and write nothing: of the program (core), or of the residual functions (residual)
    #[arg(long, value_name = "STAGE", value_parser = stage)]
    emit: Option<CoreStage>,
    /// Say why a variable or a part of it (xdrs->x_handy), a function, or a line (xdr.c:85) is not computed away, and what
    /// the specializer gave up there; may be repeated. Without -o, no residual C is written
    #[arg(long, value_name = "NAME")]
    why: Vec<String>,
    /// Show the source coloured by what became of it: on the terminal, as a page (html), or as a page in a file (FILE.html).
    /// Without -o, no residual C is written
    #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "terminal",
          value_parser = picture)]
    show_binding_times: Option<Picture>,
    /// Count what is decided before run time, and what is left: tests of modes, bounds and status, calls through
    /// pointers and between layers, loops; and what the specializer gave up, by cause; with --message-format json as an object
    /// a line. Without -o, no residual C is written
    #[arg(long)]
    statistics: bool,
    /// Specialize without this sensitivity, to see what it contributes; may be repeated
    #[arg(long, value_name = "SENSITIVITY", value_parser = clap::builder::PossibleValuesParser::new(driver::sensitivities()))]
    without: Vec<String>,
    /// Take each file's own `-I`, `-D`, `-std=` and the like from a build's compile_commands.json, or from a folder that has one
    #[arg(long, value_name = "FILE")]
    compile_commands: Option<String>,
    /// For the preprocessor: `-- -I include -DNAME`
    #[arg(last = true, value_name = "CFLAGS")]
    flags: Vec<String>,
    #[command(flatten)]
    pub(crate) common: Common,
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
        // Whether it shows colours, the common options say.
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
fn questions(command: &Specialize, output: &mut Option<Destination>) -> Questions {
    let mut picture = command.show_binding_times.clone();
    match (&mut picture, &output) {
        (Some(signs @ Picture::Signs), _) if voice::colours_output() => *signs = Picture::Colours,
        (Some(Picture::Page(to @ Destination::StandardOutput)), Some(Destination::Named(file))) if is_page(file) => {
            *to = Destination::Named(file.clone());
            *output = None;
        }
        _ => {}
    }
    let form = if command.common.message_format == Format::Json { Form::Json } else { Form::Table };
    let statistics = command.statistics.then_some(form);
    Questions { why: command.why.clone(), colours: picture, statistics }
}

/// Where the residual C goes: it takes the place of the scenario. Left out, it is shown.
fn output(command: &Specialize, machine: &mut Machine) -> Option<Destination> {
    let out = command.common.out.as_deref()?;
    let ending = if command.emit.is_some() { "core" } else { "c" };
    Some(match out::single(Some(out), &out::named_after(&command.scenario, ending)) {
        Some(single) => {
            machine.folder = single.folder;
            Destination::Named(single.path)
        }
        None => Destination::StandardOutput,
    })
}

pub(crate) fn run(command: &Specialize, machine: &mut Machine) -> Ending {
    let mut output = output(command, machine);
    let questions = questions(command, &mut output);
    let is_shown = match output {
        Some(Destination::Named(_)) => false,
        Some(_) => true,
        None => questions.is_empty(),
    };
    if command.share_statics && is_shown && command.emit.is_none() {
        crate::print::refuse("--share-statics writes files beside the residual code: name that with -o");
        return Ending::CommandLineAtFault;
    }
    let mut request = SpecializeRequest {
        scenario: command.scenario.clone(),
        sources: command.sources.clone(),
        flags: command.common.include_flags().into_iter().chain(command.flags.iter().cloned()).collect(),
        roots: command.roots.clone(),
        effects: command.effects.clone(),
        output,
        harness: command.harness.clone(),
        emit: command.emit,
        loops: command.loops,
        line_directives: command.line_directives,
        share_statics: command.share_statics,
        requires_benefit: command.require_benefit,
        questions,
        without: command.without.clone(),
        max_growth: Some(command.max_growth),
        ..SpecializeRequest::default()
    };
    if let Some(path) = &command.compile_commands {
        let files: Vec<&String> = std::iter::once(&command.scenario).chain(&command.sources).collect();
        match compile_commands::flags(path, &files) {
            Ok(flags) => request.flags_of = flags,
            Err(failure) => return report::show_failure(failure),
        }
    }
    request.limits = machine.limits;
    let limits = [
        (Limit::Variants, command.max_variants),
        (Limit::Statements, command.max_statements),
        (Limit::Time, command.time_limit),
    ];
    for (limit, most) in limits {
        most.into_iter().for_each(|most| request.limits.set(limit, most));
    }
    machine.limits = request.limits;
    let shown = progress::Shown::begin(&request.progress);
    let mut found = driver::specialize(&request, machine);
    drop(shown);
    if let (Some(_), Some(Destination::Named(path))) = (command.emit, &request.output) {
        let text = std::mem::take(&mut found.dumps);
        let ending = report::show(&found);
        let file = OutputFile { destination: Destination::Named(path.clone()), text };
        return match ending {
            Ending::Done => machine.write(&[file]).map_or_else(report::show_failure, |()| Ending::Done),
            ending => ending,
        };
    }
    report::show(&found)
}
