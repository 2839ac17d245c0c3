//! The run time as an installed library, beside the same as files that stand beside what is generated: one program has interfaces
//! in every style and over every link, nothing is defined twice, and generated code, headers and library of different versions
//! do not become a program.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
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
const HEADERS: [&str; 7] = [
    "whittle_onc.h",
    "whittle_onc_stubs.h",
    "whittle_corba.h",
    "whittle_giop.h",
    "whittle_iiop.h",
    "whittle_iiop_stubs.h",
    "rpc/rpc.h",
];

/// What a program compiles once, whoever wrote it.
const NET: &str = "whittle_net.c";

/// Of the compiler and the linker: whatever is defined twice is an error.
const STRICT: [&str; 7] =
    ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fno-common", "-Wl,--fatal-warnings", "-pthread"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn direct() -> PathBuf {
    root().join("tests/direct")
}

/// A prefix with the library, made once, in cargo's folder for tests.
fn prefix() -> Outcome<PathBuf> {
    static PREFIX: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    Ok(PREFIX.get_or_init(|| installed().map_err(|error| error.to_string())).clone()?)
}

fn installed() -> Outcome<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("installed");
    let variable = |name: &str, part: &str| format!("{name}={}", folder.join(part).display());
    let mut make = Command::new("make");
    make.arg("-C").arg(root().join("runtime")).args(["install", "CFLAGS=-O1 -Wall -Wextra -Werror"]);
    make.arg(format!("WHITTLE={}", env!("CARGO_BIN_EXE_whittle")));
    run(make.args([variable("BUILD", "build"), variable("PREFIX", "prefix")]).env_remove("MAKEFLAGS"))?;
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

/// The run time of a flow with an edge over TCP, the network run time under it, and its packets; nothing where OpenSSL's headers are
/// not here.
fn flow(folder: &Path) -> Outcome<Vec<PathBuf>> {
    if !Path::new("/usr/include/openssl/evp.h").is_file() {
        return Ok(Vec::new());
    }
    let (text, own) = (folder.join("weather.spi"), folder.join("flow"));
    let pipes = "pipe Sensor { out Reading r; middle measure; } pipe Display { in Reading r; middle display; }";
    fs::write(
        &text,
        format!("packet Reading {{ uint32 n; }} {pipes} flow weather {{ Sensor -> Display via tcp; }}\n"),
    )?;
    run(Command::new(env!("CARGO_BIN_EXE_whittle")).arg("compile").arg(&text).arg("--out").arg(&own))?;
    Ok(["whittle_flow.c", "whittle_key.c", NET, "weather_packets.c"].map(|name| own.join(name)).into())
}

/// The sources in a folder, in order.
fn sources(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let files: Result<Vec<PathBuf>, _> = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect();
    let mut files: Vec<PathBuf> =
        files?.into_iter().filter(|file| file.extension().is_some_and(|e| e == "c")).collect();
    files.sort();
    Ok(files)
}

/// What pkg-config says of both packages.
fn flags(prefix: &Path) -> Outcome<Vec<String>> {
    let mut asked = Command::new("pkg-config");
    asked.args(["--cflags", "--libs", "whittle", "whittle-rpc"]);
    let said = asked.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig")).output()?;
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    Ok(String::from_utf8(said.stdout)?.split_whitespace().map(str::to_owned).collect())
}

