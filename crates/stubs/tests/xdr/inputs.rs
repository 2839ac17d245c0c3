//! Types to marshal, from interface files.

use std::fs;
use std::path::{Path, PathBuf};

use cast::{Declaration, File};
use pres::PresC;
use source::SourceMap;
use stubs::plan::{Direction, text, verify};
use stubs::routines::{Options, Wanted, routines};
use stubs::runtime;

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The types of a file in `tests/stubs/`, which are known to be good.
pub(crate) fn presented(path: &str) -> PresC {
    let text = fs::read_to_string(root().join("tests/stubs").join(path)).expect("the types");
    let mut map = SourceMap::new();
    let file = map.add_preprocessed(path, &text);
    let (aoi, findings) = front_onc::parse(&map, file, &front_onc::Options::default());
    assert!(findings.is_empty(), "{path}: {findings:?}");
    let (pres, findings) = present::rpcgen::present(&aoi, &present::rpcgen::Options::new("types"));
    assert!(!findings.iter().any(source::Diagnostic::is_error), "{path}: {findings:?}");
    pres
}

/// What routines are tested with: all passes, none, and all but one.
pub(crate) fn selections() -> Vec<Vec<String>> {
    let all: Vec<String> =
        stubs::passes::PASSES.iter().filter(|pass| !pass.required).map(|pass| pass.name.to_string()).collect();
    let each = all.iter().map(|pass| vec![pass.clone()]);
    [Vec::new(), all.clone()].into_iter().chain(each).collect()
}

/// The runtime and the header's declarations, and every routine of every type behind them; plans are looked at on the way.
pub(crate) fn c_files(pres: &PresC, options: &Options) -> [String; 2] {
    let directions = [Direction::Encode, Direction::Decode, Direction::Release];
    let of = |name: &String| directions.map(|direction| Wanted { name: name.clone(), direction, phase: 1 });
    let wanted: Vec<Wanted> = pres.types.iter().flat_map(|(_, stub)| of(&stub.name)).collect();
    let routines = routines(pres, &wanted, options, &mut |_, pass, plan| {
        let findings = verify(plan, &stubs::encodings::Xdr { strict: options.strict });
        let messages: Vec<&str> = findings.iter().map(|finding| finding.message.as_str()).collect();
        assert_eq!(messages, [""; 0], "after {pass}");
        let (read, errors) = text::parse(&text::print(plan));
        assert_eq!(errors, []);
        assert_eq!(read, *plan, "after {pass}");
    });
    let mut header = vec![Declaration::Verbatim(runtime::all_xdr_sections())];
    header.push(Declaration::Verbatim("typedef struct thing { uint32_t *held; } thing;\n".to_string()));
    header.push(Declaration::Verbatim(
        "char *encode_thing(struct whittle_xdr_out *out, char *at, const void *value);\n\
         const char *decode_thing(struct whittle_xdr_in *in, const char *at, void *value);\n\
         void release_thing(void *value);\n"
            .to_string(),
    ));
    header.extend(pres.header.clone());
    header.extend(routines.prototypes.clone());
    let bodies = [Declaration::Verbatim("#include \"generated.h\"\n".to_string())];
    let source = bodies.into_iter().chain(routines.assertions).chain(routines.bodies).collect();
    [header, source].map(|declarations| cast::print_file(&File { declarations }))
}
