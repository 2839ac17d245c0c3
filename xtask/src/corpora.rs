//! What others wrote, from Debian's archive (and peers in Java, [`jars`]), into `target/corpora`: interface files and the headers beside them, whole
//! packages that run rpcgen in their builds, libraries and test programs in C, and programs that speak the same protocols. Tests use what is there.
//! Nothing is installed: no daemon starts here.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::{jars, tree};

/// Source packages whose interface files are compiled.
const INTERFACES: [&str; 3] = ["glusterfs", "libvirt", "nfs-utils"];

/// What their interface files are called, and what lies beside them: headers, and what a build makes headers of.
const ONC_FILES: [&str; 3] = ["*.x", "*.h", "*.h.in"];

/// Source packages whose OMG IDL is read, each with the release it is taken from.
const IDL: [(&str, &str); 2] = [("cyclonedds", "trixie"), ("fastdds", "bookworm")];

/// Source packages that are built as a whole, from their archives.
const BUILT: [&str; 2] = ["netkit-rusers", "nfs-utils"];

/// Source packages whose C is read, each with the release it is taken from.
const LIBRARIES: [(&str, &str); 17] = [
    ("libtirpc", "trixie"),
    ("zlib", "bookworm"),
    ("lua5.4", "bookworm"),
    ("lwip", "trixie"),
    ("libpcap", "bookworm"),
    ("kissfft", "bookworm"),
    ("newlib", "bookworm"),
    ("musl", "bookworm"),
    ("sqlite3", "bookworm"),
    ("http-parser", "bookworm"),
    ("cjson", "bookworm"),
    ("xxhash", "bookworm"),
    ("mbedtls", "bookworm"),
    ("libcsv", "bookworm"),
    ("libstb", "bookworm"),
    ("lz4", "bookworm"),
    ("libb2", "bookworm"),
];

/// The binary package that holds GCC's sources, and the folder of its torture programs in them.
const TORTURE: (&str, &str) = ("gcc-12-source", "gcc/testsuite/gcc.c-torture/execute");

/// Binary packages whose programs talk to whittle's.
const PEERS: [&str; 5] = ["rusersd", "rusers", "rstatd", "nfs-common", "nfs-kernel-server"];

/// Lists and packages of our own, so that the machine's configuration stays as it is; where packages come from, it says. None
/// where apt has no source of this Debian's.
fn sources() -> Option<String> {
    let release = fs::read_to_string("/etc/os-release").ok()?;
    let release = release.lines().find_map(|line| line.strip_prefix("VERSION_CODENAME="))?;
    let mut apt = Command::new("apt-get");
    apt.args(["indextargets", "--format", "$(REPO_URI)", "Created-By: Packages", "Component: main"]);
    let output = apt.arg(format!("Release: {release}")).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let mirror = String::from_utf8_lossy(&output.stdout).lines().next()?.to_owned();
    Some(format!("deb {mirror} bookworm main\ndeb-src {mirror} bookworm main\ndeb-src {mirror} trixie main\n"))
}

/// Writes our own list of sources, and reads what they have, unless this was done within a day.
pub(crate) fn prepare(apt: &Path) -> Result<(), String> {
    let list = apt.join("sources.list");
    let is_fresh = |path: &Path| {
        let age = fs::metadata(path).and_then(|data| data.modified()).ok().and_then(|time| time.elapsed().ok());
        age.is_some_and(|age| age.as_secs() < 86_400)
    };
    if is_fresh(&list) && is_fresh(&apt.join("lists")) {
        return Ok(());
    }
    let Some(sources) = sources() else { return Err("apt has no source of Debian's packages".to_owned()) };
    let prepared = fs::create_dir_all(apt.join("lists/partial"))
        .and_then(|()| fs::create_dir_all(apt.join("archives/partial")))
        .and_then(|()| fs::write(&list, sources));
    prepared.map_err(|problem| format!("{}: {problem}", apt.display()))?;
    if apt_get(apt, &["update"]) {
        return Ok(());
    }
    let _ = fs::remove_file(&list);
    Err("no packages here".to_owned())
}

/// Downloads what is not there yet. Without a network there is nothing to do, which is said and is no error.
pub(crate) fn run() -> Result<(), Vec<String>> {
    let folder = tree::root().join("target/corpora");
    report("jacorb", jars::provide(&folder.join("jacorb"), &jars::JACORB));
    report("remote-tea", jars::provide(&folder.join("remote-tea"), &jars::REMOTE_TEA));
    let apt = folder.join("apt");
    let interfaces: Vec<&str> = INTERFACES.into_iter().filter(|package| !folder.join(package).is_dir()).collect();
    let idl: Vec<_> = IDL.into_iter().filter(|(package, _)| !folder.join(package).is_dir()).collect();
    let built: Vec<&str> = BUILT.into_iter().filter(|package| source_archive(&apt, package).is_none()).collect();
    let peers: Vec<&str> = PEERS.into_iter().filter(|package| binary_archive(&apt, package).is_none()).collect();
    let libraries: Vec<_> = LIBRARIES.into_iter().filter(|(package, _)| !folder.join(package).is_dir()).collect();
    let has_torture = folder.join("gcc-torture").is_dir();
    if interfaces.is_empty()
        && idl.is_empty()
        && built.is_empty()
        && peers.is_empty()
        && libraries.is_empty()
        && has_torture
    {
        return Ok(());
    }
    if let Err(problem) = prepare(&apt) {
        println!("corpora: {problem}; their tests are skipped");
        return Ok(());
    }
    for package in interfaces {
        report(
            package,
            download_source(&apt, package) && unpack_interfaces(&apt, package, &folder.join(package), &ONC_FILES),
        );
    }
    for (package, release) in idl {
        let is_here = download_source_of(&apt, package, release);
        report(package, is_here && unpack_interfaces(&apt, package, &folder.join(package), &["*.idl"]));
    }
    for package in built {
        report(package, download_source(&apt, package));
    }
    for (package, release) in libraries {
        let is_here = download_source_of(&apt, package, release) && unpack_all(&apt, package, &folder.join(package));
        report(package, is_here);
    }
    if !has_torture {
        report(TORTURE.0, apt_get(&apt, &["download", TORTURE.0]) && unpack_torture(&apt, &folder.join("gcc-torture")));
    }
    for package in peers {
        report(package, apt_get(&apt, &["download", package]) && unpack_programs(&apt, package, &folder.join("peers")));
    }
    Ok(())
}

