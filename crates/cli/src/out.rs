//! What `-o PATH` means, for every subcommand. In: PATH, and what the subcommand makes. Out: a file or a folder, or why
//! PATH cannot be obeyed.

use std::path::Path;

use driver::{Destination, Host, OutputFile};

use crate::common::Common;
use crate::host::{Machine, stream};
use crate::{Ending, print, report};

/// What a subcommand makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Product {
    /// Several files, in a folder.
    Files,
    /// One text, written as a whole; the name that it has in a folder.
    Text(String),
    /// One text, written as it comes.
    Stream(String),
    /// The subcommand decides by itself; whether a dependency file can speak of it.
    Own { has_dependencies: bool },
}

/// A file that takes the place of standard output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Single {
    pub(crate) path: String,
    /// The folder that is made for it.
    pub(crate) folder: Option<String>,
}

/// Obeys `-o` before the subcommand begins: what it prints goes there, or the folder is known to the machine.
pub(crate) fn prepared(common: &Common, product: &Product, machine: &mut Machine) -> Result<Option<Single>, Ending> {
    let refused = |why: &str| {
        print::refuse(why);
        Ending::CommandLineAtFault
    };
    let out = common.out.as_deref();
    if let Some(why) = common.depfile.as_ref().and_then(|_| without_dependencies(product, out)) {
        return Err(refused(why));
    }
    match product {
        Product::Files => machine.folder = Some(folder(out).map_err(|why| refused(&why))?),
        Product::Text(name) => {
            let place = single(out, name);
            if let Some(place) = &place {
                machine.folder.clone_from(&place.folder);
                print::keep();
            }
            return Ok(place);
        }
        Product::Stream(name) => {
            if let Some(place) = single(out, name) {
                let file = stream::open(&place).map_err(report::show_failure)?;
                print::stream(place.path, file);
            }
        }
        Product::Own { .. } => {}
    }
    Ok(None)
}

/// Writes what was printed and what waits: outputs of inputs without a fault.
pub(crate) fn finished(place: Option<Single>, machine: &Machine, ending: Ending) -> Ending {
    let ending = if print::has_failed() { ending.max(Ending::InputAtFault) } else { ending };
    if ending == Ending::Done
        && let (Some(place), Some(text)) = (place, print::kept())
    {
        let output = OutputFile { destination: Destination::Named(place.path), text };
        if let Err(failure) = machine.write(&[output]) {
            return report::show_failure(failure);
        }
    }
    match machine.publish(ending == Ending::Done) {
        Ok(()) => ending,
        Err(failure) => report::show_failure(failure).max(ending),
    }
}

/// The place of one output; `None` is standard output.
pub(crate) fn single(out: Option<&str>, name: &str) -> Option<Single> {
    let out = out.filter(|out| *out != "-")?;
    if out.ends_with('/') || Path::new(out).is_dir() {
        let folder = trimmed(out);
        return Some(Single { path: within(folder, name), folder: Some(folder.to_owned()) });
    }
    Some(Single { path: out.to_owned(), folder: None })
}

/// The folder of several outputs; the current one where none is named.
pub(crate) fn folder(out: Option<&str>) -> Result<String, String> {
    match out {
        None => Ok(".".to_owned()),
        Some("-") => {
            Err("several files are made, which cannot go to standard output: name a folder with -o".to_owned())
        }
        Some("") => Err("-o needs the name of a folder; `.` is the current one".to_owned()),
        Some(path) if Path::new(path).exists() && !Path::new(path).is_dir() => {
            Err(format!("{path} is a file, and several files are made: name a folder with -o, such as {path}.d/"))
        }
        Some(path) => Ok(trimmed(path).to_owned()),
    }
}

/// A name in a folder, as short as it can be.
pub(crate) fn within(folder: &str, name: &str) -> String {
    match folder {
        "." => name.to_owned(),
        "/" => format!("/{name}"),
        folder => format!("{folder}/{name}"),
    }
}

/// `b.ending` for `a/b.x`.
pub(crate) fn named_after(input: &str, ending: &str) -> String {
    let stem = Path::new(input).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    format!("{}.{ending}", stem.filter(|stem| stem != "-").unwrap_or_else(|| "stdin".to_owned()))
}

/// Why a dependency file cannot be written; `None` where it can.
pub(crate) fn without_dependencies(product: &Product, out: Option<&str>) -> Option<&'static str> {
    let is_file = out.is_some_and(|out| out != "-");
    match product {
        Product::Files => None,
        Product::Own { has_dependencies: true } | Product::Text(_) if is_file => None,
        Product::Own { has_dependencies: true } | Product::Text(_) => {
            Some("--depfile says what a file was made from, and the output is no file: name one with -o")
        }
        Product::Own { .. } | Product::Stream(_) => {
            Some("--depfile is for outputs that are made from files; this one is not")
        }
    }
}

fn trimmed(folder: &str) -> &str {
    let trimmed = folder.trim_end_matches('/');
    if trimmed.is_empty() { "/" } else { trimmed }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_output_goes_to_a_file_or_into_a_folder() {
        let path = |out| single(out, "b.svg").map(|single| single.path);
        assert_eq!(path(None), None);
        assert_eq!(path(Some("-")), None);
        assert_eq!(path(Some("c.svg")).as_deref(), Some("c.svg"));
        assert_eq!(path(Some("new/")).as_deref(), Some("new/b.svg"));
        assert_eq!(path(Some("src")).as_deref(), Some("src/b.svg"), "it is there");
        assert_eq!(path(Some(".")).as_deref(), Some("b.svg"));
    }

    #[test]
    fn several_outputs_need_a_folder() {
        assert_eq!(folder(None).as_deref(), Ok("."));
        assert_eq!(folder(Some("gen//")).as_deref(), Ok("gen"));
        assert_eq!(folder(Some("/")).as_deref(), Ok("/"));
        assert!(folder(Some("-")).is_err_and(|why| why.contains("standard output")));
        assert!(folder(Some("Cargo.toml")).is_err_and(|why| why.contains("Cargo.toml is a file")));
    }

    #[test]
    fn dependencies_are_those_of_files() {
        let text = Product::Text("b.ok".into());
        assert!(without_dependencies(&text, None).is_some_and(|why| why.contains("name one with -o")));
        assert!(without_dependencies(&text, Some("-")).is_some());
        assert_eq!(without_dependencies(&text, Some("b.ok")), None);
        assert_eq!(without_dependencies(&Product::Files, None), None);
        assert!(without_dependencies(&Product::Stream("a".into()), Some("a")).is_some());
    }
}
