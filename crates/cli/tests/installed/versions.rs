//! Generated code, headers and library of different versions do not become a program: where they are compiled, or linked.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use filetest::programs::{Outcome, run};
use filetest::scratch::Scratch;

use crate::{HEADERS, INTERFACES, direct, flows, prefix, said, sources, stubs};

/// What a program compiles once, whoever wrote it.
const NET: &str = "whittle_net.c";

/// A linker that leaves out what nobody calls sees it, too.
const LEAVING_OUT: [&str; 3] = ["-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"];

/// A copy of a file of the run time that says that it is of another version.
fn changed(from: &Path, to: &Path) -> Outcome {
    let text = fs::read_to_string(from)?.replace("RUNTIME_VERSION 2", "RUNTIME_VERSION 3").replace("!= 2", "!= 3");
    Ok(fs::write(to, text.replace("runtime_version_2", "runtime_version_3"))?)
}

/// The same of all headers.
fn of_another_version(prefix: &Path, folder: &Path) -> Outcome {
    let mut headers = HEADERS.into_iter().filter(|header| !header.starts_with("rpc/"));
    headers.try_for_each(|header| changed(&prefix.join("include/whittle").join(header), &folder.join(header)))
}

const OTHER_VERSION: &str = "#error \"this file was generated for version 2 of whittle's run time: generate it again, or install that version\"";
const OTHER_LIBRARY: &str = "undefined reference to `whittle_runtime_version_2'";

#[test]
fn headers_of_another_version_do_not_compile() -> Outcome {
    let (scratch, prefix) = (Scratch::new("other-headers")?, prefix()?);
    let (generated, headers) = (scratch.path().join("generated"), scratch.path().join("headers"));
    fs::create_dir_all(&headers)?;
    stubs(&generated, &["--runtime", "installed"])?;
    of_another_version(&prefix, &headers)?;
    flows::compile(&scratch.path().join("flow"), "installed")?;
    let generated = [sources(&generated)?, sources(&scratch.path().join("flow"))?].concat();
    for source in generated.into_iter().filter(|file| !is_of_rpcgens_style(file)) {
        let compiling = |headers: &Path| {
            let mut command = Command::new("gcc");
            command.args(["-std=gnu11", "-fsyntax-only", "-I"]).arg(headers).arg(&source).output()
        };
        let (right, wrong) = (compiling(&prefix.join("include/whittle"))?, compiling(&headers)?);
        assert!(right.status.success(), "{}", said(&right));
        let is_refused = !wrong.status.success() && said(&wrong).contains(OTHER_VERSION);
        assert!(is_refused, "{}: {}", source.display(), said(&wrong));
    }
    Ok(())
}

/// Its stubs are those for libtirpc, whatever they are compiled with.
fn is_of_rpcgens_style(file: &Path) -> bool {
    file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("old_"))
}

#[test]
fn headers_of_two_versions_do_not_compile_together() -> Outcome {
    let (scratch, prefix) = (Scratch::new("two-versions")?, prefix()?);
    of_another_version(&prefix, scratch.path())?;
    let unit = scratch.path().join("unit.c");
    let ours = prefix.join("include/whittle/whittle_onc_stubs.h");
    fs::write(&unit, format!("#include \"{}\"\n#include \"whittle_giop.h\"\n", ours.display()))?;
    let mut gcc = Command::new("gcc");
    let output = gcc.args(["-std=gnu11", "-fsyntax-only", "-I"]).arg(scratch.path()).arg(&unit).output()?;
    assert!(said(&output).contains("headers of two versions of whittle's run time"), "{}", said(&output));
    Ok(())
}

/// The library of another version, in a folder.
fn other_library(folder: &Path) -> Outcome<PathBuf> {
    let library = folder.join("libwhittle.a");
    let mut objcopy = Command::new("objcopy");
    objcopy.arg("--redefine-sym").arg("whittle_runtime_version_2=whittle_runtime_version_3");
    run(objcopy.arg(prefix()?.join("lib/libwhittle.a")).arg(&library))?;
    Ok(library)
}

