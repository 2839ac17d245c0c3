//! C sources through a compiler's preprocessor: `$CLANG`, `clang` of any version, or `gcc` that passes for an old one,
//! since the C front end reads clang's C. `whittle/specialize.h` is there for them, wherever whittle is.

use std::fs::{File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use driver::{Failure, Preprocessed};

use super::bounded::{self, Room};
use super::preprocess::on_path;
use super::signals::Guarded;
use crate::errors;

/// What scenarios include.
const HEADER: &str = include_str!("../../../../runtime/include/whittle/specialize.h");

const CLANGS: [&str; 8] = ["clang", "clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang-14", "clang-20"];

/// The text, and how the names of the files begin that were there for this run alone.
pub(super) fn run(path: &str, flags: &[String], room: Room) -> Result<(Preprocessed, String), Failure> {
    let (program, own) = find().ok_or_else(errors::no_compiler)?;
    let cannot = |problem| errors::cannot_write(&std::env::temp_dir().display().to_string(), &problem);
    let folder = Guarded::new(private_folder).map_err(cannot)?;
    write_header(folder.path()).map_err(cannot)?;
    let preprocessed = start(&program, &own, path, flags, (folder.path(), room))?;
    Ok((preprocessed, folder.path().display().to_string()))
}

/// A folder of a name that nobody knows before, for this user alone.
fn private_folder() -> io::Result<PathBuf> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("whittle-").rand_bytes(12).permissions(Permissions::from_mode(0o700));
    Ok(builder.tempdir()?.keep())
}

fn write_header(folder: &Path) -> io::Result<()> {
    std::fs::create_dir(folder.join("whittle"))?;
    let mut file = File::create_new(folder.join("whittle/specialize.h"))?;
    file.write_all(HEADER.as_bytes())
}

fn start(
    program: &Path,
    own: &[&str],
    path: &str,
    flags: &[String],
    (folder, room): (&Path, Room),
) -> Result<Preprocessed, Failure> {
    let mut command = Command::new(program);
    command.arg("-E").args(own).arg("-D__WHITTLE__").args(flags).arg("-I").arg(folder).arg(super::argument(path));
    let said = bounded::run(&mut command, None, room)
        .map_err(|problem| errors::cannot_read(&program.display().to_string(), &problem))?;
    if let Some(how) = said.failure() {
        return Err(errors::preprocessor_failed(&how, &said.remarks));
    }
    Ok(Preprocessed { text: driver::text_of(&said.output), has_markers: true, remarks: said.remarks })
}

/// The compiler that reads C sources.
pub(crate) fn found() -> Option<PathBuf> {
    find().map(|(path, _)| path)
}

fn find() -> Option<(PathBuf, Vec<&'static str>)> {
    if let Some(named) = std::env::var("CLANG").ok().filter(|named| !named.is_empty()) {
        return on_path(&named).map(|path| (path, Vec::new()));
    }
    if let Some(path) = CLANGS.iter().find_map(|name| on_path(name)) {
        return Some((path, Vec::new()));
    }
    let old = ["-U__GNUC__", "-D__GNUC__=4", "-U__GNUC_MINOR__", "-D__GNUC_MINOR__=2"];
    on_path("gcc").map(|path| (path, old.to_vec()))
}
