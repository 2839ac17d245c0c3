//! Value types: values.c serves and calls itself, a machine of the other byte order, and omniORB's program, in which values are shared.
//! What others may send besides is in `tests/codec/valued.c`.

use std::path::{Path, PathBuf};
use std::process::Command;

use filetest::programs::{CHECKED, Outcome, is_installed, run, text};
use filetest::scratch::Scratch;

use super::{OBJECTS, compiling, sources, talk};

const WRITTEN: [&str; 5] = ["values-common.c", "values-stubs.c", "values-skels.c", "whittle_corba.c", "whittle_net.c"];

fn compiled(name: &str) -> Outcome<Scratch> {
    let folder = Scratch::new(name)?;
    let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
    run(whittle
        .arg("compile")
        .arg(sources().join("values.idl"))
        .args(["--style", "corba", "--out"])
        .arg(folder.path()))?;
    Ok(folder)
}

fn build(folder: &Path, compiler: &str, flags: &[&str], name: &str) -> Outcome<PathBuf> {
    let target = folder.join(name);
    let mut command = compiling(compiler, flags, folder, &sources());
    command.arg(sources().join("values.c")).arg("-o").arg(&target);
    for file in WRITTEN {
        command.arg(OBJECTS.object(compiling(compiler, flags, folder, &sources()), &folder.join(file))?);
    }
    run(&mut command)?;
    Ok(target)
}

#[test]
fn values_go_both_ways() -> Outcome {
    let folder = compiled("corba-values")?;
    let program = build(folder.path(), "gcc", &CHECKED, "values")?;
    talk((&program, &[]), (&[text(&program)], &[]), None)
}

#[test]
fn values_come_in_either_byte_order() -> Outcome {
    if !is_installed("s390x-linux-gnu-gcc") || !is_installed("qemu-s390x") {
        return Ok(());
    }
    let folder = compiled("corba-values-big-endian")?;
    let here = build(folder.path(), "clang", &["-O1"], "here")?;
    let there = build(folder.path(), "s390x-linux-gnu-gcc", &["-O1", "-static"], "there")?;
    talk((&here, &[]), (&["qemu-s390x", text(&there)], &[]), None)
}

#[test]
fn omniorb_has_the_same_values() -> Outcome {
    if !is_installed("omniidl") || !Path::new("/usr/include/omniORB4/CORBA.h").is_file() {
        return Ok(());
    }
    let folder = compiled("corba-values-omniorb")?;
    let ours = build(folder.path(), "gcc", &CHECKED, "values")?;
    let path = |name: &str| folder.path().join(name);
    run(Command::new("omniidl").args(["-bcxx", "-Wba", "-C"]).arg(folder.path()).arg(sources().join("values.idl")))?;
    let theirs = path("omni_values");
    let mut compiler = Command::new("g++");
    compiler.args(["-O0", "-w", "-std=c++17", "-I"]).arg(folder.path()).arg(sources().join("omni_values.cc"));
    compiler.args([path("valuesSK.cc"), path("valuesDynSK.cc")]).arg("-o").arg(&theirs);
    run(compiler.args(["-lomniDynamic4", "-lomniORB4", "-lomnithread", "-lpthread"]))?;
    talk((&theirs, &[]), (&[text(&ours)], &[]), None).map_err(|error| format!("omniORB serves: {error}"))?;
    talk((&ours, &[]), (&[text(&theirs)], &[]), None).map_err(|error| format!("omniORB calls: {error}"))?;
    Ok(())
}

/// What generated files are made of compiles as C++, too, and without a warning.
#[test]
fn values_are_for_cplusplus_too() -> Outcome {
    let folder = compiled("corba-values-cplusplus")?;
    for file in WRITTEN.iter().filter(|file| file.starts_with("values")) {
        for (compiler, standard) in [("gcc", "c99"), ("clang", "c17")] {
            let mut command = Command::new(compiler);
            command.arg(format!("-std={standard}")).args(["-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only"]);
            run(command.arg(folder.path().join(file)))?;
        }
        let mut command = Command::new("g++");
        command.args(["-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c++"]);
        run(command.arg(folder.path().join(file)))?;
    }
    Ok(())
}

/// Who knows only the base of a value's type takes it for one, and passes over the rest.
#[test]
fn omniorb_knows_values_by_their_base_alone() -> Outcome {
    if !is_installed("omniidl") || !Path::new("/usr/include/omniORB4/CORBA.h").is_file() {
        return Ok(());
    }
    let folder = Scratch::new("corba-heirs")?;
    let path = |name: &str| folder.path().join(name);
    let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
    run(whittle
        .arg("compile")
        .arg(sources().join("heirs.idl"))
        .args(["--style", "corba", "--out"])
        .arg(folder.path()))?;
    let mut client = compiling("gcc", &CHECKED, folder.path(), &sources());
    client.arg(sources().join("heirs.c")).arg("-o").arg(path("heirs"));
    for file in ["heirs-common.c", "heirs-stubs.c", "whittle_corba.c", "whittle_net.c"] {
        client.arg(OBJECTS.object(compiling("gcc", &CHECKED, folder.path(), &sources()), &path(file))?);
    }
    run(&mut client)?;
    run(Command::new("omniidl").args(["-bcxx", "-Wba", "-C"]).arg(folder.path()).arg(sources().join("bases.idl")))?;
    let mut server = Command::new("g++");
    server.args(["-O0", "-w", "-std=c++17", "-I"]).arg(folder.path()).arg(sources().join("omni_bases.cc"));
    server.args([path("basesSK.cc"), path("basesDynSK.cc")]).arg("-o").arg(path("bases"));
    run(server.args(["-lomniDynamic4", "-lomniORB4", "-lomnithread", "-lpthread"]))?;
    talk((&path("bases"), &[]), (&[text(&path("heirs"))], &[]), None)
}
