//! Who may import whom: the table of the architecture against `cargo metadata`.

use serde_json::Value;

use crate::cargo;

/// Each crate of ours and all that it may import from us.
const LAYERS: [(&str, &[&str]); 28] = [
    ("escape", &[]),
    ("source", &["escape"]),
    ("sexpr", &[]),
    ("tokens", &["source", "sexpr"]),
    ("aoi", &["source", "sexpr"]),
    ("mint", &["source", "sexpr"]),
    ("cast", &["escape", "source", "sexpr"]),
    ("pres", &["source", "sexpr", "aoi", "mint", "cast"]),
    ("xip", &["escape", "source", "sexpr", "tokens", "aoi"]),
    ("mig", &["escape", "source"]),
    ("front-onc", &["source", "sexpr", "tokens", "aoi"]),
    ("front-corba", &["escape", "source", "sexpr", "tokens", "aoi"]),
    ("front-spi", &["source", "sexpr", "tokens", "aoi", "xip"]),
    ("front-mig", &["escape", "source", "tokens", "aoi", "mig"]),
    ("front-c", &["source", "sexpr", "cast"]),
    ("core-c", &["escape", "source", "sexpr", "cast"]),
    ("effects", &["source"]),
    ("specialize", &["escape", "source", "sexpr", "cast", "core-c", "effects"]),
    ("explain", &["escape", "source", "core-c", "specialize"]),
    ("present", &["escape", "source", "sexpr", "tokens", "aoi", "mint", "cast", "pres", "xip"]),
    ("stubs", &["escape", "source", "sexpr", "mint", "cast", "pres", "mig"]),
    ("isg", &["escape", "source", "cast", "aoi", "pres", "xip", "present", "stubs"]),
    (
        "driver",
        &[
            "escape",
            "source",
            "sexpr",
            "tokens",
            "aoi",
            "mint",
            "cast",
            "pres",
            "xip",
            "front-onc",
            "front-corba",
            "front-spi",
            "mig",
            "front-mig",
            "present",
            "stubs",
            "isg",
            "front-c",
            "core-c",
            "effects",
            "specialize",
            "explain",
        ],
    ),
    ("whittle", &["escape", "source", "driver"]),
    ("filetest", &["escape", "source", "aoi", "driver"]),
    ("xtask", &[]),
    // Outside the product: they may look at everything.
    ("bench", &["*"]),
    ("fuzz", &["*"]),
];

/// What a crate is, as cargo sees it.
#[derive(Debug)]
struct Package {
    name: String,
    /// Crates of ours that it imports, tests left aside.
    imports: Vec<String>,
}

/// Imports that the table does not allow, and crates that it does not know.
pub(super) fn check() -> Result<Vec<String>, Vec<String>> {
    let metadata = cargo::metadata()?;
    Ok(packages(&metadata).iter().flat_map(forbidden).collect())
}

fn packages(metadata: &Value) -> Vec<Package> {
    let packages: Vec<&Value> = metadata["packages"].as_array().into_iter().flatten().collect();
    let name = |value: &Value| value["name"].as_str().unwrap_or_default().to_owned();
    let ours: Vec<String> = packages.iter().map(|package| name(package)).collect();
    let mut found = Vec::new();
    for package in packages {
        let dependencies = package["dependencies"].as_array().into_iter().flatten();
        let imports = dependencies.filter(|dependency| dependency["kind"] != "dev").map(name);
        found.push(Package { name: name(package), imports: imports.filter(|import| ours.contains(import)).collect() });
    }
    found
}

fn forbidden(package: &Package) -> Vec<String> {
    let Some((_, allowed)) = LAYERS.iter().find(|(name, _)| *name == package.name) else {
        return vec![format!("crate `{}` has no place in the layers (xtask/src/tidy/layers.rs)", package.name)];
    };
    let imports =
        package.imports.iter().filter(|import| !allowed.contains(&"*") && !allowed.contains(&import.as_str()));
    imports.map(|import| format!("crate `{}` must not import `{import}`", package.name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_front_end_that_imports_stubs_is_found() {
        let package = Package { name: "front-onc".into(), imports: vec!["aoi".into(), "stubs".into()] };
        assert_eq!(forbidden(&package), ["crate `front-onc` must not import `stubs`"]);
    }

    #[test]
    fn a_crate_nobody_placed_is_found() {
        let package = Package { name: "utilities".into(), imports: Vec::new() };
        assert_eq!(forbidden(&package).len(), 1);
    }
}
