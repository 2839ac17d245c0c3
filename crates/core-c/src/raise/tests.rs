//! Small functions, built by hand, and the C that comes back of them.

use cast::{
    BinaryOperator, CaseLabel, Declaration, Expression, ExpressionKind, File, Function, Program, Scalar, Statement,
    SwitchArm, Type, UnaryOperator, Unit, build,
};

use crate::examples::{call, int};
use crate::lower;

fn pointer() -> Expression {
    build::name("p", Type::INT.pointer())
}

/// The body of `int f(int a, int b, int *p, unsigned char c)` after its way through Core C.
fn round_trip(body: Vec<Statement>) -> String {
    let function = Function {
        name: "f".to_owned(),
        result: Type::INT,
        parameters: vec![
            build::parameter("a", Type::INT),
            build::parameter("b", Type::INT),
            build::parameter("p", Type::INT.pointer()),
            build::parameter("c", Type::Scalar(Scalar::UnsignedChar)),
        ],
        body,
        ..Function::default()
    };
    let file = File { declarations: vec![Declaration::Function(function)] };
    let source = Program { units: vec![Unit { path: "f.c".to_owned(), file }], ..Program::default() };
    let (program, findings) = lower(&source);
    assert_eq!(findings, [], "lowering has findings");
    let id = program.functions.iter().map(|(id, _)| id).next().expect("f is there");
    let raised = super::function(&program, id);
    let text = cast::print_declarations(&[Declaration::Function(raised)]);
    text.lines()
        .skip(2)
        .filter(|line| *line != "}" && !line.starts_with("    (void)"))
        .map(|line| format!("{}\n", line.replacen("    ", "", 1)))
        .collect()
}

fn check(body: Vec<Statement>, expected: &str) {
    assert_eq!(round_trip(body), expected);
}

#[test]
fn a_counting_loop_is_a_for() {
    let sum = build::assign_with(int("s"), BinaryOperator::Add, int("i"));
    check(
        vec![
            build::local("s", Type::INT, Some(build::integer(0))),
            build::count_loop("i", Type::INT, int("a"), vec![sum]),
            build::returns(int("s")),
        ],
        "int s = 0;
for (int i = 0; i < a; i++)
    s += i;
return s;
",
    );
}

#[test]
fn early_exits_stand_flat() {
    let fails = |argument: &str| {
        build::when(build::not(call("g", vec![int(argument)])), vec![build::returns(build::integer(0))])
    };
    check(
        vec![fails("a"), fails("b"), build::returns(build::integer(1))],
        "if (!g(a))
    return 0;
if (g(b))
    return 1;
return 0;
",
    );
}

#[test]
fn conditions_come_back_whole() {
    let condition = build::or(build::and(int("a"), call("g", vec![int("b")])), build::not(pointer()));
    check(
        vec![
            build::when_else(
                condition,
                vec![build::assign(int("a"), build::integer(1))],
                vec![build::assign(int("a"), build::integer(2))],
            ),
            build::returns(int("a")),
        ],
        "if ((a && g(b)) || !p) {
    a = 1;
} else {
    a = 2;
}
return a;
",
    );
}

#[test]
fn a_chosen_value_is_one_expression() {
    let chosen = build::conditional(build::less(int("a"), int("b")), int("a"), int("b"));
    check(
        vec![build::assign(build::dereference(pointer()), chosen), build::returns(build::and(int("a"), int("b")))],
        "*p = a < b ? a : b;
return a && b;
",
    );
}

#[test]
fn numbers_that_compilers_take_for_slips_are_compared_with_zero() {
    let product = || build::binary(int("a"), BinaryOperator::Multiply, int("b"));
    let shifted = || build::binary(int("a"), BinaryOperator::ShiftLeft, int("b"));
    let chosen = build::conditional(int("a"), build::integer(3), build::integer(0));
    check(
        vec![
            build::when(product(), vec![build::assign(int("a"), build::not(shifted()))]),
            build::returns(build::and(int("b"), chosen)),
        ],
        "if (a * b != 0)
    a = a << b == 0;
return b && (a ? 3 : 0) != 0;
",
    );
}

