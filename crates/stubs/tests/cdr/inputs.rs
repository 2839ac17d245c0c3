//! Types to marshal, from interface files of ONC.

use std::path::{Path, PathBuf};

use cast::{Declaration, File};
use pres::PresC;
use source::SourceMap;
use stubs::plan::Direction;
use stubs::routines::{Options, Wanted, routines};
use stubs::runtime;

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// An interface text that is known to be good.
pub(crate) fn presented(name: &str, text: &str) -> PresC {
    let mut map = SourceMap::new();
    let file = map.add_preprocessed(name, text);
    let (aoi, findings) = front_onc::parse(&map, file, &front_onc::Options::default());
    assert!(findings.is_empty(), "{name}: {findings:?}");
    let (pres, findings) = present::rpcgen::present(&aoi, &present::rpcgen::Options::new("types"));
    assert!(!findings.iter().any(source::Diagnostic::is_error), "{name}: {findings:?}");
    pres
}

/// Every routine of every type.
pub(crate) fn everything(pres: &PresC, phase: u64) -> Vec<Wanted> {
    let directions = [Direction::Encode, Direction::Decode, Direction::Release];
    let of = |name: &String| directions.map(|direction| Wanted { name: name.clone(), direction, phase });
    pres.types.iter().flat_map(|(_, stub)| of(&stub.name)).collect()
}

/// The header's declarations, the runtime and all routines, in one text.
pub(crate) fn c_file(pres: &PresC, phase: u64, options: &Options) -> String {
    let routines = routines(pres, &everything(pres, phase), options, &mut |_, _, _| {});
    let mut declarations = pres.header.clone();
    declarations.push(Declaration::Verbatim(runtime::cdr_sections(&routines.used)));
    declarations.extend(routines.declarations());
    cast::print_file(&File { declarations })
}
