//! A file that grows as a flow goes on: whoever looks into it sees what has come so far. In: its name. Out: the file, empty.

use std::fs::File;

use driver::Failure;

use crate::errors;
use crate::out::Single;

/// Opens it, and its folder where that is made for it.
pub(crate) fn open(place: &Single) -> Result<File, Failure> {
    if let Some(folder) = &place.folder {
        std::fs::create_dir_all(folder).map_err(|problem| errors::cannot_write(folder, &problem))?;
    }
    File::create(&place.path).map_err(|problem| errors::cannot_write(&place.path, &problem))
}
