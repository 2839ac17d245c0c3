//! The implementations of Flick's workloads: stubs generated, everything compiled. A peer that this machine lacks is left
//! out and named.

use std::path::{Path, PathBuf};

use super::super::workshop::{Workshop, pkg_config};
use super::super::{Context, machine, peers};

/// The entries of the stubs, which are renamed so that several sets of stubs can live in one program.
const ENTRIES: [&str; 10] = [
    "intseq",
    "point",
    "rect",
    "rectseq",
    "stat_info",
    "direntry",
    "direntseq",
    "intseq_in_arena",
    "rectseq_in_arena",
    "direntseq_in_arena",
];

/// What was built.
pub(super) struct Built {
    pub(super) objects: Vec<PathBuf>,
    pub(super) libraries: Vec<String>,
    /// What is absent, in sentences.
    pub(super) absent: Vec<String>,
    /// Folders with `flick.h` and `flick_xdr.c`, for whole calls.
    pub(super) stubs: Vec<(&'static str, PathBuf)>,
}

/// Compiles all there is.
pub(super) fn build(context: &Context, workshop: &Workshop) -> Result<Built, Vec<String>> {
    // What cannot be had is reported below, peer by peer.
    peers::provide(&["rpcgen", "omniORB", "protobuf", "FlatBuffers", "Cyclone DDS"]);
    let sources = context.sources.join("drop-in");
    let mut built = Built { objects: Vec::new(), libraries: Vec::new(), absent: Vec::new(), stubs: Vec::new() };
    for name in ["main", "memory", "hand"] {
        built.objects.push(workshop.compile(&sources.join(format!("{name}.c")), &format!("{name}.o"), &[])?);
    }
    let tirpc = pkg_config("--cflags", "libtirpc").unwrap_or_default();
    built.libraries.extend(pkg_config("--libs", "libtirpc").unwrap_or_default());
    stubs(context, workshop, &sources, &tirpc, &mut built)?;
    type Peer = fn(&Workshop, &Path, &mut Built) -> Result<(), Vec<String>>;
    let all: [(&str, Peer); 4] =
        [("omniORB", omniorb), ("protobuf", protobuf), ("FlatBuffers", flatbuffers), ("Cyclone DDS", cyclone)];
    for (name, peer) in all {
        let outcome = peers::attempt(name, || peer(workshop, &sources, &mut built));
        built.absent.extend(outcome.err());
    }
    built.absent.iter().for_each(|sentence| println!("bench: {sentence}"));
    Ok(built)
}

/// rpcgen's stubs, the same with its inlining at the lowest threshold, and whittle's.
fn stubs(
    context: &Context,
    workshop: &Workshop,
    sources: &Path,
    tirpc: &[String],
    built: &mut Built,
) -> Result<(), Vec<String>> {
    let whittle = context.whittle.display().to_string();
    let rpcgen = std::env::var("RPCGEN").unwrap_or_else(|_| "rpcgen".to_string());
    let mut sets: Vec<(&'static str, &str, String, Vec<&str>)> =
        vec![("whittle", "whittle", whittle, vec!["rpcgen", "--server-arena", "flick.x"])];
    if machine::first_line(&rpcgen, &["--version"]).starts_with("rpcgen") {
        sets.push(("rpcgen", "rpcgen", rpcgen.clone(), vec!["flick.x"]));
        sets.push(("rpcgen-i1", "rpcgen_i1", rpcgen, vec!["-i", "1", "flick.x"]));
    } else {
        built.absent.push(peers::absence("rpcgen", &[]));
    }
    for (who, name, program, arguments) in sets {
        let folder = workshop.subfolder(who)?;
        workshop.copy(&sources.join("flick.x"), &folder)?;
        workshop.run(&folder, &program, &arguments)?;
        let mut flags: Vec<String> = ENTRIES.iter().map(|entry| format!("-Dxdr_{entry}={name}_xdr_{entry}")).collect();
        flags.extend(["-w".to_string(), format!("-I{}", folder.display()), format!("-I{}", sources.display())]);
        flags.extend_from_slice(tirpc);
        built.objects.push(workshop.compile(&folder.join("flick_xdr.c"), &format!("{name}_xdr.o"), &flags)?);
        let driver = sources.join("xdr.c");
        flags.extend([format!("-DNAME={name}"), format!("-DWHO=\"{who}\"")]);
        built.objects.push(workshop.compile(&driver, &format!("{name}.o"), &flags)?);
        if who == "whittle" {
            let count = flags.len();
            flags.truncate(count - 2);
            flags.extend(["-DNAME=whittle_arena", "-DWHO=\"whittle-arena\"", "-DIN_ARENA"].map(str::to_string));
            built.objects.push(workshop.compile(&driver, "whittle_arena.o", &flags)?);
        }
        if who != "rpcgen-i1" {
            built.stubs.push((who, folder));
        }
    }
    Ok(())
}

/// Generates with a peer's compiler, then compiles what it wrote and our driver.
fn peer(
    workshop: &Workshop,
    sources: &Path,
    name: &str,
    generate: (&str, &[String]),
    generated: Option<&str>,
    flags: Vec<String>,
) -> Result<Vec<PathBuf>, Vec<String>> {
    let folder = workshop.subfolder(name)?;
    workshop.run(&folder, generate.0, generate.1)?;
    let mut flags = flags;
    flags.extend(["-w".to_string(), format!("-I{}", folder.display()), format!("-I{}", sources.display())]);
    let mut objects = Vec::new();
    if let Some(generated) = generated {
        objects.push(workshop.compile(&folder.join(generated), &format!("{name}_generated.o"), &flags)?);
    }
    let extension = if name == "cyclone" { "c" } else { "cc" };
    objects.push(workshop.compile(&sources.join(format!("{name}.{extension}")), &format!("{name}.o"), &flags)?);
    Ok(objects)
}

fn file(sources: &Path, name: &str) -> String {
    sources.join(name).display().to_string()
}

fn add(built: &mut Built, objects: Vec<PathBuf>, package: &str) {
    built.objects.extend(objects);
    built.libraries.extend(pkg_config("--libs", package).unwrap_or_default());
}

fn omniorb(workshop: &Workshop, sources: &Path, built: &mut Built) -> Result<(), Vec<String>> {
    let flags = pkg_config("--cflags", "omniORB4").unwrap_or_default();
    let generate = ["-bcxx".to_string(), file(sources, "flick.idl")];
    let objects = peer(workshop, sources, "omniorb", ("omniidl", &generate), Some("flickSK.cc"), flags)?;
    add(built, objects, "omniORB4");
    Ok(())
}

fn protobuf(workshop: &Workshop, sources: &Path, built: &mut Built) -> Result<(), Vec<String>> {
    let flags = pkg_config("--cflags", "protobuf").unwrap_or_default();
    let generate = ["--cpp_out=.".to_string(), format!("-I{}", sources.display()), file(sources, "flick.proto")];
    let objects = peer(workshop, sources, "protobuf", ("protoc", &generate), Some("flick.pb.cc"), flags)?;
    add(built, objects, "protobuf");
    Ok(())
}

fn flatbuffers(workshop: &Workshop, sources: &Path, built: &mut Built) -> Result<(), Vec<String>> {
    let generate = ["--cpp".to_string(), file(sources, "flick.fbs")];
    built.objects.extend(peer(workshop, sources, "flatbuffers", ("flatc", &generate), None, Vec::new())?);
    Ok(())
}

fn cyclone(workshop: &Workshop, sources: &Path, built: &mut Built) -> Result<(), Vec<String>> {
    let flags = pkg_config("--cflags", "CycloneDDS").unwrap_or_default();
    let generate = ["-l".to_string(), "c".to_string(), file(sources, "flick_dds.idl")];
    let objects = peer(workshop, sources, "cyclone", ("idlc", &generate), Some("flick_dds.c"), flags)?;
    add(built, objects, "CycloneDDS");
    Ok(())
}