#[test]
fn loops_keep_their_breaks_and_continues() {
    let body = vec![
        build::when(build::equal(int("a"), build::integer(3)), vec![Statement::Continue]),
        build::when(build::equal(int("a"), build::integer(5)), vec![Statement::Break]),
        Statement::Expression(call("g", vec![int("a")])),
    ];
    check(
        vec![
            Statement::For {
                initial: Some(Box::new(build::assign(int("a"), build::integer(0)))),
                condition: Some(build::less(int("a"), int("b"))),
                step: Some(build::unary(UnaryOperator::IncrementAfter, int("a"))),
                body,
            },
            build::returns(int("a")),
        ],
        "for (a = 0; a < b; a++) {
    if (a != 3) {
        if (a == 5)
            break;
        g(a);
    }
}
return a;
",
    );
}

#[test]
fn tests_at_the_foot_are_do_loops() {
    check(
        vec![
            Statement::DoWhile {
                body: vec![
                    build::when(build::equal(int("a"), build::integer(3)), vec![Statement::Continue]),
                    build::assign_with(int("a"), BinaryOperator::Subtract, build::integer(1)),
                ],
                condition: build::greater(int("a"), int("b")),
            },
            build::returns(int("a")),
        ],
        "do {
    if (a != 3)
        a--;
} while (a > b);
return a;
",
    );
}

#[test]
fn a_switch_keeps_its_arms_and_what_falls_through() {
    let label = |value| vec![CaseLabel::Value(build::integer(value))];
    let set = |value| build::assign(int("b"), build::integer(value));
    let arms = vec![
        SwitchArm { labels: label(1), body: vec![set(10), Statement::Break] },
        SwitchArm { labels: label(2), body: vec![Statement::Expression(call("g", vec![int("a")]))] },
        SwitchArm { labels: label(3), body: vec![set(20), Statement::Break] },
        SwitchArm { labels: vec![CaseLabel::Default], body: vec![build::returns(build::integer(7))] },
    ];
    check(
        vec![Statement::Switch { value: int("a"), arms }, build::returns(int("b"))],
        "switch (a) {
case 1:
    b = 10;
    break;
case 2:
    g(a);
    /* fall through */
case 3:
    b = 20;
    break;
default:
    return 7;
}
return b;
",
    );
}

#[test]
fn jumps_into_the_midst_are_gotos() {
    check(
        vec![
            build::when(int("a"), vec![Statement::Goto("inside".to_owned())]),
            Statement::Label("head".to_owned()),
            Statement::Expression(call("g", vec![int("a")])),
            Statement::Label("inside".to_owned()),
            Statement::Expression(call("h", vec![int("b")])),
            build::when(int("b"), vec![Statement::Goto("head".to_owned())]),
            build::returns(build::integer(0)),
        ],
        "if (a)
    goto L2;
L1:;
g(a);
L2:;
h(b);
if (b)
    goto L1;
return 0;
",
    );
}

#[test]
fn casts_stand_only_where_c_would_not_convert() {
    let byte = build::name("c", Type::Scalar(Scalar::UnsignedChar));
    let implicit =
        |ty: Type, value: Expression| Expression { kind: ExpressionKind::Implicit(Box::new(value)), ty, span: None };
    let wide = implicit(Type::LONG, build::add(implicit(Type::INT, byte.clone()), int("a")));
    let unsigned = Type::Scalar(Scalar::UnsignedInt);
    check(
        vec![
            build::local("n", Type::LONG, Some(build::multiply(wide, implicit(Type::LONG, int("b"))))),
            build::assign(build::dereference(pointer()), implicit(Type::INT, build::name("n", Type::LONG))),
            build::assign(byte.clone(), implicit(byte.ty.clone(), int("a"))),
            build::when(
                build::less(implicit(unsigned.clone(), int("a")), build::unsigned(4)),
                vec![build::returns(build::cast(Type::INT, build::cast(byte.ty.clone(), int("b"))))],
            ),
            build::returns(build::binary(implicit(unsigned, int("a")), BinaryOperator::Divide, build::unsigned(3))),
        ],
        "long n = (long)(c + a) * b;
*p = n;
c = a;
if ((unsigned int)a < 4)
    return (unsigned char)b;
return (unsigned int)a / 3;
",
    );
}
