//! Temporary files: of names that nobody knows before, for one user alone, gone however the run ends.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use filetest::accounts::wait_until;
use filetest::scratch::Scratch;
use libtest_mimic::Trial;

use super::{Outcome, WHITTLE, require, run, trial};

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        trial("a temporary folder is private, and gone afterwards", private),
        trial("a temporary folder is gone after a signal", after_signals),
        trial("links that wait under foreseeable names are not met", foreseen),
    ]
}

const SCENARIO: &str = "#include <whittle/specialize.h>\nWHITTLE_SPECIALIZE int one(int a) { return a + 1; }\n";

/// A folder with a scenario, and a compiler that first does `work`.
fn folder(work: &str) -> Outcome<Scratch> {
    let folder = Scratch::new("temporary")?;
    fs::create_dir(folder.path().join("tmp"))?;
    fs::write(folder.path().join("s.c"), SCENARIO)?;
    let script = format!("#!/bin/sh\n{work}\nexec clang \"$@\"\n");
    fs::write(folder.path().join("compiler"), script)?;
    fs::set_permissions(folder.path().join("compiler"), fs::Permissions::from_mode(0o755))?;
    Ok(folder)
}

fn specialize(folder: &Path) -> Command {
    let mut command = Command::new(WHITTLE);
    command.args(["specialize", "s.c", "-o", "r.c"]).current_dir(folder).stdin(Stdio::null());
    command.env("TMPDIR", folder.join("tmp")).env("CLANG", folder.join("compiler"));
    command
}

/// The same, where whoever started the tests ignores signals, too, as shells do for what runs in the background.
fn with_default_signals(command: &Command) -> Command {
    let mut same = Command::new("env");
    same.arg("--default-signal=TERM,INT,HUP").arg(command.get_program()).args(command.get_args()).stdin(Stdio::null());
    same.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    if let Some(folder) = command.get_current_dir() {
        same.current_dir(folder);
    }
    same
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder.join("tmp")).is_ok_and(|mut entries| entries.next().is_none())
}

fn private() -> Outcome {
    let mut names = Vec::new();
    for work in ["stat -c '%a %n' tmp/* > seen", "stat -c '%a %n' tmp/* > seen; exit 1"] {
        let folder = folder(work)?;
        run(&mut specialize(folder.path()), folder.path())?;
        let seen = fs::read_to_string(folder.path().join("seen"))?;
        require(seen.starts_with("700 tmp/whittle-") && seen.lines().count() == 1, || seen.clone())?;
        require(is_empty(folder.path()), || "it is left".to_owned())?;
        names.push(seen);
    }
    require(names[0] != names[1], || format!("{names:?}"))
}

fn after_signals() -> Outcome {
    for (word, number) in [("-TERM", 15), ("-INT", 2), ("-HUP", 1)] {
        let folder = folder("touch begun\nsleep 20")?;
        let mut command = with_default_signals(&specialize(folder.path()));
        let mut child: Child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        let begun = folder.path().join("begun");
        wait_until("the compiler runs", || Ok(begun.exists()))?;
        run(Command::new("kill").args([word, &child.id().to_string()]), folder.path())?;
        let status = child.wait()?;
        require(status.signal() == Some(number), || format!("{word}: {status}"))?;
        require(is_empty(folder.path()), || format!("{word}: it is left"))?;
    }
    Ok(())
}

/// Whoever knows the number of the process does not know the name.
fn foreseen() -> Outcome {
    let folder = folder(":")?;
    fs::create_dir_all(folder.path().join("victim/whittle"))?;
    fs::write(folder.path().join("victim/whittle/specialize.h"), "precious\n")?;
    // The shell puts the link where the process that it becomes would look.
    let script = format!("ln -s ../victim tmp/whittle-$$\nexec '{WHITTLE}' specialize s.c -o r.c\n");
    let mut command = Command::new("sh");
    command.args(["-c", &script]).env("TMPDIR", folder.path().join("tmp")).env("CLANG", folder.path().join("compiler"));
    let said = run(&mut command, folder.path())?;
    let text = fs::read_to_string(folder.path().join("victim/whittle/specialize.h")).unwrap_or_default();
    require(said.is_done() && text == "precious\n", || format!("{said:?} {text:?}"))?;
    let link = fs::read_dir(folder.path().join("tmp"))?.flatten().all(|entry| entry.path().is_symlink());
    require(link, || "more than the link is left".to_owned())?;
    let _ = symlink("unused", folder.path().join("unused"));
    Ok(())
}
