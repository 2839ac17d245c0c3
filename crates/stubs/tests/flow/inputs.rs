//! Descriptions of flows, presented, with the C of their packets.

use std::path::{Path, PathBuf};

use cast::File;
use pres::PresC;
use source::{Diagnostic, SourceMap};
use stubs::encodings::{self, Encoding};
use stubs::links::flow;
use stubs::plan::{self, Plan};
use xip::{Imported, Types, Xip};

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The packets of a description in C.
pub(crate) struct Input {
    pub(crate) xip: Xip,
    pub(crate) pres: PresC,
}

fn is_good(findings: &[Diagnostic]) {
    let messages: Vec<&str> = findings.iter().map(|finding| finding.message.as_str()).collect();
    assert!(findings.iter().all(|finding| !finding.is_error()), "{messages:?}");
}

/// A description without mistakes, and the interface files that it imports.
pub(crate) fn presented(text: &str, imports: &[(&str, &str)]) -> Input {
    let mut map = SourceMap::new();
    // Ports for all packets.
    let names = text.lines().filter_map(|line| line.strip_prefix("packet ")?.split(' ').next());
    let ports: String = names.map(|name| format!("out {name} of_{name}; ")).collect();
    let file = map.add("flow.spi", format!("{text}\npipe All {{ {ports} middle all; }}"));
    let (xip, findings) = front_spi::parse(&map, file, &front_spi::Options::default());
    is_good(&findings);
    let mut read = Vec::new();
    for (name, text) in imports {
        let file = map.add_preprocessed(*name, *text);
        let (aoi, findings) = front_onc::parse(&map, file, &front_onc::Options::default());
        is_good(&findings);
        read.push((name, aoi));
    }
    let imported: Vec<Imported> = read.iter().map(|(file, aoi)| Imported { file, aoi }).collect();
    let (types, findings) = Types::new(&xip, &imported);
    is_good(&findings);
    let (mut pres, findings) = present::flow::present(&xip, &types);
    is_good(&findings);
    let broken: Vec<String> = pres::verify(&pres).into_iter().map(|finding| finding.message).collect();
    assert_eq!(broken, [""; 0]);
    let written = pres::text::print(&pres);
    let (read, errors) = pres::text::parse(&written);
    assert_eq!(errors, []);
    assert_eq!(pres::text::print(&read), written);
    let notice = cast::Declaration::comment("The packets of a test.");
    pres.prologue = vec![notice, cast::Declaration::own_include("packets.h")];
    drop(types);
    Input { xip, pres }
}

impl Input {
    /// Every packet in every encoding.
    pub(crate) fn uses(&self) -> Vec<flow::Use<'_>> {
        let by_place = || encodings::ALL.into_iter().filter(|encoding| encoding.goes_by_place());
        let each = |packet| by_place().map(move |encoding| flow::Use { packet, encoding });
        self.pres.packets.iter().flat_map(each).collect()
    }

    /// The header: what a flow's own would have.
    pub(crate) fn header(&self) -> String {
        let mut declarations = vec![cast::Declaration::Verbatim("#include \"whittle_flow.h\"".to_string())];
        declarations.extend(self.pres.header.iter().cloned());
        declarations.extend(flow::declarations(&self.uses()));
        cast::print_file(&File { declarations })
    }

    /// The C file, each plan on the way verified.
    pub(crate) fn packets(&self, no_opt: &[String]) -> File {
        let options = flow::Options { no_opt: no_opt.to_vec(), ..flow::Options::default() };
        let file = flow::packets(&self.pres, &self.uses(), &options, &mut |encoding, pass, plan| {
            sound(encodings::named(encoding).expect("a known encoding"), pass, plan);
        });
        let findings: Vec<String> =
            cast::verify(&file, &cast::Known::default()).into_iter().map(|finding| finding.message).collect();
        assert_eq!(findings, [""; 0]);
        file
    }
}

fn sound(encoding: &dyn Encoding, pass: &str, plan: &Plan) {
    let findings: Vec<String> = plan::verify(plan, encoding).into_iter().map(|finding| finding.message).collect();
    assert_eq!(findings, [""; 0], "{} after {pass}", encoding.name());
    let written = plan::text::print(plan);
    let (read, errors) = plan::text::parse(&written);
    assert_eq!(errors, [], "{written}");
    assert_eq!(read, *plan, "{written}");
}

/// Passes that can be switched off.
pub(crate) fn optional_passes() -> Vec<String> {
    stubs::passes::PASSES.iter().filter(|pass| !pass.required).map(|pass| pass.name.to_string()).collect()
}
