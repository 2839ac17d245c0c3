//! What stands behind the commands that compile and check: options and their values, in the user's words.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use driver::{Encoding, Link, Prefer, Stage, Style};

use crate::common::Common;

#[derive(Debug, Args)]
pub(super) struct Compile {
    /// The descriptions (`.x`, `.idl`, `.spi`, `.xip`), each compiled by itself; `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<String>,
    #[command(flatten)]
    pub(super) source: Source,
    /// Which stubs to write
    #[arg(long, value_enum, default_value_t = SideName::Both)]
    pub(super) side: SideName,
    /// The run time, the C that generated code calls: write its files into the same folder (beside, the default), or write
    /// none of them, since it is installed as a library (installed)
    #[arg(long, value_enum, value_name = "WHERE", hide_possible_values = true)]
    pub(super) runtime: Option<RuntimeName>,
    #[command(flatten)]
    pub(super) code: Code,
    /// Print a tree (tokens, aoi, mint, pres, plan, cast; xip of a flow) in place of writing C
    #[arg(long, value_name = "STAGE", value_parser = stage)]
    pub(super) emit: Option<Stage>,
    #[command(flatten)]
    pub(super) common: Common,
}

impl Compile {
    /// Whether a tree is printed, in place of files.
    pub(super) fn prints(&self) -> bool {
        self.emit.is_some() || self.code.stop_after.is_some() || !self.code.print_after.is_empty()
    }
}

#[derive(Debug, Args)]
pub(super) struct Check {
    /// The descriptions (`.x`, `.idl`, `.defs`, `.spi`, `.xip`); `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<String>,
    #[command(flatten)]
    pub(super) source: Source,
    #[command(flatten)]
    pub(super) code: Code,
    #[command(flatten)]
    pub(super) common: Common,
}

#[derive(Clone, Debug, Args)]
pub(super) struct Source {
    /// Define a preprocessor symbol; may be repeated
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub(super) define: Vec<String>,
    /// Undefine a preprocessor symbol; may be repeated
    #[arg(short = 'U', value_name = "NAME")]
    pub(super) undefine: Vec<String>,
    /// The language of the input [default: by its ending; onc for standard input]
    #[arg(long, value_enum)]
    pub(super) language: Option<LanguageName>,
    /// The input is a dump of this tree (aoi, pres, plan), made with --emit
    #[arg(long, value_name = "STAGE", value_parser = stage)]
    pub(super) from: Option<Stage>,
}

