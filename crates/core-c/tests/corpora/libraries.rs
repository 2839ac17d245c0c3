//! Whole libraries, unmodified: all their units as one program become Core C, and what comes back compiles.

use std::fs;
use std::path::{Path, PathBuf};

use filetest::oracle;
use filetest::scratch::Scratch;
use libtest_mimic::{Failed, Trial};

use crate::program::{Build, round_trip};

/// A library's sources and how they are compiled.
#[derive(Clone, Copy, Debug)]
struct Library {
    name: &'static str,
    /// Folders of the sources, below the archive's root.
    folders: &'static [&'static str],
    flags: &'static [&'static str],
    /// Files that need what is not here, or that belong to another program.
    without: &'static [&'static str],
    /// No fewer units than this.
    least: usize,
}

const LIBRARIES: [Library; 4] = [
    Library {
        name: "libtirpc",
        folders: &["src"],
        flags: &["-DINET6", "-DPORTMAP", "-D_GNU_SOURCE", "-DAUTHDES_SUPPORT=1", "-Itirpc", "-Isrc"],
        without: &["auth_gss", "authgss_prot", "rpc_gss_utils", "svc_auth_gss"],
        least: 60,
    },
    Library { name: "zlib", folders: &["."], flags: &["-DHAVE_UNISTD_H"], without: &[], least: 14 },
    Library { name: "lua5.4", folders: &["src"], flags: &["-DLUA_USE_POSIX"], without: &["luac"], least: 30 },
    Library {
        name: "lwip",
        folders: &["src/core", "src/core/ipv4", "src/core/ipv6", "src/api", "src/netif"],
        flags: &["-Isrc/include", "-Icontrib/ports/unix/port/include", "-Icontrib/examples/example_app", "-I."],
        without: &[],
        least: 50,
    },
];

/// A trial for each library that is there, and one that says so for each that is not.
pub(crate) fn trials(corpora: &Path) -> Vec<Trial> {
    let trial = |library: Library| {
        let root = corpora.join(library.name);
        if !root.is_dir() {
            return oracle::absent(format!("corpora: {}", library.name), library.name);
        }
        Trial::test(format!("{}: one program", library.name), move || library.judge(&root))
    };
    LIBRARIES.into_iter().map(trial).collect()
}

impl Library {
    fn sources(&self, root: &Path) -> Vec<PathBuf> {
        let folders = self.folders.iter().flat_map(|folder| fs::read_dir(root.join(folder)).into_iter().flatten());
        let mut sources: Vec<PathBuf> = folders.flatten().map(|entry| entry.path()).collect();
        sources.retain(|path| {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            path.extension().is_some_and(|extension| extension == "c") && !self.without.contains(&stem.as_str())
        });
        sources.sort();
        sources
    }

    fn build(&self, root: &Path) -> Build {
        let rooted = |flag: &&str| match flag.strip_prefix("-I") {
            Some(folder) => format!("-I{}", root.join(folder).display()),
            None => (*flag).to_owned(),
        };
        Build { compiler: "gcc", level: "-O1", flags: self.flags.iter().map(rooted).collect() }
    }

    fn judge(&self, root: &Path) -> Result<(), Failed> {
        let scratch = Scratch::new(self.name)?;
        let build = self.build(root);
        let inputs = build.inputs(&self.sources(root))?;
        if inputs.len() < self.least {
            return Err(format!("only {} units", inputs.len()).into());
        }
        let Some(text) = round_trip(&inputs)? else { return Err("the front end has errors".into()) };
        let raised = scratch.path().join("raised.c");
        fs::write(&raised, text)?;
        let mut compile = oracle::command("gcc");
        compile.args(["-w", "-c"]).args(&build.flags).arg(&raised).arg("-o").arg(raised.with_extension("o"));
        oracle::succeed(&mut compile).map(|_| ())
    }
}
