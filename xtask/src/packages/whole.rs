//! A package's own build of what rpcgen's output is in: its `configure` and its makefiles, with either tool where they look for rpcgen.
//! In: a package with the shell's lines for that. Out: for each tool, whether it succeeds.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::making::{self, Maker};
use super::recipe::Package;
use super::source;

/// `ok`, or the first error; nothing where no build is known. rpcgen's is the first.
pub(crate) fn both(package: &Package, root: &Path, whittle: &Maker) -> [Option<String>; 2] {
    [&Maker::Rpcgen, whittle].map(|maker| {
        let said = (!package.whole.is_empty()).then(|| build(package, root, maker))?;
        Some(said.err().unwrap_or_else(|| "ok".to_owned()))
    })
}

fn build(package: &Package, root: &Path, maker: &Maker) -> Result<(), String> {
    let folder = source::folder().join("whole").join(&package.name).join(maker.name());
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|problem| format!("{}: {problem}", folder.display()))?;
    making::run(Command::new("cp").arg("-a").arg(root.join(".")).arg(&folder))?;
    let mut shell = Command::new("nice");
    shell.args(["-n", "10", "bash", "-eo", "pipefail", "-c", &package.whole]).current_dir(&folder);
    making::run(shell.env("PATH", maker.path()?).env("LC_ALL", "C").env_remove("MAKEFLAGS").stdin(Stdio::null()))
}
