//! From general C and a scenario to residual C: preprocess, import, lower, specialize, raise, print, write.

use std::collections::BTreeMap;
use std::sync::Arc;

use core_c::raise::Options as FileOptions;
use core_c::{FunctionId, Program};
use effects::Library;
use source::{Diagnostic, Limits, SourceMap};
use specialize::reroll::Unrolling;
use specialize::{Budget, Cause, Effects, Generalization, Hooks, Options, Outcome, Progress, Shared, Without};

use crate::ahead;
use crate::bounds;
use crate::bulk;
use crate::complaints;
use crate::growth::{self, Failure};
use crate::hooks;
use crate::questions::{self, Questions};
use crate::report::GivenUp;
use crate::sharing;
use crate::{Destination, Host, Included, OutputFile, Report, errors, harness, time_limit};

/// What the user asked for.
#[derive(Clone, Debug, Default)]
pub struct SpecializeRequest {
    /// The file whose marked functions are specialized.
    pub scenario: String,
    /// The general code.
    pub sources: Vec<String>,
    /// For the preprocessor and the compiler.
    pub flags: Vec<String>,
    /// More of them for single files, by the names under which these are given.
    pub flags_of: BTreeMap<String, Vec<String>>,
    /// Functions to specialize in place of those that the scenario marks.
    pub roots: Vec<String>,
    pub output: Option<Destination>,
    /// Where a program goes that compares the residual functions with their originals.
    pub harness: Option<String>,
    /// How much the scenario may ask for.
    pub limits: Limits,
    /// What becomes of loops that were unrolled.
    pub loops: Unrolling,
    /// A function of which nothing is decided is an error.
    pub requires_benefit: bool,
    /// How many times as large as the general code the residual code may be; none for any.
    pub max_growth: Option<u32>,
    /// Print Core C instead: of the program, or of the residual functions.
    pub emit: Option<CoreStage>,
    /// Files that describe functions without a body here.
    pub effects: Vec<String>,
    /// What the user asks. Without an output, nothing else is done.
    pub questions: Questions,
    /// Sensitivities to do without, to see what they buy ([`sensitivities`]).
    pub without: Vec<String>,
    /// Residual code shares static variables of the general code, which is compiled from files that are written for that.
    pub share_statics: bool,
    /// `#line` says where the statements of residual code come from.
    pub line_directives: bool,
    /// Where the run says how far it is.
    pub progress: Arc<Progress>,
}

/// What the specializer tells apart, each by the name under which it can be left out.
pub fn sensitivities() -> &'static [&'static str] {
    &Without::NAMES
}

/// Where looking inside stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoreStage {
    /// The program, after lowering.
    Core,
    /// The residual functions.
    Residual,
}

/// Specializes a scenario. Nothing is written when anything is an error.
pub fn specialize(request: &SpecializeRequest, host: &dyn Host) -> Report {
    let end = time_limit::end(&request.limits);
    let mut report = Report::within(request.limits);
    let effects = effects(request, host, &mut report);
    let Some(units) = preprocess(request, host, &mut report) else { return report };
    let (cast, findings) = front_c::import_within(&units, &mut report.sources, &request.limits);
    if report.add(findings) {
        return report;
    }
    let (mut program, findings) = core_c::lower(&cast);
    if report.add(findings) {
        return report;
    }
    if request.emit == Some(CoreStage::Core) {
        report.dumps = core_c::dump(&program);
        return report;
    }
    report.add(other_names(&cast));
    let shared = if request.share_statics { sharing::share(request, &mut program) } else { Vec::new() };
    let roots = roots(request, &cast, &program, &mut report);
    let mut files = Vec::new();
    if report.has_errors() {
        return report;
    }
    let only_asked = !request.questions.is_empty() && request.output.is_none();
    let asked = (!request.questions.is_empty()).then(|| program.clone());
    let swap = (request.loops == Unrolling::Auto).then(|| bulk::declare(&mut program));
    let hooks = hooks::hooks(&cast, &program);
    for (at, root) in roots.iter().enumerate() {
        let findings = report.findings.len();
        let mut options = options(request, &program, (*root, swap), (&effects, &hooks));
        options.budget.until = end.map(|end| time_limit::turn(end, roots.len() - at));
        request.progress.begin(&program.functions[*root].name);
        program = specialize_one(request, program, (*root, &options, &shared), &mut report);
        if only_asked {
            questions::refusals(report.findings.split_off(findings), &mut report.dumps);
        }
    }
    if let Some(asked) = asked {
        files.extend(questions::answer(&request.questions, &asked, &roots, (host, &mut report)));
    }
    if only_asked || report.has_errors() {
        return written(report, &files, host);
    }
    if request.emit == Some(CoreStage::Residual) {
        roots
            .iter()
            .for_each(|root| report.dumps.push_str(&core_c::dump_function(&program, &program.functions[*root])));
        return report;
    }
    let cast = cast::Program { types: program.types.table.clone(), ..cast };
    let lines = request.line_directives.then_some(&report.sources);
    let file = residual_file(&program, &cast, &roots, lines);
    let destination = request.output.clone().unwrap_or(Destination::StandardOutput);
    let mut text = bulk::with_runtime(cast::print_file(&file), &program, swap);
    if lines.is_some() {
        text = core_c::raise::settle(&text, name_of(&destination));
    }
    if !bounds::have_room(&mut 0, text.len(), &mut report) {
        return report;
    }
    files.extend(sharing::files(request, &shared, &text, &mut report));
    files.push(OutputFile { destination, text });
    if let Some(path) = &request.harness {
        files.extend(harness::file(request, path, (&cast, &program), &roots, &mut report));
    }
    written(report, &files, host)
}

