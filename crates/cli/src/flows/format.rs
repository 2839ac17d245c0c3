//! `whittle fmt`: flows in their canonical layout. In: `.spi` files. Out: the same files, or others, laid out anew.

use clap::Args;
use driver::{Destination, Host, OutputFile};

use super::input;
use crate::common::Common;
use crate::host::Machine;
use crate::{Ending, out, print, report};

/// `whittle fmt`
#[derive(Debug, Args)]
pub(crate) struct Fmt {
    /// The flows (`.spi`), changed in place where -o names no other; `-` formats standard input to standard output
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Change nothing; say which files would be changed, and fail where there is one
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Formats each file; the worst ending counts.
pub(crate) fn fmt(fmt: &Fmt, machine: &mut Machine) -> Ending {
    let target = match target(fmt, machine) {
        Ok(target) => target,
        Err(why) => {
            print::refuse(&why);
            return Ending::CommandLineAtFault;
        }
    };
    fmt.files.iter().map(|file| format_one(fmt, file, &target, machine)).max().unwrap_or(Ending::Done)
}

/// Where the text goes.
enum Target {
    InPlace,
    StandardOutput,
    File(String),
    Folder(String),
}

fn target(fmt: &Fmt, machine: &mut Machine) -> Result<Target, String> {
    Ok(match (fmt.common.out.as_deref(), fmt.files.as_slice()) {
        (None, _) => Target::InPlace,
        (Some("-"), _) => Target::StandardOutput,
        (out, [only]) => match out::single(out, &out::named_after(only, "spi")) {
            Some(single) => {
                machine.folder = single.folder;
                Target::File(single.path)
            }
            None => Target::StandardOutput,
        },
        (out, _) => {
            let folder = out::folder(out)?;
            machine.folder = Some(folder.clone());
            Target::Folder(folder)
        }
    })
}

fn format_one(fmt: &Fmt, file: &str, target: &Target, machine: &Machine) -> Ending {
    if file.ends_with(".xip") || file.ends_with(".x") {
        print::refuse(&format!("{file}: whittle formats `.spi` files"));
        return Ending::CommandLineAtFault;
    }
    let (formatted, found) = driver::format_flow(&input(file), machine.limits, machine);
    let ending = report::show(&found);
    let Some(text) = formatted else { return ending.max(Ending::InputAtFault) };
    let is_same = found.sources.text(source::FileId(0)) == text;
    if fmt.check {
        if !is_same {
            print::refuse(&format!("{file} is not formatted: whittle fmt {file}"));
        }
        return if is_same { Ending::Done } else { Ending::InputAtFault };
    }
    match target {
        Target::InPlace if file != "-" => match is_same {
            true => Ending::Done,
            false => {
                machine.replace(OutputFile { destination: Destination::Named(file.to_owned()), text });
                Ending::Done
            }
        },
        Target::InPlace | Target::StandardOutput => print::output(&text),
        Target::File(path) => waits(Destination::Named(path.clone()), text, machine),
        Target::Folder(folder) => {
            waits(Destination::Path(out::within(folder, &out::named_after(file, "spi"))), text, machine)
        }
    }
}

fn waits(destination: Destination, text: String, machine: &Machine) -> Ending {
    machine.write(&[OutputFile { destination, text }]).map_or_else(report::show_failure, |()| Ending::Done)
}
