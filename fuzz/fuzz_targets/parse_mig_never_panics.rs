//! Any bytes are read as a `.defs` file, plain and as a preprocessor's output; stubs are made of what holds no error, for
//! words of both sizes. Good seeds are the files of `tests/mig`.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/front-mig/tests/survival/mod.rs"]
mod survival;

fuzz_target!(|bytes: &[u8]| {
    survival::survives(&String::from_utf8_lossy(bytes));
});
