//! `cargo xtask book`: `docs/` as a book. In: the pages that `docs/SUMMARY.md` names. Out: HTML in `target/book`; a link that leads
//! nowhere, in the repository or in the book, is an error. mdBook builds it; it is installed below `target/`, for this alone.

mod html;
pub(crate) mod markdown;
pub(crate) mod paths;
mod stage;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{cargo, tidy, tree};

/// The newest mdBook that this workspace's Rust compiles.
const VERSION: &str = "0.4.52";

pub(crate) fn run() -> Result<(), Vec<String>> {
    let files = tree::files()?;
    let problems = tidy::pages(&files);
    if !problems.is_empty() {
        return Err(problems);
    }
    let target = target()?;
    let mdbook = mdbook(&target.join("mdbook"))?;
    let source = target.join("book-source");
    let book = target.join("book");
    stage::write(&files, &source)?;
    std::fs::copy(tree::root().join("docs/book.toml"), source.join("book.toml"))
        .map_err(|problem| vec![format!("docs/book.toml: {problem}")])?;
    build(&mdbook, &source, &book)?;
    let problems = html::check(&book);
    if !problems.is_empty() {
        return Err(problems);
    }
    println!("book: wrote {}", book.join("index.html").display());
    Ok(())
}

fn target() -> Result<PathBuf, Vec<String>> {
    let metadata = cargo::metadata()?;
    Ok(tree::root().join(metadata["target_directory"].as_str().unwrap_or("target")))
}

/// The command of that version, installed where it is missing.
fn mdbook(root: &Path) -> Result<PathBuf, Vec<String>> {
    let command = root.join("bin/mdbook");
    let wanted = format!("mdbook v{VERSION}");
    let output = Command::new(&command).arg("--version").output();
    if output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).trim() == wanted) {
        return Ok(command);
    }
    println!("book: installing mdBook {VERSION} into {}", root.display());
    let installed = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["install", "--quiet", "--locked", "--force", "--no-default-features", "--features", "search"])
        .args(["--version", VERSION, "--root"])
        .arg(root)
        .arg("mdbook")
        .status();
    match installed {
        Ok(status) if status.success() => Ok(command),
        Ok(status) => Err(vec![format!("cannot install mdBook {VERSION}: cargo install ended with {status}")]),
        Err(problem) => Err(vec![format!("cannot install mdBook {VERSION}: {problem}")]),
    }
}

/// mdBook's own log is shown where it fails, or warns of a page.
fn build(mdbook: &Path, source: &Path, book: &Path) -> Result<(), Vec<String>> {
    let output =
        Command::new(mdbook).arg("build").arg(source).arg("--dest-dir").arg(book).env("RUST_LOG", "warn").output();
    let output = output.map_err(|problem| vec![format!("{}: {problem}", mdbook.display())])?;
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() && log.trim().is_empty() { Ok(()) } else { Err(vec![format!("mdbook: {}", log.trim())]) }
}
