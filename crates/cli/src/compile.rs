//! One compilation, from request to exit status.

use driver::Request;

use crate::Ending;
use crate::host::Machine;
use crate::report::{self, Format};

/// Writes the run time of all links.
pub(crate) fn run_time(folder: &str) -> Ending {
    let machine = Machine { folder: Some(folder.to_owned()), ..Machine::default() };
    report::show(&driver::run_time(folder, &machine), Format::Full)
}

/// Compiles and reports. `folder` is made when there is something to write.
pub(crate) fn run(request: &Request, folder: Option<String>, format: Format) -> Ending {
    report::show(&driver::compile(request, &Machine { folder, limits: request.limits, ..Machine::default() }), format)
}
