//! One compilation, from request to exit status.

use driver::Request;

use crate::Ending;
use crate::host::Machine;
use crate::report;

/// Writes the run time of all links.
pub(crate) fn run_time(machine: &Machine) -> Ending {
    report::show(&driver::run_time(machine.folder.as_deref().unwrap_or("."), machine))
}

/// Compiles and reports.
pub(crate) fn run(request: &Request, machine: &Machine) -> Ending {
    report::show(&driver::compile(request, machine))
}
