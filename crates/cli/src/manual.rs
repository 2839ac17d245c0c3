//! `whittle man`: one manual page for the command, its subcommands and rpcgen's flags.

use std::io;

use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::rpcgen;

/// The page as troff.
pub(crate) fn page(mut command: Command) -> io::Result<Vec<u8>> {
    command.build();
    let mut text = Vec::new();
    let main = Man::new(command.clone());
    main.render_title(&mut text)?;
    main.render_name_section(&mut text)?;
    main.render_synopsis_section(&mut text)?;
    main.render_description_section(&mut text)?;
    for subcommand in command.get_subcommands().filter(|subcommand| subcommand.get_name() != "help") {
        let about = subcommand.get_about().map(ToString::to_string).unwrap_or_default();
        let mut heading = Roff::new();
        heading.control("SH", [format!("whittle {}", subcommand.get_name()).to_uppercase().as_str()]);
        heading.text([roman(about)]);
        heading.to_writer(&mut text)?;
        if subcommand.get_name() == "rpcgen" {
            verbatim(&format!("{}{}", rpcgen::SYNOPSIS, rpcgen::OPTIONS)).to_writer(&mut text)?;
        } else {
            section_of(subcommand, &mut text)?;
        }
    }
    let mut examples = Roff::new();
    examples.control("SH", ["EXAMPLES"]);
    examples.to_writer(&mut text)?;
    let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    verbatim(after.strip_prefix("Examples:\n").unwrap_or(&after)).to_writer(&mut text)?;
    Ok(text)
}

/// The options of a subcommand, without the heading of a page of its own.
fn section_of(subcommand: &Command, text: &mut Vec<u8>) -> io::Result<()> {
    let mut options = Vec::new();
    Man::new(subcommand.clone()).render_options_section(&mut options)?;
    text.extend(String::from_utf8_lossy(&options).replace(".SH OPTIONS\n", "").into_bytes());
    Ok(())
}

/// Text whose lines stay as they are.
fn verbatim(text: &str) -> Roff {
    let mut roff = Roff::new();
    roff.control("nf", []);
    for line in text.lines() {
        roff.text([roman(line)]);
    }
    roff.control("fi", []);
    roff
}
