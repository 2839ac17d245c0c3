//! The rpcgen presentation and its link: goldens, the same declarations as rpcgen's own, and C that compiles without a
//! warning in every style.

mod compiles;
mod declares;
mod generate;
mod goldens;
mod serves;
mod taken;

use std::path::Path;

use libtest_mimic::{Arguments, Trial, run};

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/present/rpcgen");
    let mut trials: Vec<Trial> = goldens::trials(&root);
    trials.extend(declares::trials(&root));
    trials.extend(compiles::trials(&root));
    trials.extend(serves::trials(&root));
    trials.extend(taken::trials());
    run(&Arguments::from_args(), trials).exit();
}
