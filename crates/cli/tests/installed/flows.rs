//! Flows over the installed run time: written without copies of it, built by Makefile and CMake, run, and free of libraries that
//! their edges do not need.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use filetest::ports::Ports;
use filetest::programs::{Outcome, is_installed, run};
use filetest::scratch::Scratch;

use crate::{direct, flags, prefix, said, sources};

/// Whether this machine can have edges over TCP: OpenSSL's headers are here.
pub(crate) fn has_keys() -> bool {
    Path::new("/usr/include/openssl/evp.h").is_file()
}

/// Writes the C of a flow of two processes beside what its user wrote. Out: the flow's file.
pub(crate) fn compile(folder: &Path, runtime: &str) -> Outcome<PathBuf> {
    compile_over("tcp", folder, runtime)
}

pub(crate) fn compile_over(transport: &str, folder: &Path, runtime: &str) -> Outcome<PathBuf> {
    fs::create_dir_all(folder)?;
    for middle in ["Sensor.c", "Display.c"] {
        fs::copy(direct().join("styles").join(middle), folder.join(middle))?;
    }
    let (text, flow) = (fs::read_to_string(direct().join("styles/weather.spi"))?, folder.join("weather.spi"));
    fs::write(&flow, text.replace("via tcp", &format!("via {transport}")))?;
    let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
    run(whittle.arg("compile").arg(&flow).args(["--runtime", runtime, "--out"]).arg(folder))?;
    Ok(flow)
}

/// The sources of the process that sends, but those of the run time that stand in another folder, too, where they are the same.
pub(crate) fn only_there(folder: &Path, other: &Path) -> Outcome<Vec<PathBuf>> {
    let mut wanted = Vec::new();
    for source in sources(folder)?.into_iter().filter(|source| !source.to_string_lossy().contains("Display")) {
        let twin = other.join(source.file_name().ok_or("no name")?);
        match twin.is_file() {
            true => assert_eq!(fs::read(source)?, fs::read(twin)?, "the same, whichever is compiled"),
            false => wanted.push(source),
        }
    }
    Ok(wanted)
}

/// Has the installed run time where pkg-config looks.
pub(crate) fn knowing(program: &str) -> Outcome<Command> {
    let mut command = Command::new(program);
    command.env("PKG_CONFIG_PATH", prefix()?.join("lib/pkgconfig")).env_remove("MAKEFLAGS");
    Ok(command)
}

/// Builds a program of a flow as its Makefile says.
pub(crate) fn make(folder: &Path, program: &str) -> Outcome {
    run(knowing("make")?.args(["-s", "CFLAGS=-O1 -Wall -Wextra -Werror", "-C"]).arg(folder).arg(program))
}

/// That what one process sends comes to the other.
pub(crate) fn runs(folder: &Path, sender: &Path, receiver: &Path) -> Outcome {
    let ports = Ports::take()?;
    let start = |program: &Path| {
        let mut process = Command::new("timeout");
        process.arg("60").arg(program).args(["--port", &ports.first.to_string(), "--dir"]).arg(folder.join("run"));
        process.env_remove("WHITTLE_KEY").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
    };
    let (receiver, sender) = (start(receiver)?, start(sender)?);
    let ends = [sender.wait_with_output()?, receiver.wait_with_output()?];
    assert!(ends.iter().all(|end| end.status.success()), "{ends:?}");
    assert_eq!(String::from_utf8_lossy(&ends[1].stdout), "321\n");
    Ok(())
}

fn run_time_files(folder: &Path) -> Outcome<Vec<String>> {
    let names = fs::read_dir(folder)?.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    Ok(names.filter(|name| name.starts_with("whittle_")).collect())
}

#[test]
fn a_flow_is_built_and_run_with_the_installed_run_time() -> Outcome {
    for transport in ["unix", "tcp"].into_iter().filter(|transport| *transport == "unix" || has_keys()) {
        let (scratch, ports) = (Scratch::new("installed-flow")?, Ports::take()?);
        let (folder, flow) = (scratch.path(), compile_over(transport, scratch.path(), "installed")?);
        let mut whittle = knowing(env!("CARGO_BIN_EXE_whittle"))?;
        whittle.args(["pipe", "run"]).arg(flow).args(["--runtime", "installed", "--out"]).arg(folder);
        whittle.args(["--port", &ports.first.to_string(), "--dir"]).arg(folder.join("run"));
        let output = whittle.env_remove("WHITTLE_KEY").output()?;
        assert!(output.status.success(), "{}", said(&output));
        assert!(String::from_utf8_lossy(&output.stdout).starts_with("321\n"), "{output:?}");
        assert_eq!(run_time_files(folder)?, [""; 0]);
    }
    Ok(())
}

