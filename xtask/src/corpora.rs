//! Interface files that others wrote, from Debian's source packages, into `target/corpora`. The corpus tests read them
//! where they are there.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::tree;

const PACKAGES: [&str; 4] = ["glusterfs", "libvirt", "nfs-utils", "rpcbind"];

/// Lists and packages of our own, so that the machine's configuration stays as it is.
const SOURCES: &str = "deb-src http://deb.debian.org/debian bookworm main\n";

/// Downloads what is not there yet. Without a network there is nothing to do, which is said and is no error.
pub(crate) fn run() -> Result<(), Vec<String>> {
    let folder = tree::root().join("target/corpora");
    let missing: Vec<&str> = PACKAGES.into_iter().filter(|package| !folder.join(package).is_dir()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let apt = folder.join("apt");
    let prepared = fs::create_dir_all(apt.join("lists/partial"))
        .and_then(|()| fs::create_dir_all(apt.join("archives/partial")))
        .and_then(|()| fs::write(apt.join("sources.list"), SOURCES));
    prepared.map_err(|problem| vec![format!("{}: {problem}", folder.display())])?;
    if !apt_get(&apt, &["update"]) {
        println!("corpora: no source packages here; their tests are skipped");
        return Ok(());
    }
    for package in missing {
        // Of the files of a package only the original archive matters.
        apt_get(&apt, &["source", "--download-only", package]);
        if !unpack(&apt, package, &folder.join(package)) {
            println!("corpora: {package} cannot be had; its tests are skipped");
        }
    }
    Ok(())
}

fn apt_get(apt: &Path, arguments: &[&str]) -> bool {
    let at = |name: &str| apt.join(name).display().to_string();
    let mut command = Command::new("apt-get");
    command.args([
        "-qq",
        "-o",
        "Dir::Etc::sourceparts=-",
        "-o",
        "Acquire::Retries=1",
        "-o",
        "Acquire::http::Timeout=20",
    ]);
    command.args(["-o", &format!("Dir::Etc::sourcelist={}", at("sources.list"))]);
    command.args(["-o", &format!("Dir::State::lists={}", at("lists"))]);
    command.args(["-o", &format!("Dir::Cache={apt}", apt = apt.display())]);
    command.args(arguments).current_dir(apt).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Unpacks the interface files and the headers beside them.
fn unpack(apt: &Path, package: &str, into: &Path) -> bool {
    let archive = fs::read_dir(apt).into_iter().flatten().flatten().map(|entry| entry.path()).find(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with(&format!("{package}_")) && name.contains(".orig.tar.") && !name.ends_with(".asc")
    });
    let Some(archive) = archive else { return false };
    if fs::create_dir_all(into).is_err() {
        return false;
    }
    let mut tar = Command::new("tar");
    tar.arg("xf").arg(archive).arg("-C").arg(into).args(["--strip-components=1", "--wildcards", "*.x", "*.h"]);
    let done = tar.stderr(Stdio::null()).status().is_ok_and(|status| status.success());
    if !done {
        // Half a corpus is none.
        let _ = fs::remove_dir_all(into);
    }
    done
}