#[test]
fn a_library_of_another_version_does_not_link() -> Outcome {
    let (scratch, prefix) = (Scratch::new("other-library")?, prefix()?);
    let library = other_library(scratch.path())?;
    for (interface, options) in INTERFACES {
        let folder = scratch.path().join(interface);
        let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
        whittle.arg("compile").arg(direct().join("styles").join(interface)).args(options);
        run(whittle.args(["--runtime", "installed", "--out"]).arg(&folder))?;
        let link = |library: &Path| -> Result<Output, Box<dyn Error>> {
            let mut gcc = Command::new("gcc");
            gcc.args(["-std=gnu11", "-w", "-shared", "-fPIC", "-Wl,--no-undefined", "-o"]).arg(folder.join("stubs.so"));
            gcc.arg("-I").arg(prefix.join("include/whittle")).arg("-I").arg(prefix.join("include/whittle/rpcgen"));
            Ok(gcc.args(sources(&folder)?).arg(library).args(LEAVING_OUT).arg("-pthread").output()?)
        };
        let (right, wrong) = (link(&prefix.join("lib/libwhittle.a"))?, link(&library)?);
        assert!(right.status.success(), "{interface}: {}", said(&right));
        assert_of_another_version(&wrong, interface);
    }
    Ok(())
}

/// The linker found the library to be of another version.
fn assert_of_another_version(output: &Output, what: &str) {
    let is_refused = !output.status.success() && said(output).contains(OTHER_LIBRARY);
    assert!(is_refused, "{what}: {}", said(output));
}

#[test]
fn a_flow_and_a_library_of_another_version_do_not_link() -> Outcome {
    let scratch = Scratch::new("other-flow-library")?;
    let library = other_library(scratch.path())?;
    let place = format!("LDFLAGS=-L{}", scratch.path().display());
    assert!(library.is_file());
    for transport in ["unix", "tcp"].into_iter().filter(|transport| *transport == "unix" || flows::has_keys()) {
        let folder = scratch.path().join(transport);
        flows::compile_over(transport, &folder, "installed")?;
        flows::make(&folder, "weather_Display")?;
        let output = flows::knowing("make")?.args(["weather_Sensor", &place, "-C"]).arg(&folder).output()?;
        assert_of_another_version(&output, transport);
    }
    Ok(())
}

/// What is generated of a flow has the same checks: its headers, and the network run time that its program links.
#[test]
fn a_flow_of_two_versions_is_no_program() -> Outcome {
    let scratch = Scratch::new("flow-version")?;
    let (own, other) = (scratch.path().join("flow"), scratch.path().join("other"));
    if !flows::has_keys() {
        return Ok(());
    }
    flows::compile(&own, "beside")?;
    fs::create_dir_all(&other)?;
    changed(&own.join(NET), &other.join(NET))?;
    changed(&own.join("whittle_net.h"), &other.join("whittle_net.h"))?;
    changed(&own.join("whittle_flow.h"), &other.join("whittle_flow.h"))?;
    for generated in ["weather_packets.c", "weather_packets.h", "weather_Sensor.main.c", "Sensor.h"] {
        fs::copy(own.join(generated), other.join(generated))?;
    }
    for generated in ["weather_packets.c", "weather_Sensor.main.c"] {
        let compiling = |folder: &Path| {
            Command::new("gcc").args(["-std=gnu11", "-fsyntax-only"]).arg(folder.join(generated)).output()
        };
        let (right, wrong) = (compiling(&own)?, compiling(&other)?);
        assert!(right.status.success(), "{}", said(&right));
        assert!(said(&wrong).contains(OTHER_VERSION), "{generated}: {}", said(&wrong));
    }
    let linking = |net: PathBuf| {
        let mut gcc = Command::new("gcc");
        gcc.args(["-std=gnu11", "-w", "-pthread", "-o"]).arg(own.join("sensor"));
        let mine = ["weather_Sensor.main.c", "Sensor.c", "weather_packets.c", "whittle_flow.c", "whittle_key.c"];
        gcc.args(mine.map(|name| own.join(name))).arg(net).args(LEAVING_OUT).arg("-lcrypto").output()
    };
    let (right, wrong) = (linking(own.join(NET))?, linking(other.join(NET))?);
    assert!(right.status.success(), "{}", said(&right));
    assert!(!wrong.status.success() && said(&wrong).contains(OTHER_LIBRARY), "{}", said(&wrong));
    Ok(())
}
