//! Runs that are killed. In: a set of outputs of one version, and a run that makes those of another, killed at any moment. Out: the
//! next run, whatever it makes, leaves one version, and nothing of the killed one's.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use filetest::oracle;
use filetest::scratch::Scratch;
use libtest_mimic::Trial;

use super::{Outcome, WHITTLE, require, run, trial, whittle};

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        trial("a run that is killed at any moment leaves one version after the next", at_any_moment),
        oracle::trial(
            "a run that is killed at each rename leaves one version after the next",
            &["strace"],
            at_each_rename,
        ),
        trial("a run that is asked to end leaves nothing", asked_to_end),
        trial("runs at one time in one folder leave one version", together),
    ]
}

/// Words that no generated file has of itself.
const ONE: &str = "version_one";
const TWO: &str = "version_two";

/// Each of the four files speaks of the structure of its version.
fn versions(folder: &Path) -> Outcome {
    for version in [ONE, TWO] {
        let text = format!(
            "struct {version} {{ int a; }};\nprogram P {{ version V {{ {version} GET({version}) = 1; }} = 1; }} = 0x20000101;\n"
        );
        fs::create_dir_all(folder.join(version))?;
        fs::write(folder.join(version).join("b.x"), text)?;
    }
    fs::write(folder.join("other.x"), "struct other { int a; };\n")?;
    Ok(())
}

fn compile(folder: &Path, version: &str) -> Command {
    let mut command = Command::new(WHITTLE);
    command.args(["compile", "--out", "out", &format!("{version}/b.x")]).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// The version that all files are of, once another run was in the folder.
fn version(folder: &Path) -> Outcome<String> {
    let said = whittle(folder, &["rpcgen", "-h", "-o", "out/other.h", "other.x"])?;
    require(said.is_done(), || format!("{said:?}"))?;
    let mut names: Vec<String> = fs::read_dir(folder.join("out"))?
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    require(names == ["b.h", "b_clnt.c", "b_svc.c", "b_xdr.c", "other.h"], || format!("{names:?}"))?;
    let mut found = Vec::new();
    for name in &names[..4] {
        let text = fs::read_to_string(folder.join("out").join(name))?;
        let is_whole = text.trim_end().ends_with(['}', ';']) || text.trim_end().ends_with("#endif");
        require(is_whole, || format!("{name} is not whole"))?;
        found.push(if text.contains(ONE) { ONE } else { TWO });
    }
    found.dedup();
    require(found.len() == 1, || format!("versions are mixed: {found:?}"))?;
    Ok(found[0].to_owned())
}

fn at_any_moment() -> Outcome {
    let folder = Scratch::new("killed")?;
    versions(folder.path())?;
    let begun = Instant::now();
    require(compile(folder.path(), ONE).status()?.success(), || "it does not compile".to_owned())?;
    let whole = begun.elapsed();
    let runs = if oracle::is_soak() { 2000 } else { 15 };
    for run in 0..runs {
        let mut child = compile(folder.path(), if run % 2 == 0 { TWO } else { ONE }).spawn()?;
        // All moments of a run in turn, in an order without a pattern.
        std::thread::sleep(whole * (run * 37 % 100) / 90 + Duration::from_micros(u64::from(run)));
        // It may have ended by itself.
        let _ = child.kill();
        child.wait()?;
        version(folder.path()).map_err(|problem| format!("run {run}: {problem:?}"))?;
    }
    Ok(())
}

fn at_each_rename() -> Outcome {
    for moment in 1..=6 {
        let folder = Scratch::new("killed")?;
        versions(folder.path())?;
        require(compile(folder.path(), ONE).status()?.success(), || "it does not compile".to_owned())?;
        let inject = format!("inject=rename,renameat,renameat2:signal=KILL:when={moment}");
        let mut traced = Command::new("strace");
        traced.args(["-f", "-qq", "-o", "trace", "-e", "trace=rename,renameat,renameat2", "-e", &inject]);
        traced.args([WHITTLE, "compile", "--out", "out", "version_two/b.x"]);
        let said = run(&mut traced, folder.path())?;
        let trace = fs::read_to_string(folder.path().join("trace")).unwrap_or_default();
        if !trace.contains("renameat") && !trace.contains("rename(") {
            // Where tracing is not allowed nothing can be shown.
            return require(!oracle::in_ci(), || format!("{said:?}"));
        }
        let is_killed = trace.contains("killed by SIGKILL");
        require(is_killed == (moment <= 5), || format!("{moment}: {trace}"))?;
        let version = version(folder.path()).map_err(|problem| format!("at rename {moment}: {problem:?}"))?;
        // The call does not happen. The first one makes the manifest, and then the set counts as written.
        require(version == if moment == 1 { ONE } else { TWO }, || {
            format!("at rename {moment} the old version or the new version is left: {trace}")
        })?;
    }
    Ok(())
}

/// SIGTERM is met at a moment that a slow preprocessor makes long.
fn asked_to_end() -> Outcome {
    for signal in ["-TERM", "-INT"] {
        let folder = Scratch::new("asked")?;
        versions(folder.path())?;
        fs::create_dir(folder.path().join("out"))?;
        let mut child = compile(folder.path(), ONE).spawn()?;
        run(Command::new("kill").args([signal, &child.id().to_string()]), folder.path())?;
        child.wait()?;
        let hidden = fs::read_dir(folder.path().join("out"))?
            .flatten()
            .any(|entry| entry.file_name().to_string_lossy().starts_with('.'));
        require(!hidden, || "a hidden folder is left".to_owned())?;
    }
    Ok(())
}

fn together() -> Outcome {
    let folder = Scratch::new("together")?;
    versions(folder.path())?;
    for _ in 0..5 {
        let children: Vec<_> =
            (0..4).map(|at| compile(folder.path(), [ONE, TWO][at % 2]).spawn()).collect::<Result<_, _>>()?;
        for mut child in children {
            require(child.wait()?.success(), || "a run failed".to_owned())?;
        }
        version(folder.path())?;
    }
    Ok(())
}
