//! What others wrote, from Debian's packages: which files are accepted, and where omniidl, the peer, thinks otherwise.
//!
//! `tests/parse/corba/verdicts.txt` lists every file that we refuse, and every file that the peer judges in another
//! way, with the reason: `BUG` where one is wrong by the specification, `N-I` where one has not got a part of the
//! language, `OK` where the specification leaves it open. All else is accepted by both. A corpus that is not there is
//! skipped; where `CI` is set, that of a package is a failure.

use source::{Diagnostic, SourceMap, render};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A corpus: its name, where it is, and the folders below it that files include from.
const CORPORA: [(&str, &str, &[&str]); 3] = [
    ("omniorb", "/usr/share/idl/omniORB", &["", "COS"]),
    ("cyclonedds", "../../target/corpora/cyclonedds", &["src/core/ddsc/tests", "src/tools/idlc/xtests"]),
    ("fastdds", "../../target/corpora/fastdds", &["include", "test/blackbox/types"]),
];

/// What one compiler says of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Accepted,
    Rejected,
    Crashed,
}

impl Verdict {
    fn word(self) -> &'static str {
        match self {
            Verdict::Accepted => "accepts",
            Verdict::Rejected => "rejects",
            Verdict::Crashed => "crashes",
        }
    }
}

fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The `.idl` files below a folder, in order.
fn files(root: &Path) -> Vec<PathBuf> {
    let mut found = filetest::golden::files_below(root);
    found.retain(|path| path.extension().is_some_and(|extension| extension == "idl"));
    found
}

/// What a preprocessor makes of a file; `None` where there is none, or where it cannot find what is included.
fn preprocessed(path: &Path, includes: &[PathBuf]) -> Option<String> {
    let mut cpp = Command::new("cpp");
    // Some files show all that they have to those compilers only that they name.
    cpp.args(["-C", "-w", "-undef", "-nostdinc", "-D__OMNIIDL__", "-D__IDLC__"]);
    includes.iter().for_each(|include| {
        cpp.arg("-I").arg(include);
    });
    let output = cpp.arg(path).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Our verdict, and what is said.
fn ours(path: &Path, includes: &[PathBuf]) -> Option<(Verdict, String)> {
    let text = preprocessed(path, includes)?;
    let mut map = SourceMap::new();
    let file = map.add_preprocessed(path.display().to_string(), text);
    let (aoi, findings) = front_corba::parse(&map, file, &front_corba::Options::default());
    let errors: Vec<Diagnostic> = findings.into_iter().filter(Diagnostic::is_error).collect();
    if !errors.is_empty() {
        return Some((Verdict::Rejected, render::short(&map, &errors)));
    }
    assert_eq!(aoi::verify(&aoi), [], "{}", path.display());
    let (read, wrong) = aoi::text::parse(&aoi::text::print(&aoi));
    assert!(wrong.is_empty() && read == aoi.without_spans(), "{} reads back differently", path.display());
    Some((Verdict::Accepted, String::new()))
}

/// The peer's verdict; `None` where it is not installed.
fn theirs(path: &Path, includes: &[PathBuf]) -> Option<Verdict> {
    let mut omniidl = Command::new("omniidl");
    includes.iter().for_each(|include| {
        omniidl.arg(format!("-I{}", include.display()));
    });
    // Without the back end nothing is written; `-u` would only say what options there are.
    omniidl.args(["-bdump", "-nf"]).arg(path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let status = omniidl.status().ok()?;
    Some(match status.code() {
        Some(0) => Verdict::Accepted,
        Some(_) => Verdict::Rejected,
        None => Verdict::Crashed,
    })
}

/// File, our verdict, theirs: reason.
fn expected() -> BTreeMap<String, String> {
    let text = fs::read_to_string(folder("../../tests/parse/corba/verdicts.txt")).unwrap_or_default();
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let split = |line: &str| line.split_once(": ").map(|(judged, reason)| (judged.to_owned(), reason.to_owned()));
    lines.filter_map(split).collect()
}

#[test]
fn files_of_others_are_judged_as_the_specification_says() {
    let mut expected = expected();
    let (mut wrong, mut seen, mut absent) = (Vec::new(), 0, Vec::new());
    let has_peer = Command::new("omniidl").arg("-V").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    for (name, root, below) in CORPORA {
        let root = folder(root);
        let includes: Vec<PathBuf> = below.iter().map(|folder| root.join(folder)).collect();
        let paths = files(&root);
        if paths.is_empty() {
            absent.push(name);
            expected.retain(|judged, _| !judged.starts_with(&format!("{name}/")));
            continue;
        }
        for path in paths {
            let Some((our, said)) = ours(&path, &includes) else { continue };
            seen += 1;
            let their = theirs(&path, &includes).unwrap_or(our);
            if our == Verdict::Accepted && their == Verdict::Accepted {
                continue;
            }
            let shown = path.strip_prefix(&root).unwrap_or(&path).display();
            let judged = format!("{name}/{shown} whittle {}, omniidl {}", our.word(), their.word());
            if expected.remove(&judged).is_none() && (has_peer || our != Verdict::Accepted) {
                wrong.push(format!("{judged}\n{said}"));
            }
        }
    }
    if has_peer {
        wrong.extend(expected.keys().map(|judged| format!("not so any more: {judged}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // `make corpora` does what it can; packages are always to be had.
    assert!(!absent.contains(&"omniorb") || std::env::var_os("CI").is_none(), "omniorb-idl is not installed");
    assert!(seen > 0 || absent.len() == CORPORA.len());
}
