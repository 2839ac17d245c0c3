//! Any bytes are read as a `.x` file, plain and as a preprocessor's output; what comes out is rendered, checked,
//! printed and, where there was no error, read back. Good seeds are the files of `tests/parse/onc`.
#![no_main]

use filetest::interfaces::FrontEnd;
use libfuzzer_sys::fuzz_target;
use source::SourceMap;

fuzz_target!(|bytes: &[u8]| {
    let parse = |map: &SourceMap, file| front_onc::parse(map, file, &front_onc::Options::default());
    FrontEnd { package: "front-onc", extension: "x", parse }.survives(&String::from_utf8_lossy(bytes));
});
