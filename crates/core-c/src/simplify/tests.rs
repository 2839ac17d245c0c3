//! Small functions before and after.

use cast::{
    BinaryOperator, Declaration, Expression, File, Function, Program, Statement, Type, UnaryOperator, Unit, build,
};

use crate::examples::{call, int};
use crate::{dump_function, lower, verify};

fn pointer(name: &str) -> Expression {
    build::name(name, Type::INT.pointer())
}

fn at(name: &str) -> Expression {
    build::dereference(pointer(name))
}

fn set(name: &str, value: Expression) -> Statement {
    build::assign(int(name), value)
}

/// The simplified Core C of `int f(int a, int *p, int *q)` with this body; `t` and `u` are its temporaries.
fn simplified(body: Vec<Statement>) -> String {
    let parameters = vec![
        build::parameter("a", Type::INT),
        build::parameter("p", Type::INT.pointer()),
        build::parameter("q", Type::INT.pointer()),
    ];
    let function = Function { name: "f".to_owned(), result: Type::INT, parameters, body, ..Function::default() };
    let file = File { declarations: vec![Declaration::Function(function)] };
    let source = Program { units: vec![Unit { path: "f.c".to_owned(), file }], ..Program::default() };
    let (mut program, findings) = lower(&source);
    assert_eq!(findings, [], "lowering has findings");
    let id = program.functions.iter().map(|(id, _)| id).next().expect("f is there");
    for (_, local) in program.functions[id].locals.iter_mut() {
        if matches!(local.name.as_str(), "t" | "u") {
            local.name.clear();
        }
    }
    let once = super::function(&program, &program.functions[id]);
    program.functions[id] = once;
    assert_eq!(verify(&program), [], "the result is wrong");
    let text = dump_function(&program, &program.functions[id]);
    let twice = super::function(&program, &program.functions[id]);
    assert_eq!(dump_function(&program, &twice), text, "a second round finds more to do");
    text.lines().skip_while(|line| !line.starts_with("b0")).map(|line| format!("{line}\n")).collect()
}

fn declared(name: &str, value: Expression) -> Statement {
    build::local(name, Type::INT, Some(value))
}

fn check(body: Vec<Statement>, expected: &str) {
    assert_eq!(simplified(body), expected);
}

#[test]
fn a_temporary_goes_where_it_is_read() {
    check(
        vec![
            declared("t", at("p")),
            declared("u", build::add(int("t"), int("a"))),
            build::assign(at("q"), build::multiply(int("u"), build::integer(2))),
            build::returns(int("a")),
        ],
        "b0:
    store *q = (*p + a) * 2
    return a
",
    );
}

#[test]
fn a_register_is_compared_with_itself() {
    let compare = |operator| vec![declared("t", int("a")), build::returns(build::binary(int("t"), operator, int("a")))];
    check(compare(cast::BinaryOperator::NotEqual), "b0:\n    return 0\n");
    check(compare(cast::BinaryOperator::LessEqual), "b0:\n    return 1\n");
    check(compare(cast::BinaryOperator::Subtract), "b0:\n    return 0\n");
    let narrow = || build::cast(Type::INT, build::cast(Type::Scalar(cast::Scalar::UnsignedChar), int("a")));
    let converted = build::binary(narrow(), cast::BinaryOperator::Equal, narrow());
    check(vec![build::returns(converted)], "b0:\n    return 1\n");
}

#[test]
fn what_has_no_sign_is_not_less_than_zero() {
    let a = || build::cast(Type::Scalar(cast::Scalar::UnsignedInt), int("a"));
    let returned = |left, operator, right| vec![build::returns(build::binary(left, operator, right))];
    check(returned(a(), cast::BinaryOperator::Less, build::unsigned(0)), "b0:\n    return 0\n");
    check(returned(build::unsigned(0), cast::BinaryOperator::LessEqual, a()), "b0:\n    return 1\n");
    check(returned(int("a"), cast::BinaryOperator::Less, build::integer(0)), "b0:\n    return a < 0\n");
}

#[test]
fn a_load_does_not_move_past_what_may_change_it() {
    let body = |between: Statement| vec![declared("t", at("p")), between, build::returns(int("t"))];
    check(
        body(build::assign(at("q"), int("a"))),
        "b0:
    %3 = *p
    store *q = a
    return %3
",
    );
    check(
        body(Statement::Expression(call("g", vec![int("a")]))),
        "b0:
    %3 = *p
    call g(a)
    return %3
",
    );
    let next = build::dereference(build::add(pointer("p"), build::integer(1)));
    check(
        body(build::assign(next, int("a"))),
        "b0:
    store *(p + 1 elements) = a
    return *p
",
    );
}

