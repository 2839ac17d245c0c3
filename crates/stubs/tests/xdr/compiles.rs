//! What is written compiles without a warning, whichever passes run, with no more of the runtime than it uses.

use std::fs;

use cast::{Declaration, File};
use filetest::oracle;
use filetest::scratch::Scratch;
use stubs::plan::Direction;
use stubs::routines::{Options, Wanted, routines};
use stubs::runtime;

use crate::inputs::{presented, selections};

#[test]
fn routines_compile_without_a_warning() {
    let pres = presented("cdr/kinds.x");
    let out = Scratch::new("xdr-kinds").expect("a scratch folder");
    for (at, no_opt) in selections().into_iter().enumerate() {
        let options = Options { no_opt, exported: true, strict: at % 2 == 1, ..Options::default() };
        let path = out.path().join(format!("kinds{at}.c"));
        let directions = [Direction::Encode, Direction::Decode, Direction::Release];
        let of = |name: &String| directions.map(|direction| Wanted { name: name.clone(), direction, phase: 1 });
        let wanted: Vec<Wanted> = pres.types.iter().flat_map(|(_, stub)| of(&stub.name)).collect();
        let routines = routines(&pres, &wanted, &options, &mut |_, _, _| {});
        let mut declarations = vec![Declaration::Verbatim(runtime::xdr_sections(&routines.used))];
        declarations.extend(pres.header.clone());
        declarations.extend(routines.declarations());
        fs::write(&path, cast::print_file(&File { declarations })).expect("a file");
        for compiler in ["gcc", "clang"] {
            let mut command = oracle::command(compiler);
            let flags = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-I/usr/include/tirpc"];
            oracle::succeed(command.args(flags).args(["-c", "-o", "/dev/null"]).arg(&path)).expect("no warning");
        }
    }
}

#[test]
fn what_holds_nothing_has_no_routine_that_releases() {
    let pres = presented("cdr/kinds.x");
    let wanted =
        ["point", "all"].map(|name| Wanted { name: name.to_string(), direction: Direction::Release, phase: 1 });
    let options = Options { prefix: "my_".to_string(), ..Options::default() };
    let routines = routines(&pres, &wanted, &options, &mut |_, _, _| {});
    assert!(!routines.releases("point") && routines.releases("all"));
    assert_eq!(routines.name("all", Direction::Release, false), "my_release_all");
    let text = cast::print_file(&File { declarations: routines.declarations() });
    assert!(text.contains("static void my_release_all(void *value)") && !text.contains("release_point"), "{text}");
    assert!(!text.contains("code_"), "{text}");
}
