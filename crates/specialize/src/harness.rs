//! A differential harness for residual functions: C that calls them and their originals with the same random arguments, in the
//! same order, and compares what they return, what they write, global variables and `errno`, and what they print.
//!
//! In: the functions, and what their parameters' types are. Out: a C file that includes the scenario, with its functions
//! under other names, and is linked with the residual code. Why: whoever gets residual code can see the law hold.

mod shapes;
mod stubs;

use cast::{Declaration, Definition, Expression, Function, FunctionType, IncludePath, Linkage, Statement};
use cast::{Storage, Type, TypeTable, build};

use shapes::Shapes;

/// What the harness does, in C.
const RUNTIME: &str = include_str!("../../../runtime/include/whittle/harness.h");

/// Parameters of a function at most; the runtime has as many places.
const PARAMETERS: usize = 64;

/// A function of the scenario.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    pub name: &'a str,
    pub ty: &'a FunctionType,
    /// Nobody else can call it.
    pub is_static: bool,
}

/// A global variable.
#[derive(Clone, Copy, Debug)]
pub struct Variable<'a> {
    pub name: &'a str,
    pub ty: &'a Type,
    /// The scenario defines it: the original has one of its own.
    pub is_scenarios: bool,
}

/// Why there is no harness for a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmade {
    pub function: String,
    pub reason: String,
}