/// The file that takes the scenario's place: the residual functions, and all else that the scenario's unit defines for
/// others, as it is.
fn residual_file(
    program: &Program,
    cast: &cast::Program,
    roots: &[FunctionId],
    lines: Option<&SourceMap>,
) -> cast::File {
    let used = |name: &str| {
        let declarations = cast.units.iter().take(1).flat_map(|unit| &unit.file.declarations);
        declarations.into_iter().any(|declaration| match declaration {
            cast::Declaration::Function(function) | cast::Declaration::Prototype(function) => {
                function.name == name && hooks::is_used(&hooks::attributes(function))
            }
            _ => false,
        })
    };
    let is_shown = |function: &core_c::Function| {
        let has_body = function.has_body();
        let is_external = function.linkage == core_c::Linkage::External && !function.inline;
        function.unit == Some(0) && has_body && (is_external || used(&function.name))
    };
    let others = program.functions.iter().filter(|(id, function)| is_shown(function) && !roots.contains(id));
    let others: Vec<FunctionId> = others.map(|(id, _)| id).collect();
    let wanted: Vec<FunctionId> = roots.iter().chain(&others).copied().collect();
    // Scenarios that were not asked for are what a compiler sees of them.
    let marked = marked(cast);
    let (scenarios, kept): (Vec<FunctionId>, Vec<FunctionId>) = others.into_iter().partition(|id| {
        let function = &program.functions[*id];
        marked.contains(&function.name) || specialize::is_annotated(program, function)
    });
    let mut shown = program.clone();
    for scenario in scenarios {
        specialize::strip(program, &mut shown.functions[scenario]);
    }
    let (kept, objects) = (kept.into_iter().collect(), hooks::objects(cast, program));
    let options = FileOptions { units: vec![0], kept, objects, lines };
    core_c::raise::file_with(&shown, cast, &wanted, &options)
}

/// What a file calls itself.
fn name_of(destination: &Destination) -> &str {
    match destination {
        Destination::StandardOutput => "<stdout>",
        Destination::Named(path)
        | Destination::Path(path)
        | Destination::Once(path)
        | Destination::WhereChanged(path) => path,
    }
}

fn written(mut report: Report, files: &[OutputFile], host: &dyn Host) -> Report {
    if !report.has_errors() && !files.is_empty() {
        report.add(host.write(files).err().map(|finding| *finding));
    }
    report
}

fn preprocess(request: &SpecializeRequest, host: &dyn Host, report: &mut Report) -> Option<Vec<front_c::Input>> {
    let (mut units, mut is_whole) = (Vec::new(), true);
    for path in std::iter::once(&request.scenario).chain(&request.sources) {
        let flags = [&request.flags[..], request.flags_of.get(path).map_or(&[], Vec::as_slice)].concat();
        if let Included::Text(source) = host.included(path) {
            let of = ahead::Preprocessed { source: &source, arguments: &flags };
            if !ahead::is_bounded(&of, host, report) {
                is_whole = false;
                continue;
            }
        }
        match host.preprocess_c(path, &flags) {
            Ok(preprocessed) => {
                report.remark(&preprocessed.remarks);
                if !bounds::is_expanded_within(path, &preprocessed.text, report) {
                    is_whole = false;
                    continue;
                }
                units.push(front_c::Input { path: path.clone(), text: preprocessed.text, flags });
            }
            Err(finding) => {
                let text_of = |name: &str| host.read(Some(name)).ok().map(|source| source.text);
                let placed = complaints::placed(&finding, text_of, report);
                report.add(if placed.is_empty() { vec![*finding] } else { placed });
                is_whole = false;
            }
        }
    }
    is_whole.then_some(units)
}

/// What functions without a body do: the C library's, and what the user says of others.
fn effects(request: &SpecializeRequest, host: &dyn Host, report: &mut Report) -> Library {
    let mut library = Library::default();
    for path in &request.effects {
        match host.read(Some(path)) {
            Ok(source) => {
                let file = report.sources.add(source.name, source.text.clone());
                report.add(library.add(file, &source.text));
            }
            Err(finding) => drop(report.add([*finding])),
        }
    }
    library
}

