//! Runs a package's recipe with one of the tools, in a folder of its own that has the package's interface files and headers, laid out as
//! in the package. In: a package, its root, who stands where `rpcgen` is looked for. Out: the generated files, or why there are none.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::recipe::Package;
use super::source;

/// Who is called when a recipe says `rpcgen`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Maker {
    Rpcgen,
    /// This command, with options of its own.
    Whittle(PathBuf, Vec<String>),
}

impl Maker {
    pub(crate) fn name(&self) -> String {
        match self {
            Maker::Rpcgen => "rpcgen".to_owned(),
            Maker::Whittle(_, options) if options.is_empty() => "whittle".to_owned(),
            Maker::Whittle(_, options) => format!("whittle{}", options.join("").replace(['-', '='], "_")),
        }
    }

    /// A path whose first `rpcgen` is this one.
    pub(crate) fn path(&self) -> Result<std::ffi::OsString, String> {
        let Maker::Whittle(whittle, options) = self else { return Ok(std::env::var_os("PATH").unwrap_or_default()) };
        let script = format!("#!/bin/sh\nexec '{}' rpcgen {} \"$@\"\n", whittle.display(), options.join(" "));
        with_program(&source::folder().join("place").join(self.name()), &script)
    }

    /// The same for a build: each call is a line of the file that `$CALLS` names.
    pub(crate) fn noting_path(&self) -> Result<std::ffi::OsString, String> {
        let call = match self {
            Maker::Whittle(whittle, options) => format!("'{}' rpcgen {}", whittle.display(), options.join(" ")),
            Maker::Rpcgen => format!("'{}'", installed_rpcgen()?.display()),
        };
        let script = format!("#!/bin/sh\necho \"$*\" >> \"$CALLS\"\nexec {call} \"$@\"\n");
        with_program(&source::folder().join("place").join(format!("{}-noting", self.name())), &script)
    }
}

fn installed_rpcgen() -> Result<PathBuf, String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut programs = std::env::split_paths(&path).map(|folder| folder.join("rpcgen"));
    programs.find(|program| program.is_file()).ok_or_else(|| "rpcgen is not installed".to_owned())
}

/// Writes this script as `rpcgen` into a folder, and puts the folder before all others.
fn with_program(place: &Path, script: &str) -> Result<std::ffi::OsString, String> {
    let write = || {
        fs::create_dir_all(place)?;
        let (new, program) = (place.join(format!("new{}", std::process::id())), place.join("rpcgen"));
        fs::write(&new, script)?;
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(&new, mode)?;
        fs::rename(&new, &program)
    };
    write().map_err(|problem| format!("{}: {problem}", place.display()))?;
    let outer = std::env::var_os("PATH").unwrap_or_default();
    let folders = [place.to_owned()].into_iter().chain(std::env::split_paths(&outer));
    std::env::join_paths(folders).map_err(|problem| problem.to_string())
}

/// One generated file.
#[derive(Clone, Debug)]
pub(crate) struct Output {
    /// The interface file, from the package's root.
    pub(crate) interface: PathBuf,
    /// The end of its name, which is the recipe's.
    pub(crate) ending: String,
    pub(crate) path: PathBuf,
    /// What the tool said when it failed.
    pub(crate) failure: Option<String>,
}

impl Output {
    /// The file's path in the package.
    pub(crate) fn name(&self) -> String {
        self.interface.with_file_name(self.path.file_name().unwrap_or_default()).display().to_string()
    }
}

/// A package with what one tool has made of it.
pub(crate) struct Made {
    pub(crate) outputs: Vec<Output>,
    /// The flags of the compiler.
    pub(crate) flags: Vec<String>,
}

