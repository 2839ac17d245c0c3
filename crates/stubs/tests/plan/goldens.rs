//! Goldens: `tests/stubs/passes/NAME.x`, whose first line names a pass, beside the routines that it changes (`.plan`);
//! and the C of the directory service without the runtime that it carries.

use cast::{Declaration, File};
use filetest::golden::{self, Golden};
use stubs::marshal;
use stubs::passes;
use stubs::plan::{Plan, text};
use stubs::tables::Prefer;

use crate::inputs::{optional_passes, own, root};

const BLESS: &str = "BLESS=1 cargo test -p stubs --test plan";

/// Fails with the difference, or rewrites the expectation.
pub(crate) fn check(golden: &Golden, actual: &str) {
    if let Err(problem) = golden::check(golden, actual, BLESS) {
        panic!("{}", problem.message().unwrap_or("the expectation cannot be read"));
    }
}

/// The routines of a plan that are not the same in another.
fn changed(plan: &Plan, other: &Plan) -> String {
    let mut part = Plan::default();
    let routines = plan.routines.iter().filter(|(id, routine)| other.routines.get(id) != Some(routine));
    part.routines.extend(routines.map(|(id, routine)| (id.clone(), routine.clone())));
    // The order of the types comes first, and is none here.
    text::print(&part).lines().skip(1).map(|line| format!("{line}\n")).collect()
}

/// The routines that a pass changes, before and after it.
fn effect(input: &str, wanted: &str) -> String {
    let input = own(input);
    let mut before = input.lowered();
    let mut shown = String::new();
    passes::optimize(before.clone(), &[], &mut |pass, plan| {
        if pass == wanted {
            let (old, new) = (changed(&before, plan), changed(plan, &before));
            shown = format!("; before {pass}\n{old}\n; after {pass}\n{new}");
        }
        before = plan.clone();
    });
    shown
}

#[test]
fn each_pass_does_what_its_page_says() {
    let mut shown = std::collections::BTreeSet::new();
    for golden in golden::find(&root().join("tests/stubs/passes"), "x") {
        let pass = golden.options.last().expect("the first line names a pass");
        check(&golden, &effect(&golden.input.display().to_string(), pass));
        shown.insert(pass.clone());
    }
    let missing: Vec<String> = optional_passes().into_iter().filter(|pass| !shown.contains(pass)).collect();
    assert!(missing.is_empty(), "no golden shows {missing:?}");
}

/// The C of an interface, its runtime left out.
pub(crate) fn marshalling(path: &str, prefer: Prefer) -> File {
    let options = marshal::Options { prefer, ..marshal::Options::default() };
    let mut file = marshal::marshal(&own(path).pres, &options, &mut |_, _| {});
    // It stands by itself, under the first condition.
    let is_condition = |declaration: &Declaration| matches!(declaration, Declaration::Conditional(_));
    if let Some(at) = file.declarations.iter().position(is_condition) {
        file.declarations[at] = Declaration::comment("The runtime is left out here.");
    }
    file
}

#[test]
fn the_directory_service_in_c() {
    for (prefer, name) in [(Prefer::Speed, "speed"), (Prefer::Size, "size")] {
        let folder = root().join("tests/stubs/xdr");
        let golden = Golden {
            input: folder.join("directory.x"),
            expectation: folder.join(format!("directory_{name}_xdr.c")),
            kind: "c".to_string(),
            options: Vec::new(),
        };
        check(&golden, &cast::print_file(&marshalling("tests/stubs/xdr/directory.x", prefer)));
    }
}

/// Tables are not written where routines cost no more.
#[test]
fn a_small_file_with_arrays_has_routines_alone() {
    let path = "tests/stubs/xdr/directory.x";
    let [balance, speed] = [Prefer::Balance, Prefer::Speed].map(|prefer| cast::print_file(&marshalling(path, prefer)));
    assert_eq!(balance, speed);
}
