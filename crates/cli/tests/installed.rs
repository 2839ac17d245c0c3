//! The run time as installed libraries, beside the same as files that stand beside what is generated: one program has interfaces
//! in every style and over every link, and a part of a flow; nothing is defined twice.

#[path = "installed/alone.rs"]
mod alone;
#[path = "installed/cmake.rs"]
mod cmake;
#[path = "installed/debian.rs"]
mod debian;
#[path = "installed/flows.rs"]
mod flows;
#[path = "installed/projects.rs"]
mod projects;
#[path = "installed/versions.rs"]
mod versions;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use filetest::programs::{Outcome, run};
use filetest::scratch::Scratch;

/// Interfaces, and how each is compiled.
const INTERFACES: [(&str, &[&str]); 4] = [
    ("mapped.idl", &["--style", "corba"]),
    ("spoken.idl", &["--style", "plain", "--link", "giop-tcp"]),
    ("called.x", &["--style", "plain", "--link", "onc"]),
    ("old.x", &["--style", "rpcgen", "--link", "onc", "--side", "client"]),
];

/// What programs and generated code include.
const HEADERS: [&str; 10] = [
    "whittle_onc.h",
    "whittle_onc_stubs.h",
    "whittle_corba.h",
    "whittle_giop.h",
    "whittle_iiop.h",
    "whittle_iiop_stubs.h",
    "whittle_onc_object.h",
    "whittle_onc_object_stubs.h",
    "whittle_flow.h",
    "rpc/rpc.h",
];

/// Of the compiler and the linker: whatever is defined twice is an error.
const STRICT: [&str; 7] =
    ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fno-common", "-Wl,--fatal-warnings", "-pthread"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn direct() -> PathBuf {
    root().join("tests/direct")
}

/// How the run time is compiled here.
const RUN_TIME_FLAGS: &str = "CFLAGS=-O1 -Wall -Wextra -Werror";

/// A prefix with all that `make install` puts there, made once, in cargo's folder for tests.
fn prefix() -> Outcome<PathBuf> {
    static PREFIX: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    Ok(PREFIX.get_or_init(|| installed().map_err(|error| error.to_string())).clone()?)
}

fn installed() -> Outcome<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("installed");
    let variable = |name: &str, part: &str| format!("{name}={}", folder.join(part).display());
    let mut make = Command::new("make");
    make.arg("-C").arg(root()).args(["-s", "stage", RUN_TIME_FLAGS, "LIBDIR=lib", "DESTDIR="]);
    make.arg(format!("WHITTLE={}", env!("CARGO_BIN_EXE_whittle")));
    run(make.args([variable("RUNTIME", "build"), variable("PREFIX", "prefix")]).env_remove("MAKEFLAGS"))?;
    Ok(folder.join("prefix"))
}

/// Writes the stubs of all interfaces.
fn stubs(folder: &Path, options: &[&str]) -> Outcome {
    for (interface, own) in INTERFACES {
        let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
        whittle.arg("compile").arg(direct().join("styles").join(interface)).args(own).args(options);
        run(whittle.arg("--out").arg(folder))?;
    }
    Ok(())
}

/// The sources in a folder, in order.
fn sources(folder: &Path) -> Outcome<Vec<PathBuf>> {
    with_ending(folder, "c")
}

fn with_ending(folder: &Path, ending: &str) -> Outcome<Vec<PathBuf>> {
    let files: Result<Vec<PathBuf>, _> = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect();
    let mut files: Vec<PathBuf> =
        files?.into_iter().filter(|file| file.extension().is_some_and(|e| e == ending)).collect();
    files.sort();
    Ok(files)
}

/// What pkg-config says of packages.
fn flags(prefix: &Path, packages: &[&str]) -> Outcome<Vec<String>> {
    let mut asked = Command::new("pkg-config");
    asked.args(["--cflags", "--libs"]).args(packages);
    let said = asked.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig")).output()?;
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    Ok(String::from_utf8(said.stdout)?.split_whitespace().map(str::to_owned).collect())
}

