//! The bench `protobuf`: protobuf's wire format by `whittle compile --link none --encoding protobuf`, beside protobuf-c and C++ protobuf,
//! on Flick's workloads as varints. In: `bench/workloads`. Out: times in which all implementations took turns.

use super::summary::{self, Subject};
use super::workloads::{self, Built, WORKLOADS, sources};
use super::workshop::{Workshop, pkg_config};
use super::{Context, Outcome};

const BENCH: &str = "protobuf";
const BASE: &str = "protobuf-c";
const TEXT: &str = "One message in memory, application bytes per second of processor time; medians of 21 rounds over three link \
    orders, all implementations in one pinned process, ratios taken within rounds. Integers are `int32`, of any size and sign. All \
    decode into fresh storage and free it. whittle's encoding checks for room as it writes; protobuf-c's `pack` does not ask, and \
    protobuf-c-sized asks `get_packed_size` before it.";
/// A small message, about a thousand numbers, nested directory entries.
const SIZES: [(&str, u64); 6] =
    [("ints", 64), ("ints", 4096), ("rects", 64), ("rects", 4096), ("dirents", 1024), ("dirents", 16384)];

/// Builds and measures.
pub(super) fn run(context: &Context) -> Result<Outcome, Vec<String>> {
    super::peers::provide(&["protobuf", "protobuf-c"]);
    let workshop = Workshop::new(context.results.join(BENCH))?;
    let built = build(context, &workshop)?;
    let samples = workloads::measure(context, &workshop, &built, BENCH, &SIZES)?;
    let mut outcome = Outcome { rows: Vec::new(), sections: Vec::new() };
    for (workload, words) in WORKLOADS {
        for direction in ["encode", "decode"] {
            let (title, cell) = (format!("protobuf: {direction} {words}"), format!("{workload}-{direction}"));
            let subject = Subject { bench: BENCH, base: BASE, workload: &cell, title, text: TEXT };
            summary::report(&samples, subject, &workloads::THROUGHPUT, &mut outcome);
        }
    }
    Ok(outcome)
}

fn build(context: &Context, workshop: &Workshop) -> Result<Built, Vec<String>> {
    let (sources, folder) = (sources(context), workshop.subfolder("made")?);
    let mut built = workloads::timer(context, workshop)?;
    let text = |name: &str| std::fs::read_to_string(sources.join(name)).map_err(|problem| vec![problem.to_string()]);
    // Numbers as most have them.
    let proto = text("flick.proto")?.replace("sfixed32", "int32");
    std::fs::write(folder.join("flick.proto"), proto).map_err(|problem| vec![problem.to_string()])?;
    let whittle = context.whittle.display().to_string();
    let description = sources.join("flick.x").display().to_string();
    let call = ["compile", &description, "--link", "none", "--encoding", "protobuf", "--out", "."];
    workshop.run(&folder, &whittle, &call)?;
    workshop.run(&folder, "protoc-c", &["--c_out=.", "flick.proto"])?;
    workshop.run(&folder, "protoc", &["--cpp_out=.", "flick.proto"])?;
    let flags: Vec<String> =
        ["-w".to_string(), format!("-I{}", folder.display()), format!("-I{}", sources.display())].into();
    let who = |name: &str| [&flags[..], &[format!("-DWHO=\"{name}\"")]].concat();
    let measured = [who("protobuf-c-sized"), vec!["-DMEASURED".to_string()]].concat();
    for (source, object, flags) in [
        (folder.join("flick_codec.c"), "codec_made.o", &flags),
        (sources.join("codec.c"), "codec.o", &who("whittle")),
        (folder.join("flick.pb-c.c"), "protobuf_c_made.o", &flags),
        (sources.join("protobuf_c.c"), "protobuf_c.o", &flags),
        (sources.join("protobuf_c.c"), "protobuf_c_sized.o", &measured),
        (folder.join("flick.pb.cc"), "protobuf_made.o", &flags),
        (sources.join("protobuf.cc"), "protobuf.o", &flags),
    ] {
        built.objects.push(workshop.compile(&source, object, flags)?);
    }
    for library in ["libprotobuf-c", "protobuf"] {
        built.libraries.extend(pkg_config("--libs", library).unwrap_or_default());
    }
    Ok(built)
}
