//! What build tools get: dependency files that `make` obeys, and outputs that stay untouched.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::process::Command;

use filetest::scratch::Scratch;
use libtest_mimic::Failed;

use crate::{WHITTLE, ends, folder, names, require, whittle};

/// The targets and prerequisites of a rule without blanks in its names.
fn rule(folder: &Scratch, name: &str) -> Result<(Vec<String>, Vec<String>), Failed> {
    let text = fs::read_to_string(folder.path().join(name))?.replace("\\\n", " ");
    let (targets, inputs) = text.split_once(':').ok_or("no rule")?;
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
    Ok((words(targets), words(inputs)))
}

/// A call, its targets, and some of what it reads.
const CALLS: [(&str, &[&str], &[&str]); 7] = [
    ("compile c.x -o out", &["out/c_xdr.c", "out/c.h"], &["c.x", "part.x"]),
    (
        "compile b.x --style plain --runtime installed -o out",
        &["out/b.h", "out/b_types.c", "out/b_client.c", "out/b_server.c"],
        &["b.x", "b.pres"],
    ),
    ("check b.x c.x -o stamp", &["stamp"], &["b.x", "c.x", "part.x"]),
    ("specialize --root cube use.c -I sub -o cube.c", &["cube.c"], &["use.c", "power.h", "sub/deep.h"]),
    ("pipe graph f.spi -o f.svg", &["f.svg"], &["f.spi", "c.x", "part.x"]),
    ("fmt f.spi -o g.spi", &["g.spi"], &["f.spi"]),
    ("rpcgen -h -o c.h c.x", &["c.h"], &["c.x", "part.x"]),
];

pub(crate) fn dependencies() -> Result<(), Failed> {
    let folder = folder()?;
    fs::write(folder.path().join("b.pres"), "strings counted;\n")?;
    fs::write(folder.path().join("sub/deep.h"), "#define DEEP 1\n")?;
    let used = fs::read_to_string(folder.path().join("use.c"))?;
    fs::write(folder.path().join("use.c"), format!("#include <stddef.h>\n#include <deep.h>\n{used}"))?;
    for (call, targets, inputs) in CALLS {
        ends(&folder, &format!("{call} --depfile d"), 0)?;
        let (made, read) = rule(&folder, "d")?;
        require(made == targets, &format!("{call}: {made:?}"))?;
        require(inputs.iter().all(|input| read.iter().any(|read| read == input)), &format!("{call}: {read:?}"))?;
        // What only the compiler finds is there, too.
        require(!call.starts_with("specialize") || read.iter().any(|read| read.ends_with("/stddef.h")), call)?;
        let is_ours = |name: &&String| name.contains("whittle-") || name.starts_with('<');
        require(!read.iter().any(|name| is_ours(&name)), &format!("{call}: {read:?}"))?;
        fs::remove_file(folder.path().join("d"))?;
    }
    ends(&folder, "compile f.spi -o flow --depfile d", 0)?;
    let (made, read) = rule(&folder, "d")?;
    require(
        made.contains(&"flow/Makefile".to_owned()) && !made.contains(&"flow/A.c".to_owned()),
        &format!("{made:?}"),
    )?;
    require(read.contains(&"part.x".to_owned()), &format!("{read:?}"))?;
    fs::remove_file(folder.path().join("d"))?;
    // Without a file, and with an error, there is nothing to say.
    for (call, status) in
        [("check b.x", 2), ("pipe graph f.spi -o -", 2), ("doctor -o d.txt", 2), ("compile b.x broken.x -o out", 1)]
    {
        ends(&folder, &format!("{call} --depfile d"), status)?;
        require(!folder.path().join("d").exists(), call)?;
    }
    Ok(())
}

/// The lines of `docs/command-line.md` for a build tool, with whittle where it is.
fn lines_of(language: &str) -> Result<String, Failed> {
    let page = include_str!("../../../../docs/command-line.md");
    let (_, block) = page.split_once(&format!("```{language}\n")).ok_or("no such block")?;
    let (block, _) = block.split_once("```").ok_or("a block without an end")?;
    Ok(block.replace("whittle compile", &format!("{WHITTLE} compile")))
}

/// A description that includes another, and what its header says of the other.
fn point(folder: &Scratch, tool: &[&str], number: &str) -> Result<bool, Failed> {
    if !folder.path().join("point.x").exists() {
        fs::write(folder.path().join("point.x"), "#include \"part.x\"\nstruct point { int a[N]; };\n")?;
    }
    // Times of files may be as rough as a second.
    std::thread::sleep(std::time::Duration::from_millis(1100));
    fs::write(folder.path().join("part.x"), format!("const N = {number};\n"))?;
    let output = Command::new(tool[0]).args(&tool[1..]).current_dir(folder.path()).output()?;
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    require(output.status.success(), &said)?;
    Ok(fs::read_to_string(folder.path().join("gen/point.h"))?.contains(&format!("#define N {number}")))
}

