//! A whole call over UDP through libtirpc's client, in one function: on every way through it, errors and time-outs and
//! all, the residual code does what the original does, and sends the same bytes.

use std::fs;
use std::path::{Path, PathBuf};

use filetest::oracle;
use filetest::scratch::Scratch;
use libtest_mimic::Failed;

use crate::{LIBRARY, here, whittle};

const CASE: &str = "../../tests/specialize/call";
/// What is specialized beside the client.
const GENERAL: [&str; 6] = ["xdr.c", "xdr_mem.c", "xdr_array.c", "xdr_reference.c", "rpc_prot.c", "rpc_callmsg.c"];
/// How often programs are run, at most.
const PATIENCE: usize = 8;
/// What the client needs of the library besides, and the library as installed does not show.
const REST: [&str; 3] = ["mt_misc.c", "rpc_commondata.c", "rpc_generic.c"];

/// With marshalling routines as rpcgen makes them now: a loop for each array.
pub(crate) fn every_way() -> Result<(), Failed> {
    compare(&[])
}

/// With a routine's call for each integer, as the papers had them: the residual code is no longer for that.
pub(crate) fn every_way_by_routine() -> Result<(), Failed> {
    compare(&["-i", "0"])
}

fn compare(stubs: &[&str]) -> Result<(), Failed> {
    let folder = Scratch::new("specialize-call")?;
    for name in ["ints.x", "scenario.c", "paths.c"] {
        folder.copy(&here(CASE).join(name))?;
    }
    for (flag, name) in [("-h", "ints.h"), ("-c", "ints_xdr.c")] {
        let mut command = oracle::command("rpcgen");
        command.current_dir(folder.path()).args(stubs).args([flag, "-o", name, "ints.x"]);
        oracle::succeed(&mut command)?;
    }
    let library = here(LIBRARY).canonicalize()?;
    let mut flags: Vec<String> =
        ["tirpc", "src"].iter().map(|name| format!("-I{}", library.join(name).display())).collect();
    flags.push("-I.".to_string());
    let mut general = vec![folder.path().join("ints_xdr.c")];
    general.extend(GENERAL.iter().map(|name| library.join("src").join(name)));
    let mut command = whittle(folder.path());
    command.arg("scenario.c").args(&general).args(["-o", "residual.c", "--"]).args(&flags);
    oracle::succeed(&mut command)?;
    encodes_at_once(folder.path())?;
    flags.push(format!("-I{}", here("../../runtime/include").display()));
    general.extend(REST.iter().map(|name| library.join("src").join(name)));
    let build = |source: &str, program: &str, compiler: &str, options: &[&str]| {
        build(folder.path(), (source, program), &general, (compiler, options), &flags)
    };
    build("scenario.c", "original", "gcc", &["-O2"])?;
    tell_of_general(folder.path())?;
    let mut original = vec![run(folder.path(), "original")?];
    let builds: [(&str, &[&str]); 4] =
        [("gcc", &["-O0"]), ("gcc", &["-O2"]), ("clang", &["-O2"]), ("gcc", &["-O1", "-fsanitize=address,undefined"])];
    for (compiler, options) in builds {
        build("residual.c", "residual", compiler, options)?;
        let mut residual = vec![run(folder.path(), "residual")?];
        while let Some((expected, found)) = difference(&original, &residual) {
            if residual.len() == PATIENCE {
                return Err(format!("{compiler} {options:?}:\n  original {expected}\n  residual {found}").into());
            }
            original.push(run(folder.path(), "original")?);
            residual.push(run(folder.path(), "residual")?);
        }
    }
    if original[0].lines().count() > 100 { Ok(()) } else { Err("few ways were gone".into()) }
}

/// Clients send again when time is up, on a busy machine too early: a way counts as the same if it was once.
fn difference<'a>(original: &'a [String], residual: &'a [String]) -> Option<(&'a str, &'a str)> {
    let ways = |runs: &'a [String]| -> Vec<Vec<&'a str>> { runs.iter().map(|run| run.lines().collect()).collect() };
    let (originals, residuals) = (ways(original), ways(residual));
    let line = |runs: &[Vec<&'a str>], at: usize| -> Vec<&'a str> {
        runs.iter().map(|run| run.get(at).copied().unwrap_or_default()).collect()
    };
    let count = originals.iter().chain(&residuals).map(Vec::len).max().unwrap_or_default();
    (0..count).find_map(|at| {
        let (expected, found) = (line(&originals, at), line(&residuals, at));
        (!found.iter().any(|way| expected.contains(way))).then(|| (expected[0], found[0]))
    })
}

/// Before the message is sent its integers are in it, by one call: what the stream says of them is no reason for a loop.
fn encodes_at_once(folder: &Path) -> Result<(), Failed> {
    let text = fs::read_to_string(folder.join("residual.c"))?;
    let body = text.rsplit("return call_ints_general(").next().unwrap_or_default();
    let before = body.split("sendto(").next().unwrap_or_default();
    if before.contains("whittle_swap32(") { Ok(()) } else { Err("the encoding is not one call".into()) }
}

/// Has the residual code tell before it calls the general code: facts that never hold would let the original pass for it.
fn tell_of_general(folder: &Path) -> Result<(), Failed> {
    let (way, file) = ("return call_ints_general(", folder.join("residual.c"));
    let text = fs::read_to_string(&file)?;
    if !text.contains(way) {
        return Err("the residual code does not guard its facts".into());
    }
    let changed = text.replace(way, "return takes_general(), call_ints_general(");
    Ok(fs::write(file, format!("void takes_general(void);\n{changed}"))?)
}

fn build(
    folder: &Path,
    (source, program): (&str, &str),
    general: &[PathBuf],
    (compiler, options): (&str, &[&str]),
    flags: &[String],
) -> Result<(), Failed> {
    let mut command = oracle::command(compiler);
    command.current_dir(folder).args(["-w", "-o", program, "paths.c", source]).args(general).args(options).args(flags);
    oracle::succeed(command.args(["-ltirpc", "-lpthread"])).map(drop)
}

/// What a program prints.
fn run(folder: &Path, program: &str) -> Result<String, Failed> {
    let output = oracle::succeed(&mut std::process::Command::new(folder.join(program)))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
