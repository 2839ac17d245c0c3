//! Flows: read, with the interface files they import, checked, and shown in another form.
//!
//! A `.spi` file is text for people, a `.xip` file the same in XML; everything behind the reading is one.

mod generate;
mod imports;

use isg::RunTime;
use source::{Diagnostic, Limit, Limits};
use xip::checks::{Checked, Options};
use xip::{Imported, RestartPolicy, Xip};

use crate::{Host, Input, Preprocessor, Report, bounds, errors};

/// What to do with a flow's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowRequest {
    pub input: Input,
    /// A flow as a line (`Camera -> Gray via shm -> Screen`), in place of those of the file.
    pub line: Option<String>,
    /// For the interface files that it imports.
    pub preprocessor: Preprocessor,
    /// How much it may ask for.
    pub limits: Limits,
    /// What is made of the description; `None`: it is only checked.
    pub product: Option<FlowProduct>,
}

/// What is made of a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FlowProduct {
    /// A text to be shown.
    Form(FlowForm),
    /// C, in this folder.
    Code { folder: String, run_time: RunTime },
}

/// A form of a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FlowForm {
    /// The XML form.
    Xip,
    /// What each edge is, or each whose name has this in it, and what the whole may cost.
    Explanation(Option<String>),
    /// A picture.
    Svg,
    /// Graphviz's language.
    Dot,
    /// Mermaid's language, for Markdown pages.
    Mermaid,
}

/// One program of a flow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowProgram {
    pub flow: String,
    /// Its file's name.
    pub name: String,
    /// The machine it is for; `None`: the one where the flow is started.
    pub node: Option<String>,
    /// What becomes of it when it dies.
    pub restart: RestartPolicy,
    /// The programs that all it takes comes from; none where it acts by itself, or a server keeps packets for it.
    pub fed_by: Vec<String>,
    /// A server keeps packets of its edges for later runs.
    pub keeps: bool,
}

/// Reads and checks a flow, and makes of it what is asked for.
pub fn flow(request: &FlowRequest, host: &dyn Host) -> Report {
    flow_programs(request, host).0
}

/// The same, with the programs of its code.
pub fn flow_programs(request: &FlowRequest, host: &dyn Host) -> (Report, Vec<FlowProgram>) {
    let mut report = Report::within(request.limits);
    let programs = make(request, host, &mut report).unwrap_or_default();
    (report, programs)
}

/// The edges of the flows, with what decodes their packets.
pub fn flow_edges(request: &FlowRequest, host: &dyn Host) -> (Report, Vec<isg::decode::Edge>) {
    let mut report = Report::within(request.limits);
    let edges = with_checked(request, host, &mut report, |xip, checked, _| isg::decode::edges(xip, checked));
    (report, edges.unwrap_or_default())
}

/// `None` where the description is at fault.
fn make(request: &FlowRequest, host: &dyn Host, report: &mut Report) -> Option<Vec<FlowProgram>> {
    with_checked(request, host, report, |xip, checked, report| {
        match &request.product {
            Some(FlowProduct::Form(form)) => match show(form, xip, checked) {
                Some(text) => report.dumps.push_str(&text),
                None => {
                    report.add([errors::no_such_edge()]);
                }
            },
            Some(FlowProduct::Code { folder, run_time }) => {
                generate::write(request, (folder, *run_time), (xip, checked), host, report);
            }
            None => {}
        }
        let programs = isg::programs(checked).into_iter();
        programs
            .map(|isg::Planned { flow, program: name, node, restart, fed_by, keeps }| FlowProgram {
                flow,
                name,
                node,
                restart,
                fed_by,
                keeps,
            })
            .collect()
    })
}

/// What is made of a description, once it is read and checked; `None` where it is at fault.
fn with_checked<T>(
    request: &FlowRequest,
    host: &dyn Host,
    report: &mut Report,
    make: impl FnOnce(&Xip, &Checked, &mut Report) -> T,
) -> Option<T> {
    let mut xip = read(&request.input, host, report)?;
    if let Some(line) = &request.line {
        with_line(&mut xip, line, report);
    }
    let imports = imports::read(request, &xip, host, report);
    if report.has_errors() {
        return None;
    }
    let imported: Vec<Imported> = imports.iter().map(|(file, aoi)| Imported { file, aoi }).collect();
    let mut checked =
        xip::checks::check(&xip, &imported, &Options { encodings: &isg::encodings(), limits: request.limits });
    report.add(std::mem::take(&mut checked.findings));
    if report.has_errors() || report.add(isg::check(&xip, &checked)) {
        return None;
    }
    Some(make(&xip, &checked, report))
}

/// The flow of a line, in place of the file's.
fn with_line(xip: &mut Xip, line: &str, report: &mut Report) {
    let file = report.sources.add("<line>", line.to_owned());
    let (flow, findings) = front_spi::parse_line(&report.sources, file);
    report.add(findings);
    xip.items.retain(|item| !matches!(item, xip::Item::Flow(_)));
    xip.items.extend(flow.items);
}

/// `None` where nothing has the name that was given.
fn show(form: &FlowForm, xip: &Xip, checked: &Checked) -> Option<String> {
    Some(match form {
        FlowForm::Xip => xip::xml::write(xip),
        FlowForm::Explanation(edge) => {
            let text = xip::explain::text(checked, edge.as_deref(), &isg::explain::taker)?;
            let programs = if edge.is_none() { isg::explain::programs(checked) } else { String::new() };
            // Names of machines may hold anything.
            escape::lines(&(text + &programs)).into_owned()
        }
        FlowForm::Svg => xip::graph::svg(checked),
        FlowForm::Dot => xip::graph::dot(checked),
        FlowForm::Mermaid => xip::graph::mermaid(checked),
    })
}

/// The description in a file, as far as it makes sense.
fn read(input: &Input, host: &dyn Host, report: &mut Report) -> Option<Xip> {
    let source = match host.read(input.path()) {
        Ok(source) if report.limits().are_exceeded(Limit::InputSize, source.text.len()) => {
            bounds::too_long(&source, report);
            return None;
        }
        Ok(source) => source,
        Err(finding) => {
            report.add([*finding]);
            return None;
        }
    };
    if source.lossy {
        report.add([errors::not_utf8(&source.name)]);
    }
    let file = report.sources.add(&source.name, source.text);
    let is_xml = input.path().is_some_and(|path| path.ends_with(".xip"));
    let (xip, findings): (Xip, Vec<Diagnostic>) = match is_xml {
        true => xip::xml::read(&report.sources, file),
        false => front_spi::parse(&report.sources, file, &front_spi::Options::default()),
    };
    report.add(findings);
    Some(xip)
}

/// The text of a Spi file in its canonical layout; `None` with findings where it is no Spi.
pub fn format_flow(input: &Input, limits: Limits, host: &dyn Host) -> (Option<String>, Report) {
    let mut report = Report::within(limits);
    let Some(_) = read(input, host, &mut report) else { return (None, report) };
    if report.has_errors() {
        return (None, report);
    }
    let text = report.sources.text(source::FileId(0)).to_owned();
    match front_spi::format(&text) {
        Ok(formatted) => (Some(formatted), report),
        Err(findings) => {
            report.add(findings);
            (None, report)
        }
    }
}