/// Makes everything anew. Each user has folders of its own: two of them may run at once.
pub(crate) fn make(package: &Package, root: &Path, maker: &Maker, user: &str) -> Result<Made, String> {
    let work = source::folder().join("work").join(user).join(&package.name).join(maker.name());
    let _ = fs::remove_dir_all(&work);
    let interfaces = source::interfaces(package, root);
    if interfaces.is_empty() {
        return Err("it has no interface files".to_owned());
    }
    for interface in &interfaces {
        copy_folder(root, interface, &work)?;
    }
    let path = maker.path()?;
    let shell = |line: &str, folder: &Path, variables: &[(&str, &str)]| {
        let mut shell = Command::new("bash");
        shell.args(["-eo", "pipefail", "-c", line]).current_dir(folder).env("PATH", &path).env("src", root);
        shell.envs(variables.iter().copied()).stdin(Stdio::null());
        run(&mut shell)
    };
    shell(&package.prepare, &work, &[]).map_err(|problem| format!("its preparation fails: {problem}"))?;
    let mut outputs = Vec::new();
    // All headers first: files include each other's.
    for (ending, line) in &package.outputs {
        for interface in &interfaces {
            let inside = place(interface);
            let folder = work.join(inside.parent().unwrap_or(Path::new("")));
            let stem = inside.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let name =
                if ending.contains("$stem") { ending.replace("$stem", &stem) } else { format!("{stem}{ending}") };
            let output = folder.join(&name);
            // rpcgen writes over nothing; a package may ship what it made. Without a line, an earlier one has made it.
            if !line.is_empty() {
                let _ = fs::remove_file(&output);
            }
            let input = format!("{stem}.x");
            let done = shell(line, &folder, &[("stem", &stem), ("in", &input), ("out", &name)]);
            let failure = match done {
                Ok(()) if output.is_file() => None,
                Ok(()) => Some("the tool writes nothing".to_owned()),
                Err(problem) => Some(problem),
            };
            outputs.push(Output { interface: inside, ending: ending.clone(), path: output, failure });
        }
    }
    Ok(Made { flags: flags(package, root, &work)?, outputs })
}

/// Where an interface file lies below the folder of work.
fn place(interface: &Path) -> PathBuf {
    if interface.is_absolute() {
        return PathBuf::from(interface.file_name().unwrap_or_default());
    }
    interface.to_owned()
}

/// The headers beside an installed file are what rpcgen made of it.
fn copy_folder(root: &Path, interface: &Path, work: &Path) -> Result<(), String> {
    let here = place(interface);
    let into = work.join(here.parent().unwrap_or(Path::new("")));
    fs::create_dir_all(&into).map_err(|problem| format!("{}: {problem}", into.display()))?;
    let beside = fs::read_dir(root.join(interface).parent().unwrap_or(root)).into_iter().flatten().flatten();
    for other in beside.map(|entry| entry.path()).filter(|path| path.is_file()) {
        let ending = other.extension().unwrap_or_default().to_string_lossy().into_owned();
        let is_wanted = ending == "x" || (interface.is_relative() && ["h", "c", "in"].contains(&&*ending));
        let target = into.join(other.file_name().unwrap_or_default());
        if is_wanted && !target.exists() {
            fs::copy(&other, &target).map_err(|problem| format!("{}: {problem}", other.display()))?;
        }
    }
    Ok(())
}

/// `-I@x` is looked for among generated files, then in the package.
fn flags(package: &Package, root: &Path, work: &Path) -> Result<Vec<String>, String> {
    let mut flags = vec![format!("-I{}", work.display())];
    for word in package.flags.split_whitespace() {
        if let Some(part) = word.strip_prefix("-I@") {
            flags.extend([work, root].map(|base| format!("-I{}", base.join(part).display())));
        } else if let Some(library) = word.strip_prefix("pkg:") {
            flags.extend(of_library(library)?);
        } else {
            flags.push(word.to_owned());
        }
    }
    if !package.flags.contains("no-tirpc") {
        flags.extend(of_library("libtirpc")?);
    }
    flags.retain(|flag| flag != "no-tirpc");
    Ok(flags)
}

fn of_library(library: &str) -> Result<Vec<String>, String> {
    let output = Command::new("pkg-config").args(["--cflags", library]).output();
    let output = output.map_err(|problem| format!("pkg-config: {problem}"))?;
    if !output.status.success() {
        return Err(format!("pkg-config does not know {library}"));
    }
    Ok(String::from_utf8_lossy(&output.stdout).split_whitespace().map(str::to_owned).collect())
}

/// Runs a command; what it says is what it failed of.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|problem| problem.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(first_problem(&said).map_or_else(|| output.status.to_string(), str::to_owned))
}

/// The line that says what a command failed of.
pub(crate) fn first_problem(said: &str) -> Option<&str> {
    said.lines().find(|line| line.contains("error") || line.contains(", line ")).or_else(|| said.lines().next())
}
