//! Types of imported interface files: rpcgen's presentation, other routines. They write what libtirpc's streams carry, and
//! whatever they are given, nothing is left allocated.

use cast::File;
use filetest::oracle::{Compilation, STRICT, find, flags_of};
use filetest::programs::CHECKED;
use filetest::scratch::Scratch;
use present::rpcgen;
use source::SourceMap;

use crate::compiles::{compilers, write};
use crate::inputs::{optional_passes, presented};

const INTERFACE: &str = include_str!("imported.x");
const DRIVER: &str = include_str!("imported.c");
const FLOW: &str = "import \"types/imported.x\";
packet Holder {
  uint8 n;
  direntry entries[<= 5 used n];
  plain at[2];
  direntseq all;
  list nodes[<= 3];
}
pipe More { out node n; out list l; out direntseq d; out plain p; out tree t; middle more; }";

/// The header and the routines for libtirpc's streams.
fn interface(folder: &Scratch) {
    let mut map = SourceMap::new();
    let file = map.add_preprocessed("imported.x", INTERFACE);
    let (aoi, _) = front_onc::parse(&map, file, &front_onc::Options::default());
    let mut options = rpcgen::Options::new("imported");
    options.header = Some(cast::IncludePath::literal("imported.h"));
    let (pres, findings) = rpcgen::present(&aoi, &options);
    assert!(findings.iter().all(|finding| !finding.is_error()));
    let routines = stubs::marshal::marshal(&pres, &stubs::marshal::Options::default(), &mut |_, _| {});
    let files = [("imported.h", File { declarations: pres.header.clone() }), ("imported_xdr.c", routines)];
    for (name, file) in files {
        std::fs::write(folder.path().join(name), cast::print_file(&file)).expect("a file in a scratch folder");
    }
}

fn check(no_opt: &[String]) {
    let input = presented(FLOW, &[("types/imported.x", INTERFACE)]);
    let folder = Scratch::new("flow-imported").expect("a scratch folder");
    write(&input, no_opt, &folder);
    interface(&folder);
    std::fs::write(folder.path().join("driver.c"), DRIVER).expect("a file in a scratch folder");
    let sources = ["packets.c", "version.c", "imported_xdr.c", "driver.c"].map(|name| folder.path().join(name));
    for compiler in compilers() {
        let program = folder.path().join(compiler);
        let compilation = Compilation::new(compiler).with(STRICT).with(CHECKED).with_tirpc();
        let failed = |what: &str| panic!("{compiler}, without {no_opt:?}: {what}");
        if let Err(problem) = compilation.program(&sources, &program) {
            failed(problem.message().unwrap_or_default());
        }
        // No count may make a decoder allocate much more than it was given.
        let most = "max_allocation_size_mb=2";
        let output =
            std::process::Command::new(&program).env("ASAN_OPTIONS", most).output().expect("a program that runs");
        if !output.status.success() || !output.stderr.is_empty() {
            failed(&String::from_utf8_lossy(&output.stderr));
        }
    }
}

#[test]
fn imported_types_travel_as_on_streams() {
    if find("pkg-config").is_none() || flags_of("libtirpc", "--libs").is_empty() {
        return;
    }
    check(&[]);
    check(&optional_passes());
}

/// What no packet needs is not there: it would be a warning.
#[test]
fn files_hold_what_their_packets_need() {
    if find("pkg-config").is_none() || flags_of("libtirpc", "--libs").is_empty() {
        return;
    }
    for ty in ["direntry", "direntseq", "list", "tree", "value", "plain", "colour", "name"] {
        let text = format!("import \"imported.x\";\npacket One {{ {ty} x; {ty} more[<= 2]; }}");
        let input = presented(&text, &[("imported.x", INTERFACE)]);
        let folder = Scratch::new("flow-needs").expect("a scratch folder");
        write(&input, &[], &folder);
        interface(&folder);
        let compilation = Compilation::new("gcc").with(STRICT).with_tirpc();
        let done = compilation.object(&folder.path().join("packets.c"), &folder.path().join("packets.o"));
        done.unwrap_or_else(|problem| panic!("{ty}: {}", problem.message().unwrap_or_default()));
    }
}
