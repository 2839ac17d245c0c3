//! `whittle man`: a manual page for the command and for each of its subcommands, from what clap knows of them. In: the command line's
//! description, the words after `man`. Out: troff, one page on standard output or all of them as files.

use std::io;

use clap::{Args, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use driver::{Destination, Host, OutputFile};

use crate::common::Common;
use crate::host::Machine;
use crate::out::{self, Product};
use crate::{Ending, mig, print, report, rpcgen};

#[derive(Debug, Args)]
pub(crate) struct Manual {
    /// The subcommand that the page is about, such as `pipe run`; without it, whittle itself
    #[arg(value_name = "SUBCOMMAND", conflicts_with = "all")]
    words: Vec<String>,
    /// Write all pages as files: whittle.1, whittle-compile.1 and so on
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    pub(crate) common: Common,
}

impl Manual {
    /// One page, or files.
    pub(crate) fn product(&self) -> Product {
        if self.all {
            return Product::Files;
        }
        let words: Vec<&str> = std::iter::once("whittle").chain(self.words()).collect();
        Product::Text(format!("{}.1", words.join("-")))
    }

    /// `pipe run`, be it given as two words or by the page's name, `pipe-run` or `whittle-pipe-run`.
    fn words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().flat_map(|word| word.strip_prefix("whittle-").unwrap_or(word).split('-'))
    }
}

/// Does what `whittle man` asks for.
pub(crate) fn run(manual: &Manual, whittle: Command, machine: &Machine) -> Ending {
    let mut whittle = without_help(whittle);
    whittle.build();
    if manual.all { write_all(&whittle, machine) } else { show(manual.words(), &whittle) }
}

/// The command without `help COMMAND`, at every level: it says what the pages say.
fn without_help(command: Command) -> Command {
    command.disable_help_subcommand(true).mut_subcommands(without_help)
}

fn show<'a>(words: impl Iterator<Item = &'a str>, whittle: &Command) -> Ending {
    let mut command = whittle;
    for word in words {
        let Some(found) = visible(command).find(|subcommand| subcommand.get_name() == word) else {
            print::refuse(&unknown(word, command));
            return Ending::CommandLineAtFault;
        };
        command = found;
    }
    match page(command, whittle) {
        Ok(page) => print::output(&page),
        Err(problem) => cannot_write(&problem),
    }
}

fn unknown(word: &str, command: &Command) -> String {
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name());
    let known: Vec<&str> = visible(command).map(Command::get_name).collect();
    if known.is_empty() {
        return format!("`{name}` has no subcommands: `{word}` has no page");
    }
    format!("`{name}` has no subcommand `{word}`; there are {}", known.join(", "))
}

fn write_all(whittle: &Command, machine: &Machine) -> Ending {
    let folder = machine.folder.as_deref().unwrap_or(".");
    let file = |command: &Command| -> io::Result<OutputFile> {
        let destination = Destination::Path(out::within(folder, &format!("{}.1", page_name(command))));
        Ok(OutputFile { destination, text: page(command, whittle)? })
    };
    match with_descendants(whittle).into_iter().map(file).collect::<io::Result<Vec<OutputFile>>>() {
        Ok(files) => machine.write(&files).map_or_else(report::show_failure, |()| Ending::Done),
        Err(problem) => cannot_write(&problem),
    }
}

fn cannot_write(problem: &io::Error) -> Ending {
    print::refuse(&format!("cannot write the manual page: {problem}"));
    Ending::InputAtFault
}

fn with_descendants(command: &Command) -> Vec<&Command> {
    std::iter::once(command).chain(visible(command).flat_map(with_descendants)).collect()
}

fn visible(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set())
}

/// `whittle-pipe-run` for `whittle pipe run`.
fn page_name(command: &Command) -> &str {
    command.get_display_name().unwrap_or_else(|| command.get_name())
}

