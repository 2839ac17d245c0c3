//! CORBA's C mapping: sequences with a capacity, storage that is freed deep, references, values of the library's. The types are
//! written by hand (`tests/stubs/cdr/mapping.h`), and their presentation in its text form.

use std::fs;
use std::process::Command;

use cast::{Declaration, File};
use filetest::oracle::{self, Compilation, STRICT};
use filetest::programs::CHECKED;
use filetest::scratch::Scratch;
use stubs::plan::{text, verify};
use stubs::routines::{Messages, Options, Orders, routines};
use stubs::runtime;

use crate::inputs::{everything, root};

fn check(no_opt: Vec<String>) {
    let folder = root().join("tests/stubs/cdr");
    let (pres, errors) = pres::text::parse(&fs::read_to_string(folder.join("mapping.pres")).expect("the types"));
    assert_eq!(errors, []);
    let broken: Vec<String> = pres::verify(&pres).into_iter().map(|finding| finding.message).collect();
    assert_eq!(broken, [""; 0]);
    let options = Options { no_opt, exported: true, messages: Messages::Cdr(Orders::Both), ..Options::default() };
    let routines = routines(&pres, &everything(&pres, 1), &options, &mut |_, pass, plan| {
        let findings = verify(plan, &stubs::encodings::Cdr::default());
        let messages: Vec<&str> = findings.iter().map(|finding| finding.message.as_str()).collect();
        assert_eq!(messages, [""; 0], "after {pass}");
        let (read, errors) = text::parse(&text::print(plan));
        assert_eq!(errors, []);
        assert_eq!(read, *plan, "after {pass}");
    });
    let mut declarations = vec![Declaration::Verbatim(runtime::cdr_sections(&routines.used))];
    declarations.push(Declaration::Verbatim("#include \"mapping.h\"\n".to_string()));
    declarations.extend(routines.declarations());
    let scratch = Scratch::new("cdr-mapping").expect("a scratch folder");
    let generated = scratch.path().join("generated.c");
    fs::write(&generated, cast::print_file(&File { declarations })).expect("a file");
    for compiler in ["gcc", "clang"].into_iter().filter(|compiler| oracle::find(compiler).is_some()) {
        let include = |folder: std::path::PathBuf| format!("-I{}", folder.display());
        let includes = [include(folder.clone()), include(root().join("runtime/include"))];
        for flags in [CHECKED.as_slice(), &["-O2"]] {
            let program = scratch.path().join(compiler);
            let compilation = Compilation::new(compiler).with(STRICT).with(includes.clone());
            let done = compilation
                .with(flags.iter().copied())
                .program_alone(&[generated.clone(), folder.join("mapping.c")], &program);
            done.unwrap_or_else(|problem| panic!("{compiler}: {}", problem.message().unwrap_or_default()));
            let output = Command::new(&program).output().expect("it runs");
            assert!(output.status.success(), "{compiler}: {}", String::from_utf8_lossy(&output.stderr));
        }
    }
}

#[test]
fn values_of_the_c_mapping_travel() {
    check(Vec::new());
}

#[test]
fn they_do_without_any_pass() {
    check(stubs::passes::PASSES.iter().map(|pass| pass.name.to_string()).collect());
}
