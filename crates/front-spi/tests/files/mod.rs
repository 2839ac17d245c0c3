//! Where the files of `tests/spi` are.

use std::path::{Path, PathBuf};

/// The `.spi` files of a folder, by name.
pub(crate) fn inputs(name: &str) -> Vec<PathBuf> {
    filetest::files::inputs(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/spi").join(name), "spi")
}
