//! Whatever tree is printed and read back, the same C comes out.

use std::cell::RefCell;
use std::fs;
use std::path::Path;

use driver::{
    COMBINATIONS, Combination, Destination, Encoding, Failure, Host, Input, Language, Link, OutputFile, OutputKind,
    Preprocess, Preprocessed, Request, Side, SourceText, Stage, Style,
};

/// One input in memory, and what was written.
struct Memory {
    text: String,
    written: RefCell<Vec<OutputFile>>,
}

impl Host for Memory {
    fn read(&self, path: Option<&str>) -> Result<SourceText, Failure> {
        Ok(SourceText { name: path.unwrap_or_default().to_string(), text: self.text.clone(), lossy: false })
    }

    fn preprocess(&self, request: &Preprocess<'_>) -> Result<Preprocessed, Failure> {
        Ok(Preprocessed { text: request.source.text.clone(), has_markers: false, remarks: String::new() })
    }

    fn preprocess_c(&self, path: &str, _: &[String]) -> Result<Preprocessed, Failure> {
        self.read(Some(path)).map(|source| Preprocessed { text: source.text, ..Preprocessed::default() })
    }

    fn write(&self, files: &[OutputFile]) -> Result<(), Failure> {
        self.written.borrow_mut().extend(files.iter().cloned());
        Ok(())
    }
}

/// Compiles; what was printed, and the files by their names, without the comment on top. `None` for errors.
fn compile(text: &str, change: &dyn Fn(&mut Request)) -> Option<(String, Vec<(Destination, String)>)> {
    let mut request = Request::new(Input::Path("service.x".to_string()));
    let path = |kind: &OutputKind| (*kind, Destination::Path(kind.file_name("service")));
    request.outputs = Side::Both.outputs(Style::Rpcgen, Link::Tirpc).iter().map(path).collect();
    // A plan has routines alone: what tables say is in PRES_C.
    request.marshalling.prefer = driver::Prefer::Speed;
    change(&mut request);
    let host = Memory { text: text.to_string(), written: RefCell::new(Vec::new()) };
    let report = driver::compile(&request, &host);
    if report.has_errors() {
        return None;
    }
    let body = |text: &str| text.find("#include").map_or(String::new(), |start| text[start..].to_string());
    let files = host.written.into_inner().into_iter().map(|file| (file.destination, body(&file.text)));
    Some((report.dumps, files.collect()))
}

/// The interfaces of the front end's tests that pass no lines of C on: those are in no dump but AOI's.
fn interfaces() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/parse/onc/good");
    let entries = fs::read_dir(folder).expect("the folder of tests exists").map(|entry| entry.expect("a file").path());
    let files = entries.filter(|path| path.extension().is_some_and(|extension| extension == "x"));
    let texts = files.map(|path| (path.display().to_string(), fs::read_to_string(path).expect("a text")));
    texts.filter(|(_, text)| !text.contains(['%', '#'])).collect()
}