pub(crate) fn make_builds_again() -> Result<(), Failed> {
    let folder = folder()?;
    fs::write(folder.path().join("Makefile"), lines_of("make")?)?;
    require(point(&folder, &["make"], "1")? && point(&folder, &["make"], "2")?, "not built again")
}

pub(crate) fn ninja_builds_again() -> Result<(), Failed> {
    let folder = folder()?;
    let more = "rule count\n  command = echo $in >> counted; touch $out\nbuild header: count gen/point.h\n\
                build routines: count gen/point_xdr.c\n";
    fs::write(folder.path().join("build.ninja"), format!("{}{more}", lines_of("ninja")?))?;
    let counted =
        || -> Result<usize, Failed> { Ok(fs::read_to_string(folder.path().join("counted"))?.lines().count()) };
    require(point(&folder, &["ninja"], "1")? && counted()? == 2, "not built")?;
    // What was made anew and is the same makes nothing else anew.
    require(point(&folder, &["ninja"], "1")? && counted()? == 2, "built again for nothing")?;
    require(point(&folder, &["ninja"], "2")? && counted()? == 4, "not built again")?;
    let again = Command::new("ninja").current_dir(folder.path()).output()?;
    require(String::from_utf8_lossy(&again.stdout).contains("no work to do"), "built for ever")
}

pub(crate) fn odd_names() -> Result<(), Failed> {
    let folder = folder()?;
    let odd = folder.path().join("a b$c#d");
    fs::create_dir(&odd)?;
    fs::write(odd.join("part.x"), "const N = 1;\n")?;
    fs::write(folder.path().join("c.x"), "#include <part.x>\nstruct c { int a[N]; };\n")?;
    let call = ["compile", "c.x", "-I", "a b$c#d", "-o", "out", "--depfile", "c.d"];
    let output = Command::new(WHITTLE).args(call).current_dir(folder.path()).output()?;
    require(output.status.success(), &String::from_utf8_lossy(&output.stderr))?;
    fs::write(folder.path().join("Makefile"), "-include c.d\nout/c_xdr.c: ; @echo made\n")?;
    let is_made = || -> Result<bool, Failed> {
        let output = Command::new("make").arg("out/c_xdr.c").current_dir(folder.path()).output()?;
        let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        require(output.status.success(), &said)?;
        Ok(said.contains("made"))
    };
    require(!is_made()?, "make knows the names, and all is as it was")?;
    std::thread::sleep(std::time::Duration::from_millis(1100));
    fs::write(odd.join("part.x"), "const N = 2;\n")?;
    require(is_made()?, &fs::read_to_string(folder.path().join("c.d"))?)
}

/// Calls whose outputs stay as they are.
const STAY: [&str; 6] = [
    "compile b.x c.x -o out --depfile out.d",
    "compile g.spi -o out",
    "check b.x -o stamp",
    "specialize --root cube use.c -o cube.c --harness harness.c",
    "man -o whittle.1",
    "rpcgen b.x",
];

pub(crate) fn unchanged_outputs() -> Result<(), Failed> {
    for call in STAY {
        let folder = folder()?;
        let state = || -> Result<Vec<(String, u64, i64, i64)>, Failed> {
            let one = |name: String| {
                let data = fs::metadata(folder.path().join(&name))?;
                Ok((name, data.ino(), data.mtime(), data.mtime_nsec()))
            };
            names(folder.path()).into_iter().map(one).collect()
        };
        ends(&folder, call, 0)?;
        let before = state()?;
        ends(&folder, &format!("{call} --if-changed"), 0)?;
        require(state()? == before, &format!("{call}: touched"))?;
        // Without the option they are new; of flows they stay anyway.
        ends(&folder, call, 0)?;
        require((state()? == before) == call.contains(".spi"), &format!("{call}: not written"))?;
    }
    let folder = folder()?;
    ends(&folder, "compile b.x -o out", 0)?;
    let inode = |name: &str| fs::metadata(folder.path().join(name)).map(|data| data.ino());
    let before = (inode("out/b.h")?, inode("out/b_clnt.c")?);
    fs::write(folder.path().join("b.x"), crate::FILES[0].1.replace("int a;", "int a; int b;"))?;
    require(whittle(folder.path(), "compile b.x -o out --if-changed").status()?.success(), "not compiled")?;
    require(inode("out/b.h")? != before.0 && inode("out/b_clnt.c")? == before.1, "not those that changed")
}