/// GNU C's `alias`: whoever writes one of the names changes what the other one holds, which nothing here knows.
fn other_names(cast: &cast::Program) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for declaration in cast.units.iter().flat_map(|unit| &unit.file.declarations) {
        let (name, spelling, span) = match declaration {
            cast::Declaration::Variable(variable) => (&variable.name, &variable.spelling, variable.span),
            cast::Declaration::Function(function) | cast::Declaration::Prototype(function) => {
                (&function.name, &function.spelling, function.span)
            }
            _ => continue,
        };
        let attribute = spelling.iter().flat_map(|text| text.split("alias").skip(1));
        let is_alias = |rest: &str| {
            let rest = rest.trim_start_matches('_').trim_start();
            rest.strip_prefix('(').is_some_and(|rest| rest.trim_start().starts_with('"'))
        };
        if attribute.into_iter().any(is_alias) {
            found.push(at(errors::refused(name, "it is another name of something else (`alias`)"), span));
        }
    }
    found
}

/// What `WHITTLE_SPECIALIZE` expands to while whittle reads.
const MARK: &str = "whittle-specialize";

/// The functions that the scenario's file marks.
fn marked(cast: &cast::Program) -> Vec<String> {
    let scenario = cast.units.first().map(|unit| &unit.file.declarations[..]).unwrap_or_default();
    let marked = scenario.iter().filter_map(|declaration| match declaration {
        cast::Declaration::Function(function) => {
            let head = function.spelling.as_deref().unwrap_or_default();
            (head.contains(MARK) || function.attributes.iter().any(|text| text.contains(MARK)))
                .then_some(function.name.clone())
        }
        _ => None,
    });
    marked.collect()
}

fn roots(request: &SpecializeRequest, cast: &cast::Program, program: &Program, report: &mut Report) -> Vec<FunctionId> {
    let mut roots = Vec::new();
    let wanted = if request.roots.is_empty() { &marked(cast) } else { &request.roots };
    for name in wanted {
        match program.functions.iter().find(|(_, function)| function.name == *name) {
            Some((id, _)) => roots.push(id),
            None => drop(report.add([errors::no_root(name)])),
        }
    }
    if roots.is_empty() && !report.has_errors() {
        report.add([errors::no_scenario(&request.scenario)]);
    }
    roots
}

/// What the specializer may take for granted.
fn options(
    request: &SpecializeRequest,
    program: &Program,
    (root, swap): (FunctionId, Option<FunctionId>),
    (effects, hooks): (&Library, &Hooks),
) -> Options {
    let mut options = Options {
        program_start: program.functions[root].name == "main",
        hooks: hooks.clone(),
        budget: Budget::within(&request.limits),
        effects: Effects::new(effects.clone()),
        progress: Arc::clone(&request.progress),
        ..Options::default()
    };
    for name in &request.without {
        options.without.switch_off(name);
    }
    options.rerolling.unrolling = request.loops;
    options.rerolling.bulk.swap32 = swap;
    options
}

/// The program with a residual function in the place of `root`.
fn specialize_one(
    request: &SpecializeRequest,
    program: Program,
    (root, options, shared): (FunctionId, &Options, &[Shared]),
    report: &mut Report,
) -> Program {
    let name = program.functions[root].name.clone();
    match growth::specialize(&program, root, options, request.max_growth) {
        Ok(outcome) => {
            if let Some(growth) = growth::beyond(&outcome, &program, request.max_growth) {
                report.add([at(errors::large(&name, &growth), program.functions[root].span)]);
            }
            let Outcome { program, generalizations, rolled, decided, trace, size, .. } = outcome;
            if decided == 0 && request.requires_benefit {
                report.add([at(errors::no_benefit(&name), program.functions[root].span)]);
            }
            let mut general = called_as_general(&generalizations);
            for (name, _) in &mut general {
                let own = shared.iter().find(|shared| shared.alias == *name);
                own.into_iter().for_each(|shared| name.clone_from(&shared.name));
            }
            if !general.is_empty() {
                report.add([at(
                    errors::stay_general(&name, &general, request.share_statics),
                    program.functions[root].span,
                )]);
            }
            report.given_up.push(GivenUp { root: name, generalizations, rolled, trace, size });
            program
        }
        Err(Failure::TooLarge(too_large)) => {
            report.add([at(errors::too_large(&name, &too_large), program.functions[root].span)]);
            program
        }
        Err(Failure::Refused(refusal)) => {
            let mut finding = match refusal.limit {
                Some(limit) => request
                    .limits
                    .exceeded(limit, refusal.span)
                    .note(format!("`{name}` is not specialized: {}", refusal.reason)),
                None => at(errors::refused(&name, &refusal.reason), refusal.span),
            };
            if let Some(because) = &refusal.because {
                finding = questions::explained(&report.sources, because, finding);
            }
            report.given_up.push(GivenUp { root: name, trace: refusal.trace, ..GivenUp::default() });
            report.add([finding]);
            program
        }
    }
}

/// The functions of the program that residual code calls as they stand, and why, each once.
fn called_as_general(generalizations: &[Generalization]) -> Vec<(String, String)> {
    let mut found = BTreeMap::new();
    for generalization in generalizations {
        if let Cause::Kept(name, why) = &generalization.cause {
            found.entry(name.clone()).or_insert_with(|| why.clone());
        }
    }
    found.into_iter().collect()
}

fn at(finding: Diagnostic, span: Option<source::Span>) -> Diagnostic {
    match span {
        Some(span) => finding.at(span, "here"),
        None => finding,
    }
}