/// What a file has for libraries with operations of streams: of the other form of routines a plan says nothing.
fn for_streams(text: &str) -> String {
    // For each condition that is open: whether it is the one between the forms.
    let mut open: Vec<bool> = Vec::new();
    let mut is_other = false;
    let mut kept = String::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        let ends = line == "#endif";
        let is_between = if ends { open.pop() } else { open.last().copied() }.unwrap_or(false);
        if line.starts_with("#if") {
            open.push(line == "#ifdef XDR_PUTBYTES");
        }
        is_other = if is_between && line == "#else" { true } else { is_other && !(ends && is_between) };
        let is_condition = line == "#ifdef XDR_PUTBYTES" || (is_between && (ends || line == "#else"));
        if !is_other && !is_condition {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

fn same_from(stage: Stage, outputs: &[OutputKind]) {
    let ways: [&dyn Fn(&mut Request); 2] = [&|_| {}, &|request| {
        request.newstyle = true;
        request.marshalling.strict = true;
    }];
    let mut compared = 0;
    for (name, text) in interfaces() {
        for way in ways {
            let Some((_, mut direct)) = compile(&text, way) else { continue };
            compared += 1;
            let names: Vec<Destination> =
                outputs.iter().map(|kind| Destination::Path(kind.file_name("service"))).collect();
            direct.retain(|(destination, _)| names.contains(destination));
            let (dump, _) = compile(&text, &|request| {
                way(request);
                request.inspection.emit = Some(stage);
            })
            .expect("a dump");
            let (_, again) = compile(&dump, &|request| {
                way(request);
                request.inspection.from = Some(stage);
            })
            .unwrap_or_else(|| panic!("the dump of {name} does not read back:\n{dump}"));
            let again: Vec<_> = if stage == Stage::Plan {
                again.into_iter().map(|(destination, text)| (destination, for_streams(&text))).collect()
            } else {
                again
            };
            for (destination, text) in direct {
                let text = if stage == Stage::Plan { for_streams(&text) } else { text };
                let file = (destination, text);
                // What a file would be empty of, a dump of a later tree cannot know.
                assert!(again.contains(&file), "{name}: {file:#?} is not among {again:#?}");
            }
        }
    }
    assert!(compared > 10, "only {compared} interfaces");
}

#[test]
fn everything_is_in_aoi() {
    same_from(Stage::Aoi, &Side::Both.outputs(Style::Rpcgen, Link::Tirpc));
}

/// All good files of a front end's tests that need no preprocessor.
fn files_of(language: Language) -> Vec<(String, String)> {
    let (folder, ending) = match language {
        Language::Onc => ("parse/onc/good", "x"),
        Language::Corba => ("parse/corba/good", "idl"),
        Language::Mig => ("direct", "defs"),
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(folder);
    let entries = fs::read_dir(folder).expect("the folder of tests exists").map(|entry| entry.expect("a file").path());
    let files = entries.filter(|path| path.extension().is_some_and(|found| found == ending));
    let texts = files.map(|path| (path.display().to_string(), fs::read_to_string(path).expect("a text")));
    texts.filter(|(_, text)| !text.contains('#')).collect()
}

/// Compiles in one of the combinations; what was printed, and the files, whole.
fn combined(text: &str, row: Combination, change: &dyn Fn(&mut Request)) -> Option<(String, Vec<OutputFile>)> {
    let input = format!("service{}", row.language.ending());
    let mut request = Request::new(Input::Path(input));
    (request.language, request.style, request.encoding, request.link) =
        (row.language, row.style, row.encoding, row.link);
    request.header = Some("service.h".to_string());
    let is_numbered = row.encoding == Encoding::Xdr && row.link != Link::None;
    request.onc_program = Some(0x2000_0001).filter(|_| is_numbered);
    let path = |kind: &OutputKind| (*kind, Destination::Path(kind.file_name("service")));
    let outputs = Side::Both.outputs(row.style, row.link.underlying(row.encoding));
    let own = |kind: &&OutputKind| !matches!(kind, OutputKind::RunTime(_) | OutputKind::RpcHeader(_));
    request.outputs = outputs.iter().filter(own).map(path).collect();
    change(&mut request);
    let host = Memory { text: text.to_string(), written: RefCell::new(Vec::new()) };
    let report = driver::compile(&request, &host);
    (!report.has_errors()).then(|| (report.dumps, host.written.into_inner()))
}

#[test]
fn everything_is_in_pres() {
    let mut compared = 0;
    for row in COMBINATIONS {
        for (name, text) in files_of(row.language) {
            let Some((_, direct)) = combined(&text, row, &|_| ()) else { continue };
            let (dump, _) =
                combined(&text, row, &|request| request.inspection.emit = Some(Stage::Pres)).expect("a dump");
            let (_, again) = combined(&dump, row, &|request| request.inspection.from = Some(Stage::Pres))
                .unwrap_or_else(|| panic!("{}: the dump of {name} does not read back:\n{dump}", row.options()));
            for file in &direct {
                let Some(same) = again.iter().find(|other| other.destination == file.destination) else {
                    // Of a file with nothing in it a dump cannot know that it is wanted.
                    assert!(!file.text.contains('('), "{}: {name}: no {:?}", row.options(), file.destination);
                    continue;
                };
                for (made, from_dump) in file.text.lines().zip(same.text.lines()) {
                    assert_eq!(made, from_dump, "{}: {name}: {:?}", row.options(), file.destination);
                }
                assert_eq!(file.text.len(), same.text.len(), "{}: {name}: {:?}", row.options(), file.destination);
            }
            assert!(again.len() <= direct.len(), "{}: {name}", row.options());
            compared += 1;
        }
    }
    assert!(compared > 200, "only {compared} files in all combinations");
}

/// Plans are seen in every combination, after every pass.
#[test]
fn plans_are_seen_in_every_style_and_link() {
    let texts = [
        (
            Language::Onc,
            "struct s { int a[30]; string b<>; }; program P { version V { s F(s) = 1; } = 1; } = 0x20000001;",
        ),
        (Language::Corba, "struct s { long a[30]; string b; }; interface I { s f(in s x); };"),
        (
            Language::Mig,
            "subsystem i 500; type port_t = MACH_MSG_TYPE_COPY_SEND; type row_t = array[30] of int; \
             routine f(p : port_t; in a : row_t; out b : row_t);",
        ),
    ];
    for row in COMBINATIONS {
        let (_, text) = texts.into_iter().find(|(language, _)| *language == row.language).expect("a text");
        let options = row.options();
        for pass in driver::every_pass() {
            let show = |request: &mut Request| request.inspection.print_after = vec![pass.to_string()];
            let (dump, files) = combined(text, row, &show).unwrap_or_else(|| panic!("{options}: {pass}"));
            assert!(
                dump.contains(&format!("; after {pass}\n")) && dump.contains(" encode"),
                "{options}: {pass}: {dump}"
            );
            assert_eq!(files, [], "{options}");
        }
        for stage in [Stage::Aoi, Stage::Mint, Stage::Pres, Stage::Plan, Stage::Cast] {
            let show = |request: &mut Request| request.inspection.emit = Some(stage);
            let (dump, files) = combined(text, row, &show).unwrap_or_else(|| panic!("{options}: {}", stage.name()));
            assert!(dump.len() > 20, "{options}: {}: {dump}", stage.name());
            assert_eq!(files, [], "{options}");
        }
    }
}

#[test]
fn the_routines_are_in_the_plan() {
    same_from(Stage::Plan, &[OutputKind::Routines]);
}
