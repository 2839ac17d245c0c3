//! Finds Debian's programs and sources; compiles with stubs of either tool; builds packages with either in their path.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use filetest::oracle;
use filetest::scratch::Scratch;
use libtest_mimic::Failed;

const WHITTLE: &str = env!("CARGO_BIN_EXE_whittle");

fn corpora() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/corpora")
}

/// A program of Debian's: unpacked by `cargo xtask corpora`, or installed. Packages may say `sbin` for `usr/sbin`.
pub(crate) fn peer(path: &str) -> Option<PathBuf> {
    let peers = corpora().join("peers");
    let short = path.strip_prefix("usr/").unwrap_or(path);
    [peers.join(path), peers.join(short), Path::new("/").join(path)].into_iter().find(|program| program.is_file())
}

/// The same, where it was found before.
pub(crate) fn have(path: &str) -> Result<PathBuf, Failed> {
    peer(path).ok_or_else(|| format!("{path} is gone").into())
}

/// The upstream archive of a source package.
pub(crate) fn archive(package: &str) -> Option<PathBuf> {
    let entries = fs::read_dir(corpora().join("apt")).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).find(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with(&format!("{package}_")) && name.contains(".orig.tar.") && !name.ends_with(".asc")
    })
}

/// Who stands where a build looks for `rpcgen`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Maker {
    Rpcgen,
    Whittle,
}

impl Maker {
    /// A command that runs the tool.
    pub(crate) fn command(self) -> Command {
        match self {
            Maker::Rpcgen => oracle::command("rpcgen"),
            Maker::Whittle => {
                let mut command = Command::new(WHITTLE);
                command.arg("rpcgen");
                command
            }
        }
    }
}

/// A source package, unpacked, with a `rpcgen` of its own in its path.
pub(crate) struct Tree {
    pub(crate) scratch: Scratch,
    maker: Maker,
}

impl Tree {
    pub(crate) fn unpack(package: &str, maker: Maker) -> Result<Tree, Failed> {
        let scratch = Scratch::new(&format!("real-{package}"))?;
        let archive = archive(package).ok_or_else(|| format!("the source of {package} is gone"))?;
        let mut tar = oracle::command("tar");
        tar.arg("xf").arg(archive).arg("-C").arg(scratch.path()).arg("--strip-components=1");
        oracle::succeed(&mut tar)?;
        fs::create_dir(scratch.path().join("place"))?;
        if maker == Maker::Whittle {
            std::os::unix::fs::symlink(WHITTLE, scratch.path().join("place/rpcgen"))?;
        }
        Ok(Tree { scratch, maker })
    }

    pub(crate) fn path(&self, inside: &str) -> PathBuf {
        self.scratch.path().join(inside)
    }

    /// Runs a step of the build in the tree.
    pub(crate) fn step(&self, program: &str, arguments: &[&str]) -> Result<(), Failed> {
        let mut folders = vec![self.path("place")];
        folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
        let path = std::env::join_paths(folders).map_err(|problem| problem.to_string())?;
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.scratch.path()).env("PATH", path);
        oracle::succeed(&mut command).map(|_| ())
    }

    /// The build took what the tool in its path made.
    pub(crate) fn is_made_as_said(&self, generated: &str) -> Result<(), Failed> {
        let ours = fs::read_to_string(self.path(generated))?.contains("whittle");
        if ours == (self.maker == Maker::Whittle) { Ok(()) } else { Err(format!("{generated} is the other's").into()) }
    }
}