/// One page as troff.
fn page(command: &Command, whittle: &Command) -> io::Result<String> {
    let man = Man::new(command.clone());
    let mut text = Vec::new();
    man.render_name_section(&mut text)?;
    match command.get_name() {
        "rpcgen" => of_model(&man, rpcgen::SYNOPSIS, rpcgen::OPTIONS, &mut text)?,
        "mig" => of_model(&man, mig::SYNOPSIS, mig::OPTIONS, &mut text)?,
        _ => {
            synopsis(command, &mut text)?;
            man.render_description_section(&mut text)?;
            man.render_options_section(&mut text)?;
        }
    }
    if visible(command).next().is_some() {
        man.render_subcommands_section(&mut text)?;
    }
    let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    if !after.is_empty() {
        section("EXAMPLES", after.strip_prefix("Examples:\n").unwrap_or(&after), &mut text)?;
    }
    see_also(command, whittle, &mut text)?;
    Ok(format!("{}{}", title(command, whittle), tidied(&String::from_utf8_lossy(&text))))
}

/// The first lines: an apostrophe that stays one, and the heading. There is no date, for a page to depend on its version alone; an empty
/// one has to be spelled, as fields are known by their places.
fn title(command: &Command, whittle: &Command) -> String {
    let (name, version) = (page_name(command).to_uppercase(), whittle.get_version().unwrap_or_default());
    format!(".ie \\n(.g .ds Aq \\(aq\n.el .ds Aq '\n.TH \"{name}\" 1 \"\" \"whittle {version}\" \"User Commands\"\n")
}

/// Without what each section repeats of the first lines, and what checkers of pages complain of: blanks at the end of lines, a break
/// beside an empty line, which breaks already.
fn tidied(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let is_empty = |at: Option<usize>| at.and_then(|at| lines.get(at)).is_some_and(|line| line.is_empty());
    let is_kept = |at: usize| match lines[at] {
        ".br" => !is_empty(Some(at + 1)) && !is_empty(at.checked_sub(1)),
        line => !line.ends_with(".ds Aq \\(aq") && line != ".el .ds Aq '",
    };
    (0..lines.len()).filter(|at| is_kept(*at)).map(|at| format!("{}\n", lines[at])).collect()
}

/// Its flags are those of the program whose place it takes, and it lists them itself.
fn of_model(man: &Man, calls: &str, options: &str, text: &mut Vec<u8>) -> io::Result<()> {
    let calls = calls.lines().map(|line| line.trim_start_matches("usage: ").trim_start());
    let calls: String = calls.map(|call| format!("whittle {call}\n")).collect();
    section("SYNOPSIS", &calls, text)?;
    man.render_description_section(text)?;
    section("OPTIONS", options.trim_start_matches('\n'), text)
}

/// What `--help` says of it: names of values and the order of words, which clap's own synopsis leaves out.
fn synopsis(command: &Command, text: &mut Vec<u8>) -> io::Result<()> {
    let usage = command.clone().render_usage().to_string();
    let calls: Vec<&str> = usage.trim_start_matches("Usage:").lines().map(str::trim).collect();
    section("SYNOPSIS", &calls.join("\n"), text)
}

/// A section whose lines stay as they are.
fn section(heading: &str, lines: &str, text: &mut Vec<u8>) -> io::Result<()> {
    let mut roff = Roff::new();
    roff.control("SH", [heading]).control("nf", []);
    for line in lines.lines() {
        roff.text([roman(line)]);
    }
    roff.control("fi", []);
    roff.to_writer(text)
}

/// The page above, or, of whittle's own, that of rpcgen.
fn see_also(command: &Command, whittle: &Command, text: &mut Vec<u8>) -> io::Result<()> {
    let above = with_descendants(whittle)
        .into_iter()
        .find(|parent| visible(parent).any(|child| page_name(child) == page_name(command)));
    let mut roff = Roff::new();
    roff.control("SH", ["SEE ALSO"]);
    roff.text([bold(above.map_or("rpcgen", page_name)), roman("(1)")]);
    roff.to_writer(text)
}
