//! Scenarios that compute without end, and tables without measure.

use driver::Limits;

use crate::machine::{limits, specialize};

const ACKERMANN: &str = "static int ack(int m, int n) {
    if (m == 0) return n + 1;
    if (n == 0) return ack(m - 1, 1);
    return ack(m - 1, ack(m, n - 1));
}\n";

/// It ends, with C or with an error that says what was too much.
#[track_caller]
fn ends(text: &str, limits: Limits) {
    let made = specialize(text, limits);
    let said = made.report.findings.iter().any(|finding| finding.code == "limit-001");
    assert!(made.size > 0 || said, "{:?}", made.report.findings);
}

#[test]
fn a_function_that_grows_without_measure_ends() {
    ends(&format!("{ACKERMANN}int f(void) {{ return ack(4, 2); }}\n"), limits("steps=100K"));
    ends(&format!("{ACKERMANN}int f(int n) {{ return ack(3, n); }}\n"), limits("steps=100K"));
}

/// A hundred thousand million steps, if nobody lost patience.
#[test]
fn a_run_ends_in_the_time_that_it_has() {
    let text = "unsigned f(unsigned n) { unsigned x = 1; for (long i = 0; i < 100000000000; i++) x = x * 5 + 1; return x + n; }\n";
    let limited = |time: u64| {
        let mut limits = limits("steps=1000G");
        limits.set(driver::Limit::Time, time);
        specialize(text, limits)
    };
    limited(4).succeeds();
    limited(0).exceeds("time");
}

#[test]
fn calls_that_double_end() {
    let mut text = "static int f0(int a) { return a * 3; }\n".to_owned();
    for level in 1..40 {
        let before = level - 1;
        text.push_str(&format!("static int f{level}(int a) {{ return f{before}(a) + f{before}(a + 1); }}\n"));
    }
    ends(&format!("{text}int f(int a) {{ return f39(a); }}\n"), limits("steps=20K"));
}

#[test]
fn tables_of_which_one_element_is_far_away_are_refused_before_clang_makes_them() {
    for initial in ["[99999999] = 1", "[0 ... 99999999] = 7", "[N - 1] = 1"] {
        let text = format!(
            "enum {{ N = 100000000 }};\nstatic const int t[N] = {{ {initial} }};\nint f(int n) {{ return t[n]; }}\n"
        );
        specialize(&text, Limits::default()).exceeds("memory");
    }
    specialize("static const int t[] = { [99] = 1 };\nint f(int n) { return t[n]; }\n", limits("memory=98"))
        .exceeds("memory");
}

#[test]
fn large_arrays_of_zeros_are_one_assignment() {
    let text = "int f(int n) { int t[100000000] = { 1 }; t[7] = 3; return t[n] + t[5]; }\n";
    specialize(text, Limits::default()).succeeds();
}

#[test]
fn loops_that_fill_more_than_may_be_known_end() {
    let text = "int f(int n) { static char b[50000000]; for (int i = 0; i < 50000000; i++) b[i] = i; return b[n]; }\n";
    ends(text, limits("memory=10K"));
}

#[test]
fn structures_that_double_are_refused() {
    let mut text = "struct s0 { int a; };\n".to_owned();
    for level in 1..40 {
        let before = level - 1;
        text.push_str(&format!("struct s{level} {{ struct s{before} a, b; }};\n"));
    }
    let text = format!("{text}extern struct s39 *g;\nint f(int a) {{ return g->a.a.b.a.b.a.b.a != 0; }}\n");
    let made = specialize(&text, limits("memory=4K"));
    assert!(made.report.findings.iter().any(|finding| finding.code == "limit-001"), "{:?}", made.report.findings);
}

#[test]
fn pointers_to_pointers_without_end_are_refused() {
    specialize(&format!("int f(int {}a) {{ return a != 0; }}\n", "*".repeat(20_000)), Limits::default())
        .exceeds("nesting");
}
