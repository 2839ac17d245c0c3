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

pub(crate) fn every_way() -> Result<(), Failed> {
    let folder = Scratch::new("specialize-call")?;
    for name in ["ints.x", "scenario.c", "paths.c"] {
        folder.copy(&here(CASE).join(name))?;
    }
    for (flag, name) in [("-h", "ints.h"), ("-c", "ints_xdr.c")] {
        oracle::succeed(oracle::command("rpcgen").current_dir(folder.path()).args([flag, "-o", name, "ints.x"]))?;
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
