//! A checked flow as C: pipes, processes, packets and the runtime, in one folder.

use isg::{Generated, Options, Text};
use xip::Xip;
use xip::checks::Checked;

use crate::{Destination, Host, Input, OutputFile, Report};

/// Writes all files, or, where something cannot become C, none.
pub(super) fn write(input: &Input, folder: &str, xip: &Xip, checked: &Checked, host: &dyn Host, report: &mut Report) {
    let stem = stem(input);
    let options = Options { stem: &stem };
    let files = match isg::generate(xip, checked, &options) {
        Ok(files) => files,
        Err(findings) => {
            report.add(findings);
            return;
        }
    };
    let files: Vec<OutputFile> = files.iter().filter_map(|file| printed(file, folder, report)).collect();
    if !report.has_errors() {
        report.add(host.write(&files).err().map(|finding| *finding));
    }
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
    let path = if folder == "." { file.name.clone() } else { format!("{folder}/{}", file.name) };
    let destination = if file.is_yours { Destination::Once(path) } else { Destination::Path(path) };
    Some(OutputFile { destination, text })
}