/// The harness of a scenario's functions, or what cannot be made up. `others` are functions that the scenario defines for other units,
/// too, as the residual file does.
pub fn harness(
    types: &TypeTable,
    scenario: &IncludePath,
    subjects: &[Subject<'_>],
    (variables, others): (&[Variable<'_>], &[&str]),
) -> Result<cast::File, Vec<Unmade>> {
    let mut shapes = Shapes::new(types);
    let (mut entries, mut code, mut problems) = (Vec::new(), Vec::new(), Vec::new());
    for (number, subject) in subjects.iter().enumerate() {
        match function(&mut shapes, number, subject) {
            Ok((declarations, entry)) => {
                code.extend(declarations);
                entries.push(entry);
            }
            Err(reason) => problems.push(Unmade { function: subject.name.to_owned(), reason }),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let (globals, shown) = globals(&mut shapes, variables);
    let mut declarations = head(scenario, subjects, (variables, others));
    declarations.extend(shapes.tables());
    declarations.extend(globals);
    declarations.extend(code);
    let ty = Type::structure("whittle_harness_function").constant();
    declarations.push(table("whittle_harness_functions", ty, entries));
    declarations.extend([
        Declaration::Blank,
        program_table(subjects.len(), shown),
        Declaration::Blank,
        main_function(),
    ]);
    Ok(cast::File { declarations })
}

fn original(name: &str) -> String {
    format!("whittle_original_{name}")
}

fn head(
    scenario: &IncludePath,
    subjects: &[Subject<'_>],
    (variables, others): (&[Variable<'_>], &[&str]),
) -> Vec<Declaration> {
    let mut out = vec![Declaration::comment(format!(
        "Compares the functions of {} with their residual code, on random arguments.\n\
         Compile it as that is compiled, and link it with the residual code and the general code;\n\
         start it with a seed and a number of runs, or with neither.",
        scenario.as_str()
    ))];
    let define = |name: &str, value| Declaration::Define(Definition { name: name.to_owned(), value });
    out.push(define("WHITTLE_HARNESS", None));
    let own = variables.iter().filter(|variable| variable.is_scenarios).map(|variable| variable.name);
    let names: Vec<&str> =
        subjects.iter().map(|subject| subject.name).chain(own).chain(others.iter().copied()).collect();
    out.extend(names.iter().map(|name| define(name, Some(build::name(original(name), Type::Void)))));
    out.push(Declaration::include(scenario.clone()));
    out.extend(names.iter().map(|name| Declaration::Verbatim(format!("#undef {name}\n"))));
    for subject in subjects {
        let ty = subject.ty;
        out.push(Declaration::Prototype(Function {
            name: subject.name.to_owned(),
            result: ty.result.clone(),
            parameters: ty.parameters.iter().map(|one| build::unnamed(one.ty.clone())).collect(),
            ..Function::default()
        }));
    }
    out.extend([Declaration::Blank, Declaration::Verbatim(RUNTIME.to_owned()), Declaration::Blank]);
    out
}

/// The function that calls both, the description of the arguments, and the line of the table.
fn function(
    shapes: &mut Shapes<'_>,
    number: usize,
    subject: &Subject<'_>,
) -> Result<(Vec<Declaration>, Expression), String> {
    let ty = subject.ty;
    if subject.is_static {
        return Err("it is static, and its residual code cannot be called from elsewhere".to_owned());
    }
    if subject.name == "main" {
        return Err("it is the program's `main`; a function that it calls can be compared".to_owned());
    }
    if ty.variadic || ty.unprototyped && !ty.parameters.is_empty() {
        return Err("how many arguments it takes is not said".to_owned());
    }
    if ty.parameters.len() > PARAMETERS {
        return Err(format!("it has more than {PARAMETERS} parameters"));
    }
    let mut arguments = Vec::new();
    for (at, parameter) in ty.parameters.iter().enumerate() {
        let name = parameter.name.clone().unwrap_or_else(|| format!("argument {}", at + 1));
        arguments.push(shapes.whole(&parameter.ty, &name)?);
    }
    let result = match shapes.resolve(&ty.result) {
        Type::Void => build::braces(vec![build::integer(0), build::integer(0), build::integer(0)]),
        _ => {
            let part = shapes.whole(&ty.result, "")?;
            let size = shapes.size(&ty.result)?;
            let name = format!("whittle_harness_result_{number}");
            shapes.add_parts(&name, vec![part]);
            build::braces(vec![build::unsigned(size), build::integer(1), build::name(name, Type::Void)])
        }
    };
    let name = format!("whittle_harness_arguments_{number}");
    let count = arguments.len() as u64;
    let has_arguments = !arguments.is_empty();
    if has_arguments {
        shapes.add_parts(&name, arguments);
    }
    let call = format!("whittle_harness_call_{number}");
    let described = if has_arguments { build::name(name, Type::Void) } else { build::integer(0) };
    let entry =
        vec![build::text(subject.name), build::name(&call, Type::Void), build::unsigned(count), described, result];
    Ok((vec![Declaration::Function(both(&call, subject)), Declaration::Blank], build::braces(entry)))
}

/// Calls the residual function or the original, with arguments from memory; the result goes to memory.
fn both(name: &str, subject: &Subject<'_>) -> Function {
    let ty = subject.ty;
    let void = Type::Void.pointer();
    let arguments = build::name("arguments", void.clone().pointer());
    let value = |(at, parameter): (usize, &cast::Parameter)| {
        let place = build::index(arguments.clone(), build::integer(at as i64));
        build::dereference(build::cast(parameter.ty.clone().pointer(), place))
    };
    let values: Vec<Expression> = ty.parameters.iter().enumerate().map(value).collect();
    let call = |function: String| build::call(function, values.clone(), ty.result.clone());
    let done = |call: Expression| match ty.result {
        Type::Void => Statement::Expression(call),
        _ => {
            let place = build::cast(ty.result.clone().pointer(), build::name("result", void.clone()));
            build::assign(build::dereference(place), call)
        }
    };
    let residual = build::name("residual", Type::INT);
    let choice =
        build::when_else(residual, vec![done(call(subject.name.to_owned()))], vec![done(call(original(subject.name)))]);
    Function {
        linkage: Linkage::Static,
        name: name.to_owned(),
        result: Type::Void,
        parameters: vec![
            build::parameter("residual", Type::INT),
            build::parameter("arguments", void.clone().pointer()),
            build::parameter("result", void),
        ],
        body: vec![choice],
        ..Function::default()
    }
}

fn table(name: &str, element: Type, lines: Vec<Expression>) -> Declaration {
    Declaration::Variable(cast::Variable {
        storage: Storage::Static,
        name: name.to_owned(),
        ty: Type::Array(Box::new(element), None),
        initial: Some(build::braces(lines)),
        ..cast::Variable::default()
    })
}

/// The global variables, by their names for the linker: their types may be unknown here. Those that cannot be shown are left out.
fn globals(shapes: &mut Shapes<'_>, variables: &[Variable<'_>]) -> (Vec<Declaration>, usize) {
    let (mut out, mut lines) = (Vec::new(), Vec::new());
    for (number, variable) in variables.iter().enumerate() {
        let Ok(part) = shapes.whole(variable.ty, variable.name) else { continue };
        let before = if variable.is_scenarios { original(variable.name) } else { variable.name.to_owned() };
        let mut addresses = Vec::new();
        for (name, linked) in ["original", "residual"].iter().zip([before, variable.name.to_owned()]) {
            let here = format!("whittle_harness_{name}_{number}");
            out.push(Declaration::Variable(cast::Variable {
                storage: Storage::Extern,
                name: here.clone(),
                ty: Type::Array(Box::new(Type::CHAR), None),
                spelling: Some(format!("extern char {here}[] __asm__(\"{linked}\")")),
                ..cast::Variable::default()
            }));
            addresses.push(build::name(here, Type::Void));
        }
        let parts = format!("whittle_harness_variable_{number}");
        out.push(shapes.parts_table(&parts, &[part]));
        addresses.push(build::name(parts, Type::Void));
        lines.push(build::braces(addresses));
    }
    let count = lines.len();
    if lines.is_empty() {
        lines.push(build::braces(vec![build::integer(0)]));
    }
    out.push(table("whittle_harness_globals", Type::structure("whittle_harness_global").constant(), lines));
    (out, count)
}

/// All tables in one.
fn program_table(count: usize, globals: usize) -> Declaration {
    let name = |name: &str| build::name(format!("whittle_harness_{name}"), Type::Void);
    let numbers = |count: usize| build::unsigned(count as u64);
    let line =
        vec![name("functions"), numbers(count), name("all_shapes"), name("globals"), numbers(globals), name("stubs")];
    Declaration::Variable(cast::Variable {
        storage: Storage::Static,
        name: "whittle_harness_all".to_owned(),
        ty: Type::structure("whittle_harness_program").constant(),
        initial: Some(build::braces(line)),
        ..cast::Variable::default()
    })
}

fn main_function() -> Declaration {
    let mut arguments = ["argc", "argv"].map(|name| build::name(name, Type::Void)).to_vec();
    arguments.push(build::address(build::name("whittle_harness_all", Type::Void)));
    let call = build::call("whittle_harness_main", arguments, Type::INT);
    Declaration::Function(Function {
        name: "main".to_owned(),
        result: Type::INT,
        parameters: vec![build::parameter("argc", Type::INT), build::parameter("argv", Type::CHAR.pointer().pointer())],
        body: vec![Statement::Return(Some(Expression { kind: call.kind, ty: Type::INT, span: None }))],
        ..Function::default()
    })
}
