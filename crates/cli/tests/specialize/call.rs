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
    let run = |source: &str, compiler: &str, options: &[&str]| {
        run(folder.path(), source, &general, (compiler, options), &flags)
    };
    let original = run("scenario.c", "gcc", &["-O2"])?;
    tell_of_general(folder.path())?;
    let builds: [(&str, &[&str]); 4] =
        [("gcc", &["-O0"]), ("gcc", &["-O2"]), ("clang", &["-O2"]), ("gcc", &["-O1", "-fsanitize=address,undefined"])];
    for (compiler, options) in builds {
        let residual = run("residual.c", compiler, options)?;
        if let Some((expected, found)) = original.lines().zip(residual.lines()).find(|(one, other)| one != other) {
            return Err(format!("{compiler} {options:?}:\n  original {expected}\n  residual {found}").into());
        }
    }
    if original.lines().count() > 100 { Ok(()) } else { Err("few ways were gone".into()) }
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
    let told = text.replace(way, "return takes_general(), call_ints_general(");
    Ok(fs::write(file, format!("void takes_general(void);\n{told}"))?)
}

/// What a build prints.
fn run(
    folder: &Path,
    source: &str,
    general: &[PathBuf],
    (compiler, options): (&str, &[&str]),
    flags: &[String],
) -> Result<String, Failed> {
    let mut command = oracle::command(compiler);
    command.current_dir(folder).args(["-w", "-o", "paths", "paths.c", source]).args(general).args(options).args(flags);
    oracle::succeed(command.args(["-ltirpc", "-lpthread"]))?;
    let output = oracle::succeed(&mut std::process::Command::new(folder.join("paths")))?;
    fs::write(folder.join(format!("{source}.txt")), &output.stdout)?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
