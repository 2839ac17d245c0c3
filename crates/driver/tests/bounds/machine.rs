//! A machine of files in memory, and compilations on it.

use std::cell::RefCell;

use driver::{
    Asked, Combination, Destination, Failure, FlowForm, FlowProduct, FlowRequest, FlowRunTime, Host, Included, Input,
    Limits, Link, OutputFile, OutputKind, Prefer, Preprocess, Preprocessed, Preprocessor, Report, Request, Side,
    SourceText, SpecializeRequest, Style,
};

struct Memory {
    text: String,
    /// What the preprocessor makes of it.
    expanded: Option<String>,
    /// What is beside it.
    included: Vec<(&'static str, Included)>,
    written: RefCell<Vec<OutputFile>>,
}

impl Host for Memory {
    fn read(&self, path: Option<&str>) -> Result<SourceText, Failure> {
        let name = path.unwrap_or_default();
        match self.included(name) {
            Included::Text(beside) => Ok(beside),
            _ => Ok(SourceText { name: name.to_owned(), text: self.text.clone(), lossy: false }),
        }
    }

    fn included(&self, path: &str) -> Included {
        self.included.iter().find(|(name, _)| *name == path).map_or(Included::Absent, |(_, what)| what.clone())
    }

    fn preprocess(&self, request: &Preprocess<'_>) -> Result<Preprocessed, Failure> {
        let text = self.expanded.as_ref().unwrap_or(&request.source.text).clone();
        Ok(Preprocessed { text, has_markers: self.expanded.is_some(), remarks: String::new() })
    }

    fn preprocess_c(&self, _: &str, _: &[String]) -> Result<Preprocessed, Failure> {
        Ok(Preprocessed { text: self.text.clone(), has_markers: true, remarks: String::new() })
    }

    fn write(&self, files: &[OutputFile]) -> Result<(), Failure> {
        self.written.borrow_mut().extend(files.iter().cloned());
        Ok(())
    }
}

/// What a compilation said, and how many bytes it wrote.
pub(crate) struct Made {
    pub(crate) report: Report,
    pub(crate) size: usize,
}

impl Made {
    #[track_caller]
    pub(crate) fn succeeds(&self) {
        assert!(!self.report.has_errors(), "{:?}", self.report.findings.first());
        assert!(self.size > 0, "nothing was written");
    }

    /// One error, of this limit, at a place, with the option that allows more; nothing is written.
    #[track_caller]
    pub(crate) fn exceeds(&self, name: &str) {
        let found: Vec<_> = self.report.findings.iter().filter(|finding| finding.code == "limit-001").collect();
        let [finding] = found[..] else { panic!("{:?}", self.report.findings.iter().take(3).collect::<Vec<_>>()) };
        assert!(finding.help.as_deref().is_some_and(|help| help.contains(&format!("--limit {name}="))), "{finding:?}");
        assert!(finding.primary.is_some(), "{finding:?}");
        assert_eq!(self.size, 0, "something was written");
    }
}

fn machine(text: &str) -> Memory {
    Memory { text: text.to_owned(), expanded: None, included: Vec::new(), written: RefCell::new(Vec::new()) }
}

fn made(machine: Memory, report: Report) -> Made {
    Made { report, size: machine.written.into_inner().iter().map(|file| file.text.len()).sum() }
}

pub(crate) fn compile(name: &str, text: &str, style: Style, link: Link, limits: Limits) -> Made {
    compiled(name, machine(text), style, link, limits)
}

/// A text that the preprocessor makes something else of.
pub(crate) fn compile_expanded(name: &str, text: &str, expanded: String) -> Made {
    let machine = Memory { expanded: Some(expanded), ..machine(text) };
    compiled(name, machine, Style::Rpcgen, Link::Tirpc, Limits::default())
}

/// A text beside what it includes.
pub(crate) fn compile_beside(text: &str, included: Vec<(&'static str, Included)>) -> Made {
    let machine = Memory { included, ..machine(text) };
    compiled("b.x", machine, Style::Rpcgen, Link::Tirpc, Limits::default())
}

/// The file of rpcgen's routines.
pub(crate) fn routines(text: &str, prefer: Prefer) -> Made {
    let mut request = Request::new(Input::Path("b.x".to_owned()));
    request.marshalling.prefer = prefer;
    request.outputs = vec![(OutputKind::Routines, Destination::Path("b_xdr.c".to_owned()))];
    let machine = machine(text);
    let report = driver::compile(&request, &machine);
    made(machine, report)
}

fn compiled(name: &str, machine: Memory, style: Style, link: Link, limits: Limits) -> Made {
    let mut request = Request::new(Input::Path(name.to_owned()));
    let asked = Asked { style: Some(style), link: Some(link), encoding: None };
    let encoding = Combination::of(request.language, asked).expect("such a row").encoding;
    (request.style, request.link, request.encoding, request.limits) = (style, link, encoding, limits);
    let outputs = Side::Both.outputs(style, link).into_iter();
    request.outputs = outputs.map(|kind| (kind, Destination::Path(kind.file_name_in(style, "b")))).collect();
    let report = driver::compile(&request, &machine);
    made(machine, report)
}

pub(crate) fn flow(text: &str, limits: Limits) -> Made {
    let product = FlowProduct::Code { folder: ".".to_owned(), run_time: FlowRunTime::Beside };
    flow_as(machine(text), limits, product)
}

/// What is explained and drawn of a flow, beside what it imports.
pub(crate) fn shown(text: &str, imported: Option<&str>) -> [Made; 2] {
    let text_of =
        |text: &str| Included::Text(SourceText { name: "b.x".to_owned(), text: text.to_owned(), lossy: false });
    [FlowForm::Explanation(None), FlowForm::Svg].map(|form| {
        let included = imported.map(|text| ("b.x", text_of(text))).into_iter().collect();
        let made = flow_as(Memory { included, ..machine(text) }, Limits::default(), FlowProduct::Form(form));
        Made { size: made.report.dumps.len(), ..made }
    })
}

fn flow_as(machine: Memory, limits: Limits, product: FlowProduct) -> Made {
    let input = Input::Path("b.spi".to_owned());
    let request =
        FlowRequest { input, line: None, preprocessor: Preprocessor::default(), limits, product: Some(product) };
    let report = driver::flow(&request, &machine);
    made(machine, report)
}

/// Specializes `f`.
pub(crate) fn specialize(text: &str, limits: Limits) -> Made {
    let machine = machine(text);
    let request = SpecializeRequest {
        scenario: "b.c".to_owned(),
        roots: vec!["f".to_owned()],
        output: Some(Destination::Path("f.c".to_owned())),
        limits,
        ..SpecializeRequest::default()
    };
    let report = driver::specialize(&request, &machine);
    made(machine, report)
}

/// Limits of which one is another than usual.
pub(crate) fn limits(text: &str) -> Limits {
    let mut limits = Limits::default();
    limits.read(text).expect("a limit");
    limits
}
