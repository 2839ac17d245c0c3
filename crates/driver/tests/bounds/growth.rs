//! Twice the input, twice the work: what is allocated in all, and at one time, counted while files of n, 2n and 4n definitions
//! are compiled in every style and over every link. A quadratic step that allocates shows as four times; one that does not
//! is what the other tests' sizes are for.

use driver::{Limits, Link, Prefer, Style};

use crate::descriptions::doubling;
use crate::machine::{compile, flow, routines};

/// Linear work doubles, quadratic work is four times as much; tables that grow in steps lie between.
const MOST: f64 = 3.0;
/// The peak comes nearer to four times while routines still take in the bodies of others.
const MOST_PEAK: f64 = 3.5;

/// Compares what n more cost at 2n with what they cost at n: what each compilation costs anyway is in neither.
#[track_caller]
fn grows_in_proportion(what: &str, size: usize, work: &dyn Fn(usize)) {
    // What is made once is made before.
    work(8);
    let [one, two, four] = [1, 2, 4].map(|times| allocation_counter::measure(|| work(times * size)));
    let ratio = |one: u64, two: u64, four: u64| four.saturating_sub(two) as f64 / two.saturating_sub(one).max(1) as f64;
    let all = ratio(one.bytes_total, two.bytes_total, four.bytes_total);
    // The peak may be the run time's text at first.
    let most = four.bytes_max as f64 / two.bytes_max as f64;
    assert!(all < MOST && most < MOST_PEAK, "{what}: {all:.2} times the bytes, {most:.2} times the peak");
}

/// How a file of so many definitions is written.
type Text = fn(usize) -> String;

fn many(lines: usize, line: &dyn Fn(usize) -> String) -> String {
    (0..lines).map(line).collect()
}

const ONC: [(&str, Text); 7] = [
    ("structures", |n| many(n, &|at| format!("struct s{at} {{ int a; string b<>; }};\n"))),
    ("doubling", |n| doubling(n, false)),
    ("pointers", |n| "typedef int t0;\n".to_owned() + &many(n, &|at| format!("typedef t{at} *t{};\n", at + 1))),
    ("members", |n| format!("struct s {{ {} }};\n", many(n, &|at| format!("int a{at}; string b{at}<>;\n")))),
    ("cases", |n| format!("union u switch (int x) {{ {} }};\n", many(n, &|at| format!("case {at}: int a{at};\n")))),
    ("constants", |n| "const C0 = 1;\n".to_owned() + &many(n, &|at| format!("const C{} = C{at};\n", at + 1))),
    ("procedures", |n| {
        let procedures = many(n, &|at| format!("int F{at}(int) = {};\n", at + 1));
        format!("program P {{ version V {{ {procedures} }} = 1; }} = 0x20000001;\n")
    }),
];

const IDL: [(&str, Text); 5] = [
    ("structures", |n| many(n, &|at| format!("struct s{at} {{ long a; string b; }};\n"))),
    ("doubling", |n| doubling(n, true)),
    ("aliases", |n| "typedef long t0;\n".to_owned() + &many(n, &|at| format!("typedef t{at} t{};\n", at + 1))),
    ("operations", |n| format!("interface I {{ {} }};\n", many(n, &|at| format!("long f{at}(in long a);\n")))),
    ("modules", |n| {
        many(n, &|at| format!("module m{at} {{ struct s {{ long a; }}; interface i {{ s f(in s x); }}; }};\n"))
    }),
];

#[track_caller]
fn rpc_language(style: Style, link: Link) {
    for (what, text) in ONC {
        let work = |size: usize| drop(compile("b.x", &text(size), style, link, Limits::default()));
        grows_in_proportion(&format!("{what}, {style:?}, {link:?}"), 25, &work);
    }
}

#[track_caller]
fn idl(style: Style, link: Link) {
    for (what, text) in IDL {
        let work = |size: usize| drop(compile("b.idl", &text(size), style, link, Limits::default()));
        grows_in_proportion(&format!("{what}, {style:?}, {link:?}"), 25, &work);
    }
}

#[test]
fn rpc_language_in_rpcgens_style_is_work_in_proportion_to_its_size() {
    rpc_language(Style::Rpcgen, Link::Tirpc);
    rpc_language(Style::Rpcgen, Link::Onc);
}

/// Routines of a thousand parts, of which each has blocks and variables of its own, take more than those above to show what they cost.
#[test]
fn long_routines_are_work_in_proportion_to_their_length() {
    let one = |member: &'static str| {
        move |n: usize| format!("struct s {{ {} }};\n", many(n, &|at| member.replace('#', &at.to_string())))
    };
    for member in ["string a#<>; ", "bool a#; hyper b#<9>; "] {
        for prefer in [Prefer::Speed, Prefer::Size] {
            let text = one(member);
            grows_in_proportion(&format!("{member}, {prefer:?}"), 200, &|size| drop(routines(&text(size), prefer)));
        }
    }
}

#[test]
fn rpc_language_in_the_style_of_corba_is_work_in_proportion_to_its_size() {
    rpc_language(Style::Corba, Link::GiopTcp);
}

#[test]
fn rpc_language_in_the_plain_style_is_work_in_proportion_to_its_size() {
    rpc_language(Style::Plain, Link::Onc);
    rpc_language(Style::Plain, Link::GiopTcp);
}

#[test]
fn idl_in_the_style_of_corba_is_work_in_proportion_to_its_size() {
    idl(Style::Corba, Link::GiopTcp);
}

#[test]
fn idl_in_the_plain_style_is_work_in_proportion_to_its_size() {
    idl(Style::Plain, Link::GiopTcp);
}

#[test]
fn the_work_for_flows_is_in_proportion_to_their_size() {
    let text = |size: usize| {
        let edges = many(size, &|at| format!("S s{at}; K k{at}; s{at} -> k{at};\n"));
        format!(
            "packet P {{ int32 a; }}\npipe S {{ out P o; middle f; }}\npipe K {{ in P i; middle g; }}\nflow f {{ {edges} }}\n"
        )
    };
    grows_in_proportion("edges", 25, &|size| drop(flow(&text(size), Limits::default())));
}
