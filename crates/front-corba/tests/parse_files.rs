//! The files of `tests/parse/corba`: good ones beside the AOI that they are (`.aoi`), bad ones beside what is said of
//! them (`.stderr`). Warnings of good files stand in a `.stderr` too.
//!
//! In bad files a comment `//~ error[idl-014]` says what is expected on its line. `BLESS=1` rewrites the
//! expectations; read them before you commit.

use filetest::interfaces::FrontEnd;
use std::path::{Path, PathBuf};

const FRONT_END: FrontEnd = FrontEnd {
    package: "front-corba",
    extension: "idl",
    parse: |map, file| front_corba::parse(map, file, &front_corba::Options::default()),
};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/parse/corba").join(name)
}

#[test]
fn good_files_are_what_stands_beside_them() {
    FRONT_END.good_files(&folder("good"));
}

#[test]
fn bad_files_get_the_errors_beside_them() {
    FRONT_END.bad_files(&folder("bad"));
}