#[test]
fn cmake_builds_a_flow_with_the_run_time_in_either_place() -> Outcome {
    if !is_installed("cmake") || !has_keys() {
        return Ok(());
    }
    for runtime in ["beside", "installed"] {
        let scratch = Scratch::new("cmake-flow")?;
        let (folder, build) = (scratch.path(), scratch.path().join("build"));
        compile(folder, runtime)?;
        run(knowing("cmake")?.arg("-S").arg(folder).arg("-B").arg(&build))?;
        run(knowing("cmake")?.arg("--build").arg(&build))?;
        runs(folder, &build.join("weather_Sensor"), &build.join("weather_Display"))?;
    }
    Ok(())
}

/// There is no server here: the program is linked.
#[test]
fn a_flow_over_nats_is_linked_with_the_installed_run_time() -> Outcome {
    if !Path::new("/usr/include/nats/nats.h").is_file() || !has_keys() {
        return Ok(());
    }
    let scratch = Scratch::new("installed-nats")?;
    compile_over("nats", scratch.path(), "installed")?;
    make(scratch.path(), "weather_Sensor")?;
    assert!(needed(&scratch.path().join("weather_Sensor"))?.contains("libnats"));
    Ok(())
}

/// In a domain that other tests may be in: the program is linked.
#[test]
fn a_flow_over_dds_is_linked_with_the_installed_run_time() -> Outcome {
    if !Path::new("/usr/include/dds/dds.h").is_file() {
        return Ok(());
    }
    let scratch = Scratch::new("installed-dds")?;
    compile_over("dds", scratch.path(), "installed")?;
    make(scratch.path(), "weather_Sensor")?;
    let needed = needed(&scratch.path().join("weather_Sensor"))?;
    assert!(needed.contains("libddsc") && !needed.contains("libcrypto"), "{needed}");
    Ok(())
}

/// The libraries that a program is loaded with.
fn needed(program: &Path) -> Outcome<String> {
    let Output { stdout, .. } = Command::new("readelf").arg("-d").arg(program).output()?;
    let text = String::from_utf8(stdout)?;
    assert!(text.contains("(NEEDED)"), "readelf prints nothing");
    Ok(text)
}

/// Users of interfaces, and of flows on one machine, link no library but whittle's and the C library.
#[test]
fn keys_alone_bring_libcrypto() -> Outcome {
    let others = flags(&prefix()?, &["whittle", "whittle-rpc", "whittle-flow"])?;
    assert!(!others.iter().any(|flag| flag.contains("crypto") || flag.contains("nats")), "{others:?}");
    for library in ["libwhittle.a", "libwhittle_flow.a"] {
        let wanted = Command::new("nm").arg("-u").arg(prefix()?.join("lib").join(library)).output()?;
        let wanted = String::from_utf8(wanted.stdout)?;
        assert!(wanted.contains("malloc") && !wanted.contains("EVP_"), "{library}: {wanted}");
    }
    let scratch = Scratch::new("no-keys")?;
    compile_over("unix", scratch.path(), "installed")?;
    make(scratch.path(), "weather_Sensor")?;
    assert!(!needed(&scratch.path().join("weather_Sensor"))?.contains("libcrypto"));
    Ok(())
}

#[test]
fn without_the_package_make_says_what_is_missing() -> Outcome {
    let scratch = Scratch::new("no-package")?;
    compile_over("unix", scratch.path(), "installed")?;
    let make = |goal: &str| -> Outcome<Output> {
        let mut make = Command::new("make");
        make.args([goal, "-C"]).arg(scratch.path()).env_remove("MAKEFLAGS");
        Ok(make.env("PKG_CONFIG_LIBDIR", scratch.path()).env_remove("PKG_CONFIG_PATH").output()?)
    };
    let output = make("all")?;
    let said = said(&output);
    assert!(!output.status.success() && said.contains("no whittle-flow.pc is found"), "{said}");
    assert!(!said.contains("fatal error"), "no compiler runs: {said}");
    assert!(make("clean")?.status.success());
    Ok(())
}
