//! A checked flow as C: pipes, processes, packets and, where none is installed, the run time, in one folder.

use escape::c::Base;
use isg::{Generated, Options, RunTime, Text};
use xip::Xip;
use xip::checks::Checked;

use super::FlowRequest;
use crate::{Destination, Host, Input, OutputFile, OutputKind, Report, bounds};

/// Writes all files, or, where something cannot become C, none.
pub(super) fn write(
    request: &FlowRequest,
    (folder, run_time): (&str, RunTime),
    (xip, checked): (&Xip, &Checked),
    host: &dyn Host,
    report: &mut Report,
) {
    let stem = match Base::new(stem(&request.input)) {
        Ok(stem) => stem,
        Err(refused) => {
            report.add([present::errors::not_included(&refused, None)]);
            return;
        }
    };
    let options = Options { stem: &stem, run_time };
    let files = match isg::generate(xip, checked, &options) {
        Ok(files) => files,
        Err(findings) => {
            report.add(findings);
            return;
        }
    };
    let mut files: Vec<OutputFile> = files.iter().filter_map(|file| printed(file, folder, report)).collect();
    for import in xip.imports() {
        files.extend(header_of(request, &import.file.value, folder, host, report));
    }
    let mut size = 0;
    let are_small = files.iter().all(|file| bounds::have_room(&mut size, file.text.len(), report));
    if are_small && !report.has_errors() {
        report.add(host.write(&files).err().map(|finding| *finding));
    }
}

/// The header of an imported interface file, beside all others.
fn header_of(
    request: &FlowRequest,
    import: &str,
    folder: &str,
    host: &dyn Host,
    report: &mut Report,
) -> Vec<OutputFile> {
    let path = super::imports::beside(request.input.path(), import);
    let header = OutputKind::Header;
    let mut compilation = super::imports::types_of(request, path);
    let stem = compilation.input.stem();
    let name = stem.rsplit_once('/').map_or(stem, |(_, name)| name);
    compilation.outputs = vec![(header, Destination::WhereChanged(header.file_name(&in_folder(folder, name))))];
    crate::compile::outputs(&compilation, host, report)
}

fn in_folder(folder: &str, name: &str) -> String {
    if folder == "." { name.to_owned() } else { format!("{folder}/{name}") }
}

/// `demo` of `flows/demo.spi`.
fn stem(input: &Input) -> String {
    let path = input.path().unwrap_or("flow.spi");
    let file = path.rsplit_once('/').map_or(path, |(_, file)| file);
    file.split_once('.').map_or(file, |(stem, _)| stem).to_owned()
}

fn printed(file: &Generated, folder: &str, report: &mut Report) -> Option<OutputFile> {
    let text = match &file.text {
        Text::Other(text) => text.clone(),
        Text::C(file) => {
            let failed = report.add(cast::verify(file, &cast::Known::default()));
            (!failed).then(|| cast::print_file(file))?
        }
    };
    let path = in_folder(folder, &file.name);
    let destination = if file.is_yours { Destination::Once(path) } else { Destination::WhereChanged(path) };
    Some(OutputFile { destination, text })
}
