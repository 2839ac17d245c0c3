//! whittle's own options on rpcgen's command line: long ones only, so that no letter of rpcgen's is taken.

use driver::{Inspection, Limits, Marshalling, Stage};

use super::arguments::{Flags, Misuse};
use crate::report::Format;
use crate::voice::{Colour, Voice};

/// What the long options say.
#[derive(Debug, Default)]
pub(super) struct Own {
    pub(super) marshalling: Marshalling,
    pub(super) inspection: Inspection,
    pub(super) server_arena: bool,
    pub(super) lax: bool,
    pub(super) limits: Limits,
    pub(super) shared: Shared,
    /// The folder whose builds are looked through.
    pub(super) check: Option<String>,
}

/// What every command of whittle's has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shared {
    pub(crate) voice: Voice,
    pub(crate) depfile: Option<String>,
    pub(crate) if_changed: bool,
}

/// Reads one long option: `--name`, `--name value` or `--name=value`.
pub(super) fn option<'a>(
    flags: &mut Flags,
    argument: &str,
    rest: &mut impl Iterator<Item = &'a String>,
) -> Result<(), Misuse> {
    let (name, attached) = match argument.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => (argument, None),
    };
    let own = &mut flags.own;
    let switch = match name {
        "--server-arena" => Some(&mut own.server_arena),
        "--lax" => Some(&mut own.lax),
        "--strict" => Some(&mut own.marshalling.strict),
        "--quiet" => Some(&mut own.shared.voice.is_quiet),
        "--sizes" => Some(&mut own.inspection.sizes),
        "--if-changed" => Some(&mut own.shared.if_changed),
        _ => None,
    };
    if let (Some(switch), None) = (switch, &attached) {
        *switch = true;
        return Ok(());
    }
    if !VALUED.contains(&name) {
        return Err(Misuse(format!("there is no option {argument}")));
    }
    let value = attached.or_else(|| rest.next().cloned()).ok_or_else(|| Misuse(format!("{name} needs a value")))?;
    valued(flags, name, value)
}

const VALUED: [&str; 15] = [
    "--check",
    "--color",
    "--depfile",
    "--limit",
    "--max-depth",
    "--no-opt",
    "--prefer",
    "--emit",
    "--stop-after",
    "--print-after",
    "--from",
    "--message-format",
    "--include",
    "--define",
    "--undefine",
];

fn valued(flags: &mut Flags, name: &str, value: String) -> Result<(), Misuse> {
    let own = &mut flags.own;
    let arguments = &mut flags.preprocessor.arguments;
    match name {
        "--max-depth" => {
            let depth = value.parse().map_err(|_| Misuse(format!("--max-depth takes a number, not `{value}`")))?;
            own.marshalling.max_depth = Some(depth);
        }
        "--limit" => own.limits.read(&value).map_err(|problem| Misuse(format!("--limit: {problem}")))?,
        "--prefer" => {
            own.marshalling.prefer = driver::Prefer::of_name(&value)
                .ok_or_else(|| Misuse(format!("--prefer takes speed, balance or size, not `{value}`")))?;
        }
        "--no-opt" => own.marshalling.without_passes.push(pass(name, value, &driver::optional_passes())?),
        "--emit" => own.inspection.emit = Some(stage(name, &value)?),
        "--stop-after" => own.inspection.stop_after = Some(stage(name, &value)?),
        "--from" => own.inspection.from = Some(stage(name, &value)?),
        "--print-after" => own.inspection.print_after.push(pass(name, value, &driver::every_pass())?),
        "--check" => own.check = Some(value),
        "--depfile" => own.shared.depfile = Some(value),
        "--color" => {
            own.shared.voice.colour = Colour::of_name(&value)
                .ok_or_else(|| Misuse(format!("--color takes auto, always or never, not `{value}`")))?;
        }
        "--include" => arguments.push(format!("-I{value}")),
        "--define" => arguments.push(format!("-D{value}")),
        "--undefine" => arguments.push(format!("-U{value}")),
        _ => {
            own.shared.voice.format = Format::of_name(&value)
                .ok_or_else(|| Misuse(format!("--message-format takes full, short or json, not `{value}`")))?;
        }
    }
    Ok(())
}

/// A pass among those that the option takes.
fn pass(option: &str, value: String, known: &[&str]) -> Result<String, Misuse> {
    if known.contains(&value.as_str()) {
        return Ok(value);
    }
    Err(Misuse(format!("{option} takes one of {}, not `{value}`", known.join(", "))))
}

fn stage(option: &str, value: &str) -> Result<Stage, Misuse> {
    Stage::OF_INTERFACES.into_iter().find(|stage| stage.name() == value).ok_or_else(|| {
        let names: Vec<_> = Stage::OF_INTERFACES.iter().map(|stage| stage.name()).collect();
        Misuse(format!("{option} takes one of {}, not `{value}`", names.join(", ")))
    })
}
