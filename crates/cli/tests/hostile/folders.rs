//! Folders in which somebody put links, pipes and hidden folders.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;

use filetest::scratch::Scratch;
use libtest_mimic::Trial;

use super::{Outcome, WHITTLE, require, run, trial, whittle};

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        trial("links at the names of outputs are refused in every command", links),
        trial("a link that the command line names is followed", named),
        trial("links to folders below the folder of outputs are refused", below),
        trial("standard output may be named as a device", devices),
        trial("a pipe at the name of an output does not stop the run", pipes),
        trial("hidden folders that somebody prepared are left alone", prepared),
        trial("the folder of a flow is not reached by a link", directories),
        trial("a full disk is reported once", full),
    ]
}

const X: &str = "struct s { int a; };\nprogram P { version V { s GET(s) = 1; } = 1; } = 0x20000101;\n";
const SPI: &str =
    "packet P { bool b; }\npipe A { out P p; middle a; }\npipe B { in P p; middle b; }\nflow f { A -> B via tcp; }\n";

/// A folder with inputs, and a file elsewhere that must not change.
fn folder() -> Outcome<(Scratch, Scratch)> {
    let (folder, elsewhere) = (Scratch::new("links")?, Scratch::new("elsewhere")?);
    fs::write(folder.path().join("b.x"), X)?;
    fs::write(folder.path().join("i.idl"), "interface i { void go(); };\n")?;
    fs::write(folder.path().join("f.spi"), SPI)?;
    fs::write(elsewhere.path().join("precious"), "old")?;
    fs::create_dir(folder.path().join("out"))?;
    Ok((folder, elsewhere))
}

fn is_precious(elsewhere: &Scratch, what: &str) -> Outcome {
    let text = fs::read_to_string(elsewhere.path().join("precious"))?;
    require(text == "old" && elsewhere.names() == ["precious"], || format!("{what}: {:?}", elsewhere.names()))
}

fn links() -> Outcome {
    let calls = [
        ("b.h", "rpcgen b.x"),
        ("b_svc.c", "rpcgen b.x"),
        ("Makefile.b", "rpcgen -a b.x"),
        ("out/b_client.c", "compile --style plain --out out b.x"),
        ("out/whittle_onc.c", "compile --style plain --out out b.x"),
        ("out/i-stubs.c", "compile --out out i.idl"),
        ("out/Makefile", "compile --out out f.spi"),
        ("out/f.main.c", "compile --out out f.spi"),
        ("out/A.c", "compile --out out f.spi"),
    ];
    for (name, call) in calls {
        for target in ["precious", "absent"] {
            let (folder, elsewhere) = folder()?;
            let words: Vec<&str> = call.split(' ').collect();
            // What the user filled in may be a link of the user's.
            let is_users = name == "out/A.c" && target == "precious";
            let path = if call.ends_with(".spi") { program(&folder, name)? } else { folder.path().join(name) };
            symlink(elsewhere.path().join(target), &path)?;
            let said = whittle(folder.path(), &words)?;
            require(said.is_done() == is_users, || format!("{name}: {call}: {said:?}"))?;
            require(is_users || said.errors.contains("host-007"), || format!("{name}: {call}: {said:?}"))?;
            is_precious(&elsewhere, name)?;
            require(path.symlink_metadata()?.is_symlink(), || format!("{name}: the link is gone"))?;
        }
    }
    Ok(())
}

/// The path of an output of a flow; the name of its program is found out.
fn program(folder: &Scratch, name: &str) -> Outcome<std::path::PathBuf> {
    if name != "out/f.main.c" {
        return Ok(folder.path().join(name));
    }
    whittle(folder.path(), &["compile", "--out", "names", "f.spi"])?;
    let made = filetest::golden::files_below(&folder.path().join("names"));
    let main = made.iter().find(|path| path.to_string_lossy().ends_with(".main.c")).and_then(|path| path.file_name());
    Ok(folder.path().join("out").join(main.ok_or("no program")?))
}

fn named() -> Outcome {
    let (folder, _) = folder()?;
    fs::write(folder.path().join("real.h"), "old")?;
    symlink("real.h", folder.path().join("b.h"))?;
    let said = whittle(folder.path(), &["rpcgen", "-h", "-o", "b.h", "b.x"])?;
    require(said.is_done() && fs::read_to_string(folder.path().join("real.h"))?.contains("struct s"), || {
        format!("{said:?}")
    })?;
    require(folder.path().join("b.h").symlink_metadata()?.is_symlink(), || "the link is gone".to_owned())?;
    // The folder that --out names may be one, too.
    symlink("out", folder.path().join("linked"))?;
    let said = whittle(folder.path(), &["compile", "--style", "plain", "--out", "linked", "b.x"])?;
    require(said.is_done() && folder.path().join("out/b.h").exists(), || format!("{said:?}"))
}

