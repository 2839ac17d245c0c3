//! Whole libraries, unmodified: every file is read, printed and compiled again; and their units link as one program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use filetest::oracle;
use filetest::scratch::Scratch;
use front_c::Input;
use libtest_mimic::{Failed, Trial};
use source::{Diagnostic, SourceMap};

use crate::case::{Case, Verdict};

/// A library's sources and how they are compiled.
struct Library {
    name: &'static str,
    /// Folders of the sources, below the archive's root.
    folders: &'static [&'static str],
    flags: &'static [&'static str],
    /// Files that need what is not here, or that belong to another program.
    without: &'static [&'static str],
    /// No fewer files than this are compiled.
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
    let mut trials = Vec::new();
    for library in LIBRARIES {
        let root = corpora.join(library.name);
        if !root.is_dir() {
            trials.push(oracle::absent(format!("corpora: {}", library.name), library.name));
            continue;
        }
        for part in 0..2 {
            let (root, library) = (root.clone(), Library { ..library });
            trials.push(Trial::test(format!("{}: files, part {part}", library.name), move || {
                files(&library, &root, part)
            }));
        }
        trials.push(Trial::test(format!("{}: one program", library.name), move || whole(&library, &root)));
    }
    trials
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

    fn flags(&self, root: &Path) -> Vec<String> {
        let rooted = |flag: &&str| match flag.strip_prefix("-I") {
            Some(folder) => format!("-I{}", root.join(folder).display()),
            None => (*flag).to_owned(),
        };
        self.flags.iter().map(rooted).collect()
    }
}

/// Every second file through gcc and back.
fn files(library: &Library, root: &Path, part: usize) -> Result<(), Failed> {
    let scratch = Scratch::new(library.name)?;
    let sources = library.sources(root);
    let (mut failures, mut same) = (Vec::new(), 0);
    for source in sources.into_iter().skip(part).step_by(2) {
        let shown = source.display().to_string();
        let flags = library.flags(root);
        let case = Case { source, flags, compiler: "gcc", is_program: false, compares_output: false };
        match case.judge(scratch.path())? {
            Verdict::Same => same += 1,
            Verdict::Unfit => {}
            Verdict::Refused(why) | Verdict::Other(why) => failures.push(format!("{shown}: {why}")),
        }
    }
    if same < library.least / 2 {
        failures.push(format!("only {same} files compile at all"));
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}

/// All files linked as one program, without a finding.
fn whole(library: &Library, root: &Path) -> Result<(), Failed> {
    let mut inputs = Vec::new();
    for source in library.sources(root) {
        let mut preprocess = oracle::command("gcc");
        preprocess.arg("-E").args(library.flags(root)).arg(&source).stdin(Stdio::null());
        let output = preprocess.output()?;
        if output.status.success() {
            let text = front_c::text_of(&output.stdout);
            inputs.push(Input { path: source.display().to_string(), text, flags: Vec::new() });
        }
    }
    let mut sources = SourceMap::new();
    let (program, findings) = front_c::import(&inputs, &mut sources);
    let errors: Vec<Diagnostic> = findings.into_iter().filter(Diagnostic::is_error).collect();
    if !errors.is_empty() {
        return Err(source::render::short(&sources, &errors).into());
    }
    if program.units.len() < library.least {
        return Err(format!("only {} units", program.units.len()).into());
    }
    Ok(())
}
