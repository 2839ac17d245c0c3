//! C compiled once for all tests of a binary. In: a compiler, its arguments, a source. Out: an object; the same text, beside the
//! same headers and compiled in the same way, is compiled the first time only. Run times that stand beside generated
//! code are long, and the same each time.

use std::collections::BTreeMap;
use std::error::Error;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};

use crate::scratch::Scratch;

type Slot = Arc<Mutex<Option<PathBuf>>>;

/// The objects of one test binary; a `static`.
pub struct Objects {
    folder: Mutex<Option<Scratch>>,
    slots: Mutex<BTreeMap<u64, Slot>>,
}

impl Default for Objects {
    fn default() -> Self {
        Self::new()
    }
}

const POISONED: &str = "another test failed while it compiled";

impl Objects {
    /// None yet.
    pub const fn new() -> Objects {
        Objects { folder: Mutex::new(None), slots: Mutex::new(BTreeMap::new()) }
    }

    /// The object of a source. `compile` has the compiler and all arguments but `-c`, the source and `-o`.
    ///
    /// # Errors
    ///
    /// What cannot be read, and what the compiler says of a source that it does not take.
    pub fn object(&self, mut compile: Command, source: &Path) -> Result<PathBuf, Box<dyn Error>> {
        let key = key(&compile, source)?;
        let slot = self.slots.lock().map_err(|_| POISONED)?.entry(key).or_default().clone();
        let mut known = slot.lock().map_err(|_| POISONED)?;
        if let Some(object) = known.as_ref() {
            return Ok(object.clone());
        }
        let object = self.folder()?.join(format!("{key:016x}.o"));
        let output = compile.arg("-c").arg(source).arg("-o").arg(&object).output()?;
        if !output.status.success() {
            return Err(format!("{compile:?}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr)).into());
        }
        Ok(known.insert(object).clone())
    }

    fn folder(&self) -> Result<PathBuf, Box<dyn Error>> {
        let mut folder = self.folder.lock().map_err(|_| POISONED)?;
        if folder.is_none() {
            *folder = Some(Scratch::new("objects")?);
        }
        Ok(folder.as_ref().map(|scratch| scratch.path().to_owned()).unwrap_or_default())
    }
}

/// What decides what comes out: how it is compiled (but for where headers are), the text, and the headers beside it that it
/// includes.
fn key(compile: &Command, source: &Path) -> Result<u64, Box<dyn Error>> {
    let mut hasher = DefaultHasher::new();
    compile.get_program().hash(&mut hasher);
    let here = source.parent().unwrap_or(Path::new("."));
    compile.get_args().filter(|argument| Path::new(argument) != here).for_each(|argument| argument.hash(&mut hasher));
    let mut files = vec![source.to_owned()];
    let mut at = 0;
    while let Some(file) = files.get(at) {
        let text = std::fs::read_to_string(file)?;
        text.hash(&mut hasher);
        for name in text.lines().filter_map(|line| line.strip_prefix("#include \"")?.split('"').next()) {
            let header = here.join(name);
            if header.is_file() && !files.contains(&header) {
                files.push(header);
            }
        }
        at += 1;
    }
    Ok(hasher.finish())
}
