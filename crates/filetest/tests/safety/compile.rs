//! Interface files to C: by whittle, in this process and without a preprocessor, and by rpcgen.

use std::cell::RefCell;
use std::fs;
use std::path::Path;

use driver::{
    Destination, Failure, Host, Input, OutputFile, OutputKind, Preprocess, Preprocessed, Request, SourceText,
};
use filetest::oracle;
use libtest_mimic::Failed;

/// A machine that holds one text.
struct Memory<'a> {
    name: &'a str,
    text: &'a str,
    written: RefCell<Vec<OutputFile>>,
}

impl Host for Memory<'_> {
    fn read(&self, _: Option<&str>) -> Result<SourceText, Failure> {
        Ok(SourceText { name: self.name.to_owned(), text: self.text.to_owned(), lossy: false })
    }

    fn preprocess(&self, request: &Preprocess<'_>) -> Result<Preprocessed, Failure> {
        Ok(Preprocessed { text: request.source.text.clone(), has_markers: false, remarks: String::new() })
    }

    fn preprocess_c(&self, path: &str, _: &[String]) -> Result<Preprocessed, Failure> {
        self.read(Some(path)).map(|source| Preprocessed { text: source.text, ..Preprocessed::default() })
    }

    fn write(&self, files: &[OutputFile]) -> Result<(), Failure> {
        self.written.borrow_mut().extend_from_slice(files);
        Ok(())
    }
}

/// How whittle is asked to make the routines.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    /// Passes switched off.
    pub(crate) without: Vec<String>,
    pub(crate) server_arena: bool,
    /// `--strict`.
    pub(crate) strict: bool,
    /// `--max-depth`.
    pub(crate) max_depth: Option<u32>,
    /// `--prefer`.
    pub(crate) prefer: driver::Prefer,
}

/// What whittle makes of an interface file.
pub(crate) struct Generated {
    pub(crate) header: String,
    pub(crate) routines: String,
}

/// Runs whittle on `text`; the files are those of `name.x`.
pub(crate) fn whittle(name: &str, text: &str, options: &Options) -> Result<Generated, Failed> {
    let file = format!("{name}.x");
    let host = Memory { name: &file, text, written: RefCell::default() };
    let mut request = Request::new(Input::Path(file.clone()));
    request.outputs =
        [OutputKind::Header, OutputKind::Routines].map(|kind| (kind, Destination::Path(kind.file_name(name)))).to_vec();
    request.keep_empty = true;
    request.marshalling.without_passes = options.without.clone();
    request.marshalling.strict = options.strict;
    request.marshalling.max_depth = options.max_depth;
    request.marshalling.prefer = options.prefer;
    request.server.arena = options.server_arena;
    let report = driver::compile(&request, &host);
    let mut texts = host.written.into_inner().into_iter().map(|file| file.text);
    match (texts.next(), texts.next()) {
        (Some(header), Some(routines)) => Ok(Generated { header, routines }),
        _ => Err(format!("whittle makes nothing of {file}: {:?}", report.findings).into()),
    }
}

/// Runs rpcgen on `name.x` in `folder`, for the header and the routines.
pub(crate) fn rpcgen(name: &str, folder: &Path) -> Result<(), Failed> {
    for (flag, suffix) in [("-h", ".h"), ("-c", "_xdr.c")] {
        let output = format!("{name}{suffix}");
        // It does not write over what is there.
        let _ = fs::remove_file(folder.join(&output));
        let mut command = oracle::command("rpcgen");
        command.current_dir(folder).args([flag, "-o", &output, &format!("{name}.x")]);
        oracle::succeed(&mut command)?;
    }
    Ok(())
}
