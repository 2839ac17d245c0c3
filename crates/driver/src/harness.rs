//! The differential harness of a scenario, as a file beside the residual code.

use std::collections::BTreeMap;
use std::path::Path;

use cast::{Declaration, FunctionType, IncludePath, Linkage, Storage};
use core_c::{FunctionId, Program};
use specialize::harness::{Subject, Variable, harness};

use crate::{Destination, OutputFile, Report, SpecializeRequest, errors};

/// The harness for a scenario's functions; without it, errors that say what cannot be made up.
pub(crate) fn file(
    request: &SpecializeRequest,
    path: &str,
    (cast, program): (&cast::Program, &Program),
    roots: &[FunctionId],
    report: &mut Report,
) -> Option<OutputFile> {
    let scenario = cast.units.first().map(|unit| &unit.file.declarations[..]).unwrap_or_default();
    let mut heads = Vec::new();
    for root in roots {
        let name = &program.functions[*root].name;
        let own = scenario.iter().find_map(|declaration| match declaration {
            Declaration::Function(function) if function.name == *name => Some(function),
            _ => None,
        });
        let Some(function) = own else {
            report.add([errors::no_harness(name, &format!("{} does not define it", request.scenario))]);
            continue;
        };
        let ty = FunctionType {
            result: function.result.clone(),
            parameters: function.parameters.clone(),
            variadic: function.variadic,
            unprototyped: false,
        };
        heads.push((name, ty, matches!(function.linkage, Linkage::Static | Linkage::StaticInline)));
    }
    if report.has_errors() {
        return None;
    }
    let subjects: Vec<Subject<'_>> =
        heads.iter().map(|(name, ty, is_static)| Subject { name, ty, is_static: *is_static }).collect();
    let scenario = match IncludePath::new(from_there(&request.scenario, path)) {
        Ok(scenario) => scenario,
        Err(refused) => {
            report.add([present::errors::not_included(&refused, None)]);
            return None;
        }
    };
    match harness(&cast.types, &scenario, &subjects, (&variables(cast), &others(cast, &subjects))) {
        Ok(file) => {
            let destination = Destination::Named(path.to_owned());
            Some(OutputFile { destination, text: cast::print_file(&file) })
        }
        Err(problems) => {
            report.add(problems.iter().map(|problem| errors::no_harness(&problem.function, &problem.reason)));
            None
        }
    }
}

/// Functions that the scenario defines beside those that are compared.
fn others<'c>(cast: &'c cast::Program, subjects: &[Subject<'_>]) -> Vec<&'c str> {
    let scenario = cast.units.first().map(|unit| &unit.file.declarations[..]).unwrap_or_default();
    let defined = scenario.iter().filter_map(|declaration| match declaration {
        Declaration::Function(function) if matches!(function.linkage, Linkage::Plain | Linkage::Extern) => {
            Some(function.name.as_str())
        }
        _ => None,
    });
    defined.filter(|name| !subjects.iter().any(|subject| subject.name == *name)).collect()
}

/// Global variables that somebody may change, by the unit that defines them.
fn variables(cast: &cast::Program) -> Vec<Variable<'_>> {
    let mut found: BTreeMap<&str, Variable<'_>> = BTreeMap::new();
    for (unit, declared) in cast.units.iter().enumerate() {
        for declaration in &declared.file.declarations {
            let Declaration::Variable(variable) = declaration else { continue };
            let is_shared =
                variable.storage == Storage::Automatic && variable.header.is_none() && !variable.thread_local;
            if is_shared && !variable.name.contains('@') {
                let (name, ty) = (variable.name.as_str(), &variable.ty);
                found.entry(name).or_insert(Variable { name, ty, is_scenarios: unit == 0 });
            }
        }
    }
    found.into_values().collect()
}

/// A source as a file that is written includes it: by its name alone where both are in one folder.
pub(crate) fn from_there(source: &str, file: &str) -> String {
    let (from, to) = (Path::new(file).parent(), Path::new(source).parent());
    match Path::new(source).file_name() {
        Some(name) if from == to => name.to_string_lossy().into_owned(),
        _ => source.to_owned(),
    }
}
