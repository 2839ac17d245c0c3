//! What any text is held to: it is read to its end, what is found can be shown, and stubs are made of what holds no error.
//! The tests' mutations and libFuzzer's inputs (`fuzz/`) come here.

use front_mig::Options;
use mig::{Subsystem, Word};
use source::Diagnostic;
use stubs::links::mach;

/// True where the text holds no error.
///
/// # Panics
/// Where what comes of it is not good C, or cannot be shown.
pub(crate) fn survives(text: &str) -> bool {
    filetest::interfaces::survives(text, "defs", |map, file| {
        let mut all = Vec::new();
        for word in [Word::Bits64, Word::Bits32] {
            let (subsystem, findings) = front_mig::parse(map, file, &Options { word, ..Options::default() });
            if !findings.iter().any(Diagnostic::is_error) {
                makes_stubs(&subsystem, word, text);
            }
            let (data, refused) = front_mig::parse_data(map, file, &Options { word, ..Options::default() });
            let broken = aoi::verify(&data);
            assert!(broken.is_empty() || refused.iter().any(Diagnostic::is_error), "{broken:?}, of {text:?}");
            all = findings;
        }
        all
    })
}

fn makes_stubs(subsystem: &Subsystem, word: Word, text: &str) {
    let options = mach::Options {
        word,
        run_time_prefix: String::new(),
        user_header: None,
        server_header: None,
        internal_header: None,
    };
    for make in [mach::user_file, mach::server_file, mach::user_header, mach::server_header] {
        let file = make(subsystem, &options);
        let broken = cast::verify(&file, &cast::Known::default());
        assert!(broken.is_empty(), "it is not good C: {broken:?}, of {text:?}");
        cast::print_file(&file);
    }
    mach::list(subsystem);
}
