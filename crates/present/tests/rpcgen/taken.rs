//! Users may call things as the stubs call their own: for every variable, function and macro that generated files declare
//! for themselves, an interface with a type, a constant, an enumerator and arguments of that name still compiles.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use cast::{Declaration, Field, Function, Linkage, Statement, Type, Variable};
use filetest::oracle;
use filetest::scratch::Scratch;
use libtest_mimic::{Failed, Trial};

use crate::compiles::{STYLES, compile};
use crate::generate::{self, Flags};

const PROGRAM: &str = "
struct entry { string text<>; entry *next; };
program BOOK {
    version ONE {
        entry ADD(entry) = 1;
        void NOTHING(void) = 2;
        string RESULT(string) = 3;
        int RETVAL(int) = 4;
    } = 1;
    version TWO {
        entry LOCAL(int) = 1;
        void TRANSP(entry) = 2;
    } = 2;
} = 0x20000001;
";

type Writer = fn(&[String]) -> String;

/// What users may call so, and the interface in which they do.
const USES: [(&str, Writer); 4] =
    [("types", types), ("constants", constants), ("enumerators", enumerators), ("arguments", arguments)];

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for (what, write) in USES {
        for style in STYLES {
            if what == "arguments" && !style.contains("-N") {
                continue;
            }
            let name = format!("taken/{what} may have any name {style}");
            let run = move || check(what, write, style);
            trials.push(oracle::trial(name, &["cpp", "gcc", "clang", "g++"], run));
        }
    }
    trials
}

fn check(what: &str, write: Writer, style: &str) -> Result<(), Failed> {
    let scratch = Scratch::new("taken")?;
    let file = |name: &str, text: &str| -> Result<PathBuf, Failed> {
        let path = scratch.path().join(name);
        fs::write(&path, text)?;
        Ok(path)
    };
    let flags = Flags::of(&style.split_whitespace().collect::<Vec<_>>());
    let own = own_names(&file("plain.x", PROGRAM)?, &flags)?;
    if !["clnt", "transp", "argument", "result"].iter().all(|name| own.iter().any(|own| own == name)) {
        return Err(format!("these names are not all: {own:?}").into());
    }
    compile(&file(&format!("{what}.x"), &write(&own))?, &flags)
}

/// The names that are the files' own, with those that such names give way to.
fn own_names(file: &std::path::Path, flags: &Flags) -> Result<Vec<String>, Failed> {
    let mut names = BTreeSet::new();
    for kind in ["clnt", "svc", "client", "server"] {
        for declaration in generate::c_file(file, flags, kind)?.declarations {
            declared(&declaration, &mut names);
        }
    }
    for arena in generate::presented(file, flags, "RPC_HDR")?.0.arenas {
        names.extend([arena.name, arena.members.value, arena.members.arena, arena.members.first]);
    }
    let second: Vec<String> = names.iter().filter(|name| name.len() % 2 == 0).map(|name| format!("{name}_")).collect();
    Ok(names.into_iter().chain(second).collect())
}

fn declared(declaration: &Declaration, names: &mut BTreeSet<String>) {
    match declaration {
        Declaration::Define(definition) => {
            names.insert(definition.name.clone());
        }
        Declaration::Variable(variable) => variable_names(variable, names),
        Declaration::Function(Function { linkage, name, parameters, body, .. }) => {
            if *linkage == Linkage::Static && !name.ends_with("_1") && !name.ends_with("_2") {
                names.insert(name.clone());
            }
            names.extend(parameters.iter().filter_map(|parameter| parameter.name.clone()));
            body.iter().for_each(|statement| declared_in(statement, names));
        }
        _ => {}
    }
}

fn declared_in(statement: &Statement, names: &mut BTreeSet<String>) {
    let mut all = |body: &[Statement]| body.iter().for_each(|statement| declared_in(statement, names));
    match statement {
        Statement::Declare(variable) => variable_names(variable, names),
        Statement::Block(body) => all(body),
        Statement::If { then, otherwise, .. } | Statement::Conditional { then, otherwise, .. } => {
            all(then);
            all(otherwise);
        }
        Statement::For { initial, body, .. } => {
            all(body);
            all(&initial.iter().map(|initial| (**initial).clone()).collect::<Vec<_>>());
        }
        Statement::Switch { arms, .. } => arms.iter().for_each(|arm| all(&arm.body)),
        _ => {}
    }
}

fn variable_names(variable: &Variable, names: &mut BTreeSet<String>) {
    names.insert(variable.name.clone());
    if let Type::Anonymous(record) = &variable.ty {
        names.extend(record.fields.iter().map(|Field { name, .. }| name.clone()));
    }
}

fn types(names: &[String]) -> String {
    // Of a type `argument` the routine is called xdr_argument.
    let names = names.iter().filter(|name| !name.starts_with("xdr_"));
    let one = |(at, name): (usize, &String)| match at % 3 {
        0 => format!("struct {name} {{ int numbers<>; string text<>; }};\n"),
        1 => format!("typedef string {name}<>;\n"),
        _ => format!("typedef int {name};\n"),
    };
    names.enumerate().map(one).collect::<String>() + PROGRAM
}

fn constants(names: &[String]) -> String {
    names.iter().zip(1000..).map(|(name, value)| format!("const {name} = {value};\n")).collect::<String>() + PROGRAM
}

fn enumerators(names: &[String]) -> String {
    let members: Vec<String> = names.iter().zip(1000..).map(|(name, value)| format!("{name} = {value}")).collect();
    format!("enum taken {{ {} }};\n{PROGRAM}", members.join(", "))
}

/// Each name for the only argument, of the type of that name, and for one of several; names of the library, too.
fn arguments(names: &[String]) -> String {
    let library =
        ["CLIENT", "RPC_SUCCESS", "bool_t", "caddr_t", "clnt_call", "memcpy", "memset", "xdr_int", "xdr_void"];
    let mut types = "struct entry { string text<>; entry *next; };\n".to_string();
    let mut procedures = String::new();
    for (at, name) in names.iter().map(String::as_str).chain(library).enumerate() {
        let is_type = !library.contains(&name) && !name.starts_with("xdr_");
        let ty = if is_type { name } else { "int" };
        if is_type {
            types += &format!("struct {name} {{ int numbers<>; string text<>; }};\n");
        }
        // A structure's member may not be called as its type in C++.
        let lists = [format!("{ty} {name}"), format!("entry {name}, hyper {name}_, int last")];
        for (list, number) in lists.iter().zip(2 * at + 1..) {
            procedures += &format!("        {ty} CALL{number}({list}) = {number};\n");
        }
    }
    format!("{types}program BOOK {{\n    version ONE {{\n{procedures}    }} = 1;\n}} = 0x20000001;\n")
}