/// Compiles and links one program of all that is in a folder.
fn program(folder: &Path, compiler: &str, flags: &[String]) -> Outcome<Output> {
    let mut command = Command::new(compiler);
    command.args(STRICT).arg("-O1").arg("-I").arg(folder).arg("-I").arg(direct());
    let (stubs, flow) = (sources(folder)?, flow(folder)?);
    let is_there = |file: &&PathBuf| stubs.iter().any(|stub| stub.file_name() == file.file_name());
    let (twice, flow): (Vec<&PathBuf>, Vec<&PathBuf>) = flow.iter().partition(is_there);
    for file in twice.into_iter().filter_map(|file| Some((file, folder.join(file.file_name()?)))) {
        assert_eq!(fs::read(file.0)?, fs::read(file.1)?, "the same, whichever is compiled");
    }
    command.arg(direct().join("styles/styles.c")).args(&stubs).args(&flow).args(flags);
    command.args((!flow.is_empty()).then_some("-lcrypto"));
    Ok(command.arg("-o").arg(folder.join("styles")).output()?)
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// That the program is made, and does what it should.
fn works(folder: &Path, flags: &[String]) -> Outcome {
    let made = program(folder, "gcc", flags)?;
    assert!(made.status.success(), "{}", said(&made));
    run(Command::new("timeout").arg("60").arg(folder.join("styles")))
}

#[test]
fn every_style_is_one_program_with_the_run_time_beside_it() -> Outcome {
    let scratch = Scratch::new("beside")?;
    stubs(scratch.path(), &["--runtime", "beside"])?;
    works(scratch.path(), &[])
}

#[test]
fn every_style_is_one_program_with_the_installed_run_time() -> Outcome {
    let scratch = Scratch::new("linked")?;
    stubs(scratch.path(), &["--runtime", "installed"])?;
    let of_run_time = |name: &String| name.starts_with("whittle_") || name == "rpc";
    assert_eq!(scratch.names().into_iter().filter(of_run_time).collect::<Vec<String>>(), [""; 0]);
    works(scratch.path(), &flags(&prefix()?)?)
}

/// Programs may include the installed headers with either `#include`, and get the stubs' own.
#[test]
fn what_is_installed_is_what_stands_beside() -> Outcome {
    let (scratch, prefix) = (Scratch::new("same")?, prefix()?);
    stubs(scratch.path(), &[])?;
    for header in HEADERS {
        let folder = prefix.join(if header.starts_with("rpc/") { "include/whittle/rpcgen" } else { "include/whittle" });
        assert_eq!(fs::read(folder.join(header))?, fs::read(scratch.path().join(header))?, "{header}");
    }
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
    let scratch = Scratch::new("symbols")?;
    let mut objects = vec![prefix()?.join("lib/libwhittle.a")];
    let is_of_flows = |source: &PathBuf| source.to_string_lossy().contains("whittle_") && !source.ends_with(NET);
    for source in flow(scratch.path())?.into_iter().filter(is_of_flows) {
        let object = source.with_extension("o");
        run(Command::new("gcc").args(["-std=gnu11", "-fno-common", "-c"]).arg(&source).arg("-o").arg(&object))?;
        objects.push(object);
    }
    let symbols = defined(&objects)?;
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
            run(command.args(flags(&prefix()?)?).arg("-o").arg(scratch.path().join("unit")))?;
        }
    }
    Ok(())
}

/// What cannot be obeyed is refused, and nothing is written.
#[test]
fn a_run_time_that_cannot_be_installed_is_refused() -> Outcome {
    let scratch = Scratch::new("refused")?;
    let flow = scratch.path().join("weather.spi");
    fs::write(&flow, "pipe Idle { middle idle; }\n")?;
    for (input, options, why) in [
        (direct().join("every.x"), &["--style", "rpcgen"][..], "over `tirpc` the run time is libtirpc"),
        (direct().join("styles/mapped.idl"), &["--byte-order", "big"], "sends in the byte order of its host"),
        (flow, &[], "`--runtime installed` is for interfaces"),
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
    for source in sources(&generated)?.into_iter().filter(|file| !is_of_rpcgens_style(file)) {
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

#[test]
fn a_library_of_another_version_does_not_link() -> Outcome {
    let (scratch, prefix) = (Scratch::new("other-library")?, prefix()?);
    let library = scratch.path().join("libwhittle.a");
    let mut objcopy = Command::new("objcopy");
    objcopy.arg("--redefine-sym").arg("whittle_runtime_version_2=whittle_runtime_version_3");
    run(objcopy.arg(prefix.join("lib/libwhittle.a")).arg(&library))?;
    for (interface, options) in INTERFACES {
        let folder = scratch.path().join(interface);
        let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
        whittle.arg("compile").arg(direct().join("styles").join(interface)).args(options);
        run(whittle.args(["--runtime", "installed", "--out"]).arg(&folder))?;
        let link = |library: &Path| -> Result<Output, Box<dyn Error>> {
            let mut gcc = Command::new("gcc");
            gcc.args(["-std=gnu11", "-w", "-shared", "-fPIC", "-Wl,--no-undefined", "-o"]).arg(folder.join("stubs.so"));
            gcc.arg("-I").arg(prefix.join("include/whittle")).arg("-I").arg(prefix.join("include/whittle/rpcgen"));
            Ok(gcc.args(sources(&folder)?).arg(library).arg("-pthread").output()?)
        };
        let (right, wrong) = (link(&prefix.join("lib/libwhittle.a"))?, link(&library)?);
        assert!(right.status.success(), "{interface}: {}", said(&right));
        let is_refused = !wrong.status.success() && said(&wrong).contains(OTHER_LIBRARY);
        assert!(is_refused, "{interface}: {}", said(&wrong));
    }
    Ok(())
}

/// What is generated of a flow has the same checks: its headers, and the network run time that its program links.
#[test]
fn a_flow_of_two_versions_is_no_program() -> Outcome {
    let scratch = Scratch::new("flow-version")?;
    let (own, other) = (scratch.path().join("flow"), scratch.path().join("other"));
    if flow(scratch.path())?.is_empty() {
        return Ok(());
    }
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
        gcc.args(mine.map(|name| own.join(name))).arg(net).arg("-lcrypto").output()
    };
    let (right, wrong) = (linking(own.join(NET))?, linking(other.join(NET))?);
    assert!(right.status.success(), "{}", said(&right));
    assert!(!wrong.status.success() && said(&wrong).contains(OTHER_LIBRARY), "{}", said(&wrong));
    Ok(())
}
