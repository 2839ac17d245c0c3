//! What is known of each package, read from `tests/packages/recipes.toml`: which interface files it has, how its own build calls rpcgen
//! for them, and the flags of compilers.

use toml::Table;

/// The recipes as the repository has them.
const RECIPES: &str = include_str!("../../../tests/packages/recipes.toml");

/// Where a package comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// A source package of Debian's, downloaded.
    Source,
    /// Files that an installed package has put on this machine.
    Installed,
    /// Files of this repository, with the recipe of a package whose source is not to be had.
    Own,
}

/// A package that runs rpcgen.
#[derive(Clone, Debug)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) origin: Origin,
    /// Its name in Debian's archive.
    pub(crate) source: String,
    /// Paths of interface files, from the package's root; the last part may be `*.x`.
    pub(crate) files: Vec<String>,
    /// The end of a generated file's name, and the shell's line that makes it.
    pub(crate) outputs: Vec<(String, String)>,
    /// The flags of the compiler; `@` is the package's root.
    pub(crate) flags: String,
    /// The shell's lines that write what the package's `configure` would.
    pub(crate) prepare: String,
    /// Packages with the headers that it includes.
    pub(crate) needs: Vec<String>,
    /// Outputs that fail with both tools, or differ from rpcgen's, by name, each with the reason.
    pub(crate) known: Vec<(String, String)>,
    /// Whether the fast tests use it.
    pub(crate) is_quick: bool,
    pub(crate) note: String,
}

/// A package that is not among them.
#[derive(Clone, Debug)]
pub(crate) struct Missing {
    pub(crate) name: String,
    pub(crate) reason: String,
}

/// All packages, in the order of the file.
pub(crate) fn packages() -> Result<Vec<Package>, Vec<String>> {
    entries("package")?.iter().map(package).collect::<Result<_, String>>().map_err(|problem| vec![problem])
}

/// Those that were looked for in vain.
pub(crate) fn missing() -> Result<Vec<Missing>, Vec<String>> {
    let entries = entries("missing")?;
    Ok(entries.iter().map(|entry| Missing { name: text(entry, "name"), reason: text(entry, "reason") }).collect())
}

/// Those of these names, or all.
pub(crate) fn chosen(names: &[&str]) -> Result<Vec<Package>, Vec<String>> {
    let all = packages()?;
    let unknown: Vec<String> = names
        .iter()
        .filter(|name| all.iter().all(|package| package.name != **name))
        .map(|name| format!("no package is called `{name}`; `cargo xtask packages --list` says which there are"))
        .collect();
    if !unknown.is_empty() {
        return Err(unknown);
    }
    Ok(all.into_iter().filter(|package| names.is_empty() || names.contains(&package.name.as_str())).collect())
}

fn entries(kind: &str) -> Result<Vec<Table>, Vec<String>> {
    let table: Table = RECIPES.parse().map_err(|problem| vec![format!("recipes.toml: {problem}")])?;
    let entries = table.get(kind).and_then(toml::Value::as_array).cloned().unwrap_or_default();
    Ok(entries.into_iter().filter_map(|entry| entry.as_table().cloned()).collect())
}

fn package(entry: &Table) -> Result<Package, String> {
    let name = text(entry, "name");
    let origin = match text(entry, "origin").as_str() {
        "" => Origin::Source,
        "installed" => Origin::Installed,
        "own" => Origin::Own,
        other => return Err(format!("recipes.toml: {name}: no origin is called `{other}`")),
    };
    let source = if entry.contains_key("source") { text(entry, "source") } else { name.clone() };
    let outputs = pairs(entry, "outputs");
    if outputs.is_empty() {
        return Err(format!("recipes.toml: {name} has no outputs"));
    }
    Ok(Package {
        origin,
        source,
        files: texts(entry, "files"),
        outputs,
        flags: text(entry, "flags"),
        prepare: text(entry, "prepare"),
        needs: texts(entry, "needs"),
        known: pairs(entry, "known"),
        is_quick: entry.get("quick").and_then(toml::Value::as_bool).unwrap_or(false),
        note: text(entry, "note"),
        name,
    })
}

fn text(entry: &Table, key: &str) -> String {
    entry.get(key).and_then(toml::Value::as_str).unwrap_or_default().trim().to_owned()
}

fn texts(entry: &Table, key: &str) -> Vec<String> {
    let list = entry.get(key).and_then(toml::Value::as_array).cloned().unwrap_or_default();
    list.iter().filter_map(toml::Value::as_str).map(str::to_owned).collect()
}

/// A list of lists of two.
fn pairs(entry: &Table, key: &str) -> Vec<(String, String)> {
    let list = entry.get(key).and_then(toml::Value::as_array).cloned().unwrap_or_default();
    let pair = |value: &toml::Value| {
        let pair = value.as_array()?;
        Some((pair.first()?.as_str()?.to_owned(), pair.get(1)?.as_str()?.to_owned()))
    };
    list.iter().filter_map(pair).collect()
}
