//! Interface files to make plans of: this repository's, Debian's, random ones.

use escape::c::Base;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use filetest::{golden, oracle};
use pres::PresC;
use present::rpcgen;
use source::SourceMap;
use stubs::encodings::{ByteOrder, Cdr, Encoding, Xdr};
use stubs::plan::Plan;
use stubs::{lower, passes};

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// An interface in one presentation.
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) pres: PresC,
}

impl Input {
    pub(crate) fn encoding(&self) -> Xdr {
        Xdr { strict: self.pres.strict_enumerations }
    }

    /// What `stubs::lower` makes of it.
    pub(crate) fn lowered(&self) -> Plan {
        self.lowered_for(&self.encoding())
    }

    /// The same in another encoding.
    pub(crate) fn lowered_for(&self, encoding: &dyn Encoding) -> Plan {
        lower::lower(&self.pres, encoding, self.pres.strict_enumerations)
    }

    /// CDR in each byte order.
    pub(crate) fn cdr(&self) -> [Cdr; 3] {
        let strict = self.pres.strict_enumerations;
        [ByteOrder::Host, ByteOrder::Swapped, ByteOrder::Network].map(|order| Cdr { order, strict, ..Cdr::default() })
    }
}

/// Whether the interface is taken as it is, or in the way that differs most.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    Plain,
    /// Arguments by value in arenas, enumerations checked.
    Strict,
}

/// An interface text; `None` where it has mistakes.
pub(crate) fn presented(name: &str, text: &str, way: Way) -> Option<Input> {
    let mut map = SourceMap::new();
    let file = map.add_preprocessed(name, text);
    let (aoi, findings) = front_onc::parse(&map, file, &front_onc::Options::default());
    if findings.iter().any(source::Diagnostic::is_error) {
        return None;
    }
    let mut options = rpcgen::Options::new(Base::new(Path::new(name).file_stem()?.to_str()?).ok()?);
    if let Way::Strict = way {
        options.newstyle = true;
        options.strict_enumerations = true;
        options.server_arena = true;
    }
    let (pres, findings) = rpcgen::present(&aoi, &options);
    let failed = findings.iter().any(source::Diagnostic::is_error);
    (!failed).then(|| Input { name: format!("{name} ({way:?})"), pres })
}

/// The text of a file after the preprocessor.
pub(crate) fn preprocessed(path: &Path, way: Way) -> String {
    let text = std::fs::read(path).expect("a readable file");
    if oracle::find("cpp").is_none() {
        return String::from_utf8_lossy(&text).into_owned();
    }
    let mut cpp = oracle::command("cpp");
    cpp.args(["-C", "-DRPC_XDR"]).args(matches!(way, Way::Strict).then_some("-DNEWSTYLE")).arg(path);
    let output = oracle::succeed(&mut cpp).map(|output| output.stdout);
    String::from_utf8_lossy(&output.unwrap_or(text)).into_owned()
}

/// A file of this repository that is known to be good.
pub(crate) fn own(path: &str) -> Input {
    presented(path, &preprocessed(&root().join(path), Way::Plain), Way::Plain).expect("a good interface")
}

/// The interface files of this repository, and random ones.
pub(crate) fn ours() -> &'static [Input] {
    static INPUTS: OnceLock<Vec<Input>> = OnceLock::new();
    INPUTS.get_or_init(|| {
        let folders = ["tests/parse/onc/good", "tests/compat", "tests/safety", "tests/stubs", "examples"];
        let mut inputs = read(&folders.map(|folder| root().join(folder)));
        for way in [Way::Plain, Way::Strict] {
            inputs.extend(
                (0..60).filter_map(|seed| {
                    presented(&format!("random {seed}"), &filetest::random::interface(seed, 12), way)
                }),
            );
        }
        assert!(inputs.len() > 100, "only {} interfaces", inputs.len());
        inputs
    })
}

/// Those that others wrote: Debian's, and what `make corpora` brings, where they are there.
pub(crate) fn theirs() -> &'static [Input] {
    static INPUTS: OnceLock<Vec<Input>> = OnceLock::new();
    INPUTS.get_or_init(|| read(&["/usr/include/rpcsvc".into(), root().join("target/corpora")]))
}

fn read(folders: &[PathBuf]) -> Vec<Input> {
    let files: Vec<PathBuf> = folders.iter().flat_map(|folder| golden::files_below(folder)).collect();
    let mut inputs = Vec::new();
    for way in [Way::Plain, Way::Strict] {
        let interfaces = files.iter().filter(|path| path.extension().is_some_and(|extension| extension == "x"));
        inputs.extend(interfaces.filter_map(|path| {
            let name = path.display().to_string();
            presented(&name, &preprocessed(path, way), way)
        }));
    }
    inputs
}

/// Passes that can be switched off.
pub(crate) fn optional_passes() -> Vec<String> {
    passes::PASSES.iter().filter(|pass| !pass.required).map(|pass| pass.name.to_string()).collect()
}
