//! Any bytes are read as a `.x` file, plain and as a preprocessor's output; what comes out is rendered, checked,
//! printed and, where there was no error, read back. Good seeds are the files of `tests/parse/onc`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use source::{Diagnostic, SourceMap, render};

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let mut map = SourceMap::new();
    let plain = map.add("plain.x", text.as_ref());
    let preprocessed = map.add_preprocessed("preprocessed.x", text.as_ref());
    map.add_original("preprocessed.x", text.as_ref());
    for file in [plain, preprocessed] {
        let (aoi, findings) = front_onc::parse(&map, file, &front_onc::Options::default());
        render::full(&map, &findings);
        render::json(&map, &findings);
        let printed = aoi::text::print(&aoi);
        if !findings.iter().any(Diagnostic::is_error) {
            assert!(aoi::verify(&aoi).is_empty());
            let (read, errors) = aoi::text::parse(&printed);
            assert!(errors.is_empty());
            assert!(read == aoi.without_spans());
        }
    }
});
