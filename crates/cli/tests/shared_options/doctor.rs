//! `whittle doctor` on machines that have only some tools: the path leads into a folder of programs made up for the test.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Output;

use filetest::scratch::Scratch;
use libtest_mimic::Failed;

use crate::{folder, require, whittle};

/// A compiler that finds one header, and a pkg-config that knows an old run time.
const COMPILER: &str = "#!/bin/sh\ncase $1 in --version) echo 'made-up cc 7.1'; echo more;; *) case \"$*\" in *openssl/evp.h*) ;; *) exit 1;; esac;; esac\n";
const PKG_CONFIG: &str =
    "#!/bin/sh\ncase \"$*\" in --version) echo 1.9;; '--modversion whittle') echo 0.0.9;; *) exit 1;; esac\n";

fn doctor(folder: &Scratch, programs: &[(&str, &str)], format: &str) -> Result<Output, Failed> {
    let path = folder.path().join("bin");
    fs::create_dir_all(&path)?;
    for (name, text) in programs {
        fs::write(path.join(name), text)?;
        fs::set_permissions(path.join(name), fs::Permissions::from_mode(0o755))?;
    }
    Ok(whittle(folder.path(), &format!("doctor --message-format {format}")).env("PATH", path).output()?)
}

/// What is said of one tool.
fn of<'a>(objects: &'a [serde_json::Value], tool: &str) -> Result<&'a serde_json::Value, Failed> {
    Ok(objects.iter().find(|object| object["tool"] == tool).ok_or_else(|| format!("nothing of {tool}"))?)
}

fn objects(output: &Output) -> Result<Vec<serde_json::Value>, Failed> {
    String::from_utf8_lossy(&output.stdout).lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}

pub(crate) fn path() -> Result<(), Failed> {
    let folder = folder()?;
    let output = doctor(&folder, &[("cc", COMPILER), ("pkg-config", PKG_CONFIG)], "json")?;
    require(output.status.code() == Some(0), &String::from_utf8_lossy(&output.stdout))?;
    let objects = objects(&output)?;
    let compiler = of(&objects, "C compiler")?;
    require(compiler["version"] == "made-up cc 7.1" && compiler["is_there"] == true, &compiler.to_string())?;
    require(compiler["place"].as_str().is_some_and(|place| place.ends_with("/bin/cc")), &compiler.to_string())?;
    // A compiler preprocesses where there is no cpp.
    require(of(&objects, "C preprocessor")?["is_there"] == true, "no preprocessor")?;
    require(of(&objects, "libcrypto")?["place"] == "<openssl/evp.h>", "the compiler finds its header")?;
    require(of(&objects, "libnats")?["is_there"] == false, "the compiler does not find its header")?;
    require(
        of(&objects, "make")?["is_there"] == false && of(&objects, "clang")?["is_there"] == false,
        "not on the path",
    )?;
    let run_time = of(&objects, "run time")?;
    let is_old =
        run_time["problem"].as_str().is_some_and(|why| why.contains("0.0.9") && why.contains("must be the same"));
    require(run_time["is_there"] == false && is_old, &run_time.to_string())
}

pub(crate) fn missing() -> Result<(), Failed> {
    let folder = folder()?;
    let output = doctor(&folder, &[], "full")?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    require(output.status.code() == Some(1), &said)?;
    let compiler = said.lines().find(|line| line.starts_with("C compiler")).ok_or("no line")?;
    require(compiler.contains("MISSING") && compiler.contains("apt-get install gcc"), compiler)?;
    let make = said.lines().find(|line| line.starts_with("make")).ok_or("no line")?;
    require(make.contains("missing") && make.contains("apt-get install make"), make)?;
    require(said.ends_with("needed by everybody\n"), &said)
}
