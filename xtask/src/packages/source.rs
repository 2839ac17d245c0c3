//! Brings a package's source into `target/packages/src/NAME`: from an archive that `cargo xtask corpora` has downloaded, or by apt, with
//! lists of our own that name the mirror this machine uses. Out: the folder, or why there is none.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::recipe::{Origin, Package};
use crate::{corpora, tree};

/// Where everything of packages lies.
pub(crate) fn folder() -> PathBuf {
    tree::root().join("target/packages")
}

/// The package's root. With `offline` nothing is downloaded.
pub(crate) fn root(package: &Package, offline: bool) -> Result<PathBuf, String> {
    match package.origin {
        Origin::Own => Ok(tree::root().join("tests/packages").join(&package.name)),
        Origin::Installed => {
            let is_here = package.files.iter().all(|file| Path::new(file).parent().is_some_and(Path::is_dir));
            if is_here { Ok(PathBuf::from("/")) } else { Err(format!("{} is not installed", package.source)) }
        }
        Origin::Source => unpacked(package, offline),
    }
}

/// The unpacked source, which a build needs; also where interface files are otherwise those of an installed package.
pub(crate) fn to_build(package: &Package, offline: bool) -> Result<PathBuf, String> {
    if package.origin == Origin::Own { root(package, offline) } else { unpacked(package, offline) }
}

fn unpacked(package: &Package, offline: bool) -> Result<PathBuf, String> {
    let root = folder().join("src").join(&package.name);
    if root.is_dir() {
        return Ok(root);
    }
    let archive = match found(&package.source) {
        Some(archive) => archive,
        None if offline => return Err("its source is not here".to_owned()),
        None => download(&package.source)?,
    };
    // Half a source is none.
    let half = root.with_extension("half");
    let _ = fs::remove_dir_all(&half);
    fs::create_dir_all(&half).map_err(|problem| format!("{}: {problem}", half.display()))?;
    let mut tar = Command::new("tar");
    tar.arg("xf").arg(&archive).arg("-C").arg(&half).arg("--strip-components=1").stderr(Stdio::null());
    if !tar.status().is_ok_and(|status| status.success()) {
        return Err(format!("{} cannot be unpacked", archive.display()));
    }
    fs::rename(&half, &root).map_err(|problem| format!("{}: {problem}", root.display()))?;
    Ok(root)
}

/// The upstream archive, among our own and those of the corpora.
fn found(source: &str) -> Option<PathBuf> {
    let folders = [folder().join("apt"), tree::root().join("target/corpora/apt")];
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten());
    let mut archives: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            name.starts_with(&format!("{source}_")) && name.contains(".orig.tar.") && !name.ends_with(".asc")
        })
        .collect();
    archives.sort();
    archives.into_iter().next()
}

/// From this release of Debian's or, where the mirror refuses it, from the next.
fn download(source: &str) -> Result<PathBuf, String> {
    let apt = folder().join("apt");
    corpora::prepare(&apt)?;
    for release in ["bookworm", "trixie"] {
        corpora::apt_get(&apt, &["source", "--download-only", &format!("{source}/{release}")]);
        if let Some(archive) = found(source) {
            return Ok(archive);
        }
    }
    Err("the mirror refuses its source".to_owned())
}

/// The interface files, as paths from the root; absolute ones for what is installed.
pub(crate) fn interfaces(package: &Package, root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for pattern in &package.files {
        let pattern = Path::new(pattern);
        if !pattern.ends_with("*.x") {
            found.push(pattern.to_owned());
            continue;
        }
        let folder = pattern.parent().unwrap_or(Path::new(""));
        let entries = fs::read_dir(root.join(folder)).into_iter().flatten().flatten();
        let mut names: Vec<PathBuf> = entries.map(|entry| folder.join(entry.file_name())).collect();
        names.retain(|name| name.extension().is_some_and(|extension| extension == "x"));
        names.sort();
        found.extend(names);
    }
    found
}

/// The version of what was unpacked, or of what is installed.
pub(crate) fn version(package: &Package) -> String {
    match package.origin {
        Origin::Own => String::new(),
        Origin::Installed => {
            let output = Command::new("dpkg-query").args(["-W", "-f", "${Version}", &package.source]).output();
            output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default()
        }
        Origin::Source => {
            let name = found(&package.source).and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
            let version = name.as_deref().and_then(|name| name.split_once('_')?.1.split_once(".orig"));
            version.map_or_else(String::new, |(version, _)| version.to_owned())
        }
    }
}
