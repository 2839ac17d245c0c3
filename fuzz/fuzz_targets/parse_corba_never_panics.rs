//! Any bytes are read as a `.idl` file, plain and as a preprocessor's output; what comes out is rendered, checked,
//! printed and, where there was no error, read back. Good seeds are the files of `tests/parse/corba`.
#![no_main]

use filetest::interfaces::FrontEnd;
use libfuzzer_sys::fuzz_target;
use source::SourceMap;

fuzz_target!(|bytes: &[u8]| {
    let parse = |map: &SourceMap, file| front_corba::parse(map, file, &front_corba::Options::default());
    FrontEnd { package: "front-corba", extension: "idl", parse }.survives(&String::from_utf8_lossy(bytes));
});