fn report(package: &str, is_here: bool) {
    if !is_here {
        println!("corpora: {package} cannot be had; its tests are skipped");
    }
}

/// Runs apt with lists and packages of our own.
pub(crate) fn apt_get(apt: &Path, arguments: &[&str]) -> bool {
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

/// Of the files of a package only the original archive matters.
fn download_source(apt: &Path, package: &str) -> bool {
    download_source_of(apt, package, "bookworm")
}

fn download_source_of(apt: &Path, package: &str, release: &str) -> bool {
    if source_archive(apt, package).is_none() {
        apt_get(apt, &["source", "--download-only", &format!("{package}/{release}")]);
    }
    source_archive(apt, package).is_some()
}

fn source_archive(apt: &Path, package: &str) -> Option<PathBuf> {
    archive(apt, package, |name| name.contains(".orig.tar.") && !name.ends_with(".asc"))
}

fn binary_archive(apt: &Path, package: &str) -> Option<PathBuf> {
    archive(apt, package, |name| name.ends_with(".deb"))
}

fn archive(apt: &Path, package: &str, is_wanted: impl Fn(&str) -> bool) -> Option<PathBuf> {
    fs::read_dir(apt).into_iter().flatten().flatten().map(|entry| entry.path()).find(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with(&format!("{package}_")) && is_wanted(&name)
    })
}

/// Unpacks the files of such names; there is one of each at least.
fn unpack_interfaces(apt: &Path, package: &str, into: &Path, names: &[&str]) -> bool {
    let Some(archive) = source_archive(apt, package) else { return false };
    if fs::create_dir_all(into).is_err() {
        return false;
    }
    let mut tar = Command::new("tar");
    tar.arg("xf").arg(archive).arg("-C").arg(into).args(["--strip-components=1", "--wildcards"]).args(names);
    let done = tar.stderr(Stdio::null()).status().is_ok_and(|status| status.success());
    if !done {
        // Half a corpus is none.
        let _ = fs::remove_dir_all(into);
    }
    done
}

/// Unpacks a whole source package.
fn unpack_all(apt: &Path, package: &str, into: &Path) -> bool {
    let Some(archive) = source_archive(apt, package) else { return false };
    let mut tar = Command::new("tar");
    tar.arg("xf").arg(archive).arg("-C").arg(into).arg("--strip-components=1");
    run_into(&mut tar, into)
}

/// Unpacks GCC's torture programs from the archive inside their package.
fn unpack_torture(apt: &Path, into: &Path) -> bool {
    let Some(package) = binary_archive(apt, TORTURE.0) else { return false };
    let inner = apt.join("gcc");
    let mut dpkg = Command::new("dpkg-deb");
    if !run_into(dpkg.arg("-x").arg(package).arg(&inner), &inner) {
        return false;
    }
    let archives = fs::read_dir(inner.join("usr/src/gcc-12")).into_iter().flatten().flatten();
    let archive = archives.map(|entry| entry.path()).find(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with("gcc-") && name.contains(".tar.")
    });
    let done = archive.is_some_and(|archive| {
        let mut tar = Command::new("tar");
        tar.arg("xf").arg(archive).arg("-C").arg(into).args(["--strip-components=5", "--wildcards"]);
        run_into(tar.arg(format!("*/{}/*", TORTURE.1)), into)
    });
    // All of GCC is there besides.
    let _ = fs::remove_dir_all(inner);
    done
}

/// Runs a command that fills a folder; half a folder is none.
fn run_into(command: &mut Command, folder: &Path) -> bool {
    let done = fs::create_dir_all(folder).is_ok()
        && command.stderr(Stdio::null()).status().is_ok_and(|status| status.success());
    if !done {
        let _ = fs::remove_dir_all(folder);
    }
    done
}

fn unpack_programs(apt: &Path, package: &str, into: &Path) -> bool {
    let Some(archive) = binary_archive(apt, package) else { return false };
    let mut dpkg = Command::new("dpkg-deb");
    fs::create_dir_all(into).is_ok() && dpkg.arg("-x").arg(archive).arg(into).status().is_ok_and(|s| s.success())
}