#[test]
fn a_value_does_not_move_past_a_change_of_what_it_is_made_of() {
    check(
        vec![
            declared("t", build::add(int("a"), build::integer(1))),
            set("a", call("g", vec![])),
            build::returns(build::add(int("t"), int("a"))),
        ],
        "b0:
    %3 = a + 1
    a = call g()
    return %3 + a
",
    );
}

#[test]
fn constants_go_through_joins_that_agree() {
    let arm = |value: i32| vec![set("x", build::integer(5)), build::assign(at("p"), build::integer(value))];
    check(
        vec![
            build::local("x", Type::INT, None),
            build::when_else(int("a"), arm(1), arm(2)),
            build::when(build::equal(int("x"), build::integer(5)), vec![build::returns(build::integer(1))]),
            build::returns(build::integer(2)),
        ],
        "b0:
    if a goto b1 else b2
b1:
    store *p = 1
    goto b3
b2:
    store *p = 2
    goto b3
b3:
    return 1
",
    );
}

#[test]
fn constants_that_differ_do_not() {
    check(
        vec![
            declared("x", build::integer(1)),
            build::when(int("a"), vec![set("x", build::integer(2))]),
            build::returns(int("x")),
        ],
        "b0:
    x = 1
    if a goto b1 else b2
b1:
    x = 2
    goto b2
b2:
    return x
",
    );
}

#[test]
fn what_nobody_reads_goes_and_effects_stay() {
    let array = Type::INT.array(build::integer(4));
    let element = build::index(build::name("z", array.clone()), build::integer(0));
    check(
        vec![
            build::local("z", array, None),
            build::assign(element, int("a")),
            declared("x", call("g", vec![int("a")])),
            set("x", build::integer(3)),
            build::returns(build::integer(0)),
        ],
        "b0:
    call g(a)
    return 0
",
    );
}

#[test]
fn a_copy_and_its_source_become_one() {
    check(
        vec![
            declared("t", build::integer(0)),
            Statement::While {
                condition: build::less(int("t"), int("a")),
                body: vec![
                    declared("u", build::add(int("t"), build::integer(1))),
                    build::assign(at("p"), int("u")),
                    set("t", int("u")),
                ],
            },
            build::returns(int("t")),
        ],
        "b0:
    %3 = 0
    goto b1
b1:
    if %3 < a goto b2 else b3
b2:
    %3 = %3 + 1
    store *p = %3
    goto b1
b3:
    return %3
",
    );
}

#[test]
fn a_copy_that_is_still_needed_stays() {
    let step = build::assign_with(int("a"), BinaryOperator::Add, build::integer(1));
    check(
        vec![declared("t", int("a")), step, build::returns(build::multiply(int("t"), int("a")))],
        "b0:
    %3 = a
    a = a + 1
    return %3 * a
",
    );
}

#[test]
fn a_scalar_whose_address_is_gone_is_a_register() {
    let address = build::address(int("x"));
    check(
        vec![
            declared("x", int("a")),
            build::local("r", Type::INT.pointer(), Some(address)),
            build::assign(at("r"), build::add(at("r"), build::integer(1))),
            build::returns(int("x")),
        ],
        "b0:
    x = a + 1
    return x
",
    );
}

#[test]
fn undefined_operations_stay() {
    let most = build::integer(i32::MAX);
    check(
        vec![
            build::when(int("a"), vec![build::returns(build::add(most, build::integer(1)))]),
            build::returns(build::binary(build::integer(1), BinaryOperator::Divide, build::integer(0))),
        ],
        "b0:
    if a goto b1 else b2
b1:
    return 2147483647 + 1
b2:
    return 1 / 0
",
    );
}

#[test]
fn known_operations_are_computed() {
    let value = build::add(build::integer(2), build::unary(UnaryOperator::Negate, build::integer(5)));
    let same = build::add(int("a"), build::multiply(build::integer(0), build::integer(7)));
    check(
        vec![build::when(value, vec![build::returns(same)]), build::returns(build::integer(9))],
        "b0:
    return a
",
    );
}
