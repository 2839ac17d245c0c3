//! Presentations: what an interface looks like to a programmer. One module per style.
//!
//! In: AOI, the network contract. Out: PRES_C, the programmer's contract: declarations (CAST), messages (MINT) and
//! the nodes that tie them (PRES). Source: Flick (PLDI'97) section 2.2.

pub mod corba;
mod enumerations;
pub mod errors;
mod fields;
pub mod flow;
mod inheritance;
mod library;
mod lift;
mod objects;
mod order;
pub mod plain;
mod programs;
pub mod rpcgen;
mod tree;
mod values;

use cast::IncludePath;
use escape::Refused;

/// `shapes.h` of `common/shapes.idl`: headers of one program stand in one folder.
fn header_of(file: &str) -> Result<IncludePath, Refused> {
    let name = file.rsplit_once('/').map_or(file, |(_, name)| name);
    IncludePath::new(format!("{}.h", name.rsplit_once('.').map_or(name, |(stem, _)| stem)))
}
