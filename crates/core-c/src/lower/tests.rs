//! Small functions, built by hand, and the Core C they become.

use cast::{
    BinaryOperator, Declaration, Expression, ExpressionKind, File, Function, Program, Statement, Type, UnaryOperator,
    Unit, build,
};

use crate::examples::{call, int};
use crate::{dump_function, lower, verify};

/// The Core C of `int f(int a, int *p)` with this body.
fn body(statements: Vec<Statement>) -> String {
    let function = Function {
        name: "f".to_owned(),
        result: Type::INT,
        parameters: vec![build::parameter("a", Type::INT), build::parameter("p", Type::INT.pointer())],
        body: statements,
        ..Function::default()
    };
    let file = File { declarations: vec![Declaration::Function(function)] };
    let source = Program { units: vec![Unit { path: "f.c".to_owned(), file }], ..Program::default() };
    let (program, findings) = lower(&source);
    assert_eq!(findings, [], "lowering has findings");
    assert_eq!(verify(&program), [], "the result is wrong");
    let text = program.functions.values().next().map(|function| dump_function(&program, function)).unwrap_or_default();
    text.lines().skip_while(|line| !line.starts_with("b0")).map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_loop_becomes_blocks() {
    let sum = build::assign_with(int("s"), BinaryOperator::Add, int("i"));
    let text = body(vec![
        build::local("s", Type::INT, Some(build::integer(0))),
        build::count_loop("i", Type::INT, int("a"), vec![sum]),
        build::returns(int("s")),
    ]);
    assert_eq!(
        text,
        "b0:
    s = 0
    i = 0
    goto b1
b1:
    if i < a goto b2 else b3
b2:
    s = s + i
    i = i + 1
    goto b1
b3:
    return s
"
    );
}

#[test]
fn what_an_effect_may_change_waits_in_a_temporary() {
    let load = build::dereference(build::name("p", Type::INT.pointer()));
    let text = body(vec![build::returns(build::add(build::add(load, int("a")), call("g", vec![int("a")])))]);
    assert_eq!(
        text,
        "b0:
    %2 = *p + a
    %3 = call g(a)
    return %2 + %3
"
    );
}

#[test]
fn what_no_effect_can_change_stays_in_its_tree() {
    let step = build::unary(UnaryOperator::IncrementAfter, int("b"));
    let text = body(vec![
        build::local("b", Type::INT, Some(int("a"))),
        build::returns(build::add(build::add(int("a"), build::integer(1)), step)),
    ]);
    assert_eq!(
        text,
        "b0:
    b = a
    %3 = b
    b = %3 + 1
    return (a + 1) + %3
"
    );
}

#[test]
fn and_and_or_are_branches() {
    let condition =
        build::or(build::and(int("a"), call("g", vec![])), build::not(build::name("p", Type::INT.pointer())));
    let text =
        body(vec![build::when(condition, vec![build::returns(build::integer(1))]), build::returns(build::integer(2))]);
    assert_eq!(
        text,
        "b0:
    if a goto b1 else b2
b1:
    %2 = call g()
    if %2 goto b4 else b2
b2:
    if p goto b3 else b4
b3:
    return 2
b4:
    return 1
"
    );
}

#[test]
fn an_address_makes_a_variable_memory() {
    let address = build::address(int("b"));
    let text = body(vec![
        build::local("b", Type::INT, Some(int("a"))),
        Statement::Expression(call("g", vec![address])),
        build::returns(int("b")),
    ]);
    assert_eq!(
        text,
        "b0:
    begin b
    store b = a
    call g(&b)
    return b
"
    );
}

#[test]
fn a_switch_has_its_labels_anywhere() {
    let case = |value: i128| Statement::Case(cast::CaseLabel::Value(build::integer(value)));
    let text = body(vec![
        Statement::SwitchBody {
            value: int("a"),
            body: vec![
                case(1),
                build::assign(int("a"), build::integer(5)),
                Statement::While {
                    condition: int("a"),
                    body: vec![case(2), build::assign(int("a"), build::integer(0))],
                },
                Statement::Break,
                Statement::Case(cast::CaseLabel::Default),
                build::returns(build::integer(7)),
            ],
        },
        build::returns(int("a")),
    ]);
    assert_eq!(
        text,
        "b0:
    switch a [1 b1] [2 b2] else b5
b1:
    a = 5
    goto b3
b2:
    a = 0
    goto b3
b3:
    if a goto b2 else b4
b4:
    return a
b5:
    return 7
"
    );
}

#[test]
fn what_cannot_be_modelled_refuses_its_function() {
    let function = Function {
        name: "f".to_owned(),
        body: vec![Statement::Expression(Expression {
            kind: ExpressionKind::Verbatim("__builtin_strange(1)".to_owned()),
            ty: Type::INT,
            span: None,
        })],
        ..Function::default()
    };
    let file = File { declarations: vec![Declaration::Function(function)] };
    let source = Program { units: vec![Unit { path: "f.c".to_owned(), file }], ..Program::default() };
    let (program, findings) = lower(&source);
    let refused: Vec<_> = program.functions.values().filter_map(|function| function.refused.clone()).collect();
    assert_eq!(refused, ["`__builtin_strange(1)` is not modelled"]);
    assert_eq!(findings.iter().map(|finding| finding.code).collect::<Vec<_>>(), ["core-003"]);
}

#[test]
fn what_two_units_define_is_an_error() {
    let unit = |path: &str| {
        let function = Function { name: "f".to_owned(), ..Function::default() };
        let object = cast::Variable {
            name: "x".to_owned(),
            ty: Type::INT,
            initial: Some(build::integer(1)),
            ..cast::Variable::default()
        };
        let declarations = vec![Declaration::Function(function), Declaration::Variable(object)];
        Unit { path: path.to_owned(), file: File { declarations } }
    };
    let source = Program { units: vec![unit("a.c"), unit("b.c")], ..Program::default() };
    let (_, findings) = lower(&source);
    assert_eq!(findings.iter().map(|finding| finding.code).collect::<Vec<_>>(), ["core-001", "core-001"]);
}

#[test]
fn wrong_core_c_is_found() {
    let function = Function {
        name: "f".to_owned(),
        result: Type::INT,
        parameters: vec![build::parameter("a", Type::INT)],
        body: vec![build::returns(int("a"))],
        ..Function::default()
    };
    let file = File { declarations: vec![Declaration::Function(function)] };
    let source = Program { units: vec![Unit { path: "f.c".to_owned(), file }], ..Program::default() };
    let (program, _) = lower(&source);
    let long = |program: &mut crate::Program| program.types.intern(&Type::LONG);
    let breaks: [fn(&mut crate::Function, crate::TypeId); 4] = [
        |function, _| {
            function
                .blocks
                .iter_mut()
                .for_each(|(_, block)| block.end = crate::Terminator::Goto(super::body::block_id(7)))
        },
        |function, long| function.locals.iter_mut().for_each(|(_, local)| local.ty = long),
        |function, _| function.locals.iter_mut().for_each(|(_, local)| local.kind = crate::LocalKind::Memory),
        |function, _| function.parameters.clear(),
    ];
    for change in breaks {
        let mut wrong = program.clone();
        let long = long(&mut wrong);
        wrong.functions.iter_mut().for_each(|(_, function)| change(function, long));
        let findings = verify(&wrong);
        assert!(!findings.is_empty() && findings.iter().all(|finding| finding.code == "core-004"), "{findings:?}");
    }
}
