//! The options that every subcommand shares. In: the command line. Out: where output goes, how findings look, what a
//! build tool is given. A subcommand takes them by `#[command(flatten)]`, and a test fails where one does not.
//! `rpcgen` keeps rpcgen's flags.

use clap::{Args, ValueEnum};
use driver::Preprocessor;

use crate::bounds::Bounds;
use crate::report::Format;
use crate::voice::{Colour, Voice};

#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Options of every subcommand")]
pub(crate) struct Common {
    /// Where output goes: a file, or a folder if PATH is one or ends in `/`; several outputs need a folder; `-` is standard output
    #[arg(short, long, value_name = "PATH", alias = "output")]
    pub(crate) out: Option<String>,
    /// A folder where included files are looked for; may be repeated
    #[arg(short = 'I', value_name = "DIR")]
    pub(crate) include: Vec<String>,
    /// Also write a file for `make` or `ninja` that says which files the outputs were made from
    #[arg(long, value_name = "FILE")]
    pub(crate) depfile: Option<String>,
    /// Leave outputs untouched that would not change: nothing is built again for them
    #[arg(long)]
    pub(crate) if_changed: bool,
    /// Print errors, and no warnings, notes or progress
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// Colours: on terminals that have them (auto; NO_COLOR turns them off), always, or never
    #[arg(long, value_enum, default_value_t = When::Auto, value_name = "WHEN", hide_possible_values = true)]
    color: When,
    /// How errors and warnings look: with the lines at fault (full), one line each (short), one JSON object a line (json)
    #[arg(long, value_enum, default_value_t = Format::Full, value_name = "FORMAT", hide_possible_values = true)]
    pub(crate) message_format: Format,
    #[command(flatten)]
    pub(crate) bounds: Bounds,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    #[default]
    Auto,
    Always,
    Never,
}

impl From<When> for Colour {
    fn from(when: When) -> Colour {
        match when {
            When::Auto => Colour::Auto,
            When::Always => Colour::Always,
            When::Never => Colour::Never,
        }
    }
}

impl Common {
    /// How this run speaks.
    pub(crate) fn voice(&self) -> Voice {
        Voice { is_quiet: self.quiet, colour: self.color.into(), format: self.message_format }
    }

    /// What `-I` says.
    pub(crate) fn preprocessor(&self) -> Preprocessor {
        Preprocessor { arguments: self.include_flags(), ..Preprocessor::default() }
    }

    pub(crate) fn include_flags(&self) -> Vec<String> {
        self.include.iter().map(|folder| format!("-I{folder}")).collect()
    }
}
