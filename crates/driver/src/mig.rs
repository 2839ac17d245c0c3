//! From MIG's language to the stubs of Mach's messages: preprocess, parse, make stubs, print, write.

use cast::{File, IncludePath};
use mig::{Subsystem, Word};
use source::{Limit, Limits};
use stubs::links::mach;

use crate::preprocessing::Preprocessing;
use crate::{Destination, Host, Input, OutputFile, Preprocessed, Preprocessor, Report, bounds, errors};

/// Whether a file is made, and where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Wanted {
    #[default]
    No,
    /// Under the name that follows from the subsystem's.
    Usual,
    Named(String),
}

impl Wanted {
    /// Whether anybody will see it: build systems name `/dev/null` for what they do not want, several times.
    fn is_made(&self) -> bool {
        !matches!(self, Wanted::No) && *self != Wanted::Named("/dev/null".to_owned())
    }
}

/// The files of a subsystem.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MigOutputs {
    /// The user's stubs (`XUser.c`).
    pub user: Wanted,
    /// The server's stubs (`XServer.c`).
    pub server: Wanted,
    /// The header of the user's stubs (`X.h`).
    pub header: Wanted,
    /// The header of the server's functions.
    pub server_header: Wanted,
    /// A line for each routine.
    pub list: Wanted,
    /// What the name of a file begins with that has one routine's stub, where each has a file of its own.
    pub each: Option<String>,
}

/// What to make of one description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MigRequest {
    pub input: Input,
    /// The input has been preprocessed.
    pub is_preprocessed: bool,
    /// Only errors are looked for, and a file of types alone has none.
    pub only_checks: bool,
    pub preprocessor: Preprocessor,
    pub word: Word,
    /// Before the names of all functions that are made.
    pub prefix: String,
    /// Before the names of the run time's functions that are called.
    pub run_time_prefix: String,
    pub outputs: MigOutputs,
    pub limits: Limits,
}

impl MigRequest {
    /// To look for errors, and write nothing.
    pub fn check(input: Input, preprocessor: Preprocessor, limits: Limits) -> MigRequest {
        MigRequest {
            input,
            is_preprocessed: false,
            only_checks: true,
            preprocessor,
            word: Word::Bits64,
            prefix: String::new(),
            run_time_prefix: String::new(),
            outputs: MigOutputs::default(),
            limits,
        }
    }
}

/// Compiles one description. Nothing is written when anything is an error.
pub fn mig(request: &MigRequest, host: &dyn Host) -> Report {
    let mut report = Report::within(request.limits);
    let Some(subsystem) = read(request, host, &mut report) else { return report };
    let files = outputs(request, &subsystem, &mut report);
    if !report.has_errors() && !files.is_empty() {
        report.add(host.write(&files).err().map(|finding| *finding));
    }
    report
}

fn read(request: &MigRequest, host: &dyn Host, report: &mut Report) -> Option<Subsystem> {
    let source = match host.read(request.input.path()) {
        Ok(source) => source,
        Err(finding) => {
            report.add([*finding]);
            return None;
        }
    };
    if request.limits.are_exceeded(Limit::InputSize, source.text.len()) {
        bounds::too_long(&source, report);
        return None;
    }
    if source.lossy {
        report.add([errors::not_utf8(&source.name)]);
    }
    let mut preprocessing = Preprocessing::new(host, &source, request.input.path(), request.preprocessor.clone());
    let preprocessed = match request.is_preprocessed {
        true => Preprocessed { text: source.text.clone(), has_markers: true, remarks: String::new() },
        false => preprocessing.run(None, report)?,
    };
    let file = preprocessing.add_source(&preprocessed.text, preprocessed.has_markers, report);
    let options =
        front_mig::Options { word: request.word, may_have_types_alone: request.only_checks, limits: request.limits };
    let (mut subsystem, findings) = front_mig::parse(&report.sources, file, &options);
    if report.add(findings) {
        return None;
    }
    for prefix in [&mut subsystem.user_prefix, &mut subsystem.server_prefix] {
        prefix.insert_str(0, &request.prefix);
    }
    subsystem.name.insert_str(0, &request.prefix);
    Some(subsystem)
}

fn outputs(request: &MigRequest, subsystem: &Subsystem, report: &mut Report) -> Vec<OutputFile> {
    let wanted = &request.outputs;
    let name = subsystem.name.strip_prefix(&request.prefix).unwrap_or(&subsystem.name);
    let options = mach::Options {
        word: request.word,
        run_time_prefix: request.run_time_prefix.clone(),
        user_header: header_of(&wanted.header, &format!("{name}.h")),
        server_header: header_of(&wanted.server_header, &format!("{name}_server.h")),
        internal_header: None,
    };
    let mut files = Files { made: Vec::new(), size: 0, report };
    if let Some(beginning) = &wanted.each {
        for routine in subsystem.routines.iter().flatten() {
            let alone = Subsystem { routines: vec![Some(routine.clone())], ..subsystem.clone() };
            let named = Wanted::Named(format!("{beginning}{}.c", routine.name));
            files.add(&named, "", || mach::user_file(&alone, &options));
        }
    } else {
        files.add(&wanted.user, &format!("{name}User.c"), || mach::user_file(subsystem, &options));
    }
    files.add(&wanted.server, &format!("{name}Server.c"), || mach::server_file(subsystem, &options));
    files.add(&wanted.header, &format!("{name}.h"), || mach::user_header(subsystem, &options));
    files.add(&wanted.server_header, &format!("{name}_server.h"), || mach::server_header(subsystem, &options));
    files.add_text(&wanted.list, &format!("{name}.msgids"), || mach::list(subsystem));
    files.made
}

/// How stubs include a header that is made with them, from the folder that it is in.
fn header_of(wanted: &Wanted, usual: &str) -> Option<IncludePath> {
    let path = match wanted {
        Wanted::No => return None,
        Wanted::Usual => usual,
        Wanted::Named(path) if path.starts_with("/dev/") => return None,
        Wanted::Named(path) => path.rsplit('/').next().unwrap_or(path),
    };
    IncludePath::new(path).ok()
}

/// The files so far.
struct Files<'a> {
    made: Vec<OutputFile>,
    size: usize,
    report: &'a mut Report,
}

impl Files<'_> {
    fn add(&mut self, wanted: &Wanted, usual: &str, make: impl FnOnce() -> File) {
        if !wanted.is_made() {
            return;
        }
        let file = make();
        let known = cast::Known::default();
        if !self.report.add(cast::verify(&file, &known)) {
            self.add_text(wanted, usual, || cast::print_file(&file));
        }
    }

    fn add_text(&mut self, wanted: &Wanted, usual: &str, make: impl FnOnce() -> String) {
        let destination = match wanted {
            wanted if !wanted.is_made() => return,
            Wanted::Named(path) => Destination::Named(path.clone()),
            Wanted::No | Wanted::Usual => Destination::Path(usual.to_owned()),
        };
        let text = make();
        if bounds::have_room(&mut self.size, text.len(), self.report) {
            self.made.push(OutputFile { destination, text });
        }
    }
}