/// Compiles and links one program of all stubs in a folder and a process of a flow, and another of the process that it sends to;
/// without the flow, where this machine cannot have its edge. Out: whether the flow is there.
fn programs(folder: &Path, runtime: &str, flags: &[String]) -> Outcome<bool> {
    let mut command = Command::new("gcc");
    command.args(STRICT).arg("-O1").arg("-I").arg(folder).arg("-I").arg(direct());
    command.arg(direct().join("styles/styles.c")).args(sources(folder)?);
    let has_flow = flows::has_keys();
    if has_flow {
        let own = folder.join("flow");
        flows::compile(&own, runtime)?;
        command.arg("-DMAIN=styles").args(flows::only_there(&own, folder)?);
        flows::make(&own, "weather_Display")?;
    }
    command.args(flags).args((has_flow && runtime == "beside").then_some("-lcrypto"));
    run(command.arg("-o").arg(folder.join("styles")))?;
    Ok(has_flow)
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// That the programs are made, and do what they should.
fn works(folder: &Path, runtime: &str, flags: &[String]) -> Outcome {
    match programs(folder, runtime, flags)? {
        true => flows::runs(folder, &folder.join("styles"), &folder.join("flow/weather_Display")),
        false => run(Command::new("timeout").arg("60").arg(folder.join("styles"))),
    }
}

#[test]
fn every_style_is_one_program_with_the_run_time_beside_it() -> Outcome {
    let scratch = Scratch::new("beside")?;
    stubs(scratch.path(), &["--runtime", "beside"])?;
    works(scratch.path(), "beside", &[])
}

#[test]
fn every_style_is_one_program_with_the_installed_run_time() -> Outcome {
    let scratch = Scratch::new("linked")?;
    stubs(scratch.path(), &["--runtime", "installed"])?;
    let of_run_time = |name: &String| name.starts_with("whittle_") || name == "rpc";
    assert_eq!(scratch.names().into_iter().filter(of_run_time).collect::<Vec<String>>(), [""; 0]);
    let of_flows = flows::has_keys().then_some("whittle-key");
    let packages: Vec<&str> = ["whittle", "whittle-rpc"].into_iter().chain(of_flows).collect();
    works(scratch.path(), "installed", &flags(&prefix()?, &packages)?)
}

/// Programs may include the installed headers with either `#include`, and get the stubs' own.
#[test]
fn what_is_installed_is_what_stands_beside() -> Outcome {
    let (scratch, prefix) = (Scratch::new("same")?, prefix()?);
    stubs(scratch.path(), &[])?;
    let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
    whittle.arg("compile").arg(direct().join("styles/called.x")).args(["--style", "corba", "--link", "onc", "--out"]);
    run(whittle.arg(scratch.path()))?;
    flows::compile(scratch.path(), "beside")?;
    for header in HEADERS {
        let folder = prefix.join(if header.starts_with("rpc/") { "include/whittle/rpcgen" } else { "include/whittle" });
        assert_eq!(fs::read(folder.join(header))?, fs::read(scratch.path().join(header))?, "{header}");
    }
    Ok(())
}

/// What is no header for users by itself: who describes a kernel writes it, or has the kernel's headers.
const NOT_ALONE: [&str; 2] = ["whittle_fluke_kernel.h", "whittle_fluke_sel4.h"];

/// Each header of the run time needs no other before it, whatever C it is compiled as.
#[test]
fn each_header_stands_alone() -> Outcome {
    let scratch = Scratch::new("headers")?;
    let folder = scratch.path().join("runtime");
    run(Command::new(env!("CARGO_BIN_EXE_whittle")).args(["runtime", "--out"]).arg(&folder))?;
    let headers = with_ending(&folder, "h")?.into_iter().chain(with_ending(&folder.join("rpc"), "h")?);
    for header in headers {
        let name = header.strip_prefix(&folder)?.display().to_string();
        // Mach's headers are not here.
        if NOT_ALONE.contains(&name.as_str()) || name.starts_with("whittle_mach") {
            continue;
        }
        for (ending, compilers, standards) in
            [("c", ["gcc", "clang"], &["c99", "c11", "gnu17"][..]), ("cc", ["g++", "clang++"], &["c++17"])]
        {
            let unit = scratch.path().join("unit").with_extension(ending);
            fs::write(&unit, format!("#include \"{name}\"\nextern int nothing;\n"))?;
            for (compiler, standard) in
                compilers.iter().flat_map(|compiler| standards.iter().map(move |it| (compiler, it)))
            {
                let mut command = Command::new(compiler);
                command.arg(format!("-std={standard}")).args([
                    "-Wall",
                    "-Wextra",
                    "-Wpedantic",
                    "-Werror",
                    "-fsyntax-only",
                    "-I",
                ]);
                command.arg(&folder).arg("-I/usr/include/tirpc").arg(&unit);
                run(&mut command).map_err(|error| format!("{name}, {compiler} -std={standard}: {error}"))?;
            }
        }
    }
    Ok(())
}

/// Initial values by name are C's and no C++17, but every compiler has them: who builds all as C++ sees no warning.
#[test]
fn each_source_of_the_run_time_is_cpp_without_a_warning() -> Outcome {
    let scratch = Scratch::new("sources-cpp")?;
    run(Command::new(env!("CARGO_BIN_EXE_whittle")).args(["runtime", "--out"]).arg(scratch.path()))?;
    let sources = with_ending(scratch.path(), "c")?;
    let is_here = |source: &&PathBuf| {
        let name = source.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        // Flows are C11 with atomics; these need headers that are not here.
        !["whittle_mach", "whittle_flow", "whittle_dds", "whittle_nats", "whittle_key"]
            .iter()
            .any(|one| name.starts_with(one))
    };
    let mut tried = 0;
    for source in sources.iter().filter(is_here) {
        for compiler in ["g++", "clang++"] {
            let mut command = Command::new(compiler);
            command.args(["-std=c++17", "-xc++", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]);
            run(command.arg("-I/usr/include/tirpc").arg(source))
                .map_err(|error| format!("{}, {compiler}: {error}", source.display()))?;
        }
        tried += 1;
    }
    assert!(tried > 4, "{sources:?}");
    Ok(())
}

/// The symbols that each object defines for others, weak ones included: `U` are wanted, lower case is its own.
fn defined(objects: &[PathBuf]) -> Outcome<BTreeMap<String, BTreeSet<String>>> {
    let printed = Command::new("nm").args(["-A", "-g", "--defined-only"]).args(objects).output()?;
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in String::from_utf8(printed.stdout)?.lines() {
        // `PLACE:VALUE KIND NAME`; headings have no kind.
        let mut words = line.split_whitespace().rev();
        let (Some(name), Some(_), Some(place)) = (words.next(), words.next(), words.next()) else { continue };
        let place = place.rsplit_once(':').map_or(place, |(file, _)| file);
        found.entry(name.to_owned()).or_default().insert(place.to_owned());
    }
    assert!(!found.is_empty(), "nm prints nothing");
    Ok(found)
}

#[test]
fn no_symbol_is_defined_twice_and_all_are_whittles() -> Outcome {
    let symbols = defined(&with_ending(&prefix()?.join("lib"), "a")?)?;
    assert!(symbols.contains_key("whittle_flow_begin") && symbols.contains_key("whittle_onc_server_new"));
    let twice: Vec<_> = symbols.iter().filter(|(_, places)| places.len() > 1).collect();
    assert!(twice.is_empty(), "defined by several parts of the run time: {twice:?}");
    let is_ours = |name: &str| ["whittle_", "CORBA_", "PortableServer_", "POA_"].iter().any(|of| name.starts_with(of));
    let others: Vec<_> = symbols.keys().filter(|name| !is_ours(name)).collect();
    assert!(others.is_empty(), "names that may be somebody else's: {others:?}");
    Ok(())
}

#[test]
fn all_headers_together_are_cpp() -> Outcome {
    let scratch = Scratch::new("cpp")?;
    let unit = scratch.path().join("unit.cc");
    let orders = [HEADERS.to_vec(), HEADERS.into_iter().rev().collect()];
    for order in orders {
        let lines: String = order.iter().map(|header| format!("#include <{header}>\n")).collect();
        fs::write(&unit, format!("{lines}int main() {{ return 0; }}\n"))?;
        for compiler in ["g++", "clang++"] {
            let mut command = Command::new(compiler);
            command.args(["-std=c++17", "-Wall", "-Wextra", "-Werror", "-Wpedantic"]).arg(&unit);
            run(command
                .args(flags(&prefix()?, &["whittle", "whittle-rpc"])?)
                .arg("-o")
                .arg(scratch.path().join("unit")))?;
        }
    }
    Ok(())
}

/// Stubs over libtirpc need a run time of ours but in rpcgen's style: it may be a library, too.
#[test]
fn stubs_over_libtirpc_link_with_the_installed_run_time() -> Outcome {
    if !Path::new("/usr/include/tirpc/rpc/rpc.h").is_file() {
        return Ok(());
    }
    let scratch = Scratch::new("tirpc-installed")?;
    let flags = flags(&prefix()?, &["whittle-tirpc"])?;
    for style in ["plain", "corba"] {
        let folder = scratch.path().join(style);
        let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
        whittle.arg("compile").arg(direct().join("every.x")).args(["--style", style, "--link", "tirpc"]);
        run(whittle.args(["--runtime", "installed", "--out"]).arg(&folder))?;
        let names = fs::read_dir(&folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
        let names: Vec<String> = names.collect::<std::io::Result<_>>()?;
        assert!(!names.is_empty() && !names.iter().any(|name| name.starts_with("whittle_")), "{names:?}");
        let library = folder.join("every.so");
        let mut gcc = Command::new("gcc");
        gcc.args(STRICT).args(["-fPIC", "-shared", "-Wl,-z,defs", "-I"]).arg(&folder).args(sources(&folder)?);
        run(gcc.args(&flags).arg("-o").arg(&library)).map_err(|error| format!("{style}: {error}"))?;
    }
    Ok(())
}

/// What cannot be obeyed is refused, and nothing is written.
#[test]
fn a_run_time_that_cannot_be_installed_is_refused() -> Outcome {
    let scratch = Scratch::new("refused")?;
    for (input, options, why) in [
        (direct().join("every.x"), &["--style", "rpcgen"][..], "over `tirpc` the run time is libtirpc"),
        (direct().join("styles/mapped.idl"), &["--byte-order", "big"], "sends in the byte order of its host"),
    ] {
        let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
        let folder = scratch.path().join("out");
        whittle.arg("compile").arg(&input).args(options).args(["--runtime", "installed", "--out"]).arg(&folder);
        let output = whittle.output()?;
        assert_eq!(output.status.code(), Some(2), "{}: {}", input.display(), said(&output));
        assert!(said(&output).contains(why) && !folder.exists(), "{}: {}", input.display(), said(&output));
    }
    Ok(())
}
