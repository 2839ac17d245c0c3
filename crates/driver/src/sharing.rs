//! Files that let residual code share static variables of the general code. In: what is shared, by units. Out: for each unit a file
//! `NAME.shared.c` that includes the unit and gives what is shared a name for others; it is compiled in the unit's place.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use cast::{Declaration, IncludePath, Variable};
use core_c::Program;
use specialize::Shared;

use crate::harness::from_there;
use crate::{Destination, OutputFile, Report, SpecializeRequest};

/// Makes static variables of the general code ones that residual code can name.
pub(crate) fn share(request: &SpecializeRequest, program: &mut Program) -> Vec<Shared> {
    let stem = |unit: usize| escape::c::word(&stem(source(request, unit)));
    specialize::share(program, &stem)
}

/// The files for what residual code names.
pub(crate) fn files(
    request: &SpecializeRequest,
    shared: &[Shared],
    residual: &str,
    report: &mut Report,
) -> Vec<OutputFile> {
    let Some(Destination::Named(output)) = &request.output else { return Vec::new() };
    let mut units: BTreeMap<usize, Vec<&Shared>> = BTreeMap::new();
    for one in shared.iter().filter(|one| residual.contains(&one.alias)) {
        units.entry(one.unit).or_default().push(one);
    }
    let (mut files, mut taken) = (Vec::new(), BTreeSet::new());
    for (unit, shared) in units {
        let source = source(request, unit);
        // Two sources may have one name in different folders.
        let names = (1..).map(|number| if number == 1 { stem(source) } else { format!("{}_{number}", stem(source)) });
        let name = names.into_iter().find(|name| taken.insert(name.clone())).unwrap_or_default();
        let path = Path::new(output).with_file_name(format!("{name}.shared.c")).display().to_string();
        match IncludePath::new(from_there(source, &path)) {
            Ok(include) => {
                let text = cast::print_file(&file(source, include, &shared));
                files.push(OutputFile { destination: Destination::Named(path), text });
            }
            Err(refused) => drop(report.add([present::errors::not_included(&refused, None)])),
        }
    }
    files
}

fn file(source: &str, include: IncludePath, shared: &[&Shared]) -> cast::File {
    let what =
        format!("{source}, which shares static variables with residual code: this file is compiled in its place.");
    let mut declarations = vec![
        Declaration::comment(what),
        Declaration::Include(cast::Include { path: include, system: false }),
        Declaration::Blank,
    ];
    declarations.extend(shared.iter().map(|Shared { name, alias, .. }| {
        let spelling = format!("extern __typeof__({name}) {alias} __attribute__((alias(\"{name}\")))");
        Declaration::Variable(Variable { name: alias.clone(), spelling: Some(spelling), ..Variable::default() })
    }));
    cast::File { declarations }
}

fn source(request: &SpecializeRequest, unit: usize) -> &str {
    unit.checked_sub(1).and_then(|at| request.sources.get(at)).unwrap_or(&request.scenario)
}

fn stem(path: &str) -> String {
    Path::new(path).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
