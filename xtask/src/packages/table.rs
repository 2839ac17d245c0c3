//! The page `docs/packages.md`: a line for each package, what fails, and which packages are not to be had. In: what runs found and kept.
//! Out: Markdown.

use std::fmt::Write as _;
use std::path::Path;

use super::recipe;
use super::results::{PackageResult, sum};
use super::whole::{self, Built};

const HEAD: &str = "\
# Packages that run rpcgen

After this page you know which packages of Debian's build with `whittle rpcgen` in rpcgen's place, and what their object code costs.

`cargo xtask packages --table docs/packages.md` writes this page. It downloads each package's source, runs rpcgen as the package's own
build does, once Debian's and once whittle, and compiles what comes out with `gcc -O2` and the package's flags. Where two numbers stand,
rpcgen's is the first. Sizes are bytes of code, constants and variables of the object files of the `xdr_` routines; times are the
processor's, for the same files. `cargo xtask size` says more about them. The recipes are in `tests/packages/recipes.toml`.

\"own build\" is the package's `configure` and the targets that rpcgen's output is in; a build that calls no rpcgen does not count. It is
empty where none has been tried, or where there is none. \"its tests\" are the package's own, after that build, and pairs of its own client and server, each
built with either tool. `cargo xtask packages --builds NAME` runs these alone. They are in `tests/packages/builds.toml`; what they need is
installed then, and `make soak` runs all.

";

/// Writes the page of all results that there are.
pub(crate) fn write(path: &Path) -> Result<(), Vec<String>> {
    let packages = recipe::packages()?;
    let results: Vec<PackageResult> =
        packages.iter().filter_map(|package| PackageResult::load(&package.name)).collect();
    let mut text = HEAD.to_owned();
    let head = [
        "package",
        "`.x`",
        "C files that compile",
        "own build",
        "its tests",
        "warnings",
        "size",
        "",
        "compile time, s",
    ];
    let _ = writeln!(text, "| {} |", head.join(" | "));
    let _ = writeln!(text, "|---|--:|--:|---|--:|--:|--:|--:|--:|");
    results.iter().for_each(|result| text.push_str(&format!("{}\n", row(result))));
    let sizes = sum(results.iter().map(|result| result.routines(|file| file.size)));
    let times = sum(results.iter().map(|result| result.routines(|file| file.milliseconds)));
    let files: u64 = results.iter().map(|result| result.interfaces).sum();
    let _ =
        writeln!(text, "| **sum** | {files} | | | | | {} | {} | {} |", kilobytes(sizes), factor(sizes), seconds(times));
    text.push_str("\n## What fails or warns\n\n");
    results.iter().for_each(|result| text.push_str(&failures(result)));
    let notes: Vec<_> = packages.iter().filter(|package| !package.note.is_empty()).collect();
    if !notes.is_empty() {
        text.push_str("\n## Notes\n\n");
        notes.iter().for_each(|package| text.push_str(&format!("- {}: {}\n", package.name, package.note)));
    }
    text.push_str("\n## Own builds\n\n");
    for (name, steps) in whole::all()?.iter().filter(|(_, steps)| !steps.note.is_empty()) {
        let _ = writeln!(text, "- {name}: {}", steps.note);
    }
    text.push_str("\n## Not tried\n\n");
    for missing in recipe::missing()? {
        let _ = writeln!(text, "- {}: {}", missing.name, missing.reason);
    }
    std::fs::write(path, text).map_err(|problem| vec![format!("{}: {problem}", path.display())])
}

/// A package's line.
pub(crate) fn row(result: &PackageResult) -> String {
    let count = |side: usize| result.files.iter().filter(|file| file.failure[side].is_none()).count();
    let of = |side: usize| format!("{} of {}", count(side), result.files.len());
    let compile = if count(0) == count(1) { of(0) } else { format!("{} → {}", of(0), of(1)) };
    let warnings = sum(result.files.iter().map(|file| file.warnings));
    let (whole, mut tests) = result.whole.as_ref().map_or_else(Default::default, own);
    if let Some(pairs) = &result.pairs {
        tests.push_str(if tests.is_empty() { "" } else { "; " });
        tests.push_str(if pairs.is_ok() { "4 of 4 pairs" } else { "**pairs differ**" });
    }
    let sizes = result.routines(|file| file.size);
    let times = result.routines(|file| file.milliseconds);
    format!(
        "| {} {} | {} | {compile} | {whole} | {tests} | {} → {} | {} | {} | {} |",
        result.name,
        result.version,
        result.interfaces,
        warnings[0],
        warnings[1],
        kilobytes(sizes),
        factor(sizes),
        seconds(times)
    )
}

/// Whether the package's own build succeeds, and how many of its tests.
fn own([theirs, ours]: &[Built; 2]) -> (&'static str, String) {
    let whole = match (&theirs.failure, &ours.failure) {
        (None, None) => "yes",
        (Some(_), Some(_)) => "fails with both",
        (Some(_), None) => "fails with rpcgen",
        (None, Some(_)) => "**fails with whittle**",
    };
    let said = |built: &Built| built.tests.map_or_else(String::new, |[yes, no]| format!("{yes} of {}", yes + no));
    let (first, second) = (said(theirs), said(ours));
    (whole, if first == second { first } else { format!("{first} → {second}") })
}

fn failures(result: &PackageResult) -> String {
    let mut text = String::new();
    for file in &result.files {
        match &file.failure {
            [None, None] => {}
            [Some(theirs), Some(_)] => {
                let _ = writeln!(text, "- {}: `{}` fails with both: `{}`", result.name, file.name, inline(theirs));
            }
            [Some(theirs), None] => {
                let _ =
                    writeln!(text, "- {}: `{}` fails with rpcgen only: `{}`", result.name, file.name, inline(theirs));
            }
            [None, Some(ours)] => {
                let _ = writeln!(text, "- {}: `{}` **fails with whittle**: `{}`", result.name, file.name, inline(ours));
            }
        }
    }
    if let Some(problem) = result.whole.as_ref().and_then(|[_, ours]| ours.failure.as_ref()) {
        let _ = writeln!(text, "- {}: its own build: `{}`", result.name, inline(problem));
    }
    if let Some(Err(problem)) = &result.pairs {
        let _ = writeln!(text, "- {}: {}", result.name, inline(problem));
    }
    if !result.more_warnings.is_empty() {
        let _ = writeln!(text, "- {}: more warnings: {}", result.name, result.more_warnings.join(", "));
    }
    text
}

/// What a tool said, without the machine's folders, for a page.
fn inline(said: &str) -> String {
    let words = said.replace('`', "'");
    let short = |word: &str| match word.rsplit_once('/') {
        Some((folder, name)) if folder.starts_with('/') => name.to_owned(),
        _ => word.to_owned(),
    };
    words.split(' ').map(short).collect::<Vec<_>>().join(" ")
}

fn kilobytes([theirs, ours]: [u64; 2]) -> String {
    format!("{:.1} → {:.1} KB", thousands(theirs), thousands(ours))
}

fn seconds([theirs, ours]: [u64; 2]) -> String {
    format!("{:.1} → {:.1}", thousands(theirs), thousands(ours))
}

fn factor([theirs, ours]: [u64; 2]) -> String {
    if theirs == 0 { String::new() } else { format!("{:.1}x", thousands(ours) / thousands(theirs)) }
}

#[expect(clippy::cast_precision_loss, reason = "sizes of files and times")]
fn thousands(number: u64) -> f64 {
    number as f64 / 1000.0
}
