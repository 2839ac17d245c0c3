//! The implementations of Flick's workloads: stubs generated, everything compiled. A peer that this machine lacks is left
//! out and named.

use std::path::{Path, PathBuf};

use super::super::workshop::{Workshop, pkg_config};
use super::super::{Context, peers};
use super::{Built, sources};

/// How a peer is built.
type Build = fn(&Workshop, &Path, &mut Built) -> Result<(), Vec<String>>;

const PEERS: [(&str, Build); 6] = [
    ("omniORB", omniorb),
    ("protobuf", protobuf),
    ("protobuf-c", protobuf_c),
    ("Cap'n Proto", capnproto),
    ("FlatBuffers", flatbuffers),
    ("Cyclone DDS", cyclone),
];

/// Builds the peers of those names; what this machine lacks is installed, or left out and named.
pub(in super::super) fn build(context: &Context, workshop: &Workshop, names: &[&str], built: &mut Built) {
    peers::provide(names);
    for (name, build) in PEERS.iter().filter(|(name, _)| names.contains(name)) {
        let outcome = peers::attempt(name, || build(workshop, &sources(context), built));
        built.absent.extend(outcome.err());
    }
    built.absent.iter().for_each(|sentence| println!("bench: {sentence}"));
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
    let extension = if sources.join(format!("{name}.c")).is_file() { "c" } else { "cc" };
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

fn protobuf_c(workshop: &Workshop, sources: &Path, built: &mut Built) -> Result<(), Vec<String>> {
    let flags = pkg_config("--cflags", "libprotobuf-c").unwrap_or_default();
    let generate = ["--c_out=.".to_string(), format!("-I{}", sources.display()), file(sources, "flick.proto")];
    let objects = peer(workshop, sources, "protobuf_c", ("protoc-c", &generate), Some("flick.pb-c.c"), flags)?;
    add(built, objects, "libprotobuf-c");
    Ok(())
}

fn capnproto(workshop: &Workshop, sources: &Path, built: &mut Built) -> Result<(), Vec<String>> {
    let flags = pkg_config("--cflags", "capnp").unwrap_or_default();
    let prefix = format!("--src-prefix={}", sources.display());
    let generate = ["compile".to_string(), "-oc++:.".to_string(), prefix, file(sources, "flick.capnp")];
    let objects = peer(workshop, sources, "capnproto", ("capnp", &generate), Some("flick.capnp.c++"), flags)?;
    add(built, objects, "capnp");
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