/// What shapes the code.
#[derive(Clone, Debug, Args)]
pub(super) struct Code {
    /// The C API of the generated code [default: rpcgen for `.x`, corba for `.idl`, plain with `--link onc` and `--link none`]; `whittle matrix` says
    /// what goes together
    #[arg(long, value_parser = styles())]
    pub(super) style: Option<Style>,
    /// The encoding of messages [default: that of the style]
    #[arg(long, value_parser = encodings())]
    pub(super) encoding: Option<Encoding>,
    /// The protocol and transport of messages [default: that of the style]
    #[arg(long, value_parser = links())]
    pub(super) link: Option<Link>,
    /// A statement of a presentation file, for the plain style: strings=counted; may be repeated
    #[arg(long, value_name = "STATEMENT")]
    pub(super) present: Vec<String>,
    /// The presentation file [default: `b.pres` beside `b.x`, if there is one]
    #[arg(long, value_name = "FILE")]
    pub(super) presentation: Option<String>,
    /// Stubs take several arguments, by value (rpcgen -N)
    #[arg(long)]
    pub(super) newstyle: bool,
    /// The ONC program number of an .idl's first interface, where it states none with `@onc(program = …)`; each further
    /// interface gets the next number
    #[arg(long, value_name = "NUMBER", value_parser = program_number)]
    pub(super) onc_program: Option<u32>,
    /// Stubs store results where the caller says, so that several threads may call them (rpcgen -M)
    #[arg(long)]
    pub(super) thread_safe: bool,
    /// Decoding refuses enumeration values that the description does not name
    #[arg(long)]
    pub(super) strict: bool,
    /// Accept, with a warning, what rpcgen accepts in silence: numbers that do not fit, and equal numbers
    #[arg(long)]
    pub(super) lax: bool,
    /// How deep decoded values may nest; lists do not count [default: 1000]
    #[arg(long, value_name = "N")]
    pub(super) max_depth: Option<u32>,
    /// The byte order of messages sent over GIOP; received ones may have either [default: host]
    #[arg(long, value_enum, value_name = "ORDER")]
    pub(super) byte_order: Option<ByteOrderName>,
    /// Servers allocate the arguments of a call in one arena, and free them at once
    #[arg(long)]
    pub(super) server_arena: bool,
    /// Marshalling of rpcgen's style is routines for all types (speed), tables for all (size), or routines for arrays and
    /// lists and tables for the others (balance) [default: balance]
    #[arg(long, value_name = "speed|balance|size", value_parser = preference)]
    pub(super) prefer: Option<Prefer>,
    /// Print what marshals each type (a table or routines), why, and about how many bytes of object code it takes, in rpcgen's
    /// style; write nothing
    #[arg(long)]
    pub(super) sizes: bool,
    /// Leave out an optimization; may be repeated
    #[arg(long, value_name = "PASS", value_parser = driver::optional_passes())]
    pub(super) no_opt: Vec<String>,
    /// Stop after this stage (aoi, pres, plan, cast) and write nothing
    #[arg(long, value_name = "STAGE", value_parser = stage)]
    pub(super) stop_after: Option<Stage>,
    /// Print the plan after this pass; may be repeated
    #[arg(long, value_name = "PASS", value_parser = driver::every_pass())]
    pub(super) print_after: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum SideName {
    Client,
    Server,
    Both,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RuntimeName {
    /// Its files are written beside the stubs or the flow's programs, and compiled with them
    Beside,
    /// None is written: `pkg-config whittle` says where headers and library are; for flows, `whittle-flow`
    Installed,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum LanguageName {
    /// The RPC language of ONC, as in `.x`
    Onc,
    /// OMG IDL, as in `.idl`
    Corba,
    /// MIG's definitions, as in `.defs`, as far as they are data
    Mig,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum ByteOrderName {
    /// That of the machine that runs the code: no bytes are swapped
    Host,
    /// Most significant byte first, on every machine
    Big,
    /// Least significant byte first, on every machine
    Little,
}

pub(super) fn stage(name: &str) -> Result<Stage, String> {
    Stage::ALL.into_iter().find(|stage| stage.name() == name).ok_or_else(|| {
        let names: Vec<_> = Stage::ALL.iter().map(|stage| stage.name()).collect();
        format!("stages are {}", names.join(", "))
    })
}

fn styles() -> impl TypedValueParser<Value = Style> {
    one_of(&Style::ALL, |style| PossibleValue::new(style.name()).help(style.meaning()))
}

fn encodings() -> impl TypedValueParser<Value = Encoding> {
    one_of(&Encoding::ALL, |encoding| PossibleValue::new(encoding.name()).help(encoding.meaning()))
}

fn links() -> impl TypedValueParser<Value = Link> {
    one_of(&Link::ALL, |link| PossibleValue::new(link.name()).help(link.meaning()).aliases(link.former_names()))
}

/// One of these, by the name that it has on the command line.
fn one_of<T: Copy + Send + Sync>(all: &'static [T], named: fn(T) -> PossibleValue) -> impl TypedValueParser<Value = T> {
    let names = PossibleValuesParser::new(all.iter().map(|one| named(*one)));
    let find = move |name: String| all.iter().copied().find(|one| named(*one).matches(&name, false));
    names.try_map(move |name| find(name).ok_or("no such name"))
}

pub(super) fn preference(name: &str) -> Result<Prefer, String> {
    Prefer::of_name(name).ok_or_else(|| "speed, balance or size".to_owned())
}

/// Decimal, or hexadecimal behind `0x`.
pub(super) fn program_number(text: &str) -> Result<u32, String> {
    let number = match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.map_err(|_| "a program number is like 0x20000101".to_owned())
}
