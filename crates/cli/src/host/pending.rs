//! The outputs of a run, until all of them are known. In: files, and what was read. Out: all of them written, with the
//! file that says what they were made from, or none. Two inputs that make different files of one name are refused.

use std::collections::BTreeMap;

use driver::{Destination, Failure, OutputFile};
use escape::make;

use super::{Machine, write};
use crate::errors;

impl Machine {
    /// Writes what waits. Only where all went well it is said what that was made from.
    pub(crate) fn publish(&self, is_whole: bool) -> Result<(), Failure> {
        let mut files = once_each(self.waiting.take())?;
        if files.is_empty() && self.has_published.get() {
            return Ok(());
        }
        self.has_published.set(true);
        self.refuse_inputs(&files)?;
        if let Some(path) = self.depfile.as_ref().filter(|_| is_whole) {
            let text = self.dependencies(&files, path)?;
            files.push(OutputFile { destination: Destination::Named(path.clone()), text });
        }
        if files.is_empty() {
            return Ok(());
        }
        if let Some(folder) = &self.folder {
            std::fs::create_dir_all(folder).map_err(|problem| errors::cannot_write(folder, &problem))?;
        }
        write::all(&files, self.folder.as_deref(), self.if_changed)
    }

    /// A file that was read waits to be written anew.
    pub(crate) fn replace(&self, file: OutputFile) {
        let place = path_of(&file).and_then(|path| std::fs::canonicalize(path).ok());
        self.read.borrow_mut().retain(|read| Some(read) != place.as_ref());
        self.waiting.borrow_mut().push(file);
    }

    /// Outputs never replace what was read.
    pub(super) fn refuse_inputs(&self, files: &[OutputFile]) -> Result<(), Failure> {
        let read = self.read.borrow();
        let is_read = |path: &&str| std::fs::canonicalize(path).is_ok_and(|place| read.contains(&place));
        match files.iter().filter_map(path_of).find(is_read) {
            Some(path) => Err(errors::would_replace_input(path)),
            None => Ok(()),
        }
    }

    /// A rule for `make`: the outputs, and what they were made from.
    fn dependencies(&self, files: &[OutputFile], depfile: &str) -> Result<String, Failure> {
        // What becomes the user's is not made again.
        let made = files.iter().filter(|file| !matches!(file.destination, Destination::Once(_)));
        let mut targets: Vec<&str> = made.filter_map(path_of).collect();
        if targets.is_empty() {
            targets.push(depfile);
        }
        let inputs = self.inputs.borrow();
        let spelled = |text: Result<escape::Text<make::Make>, escape::Refused>| {
            text.map(escape::Text::finish).map_err(|refused| errors::no_dependency(&refused))
        };
        let targets: Vec<String> =
            targets.into_iter().map(|name| spelled(make::target(name))).collect::<Result<_, _>>()?;
        let inputs: Vec<String> =
            inputs.iter().map(|name| spelled(make::dependency(name))).collect::<Result<_, _>>()?;
        let inputs: String = inputs.iter().map(|input| format!(" \\\n  {input}")).collect();
        Ok(format!("{}:{inputs}\n", targets.join(" \\\n")))
    }
}

/// The name of a file; `None` for a channel.
fn path_of(file: &OutputFile) -> Option<&str> {
    match &file.destination {
        Destination::Named(path)
        | Destination::Path(path)
        | Destination::Once(path)
        | Destination::WhereChanged(path) => Some(path),
        Destination::StandardOutput => None,
    }
}

/// The files without those that are there twice: several inputs share a run time.
fn once_each(files: Vec<OutputFile>) -> Result<Vec<OutputFile>, Failure> {
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    let mut kept: Vec<OutputFile> = Vec::new();
    for file in files {
        let Some(path) = path_of(&file).map(str::to_owned) else {
            kept.push(file);
            continue;
        };
        match known.get(&path) {
            Some(at) if kept[*at].text == file.text => {}
            Some(_) => return Err(errors::two_of_one_name(&path)),
            None => {
                known.insert(path, kept.len());
                kept.push(file);
            }
        }
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> OutputFile {
        OutputFile { destination: Destination::Path(path.to_owned()), text: text.to_owned() }
    }

    #[test]
    fn what_several_inputs_share_is_written_once() {
        let files =
            once_each(vec![file("a.h", "1"), file("run.c", "2"), file("b.h", "3"), file("run.c", "2")]).unwrap();
        assert_eq!(files.len(), 3);
        let refused = once_each(vec![file("a.h", "1"), file("a.h", "2")]).unwrap_err();
        assert_eq!(refused.code, "host-010");
    }

    #[test]
    fn what_was_published_stays_so() {
        let place = tempfile::Builder::new().prefix("whittle-test-").tempdir().unwrap();
        let path = |name: &str| place.path().join(name).display().to_string();
        let machine = Machine { depfile: Some(path("d")), ..Machine::default() };
        machine.waiting.borrow_mut().push(file(&path("a.h"), "1"));
        machine.publish(true).unwrap();
        // The end of a run finds nothing more to write.
        machine.publish(true).unwrap();
        assert_eq!(std::fs::read_to_string(path("d")).unwrap(), format!("{}:\n", path("a.h")));
    }

    #[test]
    fn dependencies_are_a_rule_for_make() {
        let machine = Machine { depfile: Some("b.d".into()), ..Machine::default() };
        machine.inputs.borrow_mut().extend(["b.x".to_owned(), "in c$.x".to_owned()]);
        let files = [file("gen/b.h", ""), file("gen/b_xdr.c", "")];
        let rule = machine.dependencies(&files, "b.d").unwrap();
        assert_eq!(rule, "gen/b.h \\\ngen/b_xdr.c: \\\n  b.x \\\n  in\\ c$$.x\n");
        assert_eq!(machine.dependencies(&[], "b.d").unwrap(), "b.d: \\\n  b.x \\\n  in\\ c$$.x\n");
        assert_eq!(machine.dependencies(&[file("a\nb", "")], "b.d").unwrap_err().code, "host-011");
    }
}
