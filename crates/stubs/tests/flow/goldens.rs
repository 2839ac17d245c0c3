//! The C of some packets, beside their description.

use cast::Declaration;
use filetest::golden::{self, Golden};

use crate::inputs::{presented, root};

const BLESS: &str = "BLESS=1 cargo test -p stubs --test flow";

/// A machine with another order of bytes, or other gaps, does not take these for its own.
#[test]
fn packets_without_gaps_travel_as_they_lie() {
    let text = std::fs::read_to_string(root().join("tests/stubs/flow/packets.spi")).expect("the description");
    let input = presented(&text, &[]);
    let uses = input.uses();
    let in_place = uses.iter().filter(|of| stubs::links::flow::is_in_place(&input.pres, of));
    let names: Vec<String> = in_place.map(|of| format!("{} {}", of.packet.name, of.encoding.name())).collect();
    assert_eq!(
        names,
        [
            "Point native",
            "Point cdr_native",
            "Frame native",
            "Frame cdr_native",
            "Track native",
            "Track cdr_native",
            "Tick native",
            "Tick cdr_native",
        ]
    );
}

#[test]
fn packets_in_c() {
    let folder = root().join("tests/stubs/flow");
    let text = std::fs::read_to_string(folder.join("packets.spi")).expect("the description");
    let input = presented(&text, &[]);
    let mut file = input.packets(&[]);
    let is_runtime =
        |declaration: &Declaration| matches!(declaration, Declaration::Verbatim(text) if text.contains("WHITTLE_"));
    file.declarations.retain(|declaration| !is_runtime(declaration));
    let pres = pres::text::print(&input.pres);
    for (ending, actual) in [("pres", pres), ("h", input.header()), ("c", cast::print_file(&file))] {
        let golden = Golden {
            input: folder.join("packets.spi"),
            expectation: folder.join(format!("packets.{ending}")),
            kind: ending.to_string(),
            options: Vec::new(),
        };
        if let Err(problem) = golden::check(&golden, &actual, BLESS) {
            panic!("{}", problem.message().unwrap_or("the expectation cannot be read"));
        }
    }
}
