//! Whatever the input, reading comes to an end without a panic, and stubs can be made of what holds no error.
//!
//! The inputs are the good and bad files of `tests/mig`, changed at random from a fixed seed. `WHITTLE_FUZZ_INPUTS` says
//! how many; the same number gives the same inputs.

use std::path::Path;

use filetest::mutation::{corpus, exchanged, inputs_asked_for, mutated};

mod survival;

/// Separated by white space.
const WORDS: &str = "{ } ( ) < > [ ] ; , : := = ^ * + - / | ~ subsystem kerneluser kernelserver type array of struct c_string \
    routine simpleroutine skip in out inout requestport replyport sreplyport ureplyport waittime msgoption msgseqno serverprefix \
    userprefix rcsid import uimport simport intran outtran destructor ctype cusertype cservertype dealloc dealloc[] \
    servercopy countinout samecount const polymorphic port int char mach_port_t MACH_MSG_TYPE_COPY_SEND usertypelimit \
    x a 0 1 -1 08 64 65535 65536 2147483647 4294967295 4294967296 18446744073709551615 99999999999999999999999999 \
    /* */ // \" ' \\ é \u{feff}";
const LINES: [&str; 4] = ["\n", "\n#", "\n# 1 \"f\"\n", "\0"];

fn files() -> Vec<String> {
    corpus(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/mig"), "defs")
}

#[test]
fn reading_never_panics_whatever_the_input() {
    let words: Vec<String> = WORDS.split_whitespace().map(|word| format!(" {word} ")).collect();
    let pieces: Vec<&str> = words.iter().map(String::as_str).chain(LINES).collect();
    mutated(&files(), &pieces, 0x5EED, inputs_asked_for(500), |text| _ = survival::survives(text));
}

#[test]
fn stubs_are_made_of_whatever_holds_no_error() {
    let (inputs, mut good) = (inputs_asked_for(200), 0);
    let good_files: Vec<String> = files().into_iter().filter(|text| survival::survives(text)).collect();
    exchanged(&good_files, 0x5EED, inputs, |text| good += usize::from(survival::survives(text)));
    assert!(good > inputs / 100, "{good} inputs were good");
}