fn below() -> Outcome {
    let (folder, elsewhere) = folder()?;
    symlink(elsewhere.path(), folder.path().join("out/rpc"))?;
    let said = whittle(folder.path(), &["compile", "--style", "rpcgen", "--link", "onc", "--out", "out", "b.x"])?;
    require(!said.is_done() && said.errors.contains("host-008"), || format!("{said:?}"))?;
    require(fs::read_dir(folder.path().join("out"))?.count() == 1, || "something was written".to_owned())?;
    is_precious(&elsewhere, "rpc")
}

fn devices() -> Outcome {
    let (folder, _) = folder()?;
    let script = format!("'{WHITTLE}' rpcgen -h -o /dev/stdout b.x; echo after");
    let piped = run(Command::new("sh").args(["-c", &script]), folder.path())?;
    require(piped.output.contains("struct s") && piped.output.ends_with("after\n"), || format!("{piped:?}"))?;
    // What stands in the file already, and what follows, stays.
    let script = format!("{{ echo before; {script}; }} > said");
    run(Command::new("sh").args(["-c", &script]), folder.path())?;
    let said = fs::read_to_string(folder.path().join("said"))?;
    require(said == format!("before\n{}", piped.output), || said.clone())
}

fn pipes() -> Outcome {
    let (folder, _) = folder()?;
    run(Command::new("mkfifo").arg("out/b.h"), folder.path())?;
    let said = whittle(folder.path(), &["compile", "--style", "plain", "--out", "out", "b.x"])?;
    require(!said.is_done() && said.errors.contains("host-009"), || format!("{said:?}"))
}

/// Under a name as whittle's: a folder with a pipe, a link to a folder, a link in a folder, a file.
fn prepared() -> Outcome {
    let hidden = "out/.whittle-0123456789abcdef";
    let scripts = [
        format!("mkdir -m 700 {hidden} && mkfifo {hidden}/manifest"),
        format!("mkdir -m 700 ELSEWHERE/x && touch ELSEWHERE/x/0 && ln -s ELSEWHERE/x {hidden}"),
        format!("mkdir -m 700 {hidden} && ln -s ELSEWHERE/precious {hidden}/0"),
        format!("mkdir -m 755 {hidden} && touch {hidden}/0"),
        format!("echo mine > {hidden}"),
    ];
    for script in scripts {
        let (folder, elsewhere) = folder()?;
        let script = script.replace("ELSEWHERE", &elsewhere.path().display().to_string());
        run(Command::new("sh").args(["-c", &script]), folder.path())?;
        let before = filetest::golden::files_below(elsewhere.path());
        let said = whittle(folder.path(), &["compile", "--style", "plain", "--out", "out", "b.x"])?;
        require(said.is_done() && folder.path().join(hidden).symlink_metadata().is_ok(), || {
            format!("{script}: {said:?}")
        })?;
        require(filetest::golden::files_below(elsewhere.path()) == before, || format!("{script}: something is gone"))?;
    }
    let (folder, _) = folder()?;
    let said = whittle(folder.path(), &["rpcgen", "-h", "-o", "sub/", "b.x"])?;
    require(!said.is_done() && !folder.path().join("sub").exists(), || format!("{said:?}"))
}

fn directories() -> Outcome {
    let (folder, elsewhere) = folder()?;
    symlink(elsewhere.path(), folder.path().join("dir"))?;
    for call in ["pipe tap f.spi A --dir dir", "pipe run f.spi --out out --dir dir", "pipe top dir --once"] {
        let said = whittle(folder.path(), &call.split(' ').collect::<Vec<_>>())?;
        require(said.status == Some(2) && said.errors.contains("symbolic link"), || format!("{call}: {said:?}"))?;
        is_precious(&elsewhere, call)?;
    }
    Ok(())
}

fn full() -> Outcome {
    let (folder, _) = folder()?;
    let script = format!("'{WHITTLE}' rpcgen -h b.x > /dev/full");
    for script in [script, format!("'{WHITTLE}' rpcgen -h -o /dev/full b.x")] {
        let said = run(Command::new("sh").args(["-c", &script]), folder.path())?;
        let times = said.errors.matches("No space left").count();
        require(said.status == Some(1) && times == 1, || format!("{script}: {said:?}"))?;
    }
    // Nor is a folder that may not be written to half filled.
    fs::set_permissions(folder.path().join("out"), fs::Permissions::from_mode(0o500))?;
    let said = whittle(folder.path(), &["compile", "--style", "plain", "--out", "out", "b.x"])?;
    let is_refused = said.errors.matches("host-004").count() == 1;
    fs::set_permissions(folder.path().join("out"), fs::Permissions::from_mode(0o700))?;
    // Who may do everything is refused nothing.
    require(is_refused || said.is_done(), || format!("{said:?}"))
}
