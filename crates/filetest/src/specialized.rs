//! The programs that show what specialization buys: `tests/specialize/programs/NAME`. In: a folder with `program.toml`, `scenario.c`, `drive.c`
//! and, mostly, `hand.c`. Out: which sources and flags make the original, the residual and the hand-written program. Tests compare what these
//! compute, `cargo xtask bench programs` how long they take.

use std::fs;
use std::path::{Path, PathBuf};

/// A folder of programs, as its `program.toml` describes it.
pub struct Program {
    pub name: String,
    pub folder: PathBuf,
    /// What it is, for people.
    pub title: String,
    /// The general code: the folder's own, or of a package that `cargo xtask corpora` fetches.
    pub general: Vec<PathBuf>,
    /// For the preprocessor and the compiler, the same for everybody.
    pub flags: Vec<String>,
    pub libraries: Vec<String>,
    /// Options of `whittle specialize`.
    pub options: Vec<String>,
    /// How many times as fast as the original by `gcc -O2` it is to be.
    pub goal: f64,
    /// What stands in the way of more.
    pub note: String,
    /// For the build with sanitizers, such as what the original forbids them to check of its own.
    pub checks: Vec<String>,
    /// Words that must not be left in the residual program, as what reads a format.
    pub gone: Vec<String>,
    /// Why it cannot be specialized yet: nobody compares or measures it.
    pub open: Option<String>,
    /// It takes many seconds, so that only `make soak` compares it.
    pub slow: bool,
}

/// All programs below the repository's root, by name.
pub fn programs(root: &Path) -> Result<Vec<Program>, String> {
    let folder = root.join("tests/specialize/programs");
    let entries = fs::read_dir(&folder).map_err(|problem| format!("{}: {problem}", folder.display()))?;
    let mut folders: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    folders.retain(|path| path.is_dir());
    folders.sort();
    folders.into_iter().map(|folder| read(root, folder)).collect()
}

fn read(root: &Path, folder: PathBuf) -> Result<Program, String> {
    let file = folder.join("program.toml");
    let at = |problem: String| format!("{}: {problem}", file.display());
    let text = fs::read_to_string(&file).map_err(|problem| at(problem.to_string()))?;
    let table: toml::Table = text.parse().map_err(|problem: toml::de::Error| at(problem.to_string()))?;
    let known = [
        "title",
        "sources",
        "corpus",
        "include",
        "flags",
        "libraries",
        "options",
        "goal",
        "note",
        "checks",
        "gone",
        "open",
        "slow",
    ];
    if let Some(other) = table.keys().find(|key| !known.contains(&key.as_str())) {
        return Err(at(format!("`{other}` is none of {}", known.join(", "))));
    }
    let word = |key: &str| table.get(key).and_then(toml::Value::as_str).unwrap_or_default().to_owned();
    let words = |key: &str| -> Vec<String> {
        let values = table.get(key).and_then(toml::Value::as_array).map(Vec::as_slice).unwrap_or_default();
        values.iter().filter_map(|value| value.as_str().map(str::to_owned)).collect()
    };
    let corpora = root.join("target/corpora");
    let own = words("sources").into_iter().map(|name| folder.join(name));
    let general = own.chain(words("corpus").into_iter().map(|name| corpora.join(name))).collect();
    let mut flags = vec![include(&folder), include(&root.join("runtime/include"))];
    flags.extend(words("include").iter().map(|name| include(&corpora.join(name))));
    flags.extend(words("flags"));
    let number = |value: &toml::Value| value.as_float().or_else(|| value.as_integer().map(|number| number as f64));
    Ok(Program {
        name: folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        title: word("title"),
        general,
        flags,
        libraries: words("libraries"),
        options: words("options"),
        goal: table.get("goal").and_then(number).unwrap_or(1.0),
        note: word("note"),
        checks: words("checks"),
        gone: words("gone"),
        open: table.get("open").and_then(toml::Value::as_str).map(str::to_owned),
        slow: table.get("slow").and_then(toml::Value::as_bool).unwrap_or(false),
        folder,
    })
}

fn include(folder: &Path) -> String {
    format!("-I{}", folder.display())
}

impl Program {
    /// The first source, or folder of headers, that is not here and has to be fetched.
    pub fn missing(&self) -> Option<&Path> {
        let folders = self.flags.iter().filter_map(|flag| flag.strip_prefix("-I")).map(Path::new);
        let source = self.general.iter().map(PathBuf::as_path).find(|path| !path.is_file());
        source.or_else(|| folders.into_iter().find(|folder| !folder.is_dir()))
    }

    /// Who takes part, with what is compiled for each: general code follows the residual code, which may call it.
    pub fn participants(&self, residual: &Path) -> Vec<(&'static str, Vec<PathBuf>)> {
        let with = |first: PathBuf, general: &[PathBuf]| [&[self.folder.join("drive.c"), first], general].concat();
        let mut all = vec![
            ("original", with(self.folder.join("scenario.c"), &self.general)),
            ("residual", with(residual.to_owned(), &self.general)),
        ];
        let hand = self.folder.join("hand.c");
        if hand.is_file() {
            all.push(("hand", with(hand, &[])));
        }
        all
    }
}

/// The program around all of them, in `programs`.
pub fn main_file(root: &Path) -> PathBuf {
    root.join("tests/specialize/programs/main.c")
}
