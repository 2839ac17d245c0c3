//! One compilation, from request to exit status.

use driver::Request;

use crate::Ending;
use crate::host::Machine;
use crate::report::{self, Format};

/// Compiles and reports. `folder` is made when there is something to write.
pub(crate) fn run(request: &Request, folder: Option<String>, format: Format) -> Ending {
    report::show(&driver::compile(request, &Machine { folder, ..Machine::default() }), format)
}
