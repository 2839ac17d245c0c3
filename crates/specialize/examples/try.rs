//! `cargo run -p specialize --example try -- ROOT FILE.c... [-- CFLAGS]`: a look at what becomes of a function.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr)]
use std::process::Command;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let root = arguments.next().unwrap();
    let rest: Vec<String> = arguments.collect();
    let split = rest.iter().position(|word| word == "--").unwrap_or(rest.len());
    let (files, flags) = (&rest[..split], &rest[(split + 1).min(rest.len())..]);
    let mut sources = source::SourceMap::new();
    let mut units = Vec::new();
    for file in files {
        let output = Command::new("clang")
            .args(["-E", "-D__WHITTLE__", "-Iruntime/include"])
            .args(flags)
            .arg(file)
            .output()
            .unwrap();
        if !output.status.success() {
            eprintln!("{}", String::from_utf8_lossy(&output.stderr));
        }
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        units.push(front_c::Input { path: file.clone(), text, flags: Vec::new() });
    }
    let (cast, findings) = front_c::import(&units, &mut sources);
    eprint!("{}", source::render::short(&sources, &findings));
    let (program, findings) = core_c::lower(&cast);
    eprint!("{}", source::render::short(&sources, &findings));
    let id = program.functions.iter().find(|(_, function)| function.name == root).expect("root").0;
    if std::env::var_os("DUMP").is_some() {
        println!("{}", core_c::dump_function(&program, &program.functions[id]));
    }
    for (_, function) in program.functions.iter() {
        if let Some(reason) = &function.refused {
            eprintln!("{}: {reason}", function.name);
        }
    }
    let options = specialize::Options { program_start: root == "main", ..specialize::Options::default() };
    match specialize::specialize(&program, id, &options) {
        Ok(outcome) => {
            if std::env::var_os("CORE").is_some() {
                println!("{}", core_c::dump_function(&outcome.program, &outcome.program.functions[id]));
            }
            let cast = cast::Program { types: outcome.program.types.table.clone(), ..cast };
            let file = core_c::raise::file(&outcome.program, &cast, &[id]);
            println!("{}", cast::print_file(&file));
        }
        Err(refusal) => println!(
            "refused: {} {:?}",
            refusal.reason,
            refusal.span.and_then(|span| sources.place(span)).map(|place| format!("{:?}", place))
        ),
    }
}
